"""Texts such as `rounds=5,shut=wins`: split and read here alone, with every mistake at once."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from shutbox.english import Word, listed, shown
from shutbox.errors import NotUnderstood
from shutbox.messages import gettext

Reader = Callable[[str], Any]  # reads the value of one key; raises NotUnderstood

V = TypeVar("V")
W = TypeVar("W", bound=Word)

Values: TypeAlias = tuple[dict[str, V], list[str]]  # the values of keys, and what is wrong


def split(text: str, malformed: str, twice: str, **facts: object) -> Values[str]:
    """The keys and values of a text, in lower case as written, and what is wrong with its form.

    `malformed` and `twice` are the templates of the two mistakes there are: a `{part}` that is
    not `key=value`, and a `{key}` that is there before; `facts` fill their other braces.

    >>> split("Rounds=5, shut = wins", "", "")
    ({'rounds': '5', 'shut': 'wins'}, [])
    >>> split("a=1,b,a=2", "{part} is no option", "{key} is given twice")
    ({'a': '1'}, ["'b' is no option", 'a is given twice'])
    """
    options: dict[str, str] = {}
    problems = []
    for part in text.split(",") if text.strip() else []:
        key, _, value = (word.strip().lower() for word in part.partition("="))
        if not key or not value:
            problems.append(gettext(malformed, part=shown(part), **facts))
        elif key in options:
            problems.append(gettext(twice, key=key, **facts))
        else:
            options[key] = value
    return options, problems


def read(options: Mapping[str, str], readers: Mapping[str, Reader], unknown: str) -> Values[Any]:
    """The values that could be read, and a sentence for each that could not.

    `unknown` is the template for a `{key}` that is none of the `{keys}`.

    >>> read({"rounds": "5", "cups": "2"}, {"rounds": int}, "{key} is not one of {keys}")
    ({'rounds': 5}, ["'cups' is not one of rounds"])
    """
    values: dict[str, Any] = {}
    problems = []
    for key, text in options.items():
        if key not in readers:
            problems.append(gettext(unknown, key=shown(key), keys=listed(readers)))
            continue
        try:
            values[key] = readers[key](text)
        except NotUnderstood as error:
            problems.append(f"{key}: {error}")
    return values, problems


def one_of(words: type[W]) -> Callable[[str], W]:
    """Reads a member of an enumeration by its value."""

    def member(text: str) -> W:
        try:
            return words(text)
        except ValueError:
            said, allowed = shown(text), listed((word.value for word in words), last="or")
        raise NotUnderstood("{text} is not known; write {allowed}", text=said, allowed=allowed)

    return member
