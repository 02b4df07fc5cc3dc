"""The events of a room's log, one for each thing that happened there.

The log only grows, and a room is its replay. An event is stored as JSON under its number in the
room; the events of a game use the words of a record. Every later release must be able to read
stored events: a field keeps its name and meaning, and a new field has a default. The shapes of the
API can change independently.
"""

import json
from dataclasses import dataclass
from typing import Any, Literal

from shutbox.errors import BadRecord
from shutbox.seats import DEFAULT_KIND
from shutbox.web.errors import NewerStore
from shutbox.web.rooms.shapes import UnknownField, json_text, names_of, read


@dataclass(frozen=True, slots=True)
class _OfSeat:
    """What happened at a seat."""

    seat: int


@dataclass(frozen=True, slots=True)
class Planned:
    """A seat as it was planned when the room was opened."""

    name: str
    computer: str = ""
    by_link: bool = False


@dataclass(frozen=True, slots=True)
class Opened:
    """The opening of a room, with the settings made then."""

    game: str
    format: str | None
    """None for a single seat without a match."""
    seats: tuple[Planned, ...]
    dice: Literal["system", "hand", "day", "challenge"]
    """`day`: the dice of the UTC day on which the room was opened, the same for every player.
    `challenge`: the dice of another game, which is over."""
    hints: Literal["off", "legal", "ranked", "explained"]
    coach: bool
    leaver: Literal["wait", "computer", "end", "any"]
    stand_in: str = DEFAULT_KIND
    """The kind of computer player that replaces a player who has left."""
    position: str = ""
    """The first position of a game for one, in the game's notation; empty for its usual start."""
    challenge: str = ""
    """The link of a challenge, as `challenge.py` reads it; empty for other dice."""


@dataclass(frozen=True, slots=True)
class Entered(_OfSeat):
    """The arrival of a guest at a free seat."""

    name: str


@dataclass(frozen=True, slots=True)
class Named(_OfSeat):
    """A new name for a seat: the player's own, or the seat's number after the host cleared it."""

    name: str


@dataclass(frozen=True, slots=True)
class Said(_OfSeat):
    """One of the stock phrases, by its key in `rooms/phrases.py`."""

    phrase: str


@dataclass(frozen=True, slots=True)
class RematchAnswer(_OfSeat):
    """A player's answer after a game: whether to play another."""

    again: bool


@dataclass(frozen=True, slots=True)
class Begun:
    """The start of a game, with the header of its record."""

    header: str


@dataclass(frozen=True, slots=True)
class Played(_OfSeat):
    """An event of the game, in the words of a record."""

    deed: str


@dataclass(frozen=True, slots=True)
class Left(_OfSeat):
    """The departure of a player; coming back stays possible."""


@dataclass(frozen=True, slots=True)
class CameBack(_OfSeat):
    """The return of a player who had left or was replaced."""


@dataclass(frozen=True, slots=True)
class StoodIn(_OfSeat):
    """A computer player that takes over a seat."""

    computer: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The end of a game without a winner, by the rule about leavers."""


@dataclass(frozen=True, slots=True)
class Renewed(_OfSeat):
    """The renewal of a seat's link, of the watch link (-1) or of the opener's key (-2)."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of a room that the host of the server has closed; no event follows."""


@dataclass(frozen=True, slots=True)
class Diced:
    """A step of sealed dice; `sealing.py` has them. Releases without them refuse such a room."""

    step: Literal["envelope", "promise", "fix", "word", "seal", "open"]
    text: str
    """Hashes, a word, or the opening of a record."""
    seat: int = -1


_OfSeats = Opened | Entered | Named | Left | CameBack | StoodIn | Renewed | Closed
RoomEvent = _OfSeats | Said | RematchAnswer | Begun | Played | GivenUp | Diced
"""Any event of a room."""

Numbered = tuple[int, float, RoomEvent]
"""The number of an event in its room, its time in seconds since 1970, and the event."""

_TYPES: dict[str, type[RoomEvent]] = {
    "open": Opened,
    "enter": Entered,
    "name": Named,
    "say": Said,
    "answer": RematchAnswer,
    "begin": Begun,
    "happen": Played,
    "leave": Left,
    "come-back": CameBack,
    "stand-in": StoodIn,
    "end": GivenUp,
    "renew": Renewed,
    "close": Closed,
    "dice": Diced,
}
"""The stored word for each type of event."""
_ADDED = {"position": "", "challenge": ""}
"""Fields added by a later release, left out at these defaults. So an older server, which may run
beside this one, can read every event that it can play."""
WORDS = {kind: word for word, kind in _TYPES.items()}
"""The word for each type of event, as listeners get it, too; only moves have other words there."""


def encoded(event: RoomEvent) -> str:
    """Return an event as JSON text, which `decoded` reads back.

    >>> encoded(Played(0, "throws 3+5"))
    '{"type":"happen","seat":0,"deed":"throws 3+5"}'
    """
    shape: Any = type(event)
    found: dict[str, object] = {"type": WORDS[shape]}
    for name in names_of(shape):
        value = getattr(event, name)
        if name not in _ADDED or value != _ADDED[name]:
            found[name] = value
    return json_text(found)


def decoded(text: str) -> RoomEvent:
    """Return the event in a JSON text. Raises BadRecord, or NewerStore if a later release wrote it.

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
    """Return the refusal of a log that only a later release can read."""
    return NewerStore(
        "this table is played by a newer version of the server; come back in a moment"
    )
