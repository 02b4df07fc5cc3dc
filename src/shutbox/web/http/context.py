"""The process that serves requests, and the caller of each: a device, keys and an address."""

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
    """Those that one process knows of.

    >>> bans = Bans()
    >>> bans.known = {"192.0.2.7": None, "192.0.2.8": 0.0}
    >>> [bans.has(address) for address in ("192.0.2.7", "::ffff:192.0.2.7", "192.0.2.8")]
    [True, True, False]
    """

    known: Mapping[str, float | None] = {}
    """The networks, and until when."""

    def has(self, address: str) -> bool:
        """Whether an address is shut out now."""
        if not self.known or (place := network(address)) not in self.known:
            return False
        until = self.known[place]
        return until is None or until > time()


_LAST_SECONDS = 0.5
"""How long a body is waited for once the server stops."""


@dataclass(frozen=True, slots=True)
class Site:
    """The address of the server, as people use it."""

    url: str
    """As it was set; empty where a browser says which it is."""
    origin: str
    """Scheme, host and port, as a browser sends them."""
    secure: bool
    """Whether people come by https."""
    cookie: str
    """The name of the cookie of a device."""


class LinkStore(Protocol):
    """Links by which the games of a device come to another one; all by their hashes."""

    async def offer(self, device: str, link: str, now: float) -> None:
        """Keep a link that a device makes. Raises NotKept."""

    async def take(self, link: str, device: str, now: float) -> Sequence[str]:
        """Return the rooms in which a device gets seats by a link. Raises OutOfDate, NotKept."""


class HttpServices(Services):
    """The process that serves requests."""

    site: Site
    metrics: Metrics
    rates: Rates
    pool: Pool
    links: LinkStore
    draining = False
    """Whether it serves on for a while, and wants nobody new."""
    closing = False
    """Whether it shuts down."""

    def __init__(self, writes: Callable[[], int]) -> None:
        self.bans = Bans()
        self.queue = FairQueue(writes=writes)
        self._waiting: set[asyncio.Timeout] = set()

    @asynccontextmanager
    async def patience(self, seconds: float) -> AsyncIterator[None]:
        """Wait for a client so long; once the server stops, for a moment. Raises TimeoutError."""
        async with asyncio.timeout(_LAST_SECONDS if self.closing else seconds) as waiting:
            self._waiting.add(waiting)
            try:
                yield
            finally:
                self._waiting.discard(waiting)

    def close_streams(self) -> None:
        """Let every stream end, so that clients come back by themselves, here or elsewhere."""
        self.closing = True
        for waiting in [waiting for waiting in self._waiting if not waiting.expired()]:
            waiting.reschedule(asyncio.get_running_loop().time() + _LAST_SECONDS)
        for live in self.rooms.lives:
            live.broadcast.close()


def services_of(connection: HTTPConnection) -> HttpServices:
    """The process that serves a request."""
    found: HttpServices = connection.app.state.server
    return found


def caller(connection: HTTPConnection) -> Caller:
    """Return the caller: known by the keys of a bearer, or else by the cookie of a device.

    Never by both: one program may ask for several players, with one cookie jar.
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

    Raises NotAllowed for a caller with keys, who could not be given seats on a device.
    """
    who = caller(connection)
    if who.keys:
        raise NotAllowed("this page takes no key; programs use the API")
    return who.with_device()


async def caller_there(connection: HTTPConnection) -> RoomCaller:
    """Who asks, in the room that the address names. Raises UnknownRoom and TooOften."""
    looks = connection.scope.get("method") == "GET"  # a WebSocket has none
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
    # A bearer of nothing opens nothing, and the cookie that comes with it does not help.
    return tuple(filter(None, map(str.strip, said.split(",", MOST_KEYS)[:MOST_KEYS]))) or ("",)


def give_device(response: Response, connection: HTTPConnection, who: Caller) -> Response:
    """Give a new device the cookie by which it is known again, unless it is known by keys."""
    site = services_of(connection).site
    if who.device and not who.keys and who.device != connection.cookies.get(site.cookie):
        age = 400 * 24 * 3600  # the longest that browsers keep a cookie
        response.set_cookie(
            site.cookie, who.device, age, secure=site.secure, httponly=True, samesite="lax"
        )
    return response
