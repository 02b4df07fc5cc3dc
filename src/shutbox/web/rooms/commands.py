"""What is asked of a room: refused by raising, or made into entries that have not happened yet.

Nothing here changes a room. What is asked of a table is prepared by that table, and does not happen
before it is kept.
"""

from collections.abc import Collection
from typing import Any, NamedTuple

from shutbox.cups import HandCup
from shutbox.errors import IllegalRoll, NameNeeded, NotAllowed, NotYourTurn, OutOfDate
from shutbox.game import Choose, Throw
from shutbox.play import Prepared
from shutbox.record import Source
from shutbox.record.event_text import deed_of
from shutbox.seats import Seat, check_seats, read_name
from shutbox.table import Table
from shutbox.table.setup import Sitting, game_for
from shutbox.web.api.schemas import Act
from shutbox.web.compute.budget import check_work
from shutbox.web.rooms.events import (
    Begun,
    CameBack,
    Entered,
    GivenUp,
    Happened,
    Left,
    Renewed,
    StoodIn,
)
from shutbox.web.rooms.room import WATCHERS, Room


class Stamp(NamedTuple):
    """What the header of a record says of the program and the time."""

    program: str
    begun: str


def act(room: Room, asked: Act) -> Happened:
    """A throw, a choice, or something taken back or corrected.

    Raises OutOfDate, NotYourTurn, and whatever the rules say.
    """
    table = room.playing()
    if (asked.game, asked.version) != (room.game, table.version):
        raise OutOfDate("the table has moved on meanwhile; look again")
    if room.given_up:
        raise NotAllowed("the game was ended")
    by_hand = room.opened.dice == "hand" and asked.do in ("throw", "correct")
    state = room.seats[asked.seat]
    if state.left and not state.computer:
        raise NotAllowed(f"{state.name} has left the table, and is to come back first")
    if asked.seat in table.bots and not by_hand:
        raise NotYourTurn(f"a computer player goes on for {state.name}")
    return _happened(table, _prepared(table, asked))


def _prepared(table: Table[Any, Any], asked: Act) -> Prepared[Any, Any]:
    match asked.do:
        case "choose":
            return table.prepare_choice(asked.choice, seat=asked.seat)
        case "take-back":
            return table.prepare_take_back(seat=asked.seat)
        case "correct":
            return table.prepare_correction(asked.roll, seat=asked.seat)
        case "throw":
            return _thrown(table, asked)


def _thrown(table: Table[Any, Any], asked: Act) -> Prepared[Any, Any]:
    cup, awaited = table.cup, table.awaits
    if isinstance(cup, HandCup):
        if isinstance(awaited, Throw) and awaited.seat == asked.seat:
            cup.show(awaited.dice.read(asked.roll))
    elif asked.roll:
        raise IllegalRoll("the dice are thrown by the server here, not by hand")
    return table.prepare_throw(seat=asked.seat)


def computer_acts(room: Room) -> Happened:
    """The throw or the choice of the computer player who is due; it may take a while."""
    table = room.playing()
    if isinstance(table.awaits, Choose):
        return _happened(table, table.prepare_bot_choice())
    return _happened(table, table.prepare_throw(seat=table.due or 0))


def _happened(table: Table[Any, Any], prepared: Prepared[Any, Any]) -> Happened:
    return Happened(prepared.seat, str(deed_of(table.game, prepared.event)))


def enter(room: Room, seat: int, name: str | None) -> Entered | None:
    """Somebody comes by the link of a seat; nothing happens where it is taken already.

    Raises NameNeeded, and BadName.
    """
    state = room.seats[seat]
    if state.taken:
        return None
    if name is None:
        raise NameNeeded("say what you are called, and the seat is yours")
    clean = read_name(name) if name.strip() else state.name
    names = [Seat(s.name, s.plan.computer) for s in room.seats]
    names[seat] = Seat(clean)
    check_seats(names)
    return Entered(seat, clean)


def begin(room: Room, stamp: Stamp, *, taking: int | None = None, name: str = "") -> Begun | None:
    """The first game, if nobody is waited for; `taking`: once this seat is taken by `name`."""
    if room.table is not None or room.plan is None:
        return None
    free = {seat for seat, state in enumerate(room.seats) if not state.taken}
    if free - {taking}:
        return None
    seats = [
        Seat(name if seat == taking and name else state.name, state.plan.computer)
        for seat, state in enumerate(room.seats)
    ]
    plan = room.plan
    sitting = Sitting.begin(
        game_for(plan.game, seats, plan.format), seats, Source(plan.dice), **stamp._asdict()
    )
    return Begun(bytes(sitting.header).decode())


def again(room: Room, game: int, stamp: Stamp) -> Begun:
    """Another game of the same people, once game `game` is over."""
    if game != room.game:
        raise OutOfDate("another game has begun already")
    if room.phase not in ("over", "ended"):
        begun = "is not over" if room.game else "has not begun"
        raise NotAllowed(f"this game {begun} yet")
    table, sitting = room.playing(), room.sitting
    assert sitting is not None  # it came with the table
    # Of a game that was given up, the chips count for nothing: they are as at its start.
    last = table.game.start() if room.given_up else table.position
    return Begun(bytes(sitting.again(last, **stamp._asdict()).header).decode())


def leave(room: Room, seat: int) -> Left:
    """Whoever sits there leaves. Raises NotAllowed."""
    if room.seats[seat].left:
        raise NotAllowed(f"{room.seats[seat].name} has left already")
    return Left(seat)


def come_back(room: Room, seat: int) -> CameBack:
    """Whoever left, or was stood in for, plays on. Raises NotAllowed."""
    state = room.seats[seat]
    if state.is_there:
        raise NotAllowed(f"{state.name} is at the table")
    return CameBack(seat)


def stand_in(room: Room, seat: int, kind: str, now: float, mine: Collection[int] = ()) -> StoodIn:
    """A computer player goes on for a free seat, or for one that is away.

    Raises NotAllowed, and BadName and TooLarge for a computer player that cannot.
    """
    state, plan = room.seats[seat], room.opened
    if state.taken and seat not in room.away(now, mine):
        raise NotAllowed(f"{state.name} has not left")
    if state.taken and plan.leaver not in ("computer", "any"):
        raise NotAllowed("no computer player goes on here: that was said before the game")
    check_stand_in(room, seat, kind)
    return StoodIn(seat, kind)


def check_stand_in(room: Room, seat: int, kind: str) -> None:
    """Raise BadName and TooLarge for a computer player that cannot play here.

    The first time for a large game it takes a while: ask in a thread before it is wanted.
    """
    plan = room.opened
    seats = [Seat(s.name, s.computer) for s in room.seats]
    seats[seat] = Seat(seats[seat].name, kind)
    check_work(game_for(plan.game, seats, plan.format), seats)


def give_up(room: Room, now: float, mine: Collection[int] = ()) -> GivenUp:
    """The game ends by the rule about leavers. Raises NotAllowed."""
    if room.phase != "playing":
        raise NotAllowed("there is no game to end")
    if room.opened.leaver not in ("end", "any"):
        raise NotAllowed("the game is not ended here: that was said before it")
    if not room.away(now, mine):
        raise NotAllowed("nobody has left")
    return GivenUp()


def renew(room: Room, seat: int) -> Renewed:
    """The link of a seat, or of the watchers, is made anew."""
    if seat != WATCHERS and room.seats[seat].plan.computer:
        raise NotAllowed("there is no link for this seat")
    return Renewed(seat)
