"""Live events of a room: a WebSocket for pages, server-sent events for programs.

Both are fed by one listener of the room. A client that reconnects names the last message it has.
"""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager, suppress

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from shutbox.engine.errors import NotKept, ShutboxError
from shutbox.web.actions.context import RoomCaller
from shutbox.web.errors import BadRequest, NoAnswer, NotAllowed, UnknownRoom, one_line
from shutbox.web.http.middleware import is_our_host, is_same_origin
from shutbox.web.http.requests import room_caller_of, services_of
from shutbox.web.limits import SEND_SECONDS
from shutbox.web.live.live_room import Listener
from shutbox.web.logs import log
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.requests import read_number

COME_BACK = 1012  # the close code if this process is stopping or too busy: reconnect
REFUSED = 4403  # the close code of a refusal that is final; the reason is the refusal's code
TOO_SLOW = 4408  # the close code for a client that did not read what was sent


@asynccontextmanager
async def _listening(caller: RoomCaller, since: int | None) -> AsyncIterator[Listener]:
    """Provide a listener to a room's messages after event `since`; None begins with a snapshot.

    If those messages are no longer cached, it begins with a snapshot, too. Raises NotAllowed if the
    caller may not see the room, Full if too many streams are open, and NotKept if the server is
    closing.
    """
    # Check again, since a link may have been renewed. No await follows until it listens.
    caller = await caller.now()
    caller.check(Permission.SEES)
    if caller.client.services.closing:
        raise NotKept("the server is shutting down; come back in a moment")
    listener = caller.live.listen(since, caller.viewer)
    try:
        yield listener
    finally:
        caller.live.leave(listener)


async def _messages(listener: Listener) -> AsyncIterator[bytes]:
    while messages := await listener.next():
        for message in messages:
            yield message


async def live(socket: WebSocket) -> None:
    """Serve a page's WebSocket: send a room's messages, ignore what comes in, close if refused."""
    site, code, why = services_of(socket).site, COME_BACK, ""
    if not is_same_origin(socket, site) or not is_our_host(socket, site):
        await socket.close(REFUSED)
        return
    try:
        caller = await room_caller_of(socket)
        since = read_number(socket.query_params.get("since"), "since")
        async with _listening(caller, since) as listener:
            await socket.accept()
            code = await _serve(socket, listener)
    except ShutboxError as error:
        why = error.code
        code = REFUSED if isinstance(error, NotAllowed | UnknownRoom | BadRequest) else COME_BACK
    except NoAnswer as error:
        log.error("no database", reason=one_line(error))
    with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
        async with asyncio.timeout(SEND_SECONDS):
            if socket.client_state is WebSocketState.CONNECTING:
                await socket.accept()  # a refused handshake hides the code
            await socket.close(code, why)


async def _serve(socket: WebSocket, listener: Listener) -> int:
    """Send messages until the stream ends or the client goes; return the code to close with."""
    reading = asyncio.create_task(_drain(socket, listener))
    try:
        async for message in _messages(listener):
            async with asyncio.timeout(SEND_SECONDS):  # `wait_for` would start a task
                await socket.send_text(message.decode())
        return COME_BACK
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        return TOO_SLOW
    finally:
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)


async def _drain(socket: WebSocket, listener: Listener) -> None:
    """Read and discard messages until the client disconnects; then end its stream."""
    try:
        while (await socket.receive())["type"] != "websocket.disconnect":
            pass
    finally:
        listener.drop()


async def events(request: Request) -> Response:
    """Stream a room as server-sent events. Raises as `room_caller_of`, BadRequest, `_listening`."""
    caller = await room_caller_of(request)
    sent = request.headers.get("last-event-id") or request.query_params.get("since")
    stream = _events(caller, read_number(sent, "since"))
    caller.check(Permission.SEES)
    if request.method == "HEAD":
        return Response(media_type=_EventStream.media_type)
    await anext(stream)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return _EventStream(stream, headers=headers)


class _EventStream(StreamingResponse):
    """A response with a room's events."""

    media_type = "text/event-stream"

    async def stream_response(self, send: Send) -> None:
        """Send the stream; give up once the client has read nothing for SEND_SECONDS."""

        async def sent(message: Message) -> None:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        async with aclosing(self.body_iterator):  # type: ignore[type-var]
            with suppress(TimeoutError):
                await super().stream_response(sent)


async def _events(caller: RoomCaller, since: int | None) -> AsyncIterator[bytes]:
    """Yield nothing once it listens, and then a room's events. Raises as `_listening`."""
    async with _listening(caller, since) as listener:
        yield b""
        yield b"retry: 1000\n\n"
        async for message in _messages(listener):
            number = json.loads(message).get("number")
            id = b"id: %d\n" % number if number else b""
            yield b"%sdata: %s\n\n" % (id, message)
