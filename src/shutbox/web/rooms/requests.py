"""The requests to a server and its rooms: plain values, with bounds for their fields.

The bounds of a field stand beside its type. Requests from outside are checked against them, and the
OpenAPI document is generated from them.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from shutbox.sealed_dice import LONGEST_WORD
from shutbox.seats import DEFAULT_KIND, LONGEST_NAME, MOST_SEATS
from shutbox.web import limits
from shutbox.web.errors import BadRequest
from shutbox.web.rooms.phrases import Phrase
from shutbox.web.rooms.shapes import Bounds

# Without the lookahead, `$` would accept a newline at the end.
_WORD = r"^[A-Za-z0-9_-]+(?!\n)$"
_BASE64 = r"^[A-Za-z0-9_-]+={0,2}(?!\n)$"
_WHO = r"^(me|here|link|computer(:[a-z0-9.-]+(:[^,\n]*)?)?)(?!\n)$"
_KIND = r"[a-z][a-z0-9.-]*(:[A-Za-z0-9 _-]+)?"

ActionId = Annotated[str, Bounds(min_length=8, max_length=limits.LONGEST_ACTION, pattern=_WORD)]
"""An id that the client makes for each action; a retry with the same id is not done twice."""
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
DiceFrom = Literal["system", "hand", "day", "challenge"]


@dataclass(frozen=True, slots=True)
class Plain:
    """A request that needs only the id of its action."""

    action: ActionId  # an id that you make; a retry with it is not done twice


@dataclass(frozen=True, slots=True)
class NewSeat:
    """One seat of a new room."""

    who: Annotated[str, Bounds(max_length=limits.LONGEST_KIND, pattern=_WHO)]
    """`me` or `here` for the opener, `link` for a guest, `computer` or `computer:KIND`."""
    name: Name = ""  # empty for a guest who says it later


@dataclass(frozen=True, slots=True)
class NewRoom(Plain):
    """A request to open a room."""

    game: Text = "classic"
    """A game, a preset or a match in the notation of names."""
    format: Text = ""  # how turns become a match; empty for that of the game
    seats: Annotated[tuple[NewSeat, ...], Bounds(min_length=1, max_length=MOST_SEATS)] = (
        NewSeat("me"),
    )
    """The seats in order."""
    dice: Literal["system", "hand"] = "system"  # `hand` if people throw and type
    hints: Hints = "explained"  # how much hints say
    coach: bool = False  # whether choices are judged
    leaver: Leaver = "any"  # what happens if a player leaves
    stand_in: Kind = DEFAULT_KIND
    """The kind of computer player that replaces a player who has left."""
    position: Text = ""
    """The first position, such as `1.5.9/2+4`, for one player without a format."""


@dataclass(frozen=True, slots=True)
class TakeChallenge(Plain):
    """A request to play a game with the dice of another one, which is over."""

    dice: Annotated[str, Bounds(max_length=limits.LONGEST_CHALLENGE, pattern=_WORD)]
    """The part of the challenge's link after `dice=`."""


@dataclass(frozen=True, slots=True)
class Act(Plain):
    """A throw, choice, take-back or correction, refused unless `version` of `game` is current."""

    game: Version  # the number of the game
    version: Version  # the version you know
    seat: SeatNumber  # the seat that acts
    do: Literal["throw", "choose", "take-back", "correct"]  # what it does
    choice: Text = ""
    """The choice: the `text` of an offer, or a choice as a person types it."""
    roll: Annotated[str, Bounds(max_length=limits.LONGEST_ROLL)] = ""
    """The dice shown, if the players throw real ones."""


@dataclass(frozen=True, slots=True)
class Enter(Plain):
    """A request to follow a link."""

    key: Key  # the key of the link
    name: Name | None = None  # the name of the guest
    watch: bool = False
    """Whether to watch only, by a link that would give a seat."""


@dataclass(frozen=True, slots=True)
class LookAtLink:
    """A request to look at a link before following it."""

    key: Key  # the key of the link


@dataclass(frozen=True, slots=True)
class AtSeat(Plain):
    """A request about one seat."""

    seat: SeatNumber  # the number of the seat, from 0


@dataclass(frozen=True, slots=True)
class NameSeat(AtSeat):
    """A request to change the name of one's seat."""

    name: Name  # the new name


@dataclass(frozen=True, slots=True)
class Say(AtSeat):
    """A request to say a stock phrase."""

    phrase: Phrase  # the phrase


@dataclass(frozen=True, slots=True)
class Decline(AtSeat):
    """A request for no other game after game `game`."""

    game: Version  # the number of the game that is over


@dataclass(frozen=True, slots=True)
class Renew(Plain):
    """A request to renew a link, which revokes the old one and shuts out its users."""

    seat: Annotated[int, Bounds(ge=-1, lt=MOST_SEATS)]
    """The number of the seat; -1 is the watch link."""


@dataclass(frozen=True, slots=True)
class StandIn(AtSeat):
    """A request that a computer player take over a seat."""

    computer: KindIfAny = ""
    """The kind for a free seat; for a player's seat it was settled when the room was opened."""


@dataclass(frozen=True, slots=True)
class Again(Plain):
    """A request for another game after game `game`."""

    game: Version  # the number of the game that is over


@dataclass(frozen=True, slots=True)
class GiveWord(AtSeat):
    """A word for sealed dice: first its commitment, and it once all promises are fixed."""

    gid: Annotated[str, Bounds(pattern=r"^[0-9a-f]{32}(?!\n)$")]
    """The number of the game, in its envelope."""
    commitment: Annotated[str, Bounds(pattern=r"^[0-9a-f]{64}(?!\n)$")]
    """The hash that promises the word."""
    word: Annotated[str, Bounds(max_length=4 * LONGEST_WORD)] | None = None
    """The promised word, once it is asked for."""


@dataclass(frozen=True, slots=True)
class Subscribe(Plain):
    """A request to be told by Web Push, as a browser's `PushSubscription` describes itself."""

    endpoint: Annotated[str, Bounds(max_length=1024, pattern=r"^https://[!-~]+(?!\n)$")]
    """The address at the browser's push service."""
    p256dh: Annotated[str, Bounds(max_length=96, pattern=_BASE64)]
    """The browser's public key in base64url."""
    auth: Annotated[str, Bounds(max_length=32, pattern=_BASE64)]
    """The secret that the browser shares with this server, in base64url."""


def read_number(text: str | None, where: str, most: int = 2**31 - 1) -> int | None:
    """Return `text` of a URL as a whole number; None if empty. Raises BadRequest with `where`."""
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > most:
        raise BadRequest(
            "{where} must be a whole number from 0 to {most:,}, not {text!r}",
            where=where,
            most=most,
            text=text[:20],
        )
    return int(text)
