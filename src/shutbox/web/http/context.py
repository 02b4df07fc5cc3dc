"""The services of a request's process, and its caller: a device, keys and an address."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import time
from typing import Protocol

from starlette.requests import HTTPConnection
from starlette.responses import Response

from shutbox.web.actions.context import Caller, RoomCaller, Services, room_caller
from shutbox.web.compute.pool import Pool
from shutbox.web.errors import NotAllowed
from shutbox.web.http.fair_queue import FairQueue
from shutbox.web.http.metrics import Metrics
from shutbox.web.http.rate_limits import Rates
from shutbox.web.limits import MOST_KEYS
from shutbox.web.network import network
from shutbox.web.rooms.link_keys import SHORTEST_DEVICE


class Bans:
    """The bans known to one process.

    >>> bans = Bans()
    >>> bans.known = {"192.0.2.7": None, "192.0.2.8": 0.0}
    >>> [bans.has(address) for address in ("192.0.2.7", "::ffff:192.0.2.7", "192.0.2.8")]
    [True, True, False]
    """

    known: Mapping[str, float | None] = {}
    """The banned networks, and when each ban ends (None: never)."""

    def has(self, address: str) -> bool:
        """Whether an address is banned now."""
        if not self.known or (place := network(address)) not in self.known:
            return False
        until = self.known[place]
        return until is None or until > time()


_LAST_SECONDS = 0.5
"""The time left to receive a body once the server is stopping."""


@dataclass(frozen=True, slots=True)
class Site:
    """The public address of the server."""

    url: str
    """The configured URL; if empty, the address of each request counts."""
    origin: str
    """Scheme, host and port, as a browser sends them."""
    secure: bool
    """Whether the origin is https."""
    cookie: str
    """The name of the device cookie."""


class LinkStore(Protocol):
    """A store of links that add the games of one device to another; all are given as hashes."""

    async def offer(self, device: str, link: str, now: float) -> None:
        """Store a new link of a device, which replaces its earlier one. Raises NotKept."""

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Use a link for a device; return the rooms it shares. Raises OutOfDate, NotKept."""


class HttpServices(Services):
    """The services of a process that answers HTTP requests."""

    site: Site
    metrics: Metrics
    rates: Rates
    pool: Pool
    links: LinkStore
    draining = False
    """Whether it still serves before a shutdown, but reports that it is not ready."""
    closing = False
    """Whether it is shutting down."""

    def __init__(self, writes: Callable[[], int]) -> None:
        self.bans = Bans()
        self.queue = FairQueue(writes=writes)
        self._waiting: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def patience(self, seconds: float) -> AsyncIterator[None]:
        """Limit the block to `seconds`, or 0.5 once the server stops. Raises TimeoutError."""
        async with asyncio.timeout(_LAST_SECONDS if self.closing else seconds) as waiting:
            self._waiting.add(waiting)
            try:
                yield
            finally:
                self._waiting.discard(waiting)

    def close_streams(self) -> None:
        """End all streams and shorten all waits, so that clients reconnect, here or elsewhere."""
        self.closing = True
        for waiting in [waiting for waiting in self._waiting if not waiting.expired()]:
            waiting.reschedule(asyncio.get_running_loop().time() + _LAST_SECONDS)
        for live in self.rooms.loaded_rooms:
            live.broadcast.close()


def services_of(connection: HTTPConnection) -> HttpServices:
    """Return the services of the process that serves a request."""
    found: HttpServices = connection.app.state.server
    return found


def caller(connection: HTTPConnection) -> Caller:
    """Return the caller, identified by bearer keys or else by the device cookie.

    Never by both: one program may act for several players with one cookie jar.
    """
    services = services_of(connection)
    site = services.site
    keys = _keys(connection.headers.get("authorization", ""))
    address = connection.client.host if connection.client else ""
    cookie = connection.cookies.get(site.cookie, "")
    is_ours = len(cookie) >= SHORTEST_DEVICE
    device = cookie if is_ours and not keys else None
    origin = site.origin
    if not site.url:
        origin = f"{connection.url.scheme.replace('ws', 'http')}://{connection.url.netloc}"
    room = connection.path_params.get("room", "")
    return Caller(services, device, keys, address, origin, room)


def browser(connection: HTTPConnection) -> Caller:
    """Return the caller of a page, a new device if it has no cookie yet.

    Raises NotAllowed for a caller with keys, since seats could not be granted to a device.
    """
    who = caller(connection)
    if who.keys:
        raise NotAllowed("this page takes no key; programs use the API")
    return who.with_device()


async def caller_there(connection: HTTPConnection) -> RoomCaller:
    """Return the caller in the path's room; count the access. Raises UnknownRoom and TooOften."""
    looks = connection.scope.get("method") == "GET"  # a WebSocket has no method
    who = caller(connection)
    there = await room_caller(who, who.room, newest=looks)
    if there.viewer.seats:
        services_of(connection).queue.sits(there.who.address)
    if there.viewer.may_see:
        seats = sorted(there.viewer.seats) or "watching"
        await services_of(connection).rates.let_in(
            there.who.address, f"{there.live.room.id} {seats}"
        )
    return there


def _keys(header: str) -> tuple[str, ...]:
    scheme, _, said = header.partition(" ")
    if scheme.lower() != "bearer":
        return ()
    # An empty bearer token opens nothing, and it still overrides the cookie.
    return tuple(filter(None, map(str.strip, said.split(",", MOST_KEYS)[:MOST_KEYS]))) or ("",)


def give_device(response: Response, connection: HTTPConnection, who: Caller) -> Response:
    """Set the cookie of a new device on a response, unless the caller has keys."""
    site = services_of(connection).site
    if who.device and not who.keys and who.device != connection.cookies.get(site.cookie):
        age = 400 * 24 * 3600  # the maximum lifetime of cookies in browsers
        response.set_cookie(
            site.cookie, who.device, age, secure=site.secure, httponly=True, samesite="lax"
        )
    return response
