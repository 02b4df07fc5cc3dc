"""The games that a device has played: as a page, and as a file."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from shutbox.picture import MINIATURE_SYMBOLS, miniature
from shutbox.web import limits
from shutbox.web.actions.my_games import my_games
from shutbox.web.http.answers import encode
from shutbox.web.http.context import caller, services_of
from shutbox.web.pages.charts import MOST_BARS
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.requests import read_number


async def games(request: Request) -> Response:
    """Show the list of the device's games, and its results."""
    found = await my_games(caller(request))
    going = [table for table in found.tables if table.phase in ("waiting", "playing")]
    over = [table for table in found.tables if table not in going]
    in_order = sorted(found.tables, key=lambda table: table.at)
    turns = [turn for table in in_order for turn in table.turns]
    drawn = {}
    for live in filter(
        None, map(services_of(request).rooms.cached_room, (t.room for t in in_order))
    ):
        drawn[live.room.id] = miniature(live.room.table.scene.pieces if live.room.table else ())
    return rendered(
        "games.html",
        going=going,
        over=over,
        boxes=found.boxes,
        scores=[turn.score for turn in turns if turn.game == found.boxes[0].game][-MOST_BARS:],
        pictures=drawn,
        symbols=MINIATURE_SYMBOLS,
        judged=any(box.loss is not None for box in found.boxes),
        counted=all(table.counted for table in found.tables),
        day=_day,
        most=limits.MOST_LISTED_TABLES,
        came=read_number(request.query_params.get("came"), "came", limits.MOST_LISTED_TABLES),
    )


async def export(request: Request) -> Response:
    """Return the list of the device's games as a JSON file, for programs."""
    headers = {"Content-Disposition": 'attachment; filename="shutbox-games.json"'}
    found = await my_games(caller(request))
    return Response(encode(found), headers=headers, media_type="application/json")


def _day(at: float) -> str:
    """Return the UTC date of a time in seconds since 1970.

    >>> _day(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(at, UTC).date().isoformat()
