"""Variants as text: overrides in a name, and back to text.

One table says for every key how its value is read and written.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from shutbox.dice import Dice
from shutbox.english import Word, listed, shown
from shutbox.errors import BadVariant, NotUnderstood
from shutbox.games.box.atoms import CoverRule, Fewer, ScoreRule
from shutbox.games.box.variant import Variant, mistakes
from shutbox.messages import gettext, gettext_noop
from shutbox.typed_text import Reader, one_of, read, read_numbers, write_numbers


@dataclass(frozen=True, slots=True)
class Key:
    """How one key of a variant is read and written, and what it is about."""

    read: Reader
    write: Callable[[Any], str]
    about: str
    """What it says, in a line for a form: a template, in which `{words}` are the values of an
    atom."""
    words: tuple[str, ...] = ()


def _one_of(kind: type[Word], about: str) -> Key:
    words = tuple(str(member.value) for member in kind)
    return Key(one_of(kind), lambda value: str(value.value), about, words)


def _total(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,5}", text):
        raise NotUnderstood("{text} is not a number", text=shown(text))
    return int(text)


def _in_any_order(text: str) -> tuple[int, ...]:
    return tuple(sorted(read_numbers(text)))


_numbers = partial(Key, read_numbers, write_numbers)
_set = partial(Key, _in_any_order, write_numbers)

KEYS: dict[str, Key] = {
    "tiles": _numbers(gettext_noop("the numbers on the box: 1-9, or 1.3.5")),
    "behind": _numbers(gettext_noop("a second row, behind the first")),
    "down": _set(gettext_noop("tiles that are down from the start")),
    "dice": Key(Dice.parse, str, gettext_noop("such as 2d6, 1d20")),
    "fewer": _one_of(Fewer, gettext_noop("when fewer dice are thrown: {words}")),
    "cover": _one_of(CoverRule, gettext_noop("{words}")),
    "first": _set(gettext_noop("tiles that the first cover must include")),
    "stop_first": _set(gettext_noop("totals that end the turn on the first throw")),
    "stop_on": _set(gettext_noop("totals that end it on any throw")),
    "shut_at": Key(_total, str, gettext_noop("the total of tiles up that wins the turn: 3")),
    "score": _one_of(ScoreRule, gettext_noop("{words}")),
    "weights": _numbers(gettext_noop("what each tile counts")),
}
"""Every rule key, in the order in which they are written."""

_READERS = {key: row.read for key, row in KEYS.items()}


def overridden(base: Variant, options: Mapping[str, str], where: str) -> Variant:
    """`base` with some rules replaced. Raises BadVariant with every mistake at once.

    >>> overridden(Variant(), {"fewer": "must-top"}, "here").fewer
    Fewer.MUST_TOP
    """
    unknown = gettext_noop("{key} is not a rule; the rules are {keys}")
    found, problems = read(options, _READERS, unknown)
    unread = (KEYS.keys() & options.keys()) - found.keys()
    values = {key: getattr(base, key) for key in KEYS if key not in unread} | found
    if unread:
        problems += mistakes(values)
    else:
        try:
            variant = Variant(**values)
        except BadVariant as error:
            problems += error.problems
    if problems:
        raise BadVariant(where, tuple(problems))
    return variant


def options(variant: Variant) -> dict[str, str]:
    """Every rule of the variant as text."""
    return {key: KEYS[key].write(getattr(variant, key)) for key in KEYS}


def help_texts() -> dict[str, str]:
    """What each rule of a box says, in a line for a form.

    >>> help_texts()["cover"]
    'sum, sum2, both-or-sum or one'
    """
    return {
        key: gettext(row.about, words=listed(row.words, last="or")) for key, row in KEYS.items()
    }
