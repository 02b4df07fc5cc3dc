"""The OpenAPI document, generated from the registry of actions and the types of the server."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, fields, is_dataclass
from inspect import getsource
from typing import Any, Union, get_args

import msgspec
from msgspec import UNSET, Struct, UnsetType

from shutbox import __version__
from shutbox.engine.english import capital
from shutbox.engine.errors import ShutboxError
from shutbox.solving.review.report import Grade, Unit
from shutbox.web.actions.registry import Action
from shutbox.web.live.live_room import MESSAGES
from shutbox.web.rooms import requests
from shutbox.web.rooms.events import WORDS, Bounds, hints_of
from shutbox.web.rooms.room import MOVES
from shutbox.web.rooms.view import Invites, View


class Reason(Struct):
    """The code of a refusal, and its message for people."""

    code: str  # the reason, for programs
    message: str  # the reason, for people


class Refused(Struct):
    """A refusal, with the current view if you are out of date, or the table you are invited to."""

    error: Reason  # why nothing has changed
    number: int | UnsetType = UNSET  # the number of the last event
    view: View | UnsetType = UNSET  # the room as it is now
    invites: Invites | UnsetType = UNSET  # the table that a name is needed for


_NUMBERS = {
    "game": "The number of the game, from 1. Without it, the current game.",
    "since": "The number of the last event that the client knows.",
}

_ABOUT = """Shut the Box under all its house rules.

This document cannot describe the WebSocket at `/api/rooms/{room}/live`. Connect with `since` and
the keys as for `/api/rooms/{room}/events`. Each text message that you receive is a Message. The
server ignores the messages that you send. The close code tells why the connection ended: 4403, you
may not listen (the reason is the error code of the refusal); 1012, reconnect in a moment; 4408, you
read nothing for too long.

For an unknown path the server returns 404, and for an unsupported method 405. Both have a Refused
as their body."""

EXAMPLES: dict[type[Any], dict[str, Any]] = {  # a body for each of the most used requests
    requests.NewRoom: {
        "action": "open-the-table",
        "game": "pub",
        "seats": [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "computer:hobbs"}],
    },
    requests.Act: {"action": "first-throw", "game": 1, "version": 0, "seat": 0, "do": "throw"},
    requests.NameSeat: {"action": "name-of-ann", "seat": 0, "name": "Anna"},
    requests.Say: {"action": "ann-says-hello", "seat": 0, "phrase": "hello"},
    requests.AtSeat: {"action": "ann-leaves", "seat": 0},
    requests.StandIn: {"action": "hobbs-for-bob", "seat": 1, "computer": "hobbs"},
    requests.Renew: {"action": "new-watch-link", "seat": -1},
    requests.Again: {"action": "another-game", "game": 1},
}


def _bounded(schema: dict[str, Any], hint: Any) -> dict[str, Any]:
    """Return the schema of a request's field with the bounds in its annotated type, `hint`."""
    if "anyOf" in schema:  # a value or None
        value, *none = schema["anyOf"]
        return {**schema, "anyOf": [_bounded(value, get_args(hint)[0]), *none]}
    size = "Items" if schema.get("type") == "array" else "Length"
    words = {"ge": "minimum", "le": "maximum", "lt": "exclusiveMaximum", "pattern": "pattern"}
    words |= {"min_length": f"min{size}", "max_length": f"max{size}"}
    all_bounds = [one for one in get_args(hint)[1:] if isinstance(one, Bounds)]
    pairs = (pair for bounds in all_bounds for pair in asdict(bounds).items())
    return {**schema, **{words[name]: bound for name, bound in pairs if bound is not None}}


def _message(shape: Any) -> type[msgspec.Struct]:
    """Return a message type as a struct that is tagged with its `type`."""
    hints = hints_of(shape)
    rows = [(f.name, hints[f.name]) for f in fields(shape) if not f.kw_only]
    tag, about = str(shape.type), {"__doc__": shape.__doc__}
    return msgspec.defstruct(shape.__name__, rows, namespace=about, tag=tag)


Message: Any = Union[tuple(map(_message, MESSAGES))]  # noqa: UP007 - made as it runs


def _codes(kind: type[ShutboxError] = ShutboxError) -> set[str]:
    return {kind.code}.union(*map(_codes, kind.__subclasses__()))


_GRADES, _UNITS = (tuple(str(one.value) for one in kind) for kind in (Grade, Unit))
_EVENTS = (*MOVES.values(), *(word for word in WORDS.values() if word != "happen"))
_ENUMS = {  # the words that the text of a field can be, by class and field
    ("Reason", "code"): sorted(_codes()),
    **dict.fromkeys([("Happened", "kind"), ("LogLine", "kind")], _EVENTS),
    **dict.fromkeys([("Move", "grade"), ("ChoiceJudged", "grade")], _GRADES),
    **dict.fromkeys(
        [("ReviewView", "unit"), ("ChoiceJudged", "unit"), ("Verdict", "unit")], _UNITS
    ),
}


def _shapes_in(*hints: Any) -> dict[str, Any]:
    """Return the dataclasses and structs in some types, and in the fields of those, by name."""
    found, rest = dict[str, Any](), [*hints]
    for hint in rest:
        rest += get_args(hint)
        if _is_shape(hint) and hint.__name__ not in found:
            found[hint.__name__] = hint
            rest += hints_of(hint).values()
    return found


def _is_shape(hint: Any) -> bool:
    return isinstance(hint, type) and (is_dataclass(hint) or issubclass(hint, msgspec.Struct))


_FIELD = re.compile(
    r"^    (\w+): (?:.|\n    [ )])*?(?:  # (.*?))?\n(?!    [ )])"  # a field, and what is beside it
    r'(?:    """((?:.|\n)*?)""")?',  # the text below it
    re.MULTILINE,
)


def field_docs(shape: type[Any]) -> dict[str, str]:
    """Return the text below or beside each field of a class and its bases, by name."""
    bases = [one for one in shape.__mro__ if _is_shape(one) and one is not msgspec.Struct]
    rows = (row for base in reversed(bases) for row in _FIELD.findall(getsource(base)))
    docs = {name: " ".join((below or beside).split()) for name, beside, below in rows}
    return {name: about for name, about in docs.items() if about}


def _describe(components: dict[str, Any], actions: Sequence[Action]) -> None:
    """Add to the schemas `components` the text, bounds and possible words of each field."""
    inward = [action.takes for action in actions]
    for name, shape in _shapes_in(*inward).items():
        components[name]["additionalProperties"] = False
        properties = components[name]["properties"]
        for field, hint in hints_of(shape).items():
            properties[field] = _bounded(properties[field], hint)
    shapes = _shapes_in(Refused, *MESSAGES, *inward, *(action.gives for action in actions))
    for name, shape in shapes.items():
        properties = components.get(name, {}).get("properties", {})
        docs = field_docs(shape)
        for field, about in properties.items():
            known = {"allOf": [about]} if "$ref" in about else about
            if words := _ENUMS.get((name, field)):
                known = {**known, "enum": [*words, *((None,) if "anyOf" in known else ())]}
            doc = {"description": capital(docs[field])} if field in docs else {}
            properties[field] = {**known, **doc}


def document(actions: Sequence[Action]) -> dict[str, Any]:
    """Return the OpenAPI document of these actions as a value for JSON."""
    shapes = {a.takes for a in actions if a.takes not in (None, bytes)}
    shapes |= {a.gives for a in actions if a.gives is not None}
    ordered = [*sorted(shapes, key=lambda shape: shape.__name__), Refused, Message]
    made = msgspec.json.schema_components(ordered, ref_template="#/components/schemas/{name}")
    schemas, components = map(_published, made)
    _describe(components, actions)
    named = dict(zip(ordered, schemas, strict=True))
    paths: dict[str, Any] = {}
    for action in actions:
        paths.setdefault(action.path, {})[action.method.lower()] = _operation(action, named)
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


def _published(schema: Any) -> Any:
    """Return a schema with its tuples as arrays of any of their items' types."""
    match schema:
        case list() | tuple():
            return [_published(one) for one in schema]
        case {"prefixItems": parts, **rest}:
            return _published({**rest, "items": {"anyOf": parts}})
        case dict():
            return {name: _published(value) for name, value in schema.items()}
    return schema


def _operation(action: Action, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    reply = named.get(action.gives) or _PLAIN.get(action.media, {"type": "object"})
    given = _content(action.media, reply, description="Done.")
    responses: dict[str, Any] = {str(action.status): given}
    for status, why in _refusals(action).items():
        reason = {"description": why, **({"headers": _RETRY} if status in (429, 503) else {})}
        responses[str(status)] = _content("application/json", named[Refused], **reason)
    responses["421"] = _content(
        "text/plain", _TEXT, description="The server does not serve this host name."
    )
    operation = {
        "operationId": action.name.replace("-", "_"),
        "summary": action.about,
        "parameters": list(_parameters(action)),
        "responses": responses,
    }
    if action.takes is bytes:
        operation["requestBody"] = _content("text/plain", _TEXT, required=True)
    elif action.takes is not None:
        body = _content("application/json", named[action.takes], required=True)
        if action.takes in EXAMPLES:
            body["content"]["application/json"]["example"] = EXAMPLES[action.takes]
        operation["requestBody"] = body
    return operation


_TEXT = {"type": "string"}
_PLAIN = {
    "text/plain": _TEXT,
    "text/event-stream": {**_TEXT, "description": "The data of each event is a Message."},
}
_RETRY = {
    "Retry-After": {
        "description": "The number of seconds to wait before a retry, if one can succeed.",
        "schema": {"type": "integer"},
    }
}


def _content(media: str, schema: dict[str, Any], **about: Any) -> dict[str, Any]:
    return {**about, "content": {media: {"schema": schema}}}


def _refusals(action: Action) -> dict[int, str]:
    """Return the reasons why an action can be refused, by their HTTP status."""
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
    return {status: reason for status, may_be, reason in rows if may_be}


def _parameters(action: Action) -> Iterator[dict[str, Any]]:
    for name in re.findall(r"{(\w+)}", action.path):
        yield {"name": name, "in": "path", "required": True, "schema": _TEXT}
    number = {"type": "integer", "minimum": 0, "maximum": 2**31 - 1}
    if action.query:
        about = _NUMBERS[action.query]
        yield {"name": action.query, "in": "query", "description": about, "schema": number}
    if action.media == "text/event-stream":
        about = "The same as `since`, which it overrides. Browsers send it when they reconnect."
        yield {"name": "Last-Event-ID", "in": "header", "description": about, "schema": number}
