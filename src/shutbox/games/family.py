"""Families of games: what the catalogue lists of each game, and how a name becomes a game.

Boxes are one family, Cargo another. The catalogue lists the families and knows nothing else. The
games of a family are stanzas of a TOML file, and a player's own file is read by the same code.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from stat import S_ISREG
from typing import Any, Generic, Protocol, TypeVar, cast

from shutbox.english import shown
from shutbox.errors import BadVariant, UnknownGame
from shutbox.game import Game
from shutbox.messages import gettext, gettext_noop
from shutbox.typed_text import Reader, read, title_with, write_name, written

LARGEST_FILE = 16_000
"""The most bytes of a file of stanzas: what is larger could take seconds to parse."""
HUGE = 10**9  # numbers of this size or more are not even shown
LONGEST_TITLE = 60

_SHORT = ("title", "source", "differs", "picture", "marked", "badge", "also")
WORDS = {**dict.fromkeys(_SHORT, LONGEST_TITLE), "console": 200}
"""The keys of a stanza that are no rules, with how many characters each may have: what is said
and shown of the game in lists."""
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Entry:
    """One game as the catalogue lists it."""

    name: str
    title: str  # what players call it
    source: str  # where its rules are from, in the letters of docs/games.md
    group: str  # the group of the menu in which it stands, a template for `gettext`
    differs: str = ""  # what is different about it in a few words, a template for `gettext`
    picture: str = field(default="", repr=False)
    """The position in which a gallery shows it, so that its one difference is seen; empty for the
    game as it begins."""
    marked: str = field(default="", repr=False)
    """Keys of the pieces drawn in brass, with spaces; `die1` is the first die, `*` every tile."""
    badge: str = field(
        default="", repr=False
    )  # a few characters drawn in a corner, such as a score
    also: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)
    """What sources call it, or it with options, and the name under which that is found."""
    console: str = field(default="", repr=False)
    """What is told of those with the rules, a template for `gettext`."""


class Family(Protocol):
    """What a family's folder offers."""

    def entries(self) -> tuple[Entry, ...]:
        """Its games, in the order in which they are listed."""

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """The game of one of its names with some options replaced. Raises BadVariant."""


@dataclass(frozen=True)
class Stanzas(Generic[R]):
    """A family whose games are stanzas of a file, each of them some rules of the same kind."""

    file: Path
    plain: R  # the rules of a stanza that says none: a value of the `readers`, checked when made
    readers: Mapping[str, Reader]  # how each rule is read, in the order in which they are written
    mistakes: Callable[[Mapping[str, Any]], Iterable[str]]
    """A sentence for everything about some values that cannot be played. Those that could not be
    read are missing, and what would follow from them is not reported."""
    unknown: str  # what is said of a `{key}` that is none of the `{keys}`, a template
    make: Callable[[str, str, R], Game[Any, Any]]  # the game of a name, a title and rules
    group: Callable[[str], str]  # the group of the menu for games from a source

    @cached_property
    def games(self) -> dict[str, tuple[Entry, R]]:
        """Its games by name, each with its rules."""
        return self.read_file(self.file)

    def entries(self) -> tuple[Entry, ...]:
        """The stanzas of its file, in their order."""
        return tuple(entry for entry, _ in self.games.values())

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """One of its games, with some rules replaced."""
        entry, rules = self.games[name]
        if not options:
            return self.make(name, entry.title, rules)
        changed = self.overridden(rules, options, write_name(name, options))
        changes = self.differences(changed, rules)  # what really differs
        return self.make(write_name(name, changes), title_with(entry.title, changes), changed)

    def options(self, rules: R) -> dict[str, str]:
        """Every rule as text."""
        return {key: written(getattr(rules, key)) for key in self.readers}

    def overridden(self, base: R, options: Mapping[str, str], where: str) -> R:
        """`base` with some rules replaced. Raises BadVariant with every mistake at once."""
        found, problems = read(options, self.readers, self.unknown)
        unread = (self.readers.keys() & options.keys()) - found.keys()
        values = {key: getattr(base, key) for key in self.readers if key not in unread} | found
        rules, kind = base, cast("Callable[..., R]", type(base))
        if unread:
            problems += self.mistakes(values)
        else:
            try:
                rules = kind(**values)
            except BadVariant as error:
                problems += error.problems
        if problems:
            raise BadVariant(where, tuple(problems))
        return rules

    def differences(self, rules: R, base: R) -> dict[str, str]:
        """The overrides that make some rules out of others, in the order of the options."""
        return {
            key: text
            for key in self.readers
            if (ours := getattr(rules, key)) != (theirs := getattr(base, key))
            and (text := written(ours)) != written(theirs)
        }

    def read_file(self, path: Path) -> dict[str, tuple[Entry, R]]:
        """The game of every stanza of a TOML file by its name, in their order.

        Raises UnknownGame if there is no such file, and BadVariant with every mistake of every
        stanza at once.
        """
        where = shown(path.name, 100)[1:-1]
        return self.read(_parsed(path, where), where)

    def read(self, document: Mapping[str, Any], where: str) -> dict[str, tuple[Entry, R]]:
        """The same of a TOML document, already parsed. Raises BadVariant."""
        games: dict[str, tuple[Entry, R]] = {}
        problems: list[str] = []
        if not document:
            problems.append(gettext("no variant; write a stanza such as [my-box]"))
        for id, stanza in document.items():
            if not isinstance(stanza, Mapping):
                says = gettext_noop("{id} stands outside a stanza; begin with one such as [my-box]")
                problems.append(gettext(says, id=shown(id)))
                continue
            try:
                games[id] = self._game(id, stanza)
            except BadVariant as error:
                problems += [f"[{shown(id)[1:-1]}] {problem}" for problem in error.problems]
        if problems:
            raise BadVariant(where, tuple(problems))
        return games

    def _game(self, id: str, stanza: Mapping[str, Any]) -> tuple[Entry, R]:
        problem = gettext("{id} is not an id; use up to 40 of a to z, 0 to 9 and -", id=shown(id))
        problems = [] if _ID.fullmatch(id) else [problem]
        words = dict.fromkeys(WORDS, "") | {"title": id.replace("-", " ").capitalize()}
        options: dict[str, str] = {}
        for key, value in stanza.items():
            if key not in words:
                if (text := _as_text(value)) is not None:
                    options[key] = text
                    continue
                says = gettext_noop(
                    "{key}: {value} is not text, a number of up to nine digits or a list of them"
                )
            elif isinstance(value, str) and _fit_to_say(value, WORDS[key]):
                words[key] = value
                continue
            else:
                says = gettext_noop(
                    "{key}: {value} is not allowed; write 1 to {most} printable characters in "
                    "quotes"
                )
            problems.append(gettext(says, key=key, value=_named(value), most=WORDS.get(key)))
        try:
            rules = self.overridden(self.plain, options, id)
        except BadVariant as error:
            problems += error.problems
        if problems:
            raise BadVariant(id, tuple(problems))
        named = (title.strip().partition("(") for title in words.pop("also").split(","))
        also = {title: f"{id}{bracket}{more}" for title, bracket, more in named if title}
        return Entry(name=id, group=self.group(words["source"]), also=also, **words), rules


def _parsed(path: Path, where: str) -> dict[str, Any]:
    """What a TOML file says. Raises UnknownGame and BadVariant."""
    named = shown(str(path), 200)
    try:
        if not S_ISREG(path.stat().st_mode):
            raise UnknownGame("{path} is not a file", path=named)
        with path.open("rb") as file:
            raw = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or gettext("no file can have such a name")
        raise UnknownGame("{path} cannot be read: {reason}", path=named, reason=reason) from None
    if len(raw) > LARGEST_FILE:
        problem = gettext("larger than {most:,} bytes", most=LARGEST_FILE)
        raise BadVariant(where, (problem,))
    try:
        return tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = gettext("not UTF-8 at byte {start}", start=error.start)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        reason = gettext("nested too deeply") if isinstance(error, RecursionError) else error
        problem = gettext("not TOML: {reason}", reason=reason)
    raise BadVariant(where, (problem,))


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
