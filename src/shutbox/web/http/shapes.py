"""Requests from outside, held to the bounds that stand beside their fields.

A shape of `rooms/requests.py` is a plain dataclass. Here it becomes one that is checked as it is
read: an unknown key, a wrong type and a number out of bounds are refused.
"""

from dataclasses import MISSING, asdict, fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from shutbox.messages import gettext
from shutbox.web.errors import BadRequest
from shutbox.web.rooms.requests import Bounds

T = TypeVar("T")


_CHECKED: dict[type[Any], type[msgspec.Struct]] = {}


def checked(shape: type[Any]) -> type[msgspec.Struct]:
    """The same shape as one that is checked, of the same name, for the document, too."""
    if shape not in _CHECKED:
        _CHECKED[shape] = _made(shape)
    return _CHECKED[shape]


def _made(shape: type[Any]) -> type[msgspec.Struct]:
    hints = get_type_hints(shape, include_extras=True)
    typed = [(field, _typed(hints[field.name])) for field in fields(shape)]
    return msgspec.defstruct(
        shape.__name__,
        [
            (field.name, of) if field.default is MISSING else (field.name, of, field.default)
            for field, of in typed
        ],
        namespace={"__doc__": shape.__doc__},
        forbid_unknown_fields=True,
    )


def _typed(hint: Any) -> Any:
    of = get_args(hint)
    if is_dataclass(hint):
        return checked(hint)  # type: ignore[arg-type]
    match get_origin(hint):
        case origin if origin is Annotated:
            return Annotated[(_typed(of[0]), *map(_meta, of[1:]))]
        case origin if origin is tuple:
            return tuple[_typed(of[0]), ...]  # type: ignore[misc]
        case origin if origin is UnionType or origin is Union:
            return Union[tuple(map(_typed, of))]  # noqa: UP007 - made as it runs
    return hint


def _meta(bounds: Bounds) -> msgspec.Meta:
    return msgspec.Meta(**{name: b for name, b in asdict(bounds).items() if b is not None})


def read_shape(text: bytes, shape: type[T]) -> T:
    """JSON as a value of a shape. Raises BadRequest, which says what is wrong where."""
    try:
        found = msgspec.json.decode(text, type=checked(shape))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        why = _too_long(shape, text) or str(error)
        raise BadRequest("the body cannot be read: {why}", why=why) from None
    return msgspec.convert(found, shape, from_attributes=True)


def shaped(values: dict[str, Any], shape: type[T]) -> T:
    """The fields of a form as a value of a shape. Raises BadRequest, which says what is wrong."""
    try:
        found = msgspec.convert(values, checked(shape))
    except msgspec.MsgspecError as error:
        why = _too_long(shape, values) or str(error)
        raise BadRequest("the form cannot be read: {why}", why=why) from None
    return msgspec.convert(found, shape, from_attributes=True)


def _too_long(shape: type[Any], sent: Any) -> str:
    """The first text that is longer than it may be, for people who have typed it; or nothing.

    >>> from shutbox.web.rooms.requests import Act
    >>> _too_long(Act, {"roll": 201 * "6"})
    'roll is longer than 200 characters'
    """
    if isinstance(sent, bytes):
        try:
            sent = msgspec.json.decode(sent)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return ""
    hints = get_type_hints(shape, include_extras=True)
    for name, value in sent.items() if isinstance(sent, dict) else ():
        for hint in (hints.get(name), *get_args(hints.get(name))):
            for bounds in get_args(hint):
                most = bounds.max_length if isinstance(bounds, Bounds) else None
                if most is not None and isinstance(value, str) and len(value) > most:
                    return gettext(
                        "{field} is longer than {most} characters", field=name, most=most
                    )
    return ""
