"""Who may do what in a room: the only place where that is decided.

Nothing about a future throw exists anywhere, and a position holds nothing that one seat knows and
another does not. So everybody who may see a room sees the same view of it; what differs is what a
viewer may do there, and which links he may hand on.
"""

from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from shutbox.web.errors import NotAllowed, RoomClosed
from shutbox.web.rooms.room import WATCHERS, Room


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who is looking at a room."""

    seats: frozenset[int] = frozenset()
    host: bool = False
    """Whether it was opened by this viewer."""
    watcher: bool = False

    @property
    def at_table(self) -> bool:
        """Whether this is somebody who plays there, or opened it."""
        return bool(self.seats) or self.host

    @property
    def may_see(self) -> bool:
        """Whether the room is shown at all."""
        return self.at_table or self.watcher

    def may_use(self, seat: int) -> bool:
        """Whether this is somebody at that seat, by the watch link (WATCHERS), or HOST."""
        if seat < 0:
            return self.watcher if seat == WATCHERS else self.host
        return seat in self.seats


class Who(Enum):
    """Who may do something in a room; `check` holds it."""

    SEES = "sees"  # everybody who may see the room
    AT_TABLE = "at-table"  # everybody who plays there, and who opened it
    SITS = "sits"  # who sits at the seat
    ACTS = "acts"  # who sits there; for a computer player with real dice everybody at the table
    THROWS = "throws"  # the same; real dice are typed where they lie
    FILLS = "fills"  # everybody at the table, but for a free seat only who opened it
    HANDS_ON = "hands-on"  # everybody who may hand on the link


def check(who: Who, room: Room, viewer: Viewer, seat: int = WATCHERS) -> None:
    """Raise NotAllowed where a viewer may not do it, to this seat if it is about one."""
    if who in (Who.ACTS, Who.THROWS) and seat in throws_for(room, viewer):
        check_open(room)
        return
    if not viewer.may_see:
        raise NotAllowed("this table is private; a play link or a watch link opens it")
    if who is not Who.SEES:
        check_open(room)
    match who:
        case Who.THROWS if viewer.seats and not types_dice(room, viewer):
            raise NotAllowed("the dice are at another screen; type them there")
        case Who.AT_TABLE | Who.FILLS if not viewer.at_table:
            raise NotAllowed("you are watching")
        case Who.SITS | Who.ACTS | Who.THROWS if not viewer.seats:
            raise NotAllowed("you are watching")
        case Who.SITS | Who.ACTS | Who.THROWS if seat not in viewer.seats:
            raise NotAllowed("seat {seat} is not yours", seat=seat)
        case Who.FILLS if seat >= len(room.seats):
            raise NotAllowed("there is no seat {seat}", seat=seat)
        case Who.FILLS if not room.seats[seat].taken and not viewer.host:
            raise NotAllowed("only the person who opened the table may do that")
        case Who.HANDS_ON if seat not in renews(room, viewer):
            raise NotAllowed("you cannot renew that link")
        case Who.SEES | Who.AT_TABLE | Who.SITS | Who.ACTS | Who.THROWS | Who.FILLS | Who.HANDS_ON:
            pass
        case _:
            assert_never(who)


def check_open(room: Room) -> None:
    """Raise RoomClosed where the host of the server has closed a room."""
    if room.closed:
        raise RoomClosed("the host of this server has closed this table")


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
    types_dice: bool = False
    """Whether this viewer is where real dice lie."""


def may(room: Room, viewer: Viewer, now: float) -> May:
    """What a viewer may do besides playing."""
    if room.closed:
        return May()
    mine, leaver = sorted(viewer.seats), room.opened.leaver
    away = room.away(now, viewer.seats) if viewer.at_table else ()
    free = room.free if viewer.host else ()
    return May(
        leave=tuple(s for s in mine if room.seats[1:] and room.seats[s].is_there),
        come_back=tuple(s for s in mine if not room.seats[s].is_there),
        stand_in=tuple(sorted([*free, *(away if leaver in ("computer", "any") else ())])),
        end=bool(away) and leaver in ("end", "any") and room.phase == "playing",
        rematch=viewer.at_table and room.phase in ("over", "ended") and not room.is_of_day,
        renew=renews(room, viewer),
        throw_for=throws_for(room, viewer),
        types_dice=room.opened.dice == "hand" and types_dice(room, viewer),
    )


def hands_on(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The seats whose links a viewer sees: one's own, and the free ones of one's own room."""
    return tuple(
        seat
        for seat, state in enumerate(room.seats)
        if not (state.plan.computer or (room.closed and not state.taken))
        and (seat in viewer.seats if state.taken else viewer.host)
    )


def invites_friends(room: Room, viewer: Viewer) -> bool:
    """Whether a viewer sees the invitation: only the opener does, while a seat is free."""
    return viewer.host and bool(room.free) and not room.closed


def renews(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The seats whose links a viewer may make anew, WATCHERS for the watch link."""
    return (*((WATCHERS,) if viewer.host else ()), *hands_on(room, viewer))


def throws_for(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """The computer players for whom a viewer throws real dice."""
    if room.opened.dice != "hand" or not types_dice(room, viewer):
        return ()
    return tuple(seat for seat, state in enumerate(room.seats) if state.computer)


def types_dice(room: Room, viewer: Viewer) -> bool:
    """Whether a viewer may throw: of real dice, only at the screen where they lie.

    That is where the table was opened, or wherever all its people play from. Who has come by the
    link of one of several seats chooses from there, and sees no dice.
    """
    people = {seat for seat, state in enumerate(room.seats) if not state.plan.computer}
    return room.opened.dice != "hand" or viewer.host or (bool(people) and people <= viewer.seats)
