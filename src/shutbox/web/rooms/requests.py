"""What is asked of a server and its rooms: plain values, and what their fields may hold.

The bounds of a field stand beside its type. Who reads requests from outside holds them to these
bounds; the OpenAPI document is made of the same.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from shutbox.seats import DEFAULT_KIND, LONGEST_NAME, MOST_SEATS
from shutbox.web import limits
from shutbox.web.errors import BadRequest
from shutbox.web.rooms.shapes import Bounds

# Without what looks ahead, `$` would let a newline pass at the end.
_WORD = r"^[A-Za-z0-9_-]+(?!\n)$"
_WHO = r"^(me|here|link|computer(:[a-z0-9-]+(:[^,\n]*)?)?)(?!\n)$"
_KIND = r"[a-z]+(:[A-Za-z0-9 _-]+)?"

ActionId = Annotated[str, Bounds(min_length=8, max_length=limits.LONGEST_ACTION, pattern=_WORD)]
"""An id that the client makes, a new one for each thing it wants done: it is done once."""
Key = Annotated[str, Bounds(min_length=1, max_length=limits.LONGEST_KEY)]
"""The secret of a seat's link or of a watch link."""
Text = Annotated[str, Bounds(max_length=limits.LONGEST_TEXT)]
Name = Annotated[str, Bounds(max_length=4 * LONGEST_NAME)]
Kind = Annotated[str, Bounds(max_length=limits.LONGEST_KIND, pattern=rf"^{_KIND}(?!\n)$")]
"""A kind of computer player."""
KindIfAny = Annotated[str, Bounds(max_length=limits.LONGEST_KIND, pattern=rf"^({_KIND})?(?!\n)$")]
SeatNumber = Annotated[int, Bounds(ge=0, lt=MOST_SEATS)]
Version = Annotated[int, Bounds(ge=0, le=2**31 - 1)]
Hints = Literal["off", "legal", "ranked", "explained"]
Leaver = Literal["wait", "computer", "end", "any"]
DiceFrom = Literal["system", "hand", "day"]


@dataclass(frozen=True, slots=True)
class Plain:
    """Something that needs no more than to be done."""

    action: ActionId


@dataclass(frozen=True, slots=True)
class NewSeat:
    """One seat of a room to be opened."""

    who: Annotated[str, Bounds(max_length=limits.LONGEST_KIND, pattern=_WHO)]
    """`me`, `here`: the opener plays it; `link`: who comes by it; `computer`, `computer:KIND`."""
    name: Name = ""


@dataclass(frozen=True, slots=True)
class NewRoom(Plain):
    """A room to be opened."""

    game: Text = "classic"
    """A game, a preset or a match in the notation of names."""
    format: Text = ""
    seats: Annotated[tuple[NewSeat, ...], Bounds(min_length=1, max_length=MOST_SEATS)] = (
        NewSeat("me"),
    )
    dice: Literal["system", "hand"] = "system"
    hints: Hints = "explained"
    coach: bool = False
    leaver: Leaver = "any"
    stand_in: Kind = DEFAULT_KIND
    """The computer player that goes on for somebody who has left."""
    position: Text = ""
    """Where the game begins, for one player without a format: such as `1.5.9/2+4`."""


@dataclass(frozen=True, slots=True)
class Act(Plain):
    """A throw or a choice, or something taken back."""

    game: Version
    version: Version
    seat: SeatNumber
    do: Literal["throw", "choose", "take-back", "correct"]
    choice: Text = ""
    """What is chosen, as an offer's `text` has it, or as a person types it."""
    roll: Annotated[str, Bounds(max_length=limits.LONGEST_ROLL)] = ""
    """What the dice show, where people throw their own."""


@dataclass(frozen=True, slots=True)
class Enter(Plain):
    """A link is followed."""

    key: Key
    name: Name | None = None


@dataclass(frozen=True, slots=True)
class LookAtLink:
    """A link is looked at before it is followed."""

    key: Key


@dataclass(frozen=True, slots=True)
class AtSeat(Plain):
    """Something done to one seat."""

    seat: SeatNumber


@dataclass(frozen=True, slots=True)
class Renew(Plain):
    """A link that is made anew: the old one, and who came by it, are shut out.

    Seat -1 is the watch link.
    """

    seat: Annotated[int, Bounds(ge=-1, lt=MOST_SEATS)]


@dataclass(frozen=True, slots=True)
class StandIn(AtSeat):
    """A computer player goes on for a seat."""

    computer: KindIfAny = ""
    """For a free seat; who goes on for a player was settled when the room was opened."""


@dataclass(frozen=True, slots=True)
class Again(Plain):
    """Another game after game `game`."""

    game: Version


def read_number(text: str | None, where: str, most: int = 2**31 - 1) -> int | None:
    """A whole number of an address; None where there is none. Raises BadRequest."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > most:
        raise BadRequest(
            "{where} is a whole number from 0 to {most:,}, not {text!r}",
            where=where,
            most=most,
            text=text[:20],
        )
    return int(text)
