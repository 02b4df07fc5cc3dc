"""The part of a review that shows a record again, step by step."""

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
        return rendered("replay.html", replay=None)
    inside = await room_caller(caller(request), room)
    game, data = await read_record(inside, request)
    live = inside.live.room
    over = game < live.game or live.phase in ("over", "ended")
    review = f"/r/{live.id}/review?game={game}" if over else None
    return await _page(await replayed(inside.who, data, quick=is_short(inside)), review)


async def open_record(request: Request) -> Response:
    """Show a record that was sent, step by step, or why it cannot be read."""
    who = caller(request)
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    data, _ = await sent_record(request)
    if data is None:
        problems = [gettext("No file was sent.")]
        return rendered("replay.html", status=422, said=problems, replay=None)
    try:
        record = data.decode(errors="replace")
        return await _page(await replayed(who, data), record=record)
    except ShutboxError as error:
        return refused(request, "replay.html", error, replay=None)


async def _page(
    found: PackedReplay, review: str | None = None, record: str | None = None
) -> Response:
    """Return the page of a replay, with the address of its review or its `record` to send there."""
    return await run_in_threadpool(
        rendered, "replay.html", replay=found, review=review, record=record
    )
