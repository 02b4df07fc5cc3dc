"""Values that came as JSON, held against the shape that is wanted of them.

Each function returns its value if it has the shape and raises BadRecord if not; `where` says where
the value stands, such as `events[3].player`.
"""

from typing import Any

from shutbox.english import listed, shown
from shutbox.errors import BadRecord
from shutbox.messages import gettext, gettext_noop

_TYPES = {
    dict: gettext_noop("an object"),
    list: gettext_noop("a list"),
    str: gettext_noop("a text"),
    bool: gettext_noop("true or false"),
    int: gettext_noop("a number"),
    float: gettext_noop("a number"),
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
            raise BadRecord("{where} lacks the key {key}", where=where, key=repr(key))
    for key in found:
        if key not in allowed:
            raise BadRecord(
                "{where} has the key {key}; known are {keys}",
                where=where,
                key=shown(key),
                keys=listed(allowed),
            )
    return found


def an_object(value: object, where: str) -> dict[str, Any]:
    """An object, whatever its keys."""
    if not isinstance(value, dict):
        raise _other(value, where, dict)
    if not all(isinstance(key, str) for key in value):
        raise BadRecord("{where} has a key that is no text", where=where)
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
        raise BadRecord("{where} is empty", where=where)
    return text


def _other(value: object, where: str, wanted: type) -> BadRecord:
    found = _TYPES.get(type(value), gettext_noop("something else"))
    return BadRecord(
        "{where} is {found}; {wanted} is wanted",
        where=where,
        found=gettext(found),
        wanted=gettext(_TYPES[wanted]),
    )
