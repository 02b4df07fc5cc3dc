"""The games of a device: whose turn it is, the player's form, the boxes shut; and learn."""

from bisect import bisect
from datetime import UTC, datetime
from statistics import mode
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from shutbox import find
from shutbox.output.picture import miniature
from shutbox.web import limits
from shutbox.web.actions.my_games import MyTable, PlayedTurn, my_games
from shutbox.web.http.requests import caller_of, services_of
from shutbox.web.http.responses import as_json
from shutbox.web.live.repository import RoomRepository
from shutbox.web.pages.gallery import box_at, classics, figures
from shutbox.web.pages.templates import render
from shutbox.web.rooms.requests import read_number
from shutbox.web.rooms.shapes import values_of

_MOST_IN_FORM = 20  # of the last turns with one box, which the curve shows
_DARKER = (7, 25, 50, 75)  # the days after which the brass of a plate is a shade darker
_LAST_GAMES = 10
_DAY = 86_400  # seconds


class ShutPlate(NamedTuple):
    """The brass plate of a box that a player on this device has shut."""

    room: str  # the id of the room
    turn: PlayedTurn
    day: str  # the day of the end of its game in UTC, like 2026-11-23
    shade: int  # how many shades darker its brass is by now, from 0 to 4


async def games(request: Request) -> Response:
    """Show the list of the device's games, and its results."""
    mine, rooms = await my_games(caller_of(request)), services_of(request).rooms
    tables, now = sorted(mine, key=lambda table: -table.at), rooms.now()
    going = [table for table in tables if table.phase in ("waiting", "playing")]
    turns = [turn for table in tables[::-1] for turn in table.turns]
    most_played = mode(turn.game for turn in turns) if turns else ""
    form = [turn for turn in turns if turn.game == most_played][-_MOST_IN_FORM:]
    shut = [(table, turn) for table in tables for turn in table.turns[::-1] if turn.shut]
    pictures = {table.room: _picture(table, rooms, goes_on=table in going) for table in tables}
    return render(
        "games.html",
        now=now,
        going=sorted(going, key=lambda table: not table.due),
        over=[table for table in tables if table not in going],
        form=form,
        perfect=figures().get(form[0].game, {}).get("mean") if form else None,
        plates=[_plate(table.room, turn, now) for table, turn in shut],
        pictures={room: picture for room, picture in pictures.items() if picture},
        counted=all(table.counted for table in tables),
        most=limits.MOST_LISTED_TABLES,
        came=read_number(request.query_params.get("came"), "came", limits.MOST_LISTED_TABLES),
    )


def _plate(room: str, turn: PlayedTurn, now: float) -> ShutPlate:
    day = str(datetime.fromtimestamp(turn.at, UTC).date())
    return ShutPlate(room, turn, day, bisect(_DARKER, (now - turn.at) / _DAY))


def _picture(table: MyTable, rooms: RoomRepository, *, goes_on: bool) -> str:
    """Return the box of a table: now if it `goes_on`, else as the last turn here left it.

    "" if that is not known, as for a game that others ended.
    """
    if table.turns and not goes_on:
        return box_at(table.turns[-1].game, table.turns[-1].left)
    live = rooms.loaded_room(table.room)
    if live is None or (table.others and not goes_on):
        return ""
    if live.room.table is not None:
        return miniature(live.room.table.scene.lying)
    game = find(live.room.opened.game)
    return miniature(game.scene(game.start()).lying)


async def learn(request: Request) -> Response:
    """Show practice, analysis and review, and the device's last games as their boxes ended."""
    tables = sorted(await my_games(caller_of(request)), key=lambda table: -table.at)
    over = [(table, table.turns[-1]) for table in tables if table.phase == "over" and table.turns]
    boxes = [box_at(turn.game, turn.left) for _, turn in over[:_LAST_GAMES]]
    pictures = classics("1-9/3+6 9", "1-3.6.7/5+6 2.3.6", "2.6/3+1")
    return render("learn.html", pictures=pictures, games=list(zip(over, boxes, strict=False)))


async def export(request: Request) -> Response:
    """Return the list of the device's games as a JSON file, for programs."""
    tables = [values_of(table) for table in await my_games(caller_of(request))]
    for table in tables:
        del table["view"]
    answer = as_json({"tables": tables})
    answer.headers["Content-Disposition"] = 'attachment; filename="shutbox-games.json"'
    return answer
