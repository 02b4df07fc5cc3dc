"""The page of the games that a device has played, and the same as a file."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.actions.my_games import my_games
from shutbox.web.http.context import caller
from shutbox.web.http.errors import encode
from shutbox.web.limits import MOST_LISTED_TABLES
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.numbers import tenth
from shutbox.web.rooms.requests import read_number


async def games(request: Request) -> Response:
    """The list of them."""
    found = await my_games(caller(request))
    going = [table for table in found.tables if table.phase in ("waiting", "playing")]
    over = [table for table in found.tables if table not in going]
    return rendered(
        "games.html",
        going=going,
        over=over,
        boxes=found.boxes,
        judged=any(box.loss is not None for box in found.boxes),
        counted=all(table.counted for table in found.tables),
        day=_day,
        tenth=tenth,
        most=MOST_LISTED_TABLES,
        came=read_number(request.query_params.get("came"), "came", MOST_LISTED_TABLES),
    )


async def export(request: Request) -> Response:
    """The list as a file, for programs."""
    headers = {"Content-Disposition": 'attachment; filename="shutbox-games.json"'}
    found = await my_games(caller(request))
    return Response(encode(found), headers=headers, media_type="application/json")


def _day(at: float) -> str:
    """The day of a moment, by the clock of the whole world.

    >>> _day(0.0)
    '1970-01-01'
    """
    return datetime.fromtimestamp(at, UTC).date().isoformat()
