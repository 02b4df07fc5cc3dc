"""The OpenAPI document, made of the endpoints and the shapes that the server itself uses."""

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from shutbox import __version__
from shutbox.messages import gettext
from shutbox.web.api.messages import Message
from shutbox.web.http.endpoint import Endpoint
from shutbox.web.http.errors import Refused
from shutbox.web.http.shapes import checked

_REASONS = {
    400: "The request cannot be read.",
    403: "Whoever asks may not do that.",
    404: "There is no such thing.",
    409: "Out of date: where things stand is told.",
    422: "It is understood, and cannot be done.",
    429: "Too often, or too much.",
    500: "Something is broken here; nothing has changed.",
    503: "Not now; nothing has changed.",
}

_FIRST_NAMES = {
    "OpenedReply": "Opened",
    "ReplayView": "Replay",
    "RoomReply": "Room",
    "RulesView": "Rules",
    "StepView": "Step",
}
"""What some shapes are called in the document, which programs made from it hold on to."""

_ABOUT = """Shut the Box under all its house rules.

What this document cannot describe: `/api/rooms/{room}/live` is a WebSocket. It takes `since` in its
address, and the keys, as `/api/rooms/{room}/events` does, and each text that comes is a Message.
What is sent to it is not read. The code with which it is closed says why: 4403, you may not listen,
with the code of the refusal; 1012, come back in a moment; 4408, you have taken nothing for too
long.

An address that is none is answered with 404, and a method that is not served with 405; both are a
Refused."""


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    """The document as a value for JSON."""
    shapes = {checked(e.takes) for e in endpoints if e.takes is not None}
    shapes |= {e.gives for e in endpoints if e.gives is not None}
    ordered = [*sorted(shapes, key=lambda shape: shape.__name__), Refused, Message]
    schemas, components = _renamed(
        msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    )
    named = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = _operation(endpoint, named)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "shutbox",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "The key of a seat, or several with commas between them.",
                }
            },
        },
        "security": [{}, {"key": []}],
    }


def _renamed(schemas: Any) -> Any:
    """The same, with the names that shapes had first."""
    text = msgspec.json.encode(schemas).decode()
    for name, first in _FIRST_NAMES.items():
        text = re.sub(rf'(?<=["/]){name}(?=")', first, text)
    return msgspec.json.decode(text)


def _operation(endpoint: Endpoint, named: dict[Any, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.name,
        "summary": gettext(endpoint.summary),
        "parameters": [*_in_path(endpoint), *_in_query(endpoint), *_in_headers(endpoint)],
        "responses": {
            str(endpoint.status): {
                "description": "Done.",
                "content": {endpoint.media: {"schema": _given(endpoint, named)}},
            }
        },
    }
    for status in _refusals(endpoint):
        operation["responses"][str(status)] = {
            "description": _REASONS[status],
            "content": {"application/json": {"schema": named[Refused]}},
        }
        if status == 429:
            operation["responses"]["429"]["headers"] = {"Retry-After": _RETRY_AFTER}
    operation["responses"]["421"] = {
        "description": "The server is not reached by this host.",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    }
    if endpoint.takes is not None:
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": named[checked(endpoint.takes)]}},
        }
    elif endpoint.method == "POST":
        operation["requestBody"] = {
            "required": True,
            "content": {"text/plain": {"schema": {"type": "string"}}},
        }
    return operation


_RETRY_AFTER = {
    "description": "The seconds after which to come back, where a rate is reached.",
    "schema": {"type": "integer"},
}


def _refusals(endpoint: Endpoint) -> list[int]:
    statuses = {*endpoint.refuses, 500}
    if endpoint.method != "GET" or endpoint.about_a_room:
        statuses |= {400, 429}
    if endpoint.about_a_room:  # it is read from the database
        statuses.add(503)
    return sorted(statuses)


def _given(endpoint: Endpoint, named: dict[Any, Any]) -> dict[str, Any]:
    if endpoint.gives is not None:
        schema: dict[str, Any] = named[endpoint.gives]
        return schema
    if endpoint.media == "text/event-stream":
        return {"type": "string", "description": "The data of each event is a Message."}
    return {"type": "string"} if endpoint.media == "text/plain" else {"type": "object"}


def _in_path(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]


def _in_query(endpoint: Endpoint) -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "in": "query",
            "description": gettext(about),
            "schema": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
        }
        for name, about in endpoint.query
    ]


def _in_headers(endpoint: Endpoint) -> list[dict[str, Any]]:
    if endpoint.media != "text/event-stream":
        return []
    return [
        {
            "name": "Last-Event-ID",
            "in": "header",
            "description": "the same as since, and rather believed; browsers send it by themselves",
            "schema": {"type": "integer", "minimum": 0, "maximum": 2**31 - 1},
        }
    ]
