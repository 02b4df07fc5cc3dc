"""Requests from outside, held to the bounds that stand beside their fields.

A shape of `rooms/requests.py` is a plain dataclass. Here it becomes one that is checked as it is
read: an unknown key, a wrong type and a number out of bounds are refused.
"""

from contextlib import suppress
from dataclasses import MISSING, asdict, fields, is_dataclass
from itertools import chain
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from shutbox.web.errors import BadRequest
from shutbox.web.rooms.requests import Bounds

T = TypeVar("T")
_UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError)
_CHECKED: dict[type[Any], type[msgspec.Struct]] = {}


def checked(shape: type[Any]) -> type[msgspec.Struct]:
    """The same shape as one that is checked, of the same name, for the document, too."""
    if shape not in _CHECKED:
        hints = get_type_hints(shape, include_extras=True)
        rows = [
            (f.name, _typed(hints[f.name]), msgspec.field() if f.default is MISSING else f.default)
            for f in fields(shape)
        ]
        about = {"__doc__": shape.__doc__}
        _CHECKED[shape] = msgspec.defstruct(
            shape.__name__, rows, namespace=about, forbid_unknown_fields=True
        )
    return _CHECKED[shape]


def _typed(hint: Any) -> Any:
    origin, of = get_origin(hint), get_args(hint)
    if is_dataclass(hint):
        return checked(hint)  # type: ignore[arg-type]
    if origin is Annotated:
        return Annotated[(_typed(of[0]), *map(_meta, of[1:]))]
    if origin is tuple:
        return tuple[_typed(of[0]), ...]  # type: ignore[misc]
    if origin in (UnionType, Union):
        return Union[tuple(map(_typed, of))]  # noqa: UP007 - made as it runs
    return hint


def _meta(bounds: Bounds) -> msgspec.Meta:
    return msgspec.Meta(**{name: b for name, b in asdict(bounds).items() if b is not None})


def read_shape(text: bytes, shape: type[T]) -> T:
    """JSON as a value of a shape. Raises BadRequest, which says what is wrong where."""
    try:
        found = msgspec.json.decode(text, type=checked(shape))
    except _UNREADABLE as error:
        unreadable = BadRequest("the body cannot be read: {why}", why=error)
        raise _too_long(shape, text) or unreadable from None
    return msgspec.convert(found, shape, from_attributes=True)


def shaped(values: dict[str, Any], shape: type[T]) -> T:
    """The fields of a form as a value of a shape. Raises BadRequest, which says what is wrong."""
    try:
        found = msgspec.convert(values, checked(shape))
    except msgspec.MsgspecError as error:
        unreadable = BadRequest("the form cannot be read: {why}", why=error)
        raise _too_long(shape, values) or unreadable from None
    return msgspec.convert(found, shape, from_attributes=True)


def _too_long(shape: type[Any], sent: Any) -> BadRequest | None:
    """The first text that is longer than it may be, for people who have typed it; or nothing.

    >>> from shutbox.web.rooms.requests import Act
    >>> print(_too_long(Act, {"roll": 201 * "6"}))
    roll is longer than 200 characters
    """
    with suppress(*_UNREADABLE):
        sent = msgspec.json.decode(sent) if isinstance(sent, bytes) else sent
    hints = get_type_hints(shape, include_extras=True)
    for name, value in sent.items() if isinstance(sent, dict) else ():
        parts = (hints.get(name), *get_args(hints.get(name)))
        for bounds in chain.from_iterable(map(get_args, parts)):
            most = getattr(bounds, "max_length", None)
            if most and isinstance(value, str) and len(value) > most:
                return BadRequest("{field} is longer than {most} characters", field=name, most=most)
    return None
