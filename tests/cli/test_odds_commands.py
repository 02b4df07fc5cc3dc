"""`shutbox odds`, `advise` and `fair`: their output agrees with the analysis."""

import json
import os
import signal
import subprocess
import sys
import time
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox.cli.main import main
from shutbox.cli.output import ProgressLine
from shutbox.solving import MEAN, SHUT, beat
from shutbox.solving.compiled import installed
from shutbox.solving.equity.fairness import fair as fair_rules
from shutbox.solving.equity.last_round import Answers
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import solve
from shutbox.table.lookup import match_of
from terminal.driver import command, environment


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines that a command prints."""
    assert main(arguments) == 0
    return capsys.readouterr().out.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The sentence with which a command is refused."""
    assert main(arguments) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


def as_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads("\n".join(said(capsys, *arguments, "--json")))


# odds


def test_odds_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "odds", "six", "--exact")
    game = shutbox.find("six")
    solution = solve(game, game.start(), MEAN)
    chances, throws = solution.chances(game.start())
    keys = {"game", "aim", "position", "value", "distribution", "throws", "openings"}
    assert keys <= found.keys()
    assert (found["game"], found["aim"]) == ("six", "mean")
    assert found["position"] == "six:1.2.3.4.5.6"
    assert Fraction(found["value"]) == solution.value(game.start())
    assert Fraction(found["throws"]) == throws
    assert Fraction(found["distribution"]["0"]) == chances[0, True]
    assert sum(map(Fraction, found["distribution"].values())) == 1
    assert [opening["roll"] for opening in found["openings"]] == ["1", "2", "3", "4", "5", "6"]
    assert sum(Fraction(opening["probability"]) for opening in found["openings"]) == 1
    assert found["openings"][2]["choices"].keys() == {"3", "1 2"}
    for opening in found["openings"]:
        assert opening["choices"][opening["best"]] == opening["value"]


NO_SCORES = "Final scores are left out for so large a box; they would take as much memory again."


def test_of_a_very_large_box_the_value_is_told_and_no_scores(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = as_json(capsys, "odds", "six", "--aim", "shut")
    monkeypatch.setattr(Solution, "tells_chances", False)
    found = as_json(capsys, "odds", "six", "--aim", "shut")
    assert (found["distribution"], found["mean"], found["throws"]) == ({}, None, None)
    for key in ("value", "openings", "shut"):
        assert found[key] == whole[key]
    lines = said(capsys, "odds", "six", "--aim", "shut")
    assert lines[2:4] == ["Chance that it shuts the box: 7.5 %.", NO_SCORES]
    assert lines[4] == "After the next throw:"


def test_odds_from_a_position_on(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "odds", "classic:1.2.3")
    assert found["position"] == "classic:1.2.3"
    for at in ("1.2.3", "classic:1.2.3"):
        assert found == as_json(capsys, "odds", "classic", "--at", at)


def test_the_text_has_the_numbers_of_the_json(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, "odds", "classic", "--aim", "beat:8")
    game = shutbox.find("classic")
    assert game.scoring is not None
    solution = solve(game, game.start(), beat(8, game.scoring))
    value = float(solution.value(game.start()))
    assert lines[2] == f"{100 * value:.1f} % to beat 8, a tie counting half."
    chances, throws = solution.chances(game.start())
    assert f"Expected throws: {float(throws):.4f}." in lines
    for (score, _), chance in chances.items():
        assert any(line.startswith(f"{score}: ") for line in lines), (score, chance)
    best = min(range(2, 13), key=lambda total: -_after(solution, total))
    assert lines[-2].startswith(f"Best throw: {best} (")


def _after(solution: Any, total: int) -> float:
    game = solution.game
    roll = next(r for r, _ in shutbox.Dice.of(2, 6).outcomes() if r.total == total)
    return float(solution.value(game.rolled(game.start(), roll)))


def test_odds_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    players = [f"Player {seat}" for seat in (1, 2, 3)]
    outlook = Answers(match_of("six", players, "shut=wins,stake=1")).outlook()
    arguments = ("odds", "six", "--seats", "3", "--format", "shut=wins,stake=1")
    found = as_json(capsys, *arguments, "--exact")
    assert [Fraction(share) for share in found["shares"]] == list(outlook.shares)
    assert sum(map(Fraction, found["chips"])) == 0
    lines = said(capsys, *arguments)
    for line, share in zip(lines[1:], outlook.shares, strict=True):
        assert f"wins {100 * float(share):.3f} %" in line


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("odds", "tray"), "go on forever"),
        (("odds", "classic", "--aim", "fun"), "'fun' is not an aim"),
        (("odds", "classic", "--at", "cargo:-/5"), "is a position of cargo"),
        (("odds", "classic", "--seats", "13"), "1 to 12 can play"),
        (("odds", "pub", "--aim", "mean"), "win or chips"),
        (("odds", "classic", "--seats", "2", "--aim", "chips"), "add a stake"),
        (("odds", "pub", "--plot", "x.svg"), "one player"),
        (("odds", "pub", "--format", "rounds=3"), "A target, a limit, chips in several rounds"),
        (("odds", "race-200", "--exact"), "in its last round only"),
        (("odds", "the-300", "--exact"), "--anyway goes on all the same"),
        (("odds", "the-300", "--plot", "x.gif"), "does not end in"),
        (("advise", "classic"), "the dice come first; write the roll"),
        (("advise", "tray:d6-2.d6-3"), "no choice is best"),
        (("advise", "six:1-6/3", "--to-beat", "0", "--format", "shut=wins"), "wins the round"),
        (("odds", "classic:1.5", "--at", "1.6"), "a position already"),
        (("advise", "classic:1-9/3+5", "--after", "12"), "0 to 11 can"),
        (("advise", "classic:1-9/3+5", "--to-beat", "46"), "it is 0 to 45"),
        (("advise", "classic:1-9/3+5", "--after", "1", "--format", "rounds=2"), "one round"),
        (("advise", "six[seats=2]:1;0;0;0,0;t0;1-6/3", "--after", "1"), "has all of that"),
        (("advise", "six[seats=2]:1;0;0;0,0;t0;1-6/3", "--aim", "mean"), "plays to win"),
        (("fair", "classic", "--seats", "1"), "one player; 2 to 12"),
        (("compare", "the-300(tiles=1-14,behind=14-1)"), "--anyway"),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    sentence = refused(capsys, *arguments)
    assert why in sentence
    assert sentence.count("\n") == 1


# advise


def test_advice_in_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "advise", "classic:1-9/3+5", "--aim", "shut")
    game = shutbox.find("classic")
    position = game.position_at("1-9/3+5")
    solution = solve(game, game.start(), SHUT)
    assert found["choices"][0]["choice"] == "8"
    for choice in found["choices"]:
        after = game.chosen(position, game.parse_choice(position, choice["choice"]))
        assert choice["value"] == float(solution.value(after))
        best = float(solution.value(position))
        assert choice["cost"] == pytest.approx(best - choice["value"])


def test_advice_among_others_is_that_of_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    among = as_json(capsys, "advise", "six:1-6/3", "--to-beat", "9", "--after", "1")
    match = match_of("six", ["Player 1", "Player 2", "Player 3"])
    position = match.position_at("1;0;0;0=9,0,0;t1;1-6/3")
    assert among["position"] == f"{match.name}:{match.position_id(position)}"
    assert among["aim"] == "win"
    answers = Answers(match)
    for choice in among["choices"]:
        after = match.chosen(position, match.parse_choice(position, choice["choice"]))
        assert choice["value"] == float(answers.outlook(after).shares[1])


# fair


def test_fair_tells_both_ways_with_a_shut_box(capsys: pytest.CaptureFixture[str]) -> None:
    found = as_json(capsys, "fair", "six")
    assert [each["game"] for each in found] == [
        "six[seats=2,rounds=1]",
        "six[seats=2,rounds=1,shut=wins]",
    ]
    for each, fair in zip(found, fair_rules("six"), strict=True):
        assert each["shares"] == [float(share) for share in fair.shares]
        assert sum(each["gains"]) == pytest.approx(0)
    lines = said(capsys, "fair", "six")
    assert [line for line in lines if line.endswith(":")] == [
        "Six, two players, one round:",
        "Six, two players, one round, a player who shuts the box wins:",
    ]


# The plot


@pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed: make tools"
)
def test_a_picture_of_the_scores_is_drawn(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pictures = [str(tmp_path / f"{number}.svg") for number in (1, 2)]
    for picture in pictures:
        said(capsys, "odds", "classic", "--plot", picture)
    first, second = (Path(picture).read_bytes() for picture in pictures)
    assert first == second
    assert first.startswith(b"<?xml")
    assert b"final score" in first
    nowhere = str(tmp_path / "no" / "folder.svg")
    assert "cannot be written" in refused(capsys, "odds", "six", "--plot", nowhere)
    monkeypatch.setattr(Solution, "tells_chances", False)
    assert "are not computed" in refused(capsys, "odds", "six", "--plot", pictures[0])


def test_without_matplotlib_the_plot_is_refused_before_anything_is_solved(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    sentence = refused(capsys, "odds", "the-300", "--plot", "x.svg")
    assert "pip install '.[plot]'" in sentence


# Progress


def test_progress_is_told_now_and_then(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr("shutbox.cli.output.time.monotonic", lambda: now[0])
    told = ProgressLine("Solving it")
    for done in range(101):
        told(done, 100)
        now[0] += 0.5
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "Solving it: 4 %."
    assert lines[1] == "Solving it: 8 %, about 46 s left."
    assert len(lines) == 25
    told(1, 0)  # something new has begun, and nobody knows how long it takes
    now[0] += 10
    told(5000, 0)
    assert capsys.readouterr().err == "Solving it, part 2: 5,000 positions so far.\n"


@pytest.mark.skipif(not installed(), reason="numba is not installed: make tools")
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_ctrl_c_ends_long_work_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    process = subprocess.Popen(
        command("odds", "the-300"),
        env=environment({"SHUTBOX_CACHE": str(folder)}),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    time.sleep(2.5)
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    if process.returncode == 0:
        pytest.skip("it was done before it could be interrupted")
    assert process.returncode == 130
    assert b"Traceback" not in err
    assert out == b""
    assert not list(folder.glob("odds-*"))
