"""What the page asks, as the shapes of `rooms/requests.py`, within the bounds of their fields."""

from dataclasses import fields, is_dataclass
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from shutbox.web.errors import BadRequest
from shutbox.web.rooms.requests import Bounds

T = TypeVar("T")


def shaped(values: Any, shape: type[T]) -> T:
    """Values out of JSON as one of these shapes. Raises BadRequest.

    >>> from shutbox.web.rooms.requests import AtSeat
    >>> shaped({"action": "12345678", "seat": 1}, AtSeat)
    AtSeat(action='12345678', seat=1)
    """
    hints = get_type_hints(shape, include_extras=True)
    known = {field.name for field in fields(shape)}  # type: ignore[arg-type]
    if not isinstance(values, dict) or values.keys() - known:
        raise BadRequest("the body cannot be read: {why}", why=sorted(set(values) - known))
    try:
        return shape(**{name: _value(value, name, hints[name]) for name, value in values.items()})
    except TypeError as error:
        raise BadRequest("the body cannot be read: {why}", why=error) from None


def _value(value: Any, name: str, hint: Any) -> Any:
    if get_origin(hint) is Annotated:
        kind, *bounds = get_args(hint)
        for bound in bounds:
            _check(value, name, bound)
        return _value(value, name, kind)
    if get_origin(hint) is tuple:
        return tuple(_value(one, name, get_args(hint)[0]) for one in value)
    if is_dataclass(hint):
        return shaped(value, hint)  # type: ignore[arg-type]
    return value


def _check(value: Any, name: str, bounds: Bounds) -> None:
    most = bounds.max_length
    if most is not None and len(value) > most:
        raise BadRequest("{field} is longer than {most} characters", field=name, most=most)
