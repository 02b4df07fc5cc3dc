"""Losses of players in a two-player match, compared with the match itself played out.

In the reference, the player chooses at every position, and the opponent plays perfectly.
"""

import re
from pathlib import Path
from typing import Any

import pytest

from shutbox import Choose, equity
from shutbox.analysis.strategy.fixed import STRATEGIES
from shutbox.lookup import match_of
from shutbox.match import Match
from shutbox.match.standing import Turn
from truth import Everybody

pytest.importorskip("numpy", reason="NumPy is not installed: make extras")

from shutbox.analysis.strategy.match_strength import match_strength

pytestmark = pytest.mark.slow
PAGE = Path(__file__).parents[1] / "docs" / "strength.md"
NEAR = 1e-11
LOW = "classic(tiles=1-3,dice=2d2)"
HIGH = "covered(tiles=1-3,dice=1d4,fewer=never)"
MATCHES = (
    *((LOW, format) for format in ("rounds=1", "rounds=2", "rounds=2,shut=wins")),
    *((LOW, format) for format in ("rounds=2,order=winner", "rounds=2,until=shut")),
    *((LOW, format) for format in ("rounds=2,limit=5", "rounds=2,limit=5,end=stop")),
    *((HIGH, format) for format in ("target=7", "target=7,end=stop", "rounds=2,target=7")),
    (HIGH, "target=7,order=rotate,end=stop"),
)


def last(game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
    """A player of one's own."""
    return choices[-1]


class Against(Everybody):
    """A match in which one seat takes the last choice, and the other one answers it best."""

    def __init__(self, match: Match[Any, Any], seat: int) -> None:
        super().__init__(match)
        self.seat = seat

    def best(self, position: Any) -> Any:
        awaited = self.match.awaits(position)
        assert isinstance(awaited, Choose)
        if awaited.seat != self.seat:
            return super().best(position)
        here = self.match.settled(position).position
        assert isinstance(here.doing, Turn)
        return last(self.match.game, here.doing.at, awaited.choices)


@pytest.mark.parametrize(("game", "format"), MATCHES)
def test_a_player_is_worth_what_playing_it_out_comes_to(game: str, format: str) -> None:
    match = match_of(game, ["Ann", "Bob"], format)
    found = match_strength(equity(match), last)
    begins, second = (float(Against(match, seat).hopes()[0][seat]) for seat in (0, 1))
    assert (found.begins, found.second) == pytest.approx((begins, second), abs=NEAR)
    assert found.loss == pytest.approx(0.5 - (begins + second) / 2, abs=NEAR)
    assert found.loss > 0.01


@pytest.mark.parametrize(
    "name", ["lucky-seven[seats=2,limit=14]", "lucky-seven[seats=2,until=shut,order=winner]"]
)
def test_where_nothing_is_to_choose_nothing_is_lost(name: str) -> None:
    solved = equity(name)
    found = match_strength(solved, "perfect")
    assert (found.begins, found.second) == pytest.approx(
        (solved.share(), solved.share(seat=1)), abs=NEAR
    )


def test_standings_that_lead_back_are_worth_what_many_steps_come_to() -> None:
    # A limit that two turns cannot pass alone is met by the same turns with rounds enough.
    loops = match_strength(equity(f"{LOW}[seats=2,limit=4]"), last)
    counted = match_strength(equity(f"{LOW}[seats=2,limit=4,rounds=60]"), last)
    assert (loops.begins, loops.second) == pytest.approx((counted.begins, counted.second), abs=1e-9)


def test_the_losses_in_the_docs_are_so() -> None:
    page = PAGE.read_text(encoding="utf-8").partition("## In a match of two")[2].partition("##")[0]
    head, *rows = re.findall(r"^\| (.*) \|$", page, re.MULTILINE)
    names = re.findall("`(.*?)`", head)
    solved = [equity(name) for name in names]
    assert {row.split("`")[1] for row in rows} == {"perfect", "sheet", "random", *STRATEGIES} - {
        "first"
    }
    for row in rows:
        player, *told = row.replace("`", "").split(" | ")
        found = [match_strength(one, player).loss for one in solved]
        assert told == [f"{100 * loss:.2f}" for loss in found], player
