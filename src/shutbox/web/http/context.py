"""What requests need of the process that serves them, besides what actions need."""

from contextlib import AbstractAsyncContextManager
from typing import Protocol

from prometheus_client import Counter, Gauge, Histogram
from starlette.requests import HTTPConnection

from shutbox.web.actions.context import Services
from shutbox.web.http.rate_limits import Rates


class Site(Protocol):
    """The address of the server, as people use it."""

    @property
    def url(self) -> str:
        """As it was set; empty where a browser says which it is."""
        ...

    @property
    def origin(self) -> str:
        """Scheme, host and port, as a browser sends them."""
        ...

    @property
    def secure(self) -> bool:
        """Whether people come by https."""
        ...

    @property
    def cookie(self) -> str:
        """The name of the cookie of a device."""
        ...


class Counts(Protocol):
    """What is counted of requests."""

    requests: Counter
    seconds: Histogram
    refusals: Counter
    listeners: Gauge


class HttpServices(Services, Protocol):
    """The process that serves requests."""

    @property
    def settings(self) -> Site:
        """Where it is."""
        ...

    @property
    def metrics(self) -> Counts:
        """What is counted."""
        ...

    @property
    def rates(self) -> Rates:
        """How often is too often."""
        ...

    @property
    def closing(self) -> bool:
        """Whether it shuts down."""
        ...

    def patience(self, seconds: float) -> AbstractAsyncContextManager[None]:
        """Wait for a client so long; once the server stops, for a moment. Raises TimeoutError."""
        ...


def services_of(connection: HTTPConnection) -> HttpServices:
    """The process that serves a request."""
    found: HttpServices = connection.app.state.server
    return found
