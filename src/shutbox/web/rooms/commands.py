"""What can be asked of a room: refused by raising, or made into events that have not happened yet.

Nothing here changes a room. What is asked of a table is prepared by that table, and does not happen
before it is kept.
"""

import time
from dataclasses import dataclass
from typing import Any

from shutbox import __version__
from shutbox.cups import HandCup, NumberedCup
from shutbox.errors import IllegalRoll, NotYourTurn, OutOfDate
from shutbox.game import Throw
from shutbox.messages import gettext_noop
from shutbox.play import Chosen, Prepared, Rolled
from shutbox.record import Source
from shutbox.record.event_text import event_text_of
from shutbox.seats import Seat, check_seats, looks, read_name
from shutbox.table import Table
from shutbox.table.setup import Sitting, game_of_seats
from shutbox.web.errors import NameNeeded, NoFreeSeat, NotAllowed
from shutbox.web.rooms import events
from shutbox.web.rooms.days import Day
from shutbox.web.rooms.permissions import check_open
from shutbox.web.rooms.requests import Act, Again, AtSeat, Plain, Renew, StandIn
from shutbox.web.rooms.room import INVITATION, WATCHERS, Room

Events = tuple[events.RoomEvent, ...]
_THROWN_HERE = gettext_noop("the dice are thrown by the server here, not by hand")


@dataclass(frozen=True, slots=True)
class Moment:
    """When something is asked, and by whom."""

    now: float
    """Seconds since 1970."""
    mine: frozenset[int] = frozenset()
    """The seats of who asks."""

    @property
    def stamp(self) -> dict[str, str]:
        """What the header of a record that begins now says of the time and the program."""
        begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self.now))
        return {"program": f"shutbox {__version__}", "begun": begun}


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The id of something that is asked for: the same again is done once."""

    action: str
    by: str
    """Who asks, and for what, hashed: nothing else is asked for under this id."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it: the number of the first event, and the answer that was kept with it."""

    number: int
    answer: tuple[str, ...] = ()
    stored: int = 0
    """Bytes that were stored now."""


@dataclass(frozen=True, slots=True)
class RoomChange:
    """What is to happen, all of it or nothing."""

    events: Events = ()
    devices: tuple[tuple[int, str], ...] = ()
    """A seat, and the device that may sit there."""
    revokes: tuple[int, ...] = ()
    """Where no device may sit any more but those; of a link that is made anew that is so anyway."""
    answer: tuple[str, ...] = ()
    """Kept with it, for who asks again."""
    by_host: bool = False
    """Whether the host of the server does it, beside the processes that serve."""


def act(room: Room, asked: Act, day: Day | None = None) -> Events:
    """A throw, choices, or something taken back. Raises OutOfDate, and whatever the rules say.

    `day` has the dice of a box of the day, which are thrown with it alone.
    """
    table = room.playing()
    if (asked.game, asked.version) != (room.game, table.version):
        raise OutOfDate("the table has moved on; look again")
    if room.given_up:
        raise NotAllowed("the game was ended")
    by_hand = room.opened.dice == "hand" and asked.do in ("throw", "correct")
    if room.is_of_day and room.phase == "over":
        raise NotAllowed("this try is over and cannot be changed")
    state = room.seats[asked.seat]
    if state.left and not state.computer:
        raise NotAllowed("{name} has left the table and must come back first", name=state.name)
    if asked.seat in table.bots and not by_hand:
        raise NotYourTurn("a computer player plays for {name}", name=state.name)
    if room.is_of_day and asked.do in ("throw", "correct"):
        if asked.roll or asked.do == "correct":
            raise IllegalRoll(_THROWN_HERE)
        thrown = sum(isinstance(event, Rolled) for event in table.log)
        table.cup = HandCup() if day is None else NumberedCup(day.seed, thrown)
    return tuple(_played(table, prepared) for prepared in _prepared(table, asked))


def _prepared(table: Table[Any, Any], asked: Act) -> list[Prepared[Any, Any]]:
    match asked.do:
        case "choose":
            return table.prepare_line(asked.choice, seat=asked.seat)
        case "take-back":
            return [table.prepare_take_back(seat=asked.seat)]
        case "correct":
            return [table.prepare_correction(asked.roll, seat=asked.seat)]
        case "throw":
            cup, awaited = table.cup, table.awaits
            if isinstance(cup, HandCup):
                if isinstance(awaited, Throw) and awaited.seat == asked.seat:
                    cup.show(awaited.dice.read(asked.roll))
            elif asked.roll:
                raise IllegalRoll(_THROWN_HERE)
            return [table.prepare_throw(seat=asked.seat)]


def computer_acts(room: Room, text: str | None = None) -> events.Played:
    """The throw or the choice of the computer player who is due; it may take a while.

    `text` is what somebody else has worked out that it chooses.
    """
    table = room.playing()
    if text is None:
        return _played(table, table.prepare_bot())
    choice = table.game.parse_choice(table.position, text)
    return _played(table, table.prepare(Chosen(choice)))


def _played(table: Table[Any, Any], prepared: Prepared[Any, Any]) -> events.Played:
    return events.Played(prepared.seat, str(event_text_of(table.game, prepared.event)))


def enter(room: Room, opens: int, name: str | None, moment: Moment) -> Events:
    """Seat a guest who comes by the link of a seat, free or taken, or by the INVITATION.

    Raises NameNeeded, BadName and NoFreeSeat.
    """
    if opens != INVITATION and room.seats[opens].taken:
        return ()
    check_open(room)
    if not room.free:
        raise NoFreeSeat("the last seat has just been taken; ask for the link to watch")
    if name is None:
        raise NameNeeded("type your name to take this seat", opens)
    seat = _chair(room, name) if opens == INVITATION else opens
    state = room.seats[seat]
    clean = read_name(name) if name.strip() else state.name
    names = [Seat(s.name, s.plan.computer) for s in room.seats]
    names[seat] = Seat(clean)
    check_seats(names)
    return (events.Entered(seat, clean), *begin(room, moment, taking=seat, name=clean))


def _chair(room: Room, name: str) -> int:
    """Return the free seat that the host has named like this guest.

    Or else the lowest one, of those that are kept for nobody if there are any.
    """
    named = looks(name)
    for_anybody = [seat for seat in room.free if not room.is_kept(seat)]
    like = (seat for seat in room.free if looks(room.seats[seat].name) & named)
    return next(like, [*for_anybody, *room.free][0])


def begin(room: Room, moment: Moment, *, taking: int | None = None, name: str = "") -> Events:
    """The first game, if nobody is waited for; `taking`: once this seat is taken by `name`."""
    if room.table is not None or {*room.free} - {taking}:
        return ()
    seats = [Seat(state.name, state.plan.computer) for state in room.seats]
    if taking is not None and name:
        seats[taking] = Seat(name)
    plan = room.opened
    game = game_of_seats(plan.game, seats, plan.format)
    source = Source(plan.dice, day=room.day if room.is_of_day else "")
    sitting = Sitting.begin(game, seats, source, **moment.stamp, position=plan.position)
    return (events.Begun(bytes(sitting.header).decode()),)


def again(room: Room, asked: Again, moment: Moment) -> Events:
    """Another game of the same people, once game `asked.game` is over."""
    if asked.game != room.game:
        raise OutOfDate("another game has begun already")
    if not room.game:
        raise NotAllowed("this game has not begun yet")
    if room.is_of_day:
        raise NotAllowed("you can try the box of a day only once")
    if room.phase not in ("over", "ended"):
        raise NotAllowed("this game is not over yet")
    table, sitting = room.playing(), room.sitting
    assert sitting is not None  # it came with the table
    # Of a game that was given up, the chips count for nothing: they are as at its start.
    last = table.game.start() if room.given_up else table.position
    return (events.Begun(bytes(sitting.again(last, **moment.stamp).header).decode()),)


def leave(room: Room, asked: AtSeat, moment: Moment) -> Events:
    """The player of a seat leaves. Raises NotAllowed."""
    state = room.seats[asked.seat]
    if state.left:
        raise NotAllowed("{name} has left already", name=state.name)
    return (events.Left(asked.seat),)


def come_back(room: Room, asked: AtSeat, moment: Moment) -> Events:
    """A player who left, or was stood in for, plays on. Raises NotAllowed."""
    state = room.seats[asked.seat]
    if state.is_there:
        raise NotAllowed("{name} is at the table", name=state.name)
    return (events.CameBack(asked.seat),)


def stand_in(room: Room, asked: StandIn, moment: Moment) -> Events:
    """A computer player goes on for a free seat, or for one that is away.

    Raises NotAllowed. Whether that computer player can play here is for the caller to find out.
    """
    state, plan = room.seats[asked.seat], room.opened
    if state.taken and asked.seat not in room.away(moment.now, moment.mine):
        raise NotAllowed("{name} has not left", name=state.name)
    if state.taken and plan.leaver not in ("computer", "any"):
        raise NotAllowed("no computer player can take over here: that was agreed before the game")
    kind = kind_that_stands_in(room, asked)
    name = "" if state.taken else room.called(asked.seat, kind)
    return (events.StoodIn(asked.seat, kind), *begin(room, moment, taking=asked.seat, name=name))


def kind_that_stands_in(room: Room, asked: StandIn) -> str:
    """The computer player that takes a free seat, or goes on for a player.

    Raises NotAllowed where another was settled before the game: who waits for a player does not
    pick how well that player's seat is played.
    """
    settled = room.opened.stand_in
    if not room.seats[asked.seat].taken:
        return asked.computer or settled
    if asked.computer not in ("", settled):
        raise NotAllowed(
            "only {kind} can take over here: that was agreed before the game",
            kind=settled,
        )
    return settled


def give_up(room: Room, asked: Plain, moment: Moment) -> Events:
    """The game ends by the rule about leavers. Raises NotAllowed."""
    if room.phase != "playing":
        raise NotAllowed("there is no game to end")
    if room.opened.leaver not in ("end", "any"):
        raise NotAllowed("this game cannot be ended early: that was agreed before it began")
    if not room.away(moment.now, moment.mine):
        raise NotAllowed("nobody has left")
    return (events.GivenUp(),)


def renew(room: Room, asked: Renew, moment: Moment) -> Events:
    """The link of a seat, or of the watchers, is made anew."""
    if asked.seat != WATCHERS and room.seats[asked.seat].plan.computer:
        raise NotAllowed("there is no link for this seat")
    return (events.Renewed(asked.seat),)
