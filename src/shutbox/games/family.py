"""Families of games: their entries in the catalogue, and the lookup of a game by its name.

Boxes are one family, Cargo another. The catalogue knows only the families. The games of a family
are stanzas, the tables of a TOML file such as `[classic]`. A player's own file has the same form.
"""

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from stat import S_ISREG
from typing import Any, Generic, Protocol, TypeVar, cast

from shutbox.engine.english import Word, listed, shortened, shown
from shutbox.engine.errors import BadVariant, UnknownGame
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.typed_text import (
    Reader,
    parse_name,
    read_options,
    titles,
    write_name,
    write_numbers,
)

LARGEST_FILE = 16_000  # bytes of a file of stanzas; a larger one could take seconds to parse
HUGE = 10**9  # numbers of this size or more are refused, and messages do not repeat them
LONGEST_TITLE = 60

_SHORT = ("title", "source", "differs", "picture", "marked", "badge")
WORDS = {**dict.fromkeys(_SHORT, LONGEST_TITLE), "also": 200, "console": 200}
"""The keys of a stanza that are not rules but texts for lists, with the most characters of each."""
_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """The facts about one game that the catalogue lists, such as its name and its title."""

    name: str
    title: str  # the name that players see
    source: str  # the source of its rules, as lettered in docs/games.md
    group: str  # such as `Boxes`; the terminal's menu lists the first group apart
    differs: str = ""  # its difference from other games in a few words, a template for `gettext`
    picture: str = field(default="", repr=False)
    """The position that a gallery shows to make the difference visible; empty for the start."""
    marked: str = field(default="", repr=False)
    """The keys of pieces drawn in brass, split by spaces: `die1` the first die, `*` every tile."""
    badge: str = field(default="", repr=False)  # drawn beside the dice, such as a score
    also: Mapping[str, str] = field(default_factory=dict, hash=False, repr=False)
    """The names in the sources, each mapped to the game's name here, with options if needed."""
    console: str = field(default="", repr=False)
    """A note on the talking console of the source, shown with the rules; for `gettext`."""

    @property
    def shown_title(self) -> str:
        """The title in the language in use."""
        return titles(self.title)[0]


class Family(Protocol):
    """A source of games for the catalogue: it lists them, and makes a game from its name.

    A plugin's family also has `protocol`, the `shutbox.engine.game.PROTOCOL` for which it was
    written.
    """

    def entries(self) -> tuple[CatalogueEntry, ...]:
        """Return an entry for each game, in the order in which they are listed."""

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """Return a listed game with `options` (texts by key). Raises BadVariant if one is wrong."""


@dataclass(frozen=True)
class Stanzas(Generic[R]):
    """A family whose games are stanzas (tables) of a TOML file; `R` is the type of their rules."""

    file: Path
    plain: R  # the default rules; their type raises BadVariant for rules that cannot be played
    readers: Mapping[str, Reader]  # the parser of each rule; names write rules in this order
    find_problems: Callable[[Mapping[str, Any]], Iterable[str]]
    """A check that yields a sentence for each problem with some values. Values that could not be
    parsed are missing, and problems that depend on them are not reported."""
    make: Callable[[str, str, R], Game[Any, Any]]  # makes a game from a name, a title and rules
    group: Callable[[str], str]  # the menu group for games from a source
    in_words: Callable[[R, Mapping[str, str]], Iterable[str]] = lambda rules, changes: (
        f"{key} {value}" for key, value in changes.items()
    )
    """The changed rules as words for a title, from all rules and the changes (texts by key)."""

    @cached_property
    def games(self) -> dict[str, tuple[CatalogueEntry, R]]:
        """The games of `file` by name, each with its entry and its rules; read once."""
        return self.read_file(self.file)

    def entries(self) -> tuple[CatalogueEntry, ...]:
        """Return the entries in the order of the file."""
        return tuple(entry for entry, _ in self.games.values())

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        """Return a game with options. Raises KeyError (no such game), BadVariant (bad options)."""
        entry, rules = self.games[name]
        if not options:
            return self.make(name, entry.title, rules)
        changed = self.override(rules, options, write_name(name, options))
        changes = self.differences(changed, rules)  # without overrides that change nothing
        return self.make(write_name(name, changes), entry.title, changed)

    def title(self, name: str, title: str, rules: R) -> str:
        """Return the title of a game in the language in use; what its name overrides is in it."""
        base, changes = parse_name(name)
        is_own = base not in self.games or self.games[base][0].title != title  # such as of a file
        says, words = titles(title)[0], "" if is_own else listed(self.in_words(rules, changes))
        return gettext("{title} with {changes}", title=says, changes=words) if words else says

    def options(self, rules: R) -> dict[str, str]:
        """Return every rule as text, by key, in the order of `readers`."""
        return {key: _written(getattr(rules, key)) for key in self.readers}

    def override(self, base: R, options: Mapping[str, str], where: str) -> R:
        """Return `base` with some rules replaced: those in `options`, as texts by key.

        Raises BadVariant, which names `where`, with all mistakes at once.
        """
        values_read, problems = read_options(options, self.readers)
        unread = (self.readers.keys() & options.keys()) - values_read.keys()
        values = {
            key: getattr(base, key) for key in self.readers if key not in unread
        } | values_read
        rules, kind = base, cast("Callable[..., R]", type(base))
        if unread:
            problems += self.find_problems(values)
        else:
            try:
                rules = kind(**values)
            except BadVariant as error:
                problems += error.problems
        if problems:
            raise BadVariant(where, tuple(problems))
        return rules

    def differences(self, rules: R, base: R) -> dict[str, str]:
        """Return the overrides from `base` to `rules` as texts by key, in order of `readers`."""
        return {
            key: text
            for key in self.readers
            if (ours := getattr(rules, key)) != (theirs := getattr(base, key))
            and (text := _written(ours)) != _written(theirs)  # unequal rules can be written alike
        }

    def read_file(self, path: Path) -> dict[str, tuple[CatalogueEntry, R]]:
        """Return the entry and rules of each stanza of a TOML file, by name and in file order.

        Raises UnknownGame if the file cannot be read, and BadVariant if it is too large, is not
        TOML or has no stanza, otherwise with every mistake of every stanza at once.
        """
        where, named = shortened(path.name, 100), shown(str(path), 200)
        try:
            if not S_ISREG(path.stat().st_mode):
                raise UnknownGame("{path} is not a file", path=named)
            with path.open("rb") as file:
                raw = file.read(LARGEST_FILE + 1)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or gettext("no file can have such a name")
            raise UnknownGame("{path} cannot be read: {reason}", path=named, reason=why) from None
        if len(raw) > LARGEST_FILE:
            raise BadVariant(where, (gettext("larger than {most:,} bytes", most=LARGEST_FILE),))
        try:
            document = tomllib.loads(raw.decode("utf-8-sig"))
        except UnicodeDecodeError as error:
            problem = gettext("not UTF-8 at byte {start}", start=error.start)
        except (ValueError, RecursionError) as error:  # among them a TOMLDecodeError
            deep = isinstance(error, RecursionError)
            reason = gettext("nested too deeply") if deep else str(error)
            problem = gettext("not TOML: {reason}", reason=reason)
        else:
            return self.read(document, where)
        raise BadVariant(where, (problem,))

    def read(self, document: Mapping[str, Any], where: str) -> dict[str, tuple[CatalogueEntry, R]]:
        """Return what `read_file` does, from a parsed TOML document that errors call `where`."""
        games: dict[str, tuple[CatalogueEntry, R]] = {}
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
                problems += [f"[{shortened(id)}] {problem}" for problem in error.problems]
        if problems:
            raise BadVariant(where, tuple(problems))
        return games

    def _game(self, id: str, stanza: Mapping[str, Any]) -> tuple[CatalogueEntry, R]:
        problem = gettext("{id} is not an id; use up to 40 of a to z, 0 to 9 and -", id=shown(id))
        problems = [] if _ID.fullmatch(id) else [problem]
        words = dict.fromkeys(WORDS, "") | {"title": id.replace("-", " ").capitalize()}
        options: dict[str, str] = {}
        for key, value in stanza.items():
            said = shown(value) if isinstance(value, str) else shortened(value)
            facts = {"key": key, "value": said, "most": WORDS.get(key)}
            if key in words:
                if _is_sayable(value, WORDS[key]):
                    words[key] = value
                else:
                    says = gettext_noop(
                        "{key}: {value} is not allowed; write 1 to {most} printable characters in "
                        "quotes"
                    )
                    problems.append(gettext(says, **facts))
            elif (text := _as_text(value)) is not None:
                options[key] = text
            else:
                says = gettext_noop(
                    "{key}: {value} is not text, a number of up to nine digits or a list of them"
                )
                problems.append(gettext(says, **facts))
        try:
            rules = self.override(self.plain, options, id)
        except BadVariant as error:
            problems += error.problems
        if problems:
            raise BadVariant(id, tuple(problems))
        named = (title.strip().partition("(") for title in words.pop("also").split(","))
        also = {title: f"{id}{bracket}{more}" for title, bracket, more in named if title}
        return CatalogueEntry(name=id, group=self.group(words["source"]), also=also, **words), rules


def _written(value: object) -> str:
    """Return a rule as text: a tuple as a list of numbers, a `Word` as its value."""
    if isinstance(value, tuple):
        return write_numbers(value)
    return str(value.value if isinstance(value, Word) else value)


def _is_sayable(text: str, most: int) -> bool:
    return 0 < len(text.strip()) <= len(text) <= most and text.isprintable()


def _as_text(value: object) -> str | None:
    """Return a value such as 2, "2d6" or [1, 3, 5] as an override writes it; else None."""
    if isinstance(value, str):
        return value.strip().lower()
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value) if abs(value) < HUGE else None
    if isinstance(value, list):
        items = [_as_text(item) if isinstance(item, int) else None for item in value]
        return ".".join(map(str, items)) or "-" if None not in items else None
    return None
