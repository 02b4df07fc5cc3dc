"""Phrases of `data/phrases.toml`: the same result on the first screen, at a question, as an option.

The first lines of that file explain its keys.
"""

import tomllib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import pytest

from listing import assert_none
from shutbox import ShutboxError
from shutbox.engine import messages
from shutbox.table.characters import read_players
from shutbox.table.setup import Terms
from shutbox.table.terms import read_terms, read_typed_terms
from shutbox.term import Console, GoesBack, Stopped
from shutbox.term.menu import first_screen
from shutbox.term.seating import ask_players

DATA = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "phrases.toml").read_text(encoding="utf-8")
)
MEANINGS: list[dict[str, Any]] = DATA["meaning"]
OF_LANGUAGES: dict[str, dict[str, str]] = DATA["languages"]
"""Phrases in other languages, with the English ones that mean the same."""
ALL_PHRASES = [
    (says, meaning)
    for meaning in MEANINGS
    for says in (*meaning["says"], *meaning.get("outside", ()))
]
OF_THE_READER = [(says, one) for says, one in ALL_PHRASES if {"before", "refused"} & one.keys()]
PHRASES = [pair for pair in ALL_PHRASES if pair not in OF_THE_READER]
NOBODY = "Zed, Zoe=computer:abacus"  # the players that nobody names
NOT_UNDERSTOOD = " is not understood."


class Scripted(Console):
    """A console at which these answers are typed."""

    def __init__(self, *answers: str) -> None:
        super().__init__(plain=True)
        self.answers: Iterator[str] = iter(answers)
        self.said: list[str] = []

    def ask(self, prompt: str, at_once: Any = None, *, anew: bool = False) -> str:
        return next(self.answers, "end")

    def say(self, *lines: str, aloud: bool = True, own: bool | None = None) -> None:
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
        return picked.terms or Terms(game=picked.game), console.unread
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
        return read_typed_terms(None, says, "")[0], []
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
            return terms.seats, replace(terms, seats=seats).find_game().name, terms.by_hand
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


def test_what_is_known_changes_only_as_a_phrase_says_and_what_cannot_be_is_refused() -> None:
    assert_none(
        (says, found)
        for says, meaning in OF_THE_READER
        if (found := as_read(says, meaning.get("before"))) != meaning.get("refused", meant(meaning))
    )


def as_read(says: str, before: str | None) -> object:
    """Return what a phrase means once these players are known, or the sentence that refuses it."""
    try:
        terms = read_terms(says, Terms(read_players(before)) if before else None)
    except ShutboxError as error:
        return str(error)
    return (*result(terms), [*map(repr, terms.unread)])


PIECES: dict[str, Any] = DATA["pieces"]
NAMES, JUNK = tuple(PIECES["names"]), (*PIECES["junk"], "9" * 400)
TERMS = {says: tuple(atom.split("=")) for says, atom in PIECES["terms"].items()}
GAPS = (", ", ",", "; ", " and ", " & ", " vs ", " with ", ": ", " at ", ",,")


def made_up(chance: Random) -> tuple[str, list[str], list[str]]:
    """Return an answer, its pieces, and the gaps between them."""
    kinds = chance.choices(
        (NAMES, tuple(TERMS), JUNK, ("me", "two computers", "Nell", "cargo")),
        (5, 4, 1, 1),
        k=chance.randint(1, 6),
    )
    pieces = [chance.choice(kind) for kind in kinds]
    gaps = chance.choices(GAPS, (9, 3, 1, 6, 1, 2, 1, 1, 1, 0.2), k=len(pieces) - 1)
    opening = chance.choices(("", "and ", "play ", "without "), (9, 1, 1, 1))[0]
    return opening + "".join(chain(*zip_longest(pieces, gaps, fillvalue=""))), pieces, gaps


def wrongs(text: str, pieces: list[str], gaps: list[str], before: Terms) -> Iterator[str]:
    """Yield each of the four rules of the reader that an answer breaks."""
    try:
        terms = read_terms(text, before)
    except ShutboxError:
        return
    except Exception as error:
        yield f"traceback: {error!r}"
        return
    unread = terms.unread
    if not all(part in text for part in terms.unread):
        yield f"quoted otherwise than typed: {terms.unread}"
    people = [seat.name for seat in terms.seats if not seat.computer]
    known = {seat.name for seat in before.seats}
    # Where there are only commas, a name is a name.
    listed = {*gaps} <= {", ", ",", "; "} and (gaps or text.startswith("and "))
    for name in people:
        if name not in (*NAMES, *known, "Player", "Player 1", "Player 2") and not listed:
            yield f"seated by accident: {name}"
    removed = known - {seat.name for seat in terms.seats}
    if removed and not text.startswith("without ") and (terms.unread or len(terms.seats) < 2):
        yield f"removed by accident: {removed}"
    for piece in pieces:
        quoted = any(piece in part for part in unread)
        if piece in NAMES and piece not in people and not quoted:
            yield f"lost: {piece}"
        if piece in TERMS and piece not in people and not quoted:
            key, value = TERMS[piece]
            if terms.atoms.get(key) != value:
                yield f"dropped: {piece}"


def test_nobody_is_seated_or_lost_by_accident_and_nothing_is_dropped_in_silence() -> None:
    chance, known = Random(38), Terms(read_players("Rosie, Cleo, computer:pip"))
    answers = [made_up(chance) for _ in range(2000)]
    assert_none(
        (repr(text), wrong)
        for text, pieces, gaps in answers
        for before in (Terms(), known)
        for wrong in wrongs(text, pieces, gaps, before)
    )
    for text, _, _ in answers[::40]:
        for place in PLACES:
            place(text)


@pytest.mark.parametrize("language", OF_LANGUAGES)
def test_a_phrase_in_the_language_of_the_game_means_what_the_english_one_means(
    language: str,
) -> None:
    said = {own: as_read(english, None) for own, english in OF_LANGUAGES[language].items()}
    messages.use(language)
    try:
        read = {own: as_read(own, None) for own in said}
        known = Terms(read_players("Ann, Bob, Zoe"))
        for words in {"de": ("ohne Bob", "und Ali"), "fr": ("sans Bob", "et Ali")}[language]:
            read_terms(words, known)
    finally:
        messages.use("en")
    assert_none((own, read[own], said[own]) for own in said if read[own] != said[own])


def test_a_sign_that_only_looks_like_a_number_is_no_seat_that_begins() -> None:
    terms, _ = read_typed_terms(None, "Ann, Bob, begins=²", "3 rounds")
    assert (terms.atoms["rounds"], terms.atoms["begins"]) == ("3", "²")


def test_the_name_of_the_unnamed_can_be_typed_beside_me() -> None:
    assert [seat.name for seat in read_terms("me, Player").seats] == ["Player 1", "Player"]
