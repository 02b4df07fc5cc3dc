"""Variants as text: overrides in a name, stanzas in a TOML file, and back to text.

One table says for every key how its value is read and written; the catalogue's own file is read
by the same code as a player's.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from stat import S_ISREG
from typing import Any

from shutbox.dice import Dice
from shutbox.english import Word, listed, shown
from shutbox.errors import BadVariant, NotUnderstood, UnknownGame
from shutbox.games.box.atoms import CoverRule, Fewer, ScoreRule
from shutbox.games.box.number_lists import read_numbers, write_numbers
from shutbox.games.box.variant import Variant, mistakes
from shutbox.messages import gettext, gettext_noop
from shutbox.options import Reader, one_of, read

LARGEST_FILE = 16_000
"""The most bytes of a variant file: what is larger could take seconds to parse."""
HUGE = 10**9
"""Numbers of this size or more are not even shown."""
LONGEST_TITLE = 60


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

_SHORT = ("title", "source", "differs", "picture", "marked", "badge", "also")
WORDS = {**dict.fromkeys(_SHORT, LONGEST_TITLE), "console": 200}
"""The keys of a stanza that are no rules, with how many characters each may have: what is said
and shown of the box in lists."""
_READERS = {key: row.read for key, row in KEYS.items()}
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


@dataclass(frozen=True, slots=True)
class Stanza:
    """One variant of a file."""

    id: str
    words: Mapping[str, str]
    """The value of each key of WORDS; empty where the file has none."""
    variant: Variant

    @property
    def title(self) -> str:
        """What players call it."""
        return self.words["title"]


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


def differences(variant: Variant, base: Variant) -> dict[str, str]:
    """The overrides that make `variant` out of `base`, in the order of KEYS.

    >>> differences(Variant(dice=Dice.parse("3d6")), Variant())
    {'dice': '3d6'}
    """
    return {
        key: written
        for key, row in KEYS.items()
        if (ours := getattr(variant, key)) != (theirs := getattr(base, key))
        and (written := row.write(ours)) != row.write(theirs)
    }


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


def read_file(path: Path) -> tuple[Stanza, ...]:
    """Every variant of a TOML file, in its order.

    Raises UnknownGame if there is no such file, and BadVariant with every mistake of every
    stanza at once.
    """
    named = shown(str(path), 200)
    try:
        if not S_ISREG(path.stat().st_mode):
            raise UnknownGame("{path} is not a file", path=named)
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or gettext("no file can have such a name")
        raise UnknownGame("{path} cannot be read: {reason}", path=named, reason=reason) from None
    where = shown(path.name, 100)[1:-1]
    if len(raw) > LARGEST_FILE:
        raise BadVariant(where, (gettext("larger than {most:,} bytes", most=LARGEST_FILE),))
    try:
        document = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise BadVariant(
            where, (gettext("not UTF-8 at byte {start}", start=error.start),)
        ) from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        reason = gettext("nested too deeply") if isinstance(error, RecursionError) else error
        raise BadVariant(where, (gettext("not TOML: {reason}", reason=reason),)) from None
    return read_stanzas(document, where)


def read_stanzas(document: Mapping[str, Any], where: str) -> tuple[Stanza, ...]:
    """The variants of a TOML document, already parsed. Raises BadVariant."""
    stanzas: list[Stanza] = []
    problems: list[str] = []
    if not document:
        problems.append(gettext("no variant; write a stanza such as [my-box]"))
    for id, stanza in document.items():
        if not isinstance(stanza, Mapping):
            problems.append(
                gettext(
                    "{id} stands outside a stanza; begin with one such as [my-box]", id=shown(id)
                )
            )
            continue
        try:
            stanzas.append(_read_stanza(id, stanza))
        except BadVariant as error:
            problems += [f"[{shown(id)[1:-1]}] {problem}" for problem in error.problems]
    if problems:
        raise BadVariant(where, tuple(problems))
    return tuple(stanzas)


def _read_stanza(id: str, stanza: Mapping[str, Any]) -> Stanza:
    problem = gettext("{id} is not an id; use up to 40 of a to z, 0 to 9 and -", id=shown(id))
    problems = [] if _ID.fullmatch(id) else [problem]
    words = dict.fromkeys(WORDS, "") | {"title": id.replace("-", " ").capitalize()}
    options: dict[str, str] = {}
    for key, value in stanza.items():
        facts = {"key": key, "value": _named(value), "most": WORDS.get(key)}
        if key not in words and (text := _as_text(value)) is not None:
            options[key] = text
        elif key not in words:
            problem = gettext(
                "{key}: {value} is not text, a number of up to nine digits or a list of them",
                **facts,
            )
            problems.append(problem)
        elif isinstance(value, str) and _fit_to_say(value, WORDS[key]):
            words[key] = value
        else:
            problem = gettext(
                "{key}: {value} is not allowed; write 1 to {most} printable characters in quotes",
                **facts,
            )
            problems.append(problem)
    try:
        variant = overridden(Variant(), options, id)
    except BadVariant as error:
        problems += error.problems
    if problems:
        raise BadVariant(id, tuple(problems))
    return Stanza(id, words, variant)


def _fit_to_say(text: str, most: int) -> bool:
    return 0 < len(text.strip()) <= len(text) <= most and text.isprintable()


def _named(value: object) -> str:
    """A TOML value in a message, as it was offered if it is short and flat."""
    if isinstance(value, int) and abs(value) >= HUGE:
        return gettext("a number of more than nine digits")
    if isinstance(value, dict):
        return gettext("a table")
    if isinstance(value, list):
        if len(value) > 9 or any(isinstance(item, list | dict) for item in value):
            return gettext("a nested or long list")
        return f"[{', '.join(map(_named, value))}]"
    return shown(value) if isinstance(value, str) else str(value)


def _as_text(value: object) -> str | None:
    """A TOML value in the notation of overrides: 2, "2d6" and [1, 3, 5] all have one."""
    if isinstance(value, str):
        return value.strip().lower()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < HUGE else None
    if isinstance(value, list):
        items = [_as_text(item) if isinstance(item, int) else None for item in value]
        return ".".join(map(str, items)) or "-" if None not in items else None
    return None
