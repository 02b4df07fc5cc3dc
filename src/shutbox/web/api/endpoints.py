"""The API over HTTP: a route for each action of the registry, for pages and programs."""

from collections.abc import Awaitable, Callable
from dataclasses import is_dataclass
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.registry import ACTIONS, Action
from shutbox.web.api.openapi import document
from shutbox.web.api.schema_types import schema_type
from shutbox.web.api.streams import events
from shutbox.web.errors import NO_COOKIES, BadRequest, NoCookies
from shutbox.web.http.requests import body_of, caller_of, give_device, media_type, room_caller_of
from shutbox.web.http.responses import as_json
from shutbox.web.rooms.requests import read_number
from shutbox.web.rooms.shapes import encode, shaped


async def _openapi(request: Request) -> Response:
    return as_json(document(ACTIONS))


_BY_HTTP: dict[str, Callable[[Request], Awaitable[Response]]] = {
    "openapi": _openapi,
    "events": events,
}
"""The functions, by action, that read the request and make the response themselves."""
_RECORDS = {"replay": "records", "review-record": "reviews"}
"""How a record that is sent is counted, by the action that reads it."""


def route_of(action: Action) -> Route:
    """Return the route under which an action of the registry is served."""
    endpoint = _BY_HTTP.get(action.name) or _endpoint(action)
    return Route(action.path, endpoint, methods=[action.method], name=action.name)


def _endpoint(action: Action) -> Callable[[Request], Awaitable[Response]]:
    body = schema_type(action.takes) if is_dataclass(action.takes) else None

    async def endpoint(request: Request) -> Response:
        context: Any
        if action.takes_room:
            context = await room_caller_of(request)
            client, request.state.live = context.client, context.live  # for OutOfDate replies
        else:
            client = caller_of(request)
            context = client = client.with_device() if action.gives_device else client
        is_ours = request.headers.get("origin", "").lower() == client.origin.lower()
        if action.name == "enter" and is_ours and not caller_of(request).by:
            raise NoCookies(NO_COOKIES)  # its browser did not keep that of its `invitation`
        action_request = await _action_request(action, body, client, request)
        reply = await action.run(context, action_request)
        content = reply if isinstance(reply, bytes) else encode(reply)
        response = Response(content, action.status, media_type=action.media)
        return give_device(response, request, client)

    return endpoint


async def _action_request(action: Action, body: Any, caller: Caller, request: Request) -> Any:
    """Return a request's body, number or day, or None. Raises BadRequest, NotKept, TooOften."""
    if action.takes is bytes:
        caller.count(limits.HINTS_OF_ADDRESS, _RECORDS[action.name])
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
    number = float(text)
    return int(number) if number.is_integer() else number


_decoder = msgspec.json.Decoder(float_hook=_number)
