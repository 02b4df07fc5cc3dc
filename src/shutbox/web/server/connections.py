"""Limits on what a connection sends, below the application.

uvicorn waits without limit for the rest of a request, accepts headers of any size, and answers
every WebSocket ping even if the client does not read the answers. A proxy limits the connections of
an address, and takes the answers for clients that read slowly.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from shutbox.web import limits

_REFUSAL = b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedHttp(HttpToolsProtocol):
    """An HTTP connection that limits the time and size of each request, and the size of its head.

    Any byte begins a request, even an empty line, which cancels uvicorn's keep-alive timeout.
    """

    _deadline: asyncio.TimerHandle | None = None  # for the request being received
    _in_head = True
    _size = 0  # the bytes received of that request

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timeout."""
        self._settle()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse received data, and cut the connection if the request is too large."""
        if self._deadline is None:
            self._expect()
        self._size += len(data)
        super().data_received(data)
        if self._size > (limits.LARGEST_HEAD if self._in_head else limits.LARGEST_REQUEST):
            self._cut(b"431 Request Header Fields Too Large")

    def on_headers_complete(self) -> None:
        """Begin to answer; the endpoint reads the body."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """Cancel the timeout: the request is complete."""
        self._settle()
        self._in_head, self._size = True, 0
        super().on_message_complete()

    def _expect(self) -> None:
        """Start the timeout of a request."""
        wait, why = limits.REQUEST_SECONDS, b"408 Request Timeout"
        self._deadline = self.loop.call_later(wait, self._cut, why)

    def _settle(self) -> None:
        """Cancel the timeout of the request."""
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _cut(self, why: bytes) -> None:
        """End the connection; if only part of a head has come, answer it with the status `why`."""
        self._settle()
        if self._in_head and getattr(self.cycle, "response_complete", True):  # None before any
            if self._size:  # browsers preconnect, and would take this for an answer
                self.transport.write(_REFUSAL % why)
            self.transport.close()
        else:
            self.transport.abort()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket connection that accepts hardly any data: pages only answer pings."""

    _left = float(limits.WEBSOCKET_BYTES)  # the bytes that it can send at once
    _since: float | None = None  # when that was so; None until the handshake

    def data_received(self, data: bytes) -> None:
        """Parse received data; refuse a bad handshake, and abort a connection beyond its limit."""
        now = self.loop.time()
        if self._since is None:
            self._since = now
            super().data_received(data)
            if not self.handshake_initiated and not self.transport.is_closing():
                # A bad handshake, for example with a body: uvicorn would silently keep it open.
                self.transport.write(_REFUSAL % b"400 Bad Request")
                self.transport.close()
            return
        refilled = self._left + (now - self._since) * limits.WEBSOCKET_BYTES_A_SECOND
        self._left, self._since = min(limits.WEBSOCKET_BYTES, refilled), now
        super().data_received(data[: int(self._left)])
        self._left -= len(data)
        if self._left < 0 and not self.transport.is_closing():
            self.transport.abort()
