"""The API over HTTP: a route for each action of the registry, for pages and programs."""

from collections.abc import Awaitable, Callable
from dataclasses import is_dataclass
from functools import cache
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.registry import ACTIONS, Action
from shutbox.web.api.openapi import document, published
from shutbox.web.api.streams import events
from shutbox.web.errors import NO_COOKIES, BadRequest, NoCookies
from shutbox.web.http.requests import (
    body_of,
    caller,
    give_device,
    media_type,
    record,
    room_caller_of,
)
from shutbox.web.rooms.events import encode, shaped
from shutbox.web.rooms.requests import read_number


@cache
def _document() -> bytes:
    return encode(document(ACTIONS))


async def _openapi(request: Request) -> Response:
    return Response(_document(), media_type="application/json")


_BY_HTTP: dict[str, Callable[[Request], Awaitable[Response]]] = {
    "openapi": _openapi,
    "record": record,
    "events": events,
}
"""The functions, by action, that read the request and make the response themselves."""
_RECORDS = {"replay": "records", "review-record": "reviews"}  # their labels for rates


def route_of(action: Action) -> Route:
    """Return the route under which an action of the registry is served."""
    endpoint = _BY_HTTP.get(action.name) or _endpoint(action)
    return Route(action.path, endpoint, methods=[action.method], name=action.name)


def _endpoint(action: Action) -> Callable[[Request], Awaitable[Response]]:
    inside = action.in_room and not action.gives_device
    body = published(action.takes) if is_dataclass(action.takes) else None

    async def endpoint(request: Request) -> Response:
        context: Any
        if inside:
            context = await room_caller_of(request)
            who, request.state.live = context.who, context.live  # for OutOfDate replies
        else:
            who = caller(request)
            context = who = who.with_device() if action.gives_device else who
        is_ours = request.headers.get("origin", "").lower() == who.origin.lower()
        if action.name == "enter" and is_ours and not caller(request).by:
            raise NoCookies(NO_COOKIES)  # its browser did not keep that of its `invitation`
        asked = await _asked(action, body, who, request)
        reply = await action.run(context, asked)
        content = reply if isinstance(reply, bytes) else encode(reply)
        response = Response(content, action.status, media_type="application/json")
        return give_device(response, request, who)

    return endpoint


async def _asked(action: Action, body: Any, who: Caller, request: Request) -> Any:
    """Return what is asked: body, number or day, or None. Raises BadRequest, NotKept, TooOften."""
    if action.takes is bytes:
        who.count(limits.HINTS_OF_ADDRESS, _RECORDS[action.name])
        data = await body_of(request, limits.LARGEST_RECORD)
        if not data.strip():
            raise BadRequest("the body must be a record, but it is empty")
        return data
    if action.takes is not None:
        if media_type(request) != "application/json":
            raise BadRequest("the body must be JSON, with the Content-Type application/json")
        try:
            sent = _decoder.decode(await body_of(request))
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise BadRequest("the body cannot be read: {why}", why=error) from None
        return shaped(sent, action.takes, body)
    if action.query:
        return read_number(request.query_params.get(action.query), action.query)
    return request.path_params.get("day")


def _number(text: str) -> float:
    """Return a JSON number with a decimal point, as int if it is whole: some clients send 1.0."""
    found = float(text)
    return int(found) if found.is_integer() else found


_decoder = msgspec.json.Decoder(float_hook=_number)
