"""What a route of the API is, so that its handler, its checks and its document are one thing."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shutbox.web.actions.context import Caller, RoomCaller
from shutbox.web.http.errors import as_json
from shutbox.web.http.identity import caller, caller_there, give_device
from shutbox.web.http.requests import read_json

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
    """One address of the API; as a `partial` it decorates its handler."""

    method: str
    path: str
    handler: Handler
    takes: type[Any] | None = None
    """The shape of the body."""
    gives: type[Any] | None = None
    """The shape of the answer; None: the handler makes its own response."""
    status: int = 200
    gives_device: bool = False
    """Whether who asks is made known; else they are looked at in the room of the address first."""
    media: str = "application/json"
    """What the answer is."""
    query: str = ""
    """The name of a whole number in the address."""

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
        there = None
        if self.gives_device:
            who = caller(request).with_device()
        elif self.about_a_room:
            there = await caller_there(request)
            who, request.state.live = there.who, there.live  # it is told to who is out of date
        else:
            who = caller(request)
        body = await read_json(request, self.takes) if self.takes is not None else None
        answer = await self.handler(Ask(request, who, body, there))
        if isinstance(answer, Response):
            return answer
        return give_device(as_json(answer, self.status), request, who)
