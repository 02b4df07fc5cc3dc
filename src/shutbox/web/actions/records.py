"""Records of the games of a room."""

from shutbox.web.actions import replays
from shutbox.web.actions.context import RoomCaller
from shutbox.web.compute.budget import inner_of, is_quick
from shutbox.web.limits import HINTS_OF_ADDRESS, SHORT_RECORD


async def recorded(caller: RoomCaller, game: int) -> bytes:
    """The record of a game of a room. Raises TooOften, Full and UnknownRecord."""
    who, live = caller.who, caller.live
    await who.count(HINTS_OF_ADDRESS, "records")
    history = await who.services.rooms.history(live)
    about = live.room.id, history, game
    return await who.services.pool.do(
        who.waits_as, replays.record_of, *about, quick=is_short(caller), patient=True
    )


def is_short(caller: RoomCaller) -> bool:
    """Whether the record of a room is made, and played again, in a moment."""
    room = caller.live.room
    return (
        room.table is not None
        and room.number < SHORT_RECORD
        and is_quick(inner_of(room.table.game))
    )
