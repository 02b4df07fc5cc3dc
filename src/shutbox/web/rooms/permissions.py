"""Who may do what in a room: the only place where that is decided.

Nothing about a future throw exists anywhere, and a position holds nothing that one seat knows and
another does not. So everybody who may see a room sees the same view of it; what differs is what a
viewer may do there, and which links he may hand on.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from shutbox.web.errors import NotAllowed
from shutbox.web.rooms.room import WATCHERS, Room


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


class Who(Enum):
    """Who may do something in a room; `check` holds it."""

    SEES = "sees"
    """Everybody who may see the room."""
    AT_TABLE = "at-table"
    """Everybody who plays there, and who opened it."""
    SITS = "sits"
    """Who sits at the seat."""
    ACTS = "acts"
    """Who sits at the seat, and for a computer player with real dice everybody at the table."""
    FILLS = "fills"
    """Everybody at the table, but for a free seat only who opened it."""
    HANDS_ON = "hands-on"
    """Everybody who may hand on the link."""


def check(who: Who, room: Room, viewer: Viewer, seat: int = WATCHERS) -> None:
    """Raise NotAllowed where a viewer may not do it, to this seat if it is about one."""
    _CHECKS[who](room, viewer, seat)


def _sees(room: Room, viewer: Viewer, seat: int) -> None:
    if not viewer.may_see:
        raise NotAllowed("this table is private; a play link or a watch link opens it")


def _at_table(room: Room, viewer: Viewer, seat: int) -> None:
    _sees(room, viewer, seat)
    if not viewer.seats and not viewer.host:
        raise NotAllowed("you are watching")


def _sits(room: Room, viewer: Viewer, seat: int) -> None:
    _sees(room, viewer, seat)
    if not viewer.seats:
        raise NotAllowed("you are watching")
    if seat not in viewer.seats:
        raise NotAllowed("seat {seat} is not yours", seat=seat)


def _acts(room: Room, viewer: Viewer, seat: int) -> None:
    if seat not in throws_for(room, viewer):
        _sits(room, viewer, seat)


def _fills(room: Room, viewer: Viewer, seat: int) -> None:
    _at_table(room, viewer, seat)
    if seat >= len(room.seats):
        raise NotAllowed("there is no seat {seat}", seat=seat)
    if not room.seats[seat].taken and not viewer.host:
        raise NotAllowed("only whoever opened the table may do that")


def _hands_on(room: Room, viewer: Viewer, seat: int) -> None:
    _sees(room, viewer, seat)
    if seat not in renews(room, viewer):
        raise NotAllowed("that link is not yours to make anew")


_CHECKS: dict[Who, Callable[[Room, Viewer, int], None]] = {
    Who.SEES: _sees,
    Who.AT_TABLE: _at_table,
    Who.SITS: _sits,
    Who.ACTS: _acts,
    Who.FILLS: _fills,
    Who.HANDS_ON: _hands_on,
}


@dataclass
class May:
    """What this viewer may do besides playing."""

    leave: tuple[int, ...] = ()
    come_back: tuple[int, ...] = ()
    stand_in: tuple[int, ...] = ()
    end: bool = False
    rematch: bool = False
    renew: tuple[int, ...] = ()
    throw_for: tuple[int, ...] = ()
    """Computer players whose dice people throw, and type, where the dice are real ones."""


def may(room: Room, viewer: Viewer, now: float) -> May:
    """What a viewer may do besides playing."""
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
        renew=renews(room, viewer),
        throw_for=throws_for(room, viewer),
    )


def hands_on(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The seats whose links a viewer sees: one's own, and the free ones of one's own room."""

    def sees(seat: int) -> bool:
        state = room.seats[seat]
        if state.plan.computer:
            return False
        return seat in viewer.seats if state.taken else viewer.host

    return tuple(seat for seat in range(len(room.seats)) if sees(seat))


def renews(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The seats whose links a viewer may make anew, WATCHERS for the watch link."""
    return (*((WATCHERS,) if viewer.host else ()), *hands_on(room, viewer))


def throws_for(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The computer players for whom everybody at the table throws real dice."""
    if room.opened.dice != "hand" or not (viewer.seats or viewer.host):
        return ()
    return tuple(seat for seat, state in enumerate(room.seats) if state.computer)
