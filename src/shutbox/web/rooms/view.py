"""What each viewer may see: the only place where that is decided.

Nothing about a future throw exists anywhere, and a position holds nothing that one seat knows and
another does not. So everybody who may see a room sees the same view of it; what differs is what a
viewer may do there, and which links he may hand on.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.english import listed, numbered
from shutbox.errors import NotAllowed
from shutbox.game import Over, Throw
from shutbox.match import Match, RoundResult
from shutbox.match.standing import Status
from shutbox.scene import Kind, Piece, Scene, State
from shutbox.table import Table
from shutbox.web.api.schemas import (
    AnswerView,
    Invites,
    Links,
    LogLine,
    May,
    OfferView,
    PieceView,
    Rules,
    SeatView,
    SettingsView,
    Sheet,
    SheetRow,
    TableView,
    View,
    You,
)
from shutbox.web.limits import LOG_LINES
from shutbox.web.rooms.link_keys import Keyring
from shutbox.web.rooms.room import WATCHERS, Room

_LEAVERS = {
    "wait": "wait",
    "computer": "wait, or let a computer player go on",
    "end": "wait, or end the game without a winner",
    "any": "wait, let a computer player go on, or end the game without a winner",
}


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is looking at a room."""

    seats: frozenset[int] = frozenset()
    host: bool = False
    """Whether it was opened by this viewer."""
    watcher: bool = False

    @property
    def may_see(self) -> bool:
        """Whether the room is shown at all."""
        return bool(self.seats) or self.host or self.watcher

    def may_use(self, seat: int) -> bool:
        """Whether this is somebody at that seat, or who came by the watch link (WATCHERS)."""
        return self.watcher if seat == WATCHERS else seat in self.seats


def check_sees(viewer: Viewer) -> None:
    """Raise NotAllowed where a viewer may not see the room."""
    if not viewer.may_see:
        raise NotAllowed("this table is private; a play link or a watch link opens it")


def check_plays(viewer: Viewer, seat: int) -> None:
    """Raise NotAllowed where a seat is not the viewer's."""
    check_sees(viewer)
    if seat not in viewer.seats:
        raise NotAllowed(f"seat {seat} is not yours" if viewer.seats else "you are watching")


def check_acts(room: Room, viewer: Viewer, seat: int) -> None:
    """Raise NotAllowed where a viewer may neither act for a seat, nor throw real dice for it."""
    if seat in _throws_for(room, viewer):
        return
    check_plays(viewer, seat)


def check_stands_in(room: Room, viewer: Viewer, seat: int) -> None:
    """Raise NotAllowed where a viewer may not let a computer player have a seat."""
    check_at_table(viewer)
    if seat >= len(room.seats):
        raise NotAllowed(f"there is no seat {seat}")
    if not room.seats[seat].taken and not viewer.host:
        raise NotAllowed("only whoever opened the table may do that")


def check_at_table(viewer: Viewer) -> None:
    """Raise NotAllowed for everybody who neither plays nor has opened the room."""
    check_sees(viewer)
    if not viewer.seats and not viewer.host:
        raise NotAllowed("you are watching")


def check_renews(room: Room, viewer: Viewer, seat: int) -> None:
    """Raise NotAllowed where a viewer may not make the links of a seat anew."""
    check_sees(viewer)
    if seat not in _renews(room, viewer):
        raise NotAllowed("that link is not yours to make anew")


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
            leaver_says=_leaver_says(room),
        ),
        seats=tuple(
            SeatView(
                name=state.name,
                computer=state.computer,
                state="free" if not state.taken else "left" if state.left else "taken",
                due=seat == due,
                out=_out(table, seat),
            )
            for seat, state in enumerate(room.seats)
        ),
        table=None if table is None else table_view(table, room.game, room.rounds),
    )


def invites(room: Room) -> Invites:
    """What whoever has the link of a free seat sees before sitting down."""
    players = tuple(state.name for state in room.seats if state.taken)
    return Invites(room.title, players, (_leaver_says(room),))


def _leaver_says(room: Room) -> str:
    return f"If somebody leaves, the others may {_LEAVERS[room.opened.leaver]}."


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
        may=_may(room, viewer, now),
    )


def is_due(view: View, you: You) -> bool:
    """Whether whoever looks is to act: for a seat of his own, or to throw real dice for another."""
    table = view.table
    if table is None or table.seat is None or view.phase != "playing":
        return False
    seat = view.seats[table.seat]
    plays = table.seat in you.seats and seat.state == "taken" and not seat.computer
    return plays or (table.does == "throw" and table.seat in you.may.throw_for)


def hands_on(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The seats whose links a viewer sees: one's own, and the free ones of one's own room."""

    def sees(seat: int) -> bool:
        state = room.seats[seat]
        if state.plan.computer:
            return False
        return seat in viewer.seats if state.taken else viewer.host

    return tuple(seat for seat in range(len(room.seats)) if sees(seat))


def _renews(room: Room, viewer: Viewer) -> tuple[int, ...]:
    return (*((WATCHERS,) if viewer.host else ()), *hands_on(room, viewer))


def _may(room: Room, viewer: Viewer, now: float) -> May:
    mine, leaver = sorted(viewer.seats), room.opened.leaver
    at_table = bool(mine) or viewer.host
    away = room.away(now, viewer.seats) if at_table else ()
    free = [seat for seat, state in enumerate(room.seats) if not state.taken and viewer.host]
    several = len(room.seats) > 1
    helps = leaver in ("computer", "any")
    return May(
        leave=tuple(s for s in mine if several and room.seats[s].is_there),
        come_back=tuple(s for s in mine if not room.seats[s].is_there),
        stand_in=tuple(sorted([*free, *(away if helps else [])])),
        end=bool(away) and leaver in ("end", "any") and room.phase == "playing",
        rematch=at_table and room.phase in ("over", "ended"),
        renew=_renews(room, viewer),
        throw_for=_throws_for(room, viewer),
    )


def _throws_for(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The computer players for whom whoever is at the table throws real dice."""
    if room.opened.dice != "hand" or not (viewer.seats or viewer.host):
        return ()
    return tuple(seat for seat, state in enumerate(room.seats) if state.computer)


def log_lines(room: Room) -> tuple[LogLine, ...]:
    """What was said last, for whoever comes new."""
    told = [LogLine(entry.number, entry.says) for entry in room.log if entry.says]
    return tuple(told[-LOG_LINES:])


def rules_of(room: Room) -> Rules:
    """The rules in play."""
    card = room.rule_card
    return Rules(card.title, card.lines, card.typing)


def table_view(table: Table[Any, Any], game: int, rounds: Sequence[RoundResult]) -> TableView:
    """One game as everybody sees it; `game` is its number in its room, `rounds` are over."""
    scene, awaited = table.scene, table.awaits
    over = awaited if isinstance(awaited, Over) else None
    return TableView(
        game=game,
        version=table.version,
        does="throw" if isinstance(awaited, Throw) else "choose" if over is None else "over",
        seat=table.due,
        throws=awaited.dice.words if isinstance(awaited, Throw) else "",
        says=scene.says,
        dice=scene.dice,
        board=scene.board,
        score=scene.score,
        legal=scene.legal,
        ask=scene.ask,
        enter=scene.enter,
        default=scene.default,
        pieces=pieces_view(scene.pieces),
        offers=tuple(OfferView(o.text, o.says, o.takes) for o in scene.offers),
        answers=tuple(AnswerView(a.key, a.about, a.says) for a in scene.answers),
        target=_target(scene),
        taker_back=table.taker_back,
        correctable=None if table.correctable is None else table.correctable.seat,
        shut=_shut(table),
        sheet=_sheet(table, rounds),
        scores=() if over is None else tuple(map(str, over.scores)),
        winners=() if over is None else over.winners,
    )


def pieces_view(pieces: Sequence[Piece]) -> tuple[PieceView, ...]:
    """What lies there."""
    return tuple(
        PieceView(p.key, p.kind.value, p.face, p.state.value, p.label, p.row, p.sides)
        for p in pieces
    )


def _target(scene: Scene) -> int | None:
    """The pips to show a sum against, where every offer takes tiles that add up to them."""
    lying = [p.face for p in scene.pieces if p.kind is Kind.DIE and p.state is State.LYING]
    tiles = {p.key: p.face for p in scene.pieces if p.kind is Kind.TILE}
    if not lying or not all(map(str.isdigit, lying)):
        return None
    target = sum(map(int, lying))
    sums = {sum(int(tiles.get(key, "0")) for key in offer.takes) for offer in scene.offers}
    return target if sums == {target} else None


def _shut(table: Table[Any, Any]) -> bool:
    """Whether the turn that ended here did what a turn is for."""
    if isinstance(table.game, Match):
        turn = table.game.settled(table.position).turn
        return turn is not None and turn.shut
    return isinstance(table.awaits, Over) and table.awaits.shut


def _sheet(table: Table[Any, Any], rounds: Sequence[RoundResult]) -> Sheet | None:
    match = table.game
    if not isinstance(match, Match):
        return None
    here = match.settled(table.position).position
    plays_for_chips = bool(match.format.stake)
    return Sheet(
        columns=match.players,
        rows=tuple(_row(match, result) for result in rounds),
        totals=tuple(str(tally.total) for tally in here.tallies),
        chips=tuple(str(tally.chips) for tally in here.tallies) if plays_for_chips else None,
        pot=str(here.pot) if plays_for_chips else None,
    )


def _row(match: Match[Any, Any], result: RoundResult) -> SheetRow:
    shut = [seat for seat, tally in enumerate(result.tallies) if tally.shut]
    note = [f"{match.players[seat]}: {match.shut}" for seat in shut]
    if result.paid:
        names = listed(match.players[seat] for seat in result.winners)
        takes = "take" if result.winners[1:] else "takes"
        note.append(f"{names} {takes} {numbered(result.paid, 'chip')}")
    return SheetRow(
        round=str(result.round),
        cells=tuple("" if t.score is None else str(t.score) for t in result.tallies),
        won=result.winners,
        note="; ".join(note),
    )


def _out(table: Table[Any, Any] | None, seat: int) -> str:
    """What keeps a seat from playing, in words."""
    if table is None or not isinstance(table.game, Match):
        return ""
    tally = table.game.settled(table.position).position.tallies[seat]
    words = {Status.IN: "", Status.OUT: "is out", Status.LEFT: "has left"}
    return words[tally.status] or ("sits out" if tally.sits_out else "")
