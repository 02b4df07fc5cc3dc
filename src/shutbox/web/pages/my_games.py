"""The list of a device's games, and its results."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from shutbox.output.picture import miniature
from shutbox.web import limits
from shutbox.web.actions.my_games import my_games
from shutbox.web.http.requests import caller, services_of
from shutbox.web.http.responses import as_json
from shutbox.web.pages.analysis import MOST_BARS
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.requests import read_number


async def games(request: Request) -> Response:
    """Show the list of the device's games, and its results."""
    mine = await my_games(caller(request))
    going = [table for table in mine.tables if table.phase in ("waiting", "playing")]
    in_order = sorted(mine.tables, key=lambda table: table.at)
    turns = [turn for table in in_order for turn in table.turns]
    loaded = map(services_of(request).rooms.cached_room, (table.room for table in in_order))
    rooms = [live.room for live in loaded if live]
    return rendered(
        "games.html",
        going=going,
        over=[table for table in mine.tables if table not in going],
        boxes=mine.boxes,
        scores=[turn.score for turn in turns if turn.game == mine.boxes[0].game][-MOST_BARS:],
        pictures={r.id: miniature(r.table.scene.pieces if r.table else ()) for r in rooms},
        judged=any(box.loss is not None for box in mine.boxes),
        counted=all(table.counted for table in mine.tables),
        day=lambda at: str(datetime.fromtimestamp(at, UTC).date()),
        most=limits.MOST_LISTED_TABLES,
        came=read_number(request.query_params.get("came"), "came", limits.MOST_LISTED_TABLES),
    )


async def export(request: Request) -> Response:
    """Return the list of the device's games as a JSON file, for programs."""
    answer = as_json(await my_games(caller(request)))
    answer.headers["Content-Disposition"] = 'attachment; filename="shutbox-games.json"'
    return answer
