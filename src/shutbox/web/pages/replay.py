"""The page that replays a record, step by step."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shutbox.errors import ShutboxError
from shutbox.messages import gettext
from shutbox.web import limits
from shutbox.web.actions.context import room_caller
from shutbox.web.actions.replays import is_short
from shutbox.web.http.context import caller
from shutbox.web.http.packed import PackedReplay
from shutbox.web.http.records import read_record, replayed, sent_record
from shutbox.web.pages.templates import refused, rendered


async def replay(request: Request) -> Response:
    """Show the form for a record, or a game of the `room` in the query step by step."""
    room = request.query_params.get("room")
    if room is None:
        return rendered("replay.html", replay=None, review=None)
    there = await room_caller(caller(request), room)
    game, data = await read_record(there, request)
    live = there.live.room
    over = game < live.game or live.phase in ("over", "ended")
    review = f"/r/{live.id}/review?game={game}" if over else None
    return await _page(await replayed(there.who, data, quick=is_short(there)), review)


async def open_record(request: Request) -> Response:
    """Show a record that was sent, step by step, or why it cannot be read."""
    who = caller(request)
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    data, _ = await sent_record(request)
    if data is None:
        said = [gettext("No file was sent.")]
        return rendered("replay.html", status=422, said=said, replay=None, review=None)
    try:
        return await _page(await replayed(who, data))
    except ShutboxError as error:
        return refused(request, "replay.html", error, replay=None, review=None)


async def _page(found: PackedReplay, review: str | None = None) -> Response:
    """Render the page of a record in a thread, since a long one has megabytes."""
    return await run_in_threadpool(rendered, "replay.html", replay=found, review=review)
