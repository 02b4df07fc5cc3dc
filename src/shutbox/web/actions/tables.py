"""Opening a table, and what can be played at one."""

from shutbox.seats import Seat
from shutbox.web import limits
from shutbox.web.actions.context import Caller, key_of, room_caller
from shutbox.web.actions.plans import planned
from shutbox.web.actions.replies import OpenedReply
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.catalogue import Catalogue, catalogue
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.permissions import hands_on
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.room import HOST, WATCHERS


async def games(who: Caller, asked: None) -> Catalogue:
    """Return every game, preset and kind of computer player."""
    return catalogue()


async def open_and_tell(who: Caller, new: NewRoom) -> OpenedReply:
    """Open a room and return its keys."""
    return await opened(who, await open_room(who, new))


async def opened(who: Caller, live: LiveRoom) -> OpenedReply:
    """Return the reply to the opener of a room."""
    access = who.services.rooms.access
    known = who if who.device else who.with_keys(*access.opener_keys(live.room))
    opener = await room_caller(known, live.room.id)
    seats = [*hands_on(live.room, opener.viewer), WATCHERS, HOST]
    names = {WATCHERS: "watch", HOST: "host"}
    keys: dict[str, str] = {}
    if access.keyring is not None:
        keys = {names.get(seat, str(seat)): access.key(live.room, seat) for seat in seats}
    return OpenedReply(live.room.number, keys, live.broadcast.present(), opener.you)


async def open_room(who: Caller, new: NewRoom) -> LiveRoom:
    """A new room. Raises what is wrong with its game, its format or its players."""
    await who.count(limits.OPENINGS_OF_ADDRESS, "openings")
    plan, game = planned(new)
    seats = [Seat(seat.name, seat.computer) for seat in plan.seats]
    seats.append(Seat("", plan.stand_in))  # who may have to play it as well
    await who.services.advisor.check_players(game, seats, who.waits_as)
    await who.count(limits.ROOMS_OF_ADDRESS, "tables")
    await who.count(limits.ROOMS_OF_ADDRESS_A_DAY, "tables")
    # Nobody knows again who has no secret of his own, and so is given another room.
    key = key_of(who, "open", new) if who.by else IdempotencyKey(new.action, "")
    live = await who.services.rooms.open(key, plan, who.device)
    live.address = who.address
    who.services.pool.warm()
    return live
