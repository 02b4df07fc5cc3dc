"""What a viewer sees of a room: the room itself, who is looking, the log and the rules."""

from dataclasses import dataclass
from typing import Literal

from shutbox.messages import gettext, gettext_noop
from shutbox.web.limits import LOG_LINES
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.rooms.permissions import May, Viewer, hands_on, may
from shutbox.web.rooms.requests import DiceFrom, Hints, Leaver
from shutbox.web.rooms.room import WATCHERS, Room
from shutbox.web.rooms.table_view import TableView, out, table_view

_LEAVERS = {
    "wait": gettext_noop("If somebody leaves, the others may wait."),
    "computer": gettext_noop(
        "If somebody leaves, the others may wait, or let a computer player go on."
    ),
    "end": gettext_noop(
        "If somebody leaves, the others may wait, or end the game without a winner."
    ),
    "any": gettext_noop(
        "If somebody leaves, the others may wait, let a computer player go on, or end the game "
        "without a winner."
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


@dataclass
class SettingsView:
    """What was settled when the room was opened."""

    game: str
    format: str
    dice: DiceFrom
    hints: Hints
    coach: bool
    leaver: Leaver
    leaver_says: str


@dataclass
class View:
    """A room as everybody sees it."""

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
    """The links that this viewer may hand on."""

    watch: str | None
    seats: dict[str, str]


@dataclass
class You:
    """Who is looking."""

    seats: tuple[int, ...]
    host: bool
    watcher: bool
    links: Links
    may: May


@dataclass
class LogLine:
    """What was said when one event happened."""

    number: int
    says: tuple[str, ...]
    kind: str
    seat: int | None


@dataclass
class RulesView:
    """The rules in play, in sentences."""

    title: str
    lines: tuple[str, ...]
    typing: str


@dataclass
class Invites:
    """The table to whose free seat a link leads, for a guest who is asked for a name."""

    title: str
    players: tuple[str, ...]
    """Those who sit there already."""
    says: tuple[str, ...]
    """What to know before the game."""


def view(room: Room, watching: int) -> View:
    """A room as everybody sees it who may see it."""
    plan, table = room.opened, room.table
    due = table.due if table is not None and room.phase == "playing" else None
    return View(
        room=room.id,
        number=room.number,
        title=room.title,
        phase=room.phase,
        watching=watching,
        settings=SettingsView(
            game=plan.game,
            format=plan.format or "",
            dice=plan.dice,
            hints=plan.hints,
            coach=plan.coach,
            leaver=plan.leaver,
            leaver_says=gettext(_LEAVERS[plan.leaver]),
        ),
        seats=tuple(
            SeatView(
                name=state.name,
                computer=state.computer,
                state="free" if not state.taken else "left" if state.left else "taken",
                due=seat == due,
                out=out(table, seat),
            )
            for seat, state in enumerate(room.seats)
        ),
        table=None if table is None else table_view(table, room.game, room.rounds),
    )


def invites(room: Room) -> Invites:
    """What a guest with the link of a free seat sees before sitting down."""
    players = tuple(state.name for state in room.seats if state.taken)
    return Invites(room.title, players, (gettext(_LEAVERS[room.opened.leaver]),))


def you(room: Room, viewer: Viewer, address: str, keyring: Keyring, now: float) -> You:
    """Who is looking, what else they may do, and the links they may hand on.

    `address` is where the room is, to which a link adds its key.
    """

    def link(seat: int) -> str:
        links = room.watch_links if seat == WATCHERS else room.seats[seat].links
        return f"{address}#{keyring.key(room.id, seat, links)}"

    return You(
        seats=tuple(sorted(viewer.seats)),
        host=viewer.host,
        watcher=viewer.watcher,
        links=Links(
            watch=link(WATCHERS) if viewer.may_see else None,
            seats={str(seat): link(seat) for seat in hands_on(room, viewer)},
        ),
        may=may(room, viewer, now),
    )


def is_due(view: View, you: You) -> bool:
    """Whether this viewer is to act: for a seat of their own, or to throw real dice for another."""
    table = view.table
    if table is None or table.seat is None or view.phase != "playing":
        return False
    seat = view.seats[table.seat]
    plays = table.seat in you.seats and seat.state == "taken" and not seat.computer
    return plays or (table.does == "throw" and table.seat in you.may.throw_for)


def log_lines(room: Room) -> tuple[LogLine, ...]:
    """What was said last, for newcomers."""
    told = [event for event in room.log if event.says][-LOG_LINES:]
    return tuple(LogLine(event.number, event.says, event.kind, event.seat) for event in told)


def rules_of(room: Room) -> RulesView:
    """The rules in play."""
    card = room.rule_card
    return RulesView(card.title, card.lines, card.typing)
