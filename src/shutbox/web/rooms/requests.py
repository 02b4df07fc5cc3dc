"""The requests to a server and its rooms: plain values with bounds for their fields, and forms.

The bounds of a field stand beside its type, and requests from outside are checked against them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from shutbox.engine.names import MOST_CHARACTERS
from shutbox.engine.sealed_dice import LONGEST_WORD
from shutbox.engine.seats import DEFAULT_KIND, MOST_SEATS
from shutbox.web import limits
from shutbox.web.errors import BadRequest
from shutbox.web.rooms.access import new_action
from shutbox.web.rooms.events import Hints, Leaver, Phrase
from shutbox.web.rooms.shapes import Meta

# Without the lookahead, `$` would accept a newline at the end.
_WORD = r"^[A-Za-z0-9_-]+(?!\n)$"
_BASE64 = r"^[A-Za-z0-9_-]{%d}={0,2}(?!\n)$"
_WHO = r"^(me|here|link|computer(:[a-z0-9.-]+(:[^,\n]*)?)?)(?!\n)$"
_KIND = r"[a-z][a-z0-9.-]*(:[A-Za-z0-9 _-]+)?"

ActionId = Annotated[str, Meta(min_length=8, max_length=limits.LONGEST_ACTION, pattern=_WORD)]
"""An id that the client makes for each action; a retry with the same id is not done twice."""
Key = Annotated[str, Meta(max_length=limits.LONGEST_KEY)]
"""The secret of a seat's link or of a watch link, or the whole link."""
Text = Annotated[str, Meta(max_length=limits.LONGEST_TEXT)]
Name = Annotated[str, Meta(max_length=MOST_CHARACTERS)]
Kind = Annotated[str, Meta(max_length=limits.LONGEST_KIND, pattern=rf"^{_KIND}(?!\n)$")]
"""A kind of computer player."""
KindIfAny = Annotated[str, Meta(max_length=limits.LONGEST_KIND, pattern=rf"^({_KIND})?(?!\n)$")]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]


@dataclass(frozen=True, slots=True)
class Plain:
    """A request that needs only the id of its action."""

    action: ActionId  # an id that you make; a retry with it is not done twice


@dataclass(frozen=True, slots=True)
class NewSeat:
    """One seat of a new room."""

    who: Annotated[str, Meta(max_length=limits.LONGEST_KIND, pattern=_WHO)]
    """`me` or `here` for the opener, `link` for a guest, `computer` or `computer:KIND`."""
    name: Name = ""  # empty for a guest who says it later


@dataclass(frozen=True, slots=True)
class NewRoom(Plain):
    """A request to open a room."""

    game: Text = "classic"  # a game, a preset or a match in the notation of names
    format: Text = ""  # how turns become a match; empty for that of the game
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=1, max_length=MOST_SEATS)] = (
        NewSeat("me"),
    )
    """The seats in order."""
    dice: Literal["system", "hand"] = "system"  # `hand` if people throw and type
    hints: Hints = "explained"  # how much hints say
    coach: bool = False  # whether choices are judged
    leaver: Leaver = "any"  # what happens if a player leaves
    stand_in: Kind = DEFAULT_KIND  # the kind of computer player that replaces a player who has left
    position: Text = ""  # the first position, such as `1.5.9/2+4`, for one player without a format


@dataclass(frozen=True, slots=True)
class TakeChallenge(Plain):
    """A request to play a game with the dice of another one, which is over."""

    dice: Annotated[str, Meta(max_length=limits.LONGEST_CHALLENGE, pattern=_WORD)]
    """The part of the challenge's link after `dice=`."""


@dataclass(frozen=True, slots=True)
class Act(Plain):
    """A throw, choice, take-back or correction, refused unless `version` of `game` is current."""

    game: Version  # the number of the game
    version: Version  # the version you know
    seat: SeatNumber  # the seat that acts
    do: Literal["throw", "choose", "take-back", "correct"]  # what it does
    choice: Text = ""  # the choice: the `text` of an offer, or a choice as a person types it
    roll: Annotated[str, Meta(max_length=limits.LONGEST_ROLL)] = ""
    """The dice shown, if the players throw real ones."""


@dataclass(frozen=True, slots=True)
class Enter(Plain):
    """A request to follow a link."""

    key: Key  # the key of the link, or the whole link
    name: Name | None = None  # the name of the guest
    watch: bool = False  # whether to watch only, by a link that would give a seat


@dataclass(frozen=True, slots=True)
class LookAtLink:
    """A request to look at a link before following it."""

    key: Key  # the key of the link, or the whole link


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
    """A refusal of another game after game `game`."""

    game: Version  # the number of the game that is over


@dataclass(frozen=True, slots=True)
class Renew(Plain):
    """A request to renew the link of a seat or to watch, which shuts out all others who used it."""

    seat: Annotated[int, Meta(ge=-1, lt=MOST_SEATS)]  # the number of the seat; -1: the watch link


@dataclass(frozen=True, slots=True)
class StandIn(AtSeat):
    """A request that a computer player take over a seat."""

    computer: KindIfAny = ""  # the kind for a free seat; empty for the one settled at the opening


@dataclass(frozen=True, slots=True)
class Again(Plain):
    """A request for another game after game `game`."""

    game: Version  # the number of the game that is over


@dataclass(frozen=True, slots=True)
class GiveWord(AtSeat):
    """A client's word for sealed dice, to be sent once the client has kept the envelope."""

    gid: Annotated[str, Meta(pattern=r"^[0-9a-f]{32}(?!\n)$")]
    """The number of the game, in its envelope."""
    word: Annotated[str, Meta(max_length=4 * LONGEST_WORD)]
    """The word."""


@dataclass(frozen=True, slots=True)
class Subscribe(Plain):
    """A request to be told of turns by Web Push, with what a `PushSubscription` contains."""

    endpoint: Annotated[str, Meta(max_length=1024, pattern=r"^https://[!-~]+(?!\n)$")]
    """The address at the browser's push service."""
    p256dh: Annotated[str, Meta(pattern=_BASE64 % 87)]  # its public key, 65 bytes in base64url
    auth: Annotated[str, Meta(pattern=_BASE64 % 22)]
    """The secret that the browser shares with this server, 16 bytes in base64url."""


def read_number(text: str | None, where: str, most: int = 2**31 - 1) -> int | None:
    """Return a URL's number, 0 to `most`; None for None. Raises BadRequest that names `where`."""
    if text is None:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > 10 or int(text) > most:
        raise BadRequest(
            "the field {where} must be a whole number from 0 to {most:,}, not {text!r}",
            where=where,
            most=most,
            text=text[:20],
        )
    return int(text)


class Form:
    """The fields of a form; a name may occur several times.

    >>> form = Form([("seat", "0"), ("tile", "1"), ("tile", "7")])
    >>> form.one("seat"), form.all("tile"), form.one("name")
    ('0', ['1', '7'], '')
    """

    def __init__(self, fields: Sequence[tuple[str, str]]) -> None:
        self.fields = tuple(fields)

    def one(self, name: str) -> str:
        """Return the value of the first field with a name, or "" if it was not sent."""
        return next(iter(self.all(name)), "")

    def all(self, name: str) -> list[str]:
        """Return the values of all fields with a name, in order."""
        return [value for other, value in self.fields if other == name]

    def number(self, name: str) -> int:
        """Return a field's first value. Raises BadRequest unless it is a whole number."""
        text = self.one(name)
        if not re.fullmatch("-?[0-9]{1,10}", text):
            raise BadRequest(
                "the field {field} must be a whole number, not {text!r}", field=name, text=text[:20]
            )
        return int(text)

    @property
    def action(self) -> str:
        """The idempotency id of the form; if it was not sent, a new one at each access."""
        return self.one("action") or new_action()
