"""Limits on what a connection sends, and what a proxy says of it, below the application.

uvicorn waits without limit for the rest of a request, accepts headers of any size and any number of
pipelined requests, and answers every WebSocket ping even if the client does not read the answers.
A proxy limits the connections of an address.
"""

import asyncio
from math import inf
from typing import Any

from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from shutbox.web import limits

_REFUSAL = b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


def behind_proxies(app: Any, proxies: str) -> Any:
    """Return an ASGI app that believes X-Forwarded-For and -Proto of `proxies`.

    Of several words for the scheme, in any case, the first proxy's counts.
    """
    inner = ProxyHeadersMiddleware(app, proxies)

    async def asked(scope: Any, receive: Any, send: Any) -> None:
        scope["headers"] = [
            (name, value.split(b",")[0].lower() if name == b"x-forwarded-proto" else value)
            for name, value in scope.get("headers", ())
        ]
        await inner(scope, receive, send)

    return asked


class Budget:
    """A token bucket: `most` at once, refilled by `a_second` each second."""

    def __init__(self, most: int, a_second: int) -> None:
        self._most = most
        self._a_second = a_second
        self._left = float(most)
        self._since = -inf

    def left(self, now: float) -> int:
        """Refill the budget up to `now`, in seconds, and return what is left, at least 0."""
        self._left = min(self._most, self._left + (now - self._since) * self._a_second)
        self._since = now
        return int(max(self._left, 0))

    def spend(self, size: int) -> None:
        """Take `size` from the budget, which may fall below 0."""
        self._left -= size


class TooMuch(Exception):
    """A signal to stop parsing: a request came before its turn."""


class BoundedHttp(HttpToolsProtocol):
    """An HTTP connection that limits the time and size of each request."""

    _deadline: asyncio.TimerHandle | None = None  # for the request being received
    _in_head = True
    _size = 0  # the bytes received of that request
    _upgraded = False
    _stuck: asyncio.TimerHandle | None = None  # for the client to read what was written

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeouts."""
        self._settle()
        self._taken()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Abort the connection if the client does not read within `SEND_SECONDS`."""
        super().pause_writing()
        self._stuck = self.loop.call_later(limits.SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the timeout: the client reads again."""
        self._taken()
        super().resume_writing()

    def handle_websocket_upgrade(self) -> None:
        """Hand the connection over to a WebSocket, without HTTP timeouts."""
        self._upgraded = True
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Parse received data, and cut the connection if the request is too large."""
        self._size += len(data)
        super().data_received(data)
        if self._deadline is None:
            # An empty line starts no request, but it cancels uvicorn's keep-alive timeout.
            waits = not self._answering and self.timeout_keep_alive_task is None
            if waits and not self._upgraded and not self.transport.is_closing():
                self._expect()
        else:
            most = limits.LARGEST_HEAD if self._in_head else limits.LARGEST_REQUEST
            if self._size > most:
                self._cut(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """Start the timeout of a request.

        While the request before it is unanswered, raise TooMuch to ignore this one; the connection
        closes after that answer. Pipelining would let a client queue thousands of requests.
        """
        if self._answering:
            self.cycle.keep_alive = False
            raise TooMuch
        super().on_message_begin()
        if self._deadline is None:
            self._expect()

    def on_headers_complete(self) -> None:
        """Begin to answer; the endpoint reads the body."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancel the timeout: the request is complete."""
        self._settle()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse a head that cannot be parsed; an answer in progress goes on."""
        if not self._answering:
            super().send_400_response(msg)

    @property
    def _answering(self) -> bool:
        """Whether an earlier request is still being answered."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first
        return cycle is not None and not cycle.response_complete

    def _expect(self) -> None:
        """Start the timeout of the next request, whose bytes are counted from 0."""
        self._in_head, self._size = True, 0
        self._deadline = self.loop.call_later(
            limits.REQUEST_SECONDS, self._cut, b"408 Request Timeout"
        )

    def _settle(self) -> None:
        """Cancel the timeout of the request."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _taken(self) -> None:
        """Cancel the timeout for a client that does not read."""
        if self._stuck is not None:
            self._stuck.cancel()

    def _cut(self, why: bytes) -> None:
        """End the connection; if only part of a head has come, answer it with the status `why`."""
        self._settle()
        if self._in_head and not self._answering:
            if self._size:  # browsers preconnect, and would take this for an answer
                self.transport.write(_REFUSAL % why)
            self.transport.close()
        else:
            self.transport.abort()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket connection that accepts hardly any data: pages only answer pings."""

    shared = Budget(limits.WEBSOCKET_BYTES_OF_ALL, limits.WEBSOCKET_BYTES_OF_ALL_A_SECOND)
    """The budget shared by all WebSockets of this process."""
    _budget: Budget | None = None  # the budget of this one; None until the handshake

    def data_received(self, data: bytes) -> None:
        """Parse received data; refuse a bad handshake, and abort a connection beyond a budget.

        If the shared budget is spent, a client that has sent no more than a page does is spared.
        """
        if self._budget is None:
            self._budget = Budget(limits.WEBSOCKET_BYTES, limits.WEBSOCKET_BYTES_A_SECOND)
            super().data_received(data)
            if not self.handshake_initiated and not self.transport.is_closing():
                # A bad handshake, for example with a body: uvicorn would silently keep it open.
                self.transport.write(_REFUSAL % b"400 Bad Request")
                self.transport.close()
            return
        now = self.loop.time()
        budget = self._budget.left(now)
        spared = limits.WEBSOCKET_BYTES_SPARED - (limits.WEBSOCKET_BYTES - budget)
        budget = min(budget, max(self.shared.left(now), spared, 0))
        super().data_received(data[:budget])
        for each in (self._budget, self.shared):
            each.spend(min(len(data), budget))
        if len(data) > budget and not self.transport.is_closing():
            self.transport.abort()
