"""What a room's log holds: one event for each thing that happened there.

The log only grows, and a room is its replay. An event is kept as JSON under its number in the room;
the events of a game are written in the words of a record. What is kept is read for ever: a field
that is here keeps its name and its meaning, and a new one has a default. The shapes of the API may
change without this.
"""

import json
from dataclasses import dataclass
from typing import Literal

from shutbox.errors import BadRecord
from shutbox.seats import DEFAULT_KIND
from shutbox.web.errors import NewerStore
from shutbox.web.rooms.shapes import UnknownField, json_text, read


@dataclass(frozen=True, slots=True)
class Planned:
    """A seat as it was planned when the room was opened."""

    name: str
    computer: str = ""
    by_link: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """The room begins."""

    game: str
    format: str | None
    """None: no match, where there is but one seat."""
    seats: tuple[Planned, ...]
    dice: Literal["system", "hand", "day"]
    """`day`: those of the day on which the room was opened, in UTC, for everybody the same."""
    hints: Literal["off", "legal", "ranked", "explained"]
    coach: bool
    leaver: Literal["wait", "computer", "end", "any"]
    stand_in: str = DEFAULT_KIND
    """The computer player that goes on for somebody who has left."""
    position: str = ""
    """Where a game alone begins, as the game writes it; empty: at its start."""


@dataclass(frozen=True, slots=True)
class Entered:
    """Somebody took a free seat."""

    seat: int
    name: str


@dataclass(frozen=True, slots=True)
class Begun:
    """A game begins; the header of its record."""

    header: str


@dataclass(frozen=True, slots=True)
class Played:
    """An event of the game, in the words of a record."""

    seat: int
    deed: str


@dataclass(frozen=True, slots=True)
class Left:
    """Somebody left a seat, and may come back."""

    seat: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who had left, or was stood in for, plays on."""

    seat: int


@dataclass(frozen=True, slots=True)
class StoodIn:
    """A computer player goes on for a seat."""

    seat: int
    computer: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The game ends here by the rule about leavers: nobody wins."""


@dataclass(frozen=True, slots=True)
class Renewed:
    """The links of a seat are made anew, of the watchers at -1, or of who opened the room at -2."""

    seat: int


@dataclass(frozen=True, slots=True)
class Closed:
    """The host of the server has closed the room: nothing happens there any more."""


RoomEvent = (
    Opened | Entered | Begun | Played | Left | CameBack | StoodIn | GivenUp | Renewed | Closed
)
"""Anything that happens in a room."""

Numbered = tuple[int, float, RoomEvent]
"""An event, with its number in its room, and when it happens."""

_TYPES: dict[str, type[RoomEvent]] = {
    "open": Opened,
    "enter": Entered,
    "begin": Begun,
    "happen": Played,
    "leave": Left,
    "come-back": CameBack,
    "stand-in": StoodIn,
    "end": GivenUp,
    "renew": Renewed,
    "close": Closed,
}
"""The word under which each is kept."""
_ADDED = {"position": ""}
"""Fields of a later release, and the default with which they are left out: a server of before,
which may run beside this one, reads all that it can play itself."""
WORDS = {kind: word for word, kind in _TYPES.items()}
"""The same by the kind, as everybody hears of it who listens; but moves have words of their own."""


def encoded(event: RoomEvent) -> str:
    """The text that `decoded` reads back.

    >>> encoded(Played(0, "throws 3+5"))
    '{"type":"happen","seat":0,"deed":"throws 3+5"}'
    """
    found: dict[str, object] = {"type": WORDS[type(event)]}
    for name in event.__slots__:
        value = getattr(event, name)
        if name not in _ADDED or value != _ADDED[name]:
            found[name] = value
    return json_text(found)


def decoded(text: str) -> RoomEvent:
    """The event of a text. Raises BadRecord, and NewerStore for what only a later release knows.

    >>> decoded('{"type":"leave","seat":1}')
    Left(seat=1)
    """
    try:
        found = json.loads(text)
        word = found.pop("type")
        if isinstance(word, str) and word not in _TYPES:
            raise newer()
        event: RoomEvent = read(_TYPES[word], found)
    except UnknownField:
        raise newer() from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadRecord("an event of a room cannot be read: {reason}", reason=repr(error)) from None
    return event


def newer() -> NewerStore:
    """What is refused where only a later release knows what is stored."""
    return NewerStore(
        "this table is played by a newer version of the server; come back in a moment"
    )
