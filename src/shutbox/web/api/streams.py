"""What happens in a room, as it happens: WebSocket for pages, server-sent events for programs.

Both are fed by one listener of the room. A client that comes back says which message it had last.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import Response, StreamingResponse
from starlette.types import Message, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from shutbox.errors import BadRequest, NotAllowed, NotKept, ShutboxError, UnknownRoom
from shutbox.web.http.endpoint import Ask, refusal
from shutbox.web.http.identity import Visit, caller, visit
from shutbox.web.http.middleware import is_our_host, is_same_origin
from shutbox.web.http.requests import read_number
from shutbox.web.limits import ACTIONS_OF_ADDRESS, SEND_SECONDS
from shutbox.web.live.live_room import Listener
from shutbox.web.logs import log
from shutbox.web.rooms.view import check_sees
from shutbox.web.storage.engine import reason

COME_BACK = 1012
"""The close code that says: the server goes on elsewhere, come back."""
REFUSED = 4403
TOO_SLOW = 4408


class _Number(msgspec.Struct):
    number: int = 0


_number = msgspec.json.Decoder(_Number)


@asynccontextmanager
async def listening(visiting: Visit, since: int | None) -> AsyncIterator[Listener]:
    """A listener as long as somebody listens. Raises NotAllowed, Full and NotKept."""
    who, server = visiting.caller, visiting.caller.server
    if since is not None and since > visiting.live.room.number:
        await server.rooms.catch_up(visiting.live)  # another process told it more
    # Once more, since a link may have been made anew meanwhile: from here on nothing is waited for.
    viewer = await server.rooms.passes.viewer(visiting.live, who.device, who.keys)
    check_sees(viewer)
    if server.closing:
        raise NotKept("the server is shutting down; come back in a moment")
    server.rates.stream_begins(who.address)
    server.metrics.listeners.inc()
    try:
        listener = visiting.live.listen(since, viewer)
        try:
            yield listener
        finally:
            visiting.live.leave(listener)
    finally:
        server.metrics.listeners.dec()
        server.rates.stream_ends(who.address)


async def live(socket: WebSocket) -> None:
    """The WebSocket of a page: messages go out, and nothing that comes in means anything."""
    try:
        who = caller(socket)
        if not is_same_origin(socket, who.origin) or not is_our_host(socket, who.server.settings):
            await socket.close(REFUSED)
            return
        await who.server.rates.check(ACTIONS_OF_ADDRESS, "requests", who.address)
        visiting = await visit(who, socket.path_params["room"])
        since = read_number(socket.query_params.get("since"), "since")
        async with listening(visiting, since) as listener:
            await socket.accept()
            await _tell(socket, listener)
    except ShutboxError as error:
        for_good = isinstance(error, NotAllowed | UnknownRoom | BadRequest)
        await _turn_away(socket, REFUSED if for_good else COME_BACK, error.code)
    except SQLAlchemyError as error:
        log.error("no database", reason=reason(error))
        await _turn_away(socket, COME_BACK)


async def _turn_away(socket: WebSocket, code: int, why: str = "") -> None:
    """Close it so that a page hears the code: of a refused handshake it would hear nothing."""
    with suppress(RuntimeError, WebSocketDisconnect):
        if socket.client_state is WebSocketState.CONNECTING:
            await socket.accept()
        await socket.close(code, why)


async def _tell(socket: WebSocket, listener: Listener) -> None:
    """Send what there is until either side has gone."""
    sending = asyncio.create_task(_send(socket, listener))
    reading = asyncio.create_task(_drain(socket))
    try:
        await asyncio.wait((sending, reading), return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (sending, reading):
            task.cancel()
        await asyncio.gather(sending, reading, return_exceptions=True)
    code = COME_BACK
    if sending.done() and not sending.cancelled() and sending.exception() is not None:
        code = TOO_SLOW
    if socket.client_state is WebSocketState.CONNECTED:
        with suppress(RuntimeError, WebSocketDisconnect, TimeoutError):
            await asyncio.wait_for(socket.close(code), SEND_SECONDS)


async def _send(socket: WebSocket, listener: Listener) -> None:
    while messages := await listener.next():
        for message in messages:
            await asyncio.wait_for(socket.send_text(message.decode()), SEND_SECONDS)


async def _drain(socket: WebSocket) -> None:
    """Read until the other side has gone; what it says is dropped."""
    while (await socket.receive())["type"] != "websocket.disconnect":
        pass


async def events(ask: Ask) -> Response:
    """The stream of a program."""
    asked = ask.request.headers.get("last-event-id") or ask.request.query_params.get("since")
    since = read_number(asked, "since")
    check_sees(ask.visiting.viewer)
    if ask.request.method == "HEAD":
        return Response(media_type=_EventStream.media_type)
    return _EventStream(ask.visiting, since)


class _EventStream(StreamingResponse):
    """Listens as long as it is sent, and no longer than somebody takes what is sent."""

    media_type = "text/event-stream"

    def __init__(self, visiting: Visit, since: int | None) -> None:
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        super().__init__((), headers=headers)
        self._visiting = visiting
        self._since = since

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what happens until either side has gone."""
        try:
            async with listening(self._visiting, self._since) as listener:
                self.body_iterator = _told(listener)
                await super().__call__(scope, receive, send)
        except ShutboxError as error:
            await refusal(error)(scope, receive, send)

    async def stream_response(self, send: Send) -> None:
        """Give up where nobody takes anything any more."""

        async def sent(message: Message) -> None:
            await asyncio.wait_for(send(message), SEND_SECONDS)

        with suppress(TimeoutError):
            await super().stream_response(sent)


async def _told(listener: Listener) -> AsyncIterator[bytes]:
    yield b"retry: 1000\n\n"
    while messages := await listener.next():
        for message in messages:
            number = _number.decode(message).number
            id = b"id: %d\n" % number if number else b""
            yield b"%sdata: %s\n\n" % (id, message)
