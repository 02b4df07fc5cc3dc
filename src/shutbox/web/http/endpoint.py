"""What a route of the API is, so that its handler, its checks and its document are one thing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shutbox.errors import ShutboxError
from shutbox.web.http.errors import refused, saying_when, status_of
from shutbox.web.http.identity import Caller, Visit, caller, visit
from shutbox.web.http.requests import read_json
from shutbox.web.live.live_room import Live

_encode = msgspec.json.Encoder().encode

Handler = Callable[["Ask"], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, read."""

    request: Request
    caller: Caller
    body: Any
    """Of the shape that the route takes."""
    visit: Visit | None
    """Where the address names a room."""

    @property
    def visiting(self) -> Visit:
        """The room that the address names."""
        assert self.visit is not None  # only handlers of such addresses ask
        return self.visit


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of the API."""

    method: str
    path: str
    summary: str
    """A sentence for the document."""
    handler: Handler
    takes: type[Any] | None = None
    """The shape of the body."""
    gives: type[Any] | None = None
    """The shape of the answer; None: the handler makes its own response."""
    status: int = 200
    refuses: tuple[int, ...] = ()
    """The statuses with which it refuses, besides 400 and 429."""
    visits: bool = True
    """Whether who asks is looked at in the room of the address, before anything else."""
    media: str = "application/json"
    """What the answer is."""
    query: tuple[tuple[str, str], ...] = ()
    """Whole numbers in the address, and what they mean."""

    @property
    def name(self) -> str:
        """What the document calls it."""
        return self.handler.__name__

    @property
    def about_a_room(self) -> bool:
        """Whether its address names a room."""
        return "{room}" in self.path

    def route(self) -> Route:
        """The route of the framework."""
        return Route(self.path, self._endpoint, methods=[self.method], name=self.name)

    async def _endpoint(self, request: Request) -> Response:
        live: Live | None = None
        try:
            who = caller(request)
            visiting = None
            if self.about_a_room and self.visits:
                looks = self.method == "GET"
                visiting = await visit(who, request.path_params["room"], newest=looks)
                live = visiting.live
            body = await read_json(request, self.takes) if self.takes is not None else None
            answer = await self.handler(Ask(request, who, body, visiting))
        except ShutboxError as error:
            request.app.state.server.metrics.refusals.labels(error.code).inc()
            return refusal(error, live)
        if isinstance(answer, Response):
            return answer
        return as_json(answer, self.status)


def as_json(value: object, status: int = 200) -> Response:
    """A value as an answer."""
    return Response(_encode(value), status, media_type="application/json")


def refusal(error: ShutboxError, live: Live | None = None) -> Response:
    """The answer to a program whose request is refused."""
    return saying_when(as_json(refused(error, live), status_of(error)), error)
