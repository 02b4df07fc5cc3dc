"""`shutbox equity`: its output equals the solved match, standing by standing."""

import csv
import io
import json
import random
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from shutbox import Choose, Over
from shutbox.cli.main import main
from shutbox.lookup import find_any, match_of
from shutbox.match import Match, Standing, Turn
from shutbox.seats import unnamed

pytest.importorskip("numpy", reason="NumPy is not installed: make extras")

from shutbox.analysis.equity.match_value import Equity

RACE = "covered(tiles=1-3,dice=1d4)[seats=2,target=12,end=stop]"
KNOCKOUT = "six[seats=2,limit=12,order=winner]"
ROUNDS = "six[seats=2,rounds=3]"
BOTH = "six[seats=2,rounds=2,limit=40,shut=wins]"
UNTIL = "six[seats=2,until=shut]"
MATCHES = (RACE, KNOCKOUT, ROUNDS, BOTH, UNTIL)


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(("equity", *arguments)) == 0
    return capsys.readouterr().out


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(("equity", *arguments)) == 1
    captured = capsys.readouterr()
    assert ("error" in captured.out) == ("--json" in arguments) == (captured.out != "")
    # On a slow machine, a line tells how far the work has got.
    return "".join(re.findall("(?m)^shutbox: .*\n", captured.err))


def solved(name: str) -> Equity:
    match = find_any(name)
    assert isinstance(match, Match)
    return Equity(match)


def turns(match: Match[Any, Any], plays: int) -> Iterator[Standing[Any]]:
    """Where turns begin in some plays of a match, every choice and every roll at random."""
    cup = random.Random(match.name)
    for _ in range(plays):
        here = match.settled(match.start()).position
        while not isinstance(awaited := match.awaits(here), Over):
            here = match.settled(here).position
            if isinstance(here.doing, Turn) and here.doing.at == match.game.start():
                yield here
            if isinstance(awaited, Choose):
                here = match.chosen(here, cup.choice(awaited.choices))
            else:
                rolls = [roll for roll, weight in awaited.dice.outcomes() for _ in range(weight)]
                here = match.rolled(here, cup.choice(rolls))


def line_of(rows: list[dict[str, str]], here: Standing[Any]) -> dict[str, str]:
    """The line about a standing, by what the players have."""
    assert isinstance(here.doing, Turn)
    my, other = here.tallies[here.doing.seat], here.tallies[1 - here.doing.seat]
    theirs, second = other.total + (other.score or 0), other.score is not None
    wanted = {
        "round": str(here.round),
        "second": str(int(second)),
        "score": str(other.score),
        "shut": str(int(other.shut)),
        "mine": str(my.total),
        "theirs": str(theirs),
        "difference": str(my.total - theirs),
    }
    # What does not matter is empty, and a shut box that does not matter is none.
    found = [
        row
        for row in rows
        if all(row[column] in ("", text) for column, text in wanted.items() if column != "shut")
        and row["shut"] in ("0", wanted["shut"])
    ]
    return max(found, key=lambda row: row["shut"])


@pytest.mark.parametrize("name", [KNOCKOUT, ROUNDS, BOTH, UNTIL])
def test_the_csv_has_every_standing_with_its_share(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    equity = solved(name)
    rows = list(csv.DictReader(io.StringIO(said(capsys, name, "--csv"))))
    standings = equity.standings
    assert len(rows) == sum(map(standings.count, standings.states))
    places = list(dict.fromkeys(turns(equity.match, 20)))
    assert len(places) >= 5
    for here in places:
        assert isinstance(here.doing, Turn)
        share = equity.share(here, here.doing.seat)
        assert float(line_of(rows, here)["share"]) == pytest.approx(share, abs=1e-12), here


@pytest.mark.parametrize("name", MATCHES)
def test_the_csv_reads_back_as_the_tables(capsys: pytest.CaptureFixture[str], name: str) -> None:
    rows = csv.DictReader(io.StringIO(said(capsys, name, "--csv")))
    read = [float(row["share"]) for row in rows]
    assert read == [share for t in solved(name).every_table() for row in t.shares for share in row]


def shares_of(rows: str) -> list[float]:
    return [float(row["share"]) for row in csv.DictReader(io.StringIO(rows))]


def test_the_csv_has_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for more, asked in (
        (("--round", "2"), {"round": 2}),
        (("--second",), {"second": True}),
        (("--round", "1", "--second"), {"round": 1, "second": True}),
    ):
        tables = solved(BOTH).tables(**asked)
        wanted = [share for t in tables for row in t.shares for share in row]
        assert shares_of(said(capsys, BOTH, "--csv", *more)) == wanted
    scored = said(capsys, KNOCKOUT, "--csv", "--second", "--score", "4")
    rows = list(csv.DictReader(io.StringIO(scored)))
    assert {(row["second"], row["score"]) for row in rows} == {("1", "4")}
    stepped = list(csv.DictReader(io.StringIO(said(capsys, RACE, "--csv", "--step", "5"))))
    assert [(row["mine"], row["theirs"]) for row in stepped] == [
        (mine, theirs) for mine in ("0", "5", "10") for theirs in ("0", "5", "10")
    ]
    table = solved(RACE).table()
    assert [float(row["share"]) for row in stepped] == table[::5, ::5].ravel().tolist()


def test_the_json_has_every_round_of_both_totals(capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(said(capsys, BOTH, "--json"))["tables"]
    assert [table["round"] for table in found] == [1, 2]
    [first] = json.loads(said(capsys, BOTH, "--json", "--round", "1"))["tables"]
    assert first == found[0]
    assert "Round 2 of 2." in said(capsys, BOTH)


def test_the_json_has_the_shares_of_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    found: dict[str, Any] = json.loads(said(capsys, RACE, "--json"))
    equity = solved(RACE)
    assert (found["game"], found["unit"]) == (equity.match.name, "share")
    [table] = found["tables"]
    assert (table["mine"], table["theirs"]) == (list(range(12)), list(range(12)))
    assert table["shares"] == equity.table().tolist()
    rounds = json.loads(said(capsys, ROUNDS, "--json"))["tables"]
    assert [table["round"] for table in rounds] == [1, 2, 3]
    last = solved(ROUNDS).table(3).tolist()
    middle = len(last) // 2
    for apart, [share] in zip(rounds[2]["mine"], rounds[2]["shares"], strict=True):
        assert share == last[middle + apart]


def test_a_table_gets_better_with_the_total(capsys: pytest.CaptureFixture[str]) -> None:
    for name, more in ((RACE, 1), (ROUNDS, -1)):
        table = solved(name).tables()[-1]
        for one, other in zip(table.shares, table.shares[1:], strict=False):
            gains = [more * (b - a) for a, b in zip(one, other, strict=True)]
            assert min(gains) >= -1e-12


def is_head(line: str) -> bool:
    return line.startswith(" ") and "." not in line


def numbers(text: str) -> tuple[list[int], dict[int, list[float]]]:
    """The grid of a table: its columns, and its rows."""
    lines = text.splitlines()
    head = next(n for n, line in enumerate(lines) if is_head(line))
    columns = [int(word) for word in lines[head].split()]
    rows = (line.split() for line in lines[head + 1 :] if not line.strip("- 0123456789."))
    return columns, {int(row): [float(share) for share in shares] for row, *shares in rows}


def test_the_text_shows_the_shares_in_steps(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ((), ("--step", "3")):
        text = said(capsys, RACE, *more)
        columns, rows = numbers(text)
        assert max(map(len, text.splitlines()[3:])) <= 80
        step = 3 if more else 1
        assert columns == list(rows) == list(range(0, 12, step))
        table = solved(RACE).table()
        for mine, shares in rows.items():
            for theirs, share in zip(columns, shares, strict=True):
                assert share == pytest.approx(100 * table[mine, theirs], abs=0.05)


def test_a_fine_step_is_shown_part_by_part(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "six[seats=2,limit=30]", "--step", "1")
    assert max(map(len, text.splitlines()[3:])) <= 80
    heads = [line.split() for line in text.splitlines() if is_head(line)]
    assert [int(word) for head in heads for word in head] == list(range(30))


def test_rounds_stand_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    columns, rows = numbers(said(capsys, ROUNDS, "--step", "5"))
    assert columns == [1, 2, 3]
    last = solved(ROUNDS).table(3)
    assert rows[5][-1] == pytest.approx(100 * last[len(last) // 2 + 5], abs=0.05)
    assert len(rows[0]) == 3  # the first round begins with equal totals only
    alone, _ = numbers(said(capsys, ROUNDS, "--round", "2"))
    assert alone == [2]
    many, _ = numbers(said(capsys, "lucky-seven[seats=2,rounds=30]"))
    assert many[-1] == 30
    assert len(many) <= 12


def test_the_second_turn_is_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert "It is the second turn of a round" in said(capsys, ROUNDS, "--second")
    columns, rows = numbers(said(capsys, KNOCKOUT, "--second", "--score", "4", "--step", "4"))
    here = find_any(KNOCKOUT).position_at("2;0;0;4=4,8;t1;1-6")
    assert rows[8][columns.index(8)] == pytest.approx(
        100 * solved(KNOCKOUT).share(here, 1), abs=0.05
    )
    assert [table.shut for table in solved(UNTIL).every_table()] == [False, True, False]
    assert solved(UNTIL).tables(second=True, shut=True)[0].shut
    shut = said(capsys, UNTIL, "--second", "--shut")
    assert shut != said(capsys, UNTIL, "--second")
    assert "Totals do not matter: " in shut


def test_the_format_is_given_with_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert said(capsys, "six", "--format", "rounds=3") == said(capsys, ROUNDS)
    assert match_of("six", unnamed(2), "rounds=3").name == ROUNDS


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("six",), "add how it is played by two"),
        (("nothing",), "there is no game"),
        (("race-200[seats=3]",), "two players, not three"),
        (("pub",), "without chips"),
        (("covered[seats=2,target=20000]",), "--anyway goes on all the same"),
        ((RACE, "--round", "1"), "all rounds"),
        ((ROUNDS, "--round", "4"), "no round 4; 1 to 3"),
        ((ROUNDS, "--score", "4"), "add --second"),
        ((ROUNDS, "--second", "--score", "4"), "in the total only"),
        ((KNOCKOUT, "--second", "--shut"), "in the total only"),
        ((RACE, "--second", "--score", "4"), "are alike"),
        ((KNOCKOUT, "--second"), "add --score"),
        ((KNOCKOUT, "--second", "--score", "22"), "ends with 22"),
        ((RACE, "--step", "0"), "not 1 or more"),
        ((RACE, "--csv", "--json"), "not both"),
        ((RACE, "--plot", "x.gif"), "does not end in"),
    ],
)
def test_what_has_no_table_is_refused_in_one_sentence(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], why: str
) -> None:
    sentence = refused(capsys, *arguments)
    assert why in sentence
    assert sentence.count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed: make extras"
)
@pytest.mark.parametrize("name", [RACE, ROUNDS])
def test_a_picture_is_drawn(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    pictures = [tmp_path / f"{number}.svg" for number in (1, 2)]
    for picture in pictures:
        said(capsys, name, "--plot", str(picture))
    first, second = (picture.read_bytes() for picture in pictures)
    assert first == second
    assert b"share of the win in %" in first
    assert "there is nothing to draw" in refused(capsys, UNTIL, "--plot", str(tmp_path / "3.svg"))


@pytest.mark.slow
@pytest.mark.skipif(
    find_spec("matplotlib") is None, reason="matplotlib is not installed: make extras"
)
def test_the_picture_of_both_totals_is_of_the_round_that_is_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def drawn(*asked: str) -> bytes:
        said(capsys, BOTH, *asked, "--plot", str(tmp_path / "map.svg"))
        return (tmp_path / "map.svg").read_bytes()

    assert drawn() == drawn("--round", "2") != drawn("--round", "1")
