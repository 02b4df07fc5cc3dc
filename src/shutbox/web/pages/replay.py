"""The page on which a record is played again, step by step."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from shutbox.errors import ShutboxError
from shutbox.messages import gettext
from shutbox.web import limits
from shutbox.web.actions.context import room_caller
from shutbox.web.actions.records import is_short
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import services_of
from shutbox.web.http.errors import sentence, status_of
from shutbox.web.http.identity import caller
from shutbox.web.http.packed import PackedReplay
from shutbox.web.http.records import read_record
from shutbox.web.http.records import replay as played_again
from shutbox.web.http.requests import body_of
from shutbox.web.pages.templates import rendered


async def replay(request: Request) -> Response:
    """The form for a record; or the game of a table, step by step."""
    room = request.query_params.get("room")
    if room is None:
        return _page(None)
    there = await room_caller(caller(request), room)
    _, data = await read_record(there, request)
    return await _replay(await played_again(there.who, data, quick=is_short(there)))


async def open_record(request: Request) -> Response:
    """A record that was sent, step by step."""
    who = caller(request)
    await who.count(limits.HINTS_OF_ADDRESS, "records")
    # Headers of the form itself take some bytes, too.
    body = await body_of(request, limits.LARGEST_RECORD + limits.LARGEST_BODY)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(request.scope, receive).form(max_files=1, max_fields=5) as form:
            sent = form.get("record")
            if sent is None or isinstance(sent, str):
                return _page(None, gettext("No file was sent."), 422)
            data = await sent.read(limits.LARGEST_RECORD + 1)
    except (LookupError, UnicodeError):
        raise BadRequest("the form names a character set that it is not in") from None
    if len(data) > limits.LARGEST_RECORD:
        raise BadRequest("the record is longer than {most:,} bytes", most=limits.LARGEST_RECORD)
    try:
        return await _replay(await played_again(who, data))
    except ShutboxError as error:
        services_of(request).metrics.refused(error)
        return _page(None, sentence(error), status_of(error))


async def _replay(found: PackedReplay) -> Response:
    """The page of a record; the megabytes of a long one are written in a thread."""
    return await run_in_threadpool(_page, found)


def _page(found: PackedReplay | None, error: str | None = None, status: int = 200) -> Response:
    return rendered("replay.html", status, replay=found, error=error)
