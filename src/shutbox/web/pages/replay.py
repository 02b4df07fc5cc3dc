"""The page on which a record is played again, step by step."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from shutbox.errors import ShutboxError
from shutbox.messages import gettext
from shutbox.web import limits
from shutbox.web.actions.context import room_caller
from shutbox.web.actions.records import is_short
from shutbox.web.errors import sentence
from shutbox.web.http.context import caller, services_of
from shutbox.web.http.errors import status_of
from shutbox.web.http.packed import PackedReplay
from shutbox.web.http.records import read_record, replayed, sent_record
from shutbox.web.pages.templates import rendered


async def replay(request: Request) -> Response:
    """The form for a record; or the game of a table, step by step."""
    room = request.query_params.get("room")
    if room is None:
        return _page(None)
    there = await room_caller(caller(request), room)
    game, data = await read_record(there, request)
    live = there.live.room
    over = game < live.game or live.phase in ("over", "ended")
    review = f"/r/{live.id}/review?game={game}" if over else None
    return await _replay(await replayed(there.who, data, quick=is_short(there)), review)


async def open_record(request: Request) -> Response:
    """A record that was sent, step by step."""
    who = caller(request)
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    sent = await sent_record(request)
    if sent.data is None:
        return _page(None, gettext("No file was sent."), 422)
    try:
        return await _replay(await replayed(who, sent.data))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _page(None, sentence(error), status_of(error))


async def _replay(found: PackedReplay, review: str | None = None) -> Response:
    """The page of a record; the megabytes of a long one are written in a thread."""
    return await run_in_threadpool(_page, found, review=review)


def _page(
    found: PackedReplay | None,
    error: str | None = None,
    status: int = 200,
    review: str | None = None,
) -> Response:
    return rendered("replay.html", status, replay=found, error=error, review=review)
