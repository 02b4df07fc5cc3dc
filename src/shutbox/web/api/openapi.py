"""The OpenAPI document, generated from the registry of actions and the types of the server."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache, reduce
from inspect import getsource
from operator import or_
from pathlib import Path
from sys import modules
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import NODEFAULT, UNSET, Meta, UnsetType, defstruct
from msgspec.json import schema_components

from shutbox import __version__
from shutbox.engine.english import capital
from shutbox.engine.errors import ShutboxError
from shutbox.solving.review.report import Grade, Unit
from shutbox.web.actions.registry import Action
from shutbox.web.live.live_room import MESSAGES
from shutbox.web.rooms import requests
from shutbox.web.rooms.events import WORDS, hints_of
from shutbox.web.rooms.room import MOVES
from shutbox.web.rooms.view import Invites, View


@dataclass
class Reason:
    """The code of a refusal, and its message for people."""

    code: str  # the reason, for programs
    message: str  # the reason, for people


@dataclass
class Refused:
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
    requests.Say: {"action": "ann-says-bravo", "seat": 0, "phrase": "bravo"},
    requests.AtSeat: {"action": "ann-leaves", "seat": 0},
    requests.StandIn: {"action": "hobbs-for-bob", "seat": 1, "computer": "hobbs"},
    requests.Renew: {"action": "new-watch-link", "seat": -1},
    requests.Again: {"action": "another-game", "game": 1},
}
ANSWERS = Path(__file__).with_name("answers.json")
"""An answer of each type that a server gave, by the name of the type; a test writes them."""
TAGS = {  # by the word after /api/ in its path
    "games": "The games, matches and computer players.",
    "openapi": "This document.",
    "rooms": "Rooms: open one, sit down, play, listen, and ask how it went.",
    "challenges": "Rooms with the dice of another game.",
    "records": "Games as text, replayed.",
    "review": "Games as text, reviewed.",
    "today": "The box of the day, the same for everybody.",
    "push": "Notifications in a browser.",
}


def _codes(kind: type[ShutboxError] = ShutboxError) -> set[str]:
    return {kind.code}.union(*map(_codes, kind.__subclasses__()))


_GRADES, _UNITS = (tuple(str(one.value) for one in kind) for kind in (Grade, Unit))
_EVENTS = (*MOVES.values(), *(word for word in WORDS.values() if word != "happen"))
_ENUMS = {  # the words that the text of a field can be, by class and field
    ("Reason", "code"): sorted(_codes()),
    ("LogLine", "kind"): _EVENTS,
    **dict.fromkeys([("Move", "grade"), ("ChoiceJudged", "grade")], _GRADES),
    **dict.fromkeys(
        [("ReviewView", "unit"), ("ChoiceJudged", "unit"), ("Verdict", "unit")], _UNITS
    ),
}


_FIELD = re.compile(
    r"^    (\w+): (?:.|\n    [ )])*?(?:  # (.*?))?\n(?!    [ )])"  # a field, and what is beside it
    r'(?:    """((?:.|\n)*?)""")?',  # the text below it
    re.MULTILINE,
)


@cache
def _classes(module: str) -> dict[str, str]:
    """Return the source of each class of a module; `getsource` of each takes a second in all."""
    source = getsource(modules[module])
    return dict(re.findall(r"^class (\w+)(.*?)^(?=\S|\Z)", source, re.MULTILINE | re.DOTALL))


@cache
def published(kind: Any) -> Any:
    """Return a type for msgspec, with described structs for dataclasses, and pairs as arrays."""
    origin, of = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _struct(kind)
    if origin is Annotated:
        return Annotated[published(of[0]), *of[1:]]
    parts = tuple(map(published, of))
    if origin in (UnionType, Union):
        return reduce(or_, parts)
    if origin is tuple and ... not in of:
        any_of: Any = reduce(or_, parts)
        return Annotated[tuple[any_of, ...], Meta(min_length=len(of), max_length=len(of))]
    return origin[parts] if origin in (tuple, dict) else kind


def _struct(shape: Any) -> Any:
    """Return a struct like a dataclass, each field with its text and possible words."""
    bases: Iterator[Any] = filter(is_dataclass, reversed(shape.__mro__))
    sources = (_classes(base.__module__)[base.__name__] for base in bases)
    found = (row for source in sources for row in _FIELD.findall(source))
    docs = {name: " ".join((below or beside).split()) for name, beside, below in found}
    rows = list[tuple[str, Any, Any]]()
    for field in fields(shape):
        kind, words = hints_of(shape)[field.name], _ENUMS.get((shape.__name__, field.name))
        none = (None,) if NoneType in get_args(kind) else ()
        more = {"enum": [*words, *none]} if words else None
        meta = Meta(description=capital(docs[field.name]), extra_json_schema=more)
        is_required = field.default is MISSING or field.kw_only  # the `type` of a message
        default = NODEFAULT if is_required else field.default
        rows.append((field.name, Annotated[published(kind), meta], default))
    about, is_strict = {"__doc__": shape.__doc__}, shape.__module__ == requests.__name__
    return defstruct(
        shape.__name__, rows, namespace=about, forbid_unknown_fields=is_strict, kw_only=True
    )


def document(actions: Sequence[Action]) -> dict[str, Any]:
    """Return the OpenAPI document of these actions as a value for JSON."""
    shapes: set[Any] = {shape for a in actions for shape in (a.takes, a.gives)} - {None, bytes}
    ordered = [*sorted(shapes, key=lambda shape: shape.__name__), Refused, *MESSAGES]
    structs = map(published, ordered)
    made, components = schema_components(structs, ref_template="#/components/schemas/{name}")
    named = dict(zip(ordered, made, strict=True))
    kinds = {shape.type: named[shape]["$ref"] for shape in MESSAGES}
    components["Message"] = {
        "description": "What a stream sends: one of these, as its `type` says.",
        "anyOf": [named[shape] for shape in MESSAGES],
        "discriminator": {"propertyName": "type", "mapping": kinds},
    }
    answers = json.loads(ANSWERS.read_text("utf-8"))
    paths: dict[str, Any] = {}
    for action in actions:
        paths.setdefault(action.path, {})[action.method.lower()] = _operation(action, named)
    license = {"name": "MIT", "identifier": "MIT"}
    about = {"title": "shutbox", "version": __version__, "description": _ABOUT, "license": license}
    keys = "The key of a seat, or several with commas between them."
    bearer = {"type": "http", "scheme": "bearer", "description": keys}
    return {
        "openapi": "3.1.0",
        "info": about,
        "tags": [{"name": name, "description": about} for name, about in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": components,
            "examples": {name: {"value": value} for name, value in answers.items()},
            "securitySchemes": {"key": bearer},
        },
        "security": [{}, {"key": []}],
    }


def _operation(action: Action, named: dict[Any, dict[str, Any]]) -> dict[str, Any]:
    reply = named.get(action.gives) or _PLAIN.get(action.media, {"type": "object"})
    given = _content(action.media, reply, description="Done.")
    if action.gives is not None:
        example = {"$ref": f"#/components/examples/{action.gives.__name__}"}
        given["content"][action.media]["examples"] = {"answer": example}
    responses: dict[str, Any] = {str(action.status): given}
    for status, why in _refusals(action).items():
        reason = {"description": why, **({"headers": _RETRY} if status in (429, 503) else {})}
        responses[str(status)] = _content("application/json", named[Refused], **reason)
    elsewhere = "The server does not serve this host name."
    responses["421"] = _content("text/plain", _TEXT, description=elsewhere)
    operation = {
        "operationId": action.name.replace("-", "_"),
        "summary": action.about,
        "tags": [re.split("[/.]", action.path)[2]],
        "parameters": list(_parameters(action)),
        "responses": responses,
    }
    if action.takes is not None:
        media = "text/plain" if action.takes is bytes else "application/json"
        body = _content(media, named.get(action.takes, _TEXT), required=True)
        if action.takes in EXAMPLES:
            body["content"][media]["example"] = EXAMPLES[action.takes]
        operation["requestBody"] = body
    return operation


_TEXT = {"type": "string"}
_PLAIN = {
    "text/plain": _TEXT,
    "text/event-stream": {**_TEXT, "description": "The data of each event is a Message."},
}
_WAIT = "The number of seconds to wait before a retry, if one can succeed."
_RETRY = {"Retry-After": {"description": _WAIT, "schema": {"type": "integer"}}}


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
