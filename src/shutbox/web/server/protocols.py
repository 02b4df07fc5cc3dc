"""What comes over a connection, bounded before anything is done with it.

uvicorn waits for the rest of a request for ever, takes a head of any size, and answers every ping
of a WebSocket, whether its answers are read or not. So these bounds are ours, with a proxy in front
of the server or without one.
"""

import asyncio

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from shutbox.web import limits
from shutbox.web.server.connection_rate import ConnectionRate

_REFUSAL = b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class BoundedHttp(HttpToolsProtocol):
    """HTTP whose requests are complete after a while, and end somewhere."""

    rate: ConnectionRate | None = None
    """How quickly one address may connect; None: as it likes."""
    _deadline: asyncio.TimerHandle | None = None
    """When the request that is coming has to be complete; None while none is."""
    _in_head = True
    _size = 0
    """The bytes of that request that have come."""
    _upgraded = False
    _stuck: asyncio.TimerHandle | None = None
    """When what was written has to be taken; None while nothing waits."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the first request."""
        super().connection_made(transport)
        peer = transport.get_extra_info("peername") or ("",)
        if self.rate is not None and not self.rate.admits(peer[0]):
            transport.abort()
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._settle()
        self._taken()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait until somebody takes what was written, and not for ever."""
        super().pause_writing()
        self._taken()
        self._stuck = self.loop.call_later(limits.SEND_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Write on."""
        self._taken()
        super().resume_writing()

    def handle_websocket_upgrade(self) -> None:
        """Leave the connection to a WebSocket."""
        self._upgraded = True
        super().handle_websocket_upgrade()

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is too much."""
        self._size += len(data)
        super().data_received(data)
        if self._deadline is None:
            # An empty line begins no request, and ends the patience of uvicorn with those to come.
            waits = not self._answering and self.timeout_keep_alive_task is None
            if waits and not self._upgraded and not self.transport.is_closing():
                self._expect()
        else:
            most = limits.LARGEST_HEAD if self._in_head else limits.LARGEST_REQUEST
            if self._size > most:
                self._cut(b"431 Request Header Fields Too Large")

    def on_message_begin(self) -> None:
        """Wait for the rest of a request."""
        super().on_message_begin()
        if self._deadline is None:
            self._expect()

    def on_headers_complete(self) -> None:
        """Begin to answer: the body is read by what answers."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request has come."""
        self._settle()
        super().on_message_complete()

    @property
    def _answering(self) -> bool:
        """Whether something before it is being answered."""
        cycle: RequestResponseCycle | None = self.cycle  # None before the first
        return cycle is not None and not cycle.response_complete

    def _expect(self) -> None:
        self._in_head, self._size = True, 0
        self._deadline = self.loop.call_later(
            limits.REQUEST_SECONDS, self._cut, b"408 Request Timeout"
        )

    def _settle(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _taken(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None

    def _cut(self, why: bytes) -> None:
        """End the connection, with a word where something was asked and nothing answered yet."""
        self._settle()
        if self._in_head and not self._answering:
            if self._size:  # browsers open some in advance, and would take it for an answer
                self.transport.write(_REFUSAL % why)
            self.transport.close()
        else:
            self.transport.abort()


class BoundedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket by which next to nothing comes: pages send it nothing but answers to pings."""

    _budget = float(limits.WEBSOCKET_BYTES)
    _since: float | None = None
    """When `_budget` was reckoned last; None until the handshake has come."""

    def data_received(self, data: bytes) -> None:
        """Read on, unless more comes than the budget, which fills again slowly."""
        now = self.loop.time()
        if self._since is None:
            super().data_received(data)
        else:
            earned = (now - self._since) * limits.WEBSOCKET_BYTES_A_SECOND
            budget = min(limits.WEBSOCKET_BYTES, self._budget + earned)
            super().data_received(data[: int(budget)])
            self._budget = budget - len(data)
            if self._budget < 0 and not self.transport.is_closing():
                self.transport.abort()
        self._since = now
