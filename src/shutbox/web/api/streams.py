"""Live events of a room: a WebSocket for pages, server-sent events for programs.

Both are fed by one listener of the room. A client that reconnects names the last message it has.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, suppress

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from shutbox.engine.errors import NotKept, ShutboxError
from shutbox.web.actions.context import RoomCaller
from shutbox.web.errors import BadRequest, NoAnswer, NotAllowed, UnknownRoom, one_line
from shutbox.web.http.middleware import is_our_host, is_same_origin
from shutbox.web.http.requests import HttpServices, room_caller_of, services_of
from shutbox.web.http.responses import refusal
from shutbox.web.limits import SEND_SECONDS
from shutbox.web.live.live_room import Listener
from shutbox.web.logs import log
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.requests import read_number

COME_BACK = 1012  # the close code if this process is stopping or too busy: reconnect
REFUSED = 4403  # the close code of a refusal that is final; the reason is the refusal's code
TOO_SLOW = 4408  # the close code for a client that did not read what was sent


class _Number(msgspec.Struct):
    number: int = 0


_number = msgspec.json.Decoder(_Number)


@asynccontextmanager
async def listening(
    services: HttpServices, caller: RoomCaller, since: int | None
) -> AsyncIterator[Listener]:
    """Provide a listener to a room's messages after event `since`; None begins with a snapshot.

    If those messages are no longer cached, it begins with a snapshot, too. Raises NotAllowed if the
    caller may not see the room, Full if too many streams are open, and NotKept if the server is
    closing.
    """
    who, live = caller.who, caller.live
    # Check again, since a link may have been renewed. No await follows until it listens.
    caller = await caller.now()
    caller.check(Permission.SEES)
    if services.closing:
        raise NotKept("the server is shutting down; come back in a moment")
    with ExitStack() as leaving:
        seated = bool(caller.viewer.seats)
        leaving.enter_context(services.rates.stream(who.address, seated=seated))
        listener = live.listen(since, caller.viewer)
        leaving.callback(live.leave, listener)
        yield listener


async def live(socket: WebSocket) -> None:
    """Serve a page's WebSocket: send a room's messages, ignore what comes in, close if refused."""
    try:
        services = services_of(socket)
        if not is_same_origin(socket, services.site) or not is_our_host(socket, services.site):
            await socket.close(REFUSED)
            return
        inside = await room_caller_of(socket)
        since = read_number(socket.query_params.get("since"), "since")
        async with listening(services, inside, since) as listener:
            await socket.accept()
            await _serve(socket, listener)
    except ShutboxError as error:
        for_good = isinstance(error, NotAllowed | UnknownRoom | BadRequest)
        await _turn_away(socket, REFUSED if for_good else COME_BACK, error.code)
    except NoAnswer as error:
        log.error("no database", reason=one_line(error))
        await _turn_away(socket, COME_BACK)


async def _turn_away(socket: WebSocket, code: int, why: str = "") -> None:
    """Close a socket with a code; accept a new one first: a refused handshake hides the code."""
    with suppress(RuntimeError, WebSocketDisconnect):
        if socket.client_state is WebSocketState.CONNECTING:
            await socket.accept()
        await socket.close(code, why)


async def _serve(socket: WebSocket, listener: Listener) -> None:
    """Send messages until the stream ends, or the client goes or reads nothing; then close."""
    sending = asyncio.create_task(_send(socket, listener))
    reading = asyncio.create_task(_drain(socket))
    try:
        await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, reading):
            task.cancel()
        await asyncio.gather(sending, reading, return_exceptions=True)
    failed = sending.done() and not sending.cancelled() and sending.exception() is not None
    if socket.client_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            await asyncio.wait_for(socket.close(TOO_SLOW if failed else COME_BACK), SEND_SECONDS)


async def _send(socket: WebSocket, listener: Listener) -> None:
    while messages := await listener.next():
        for message in messages:
            async with asyncio.timeout(SEND_SECONDS):  # `wait_for` would start a task
                await socket.send_text(message.decode())


async def _drain(socket: WebSocket) -> None:
    """Read and discard messages until the client disconnects."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def events(request: Request) -> Response:
    """Stream a room as server-sent events. Raises as `room_caller_of`, BadRequest, NotAllowed."""
    inside = await room_caller_of(request)
    asked = request.headers.get("last-event-id") or request.query_params.get("since")
    since = read_number(asked, "since")
    inside.check(Permission.SEES)
    if request.method == "HEAD":
        return Response(media_type=_EventStream.media_type)
    return _EventStream(listening(services_of(request), inside, since))


class _EventStream(StreamingResponse):
    """A response with a room's events; it listens only while it is sent and the client reads."""

    media_type = "text/event-stream"

    def __init__(self, listening: AbstractAsyncContextManager[Listener]) -> None:
        super().__init__((), headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        self._listening = listening

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with self._listening as listener:
                self.body_iterator = _encoded(listener)
                await super().__call__(scope, receive, send)
        except ShutboxError as error:
            await refusal(error)(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        """Send the stream; give up once the client has read nothing for SEND_SECONDS."""

        async def sent(message: Message) -> None:
            async with asyncio.timeout(SEND_SECONDS):
                await send(message)

        with suppress(TimeoutError):
            await super().stream_response(sent)


async def _encoded(listener: Listener) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    while messages := await listener.next():
        for message in messages:
            number = _number.decode(message).number
            id = b"id: %d\n" % number if number else b""
            yield b"%sdata: %s\n\n" % (id, message)
