"""What requests need of the process that serves them, besides what actions need."""

from abc import ABC, abstractmethod
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from starlette.requests import HTTPConnection

from shutbox.web.actions.context import Services
from shutbox.web.http.metrics import Metrics
from shutbox.web.http.rate_limits import Rates


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


class HttpServices(Services, ABC):
    """The process that serves requests."""

    site: Site
    metrics: Metrics
    rates: Rates
    closing: bool
    """Whether it shuts down."""

    @abstractmethod
    def patience(self, seconds: float) -> AbstractAsyncContextManager[None]:
        """Wait for a client so long; once the server stops, for a moment. Raises TimeoutError."""


def services_of(connection: HTTPConnection) -> HttpServices:
    """The process that serves a request."""
    found: HttpServices = connection.app.state.server
    return found
