"""A room as a viewer sees it: the room itself, the viewer's own part, the log and the rules."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from shutbox.bots import character_of
from shutbox.english import listed
from shutbox.messages import gettext, gettext_noop
from shutbox.picture import miniature
from shutbox.table import Table
from shutbox.web.limits import LOG_LINES
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.rooms.permissions import May, Viewer, invites_friends, may, shareable_seats
from shutbox.web.rooms.requests import DiceFrom, Hints, Leaver
from shutbox.web.rooms.room import INVITATION, WATCHERS, LogLine, Room
from shutbox.web.rooms.table_view import TableView, out, table_view

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

    name: str
    computer: str
    state: Literal["taken", "free", "left"]
    due: bool
    out: str
    face: str
    """The character whose face a computer player has; empty for people and kinds without one."""


@dataclass
class SettingsView:
    """The settings with which the room was opened."""

    game: str
    format: str
    dice: DiceFrom
    hints: Hints
    coach: bool
    leaver: Leaver
    leaver_says: str
    stand_in: str
    """The kind of computer player that replaces a player who has left."""
    day: str = ""
    """The UTC day of a try at the box of the day; empty at other tables."""


@dataclass
class View:
    """A room as all viewers see it."""

    room: str
    number: int
    title: str
    phase: Literal["waiting", "playing", "over", "ended"]
    watching: int
    settings: SettingsView
    seats: tuple[SeatView, ...]
    table: TableView | None


@dataclass
class Links:
    """The links that this viewer may share."""

    watch: str | None
    seats: dict[str, str]
    join: str | None = None
    """The invitation to any free seat, for the opener only; None if no seat is free."""


@dataclass
class You:
    """The viewer's own seats, links and permissions."""

    seats: tuple[int, ...]
    host: bool
    watcher: bool
    links: Links
    may: May


@dataclass
class RulesView:
    """The rules in play, in sentences."""

    title: str
    lines: tuple[str, ...]
    typing: str


@dataclass
class Invites:
    """The table that a guest is invited to, shown when the guest is asked for a name."""

    title: str
    players: tuple[str, ...]
    """The players already seated."""
    says: tuple[str, ...]
    """The agreements about players who leave."""
    name: str = ""
    """The name that the host gave the guest; empty if there is none."""


def view(room: Room, watching: int) -> View:
    """Return a room as all viewers see it; `watching` is the number of spectators."""
    plan, table = room.opened, room.table
    due = table.due if table is not None and room.phase == "playing" else None
    return View(
        room=room.id,
        number=room.number,
        title=room.rule_card.title,
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
            )
            for seat, state in enumerate(room.seats)
        ),
        table=None if table is None else _table(room, table),
    )


def _table(room: Room, table: Table[Any, Any]) -> TableView:
    found = table_view(table, room.game, room.rounds)
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
    players = tuple(state.name for state in room.seats if state.taken)
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
    return Invites(
        room.rule_card.title, players, tuple(says), room.seats[seat].name if is_named else ""
    )


def you(room: Room, viewer: Viewer, address: str, keyring: Keyring | None, now: float) -> You:
    """Return a viewer's seats, permissions and links. A link is the room's `address` and a key.

    Without a keyring there are no links.
    """
    allowed, links = may(room, viewer, now), Links(None, {})
    if keyring is None:
        allowed = replace(allowed, renew=())
    else:

        def link(seat: int) -> str:
            return f"{address}#{keyring.key(room.id, seat, room.links[seat])}"

        links = Links(
            watch=link(WATCHERS) if viewer.may_see else None,
            seats={str(seat): link(seat) for seat in shareable_seats(room, viewer)},
            join=link(INVITATION) if invites_friends(room, viewer) else None,
        )
    return You(tuple(sorted(viewer.seats)), viewer.host, viewer.watcher, links, allowed)


def is_due(view: View, you: You) -> bool:
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
    return tuple([line for line in room.log if line.says][-LOG_LINES:])


def rules_of(room: Room) -> RulesView:
    """Return the rules in play."""
    card = room.rule_card
    return RulesView(card.title, card.lines, card.typing)


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table in a list of a player's own tables."""

    room: str
    title: str
    players: str
    stands: str
    """The player who is due, and the score."""
    miniature: str
    """The current box as SVG; empty before the game begins."""


def table_card(room: Room, view: View) -> TableCard:
    """Return the card of a room for a list, from the room's view."""
    names = listed(seat.name or gettext("somebody") for seat in view.seats)
    drawn = miniature(room.table.scene.pieces if room.table else ())
    return TableCard(view.room, view.title, names, _stands(view), drawn)


def _stands(view: View) -> str:
    if view.table is None:
        return gettext("Waiting for players.")
    due = [seat.name for seat in view.seats if seat.due and view.seats[1:]]
    return " ".join([*(gettext("{name} is to play.", name=name) for name in due), view.table.score])
