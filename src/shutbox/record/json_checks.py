"""Values that came as JSON, held against the shape that is wanted of them.

Each function returns its value if it has the shape and raises BadRecord if not; `where` says where
the value stands, such as `events[3].player`.
"""

from typing import Any

from shutbox.english import listed, shown
from shutbox.errors import BadRecord

_TYPES = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
    type(None): "null",
}


def has(
    value: object, where: str, keys: tuple[str, ...], others: tuple[str, ...] = ()
) -> dict[str, Any]:
    """An object with all of `keys` and any of `others`, and no more.

    >>> has({"name": "Ann"}, "players[0]", ("name",), ("computer",))
    {'name': 'Ann'}
    """
    found = an_object(value, where)
    allowed = (*keys, *others)
    for key in keys:
        if key not in found:
            raise BadRecord(f"{where} lacks the key {key!r}")
    for key in found:
        if key not in allowed:
            raise BadRecord(f"{where} has the key {shown(key)}; known are {listed(allowed)}")
    return found


def an_object(value: object, where: str) -> dict[str, Any]:
    """An object, whatever its keys."""
    if not isinstance(value, dict):
        raise _other(value, where, dict)
    if not all(isinstance(key, str) for key in value):
        raise BadRecord(f"{where} has a key that is no text")
    return value


def a_list(value: object, where: str) -> list[Any]:
    """A list, of anything."""
    if not isinstance(value, list):
        raise _other(value, where, list)
    return value


def a_text(value: object, where: str) -> str:
    """A text, which may be empty."""
    if not isinstance(value, str):
        raise _other(value, where, str)
    return value


def a_filled_text(value: object, where: str) -> str:
    """A text that is not empty."""
    text = a_text(value, where)
    if not text:
        raise BadRecord(f"{where} is empty")
    return text


def _other(value: object, where: str, wanted: type) -> BadRecord:
    found = _TYPES.get(type(value), "something else")
    return BadRecord(f"{where} is {found}; {_TYPES[wanted]} is wanted")
