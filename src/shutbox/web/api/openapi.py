"""The OpenAPI document, made of the endpoints and the shapes that the server itself uses."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from shutbox import __version__
from shutbox.messages import gettext, gettext_noop
from shutbox.web.api.messages import Message
from shutbox.web.http.endpoint import Endpoint
from shutbox.web.http.errors import Refused
from shutbox.web.http.shapes import checked

_REASONS = {
    400: "The request cannot be read.",
    403: "You may not do that.",
    404: "There is no such thing.",
    409: "Out of date: where things stand is told.",
    422: "It is understood, and cannot be done.",
    429: "Too often, or too much.",
    500: "Something is broken here; nothing has changed.",
    503: "Not now; nothing has changed.",
}

_SUMMARIES = {
    "games": gettext_noop("What can be played."),
    "openapi": gettext_noop("This document."),
    "open_room": gettext_noop("Open a room."),
    "room": gettext_noop("A room as it is now."),
    "invitation": gettext_noop("Look at a link: what it opens, and whether it takes a name."),
    "enter": gettext_noop("Follow a link: take a free seat, or watch."),
    "act": gettext_noop("Throw, choose, take back or correct."),
    "leave": gettext_noop("Leave a seat."),
    "come_back": gettext_noop("Come back to a seat."),
    "stand_in": gettext_noop("Let a computer player go on for a seat."),
    "end": gettext_noop("End the game by the rule about leavers."),
    "rematch": gettext_noop("Play another game."),
    "renew": gettext_noop("Make a link anew."),
    "hint": gettext_noop("Advice for the player who is due."),
    "verdict": gettext_noop("What was luck and what was skill in a game that is over."),
    "review": gettext_noop("A game that is over, step by step, with luck and skill apart."),
    "record": gettext_noop("The record of a game."),
    "events": gettext_noop("What happens, as server-sent events."),
    "replay": gettext_noop("Play a record again; the body is the record."),
    "review_record": gettext_noop("Review a record; the body is the record."),
    "today": gettext_noop("Today's box, and how your try at it stands."),
    "play_today": gettext_noop("Open the room of your one try at today's box, or find it again."),
    "past_day": gettext_noop("The box of a day that is over, with its seed."),
}
_NUMBERS = {
    "game": gettext_noop("the number of the game, from 1; without it the one that is played"),
    "since": gettext_noop("the number of the last event that is known"),
}

_FIRST_NAMES = {
    "OpenedReply": "Opened",
    "ReplayView": "Replay",
    "ReviewView": "Review",
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
    made = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    schemas, components = _as_arrays(_renamed(made))
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


def _as_arrays(schema: Any) -> Any:
    """Return a schema with each tuple as an array of its length, which every generator reads."""
    match schema:
        case list():
            return [_as_arrays(one) for one in schema]
        case {"prefixItems": parts, **rest}:
            return _as_arrays({**rest, "items": {"anyOf": parts}})
        case dict():
            return {name: _as_arrays(value) for name, value in schema.items()}
    return schema


def _operation(endpoint: Endpoint, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    given = _content(endpoint.media, _given(endpoint, named), description="Done.")
    responses: dict[str, Any] = {str(endpoint.status): given}
    for status in _refusals(endpoint):
        responses[str(status)] = _content(
            "application/json", named[Refused], description=_REASONS[status]
        )
        if status == 429:
            about = "The seconds after which to come back, where a rate is reached."
            retry = {"description": about, "schema": {"type": "integer"}}
            responses["429"]["headers"] = {"Retry-After": retry}
    responses["421"] = _content(
        "text/plain", _TEXT, description="The server is not reached by this host."
    )
    operation = {
        "operationId": endpoint.name,
        "summary": gettext(_SUMMARIES[endpoint.name]),
        "parameters": list(_parameters(endpoint)),
        "responses": responses,
    }
    if endpoint.takes is not None:
        shape = named[checked(endpoint.takes)]
        operation["requestBody"] = _content("application/json", shape, required=True)
    elif endpoint.method == "POST":
        operation["requestBody"] = _content("text/plain", _TEXT, required=True)
    return operation


_TEXT = {"type": "string"}


def _content(media: str, schema: dict[str, Any], **about: Any) -> dict[str, Any]:
    return {**about, "content": {media: {"schema": schema}}}


def _refusals(endpoint: Endpoint) -> list[int]:
    sent, in_room = endpoint.method == "POST", endpoint.about_a_room
    statuses = {500}
    statuses |= {400, 422, 429} if sent else set()
    statuses |= {400, 404, 429} if in_room else set()
    statuses |= {409} if sent and in_room else set()
    # A room, or a day, is read from the database, or kept there.
    statuses |= {403, 503} if in_room or endpoint.gives_device else set()
    statuses |= {503} if endpoint.path.startswith("/api/today") else set()
    statuses |= {403, 404} if "{day}" in endpoint.path else set()
    return sorted(statuses)


def _given(endpoint: Endpoint, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    if endpoint.gives is not None:
        return named[endpoint.gives]
    if endpoint.media == "text/event-stream":
        return {**_TEXT, "description": "The data of each event is a Message."}
    return _TEXT if endpoint.media == "text/plain" else {"type": "object"}


def _parameters(endpoint: Endpoint) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"{(\w+)}", endpoint.path):
        yield {"name": name, "in": "path", "required": True, "schema": _TEXT}
    number = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
    if endpoint.query:
        about = gettext(_NUMBERS[endpoint.query])
        yield {"name": endpoint.query, "in": "query", "description": about, "schema": number}
    if endpoint.media == "text/event-stream":
        about = "the same as since, and rather believed; browsers send it by themselves"
        yield {"name": "Last-Event-ID", "in": "header", "description": about, "schema": number}
