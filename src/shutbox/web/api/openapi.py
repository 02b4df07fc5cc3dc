"""The OpenAPI document, generated from the registry of actions and the types of the server.

Its sentences and its examples of requests are in `openapi.toml`.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType
from msgspec.json import schema_components

from shutbox import __version__
from shutbox.engine.errors import ShutboxError
from shutbox.web.actions.registry import Action
from shutbox.web.api.schema_types import schema_type
from shutbox.web.live.live_room import MESSAGES
from shutbox.web.rooms import requests
from shutbox.web.rooms.view import Invites, View

_WORDS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("openapi.toml").read_text("utf-8"))
EXAMPLES: dict[type[Any], dict[str, Any]] = {
    getattr(requests, name): body for name, body in _WORDS["examples"].items()
}
"""A body for each of the most used requests."""
ANSWERS = Path(__file__).with_name("answers.json")
"""An answer of each type that a server gave, by the name of the type; a test writes them."""
_TEXT = {"type": "string"}
_TEXT_REPLIES = {
    "text/plain": _TEXT,
    "text/event-stream": {**_TEXT, "description": "The data of each event is a Message."},
}
_WAIT = "The number of seconds to wait before a retry, if one can succeed."
_RETRY = {"Retry-After": {"description": _WAIT, "schema": {"type": "integer"}}}

Schemas = dict[Any, dict[str, Any]]  # by type


def _codes(kind: type[ShutboxError] = ShutboxError) -> set[str]:
    """Return the codes of an error and of all errors derived from it that have been imported."""
    return {kind.code}.union(*map(_codes, kind.__subclasses__()))


@dataclass
class Reason:
    """The code of a refusal, and its message for people."""

    code: Annotated[str, Meta(extra_json_schema={"enum": sorted(_codes())})]
    """the reason, for programs"""
    message: str  # the reason, for people


@dataclass  # as `http/responses.py` makes it
class Refused:
    """A refusal, with the current view if you are out of date, or the table you are invited to."""

    error: Reason  # why nothing has changed
    number: int | UnsetType = UNSET  # the number of the last event
    view: View | UnsetType = UNSET  # the room as it is now
    invites: Invites | UnsetType = UNSET  # the table that a name is needed for


@cache
def document(actions: tuple[Action, ...]) -> dict[str, Any]:
    """Return the OpenAPI document of these actions as a value for JSON."""
    shapes: set[Any] = {shape for a in actions for shape in (a.takes, a.gives)} - {None, bytes}
    ordered = [*sorted(shapes, key=lambda shape: shape.__name__), Refused, *MESSAGES]
    structs = map(schema_type, ordered)
    schemas, components = schema_components(structs, ref_template="#/components/schemas/{name}")
    schema_of: Schemas = dict(zip(ordered, schemas, strict=True))
    by_type = {shape.type: schema_of[shape]["$ref"] for shape in MESSAGES}
    components["Message"] = {
        "description": "What a stream sends: one of these, as its `type` says.",
        "anyOf": [schema_of[shape] for shape in MESSAGES],
        "discriminator": {"propertyName": "type", "mapping": by_type},
    }
    paths: dict[str, Any] = {}
    for action in actions:
        paths.setdefault(action.path, {})[action.method.lower()] = _operation(action, schema_of)
    answers = json.loads(ANSWERS.read_text("utf-8"))
    keys = "The key of a seat, or several with commas between them."
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "shutbox",
            "version": __version__,
            "description": _WORDS["about"],
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "tags": [{"name": tag, "description": text} for tag, text in _WORDS["tags"].items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "examples": {name: {"value": value} for name, value in answers.items()},
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer", "description": keys}},
        },
        "security": [{}, {"key": []}],
    }


def _operation(action: Action, schema_of: Schemas) -> dict[str, Any]:
    operation = {
        "operationId": action.name.replace("-", "_"),
        "summary": _WORDS["summaries"][action.name],
        "tags": [re.split("[/.]", action.path)[2]],  # the word after /api/
        "parameters": list(_parameters(action)),
        "responses": _responses(action, schema_of),
    }
    if action.takes is not None:
        operation["requestBody"] = _body(action, schema_of)
    return operation


def _responses(action: Action, schema_of: Schemas) -> dict[str, Any]:
    """Return the responses to an action, by their HTTP status: the reply, and then refusals."""
    reply = schema_of.get(action.gives) or _TEXT_REPLIES.get(action.media, {"type": "object"})
    done = _content(action.media, reply, description="Done.")
    if action.gives is not None:
        example = {"$ref": f"#/components/examples/{action.gives.__name__}"}
        done["content"][action.media]["examples"] = {"answer": example}
    responses = {str(action.status): done}
    for status, why in _refusals(action).items():
        retry = {"headers": _RETRY} if status in (429, 503) else {}
        refused = _content("application/json", schema_of[Refused], description=why, **retry)
        responses[str(status)] = refused
    elsewhere = "The server does not serve this host name."
    return responses | {"421": _content("text/plain", _TEXT, description=elsewhere)}


def _body(action: Action, schema_of: Schemas) -> dict[str, Any]:
    media = "text/plain" if action.takes is bytes else "application/json"
    body = _content(media, schema_of.get(action.takes, _TEXT), required=True)
    if action.takes in EXAMPLES:
        body["content"][media]["example"] = EXAMPLES[action.takes]
    return body


def _content(media: str, schema: dict[str, Any], **details: Any) -> dict[str, Any]:
    return {**details, "content": {media: {"schema": schema}}}


def _refusals(action: Action) -> dict[int, str]:
    """Return the reasons why an action can be refused, by their HTTP status.

    `test_whatever_is_sent_the_document_has_the_answer` holds them against the server.
    """
    sent, in_room, of_day = action.method == "POST", action.in_room, "{day}" in action.path
    is_private = in_room or action.gives_device
    rows = (
        (400, sent or in_room, "The request is not valid."),
        (403, is_private or of_day, "You may not do that."),
        (404, in_room or of_day, "It does not exist."),
        (409, sent and in_room, "Out of date. The reply contains the current state of the room."),
        (422, sent, "The request is valid, but the rules do not allow it."),
        (429, sent or in_room, "A rate or another limit was reached."),
        (500, True, "The server has failed. Nothing has changed."),
        (503, True, "Not possible at the moment. Nothing has changed."),
    )
    return {status: reason for status, applies, reason in rows if applies}


def _parameters(action: Action) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"{(\w+)}", action.path):
        yield {"name": name, "in": "path", "required": True, "schema": _TEXT}
    number = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
    if action.query:
        description = _WORDS["numbers"][action.query]
        yield {"name": action.query, "in": "query", "description": description, "schema": number}
    if action.media == "text/event-stream":
        why = "The same as `since`, which it overrides. Browsers send it when they reconnect."
        yield {"name": "Last-Event-ID", "in": "header", "description": why, "schema": number}
