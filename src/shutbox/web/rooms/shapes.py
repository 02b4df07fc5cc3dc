"""The JSON of all shapes: the dataclasses of events, requests and replies.

On a server msgspec reads them, and checks their types and bounds. A browser has no msgspec, and
there the page of the player has sent or stored them. The OpenAPI document is generated from the
same shapes. The views of a room have no slots, since without them they are written as JSON faster.
"""

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import blake2b
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from shutbox.web.errors import BadRequest

T = TypeVar("T")


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else values_of(value)


def values_of(value: Any) -> dict[str, Any]:
    """Return the values of a dataclass's fields by name, in order; those inside are not changed."""
    shape: Any = type(value)
    return {name: getattr(value, name) for name in names_of(shape)}


@cache
def names_of(shape: Any) -> tuple[str, ...]:
    """Return the names of the fields of a shape, in order."""
    return tuple(field.name for field in fields(shape))


@cache
def hints_of(shape: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a shape, with their bounds."""
    return get_type_hints(shape, include_extras=True)


json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain).encode
"""Return a value as compact JSON, a dataclass as an object with its fields in order. Stored and
hashed values use this form, so it must never change."""

try:
    from msgspec import Meta as Meta
    from msgspec import ValidationError
    from msgspec import convert as convert
    from msgspec.json import Encoder

    encode = Encoder().encode
except ImportError:  # in a browser
    ValidationError = ValueError  # type: ignore[assignment, misc]

    class Meta:  # type: ignore[no-redef]
        """Bounds that nobody checks."""

        def __init__(self, **_: object) -> None: ...

    def encode(value: object, /) -> bytes:
        """Return a value as compact JSON."""
        return json_text(value).encode()

    def convert(value: Any, kind: Any, **_: object) -> Any:  # type: ignore[no-redef]
        """Return a JSON value as an instance of `kind`, unchecked."""
        origin, of = get_origin(kind), get_args(kind)
        if origin in (Annotated, UnionType, Union):
            return value if value is None else convert(value, of[0])
        if origin is tuple:
            return tuple(convert(each, of[0]) for each in value)
        if is_dataclass(kind) and isinstance(value, dict):
            shape: Any = kind
            return shape(**{name: convert(value[name], hints_of(shape)[name]) for name in value})
        return value


def checksum(*values: str | float | None) -> str:
    """Return a checksum of some values in order, 32 hexadecimal digits, to be stored with them.

    >>> checksum("links", "2b"), checksum("links", None) == checksum("links", "")
    ('e3dabcad35b5c3064479cd603176aff8', False)
    """
    text = json_text(values).encode("utf-8", "surrogatepass")
    return blake2b(text, digest_size=16).hexdigest()


def shaped(values: Any, shape: type[T], body: Any = None) -> T:
    """Return the values of a form, by field, as a dataclass `shape`.

    With `body`, `values` is the JSON value of a request's body, and `body` a type like `shape` that
    allows no further fields. Raises BadRequest if a field is missing or out of its bounds.

    >>> from shutbox.web.rooms.requests import AtSeat
    >>> shaped({"action": "12345678", "seat": 1}, AtSeat)
    AtSeat(action='12345678', seat=1)
    """
    try:
        checked = values if body is None else convert(values, body)
        return convert(checked, shape, from_attributes=True)
    except ValidationError as error:
        _check_lengths(values, shape)
        if body is None:
            raise BadRequest("the form cannot be read: {why}", why=error) from None
        raise BadRequest("the body cannot be read: {why}", why=error) from None


def _check_lengths(values: Any, shape: Any) -> None:
    """Raise BadRequest if a text is too long, in a sentence for the player who has typed it."""
    for name, kind in hints_of(shape).items():
        most = next((bounds.max_length for bounds in getattr(kind, "__metadata__", ())), None)
        text = values.get(name) if isinstance(values, Mapping) else None
        if isinstance(text, str) and most is not None and len(text) > most:
            raise BadRequest(
                "the field {field} is longer than {most} characters", field=name, most=most
            ) from None
