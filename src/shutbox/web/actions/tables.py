"""Opening a table."""

from shutbox.seats import Seat
from shutbox.web import limits
from shutbox.web.actions.action import key_of
from shutbox.web.actions.context import Caller
from shutbox.web.actions.plans import planned
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms.commands import IdempotencyKey
from shutbox.web.rooms.requests import NewRoom


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
