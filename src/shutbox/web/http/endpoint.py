"""What a route of the API is, so that its handler, its checks and its document are one thing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shutbox.errors import ShutboxError
from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.http.context import services_of
from shutbox.web.http.errors import as_json, refusal
from shutbox.web.http.identity import caller
from shutbox.web.http.requests import read_json
from shutbox.web.live.live_room import LiveRoom

Handler = Callable[["Ask"], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Ask:
    """A request, read."""

    request: Request
    caller: Caller
    body: Any
    """Of the shape that the route takes."""
    in_room: RoomCaller | None
    """Where the address names a room."""

    @property
    def there(self) -> RoomCaller:
        """Who asks, in the room that the address names."""
        assert self.in_room is not None  # only handlers of such addresses ask
        return self.in_room


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of the API."""

    name: str
    """What the document calls it."""
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
    looks_at_caller: bool = True
    """Whether who asks is looked at in the room of the address, before anything else."""
    media: str = "application/json"
    """What the answer is."""
    query: tuple[tuple[str, str], ...] = ()
    """Whole numbers in the address, and what they mean."""

    @property
    def about_a_room(self) -> bool:
        """Whether its address names a room."""
        return "{room}" in self.path

    def route(self) -> Route:
        """The route of the framework."""
        return Route(self.path, self._endpoint, methods=[self.method], name=self.name)

    async def _endpoint(self, request: Request) -> Response:
        live: LiveRoom | None = None
        try:
            who = caller(request)
            there = None
            if self.about_a_room and self.looks_at_caller:
                looks = self.method == "GET"
                there = await room_caller(who, request.path_params["room"], newest=looks)
                live = there.live
            body = await read_json(request, self.takes) if self.takes is not None else None
            answer = await self.handler(Ask(request, who, body, there))
        except ShutboxError as error:
            services_of(request).metrics.refusals.labels(error.code).inc()
            return refusal(error, live)
        if isinstance(answer, Response):
            return answer
        return as_json(answer, self.status)
