"""Records of games, and their reviews, which are kept for anyone who looks at them."""

from hashlib import sha256

from shutbox.web.actions import replays
from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.replies import ReplayView
from shutbox.web.actions.reviews import ReviewView, reviewed_game, reviewed_record
from shutbox.web.compute.budget import inner_of, is_ordinary, is_quick
from shutbox.web.errors import NotAllowed
from shutbox.web.limits import HINTS_OF_ADDRESS, SHORT_RECORD
from shutbox.web.rooms.permissions import Who


async def recorded(caller: RoomCaller, game: int | None) -> bytes:
    """Return the record of a game of a room, or of the one that is played.

    Raises TooOften, Full and UnknownRecord.
    """
    caller.check(Who.SEES)
    who, live = caller.who, caller.live
    await who.count(HINTS_OF_ADDRESS, "records")
    history = await who.services.rooms.history(live)
    about = live.room.id, history, live.room.game if game is None else game
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


async def replay(who: Caller, data: bytes) -> ReplayView:
    """Return a record that the caller sends, event by event. Raises BadRecord and Full."""
    return await who.services.pool.do(who.waits_as, replays.replayed, data, patient=True)


async def review_of_room(caller: RoomCaller, game: int | None) -> ReviewView:
    """Return the review of a game of a room, or of the one that is over.

    Raises NotAllowed before its end, TooOften, Full and TooLarge.
    """
    caller.check(Who.SEES)
    room, who = caller.live.room, caller.who
    game = game or room.game
    if game == room.game and room.phase not in ("over", "ended"):
        raise NotAllowed("the game is not over yet; its review comes after its end")
    # A game whose end was taken back is another one then.
    key = f"{room.id} {game} {room.number if game == room.game else ''}"
    patient = room.table is not None and not is_ordinary(room.table.game)
    known: ReviewView | None = who.services.reviews.find(key)
    if known is None:
        await who.count(HINTS_OF_ADDRESS, "reviews")
        history = await who.services.rooms.history(caller.live)
        about = room.id, history, game
        known = await who.services.pool.do(who.waits_as, reviewed_game, *about, patient=patient)
        who.services.reviews.keep(key, known)
    return known


async def review_of_record(who: Caller, data: bytes) -> ReviewView:
    """Return the review of a record that the caller sends. Raises BadRecord, Full and TooLarge."""
    key = sha256(data).hexdigest()
    known: ReviewView | None = who.services.reviews.find(key)
    if known is None:
        known = await who.services.pool.do(who.waits_as, reviewed_record, data, patient=True)
        who.services.reviews.keep(key, known)
    return known
