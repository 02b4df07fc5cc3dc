"""Shapes: the dataclasses of stored events, requests and replies, written as JSON and read back.

Reading is strict: an unknown field, a wrong type or a value out of bounds is refused. The OpenAPI
document is generated from the same shapes.
"""

import json
import re
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from shutbox.web.errors import BadRequest

T = TypeVar("T")
_NAMES = {str: "str", int: "int", bool: "bool", float: "float", NoneType: "null", dict: "object"}


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of a value, named as in msgspec; None means that there is no such bound."""

    ge: int | None = None
    le: int | None = None
    lt: int | None = None
    min_length: int | None = None
    max_length: int | None = None
    pattern: str | None = None


class Unreadable(ValueError):
    """A value that does not fit its shape; the message says what was expected, and where."""


class UnknownField(Unreadable):
    """An object with a field that its shape does not have."""


class TooLong(Unreadable):
    """A text that is longer than its bound."""

    def __init__(self, field: str, most: int) -> None:
        super().__init__(f"Expected `str` of length <= {most} - at `$.{field}`")
        self.field, self.most = field, most


def _plain(value: Any) -> Any:
    if isinstance(value, Enum):
        return value.value
    shape: Any = type(value)
    return {name: getattr(value, name) for name in names_of(shape)}


@cache
def names_of(shape: Any) -> tuple[str, ...]:
    """Return the names of the fields of a shape, in order."""
    return tuple(field.name for field in fields(shape))


json_text = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=_plain).encode
"""Return a value as compact JSON, a dataclass as an object with its fields in order. Stored and
hashed values use this form, so it must never change."""


@cache
def hints_of(shape: type[Any]) -> dict[str, Any]:
    """Return the types of the fields of a shape, with their bounds."""
    return get_type_hints(shape, include_extras=True)


def read(kind: type[T], value: Any, at: str = "$") -> T:
    """Return a JSON value as an instance of `kind`. Raises Unreadable, with the path from `at`.

    >>> read(Bounds, {"ge": 0})
    Bounds(ge=0, le=None, lt=None, min_length=None, max_length=None, pattern=None)
    """
    found: T = _read(kind, value, at)
    return found


def _read(kind: Any, value: Any, at: str) -> Any:
    if type(value) is kind:
        return value
    origin, of = get_origin(kind), get_args(kind)
    if origin is Annotated:
        found = _read(of[0], value, at)
        for bounds in of[1:]:
            _check(bounds, found, at)
        return found
    if origin in (UnionType, Union):
        kind = next(one for one in of if one is not NoneType)
        return None if value is None and NoneType in of else _read(kind, value, at)
    if origin is Literal:
        if value in of and type(value) is type(of[0]):
            return value
        raise Unreadable(f"Invalid enum value {value!r:.40} - at `{at}`")
    if origin is tuple and isinstance(value, list | tuple):
        return tuple(_read(of[0], one, f"{at}[{n}]") for n, one in enumerate(value))
    if is_dataclass(kind) and isinstance(value, dict):
        return _shape(kind, value, at)
    wanted = "array" if origin is tuple else _NAMES.get(kind, "object")
    got = _NAMES.get(type(value), "array")
    raise Unreadable(f"Expected `{wanted}`, got `{got}` - at `{at}`")


def _shape(kind: Any, value: dict[str, Any], at: str) -> Any:
    types, place = hints_of(kind), "" if at == "$" else f" - at `{at}`"
    for name in value:
        if name not in types:
            raise UnknownField(f"Object contains unknown field `{name}`{place}")
    found = {name: _read(types[name], one, f"{at}.{name}") for name, one in value.items()}
    for field in fields(kind):
        if field.name not in value and field.default is MISSING:
            raise Unreadable(f"Object missing required field `{field.name}`{place}")
    return kind(**found)


def _check(bounds: Bounds, value: Any, at: str) -> None:
    if isinstance(value, int):
        for sign, bound, holds in (
            (">=", bounds.ge, bounds.ge is None or value >= bounds.ge),
            ("<=", bounds.le, bounds.le is None or value <= bounds.le),
            ("<", bounds.lt, bounds.lt is None or value < bounds.lt),
        ):
            if not holds:
                raise Unreadable(f"Expected `int` {sign} {bound} - at `{at}`")
        return
    name = "array" if isinstance(value, tuple) else "str"
    if bounds.min_length is not None and len(value) < bounds.min_length:
        raise Unreadable(f"Expected `{name}` of length >= {bounds.min_length} - at `{at}`")
    if bounds.max_length is not None and len(value) > bounds.max_length:
        if name == "str":
            raise TooLong(at.rpartition(".")[2], bounds.max_length)
        raise Unreadable(f"Expected `{name}` of length <= {bounds.max_length} - at `{at}`")
    if bounds.pattern is not None and re.search(bounds.pattern, value) is None:
        raise Unreadable(f"Expected `str` matching regex {bounds.pattern!r} - at `{at}`")


def shaped(values: Any, shape: type[T], *, is_form: bool = False) -> T:
    """Return request values as a `shape`. Raises BadRequest, which with `is_form` names a form.

    >>> from shutbox.web.rooms.requests import AtSeat
    >>> shaped({"action": "12345678", "seat": 1}, AtSeat)
    AtSeat(action='12345678', seat=1)
    """
    try:
        return read(shape, values)
    except TooLong as error:
        raise BadRequest(
            "{field} is longer than {most} characters", field=error.field, most=error.most
        ) from None
    except Unreadable as error:
        if is_form:
            raise BadRequest("the form cannot be read: {why}", why=error) from None
        raise BadRequest("the body cannot be read: {why}", why=error) from None
