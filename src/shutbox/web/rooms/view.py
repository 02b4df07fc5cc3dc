"""What a viewer sees of a room: the room itself, who is looking, the log and the rules."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from shutbox.bots import character_of
from shutbox.english import listed
from shutbox.messages import gettext, gettext_noop
from shutbox.picture import miniature
from shutbox.table import Table
from shutbox.web.limits import LOG_LINES
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.rooms.permissions import May, Viewer, hands_on, invites_friends, may
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
    """The character whose face a computer player has; empty where it has none, and of people."""


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
    stand_in: str
    """The computer player that goes on for somebody who has left."""
    day: str = ""
    """Of a try at the box of a day: that day, in UTC."""


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
    join: str | None = None
    """The invitation to whichever seat is free, told to the opener while there is one."""


@dataclass
class You:
    """Who is looking."""

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
    """The table to whose free seat a link leads, for a guest who is asked for a name."""

    title: str
    players: tuple[str, ...]
    """Those who sit there already."""
    says: tuple[str, ...]
    """What to know before the game."""
    name: str = ""
    """What the host calls the guest; empty where nobody has said."""


def view(room: Room, watching: int) -> View:
    """A room as everybody sees it who may see it."""
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
    """Who plays as a kind of computer player: the name of a character, or the kind.

    >>> player("careful"), player("fixed:7")
    ('Hobbs', 'fixed:7')
    """
    character = character_of(kind)
    return character.name if character is not None else kind


def invites(room: Room, opens: int) -> Invites:
    """Return what a guest sees before sitting down, by the link of a free seat or INVITATION."""
    players = tuple(state.name for state in room.seats if state.taken)
    plan = room.opened
    says = [gettext(_LEAVERS[plan.leaver])]
    if plan.leaver in ("computer", "any"):
        says.append(
            gettext("The computer player who takes over is {kind}.", kind=player(plan.stand_in))
        )
    seat = opens if opens >= 0 else [*room.free, 0][0]
    # Of several free seats nobody knows which one the guest will take.
    is_sure = opens >= 0 or len(room.free) == 1
    is_named = is_sure and room.is_kept(seat)
    return Invites(
        room.rule_card.title, players, tuple(says), room.seats[seat].name if is_named else ""
    )


def you(room: Room, viewer: Viewer, address: str, keyring: Keyring | None, now: float) -> You:
    """Who is looking, what they may do, and their links: the room's `address` and a key.

    Without a keyring nobody can come by a link, and there is none.
    """
    allowed, links = may(room, viewer, now), Links(None, {})
    if keyring is None:
        allowed = replace(allowed, renew=())
    else:

        def link(seat: int) -> str:
            return f"{address}#{keyring.key(room.id, seat, room.links[seat])}"

        links = Links(
            watch=link(WATCHERS) if viewer.may_see else None,
            seats={str(seat): link(seat) for seat in hands_on(room, viewer)},
            join=link(INVITATION) if invites_friends(room, viewer) else None,
        )
    return You(tuple(sorted(viewer.seats)), viewer.host, viewer.watcher, links, allowed)


def is_due(view: View, you: You) -> bool:
    """Whether this viewer is to act: for a seat of their own, or to throw real dice for another."""
    table = view.table
    if table is None or table.seat is None or view.phase != "playing":
        return False
    seat = view.seats[table.seat]
    plays = table.seat in you.seats and seat.state == "taken" and not seat.computer
    if table.does == "throw" and view.settings.dice == "hand":
        return (plays and you.may.types_dice) or table.seat in you.may.throw_for
    return plays


def log_lines(room: Room) -> tuple[LogLine, ...]:
    """What was said last, for newcomers."""
    return tuple([line for line in room.log if line.says][-LOG_LINES:])


def rules_of(room: Room) -> RulesView:
    """The rules in play."""
    card = room.rule_card
    return RulesView(card.title, card.lines, card.typing)


@dataclass(frozen=True, slots=True)
class TableCard:
    """One of them."""

    room: str
    title: str
    players: str
    stands: str
    """Who is to play, and the score."""
    miniature: str
    """The box as it stands, as SVG; empty before the game begins."""


def table_card(room: Room, view: View) -> TableCard:
    """Return the card of a room as it is seen."""
    names = listed(seat.name or gettext("somebody") for seat in view.seats)
    drawn = miniature(room.table.scene.pieces if room.table else ())
    return TableCard(view.room, view.title, names, _stands(view), drawn)


def _stands(view: View) -> str:
    if view.table is None:
        return gettext("Waiting for players.")
    due = [seat.name for seat in view.seats if seat.due and view.seats[1:]]
    return " ".join([*(gettext("{name} is to play.", name=name) for name in due), view.table.score])
