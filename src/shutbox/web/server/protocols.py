"""Connections and what comes over them, bounded before anything is done with it.

uvicorn waits for the rest of a request for ever, takes a head of any size and any number of
requests before it answers the first, and answers every ping of a WebSocket, whether its answers are
read or not. So these bounds are ours, with a proxy in front of the server or without one.
"""

import asyncio
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from time import monotonic

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from shutbox.lru import LruCache
from shutbox.web import limits
from shutbox.web.network import network

_KNOWN = 10_000
"""Addresses whose connections are counted, those that connected last."""
_REFUSAL = b"HTTP/1.1 %b\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class Budget:
    """How much may come at once, and how much more each second."""

    def __init__(self, most: int, a_second: int) -> None:
        self._most = most
        self._a_second = a_second
        self._left = float(most)
        self._since: float | None = None

    def left(self, now: float) -> int:
        """How much may come now."""
        if self._since is not None:
            self._left = min(self._most, self._left + (now - self._since) * self._a_second)
        self._since = now
        return int(max(self._left, 0))

    def spend(self, size: int) -> None:
        """So much has come."""
        self._left -= size

    @property
    def spent(self) -> float:
        """How much is missing from all that may come at once."""
        return self._most - self._left


class ConnectionRate:
    """Counts the connections of each address, and of all where nobody sits at a table.

    Those of proxies and of `unlimited` are not counted.

    >>> rate = ConnectionRate("192.0.2.0/24", frozenset())
    >>> [rate.admits("198.51.100.7") for _ in range(limits.CONNECTIONS_AT_ONCE + 1)][-1]
    False
    >>> all(rate.admits("192.0.2.7") for _ in range(10_000))
    True
    """

    def __init__(
        self,
        proxies: str,
        unlimited: frozenset[str],
        now: Callable[[], float] = monotonic,
        is_seated: Callable[[str], bool] = lambda address: False,
    ) -> None:
        named = [*filter(None, map(str.strip, proxies.split(","))), *unlimited]
        self._everybody = "*" in named
        self._exempt = [ip_network(name) for name in named if name != "*"]
        self._now = now
        self._is_seated = is_seated
        self._of_all = Budget(limits.CONNECTIONS_OF_ALL, limits.CONNECTIONS_OF_ALL_A_SECOND)
        self._known = LruCache[str, Budget](_KNOWN)

    def admits(self, address: str) -> bool:
        """Whether this address may connect once more."""
        if self._is_exempt(address):
            return True
        now, who = self._now(), network(address)
        mine = self._known.find(who) or self._known.keep(
            who, Budget(limits.CONNECTIONS_AT_ONCE, limits.CONNECTIONS_A_SECOND)
        )
        for budget in (mine,) if self._is_seated(address) else (mine, self._of_all):
            if budget.left(now) < 1:
                return False
            budget.spend(1)
        return True

    def _is_exempt(self, address: str) -> bool:
        if self._everybody:
            return True
        try:
            found = ip_address(address)
        except ValueError:  # a socket of this machine has no address
            return True
        return any(found in exempt for exempt in self._exempt)


class TooMuch(Exception):
    """Stops the parser in the middle of what came."""


class BoundedHttp(HttpToolsProtocol):
    """HTTP whose requests are complete after a while, and end somewhere."""

    rate: ConnectionRate | None = None
    """How quickly addresses may connect; None: as they like."""
    _deadline: asyncio.TimerHandle | None = None
    """When the request that is coming has to be complete; None while none is."""
    _in_head = True
    _size = 0
    """The bytes of that request that have come."""
    _fields = _head = 0
    """The fields of its head that were read, and their bytes."""
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
        """Wait for nothing any more; a request that has not begun learns that nobody waits."""
        if self._answering:
            self.cycle.scope["state"]["gone"] = True
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
        """Wait for the rest of a request; one that comes before the last is answered ends it all.

        Programs wait for an answer. A client that does not could have thousands of requests read.
        """
        if self._answering:
            self.cycle.keep_alive = False
            raise TooMuch
        super().on_message_begin()
        self._fields = self._head = 0
        if self._deadline is None:
            self._expect()

    def on_url(self, url: bytes) -> None:
        """Read a part of the address."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Read a field, unless it is one too many."""
        self._fields += 1
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Begin to answer: the body is read by what answers."""
        self._in_head = False
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        """The request has come."""
        self._settle()
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """Refuse what cannot be read; what is being answered is answered first."""
        if self._fields > limits.MOST_HEAD_FIELDS or self._head > limits.LARGEST_HEAD:
            self._cut(b"431 Request Header Fields Too Large")
        elif not self._answering:
            super().send_400_response(msg)

    def _count(self, size: int) -> None:
        self._head += size
        if self._fields > limits.MOST_HEAD_FIELDS or self._head > limits.LARGEST_HEAD:
            raise TooMuch

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

    of_all = Budget(limits.WEBSOCKET_BYTES_OF_ALL, limits.WEBSOCKET_BYTES_OF_ALL_A_SECOND)
    """That of all WebSockets of this process together."""
    _budget: Budget | None = None
    """That of this one; None until the handshake has come."""

    def data_received(self, data: bytes) -> None:
        """Read on, unless more comes than the budgets, which fill again slowly.

        Where that of all is spent, only who sends more than pages do is cut off.
        """
        if self._budget is None:
            self._budget = Budget(limits.WEBSOCKET_BYTES, limits.WEBSOCKET_BYTES_A_SECOND)
            super().data_received(data)
            if not self.handshake_initiated and not self.transport.is_closing():
                # It has a body, say. uvicorn would keep the connection, and say nothing.
                self.transport.write(_REFUSAL % b"400 Bad Request")
                self.transport.close()
            return
        now = self.loop.time()
        budget = self._budget.left(now)
        spared = limits.WEBSOCKET_BYTES_SPARED - int(self._budget.spent)
        budget = min(budget, max(self.of_all.left(now), spared, 0))
        super().data_received(data[:budget])
        for each in (self._budget, self.of_all):
            each.spend(min(len(data), budget))
        if len(data) > budget and not self.transport.is_closing():
            self.transport.abort()
