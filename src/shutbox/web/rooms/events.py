"""What a room's log holds: one event for each thing that happened there.

The log only grows, and a room is its replay. An event is kept as JSON under its number in the room;
the events of a game are written in the words of a record. What is kept is read for ever: a field
that is here keeps its name and its meaning, and a new one has a default. The shapes of the API may
change without this.
"""

import json
from dataclasses import dataclass, is_dataclass
from functools import cache
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from shutbox.errors import BadRecord
from shutbox.seats import DEFAULT_KIND
from shutbox.web.errors import NewerStore


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
_WORDS = {kind: word for word, kind in _TYPES.items()}


def _fields(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in value.__slots__}


json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_fields).encode
"""A value as compact JSON that is the same for ever: what is kept or hashed is written by this. A
dataclass with slots is an object of its fields, in their order."""


def encoded(event: RoomEvent) -> str:
    """The text that `decoded` reads back.

    >>> encoded(Played(0, "throws 3+5"))
    '{"type":"happen","seat":0,"deed":"throws 3+5"}'
    """
    fields = {n: v for n, v in _fields(event).items() if n not in _ADDED or v != _ADDED[n]}
    return json_text({"type": _WORDS[type(event)], **fields})


def decoded(text: str) -> RoomEvent:
    """The event of a text. Raises BadRecord, and NewerStore for what only a later release knows.

    >>> decoded('{"type":"leave","seat":1}')
    Left(seat=1)
    """
    try:
        found = json.loads(text)
        if isinstance(found["type"], str) and found["type"] not in _TYPES:
            raise newer()
        event: RoomEvent = _read(_TYPES[found["type"]], found)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise BadRecord("an event of a room cannot be read: {reason}", reason=repr(error)) from None
    return event


def newer() -> NewerStore:
    """What is refused where only a later release knows what is stored."""
    return NewerStore(
        "this table is played by a newer version of the server; come back in a moment"
    )


def _read(kind: Any, value: Any) -> Any:
    """A value out of JSON as one of this type. Raises TypeError, ValueError and KeyError."""
    if type(value) is kind:
        return value
    if is_dataclass(kind):
        return _shape(kind, value)
    origin, of = get_origin(kind), get_args(kind)
    if origin is tuple and isinstance(value, list):
        return tuple(_read(of[0], one) for one in value)
    if (origin is UnionType and type(value) in of) or (origin is Literal and value in of):
        return value
    raise TypeError(f"{value!r:.40}: {kind}")


def _shape(kind: Any, value: Any) -> Any:
    types = _types(kind)
    if isinstance(value, dict) and value.keys() - {*types, "type"}:
        raise newer()
    return kind(**{name: _read(types[name], value[name]) for name in types if name in value})


_types = cache(get_type_hints)
