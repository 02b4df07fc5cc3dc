"""A room as a viewer sees it: the room itself, the viewer's own part, the log and the rules."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from shutbox.engine.english import listed
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.match import Match
from shutbox.match.standing import Status, Tally
from shutbox.output.picture import miniature
from shutbox.solving.strategy.fixed import character_of
from shutbox.web.limits import LOG_LINES
from shutbox.web.rooms.access import Allowed, Keyring, Viewer, allowed, shareable_seats
from shutbox.web.rooms.events import DiceFrom, Hints, Leaver
from shutbox.web.rooms.log_line import LogLine
from shutbox.web.rooms.room import INVITATION, WATCHERS, Room
from shutbox.web.rooms.sealing import SealView
from shutbox.web.rooms.shapes import names_of
from shutbox.web.rooms.table_view import TableView, table_view

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
    face: str  # the character whose face a computer player has; empty if there is none
    named: bool  # whether the name was given, rather than made from the number of the seat
    again: bool | None  # whether the player wants another game after this; None before the answer
    wins: int  # the games won in this room since the players last paused for some hours
    phrase: str  # the phrase that the player has said since the last throw; empty without one


@dataclass
class SettingsView:
    """The settings with which the room was opened."""

    game: str  # the game in notation
    format: str  # the format in notation, or empty
    dice: DiceFrom  # where the dice come from
    hints: Hints  # how much hints say
    coach: bool  # whether choices are judged
    leaver: Leaver  # what happens if a player leaves
    stand_in: str  # the kind of computer player that replaces a player who has left
    day: str = ""  # the UTC day whose box it is, at a table of a box of the day; else empty
    is_try: bool = False  # whether this is the one try at the box of that day, which counts


@dataclass
class View:
    """A room as all viewers see it."""

    room: str  # the id of the room
    number: int  # the number of its last event
    title: str  # the title of its game
    length: str  # how long the match is, such as `First to 100`; empty for a game alone
    phase: Literal["waiting", "playing", "over", "ended"]  # how far the room is
    watching: int  # the number of spectators
    settings: SettingsView  # what was settled at the opening
    seats: tuple[SeatView, ...]  # the seats in order
    table: TableView | None  # the game; null before the first
    seal: SealView | None  # None if the dice are not sealed


@dataclass
class Links:
    """The links that this viewer may share."""

    watch: str | None  # the link to watch, if you may know it
    seats: dict[str, str]  # the link of each seat, by its number
    join: str | None = None  # the opener's invitation to any free seat; None if there is none


@dataclass
class ViewerState:
    """The viewer's own seats, links and permissions."""

    seats: tuple[int, ...]  # the seats you play
    host: bool  # whether you opened the room
    watcher: bool  # whether you watch
    links: Links  # the links you may know
    may: Allowed  # what you may do


@dataclass
class Invites:
    """The table that a guest is invited to, shown when the guest is asked for a name."""

    title: str  # the title of the table
    players: tuple[str, ...]  # the players already seated who have given a name
    says: tuple[str, ...]  # the agreements about players who leave
    name: str = ""  # the name that the opener gave the guest; empty if there is none
    length: str = ""  # how long the match is, such as `First to 100`


def view(room: Room, watching: int) -> View:
    """Return a room as all viewers see it; `watching` is the number of spectators."""
    plan, shown = room.opened, None
    if room.table is not None:
        wins, last_throw = room.score, room.last_throw
        shown = table_view(room.table, room.game_number, room.rounds, wins, last_throw)
        if room.is_of_day and room.phase == "over":
            shown.taker_back = None
    return View(
        room=room.id,
        number=room.event_count,
        title=room.rule_card.title,
        length=_length(room),
        phase=room.phase,
        watching=watching,
        settings=SettingsView(
            game=plan.game,
            format=plan.format or "",
            dice="day" if room.is_of_day else plan.dice,
            hints=plan.hints,
            coach=plan.coach,
            leaver=plan.leaver,
            stand_in=plan.stand_in,
            day=room.day,
            is_try=room.is_of_day and not plan.day,
        ),
        seats=tuple(_seats(room)),
        table=shown,
        seal=room.dice and SealView(*(getattr(room.dice, name) for name in names_of(SealView))),
    )


def _seats(room: Room) -> Iterator[SeatView]:
    """Yield each seat of a room, in order."""
    table = room.table
    tallies: tuple[Tally, ...] = ()
    if table is not None and isinstance(table.game, Match):
        tallies = table.game.settled(table.position).position.tallies
    due = table.due if table is not None and room.phase == "playing" else None
    for seat, (state, wins) in enumerate(zip(room.seats, room.score, strict=True)):
        character = character_of(state.computer)
        yield SeatView(
            name=state.name,
            computer=state.computer,
            state="free" if not state.taken else "left" if state.left else "taken",
            due=seat == due,
            out=_out(tallies[seat]) if tallies else "",
            face=character.id if character else "",
            named=state.named,
            again=state.wants_rematch,
            wins=wins,
            phrase=state.phrase,
        )


def _out(tally: Tally) -> str:
    """Return why a player is out of a match, in words; empty if the player is not."""
    match tally.status:
        case Status.OUT:
            return pgettext("seat", "is out")
        case Status.LEFT:
            return pgettext("seat", "has left")
        case Status.IN:
            return pgettext("seat", "sits out") if tally.sits_out else ""


def _length(room: Room) -> str:
    """Return how long a room's match is, such as `First to 100`; empty for a game alone."""
    return room.game.format.length if isinstance(room.game, Match) else ""


def computer_name(kind: str) -> str:
    """Return the name of a kind of computer player: its character's, or the kind itself.

    >>> computer_name("careful"), computer_name("fixed:7")
    ('Hobbs', 'fixed:7')
    """
    return character.name if (character := character_of(kind)) else kind


def invites(room: Room, opens: int) -> Invites:
    """Return what a guest sees before joining; `opens` is the link's seat, or INVITATION (any)."""
    players = tuple(state.name for state in room.seats if state.taken and state.named)
    plan = room.opened
    says = [gettext(_LEAVERS[plan.leaver])]
    if plan.leaver in ("computer", "any"):
        kind = computer_name(plan.stand_in)
        says.append(gettext("The computer player who takes over is {kind}.", kind=kind))
    # With several free seats, the one that the guest will take is not known.
    [seat, *others] = (opens,) if opens >= 0 else room.free or (0,)
    state = room.seats[seat]
    name = state.name if state.named and not (state.taken or others) else ""
    return Invites(room.rule_card.title, players, tuple(says), name, _length(room))


def viewer_state(
    room: Room, viewer: Viewer, address: str, keyring: Keyring | None, now: float
) -> ViewerState:
    """Return what only this viewer sees. Its links are `address#KEY`, none without a keyring."""
    granted, seats = allowed(room, viewer, now), tuple(sorted(viewer.seats))
    if keyring is None:
        granted.renew, links = (), Links(None, {})
    else:
        shared = [*shareable_seats(room, viewer), *((WATCHERS,) if viewer.may_see else ())]
        if viewer.opener and room.free and not room.closed:
            shared.append(INVITATION)
        keys = {seat: keyring.key(room.id, seat, room.links[seat]) for seat in shared}
        urls = {seat: f"{address}#{key}" for seat, key in keys.items()}
        of_seats = {str(seat): url for seat, url in urls.items() if seat >= 0}
        links = Links(urls.get(WATCHERS), of_seats, urls.get(INVITATION))
    return ViewerState(seats, viewer.opener, viewer.watcher, links, granted)


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
    """Return the last LOG_LINES log entries that have sentences for anybody, oldest first."""
    told = [line.number for line in room.log.lines if line.says or line.own][-LOG_LINES:]
    return tuple(map(room.log.line, told))


@dataclass(frozen=True, slots=True)
class TableCard:
    """One table in a list of a player's own tables."""

    room: str  # the id of the room
    title: str  # the title of its game
    players: str  # the names of all players as a list in words, the viewer's own as "You"
    stands: str  # whose turn it is, and the points
    miniature: str  # the current box as SVG; empty before the game begins


def table_card(room: Room, view: View, own: int | None = None) -> TableCard:
    """Return the card of a room for a list, from its view; the player at `own` reads "You".

    `own` is None if the viewer has no seat or several. A lone player is always the viewer.
    """
    own = own if view.seats[1:] else 0
    names = listed(
        pgettext("player", "You") if number == own else seat.name or pgettext("seat", "somebody")
        for number, seat in enumerate(view.seats)
    )
    drawn = miniature(room.table.scene.pieces if room.table else ())
    table = view.table
    if table is None or table.seat is None:
        stands = gettext("Waiting for players")
    else:
        plate, name = table.plates[table.seat], view.seats[table.seat].name
        if table.seat == own:
            stands = pgettext("said", "Your turn")
        elif table.does == "throw":
            stands = gettext("{name} to throw", name=name)
        else:
            stands = gettext("{name} to choose", name=name)
        stands += "" if plate.points is None else f", {plate.points} {plate.says}"
    return TableCard(view.room, view.title, names, stands, drawn)
