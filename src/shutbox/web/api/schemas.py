"""Every shape of data that goes over the wire: what comes in is checked by it, what goes out is it.

The OpenAPI document is made of these, so it cannot say anything else. An object that comes in with
a key that is not known is refused. All of them stand in one file, however long: shapes hold shapes,
and whoever writes a client reads them from top to bottom.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from shutbox.player_names import LONGEST_NAME
from shutbox.seats import MOST_SEATS
from shutbox.web.limits import (
    LONGEST_ACTION,
    LONGEST_KEY,
    LONGEST_KIND,
    LONGEST_ROLL,
    LONGEST_TEXT,
)

# Without what looks ahead, `$` would let a newline pass at the end.
_WORD = r"^[A-Za-z0-9_-]+(?!\n)$"
_WHO = r"^(me|here|link|computer(:[a-z0-9-]+(:[^,\n]*)?)?)(?!\n)$"
_KIND = r"^[a-z]+(:[A-Za-z0-9 _-]+)?(?!\n)$"

Action = Annotated[str, Meta(min_length=8, max_length=LONGEST_ACTION, pattern=_WORD)]
"""An id that the client makes, a new one for each thing it wants done: the same again is the same
thing, and is done once."""
Key = Annotated[str, Meta(min_length=1, max_length=LONGEST_KEY)]
"""The secret of a seat's link or of a watch link."""
Text = Annotated[str, Meta(max_length=LONGEST_TEXT)]
Name = Annotated[str, Meta(max_length=4 * LONGEST_NAME)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MOST_SEATS)]
Version = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Hints = Literal["off", "legal", "ranked", "explained"]
Leaver = Literal["wait", "computer", "end", "any"]
DiceFrom = Literal["system", "hand"]


class Inward(Struct, forbid_unknown_fields=True):
    """What comes in."""


class Outward(Struct, gc=False):
    """What goes out; never part of a cycle."""


# What lies on the table


class PieceView(Outward):
    """One thing on the table; see `shutbox.scene.Piece`."""

    key: str
    kind: str
    face: str
    state: str
    label: str
    row: int
    sides: int


class OfferView(Outward):
    """One choice that is open: hand back its `text`."""

    text: str
    says: str
    takes: tuple[str, ...]


class AnswerView(Outward):
    """One more question of a match, and its answer."""

    key: str
    about: str
    says: str


class SheetRow(Outward):
    """One round that is over."""

    round: str
    cells: tuple[str, ...]
    won: tuple[int, ...]
    note: str


class Sheet(Outward):
    """The score sheet of a match: a column for each seat."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    totals: tuple[str, ...]
    chips: tuple[str, ...] | None
    pot: str | None


class TableView(Outward):
    """One game as everybody sees it."""

    game: int
    version: int
    does: Literal["throw", "choose", "over"]
    seat: int | None
    throws: str
    says: tuple[str, ...]
    dice: str
    board: str
    score: str
    legal: str
    ask: str
    enter: str
    default: str | None
    pieces: tuple[PieceView, ...]
    offers: tuple[OfferView, ...]
    answers: tuple[AnswerView, ...]
    target: int | None
    taker_back: int | None
    correctable: int | None
    shut: bool
    sheet: Sheet | None
    scores: tuple[str, ...]
    winners: tuple[int, ...]


# The room


class SeatView(Outward):
    """One seat of a room."""

    name: str
    computer: str
    state: Literal["taken", "free", "left"]
    due: bool
    out: str


class SettingsView(Outward):
    """What was settled when the room was opened."""

    game: str
    format: str
    dice: DiceFrom
    hints: Hints
    coach: bool
    leaver: Leaver
    leaver_says: str


class View(Outward):
    """A room as everybody sees it."""

    room: str
    number: int
    title: str
    phase: Literal["waiting", "playing", "over", "ended"]
    watching: int
    settings: SettingsView
    seats: tuple[SeatView, ...]
    table: TableView | None


class Links(Outward):
    """The links that this viewer may hand on."""

    watch: str | None
    seats: dict[str, str]


class May(Outward):
    """What this viewer may do besides playing."""

    leave: tuple[int, ...] = ()
    come_back: tuple[int, ...] = ()
    stand_in: tuple[int, ...] = ()
    end: bool = False
    rematch: bool = False
    renew: tuple[int, ...] = ()
    throw_for: tuple[int, ...] = ()
    """Computer players whose dice people throw, and type, where the dice are real ones."""


class You(Outward):
    """Who is looking."""

    seats: tuple[int, ...]
    host: bool
    watcher: bool
    links: Links
    may: May


class LogLine(Outward):
    """What was said when one event happened."""

    number: int
    says: tuple[str, ...]


class Rules(Outward):
    """The rules in play, in sentences."""

    title: str
    lines: tuple[str, ...]
    typing: str


class Room(Outward):
    """A room, and who is looking."""

    view: View
    you: You
    log: tuple[LogLine, ...]
    rules: Rules


# What is asked


class NewSeat(Inward):
    """One seat of a room to be opened."""

    who: Annotated[str, Meta(max_length=LONGEST_KIND, pattern=_WHO)]
    """`me` or `here`: whoever opens the room plays it; `link`: whoever comes by its link;
    `computer` or `computer:KIND`."""
    name: Name = ""


class NewRoom(Inward):
    """A room to be opened."""

    action: Action
    game: Text = "classic"
    """A game, a preset or a match in the notation of names."""
    format: Text = ""
    seats: Annotated[tuple[NewSeat, ...], Meta(min_length=1, max_length=MOST_SEATS)] = (
        NewSeat("me"),
    )
    dice: DiceFrom = "system"
    hints: Hints = "explained"
    coach: bool = False
    leaver: Leaver = "any"


class Opened(Outward):
    """A room that was opened, with every secret of it, told only here."""

    number: int
    keys: dict[str, str]
    """The key of each seat by its number, and of `watch` and `host`; hand one back as
    `Authorization: Bearer KEY`, several with commas between them."""
    view: View
    you: You


class Act(Inward):
    """A throw or a choice, or something taken back."""

    action: Action
    game: Version
    version: Version
    seat: SeatNumber
    do: Literal["throw", "choose", "take-back", "correct"]
    choice: Text = ""
    """What is chosen, as an offer's `text` has it, or as a person types it."""
    roll: Annotated[str, Meta(max_length=LONGEST_ROLL)] = ""
    """What the dice show, where people throw their own."""


class Acted(Outward):
    """What came of it, on the disk."""

    number: int
    said: tuple[str, ...]
    coach: tuple[str, ...]
    view: View
    you: You


class Enter(Inward):
    """A link is followed."""

    action: Action
    key: Key
    name: Name | None = None


class AtSeat(Inward):
    """Something done to one seat."""

    action: Action
    seat: SeatNumber


class Renew(Inward):
    """A link that is made anew: the old one, and whoever came by it, are shut out.

    Seat -1 is the watch link.
    """

    action: Action
    seat: Annotated[int, Meta(ge=-1, lt=MOST_SEATS)]


class StandIn(Inward):
    """A computer player goes on for a seat."""

    action: Action
    seat: SeatNumber
    computer: Annotated[str, Meta(max_length=LONGEST_KIND, pattern=_KIND)] = "fewest"


class Plain(Inward):
    """Something that needs no more than to be done."""

    action: Action


class Again(Inward):
    """Another game after game `game`."""

    action: Action
    game: Version


class Done(Outward):
    """What a room is like after something was done."""

    number: int
    view: View
    you: You


class Seated(Outward):
    """What a link opened."""

    number: int
    seat: int | None
    """None: the link is for watching."""
    key: str
    """The key to come back with; a play link is good for one entering."""
    view: View
    you: You


class Hint(Outward):
    """Advice for whoever is due."""

    says: tuple[str, ...]


class Step(Outward):
    """One event of a record."""

    says: tuple[str, ...]
    pieces: tuple[PieceView, ...]
    seat: int | None


class Replay(Outward):
    """A record, played again."""

    title: str
    players: tuple[str, ...]
    fault: str | None
    steps: tuple[Step, ...]


class Reason(Outward):
    """Why something was refused."""

    code: str
    message: str


class Invites(Outward):
    """The table to whose free seat a link leads, for whoever is asked for a name."""

    title: str
    players: tuple[str, ...]
    """Those who sit there already."""
    says: tuple[str, ...]
    """What is to be known before the game."""


class Refused(Outward, omit_defaults=True):
    """A refusal; with where things stand, if that is why, or the table that asks for a name."""

    error: Reason
    number: int | UnsetType = UNSET
    view: View | UnsetType = UNSET
    invites: Invites | UnsetType = UNSET


# The catalogue


class GameView(Outward):
    """A game that can be played."""

    id: str
    title: str
    about: str


class KindView(Outward):
    """A kind of computer player."""

    id: str
    about: str


class Catalogue(Outward):
    """All that can be chosen."""

    games: tuple[GameView, ...]
    presets: tuple[GameView, ...]
    computers: tuple[KindView, ...]


# The stream


class Happened(Outward):
    """One event of a room."""

    kind: str
    seat: int | None
    says: tuple[str, ...]


class EventMessage(Outward, tag="event"):
    """An event, and where things stand after it."""

    number: int
    happened: Happened
    view: View
    you_changed: bool


class PictureMessage(Outward, tag="picture"):
    """Everything, where the gap is too long."""

    number: int
    view: View
    log: tuple[LogLine, ...]


class WatchingMessage(Outward, tag="watching"):
    """How many spectators listen."""

    watching: int


Message = EventMessage | PictureMessage | WatchingMessage
