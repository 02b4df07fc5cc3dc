"""The permissions of viewers in a room, which are decided nowhere else.

Future throws exist nowhere, and a position holds no secrets between seats. So all viewers of a room
get the same view. They differ only in the actions that they may take and the links they may share.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum

from shutbox.seats import is_name
from shutbox.web import limits
from shutbox.web.errors import NotAllowed, RoomClosed
from shutbox.web.rooms.room import WATCHERS, Room


@dataclass(frozen=True, slots=True)
class Viewer:
    """A viewer of a room, with the seats and links that give the viewer permissions."""

    seats: frozenset[int] = frozenset()
    opener: bool = False
    """Whether this viewer opened the room."""
    watcher: bool = False

    @property
    def at_table(self) -> bool:
        """Whether this viewer plays in the room or opened it."""
        return bool(self.seats) or self.opener

    @property
    def may_see(self) -> bool:
        """Whether this viewer may see the room at all."""
        return self.at_table or self.watcher

    def may_use(self, seat: int) -> bool:
        """Whether the viewer holds a seat, the watch link (WATCHERS) or the OPENER's key."""
        if seat < 0:
            return self.watcher if seat == WATCHERS else self.opener
        return seat in self.seats


class Permission(Enum):
    """The permissions that `check` enforces."""

    SEES = "sees"  # every viewer who may see the room
    AT_TABLE = "at-table"  # the players and the opener
    SITS = "sits"  # the player of the seat
    ACTS = "acts"  # the player of the seat; for a computer player, the viewer with the real dice
    THROWS = "throws"  # like ACTS, but real dice only at the screen where they lie
    HOSTS = "hosts"  # the opener
    FILLS = "fills"  # the players and the opener; for a free seat only the opener
    HANDS_ON = "hands-on"  # the viewers who may share the link


def check(who: Permission, room: Room, viewer: Viewer, seat: int = WATCHERS) -> None:
    """Raise NotAllowed or RoomClosed if a viewer lacks the permission `who` (some: at `seat`)."""
    if who in (Permission.ACTS, Permission.THROWS) and seat in throws_for(room, viewer):
        check_open(room)
        return
    if not viewer.may_see:
        raise NotAllowed("this table is private; you need a play link or a watch link")
    if who is not Permission.SEES:
        check_open(room)
    match who:
        case Permission.THROWS if viewer.seats and not types_dice(room, viewer):
            raise NotAllowed("the dice are at another screen; type them there")
        case Permission.AT_TABLE | Permission.FILLS if not viewer.at_table:
            raise NotAllowed("you are only watching")
        case Permission.SITS | Permission.ACTS | Permission.THROWS if not viewer.seats:
            raise NotAllowed("you are only watching")
        case Permission.SITS | Permission.ACTS | Permission.THROWS if seat not in viewer.seats:
            raise NotAllowed("seat {seat} is not yours", seat=seat)
        case Permission.HOSTS if not viewer.opener:
            raise NotAllowed("only the person who opened the table may do that")
        case Permission.FILLS | Permission.HOSTS if seat >= len(room.seats):
            raise NotAllowed("there is no seat {seat}", seat=seat)
        case Permission.FILLS if not room.seats[seat].taken and not viewer.opener:
            raise NotAllowed("only the person who opened the table may do that")
        case Permission.HANDS_ON if seat not in renews(room, viewer):
            raise NotAllowed("you cannot renew that link")


def check_open(room: Room) -> None:
    """Raise RoomClosed if the host of the server has closed the room."""
    if room.closed:
        raise RoomClosed("the host of this server has closed this table")


@dataclass
class Allowed:
    """The actions open to a viewer besides playing; a tuple lists the seats that each concerns."""

    leave: tuple[int, ...] = ()  # the seats you can leave
    come_back: tuple[int, ...] = ()  # the seats you can come back to
    stand_in: tuple[int, ...] = ()  # the seats where a computer can play
    end: bool = False  # whether you can end the game
    give_up: bool = False  # whether you can give up a game played alone
    rematch: bool = False  # whether you can start another game
    decline: tuple[int, ...] = ()  # the seats that can decline a rematch
    name: tuple[int, ...] = ()  # the seats you can name
    clear_name: tuple[int, ...] = ()  # the seats whose name you can clear
    say: tuple[int, ...] = ()  # the seats that can say a phrase
    renew: tuple[int, ...] = ()  # the links you can replace; -1 to watch
    throw_for: tuple[int, ...] = ()
    """The computer players whose real dice this viewer throws and types."""
    types_dice: bool = False
    """Whether real dice lie at this viewer's screen."""


def allowed(room: Room, viewer: Viewer, now: float) -> Allowed:
    """Return the actions open to a viewer at time `now`, besides playing."""
    if room.closed:
        return Allowed()
    mine, leaver = sorted(viewer.seats), room.opened.leaver
    absent = away(room, now, viewer.seats) if viewer.at_table else ()
    free = room.free if viewer.opener else ()
    others, ended = room.others(viewer.seats), room.phase in ("over", "ended")
    declines = [seat for seat, state in enumerate(room.seats) if state.again is False]
    talks = tuple(s for s in mine if others and room.seats[s].is_present)
    named = {s for s in (*mine, *others) if is_name(room.seats[s].name, s)}
    return Allowed(
        leave=tuple(s for s in mine if room.seats[1:] and room.seats[s].is_present),
        come_back=tuple(s for s in mine if not room.seats[s].is_present),
        stand_in=tuple(sorted([*free, *(absent if leaver in ("computer", "any") else ())])),
        end=bool(absent) and leaver in ("end", "any") and room.phase == "playing",
        give_up=viewer.at_table and room.phase == "playing" and is_alone(room, viewer.seats),
        rematch=viewer.at_table
        and ended
        and not room.is_of_day
        and viewer.seats.issuperset(declines)
        and not (others and any(room.seats[s].again for s in mine)),
        decline=tuple(s for s in talks if ended and room.seats[s].again is not False),
        name=tuple(mine),
        clear_name=tuple(sorted(named)) if viewer.opener and room.seats[1:] else (),
        say=talks,
        renew=renews(room, viewer),
        throw_for=throws_for(room, viewer),
        types_dice=room.opened.dice == "hand" and types_dice(room, viewer),
    )


def is_alone(room: Room, mine: Collection[int]) -> bool:
    """Whether only computer players play besides the seats `mine`, so the game can be given up.

    A try at the box of a day cannot.
    """
    people = {n for n, state in enumerate(room.seats) if not state.plan.computer}
    return not room.is_of_day and people.issubset(mine)


def away(room: Room, now: float, mine: Collection[int] = ()) -> tuple[int, ...]:
    """Return the seats of people who have left, or keep the others waiting too long.

    Replaced people do not count, nor do the caller's seats `mine` if other people sit here.
    """
    people = {seat for seat, s in enumerate(room.seats) if s.taken and not s.plan.computer}
    if people <= set(mine):
        mine = ()
    late = room.phase == "playing" and now - room.at >= limits.AWAY_SECONDS
    due = room.playing().due if late else None
    others = [(seat, room.seats[seat]) for seat in sorted(people - set(mine))]
    return tuple(seat for seat, s in others if not s.stand_in and (s.left or seat == due))


def shareable_seats(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats whose links a viewer sees: their own, and for the opener the free ones."""
    return tuple(
        seat
        for seat, state in enumerate(room.seats)
        if not (state.plan.computer or (room.closed and not state.taken))
        and (seat in viewer.seats if state.taken else viewer.opener)
    )


def invites_friends(room: Room, viewer: Viewer) -> bool:
    """Whether a viewer sees the invitation: only the opener does, while a seat is free."""
    return viewer.opener and bool(room.free) and not room.closed


def renews(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats whose links a viewer may renew; WATCHERS is the watch link."""
    return (*((WATCHERS,) if viewer.opener else ()), *shareable_seats(room, viewer))


def throws_for(room: Room, viewer: Viewer) -> tuple[int, ...]:
    """Return the seats of the computer players whose real dice a viewer throws."""
    if room.opened.dice != "hand" or not types_dice(room, viewer):
        return ()
    return tuple(seat for seat, state in enumerate(room.seats) if state.computer)


def types_dice(room: Room, viewer: Viewer) -> bool:
    """Whether a viewer may throw: other dice always, real dice only at the screen where they lie.

    That is the opener's screen, or one that holds the seats of all people. A guest with the link of
    one of several seats makes choices from another screen and sees no dice.
    """
    people = {seat for seat, state in enumerate(room.seats) if not state.plan.computer}
    return room.opened.dice != "hand" or viewer.opener or (bool(people) and people <= viewer.seats)
