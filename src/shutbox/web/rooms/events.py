"""What a room's log holds: one entry for each thing that happened there.

The log only grows, and a room is its replay. An entry is kept as JSON under its number in the room;
the events of a game are written in the words of a record.
"""

import msgspec
from msgspec import Struct

from shutbox.errors import BadRecord
from shutbox.web.api.schemas import DiceFrom, Hints, Leaver


class Planned(Struct, frozen=True):
    """A seat as it was planned when the room was opened."""

    name: str
    computer: str = ""
    by_link: bool = False


class Opened(Struct, frozen=True, tag="open"):
    """The room begins."""

    game: str
    format: str | None
    """None: no match, where there is but one seat."""
    seats: tuple[Planned, ...]
    dice: DiceFrom
    hints: Hints
    coach: bool
    leaver: Leaver


class Entered(Struct, frozen=True, tag="enter"):
    """Somebody took a free seat."""

    seat: int
    name: str


class Begun(Struct, frozen=True, tag="begin"):
    """A game begins; the header of its record."""

    header: str


class Happened(Struct, frozen=True, tag="happen"):
    """An event of the game, in the words of a record."""

    seat: int
    deed: str


class Left(Struct, frozen=True, tag="leave"):
    """Somebody left a seat, and may come back."""

    seat: int


class CameBack(Struct, frozen=True, tag="come-back"):
    """Whoever had left, or was stood in for, plays on."""

    seat: int


class StoodIn(Struct, frozen=True, tag="stand-in"):
    """A computer player goes on for a seat."""

    seat: int
    computer: str


class GivenUp(Struct, frozen=True, tag="end"):
    """The game ends here by the rule about leavers: nobody wins."""


class Renewed(Struct, frozen=True, tag="renew"):
    """The links of a seat, or of the watchers at -1, are made anew."""

    seat: int


Entry = Opened | Entered | Begun | Happened | Left | CameBack | StoodIn | GivenUp | Renewed
"""Anything that happens in a room."""

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def encoded(entry: Entry) -> str:
    """The text that `decoded` reads back.

    >>> encoded(Happened(0, "throws 3+5"))
    '{"type":"happen","seat":0,"deed":"throws 3+5"}'
    """
    return _encoder.encode(entry).decode()


def decoded(text: str) -> Entry:
    """The entry of a text. Raises BadRecord."""
    try:
        entry: Entry = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise BadRecord(f"an entry of a room cannot be read: {error}") from None
    return entry
