"""What is done about seats and their links: entering, standing in, making a link anew."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shutbox.game import Game
from shutbox.seats import Seat
from shutbox.table.setup import game_of_seats
from shutbox.web import limits
from shutbox.web.actions.action import Action, arranged, key_of
from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.actions.replies import Done, Seated
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms import commands
from shutbox.web.rooms.commands import IdempotencyKey, Moment, RoomChange
from shutbox.web.rooms.events import RoomEvent
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.requests import Enter, Renew, StandIn
from shutbox.web.rooms.room import HOST, WATCHERS, Room


async def enter(who: Caller, room: str, asked: Enter) -> Seated:
    """A link is followed: a free seat is taken, or this device may come back to it, or watch.

    Raises NotAllowed for a key that opens nothing, and NameNeeded.
    """
    rooms, access = who.services.rooms, who.services.rooms.access
    live = await rooms.find(room, who.waits_as)
    # Who has the link asked with it before, if the answer was lost.
    key = IdempotencyKey(asked.action, hashed(asked.key))
    before = access.entered(live, key)
    seat = access.seat_of(live.room, asked.key) if before is None else before
    no_link = NotAllowed("this link no longer works; ask for a new one")
    if seat is None:
        await who.count(limits.KEYS_OF_ADDRESS, "keys")
        raise no_link
    devices = ((seat, hashed(who.device)),) if who.device else ()

    def make(here: Room) -> RoomChange:
        if access.seat_of(here, asked.key) != seat:
            if seat < 0:
                raise no_link
            raise NotAllowed("somebody was quicker: this seat is taken")
        sits = commands.enter(here, seat, asked.name, rooms.moment()) if seat >= 0 else ()
        return RoomChange(sits, devices)

    def still() -> Sequence[tuple[int, str]]:
        if access.entered(live, key) is None:
            raise no_link
        return devices

    outcome = await rooms.change(live, key, make)
    if before is not None:
        await rooms.give(live, still)
    own = asked.key if seat == HOST else access.key(live.room, seat)
    inside = await room_caller(who.with_keys(own), room)
    view = live.broadcast.present()
    return Seated(outcome.number, seat if seat >= 0 else None, own, view, inside.you)


async def stand_in(action: Action, caller: RoomCaller, asked: StandIn) -> Done:
    """A computer player takes a free seat, or goes on for somebody who is away."""
    caller.check(action.who, asked.seat)
    game, seats = _with_stand_in(caller.live.room, asked)
    await caller.who.services.advisor.check_players(game, seats, caller.who.waits_as)
    return await arranged(_stand_in)(action, caller, asked)


def _stand_in(room: Room, asked: StandIn, moment: Moment) -> tuple[RoomEvent, ...]:
    events = commands.stand_in(room, asked, moment)
    _with_stand_in(room, asked)
    return events


def _with_stand_in(room: Room, asked: StandIn) -> tuple[Game[Any, Any], list[Seat]]:
    """The game and the seats with the computer player. Raises BadName where that cannot be."""
    plan = room.opened
    seats = [Seat(s.name, s.computer) for s in room.seats]
    seats[asked.seat] = replace(
        seats[asked.seat], computer=commands.kind_that_stands_in(room, asked)
    )
    return game_of_seats(plan.game, seats, plan.format), seats


async def renew(action: Action, caller: RoomCaller, asked: Renew) -> Done:
    """A link is made anew; who came by the old one is shut out, but for the caller.

    Who opened the room, and makes the link of their own seat anew, is its host on no other device:
    one that took their games along was, too.
    """
    who, live, rooms = caller.who, caller.live, caller.who.services.rooms
    key = key_of(who, action.name, asked)
    # Who asked by the key of the seat itself, and lost the answer, has only the old one.
    number = rooms.access.renewed(live, key, asked.seat, who.keys)
    mine = number is not None or asked.seat in caller.viewer.seats or asked.seat == WATCHERS
    if number is None:
        hosts = who.device and caller.viewer.host and asked.seat in caller.viewer.seats
        also = (HOST,) if hosts else ()
        stays = (asked.seat, *also) if who.device and mine else ()
        devices = tuple((seat, hashed(who.device or "")) for seat in stays)

        def make(room: Room) -> RoomChange:
            return RoomChange(commands.renew(room, asked, rooms.moment()), devices, also)

        number = (await action.arrange(caller, asked, make)).number
    keys = [rooms.access.key(live.room, asked.seat)] if mine else []
    inside = await caller.again(*keys)
    return Done(number, live.broadcast.present(), inside.you)
