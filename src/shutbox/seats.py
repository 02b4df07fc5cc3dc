"""Who sits at the table, and the list of seats as it is typed.

Which kinds of computer players there are is not known here.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count

from shutbox.english import shown
from shutbox.errors import BadName
from shutbox.messages import gettext, gettext_noop
from shutbox.player_names import LONGEST_NAME, MOST_CHARACTERS, clean, looks, name_faults

MOST_SEATS = 12
COMPUTER = "computer"
DEFAULT_KIND = "fewest"

_KIND = r"[a-z0-9-]+(:[^,]+)?"


def unnamed(number: int) -> list[str]:
    """What players are called whom nobody has named; the same in every language."""
    return [f"Player {seat + 1}" for seat in range(number)]


@dataclass(frozen=True, slots=True)
class Seat:
    """One player of a game.

    >>> print(Seat("Ann"), Seat("Robo", "fixed:7"))
    Ann Robo=computer:fixed:7
    """

    name: str  # as it is said, already clean
    computer: str = ""  # the kind of computer player, such as fewest or fixed:7; empty: a person

    def __str__(self) -> str:
        """The text that `read_seats` reads back."""
        return f"{self.name}={COMPUTER}:{self.computer}" if self.computer else self.name


def read_name(text: str) -> str:
    """The clean name of a person: in Unicode NFC, with single spaces, and none around it.

    >>> read_name("  Mary   Ann ")
    'Mary Ann'

    A clean name is printable and reads as itself. Raises BadName with everything wrong.
    """
    name = clean(text)
    _refuse(_seat_faults(Seat(name)))
    return name


def read_seats(text: str) -> tuple[Seat, ...]:
    """The seats of a list: `NAME`, `computer`, `computer:KIND`, `NAME=computer:KIND`.

    Computer players without a name are called Computer, or Computer 1, Computer 2 and so on.

    >>> print(*read_seats("Ann, Robo=computer:fixed:7, computer"), sep=", ")
    Ann, Robo=computer:fixed:7, Computer=computer:fewest

    Raises BadName with everything wrong; of too many seats, only the first are read.
    """
    parts = text.split(",") if text.strip() else []
    read: list[tuple[str | None, str]] = []
    faults: list[str] = []
    for part in parts[:MOST_SEATS]:
        name, sign, player = part.partition("=")
        if (kind := _read_computer(part)) is not None:
            read.append((None, kind))
        elif not sign:
            read.append((clean(part), ""))
        elif (kind := _read_computer(player)) is not None:
            read.append((clean(name), kind))
        else:
            faults += _seat_faults(Seat(clean(name), DEFAULT_KIND))
            said = shown(player)
            faults += [
                gettext("after = comes computer or computer:KIND, not {player}", player=said)
            ]
    free = _free_names([name for name, _ in read])
    seats = tuple(Seat(next(free) if name is None else name, kind) for name, kind in read)
    _refuse(chain(faults, _list_faults(seats, len(parts))))
    return seats


def check_seats(seats: Sequence[Seat]) -> None:
    """Nothing, if these seats can play one game: what `read_seats` returns always can.

    Raises BadName with everything wrong; of too many seats, only the first are read.
    """
    _refuse(_list_faults(seats, len(seats)))


def _read_computer(text: str) -> str | None:
    """The kind of computer player, whatever may be wrong with it; None: no computer player."""
    word, *kind = (piece.strip() for piece in text.split(":", 2))
    if word.lower() != COMPUTER:
        return None
    # A colon with nothing after it is no kind, and no person sits there either.
    return ":".join([kind[0].lower(), *kind[1:]]) or ":" if kind else DEFAULT_KIND


def _free_names(names: Sequence[str | None]) -> Iterator[str]:
    """Names for the computer players that have none, unlike all that are given."""
    given = [name for name in names if name is not None and len(name) <= LONGEST_NAME]
    taken = set().union(*map(looks, given))
    numbered = (f"Computer {place}" for place in count(1))
    free = chain(["Computer"], numbered) if names.count(None) == 1 else numbered
    return (name for name in free if taken.isdisjoint(looks(name)))


def _list_faults(seats: Sequence[Seat], number: int) -> Iterator[str]:
    """A sentence for everything wrong with the seats of one game."""
    if not 1 <= number <= MOST_SEATS:
        yield gettext("a game has 1 to {most} seats, not {number}", most=MOST_SEATS, number=number)
    before: dict[str, str] = {}
    for seat in seats[:MOST_SEATS]:
        faults = list(_seat_faults(seat))
        yield from faults
        seen = set() if faults else looks(seat.name)
        if alike := next((before[look] for look in before if look in seen), None):
            one, two = shown(alike), shown(seat.name)
            says = gettext_noop("{first} and {second} are too alike for one game")
            if alike == seat.name:
                says = gettext_noop("two players are called {first}; give one of them another name")
            yield gettext(says, first=one, second=two)
        before |= dict.fromkeys(seen - before.keys(), seat.name)


def _seat_faults(seat: Seat) -> Iterator[str]:
    """A sentence for everything wrong with one seat."""
    name, kind = seat.name, seat.computer
    yield from name_faults(name)
    named_computer = len(name) <= MOST_CHARACTERS and not looks(COMPUTER).isdisjoint(looks(name))
    if named_computer and not kind:
        yield gettext(
            "a person is not called {word}, the word for computer players: {name}",
            word=COMPUTER,
            name=shown(name),
        )
    as_read = _read_computer(f"{COMPUTER}:{kind}")
    if kind and not (re.fullmatch(_KIND, kind) and kind.isprintable() and kind == as_read):
        said = shown(kind)
        yield gettext(
            "a kind of computer player is a word such as fewest or fixed:7, not {kind}", kind=said
        )


def _refuse(faults: Iterable[str]) -> None:
    if sentences := "; ".join(dict.fromkeys(faults)):
        raise BadName(sentences)
