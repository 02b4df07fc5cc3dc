"""Seats: who plays, a person or a computer, and lists of seats as people type them.

The kinds of computer players are in `table/bots.py`; here a kind is just a word.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import NamedTuple

from shutbox.engine.english import listed, shown
from shutbox.engine.errors import BadName
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.names import (
    MOST_CHARACTERS,
    are_alike,
    clean_name,
    free_names,
    look_alikes,
    name_faults,
)

MOST_SEATS = 12
COMPUTER = "computer"  # the word for a computer player in a list of seats
DEFAULT_KIND = "fewest"  # the kind of computer player if none is given
_UNNAMED = "Computer"  # the name of a computer player without one

_KIND = r"[a-z0-9.-]+(:[^,]+)?"


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a game. `str` gives a text such as `Ann` or `Robo=computer:fixed:7`."""

    name: str  # in the form of `clean_name`, but perhaps not valid (see `check_seats`)
    computer: str = ""  # the kind of computer player, such as fewest or fixed:7; empty: a person

    def __str__(self) -> str:
        """Return the text that `read_seats` reads back."""
        return f"{self.name}={COMPUTER}:{self.computer}" if self.computer else self.name


def seat_number(seat: int | str, names: Sequence[str]) -> int:
    """Return the number, from 0, of a seat that is given by number or name. Raises BadName."""
    if isinstance(seat, str) and seat in names:
        return names.index(seat)
    if isinstance(seat, int) and 0 <= seat < len(names):
        return seat
    raise BadName(
        ngettext(
            "{seat} is no seat; write 0, or the name: {names}",
            "{seat} is no seat; write 0 to {last}, or a name: {names}",
            len(names),
            seat=shown(seat),
            last=len(names) - 1,
            names=listed(names),
        )
    )


def read_name(text: str) -> str:
    """Return the clean name of a person: in Unicode NFC, with single spaces, and none around it.

    >>> read_name("  Mary   Ann ")
    'Mary Ann'

    Variants of emoji, and marks at the ends, are removed. Raises BadName, which lists every fault.
    """
    name = clean_name(text)
    _refuse(_seat_faults(Seat(name)))
    return name


def read_seats(text: str, characters: Iterable[tuple[str, str, str]] = ()) -> tuple[Seat, ...]:
    """Read a list of seats: `NAME`, `computer`, `computer:KIND`, `NAME=computer:KIND`.

    Computer players without a name are called Computer, or Computer 1, Computer 2 and so on. Of the
    `characters` each has a word that can stand for its kind, a name for those without one, and a
    kind. Raises BadName, which lists every fault of all seats, or of the first MOST_SEATS.

    >>> print(*read_seats("Ann, Robo=computer:fixed:7, computer"), sep=", ")
    Ann, Robo=computer:fixed:7, Computer=computer:fewest
    """
    parts = text.split(",") if text.strip() else []
    known = {word: (name, kind) for word, name, kind in characters}
    typed: list[_TypedSeat] = []
    faults: list[str] = []
    for part in parts[:MOST_SEATS]:
        unnamed, (name, sign, player) = _read_computer(part), part.partition("=")
        kind = unnamed or (_read_computer(player) if sign else "")  # empty: a person
        if kind is not None:
            base, kind = known.get(kind, (_UNNAMED, kind))
            typed.append(_TypedSeat(None if unnamed else clean_name(name), base, kind))
        else:
            faults += _seat_faults(Seat(clean_name(name), DEFAULT_KIND))
            faults.append(
                gettext(
                    "after = comes computer or computer:KIND, not {player}", player=shown(player)
                )
            )
    seats = tuple(_name_computers(typed))
    _refuse(chain(faults, _list_faults(seats, len(parts))))
    return seats


class _TypedSeat(NamedTuple):
    """A seat as it was typed, perhaps without a name."""

    name: str | None  # None for a computer player without one
    base: str  # the name that such a player gets, or is numbered by
    kind: str  # the kind of computer player; empty for a person


def _name_computers(typed: Sequence[_TypedSeat]) -> Iterator[Seat]:
    """Yield the seats; without a name the base is taken, numbered if several are Computer."""
    taken = [seat.name for seat in typed if seat.name is not None]
    unnamed = [seat.base for seat in typed if seat.name is None]
    for name, base, kind in typed:
        if name is None:
            name = free_name(base, taken, alone=base != _UNNAMED or unnamed.count(base) == 1)
            taken.append(name)
        yield Seat(name, kind)


def free_name(base: str, names: Iterable[str], *, alone: bool = True) -> str:
    """Return `base`, with a number if not `alone` or if it looks like one of `names`: `Ann 2`."""
    several = (f"{base} {number}" for number in count(1 if base == _UNNAMED else 2))
    return next(free_names(chain([base] * alone, several), names))


def _read_computer(text: str) -> str | None:
    """Return the kind of computer player, even an invalid one; None if it is not a computer."""
    word, *rest = (piece.strip() for piece in text.split(":", 2))
    if word.lower() != COMPUTER:
        return None
    if not rest:
        return DEFAULT_KIND
    kind, *argument = rest
    # A colon with nothing after it is no valid kind, but it does not mean a person either.
    return ":".join([kind.lower(), *argument]) or ":"


def check_seats(seats: Sequence[Seat]) -> None:
    """Raise BadName, which lists every fault, unless these seats can play one game."""
    _refuse(_list_faults(seats, len(seats)))


def _list_faults(seats: Sequence[Seat], number: int) -> Iterator[str]:
    """Yield a sentence for every fault of a game with `number` players, of whom these were read."""
    if not 1 <= number <= MOST_SEATS:
        yield gettext(
            "a game has 1 to {most} players, not {number}", most=MOST_SEATS, number=number
        )
    owners: dict[str, str] = {}  # by form, the first name that has it, in the order of seats
    for seat in seats[:MOST_SEATS]:
        faults = list(_seat_faults(seat))
        yield from faults
        forms = set() if faults else look_alikes(seat.name)
        alike = next((owners[form] for form in owners if form in forms), None)
        if alike == seat.name:
            yield gettext(
                "two players are called {first}; give one of them another name", first=shown(alike)
            )
        elif alike is not None:
            facts = {"first": shown(alike), "second": shown(seat.name)}
            yield gettext("{first} and {second} are too alike for one game", **facts)
        owners |= dict.fromkeys(forms - owners.keys(), seat.name)


def _seat_faults(seat: Seat) -> Iterator[str]:
    """Yield a sentence for everything wrong with one seat."""
    name, kind = seat.name, seat.computer
    yield from name_faults(name)
    if not kind and len(name) <= MOST_CHARACTERS:
        word = re.sub(r"[\s\d]+$", "", name)  # nobody is called Computer, nor Computer 2
        if are_alike(word, COMPUTER):
            yield gettext(
                "a person is not called {word}, the word for computer players: {name}",
                word=COMPUTER,
                name=shown(name),
            )
    as_read = _read_computer(f"{COMPUTER}:{kind}")
    if kind and not (re.fullmatch(_KIND, kind) and kind.isprintable() and kind == as_read):
        quoted = shown(kind)
        yield gettext(
            "a kind of computer player is a word such as fewest or fixed:7, not {kind}", kind=quoted
        )


def _refuse(faults: Iterable[str]) -> None:
    """Raise BadName with these faults, each once, if there are any."""
    if sentences := "; ".join(dict.fromkeys(faults)):
        raise BadName(sentences)
