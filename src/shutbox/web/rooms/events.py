"""The events of a room's log, one for each thing that happened there.

The log only grows, and a room is its replay. An event is stored as JSON under its number in the
room; the events of a game use the words of a record.
"""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, cast

from shutbox.engine.errors import BadRecord
from shutbox.engine.messages import pgettext, pgettext_noop
from shutbox.engine.seats import DEFAULT_KIND
from shutbox.web.rooms.shapes import convert, json_text, names_of, values_of

DiceFrom = Literal["system", "hand", "day", "date", "challenge"]
Hints = Literal["off", "legal", "ranked", "explained"]
Leaver = Literal["wait", "computer", "end", "any"]
Phrase = Literal["played", "cheers", "bravo", "oh-no", "ah-well", "bye"]
_PHRASES: dict[str, str] = {  # the stock phrases that players can say, in place of a chat
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


_AboutRoom = Opened | Entered | Named | Left | CameBack | StoodIn | Renewed | Closed
RoomEvent = _AboutRoom | Said | RematchAnswer | Begun | Played | GivenUp | Diced

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
    return tuple((key, phrase_words(key)) for key in _PHRASES)


def phrase_words(phrase: str) -> str:
    """Return the words of a phrase, given by its key."""
    return pgettext("phrase", _PHRASES[phrase])


def encode_event(event: RoomEvent) -> str:
    """Return an event as JSON text, which `decode_event` reads back.

    >>> encode_event(Played(0, "throws 3+5"))
    '{"type":"happen","seat":0,"deed":"throws 3+5"}'
    """
    return json_text({"type": WORDS[type(event)], **values_of(event)})


def decode_event(text: str) -> RoomEvent:
    """Return the event in a JSON text. Raises BadRecord.

    >>> decode_event('{"type":"leave","seat":1}')
    Left(seat=1)
    """
    try:
        values = json.loads(text)
        kind: Any = _TYPES[values.pop("type")]
        if unknown := values.keys() - {*names_of(kind)}:
            raise ValueError(unknown)
        return cast(RoomEvent, convert(values, kind))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadRecord("an event of a room cannot be read: {reason}", reason=repr(error)) from None
