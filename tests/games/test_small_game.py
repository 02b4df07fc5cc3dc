"""A game made from a dataclass of small numbers: the package to copy, and games that are refused.

The best score is computed here from the rules alone.
"""

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import ClassVar

import pytest
from acme_brains import small_game
from acme_brains.game import BRAINS, Brains, Careful, Here
from acme_brains.small_game import SmallGame

import shutbox
from shutbox import Roll, Table, Throw
from shutbox.engine.cups import ScriptCup
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.games.traits import traits_of
from shutbox.term import Console, Session
from shutbox.testing import check
from shutbox.web.rooms.table_view import table_view


@cache
def best(brains: int, shots: int, left: int) -> Fraction:
    """The expected score before a throw."""
    found = Fraction(0)
    for dice in product(range(1, 7), repeat=3):
        won, hit = brains + sum(pip > 4 for pip in dice), shots + sum(pip < 3 for pip in dice)
        if hit < 3:
            found += max(Fraction(won), best(won, hit, left - 1) if left > 1 else Fraction(0))
    return found / 6**3


def test_the_game_to_copy_keeps_the_protocol_and_is_solved() -> None:
    assert check(BRAINS, plays=12) > 20
    assert shutbox.solve(BRAINS).value() == best(0, 0, 5)
    assert check(shutbox.find(BRAINS, 2), plays=9) > 40


def test_facts_come_from_all_positions() -> None:
    assert (BRAINS.longest, BRAINS.scoring.best, BRAINS.scoring.worst) == (9, 15, 0)
    traits = traits_of(BRAINS)
    assert (traits.most_choices, traits.most_rolls) == (2, 56)
    assert traits.cost is not None
    solution = shutbox.solve(BRAINS)
    throws = [here for here in solution.positions() if isinstance(BRAINS.awaits(here), Throw)]
    assert traits.cost(BRAINS.first).positions == traits.most_positions == len(throws)
    assert traits.encoding is not None
    encoding = traits.encoding()
    for here in solution.positions():
        numbers = encoding.of_position(here)
        assert all(f.least <= n <= f.most for f, n in zip(encoding.position, numbers, strict=True))


def test_what_is_no_position_and_no_choice_is_refused() -> None:
    for text in ("", "0", "1.2.3", "0.0.5.2", "16.0.0.0", "0.0.05.1", "9" * 5000):
        with pytest.raises(NotUnderstood, match=re.escape("is not a position of acme.brains")):
            BRAINS.position_at(text)
    here = Here(2, 1, 4, throws=False)
    assert BRAINS.parse_choice(here, " S") == "stop"  # a beginning is enough
    for text in ("", "x", "stopp"):
        with pytest.raises(NotUnderstood):
            BRAINS.parse_choice(here, text)
    with pytest.raises(ShutboxError):
        BRAINS.parse_choice(BRAINS.first, "stop")


def test_a_terminal_and_a_page_answer_what_the_dice_show(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table = Table(BRAINS, ScriptCup(["2+3+6"]))
    answers = iter(["d", "stop"])
    monkeypatch.setattr(Console, "ask", lambda *_, **__: next(answers))
    Session(table, Console(plain=True)).run()
    assert capsys.readouterr().out.splitlines() == [
        "Brains.",
        "Brains: 0. Shots: 0. Throws left: 5.",
        "You threw 2, 3 and 6.",
        "Brains: 1. Shots: 1. Throws left: 4.",
        "Threw 2, 3 and 6.",
        "The brains are kept.",
        "Brains: 1. Shots: 1. Throws left: 0.",
        "Score 1.",
    ]
    assert table_view(table, 1, ()).dice == "Threw 2, 3 and 6."


@pytest.mark.usefixtures("empty")  # what is registered is forgotten
def test_the_player_plays_alone_and_in_a_match() -> None:
    shutbox.register(BRAINS)
    shutbox.register("acme.careful", Careful)
    assert 0 < shutbox.evaluate("acme.brains", "acme.careful:1").value < best(0, 0, 5)
    over = shutbox.play_out("acme.brains[seats=2,rounds=3]", "acme.careful", 7)
    assert len(over.scores) == 2


@dataclass(frozen=True)
class Count:
    number: int = 0
    fell: bool = False


class Endless(SmallGame[Count]):
    name, title, ask = "acme.endless", "Endless", "More?"
    rules = ("Throw a coin for ever.",)
    choices: ClassVar = {"more": "More."}
    first = Count()

    def due(self, here: Count) -> small_game.Due:
        return 9 if here.number == 9 else ["more"] if here.fell else "1d2"

    def after(self, here: Count, event: Roll | str) -> Count:
        if isinstance(event, str):
            return Count(here.number)
        return Count(here.number + (event.total - 1), fell=True)

    def shows(self, here: Count) -> str:
        return f"{here.number}."


def test_a_game_that_comes_back_or_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TooLarge, match="can come back"):
        Endless()
    monkeypatch.setattr(small_game, "MOST_POSITIONS", 100)
    with pytest.raises(TooLarge, match="too many positions"):
        Brains()
