"""The services of a request's process, and its caller: a device, keys and an address."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import time
from typing import TYPE_CHECKING

from starlette.requests import HTTPConnection
from starlette.responses import Response

from shutbox.web.actions.context import Caller, RoomCaller, Services, room_caller
from shutbox.web.errors import NotAllowed
from shutbox.web.http.fair_queue import FairQueue
from shutbox.web.limits import MOST_KEYS
from shutbox.web.network import network
from shutbox.web.rooms.link_keys import SHORTEST_DEVICE

if TYPE_CHECKING:  # a browser has none of these, nor their packages
    from shutbox.web.compute.pool import Pool
    from shutbox.web.http.metrics import Metrics
    from shutbox.web.http.rate_limits import Rates

COOKIE_AGE = 400 * 24 * 3600  # the maximum lifetime of cookies in browsers


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
    origins: tuple[str, ...] = ()
    """The origins of front ends elsewhere, which can call the API with keys, but never a cookie."""

    @property
    def language_cookie(self) -> str:
        """The name of the cookie with the language that a visitor chose."""
        return self.cookie.replace("device", "language")


class HttpServices(Services):
    """The services of a process that answers HTTP requests."""

    site: Site
    metrics: "Metrics"
    rates: "Rates"
    pool: "Pool"
    newest_dice: Callable[[int], Awaitable[Sequence[tuple[str, int]]]]
    """Returns (stored text of an event, how often it occurs) in so many newest sealed rooms."""
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
        raise NotAllowed("this page accepts no key; programs use the API")
    return who.with_device()


async def room_caller_of(connection: HTTPConnection) -> RoomCaller:
    """Return the caller in the path's room; count the access. Raises UnknownRoom and TooOften."""
    looks = connection.scope.get("method") == "GET"  # a WebSocket has no method
    who = caller(connection)
    inside = await room_caller(who, who.room, newest=looks)
    if inside.viewer.seats:
        services_of(connection).queue.sits(inside.who.address)
    if inside.viewer.may_see:
        seats = sorted(inside.viewer.seats) or "watching"
        await services_of(connection).rates.let_in(
            inside.who.address, f"{inside.live.room.id} {seats}"
        )
    return inside


def _keys(header: str) -> tuple[str, ...]:
    scheme, _, sent = header.partition(" ")
    if scheme.lower() != "bearer":
        return ()
    # An empty bearer token opens nothing, and it still overrides the cookie.
    return tuple(filter(None, map(str.strip, sent.split(",", MOST_KEYS)[:MOST_KEYS]))) or ("",)


def give_device(response: Response, connection: HTTPConnection, who: Caller) -> Response:
    """Set the cookie of a new device on a response, unless the caller has keys."""
    site = services_of(connection).site
    if who.device and not who.keys and who.device != connection.cookies.get(site.cookie):
        response.set_cookie(
            site.cookie, who.device, COOKIE_AGE, secure=site.secure, httponly=True, samesite="lax"
        )
    return response
