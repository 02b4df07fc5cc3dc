"""A room as a viewer sees it: the room itself, the viewer's own part, the log and the rules."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from shutbox.bots import character_of
from shutbox.english import listed
from shutbox.game import Game
from shutbox.match import Match
from shutbox.messages import gettext, gettext_noop, pgettext
from shutbox.picture import miniature
from shutbox.seats import is_name
from shutbox.table import Table
from shutbox.web.limits import LOG_LINES
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.rooms.permissions import Allowed, Viewer, allowed, invites_friends, shareable_seats
from shutbox.web.rooms.requests import DiceFrom, Hints, Leaver
from shutbox.web.rooms.room import INVITATION, WATCHERS, Room
from shutbox.web.rooms.sealing import SealView
from shutbox.web.rooms.table_view import LogLine, TableView, out, table_view

_LEAVERS = {
    "wait": gettext_noop("If a player leaves, the others can wait."),
    "computer": gettext_noop(
        "If a player leaves, the others can wait, or let a computer player take over."
    ),
    "end": gettext_noop(
        "If a player leaves, the others can wait, or end the game without a winner."
    ),
    "any": gettext_noop(
        "If a player leaves, the others can wait, let a computer player take over, "
        "or end the game without a winner."
    ),
}


@dataclass
class SeatView:
    """One seat of a room."""

    name: str  # the player's name
    computer: str  # the kind of computer player, or empty
    state: Literal["taken", "free", "left"]  # whether a player sits there
    due: bool  # whether the game waits for this seat
    out: str  # why the player is out, or empty
    face: str
    """The character whose face a computer player has; empty for people and kinds without one."""
    named: bool
    """Whether the name was given, rather than made from the number of the seat."""
    again: bool | None
    """Whether the player wants another game after one that is over; None before the answer."""
    wins: int
    """The games won in this room since the players last paused for some hours."""


@dataclass
class SettingsView:
    """The settings with which the room was opened."""

    game: str  # the game in notation
    format: str  # the format in notation, or empty
    dice: DiceFrom  # where the dice come from
    hints: Hints  # how much hints say
    coach: bool  # whether choices are judged
    leaver: Leaver  # what happens if a player leaves
    leaver_says: str  # the same in a sentence
    stand_in: str
    """The kind of computer player that replaces a player who has left."""
    day: str = ""
    """The UTC day of a try at the box of the day; empty at other tables."""


@dataclass
class View:
    """A room as all viewers see it."""

    room: str  # the id of the room
    number: int  # the number of its last event
    title: str  # the title of its game
    length: str
    """How long the match is, such as `First to 100`; empty for a game alone."""
    phase: Literal["waiting", "playing", "over", "ended"]  # how far the room is
    watching: int  # the number of spectators
    settings: SettingsView  # what was settled at the opening
    seats: tuple[SeatView, ...]  # the seats in order
    table: TableView | None  # the game; null before the first
    seal: SealView | None
    """None if the dice are not sealed."""


@dataclass
class Links:
    """The links that this viewer may share."""

    watch: str | None  # the key to watch, if you may know it
    seats: dict[str, str]  # the key of each seat, by its number
    join: str | None = None
    """The invitation to any free seat, for the opener only; None if no seat is free."""


@dataclass
class ViewerState:
    """The viewer's own seats, links and permissions."""

    seats: tuple[int, ...]  # the seats you play
    host: bool  # whether you opened the room
    watcher: bool  # whether you watch
    links: Links  # the keys you may know
    may: Allowed  # what you may do


@dataclass
class RulesView:
    """The rules in play, in sentences."""

    title: str  # the title of the game
    lines: tuple[str, ...]  # the rules in sentences
    typing: str  # how to type a choice


@dataclass
class Invites:
    """The table that a guest is invited to, shown when the guest is asked for a name."""

    title: str  # the title of the table
    players: tuple[str, ...]
    """The players already seated who have given a name."""
    says: tuple[str, ...]
    """The agreements about players who leave."""
    name: str = ""
    """The name that the opener gave the guest; empty if there is none."""
    length: str = ""
    """How long the match is, such as `First to 100`."""


def view(room: Room, watching: int) -> View:
    """Return a room as all viewers see it; `watching` is the number of spectators."""
    plan, table = room.opened, room.table
    due = table.due if table is not None and room.phase == "playing" else None
    return View(
        room=room.id,
        number=room.number,
        title=room.rule_card.title,
        length=_length(room.plays),
        phase=room.phase,
        watching=watching,
        settings=SettingsView(
            *(plan.game, plan.format or "", plan.dice, plan.hints, plan.coach, plan.leaver),
            *(gettext(_LEAVERS[plan.leaver]), plan.stand_in, room.day if room.is_of_day else ""),
        ),
        seats=tuple(
            SeatView(
                name=state.name,
                computer=state.computer,
                state="free" if not state.taken else "left" if state.left else "taken",
                due=seat == due,
                out=out(table, seat),
                face=_face(state.computer),
                named=is_name(state.name, seat),
                again=state.again,
                wins=wins,
            )
            for seat, (state, wins) in enumerate(zip(room.seats, room.score, strict=True))
        ),
        table=None if table is None else _table(room, table),
        seal=None if room.dice is None else room.dice.shown,
    )


def _length(game: Game[Any, Any]) -> str:
    return game.format.length if isinstance(game, Match) else ""


def _table(room: Room, table: Table[Any, Any]) -> TableView:
    found = table_view(table, room.game, room.rounds, room.score)
    if room.is_of_day and room.phase == "over":
        found.taker_back = None
    return found


def _face(kind: str) -> str:
    character = character_of(kind) if kind else None
    return character.id if character is not None else ""


def player(kind: str) -> str:
    """Return the name of a kind of computer player: its character's, or the kind itself.

    >>> player("careful"), player("fixed:7")
    ('Hobbs', 'fixed:7')
    """
    character = character_of(kind)
    return character.name if character is not None else kind


def invites(room: Room, opens: int) -> Invites:
    """Return what a guest sees before joining; `opens` is the link's free seat, or INVITATION."""
    seated = ((seat, state) for seat, state in enumerate(room.seats) if state.taken)
    players = tuple(state.name for seat, state in seated if is_name(state.name, seat))
    plan = room.opened
    says = [gettext(_LEAVERS[plan.leaver])]
    if plan.leaver in ("computer", "any"):
        says.append(
            gettext("The computer player who takes over is {kind}.", kind=player(plan.stand_in))
        )
    seat = opens if opens >= 0 else [*room.free, 0][0]
    # With several free seats, the one that the guest will take is not known.
    is_sure = opens >= 0 or len(room.free) == 1
    is_named = is_sure and room.is_reserved(seat)
    name = room.seats[seat].name if is_named else ""
    return Invites(room.rule_card.title, players, tuple(says), name, _length(room.plays))


def viewer_state(
    room: Room, viewer: Viewer, address: str, keyring: Keyring | None, now: float
) -> ViewerState:
    """Return a viewer's seats, permissions and links. A link is the room's `address` and a key.

    Without a keyring there are no links.
    """
    granted, links = allowed(room, viewer, now), Links(None, {})
    if keyring is None:
        granted = replace(granted, renew=())
    else:

        def link(seat: int) -> str:
            return f"{address}#{keyring.key(room.id, seat, room.links[seat])}"

        links = Links(
            watch=link(WATCHERS) if viewer.may_see else None,
            seats={str(seat): link(seat) for seat in shareable_seats(room, viewer)},
            join=link(INVITATION) if invites_friends(room, viewer) else None,
        )
    return ViewerState(tuple(sorted(viewer.seats)), viewer.opener, viewer.watcher, links, granted)


def is_due(view: View, you: ViewerState) -> bool:
    """Whether this viewer must act: at their own seat, or by throwing real dice for another."""
    table = view.table
    if table is None or table.seat is None or view.phase != "playing":
        return False
    seat = view.seats[table.seat]
    plays = table.seat in you.seats and seat.state == "taken" and not seat.computer
    if table.does == "throw" and view.settings.dice == "hand":
        return (plays and you.may.types_dice) or table.seat in you.may.throw_for
    return plays


def log_lines(room: Room) -> tuple[LogLine, ...]:
    """Return the last LOG_LINES log entries with sentences, for newcomers."""
    told = [line.number for line in room.log if line.says][-LOG_LINES:]
    return tuple(map(room.line, told))


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table in a list of a player's own tables."""

    room: str
    title: str
    players: str
    stands: str
    """Whose turn it is, and the points."""
    miniature: str
    """The current box as SVG; empty before the game begins."""


def table_card(room: Room, view: View) -> TableCard:
    """Return the card of a room for a list, from the room's view."""
    names = listed(seat.name or pgettext("seat", "somebody") for seat in view.seats)
    drawn = miniature(room.table.scene.pieces if room.table else ())
    return TableCard(view.room, view.title, names, _stands(view), drawn)


def _stands(view: View) -> str:
    table = view.table
    if table is None or table.seat is None:
        return gettext("Waiting for players")
    plate, name = table.plates[table.seat], view.seats[table.seat].name
    if not view.seats[1:]:
        turn = pgettext("said", "Your turn")
    elif table.does == "throw":
        turn = gettext("{name} to throw", name=name)
    else:
        turn = gettext("{name} to choose", name=name)
    points = "" if plate.points is None else f" · {plate.points} {plate.says}"
    return f"{turn}{points}"
