"""Records: that of a game as a file, and one that is played again, step by step."""

from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.actions.records import recorded
from shutbox.web.http.packed import PackedReplay, packed
from shutbox.web.http.requests import read_number
from shutbox.web.rooms.permissions import Who


async def read_record(caller: RoomCaller, request: Request) -> tuple[int, bytes]:
    """The number and the record of the game that the address names, or of the one being played."""
    caller.check(Who.SEES)
    game = read_number(request.query_params.get("game"), "game")
    number = caller.live.room.game if game is None else game
    return number, await recorded(caller, number)


async def record_of(caller: RoomCaller, request: Request) -> Response:
    """The same, as a file."""
    number, data = await read_record(caller, request)
    name = f"shutbox-{caller.live.room.id}-{number}.shutbox"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)


async def replay(who: Caller, data: bytes, *, quick: bool = False) -> PackedReplay:
    """A record, step by step. Raises BadRecord and Full."""
    return await who.services.pool.do(who.waits_as, packed, data, quick=quick, patient=True)
