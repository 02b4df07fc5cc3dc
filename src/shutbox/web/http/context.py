"""What requests need of the process that serves them, besides what actions need."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol

from starlette.requests import HTTPConnection

from shutbox.web.actions.context import Services
from shutbox.web.compute.pool import Pool
from shutbox.web.http.bans import Bans
from shutbox.web.http.fair_queue import FairQueue
from shutbox.web.http.metrics import Metrics
from shutbox.web.http.rate_limits import Rates

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

    def __init__(self) -> None:
        self.bans = Bans()
        self.queue = FairQueue()
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
