"""The reader of wishes such as "me and two computers, 3 rounds, 2 chips, highest throw begins".

No other module reads players, games and the terms of a match in people's own words. `phrase` says
what each part of a text says, and here the parts become terms. A part that is not understood, or
contradicts another, is returned as typed, and nothing in it counts.
"""

import re
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Literal, TypeAlias

from shutbox.engine.english import shown
from shutbox.engine.errors import BadFormat, BadName, NotUnderstood
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.names import are_alike, default_names
from shutbox.engine.seats import COMPUTER, MOST_SEATS, Seat
from shutbox.engine.typed_text import in_ascii, split_options
from shutbox.match import Match
from shutbox.match.format import ATOMS
from shutbox.table.characters import RIVAL, read_players
from shutbox.table.lookup import find_any
from shutbox.table.phrase import (
    Item,
    PhrasePart,
    means_computers,
    means_me,
    names_removed,
    read_phrase,
)
from shutbox.table.setup import UNNAMED, Terms

LONGEST = 400  # characters of a text that is read
_ENDS = {"to", *(key for key, atom in ATOMS.items() if atom.ends)}  # keys that end a match
_OF_SEATS = {"name", "bot", "seat", "beginner"}  # keys that can be said twice

PlayersChange: TypeAlias = Literal["none", "add", "replace"]
"""What a text does to known players: nothing (parts with players are not understood), adding the
players that it names, or replacing all."""


def read_terms(text: str, before: Terms | None = None) -> Terms:
    """Return the terms of a text. What it does not say stays as in `before`.

    >>> read = read_terms("me and two computers, 3 rounds, 2 chips, highest throw begins")
    >>> print(*read.seats, read.format)
    Player Computer 1=computer:fewest Computer 2=computer:fewest rounds=3,stake=2,begins=high-roll
    >>> read_terms("Dave vs Hobbs, every 3 rules").unread
    ('every 3 rules',)

    The players of `before` change only by `and X`, `without X` or a new list with a comma. Raises
    what `read_players` and `find` raise for invalid names and games.
    """
    before = replace(before or Terms(), unread=())
    if not text.strip():
        raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
    if len(text) > LONGEST:
        return replace(before, unread=(text,))
    text = text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    parts = read_phrase(text, goes_on=bool(before.seats))
    change = _change_of(parts, before.seats)
    terms = _apply(parts, before, change)
    if before.seats and terms.unread and change == "replace":
        # Known players are replaced only by a text that is understood as a whole.
        return _apply(parts, before, "none")
    return terms


def read_typed_terms(game: str | None, players: str | None, format: str) -> tuple[Terms, bool]:
    """Return the terms of a command line, and whether any of them is in words, not in notation.

    Raises what `read_terms` raises, NotUnderstood for words that are not understood or contradict
    what stands before them, and BadFormat for notation that does; `game` is not checked.
    """
    terms, in_words = Terms(game=game or ""), False
    if players is not None:
        terms, in_words = _read_after(terms, players, "--players", "Ann, 2 computers"), True
        with suppress(BadName):
            in_words = terms != Terms(read_players(players), terms.game)
    if not all("=" in part for part in filter(str.strip, in_ascii(format).split(","))):
        return _read_after(terms, format, "--format", "3 rounds, 2 chips"), True
    atoms, problems = split_options(format)
    twice = (key for key, value in atoms.items() if terms.atoms.get(key, value) != value)
    problems += [gettext("{key} is given twice", key=key) for key in twice]
    if problems:
        raise BadFormat("format", tuple(problems))
    return replace(terms, atoms={**terms.atoms, **atoms}), in_words


def _read_after(before: Terms, text: str, option: str, example: str) -> Terms:
    """Return the terms of an option. Raises NotUnderstood, with an example of what can be read."""
    new = read_terms(text, before)
    says = gettext_noop("{option}: {text} contradicts what is given before it")
    if new.unread:
        says = gettext_noop("{option}: {text} is not understood; type words such as {example}")
    agrees = before.game in ("", new.game) and before.seats in ((), new.seats)
    if new.unread or not (agrees and new.atoms.items() >= before.atoms.items()):
        text = shown((*new.unread, text)[0])
        raise NotUnderstood(says, option=option, text=text, example=example)
    return new


def _change_of(parts: list[PhrasePart], seats: tuple[Seat, ...]) -> PlayersChange:
    """Return how a phrase changes the players with `seats`, if all of it can be read."""
    lists = [part for part in parts if part.players]
    if seats and lists and lists[0].opens == "adds":
        return "add"
    if seats:
        return "replace" if len(lists) > 1 else "none"
    # A single name beside what is not understood is as likely a word for something else.
    is_name = [item.key for part in lists for item in part.players] == ["name"]
    is_doubtful = any("beginner" in part.keys or not part.items for part in parts)
    return "none" if is_name and is_doubtful else "replace"


def _apply(parts: list[PhrasePart], before: Terms, change: PlayersChange) -> Terms:
    """Return the terms of `before` as the parts change them."""
    seats, accepted, unread = before.seats, list[PhrasePart](), list[str]()
    # What is said by the keys that can be said once; who is there already cannot be added.
    said = {"me": ""} if change == "add" and _mine(seats) else dict[str, str]()
    for part in parts:
        if part.items is None and (left := _without(seats, part.text)):
            seats = left
        elif (more := _said_with(part, said, parts, change)) is not None:
            said = more
            accepted.append(part)
        else:
            unread.append(part.text)
    if lists := [part for part in accepted if part.players]:
        seats = _seated(lists, seats, change)
    for part in accepted:
        for name in (value for key, value in part.items or () if key == "beginner"):
            place = next(map(str, _places(seats, name)), "")
            if not place or said.setdefault("begins", place) != place:
                unread.append(part.text)
    return replace(_merged(before, seats, said), unread=tuple(unread))


def _said_with(
    part: PhrasePart, said: dict[str, str], parts: list[PhrasePart], change: PlayersChange
) -> dict[str, str] | None:
    """Return what is said with this part, too; None if it contradicts others or is not understood.

    Raises NotUnderstood for a number that its atom does not allow.
    """
    is_closed = change == "none" or "beginner" in part.keys
    if part.items is None or (part.players and is_closed):
        return None
    if "people" in part.keys and any({"me", "name"} & other.keys for other in parts):
        return None
    said = dict(said)
    for key, value in part.items:
        if key in _OF_SEATS:
            continue
        if (key == "me" and key in said) or said.setdefault(key, value) != value:
            return None
        atom, is_number = ATOMS.get(key), re.fullmatch("-?[0-9]+", value)
        if atom and is_number and not atom.least <= int(value) <= atom.most:
            text = shown(part.text)
            raise NotUnderstood("{text} is out of bounds: {about}", text=text, about=atom.says)
    return said


def _seated(
    lists: list[PhrasePart], seats: tuple[Seat, ...], change: PlayersChange
) -> tuple[Seat, ...]:
    """Return the seats of the players listed and counted, and of the one at the keyboard if meant.

    Those with `seats` stay only if others are added to them.
    """
    players = [item for part in lists for item in part.players]
    if players == [("seat", COMPUTER)]:
        players = [Item("bot", f"{COMPUTER}:{RIVAL.id}")]
    keys = [key for key, _ in players]
    counted = [int(value) for key, value in players if key == "people"]
    texts = [""] * min(max(counted, default=0), MOST_SEATS + 1)  # "" is a person without a name
    stay = seats if change == "add" else ()
    if not (stay or counted or "me" in keys) and (lists[0].opens == "opposes" or keys == ["bot"]):
        texts.append(_mine(seats))
    for key, value in players:
        if key != "people":
            texts += [_mine(seats)] if key == "me" else value.split(",")
    if not 0 < len(stay) + len(texts) <= MOST_SEATS:
        raise BadName("a game has 1 to {most} players", most=MOST_SEATS)
    alone = [UNNAMED] * (texts.count("") == 1)
    taken = [*texts, *(seat.name for seat in stay)]
    free = (name for name in chain(alone, default_names(2 * MOST_SEATS)) if name not in taken)
    return read_players(",".join([*map(str, stay), *(text or next(free) for text in texts)]))


def _without(seats: tuple[Seat, ...], text: str) -> tuple[Seat, ...]:
    """Return the seats that a text such as `without Bob` leaves; none if it removes nobody."""
    gone = [_places(seats, name) for name in names_removed(text)]
    left = (seat for place, seat in enumerate(seats, 1) if place not in chain(*gone))
    return tuple(left) if gone and all(gone) else ()


def _places(seats: tuple[Seat, ...], name: str) -> list[int]:
    """Return the places, from 1, of the seats that a name, `me` or `the computer` means."""
    name = _mine(seats) if means_me(name) else name
    places = [place for place, seat in enumerate(seats, 1) if are_alike(seat.name, name)]
    if not places and means_computers(name):
        places = [place for place, seat in enumerate(seats, 1) if seat.computer]
    return places


def _mine(seats: tuple[Seat, ...]) -> str:
    """Return the name of the person at the keyboard; "" if several people play."""
    people = [seat.name for seat in seats if not seat.computer]
    own = people if len(people) == 1 else {UNNAMED, *default_names(1)}
    return next((name for name in people if name in own), "")


def _merged(before: Terms, seats: tuple[Seat, ...], said: dict[str, str]) -> Terms:
    """Return the terms of `before` with these seats and what is said."""
    new = {key: value for key, value in said.items() if key not in ("me", "people")}
    by_hand = new.pop("hand", None) is not None or before.by_hand
    game, atoms = new.pop("game", before.game), dict(before.atoms)
    match = find_any(game) if game != before.game else None
    own = match.format.options if isinstance(match, Match) else {}
    if _ENDS & new.keys() or own.keys() & _ENDS - {"rounds"}:
        atoms = {key: value for key, value in atoms.items() if key not in _ENDS}
    begins = atoms.pop("begins", "")
    if begins.isdecimal() and int(begins) <= len(before.seats):
        # The same player begins, wherever the seat is now.
        begins = next(map(str, _places(seats, before.seats[int(begins) - 1].name)), "")
    atoms |= ({"begins": begins} if begins else {}) | new
    if new.get("stake") == "0":  # nobody pays for points, either
        atoms.pop("pays", None)
    return Terms(seats, game, atoms, by_hand)
