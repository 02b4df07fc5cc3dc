"""The events of a room's log, one for each thing that happened there.

The log only grows, and a room is its replay. An event is stored as JSON under its number in the
room; the events of a game use the words of a record.

All shapes, the dataclasses of events, requests and replies, are written as JSON and read back here:
by msgspec, with their types and bounds checked. A browser has no msgspec, and there the page of the
player has sent or stored them. The OpenAPI document is generated from the same shapes.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from shutbox.engine.errors import BadRecord
from shutbox.engine.messages import pgettext, pgettext_noop
from shutbox.engine.seats import DEFAULT_KIND
from shutbox.web.errors import BadRequest

T = TypeVar("T")


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    shape: Any = type(value)
    return {name: getattr(value, name) for name in names_of(shape)}


@cache
def names_of(shape: Any) -> tuple[str, ...]:
    """Return the names of the fields of a shape, in order."""
    return tuple(field.name for field in fields(shape))


@cache
def hints_of(shape: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a shape, with their bounds."""
    return get_type_hints(shape, include_extras=True)


json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain).encode
"""Return a value as compact JSON, a dataclass as an object with its fields in order. Stored and
hashed values use this form, so it must never change."""

try:
    from msgspec import Meta as Meta
    from msgspec import ValidationError
    from msgspec import convert as convert
    from msgspec.json import Encoder

    encode = Encoder().encode
except ImportError:  # in a browser
    ValidationError = ValueError  # type: ignore[assignment, misc]

    class Meta:  # type: ignore[no-redef]
        """Bounds that nobody checks."""

        def __init__(self, **_: object) -> None: ...

    def encode(value: object, /) -> bytes:
        """Return a value as compact JSON."""
        return json_text(value).encode()

    def convert(value: Any, kind: Any, **_: object) -> Any:  # type: ignore[no-redef]
        """Return a JSON value as an instance of `kind`, unchecked."""
        origin, of = get_origin(kind), get_args(kind)
        if origin in (Annotated, UnionType, Union):
            return value if value is None else convert(value, of[0])
        if origin is tuple:
            return tuple(convert(each, of[0]) for each in value)
        if is_dataclass(kind) and isinstance(value, dict):
            shape: Any = kind
            return shape(**{name: convert(value[name], hints_of(shape)[name]) for name in value})
        return value


def checksum(*values: str | float | None) -> str:
    """Return a checksum of some values in order, 32 hexadecimal digits, to be stored with them.

    >>> checksum("links", "2b"), checksum("links", None) == checksum("links", "")
    ('e3dabcad35b5c3064479cd603176aff8', False)
    """
    text = json_text(values).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=16).hexdigest()


def shaped(values: Any, shape: type[T], body: Any = None) -> T:
    """Return a form's values as a `shape`, or those of a `body`, a type without further fields.

    Raises BadRequest.

    >>> from shutbox.web.rooms.requests import AtSeat
    >>> shaped({"action": "12345678", "seat": 1}, AtSeat)
    AtSeat(action='12345678', seat=1)
    """
    try:
        checked = values if body is None else convert(values, body)
        return convert(checked, shape, from_attributes=True)
    except ValidationError as error:
        _check_lengths(values, shape)
        if body is None:
            raise BadRequest("the form cannot be read: {why}", why=error) from None
        raise BadRequest("the body cannot be read: {why}", why=error) from None


def _check_lengths(values: Any, shape: Any) -> None:
    """Raise BadRequest if a text is too long, in a sentence for the player who has typed it."""
    for name, kind in hints_of(shape).items():
        most = next((bounds.max_length for bounds in getattr(kind, "__metadata__", ())), None)
        text = values.get(name) if isinstance(values, Mapping) else None
        if isinstance(text, str) and most is not None and len(text) > most:
            raise BadRequest(
                "the field {field} is longer than {most} characters", field=name, most=most
            ) from None


DiceFrom = Literal["system", "hand", "day", "date", "challenge"]
Hints = Literal["off", "legal", "ranked", "explained"]
Leaver = Literal["wait", "computer", "end", "any"]
Phrase = Literal["played", "cheers", "bravo", "oh-no", "ah-well", "bye"]
_SAYS: dict[str, str] = {  # the stock phrases that players can say, in place of a chat
    "played": pgettext_noop("phrase", "Well played"),
    "cheers": pgettext_noop("phrase", "Cheers"),
    "bravo": pgettext_noop("phrase", "Bravo"),
    "oh-no": pgettext_noop("phrase", "Oh no"),
    "ah-well": pgettext_noop("phrase", "Ah well"),
    "bye": pgettext_noop("phrase", "See you"),
}


@dataclass(frozen=True, slots=True)
class _OfSeat:
    """An event at a seat, which is numbered from 0."""

    seat: int


@dataclass(frozen=True, slots=True)
class Planned:
    """A seat as it was planned when the room was opened."""

    name: str
    computer: str = ""  # the kind of computer player; empty for a person
    by_link: bool = False  # whether it is for a guest, who follows its link


@dataclass(frozen=True, slots=True)
class Opened:
    """The opening of a room, with the settings made then."""

    game: str
    format: str | None  # in notation; None for a single seat without a match
    seats: tuple[Planned, ...]
    dice: DiceFrom
    """`day`: the dice of the UTC day on which the room was opened, the same for every player.
    `challenge`: the dice of another game, which is over."""
    hints: Hints  # how much hints say
    coach: bool  # whether choices are judged
    leaver: Leaver  # what others may do if a player leaves
    stand_in: str = DEFAULT_KIND  # the kind of computer player that replaces a player who has left
    position: str = ""  # the first position of a game for one, in its notation; empty for the usual
    challenge: str = ""  # the link of a challenge, as `sealing.py` reads it; empty for other dice
    day: str = ""  # the past day whose box is played for practice; empty for a try on its day


@dataclass(frozen=True, slots=True)
class Entered(_OfSeat):
    """The arrival of a guest at a free seat."""

    name: str


@dataclass(frozen=True, slots=True)
class Named(_OfSeat):
    """A new name for a seat: the player's own, or `Player N` if the name was cleared."""

    name: str


@dataclass(frozen=True, slots=True)
class Said(_OfSeat):
    """A stock phrase that a player said, by its key."""

    phrase: Phrase


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
    """The arrival of a computer player of the kind `computer` at a free seat or for a player."""

    computer: str


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The end of a game without a winner: a player was away, or one who plays alone gave up."""


@dataclass(frozen=True, slots=True)
class Renewed(_OfSeat):
    """The renewal of a seat's link, of the watch link (-1) or of the opener's key (-2)."""


@dataclass(frozen=True, slots=True)
class Closed:
    """The end of a room that the host of the server has closed; no event follows."""


@dataclass(frozen=True, slots=True)
class Diced:
    """A step of sealed dice; see `sealing.py`."""

    step: Literal["envelope", "word", "seal", "open"]
    text: str  # hashes, a word, or the opening of a record
    seat: int = -1  # of a word; -1 for the other steps


_OfSeats = Opened | Entered | Named | Left | CameBack | StoodIn | Renewed | Closed
RoomEvent = _OfSeats | Said | RematchAnswer | Begun | Played | GivenUp | Diced

Numbered = tuple[int, float, RoomEvent]
"""The number of an event in its room, its time in seconds since 1970, and the event."""

_TYPES: dict[str, type[RoomEvent]] = {  # by the stored word for each
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
WORDS = {kind: word for word, kind in _TYPES.items()}
"""The stored word for each type of event. Listeners get it as the `kind`, except for moves."""


for _kind in _TYPES.values():
    with suppress(ValueError, TypeError):
        # msgspec prepares a type at its first use, and crashes if two threads do that at once.
        convert({}, _kind)


def phrases() -> tuple[tuple[str, str], ...]:
    """Return each stock phrase that players can say: its key and its translated words."""
    return tuple((key, words_of(key)) for key in get_args(Phrase))


def words_of(phrase: str) -> str:
    """Return the words of a phrase, given by its key."""
    return pgettext("phrase", _SAYS[phrase])


def encoded(event: RoomEvent) -> str:
    """Return an event as JSON text, which `decoded` reads back.

    >>> encoded(Played(0, "throws 3+5"))
    '{"type":"happen","seat":0,"deed":"throws 3+5"}'
    """
    shape: Any = type(event)
    values = {name: getattr(event, name) for name in names_of(shape)}
    return json_text({"type": WORDS[shape], **values})


def decoded(text: str) -> RoomEvent:
    """Return the event in a JSON text. Raises BadRecord.

    >>> decoded('{"type":"leave","seat":1}')
    Left(seat=1)
    """
    try:
        found = json.loads(text)
        kind: Any = _TYPES[found.pop("type")]
        if unknown := found.keys() - {*names_of(kind)}:
            raise ValueError(unknown)
        event: RoomEvent = convert(found, kind)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadRecord("an event of a room cannot be read: {reason}", reason=repr(error)) from None
    return event
