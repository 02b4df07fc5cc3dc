"""Phrases of `data/phrases.toml`: the same result on the first screen, at a question, as an option.

The first lines of that file explain its keys.
"""

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from listing import assert_none
from shutbox import ShutboxError
from shutbox.engine.errors import BadName
from shutbox.table.bots import read_players
from shutbox.table.terms import Terms, terms_typed
from shutbox.term import Console, GoesBack, Stopped
from shutbox.term.menu import first_screen
from shutbox.term.seating import ask_players

MEANINGS: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "phrases.toml").read_text(encoding="utf-8")
)["meaning"]
PHRASES = [
    (says, meaning)
    for meaning in MEANINGS
    for says in (*meaning["says"], *meaning.get("outside", ()))
]
NOBODY = "Zed, Zoe=computer:abacus"
"""The players that nobody names."""
NOT_UNDERSTOOD = " is not understood."


class Scripted(Console):
    """A console at which these answers are typed."""

    def __init__(self, *answers: str) -> None:
        super().__init__(plain=True)
        self.answers: Iterator[str] = iter(answers)
        self.said: list[str] = []

    def ask(self, prompt: str, at_once: Any = None) -> str:
        return next(self.answers, "end")

    def say(self, *lines: str, aloud: bool = True) -> None:
        self.said += lines

    @property
    def unread(self) -> list[str]:
        """The parts that were not understood, as they were quoted."""
        return [one.removesuffix(NOT_UNDERSTOOD) for one in self.said if NOT_UNDERSTOOD in one]


Read = tuple[Terms, list[str]]


def at_the_first_screen(says: str) -> Read:
    console = Scripted(says)
    with suppress(Stopped):
        picked = first_screen(console)
        return picked.terms or Terms(game=picked.name), console.unread
    return Terms(), console.unread


def at_a_question(says: str) -> Read:
    console = Scripted(says)
    try:
        found = ask_players(console, Terms(), NOBODY)
    except GoesBack:
        return Terms(), console.unread
    nobody = found.seats in (read_players(NOBODY), read_players(NOBODY)[:1])
    return (replace(found, seats=()) if nobody else found), console.unread


def as_an_option(says: str) -> Read:
    try:
        return terms_typed(None, says, "")[0], []
    except ShutboxError as error:  # the same, but it ends the program, at the first of them
        first = str(error).removeprefix("--players: ").partition(NOT_UNDERSTOOD[:-1])[0]
        terms, unread = at_a_question(says)
        return terms, unread if first in unread[:1] else [first]


PLACES = (at_the_first_screen, at_a_question, as_an_option)


def meant(meaning: dict[str, Any]) -> tuple[Any, ...]:
    players = read_players(meaning["players"]) if meaning.get("players") else ()
    atoms = dict(part.split("=") for part in meaning.get("format", "").split(",") if part)
    terms = Terms(players, meaning.get("game", ""), atoms, meaning.get("by_hand", False))
    return (*result(terms), [repr(part) for part in meaning.get("unread", ())])


def result(terms: Terms) -> tuple[Any, ...]:
    """The seats, the game that is played (by two, if nobody is named), and whose dice."""
    for seats in (terms.seats or read_players(NOBODY), read_players("Zed")):
        with suppress(ShutboxError):  # the dice tray is played alone
            return terms.seats, replace(terms, seats=seats).playable().name, terms.by_hand
    raise AssertionError(terms)


def test_a_phrase_means_the_same_in_all_three_places() -> None:
    assert_none(
        (says, place.__name__, *result(terms), unread)
        for says, meaning in PHRASES
        for place in PLACES
        for terms, unread in [place(says)]
        if (*result(terms), unread) != meant(meaning)
    )
    assert len(PHRASES) >= 200


@pytest.mark.parametrize(
    "says", ["13", "100", "999999", "knockout 100", "me and 99 computers", "1000 of us, 2 chips"]
)
def test_too_many_players_are_refused_before_anything_is_made(says: str) -> None:
    with pytest.raises(BadName, match="a game has 1 to 12 players"):
        terms_typed(None, says, "")
    console = Scripted(says, "Ann, Bob")
    assert [seat.name for seat in ask_players(console, Terms(), "Ann", "?").seats] == ["Ann", "Bob"]
    assert console.said == ["A game has 1 to 12 players."]
