"""The record of a game, as an answer that a browser keeps as a file."""

from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.actions.context import RoomCaller
from shutbox.web.actions.records import recorded
from shutbox.web.http.requests import read_number
from shutbox.web.rooms.permissions import Who


async def record_of(caller: RoomCaller, request: Request) -> Response:
    """The record of the game that the address names, or of the one that is played."""
    caller.check(Who.SEES)
    room = caller.live.room
    game = read_number(request.query_params.get("game"), "game")
    number = room.game if game is None else game
    data = await recorded(caller, number)
    name = f"shutbox-{room.id}-{number}.shutbox"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)
