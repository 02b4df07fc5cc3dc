"""Records of games: downloads, uploads and replays."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message

from shutbox.web.actions.context import Caller
from shutbox.web.actions.replays import recorded
from shutbox.web.errors import BadRequest
from shutbox.web.http.context import room_caller_of
from shutbox.web.http.packed import PackedReplay, packed
from shutbox.web.http.requests import body_of
from shutbox.web.limits import LARGEST_BODY, LARGEST_RECORD
from shutbox.web.rooms.requests import read_number


async def record(request: Request) -> Response:
    """Send the record of a game as a file to download."""
    caller = await room_caller_of(request)
    number = caller.game(read_number(request.query_params.get("game"), "game"))
    data = await recorded(caller, number)
    name = f"shutbox-{caller.live.room.id}-{number}.shutbox"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(data, media_type="text/plain; charset=utf-8", headers=headers)


async def replayed(who: Caller, data: bytes, *, quick: bool = False) -> PackedReplay:
    """Replay a record in a worker and return its steps. Raises BadRecord and Full."""
    return await who.do(packed, data, quick=quick, patient=True)


async def sent_record(request: Request) -> tuple[bytes | None, str]:
    """Return the record that a form sends, or None, and the requested step ("" for none).

    A record is an uploaded file, or its text if a page sends it again. Raises BadRequest, NotKept,
    and HTTPException for a malformed form.
    """
    # The headers of the form itself take some bytes too.
    body = await body_of(request, LARGEST_RECORD + LARGEST_BODY)

    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    try:
        async with Request(request.scope, receive).form(max_files=1, max_fields=5) as form:
            sent, step = form.get("record") or form.get("text"), form.get("step")
            if sent is None or sent == "":
                data = None
            elif isinstance(sent, str):
                data = sent.replace("\r\n", "\n").encode()  # as forms write line ends
            else:
                data = await sent.read(LARGEST_RECORD + 1)
    except (LookupError, UnicodeError):
        raise BadRequest("the form is not in the character set that it names") from None
    if data is not None and len(data) > LARGEST_RECORD:
        raise BadRequest("the record is longer than {most:,} bytes", most=LARGEST_RECORD)
    return data, step if isinstance(step, str) else ""
