"""The types from which msgspec makes the schemas of the API, and against which it checks bodies.

Each dataclass gets a struct like it. The text of a field is the comment after it, on its last line,
or the string below it. So the source and the OpenAPI document say the same.
"""

import ast
from collections.abc import Iterator, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache, reduce
from inspect import getsource
from itertools import pairwise
from operator import or_
from sys import modules
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from msgspec import NODEFAULT, Meta, defstruct

from shutbox.engine.english import capital
from shutbox.solving.advice.ranking import ChoiceJudged
from shutbox.solving.review.report import Grade, Unit, Verdict
from shutbox.web.actions.reviews import Move
from shutbox.web.rooms import requests
from shutbox.web.rooms.events import WORDS
from shutbox.web.rooms.log_line import LogLine
from shutbox.web.rooms.room import MOVES
from shutbox.web.rooms.shapes import hints_of

_GRADES, _UNITS = (tuple(str(word.value) for word in kind) for kind in (Grade, Unit))
_ENUMS: dict[tuple[Any, str], Sequence[str]] = {
    # A `happen` is shown as the kind of its move.
    (LogLine, "kind"): (*MOVES.values(), *(word for word in WORDS.values() if word != "happen")),
    **dict.fromkeys([(Move, "grade"), (ChoiceJudged, "grade")], _GRADES),
    **dict.fromkeys([(ChoiceJudged, "unit"), (Verdict, "unit")], _UNITS),
}
"""The words that the text of a field can be, by class and field."""
assert all(name in hints_of(shape) for shape, name in _ENUMS)


@cache
def schema_type(kind: Any) -> Any:
    """Return a type for msgspec, with described structs for dataclasses, and pairs as arrays.

    Raises LookupError for a field without a text.
    """
    origin, of = get_origin(kind), get_args(kind)
    if is_dataclass(kind):
        return _struct(kind)
    if origin is Annotated:
        return Annotated[schema_type(of[0]), *of[1:]]
    parts = tuple(map(schema_type, of))
    if origin in (UnionType, Union):
        return reduce(or_, parts)
    if origin is tuple and ... not in of:  # generators of clients do not know `prefixItems`
        any_of: Any = reduce(or_, parts)
        return Annotated[tuple[any_of, ...], Meta(min_length=len(of), max_length=len(of))]
    return origin[parts] if origin in (tuple, dict) else kind


def _struct(shape: Any) -> Any:
    """Return a struct like a dataclass, each field with its text and possible words."""
    # What is sent to us has no other fields; what we send may have more in a later version.
    is_strict = shape.__module__ == requests.__name__
    return defstruct(
        shape.__name__,
        [_struct_field(shape, field) for field in fields(shape)],
        namespace={"__doc__": shape.__doc__},
        forbid_unknown_fields=is_strict,
        kw_only=True,
    )


def _struct_field(shape: Any, field: Field[Any]) -> tuple[str, Any, Any]:
    """Return the name, type and default of a dataclass's field, as a struct has them."""
    kind, words = hints_of(shape)[field.name], _ENUMS.get((shape, field.name), ())
    none = (None,) if NoneType in get_args(kind) else ()
    enum = {"enum": [*words, *none]} if words else None
    meta = Meta(description=capital(_text_of(shape, field.name)), extra_json_schema=enum)
    is_required = field.default is MISSING or field.name == "type"  # of a message
    default = NODEFAULT if is_required else field.default
    return field.name, Annotated[schema_type(kind), meta], default


def _text_of(shape: Any, field: str) -> str:
    """Return the text of a field, own or inherited. Raises LookupError if it has none."""
    bases: Iterator[Any] = filter(is_dataclass, shape.__mro__)
    for base in bases:
        if text := _field_texts(base.__module__).get((base.__name__, field)):
            return text
    raise LookupError(f"{shape.__name__}.{field} has no comment that says what it is")


@cache
def _field_texts(module: str) -> dict[tuple[str, str], str]:
    """Return the texts of the fields of all classes in a module, by class and field."""
    source = getsource(modules[module])
    classes = (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
    lines = source.splitlines()
    return {(node.name, name): text for node in classes for name, text in _texts(node, lines)}


def _texts(node: ast.ClassDef, lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the name of each field of a class, and its text ("" for none) on one line."""
    for field, below in pairwise([*node.body, None]):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=name)), ast.Expr(ast.Constant(str(text))):
                yield name, " ".join(text.split())
            case ast.AnnAssign(target=ast.Name(id=name), end_lineno=int(end)), _:
                _, _, comment = lines[end - 1].encode()[field.end_col_offset :].partition(b"# ")
                yield name, comment.decode()
