"""Commands about values: their output agrees with the analysis, and what they refuse."""

import json
import shlex
import sys
import tomllib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import shutbox
from commands import as_json, printed, refused
from listing import assert_none
from shutbox.cli.output import ProgressLine
from shutbox.engine.errors import TooLarge
from shutbox.solving.solution import Solution
from shutbox.table.lookup import match_of
from terminal.pipe import ended

REFUSED: dict[str, str] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "refusals.toml").read_text(encoding="utf-8")
)["refused"]


def written(value: Any, kind: Callable[[Any], Any] = float) -> Any:
    """A value as JSON has it, its fractions as `kind`."""
    return json.loads(json.dumps(value, default=kind))


def test_json_has_the_figures_of_the_library() -> None:
    exact = as_json("odds", "six", "--aim", "shut", "--exact")
    assert exact == written(shutbox.odds("six", aim="shut").report(), str)
    pub = "six", "--seats", "3", "--format", "shut=wins,stake=1"
    match = match_of("six", 3, "shut=wins,stake=1")
    outlook, found = shutbox.odds(match), as_json("odds", *pub)
    assert found["shares"] == written(outlook.shares)
    assert found["chips"] == written(outlook.gains(match))
    assert found["aim"] == "win"
    advice = shutbox.advise("six:1-6/3", aim="beat:9")
    assert as_json("advise", "six:1-6/3", "--aim", "beat:9") == written(advice.report())
    fair = as_json("fair", "six")
    for each, one in zip(fair, shutbox.fair("six"), strict=True):
        figures = one.shares, one.gains, one.payouts
        assert [each[name] for name in ("shares", "gains", "payouts")] == written(figures)
        assert each["game"] == one.match


def test_a_player_is_named_as_in_a_match() -> None:
    players = ("--player", "computer:most", "--player", "fixed:pub")
    found = as_json("compare", "classic(tiles=1-6)", *players)
    assert {way["way"] for way in found["ways"]} == {"most", "fixed:pub"}


def test_a_round_that_takes_too_long_to_solve_is_refused_before_it_begins() -> None:
    says = "six, twelve players, one round: solving it for all seats takes about .* minutes"
    with pytest.raises(TooLarge, match=f"(?i){says}"):
        shutbox.fair("six", 12)


NO_SCORES = "Final scores are left out for so large a box; they would take as much memory again."


def test_of_a_very_large_box_the_value_is_told_and_no_scores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = as_json("odds", "six", "--aim", "shut")
    monkeypatch.setattr(Solution, "tells_chances", False)
    found = as_json("odds", "six", "--aim", "shut")
    assert (found["distribution"], found["mean"], found["throws"]) == ({}, None, None)
    for key in ("value", "openings", "shut"):
        assert found[key] == whole[key]
    lines = printed("odds", "six", "--aim", "shut").splitlines()
    assert lines[2:4] == ["Chance that it shuts the box: 7.5 %.", NO_SCORES]
    assert lines[4] == "After the next throw:"


def test_odds_from_a_position_on() -> None:
    found = as_json("odds", "classic:1.2.3")
    assert found["position"] == "classic:1.2.3"
    for at in ("1.2.3", "classic:1.2.3"):
        assert found == as_json("odds", "classic", "--at", at)


def test_what_cannot_be_answered_is_refused_in_one_sentence() -> None:
    assert_none(
        (typed, why, sentence)
        for typed, why in REFUSED.items()
        if why not in (sentence := refused(*shlex.split(typed)))
    )


# The plot


@pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed: make tools"
)
def test_a_picture_of_the_scores_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = [str(tmp_path / f"{number}.svg") for number in (1, 2)]
    for picture in pictures:
        printed("odds", "classic", "--plot", picture)
    first, second = (Path(picture).read_bytes() for picture in pictures)
    assert first == second
    assert first.startswith(b"<?xml")
    assert b"final score" in first
    nowhere = str(tmp_path / "no" / "folder.svg")
    assert "cannot be written" in refused("odds", "six", "--plot", nowhere)
    monkeypatch.setattr(Solution, "tells_chances", False)
    assert "are not computed" in refused("odds", "six", "--plot", pictures[0])


def test_without_matplotlib_the_plot_is_refused_before_anything_is_solved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    sentence = refused("odds", "the-300", "--plot", "x.svg")
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
    assert capsys.readouterr().err == "Solving it: 5,000 positions so far.\n"


INTERRUPTED = """
import os, signal, sys
from shutbox.cli.main import main
from shutbox.cli.output import ProgressLine
ProgressLine.__call__ = lambda line, done, total: os.kill(os.getpid(), signal.SIGINT)
sys.exit(main())
"""
"""A program in which Ctrl-C is pressed as soon as long work tells how far it is."""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_ctrl_c_ends_long_work_and_leaves_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "cache"
    program = [sys.executable, "-c", INTERRUPTED, "odds", "full-house", "--exact"]
    done = ended(program, b"", {"SHUTBOX_CACHE": str(folder)})
    assert (done.code, done.out) == (130, b"")
    assert b"Traceback" not in done.err
    assert not list(folder.glob("odds-*"))
