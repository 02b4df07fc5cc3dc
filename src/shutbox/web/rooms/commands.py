"""The commands to a room: each one returns events that have not happened yet, or raises a refusal.

No event is applied here. A table only prepares its moves, and they happen once they are stored.
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
    """The time of a request, and the seats of its caller."""

    now: float
    """Seconds since 1970."""
    mine: frozenset[int] = frozenset()
    """The caller's seats."""

    @property
    def stamp(self) -> dict[str, str]:
        """The program and the start time, for the header of a record that begins now."""
        begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self.now))
        return {"program": f"shutbox {__version__}", "begun": begun}


@dataclass(frozen=True, slots=True)
class IdempotencyKey:
    """The id of an action, so that a retry is not done twice."""

    action: str
    by: str
    """A hash of the caller and the request; any other use of the id is refused."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a change: the number of its first event and the answer stored with it."""

    number: int
    answer: tuple[str, ...] = ()
    stored: int = 0
    """Bytes stored by this call; 0 for a retry."""


@dataclass(frozen=True, slots=True)
class RoomChange:
    """A change to a room, stored completely or not at all."""

    events: Events = ()
    devices: tuple[tuple[int, str], ...] = ()
    """Pairs of a seat and the hash of a device that may sit there."""
    revokes: tuple[int, ...] = ()
    """Seats where only these devices may sit from now on. A renewed link always revokes its own."""
    answer: tuple[str, ...] = ()
    """Lines stored with the change and returned again on a retry."""
    by_host: bool = False
    """Whether an admin command makes the change, outside the processes that serve the room."""


def act(room: Room, asked: Act, day: Day | None = None) -> Events:
    """Return the events of a throw, a choice (or several in a row), a take-back or a correction.

    `day` holds the dice of a box of the day, which cannot be thrown without it; they replace the
    table's cup. Raises OutOfDate, NotAllowed, NotYourTurn, IllegalRoll and the rules' errors.
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
    """Return the throw or choice of the computer player who is due; this can take a while.

    `text` is its choice, if a worker has already found it.
    """
    table = room.playing()
    if text is None:
        return _played(table, table.prepare_bot())
    choice = table.game.parse_choice(table.position, text)
    return _played(table, table.prepare(Chosen(choice)))


def _played(table: Table[Any, Any], prepared: Prepared[Any, Any]) -> events.Played:
    return events.Played(prepared.seat, str(event_text_of(table.game, prepared.event)))


def enter(room: Room, opens: int, name: str | None, moment: Moment) -> Events:
    """Return the events that seat a guest at `opens`, or at any free seat for the INVITATION.

    The last guest also begins the game. A taken seat gives no events; a blank name keeps the
    seat's. Raises NameNeeded for None, BadName, NoFreeSeat and RoomClosed.
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

    Otherwise return the lowest free seat, preferably one that is not reserved.
    """
    named = looks(name)
    for_anybody = [seat for seat in room.free if not room.is_reserved(seat)]
    like = (seat for seat in room.free if looks(room.seats[seat].name) & named)
    return next(like, [*for_anybody, *room.free][0])


def begin(room: Room, moment: Moment, *, taking: int | None = None, name: str = "") -> Events:
    """Return the event that begins the first game; none if it has begun or a seat is free.

    `taking` is a free seat that counts as taken, under `name` unless that is empty.
    """
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
    """Return the event that begins a rematch. Raises OutOfDate and NotAllowed.

    OutOfDate means that `asked.game` is not the room's current game.
    """
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
    # A game that was given up moves no chips: the next one begins with those of its start.
    last = table.game.start() if room.given_up else table.position
    return (events.Begun(bytes(sitting.again(last, **moment.stamp).header).decode()),)


def leave(room: Room, asked: AtSeat, moment: Moment) -> Events:
    """Return the event that a player leaves. Raises NotAllowed if the player has left already."""
    state = room.seats[asked.seat]
    if state.left:
        raise NotAllowed("{name} has left already", name=state.name)
    return (events.Left(asked.seat),)


def come_back(room: Room, asked: AtSeat, moment: Moment) -> Events:
    """Return the event that a player is back. Raises NotAllowed if the player was not away."""
    state = room.seats[asked.seat]
    if state.is_there:
        raise NotAllowed("{name} is at the table", name=state.name)
    return (events.CameBack(asked.seat),)


def stand_in(room: Room, asked: StandIn, moment: Moment) -> Events:
    """Return the events by which a computer player takes a free seat or replaces an absent player.

    The last free seat also begins the game. Raises NotAllowed. The caller checks that this
    computer player can play here.
    """
    state, plan = room.seats[asked.seat], room.opened
    if state.taken and asked.seat not in room.away(moment.now, moment.mine):
        raise NotAllowed("{name} has not left", name=state.name)
    if state.taken and plan.leaver not in ("computer", "any"):
        raise NotAllowed("no computer player can take over here: that was agreed before the game")
    kind = kind_that_stands_in(room, asked)
    name = "" if state.taken else room.display_name(asked.seat, kind)
    return (events.StoodIn(asked.seat, kind), *begin(room, moment, taking=asked.seat, name=name))


def kind_that_stands_in(room: Room, asked: StandIn) -> str:
    """Return the kind of computer player that takes a free seat or replaces a player.

    Raises NotAllowed if another kind was agreed before the game: the players who wait do not
    choose how well the absent player's seat is played.
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
    """Return the event that ends a game since a player is away. Raises NotAllowed unless agreed."""
    if room.phase != "playing":
        raise NotAllowed("there is no game to end")
    if room.opened.leaver not in ("end", "any"):
        raise NotAllowed("this game cannot be ended early: that was agreed before it began")
    if not room.away(moment.now, moment.mine):
        raise NotAllowed("nobody has left")
    return (events.GivenUp(),)


def renew(room: Room, asked: Renew, moment: Moment) -> Events:
    """Return the event that renews a link. Raises NotAllowed for a computer player's seat."""
    if asked.seat != WATCHERS and room.seats[asked.seat].plan.computer:
        raise NotAllowed("there is no link for this seat")
    return (events.Renewed(asked.seat),)
