"""The catalogue: every game, found by name. To add a family of games, add it to `FAMILIES`.

The games of plugins, whose names have a prefix and a dot, follow after all others.
"""

import os
import re
import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple, cast

from shutbox.engine.english import listed, shown
from shutbox.engine.errors import (
    GAMES,
    BadVariant,
    NotUnderstood,
    ShutboxError,
    UnknownGame,
    blaming,
)
from shutbox.engine.game import Game
from shutbox.engine.messages import cached, gettext
from shutbox.engine.plugins import (
    NOT_HERE,
    PluginWarning,
    add_plugin,
    check_name,
    is_allowed,
    working_plugins,
)
from shutbox.engine.typed_text import parse_name, plain_title, title_to_name, titles
from shutbox.games.box import BOXES, box_from_file
from shutbox.games.cargo import CARGOES
from shutbox.games.family import CatalogueEntry, Family
from shutbox.games.tray import TRAYS

FAMILIES: tuple[Family, ...] = (BOXES, CARGOES, TRAYS)
_MOST_CACHED = 64  # games of this package, by their names


class _Listed(NamedTuple):
    """A game that can be found: its entry, the family that makes it, and a plugin's package."""

    entry: CatalogueEntry
    family: Family
    package: str = ""  # as in `package_of`


def catalogue(prefix: str = "") -> tuple[CatalogueEntry, ...]:
    """Return the entry of every game, in the order in which the games are listed.

    >>> [entry.name for entry in catalogue()][:3]
    ['classic', 'two-to-go', 'three-to-go']

    With a `prefix` such as `acme`, return only the games of plugins with this prefix. Installed
    plugins that fail are left out with a PluginWarning, and so are their games that fail.
    """
    own = () if prefix else tuple(row.entry for row in _built_in_games().values())
    plugins = (
        row.entry
        for name, row in _plugin_games(prefix).items()
        # A registered game is of this very program: if it fails, its author is to see that.
        if not row.package or _has_card(name)
    )
    return (*own, *plugins)


def find(text: str) -> Game[Any, Any]:
    """Return the game with this name or title, with any overrides, or the box in a TOML file.

    >>> find("classic(fewer=must-top)").name
    'classic(fewer=must-top)'
    >>> find("Thai Style").name
    'thai-style'

    A path (see `is_path`) is a file of boxes, and `file.toml#id` the box of its stanza `[id]`,
    unless a file has the whole as its name. Raises NotUnderstood for text that cannot be a name,
    UnknownGame for an unknown name, file or stanza, PluginFailed, and BadVariant for rules that
    cannot be played.
    """
    if is_path(text):
        path, id = (text, "") if os.path.exists(text) else _path_and_id(text)
        return box_from_file(Path(path), id)
    name, options = parse_name(title_to_name(text, names_by_title()))
    if name in _built_in_games():
        return _find_built_in(name, tuple(options.items()))
    if "." in name:
        return _find_plugin_game(name, options)
    # Imported here: it takes longer to import than a game takes to start.
    from difflib import get_close_matches

    if near := get_close_matches(name, _built_in_games(), n=3):
        raise _unknown(shown(name), near)
    facts: dict[str, Any] = {"name": shown(name)}
    raise UnknownGame("there is no game {name}", unlike=True, **facts)


def register(games: Game[Any, Any] | Family) -> None:
    """Add a game, or a family of games, to the catalogue until the program ends.

    Their names need a prefix and a dot, such as `acme.pig`. A game takes the place of any plugin's
    game with the same name. Raises NotUnderstood for other names and other objects.
    """
    if not (hasattr(games, "entries") or hasattr(games, "position_id")):
        raise NotUnderstood("{games} is neither a game nor a family of games", games=repr(games))
    family = _as_family(games)
    names = [entry.name for entry in family.entries()]
    add_plugin(GAMES, _prefix(check_name(names[0] if names else "")), family, _list_family)


def package_of(name: str) -> str:
    """Return the package and version of a plugin's game, as `acme-pig 1.2`; "" for others."""
    base = name.partition("(")[0]
    row = _plugin_games(_prefix(base)).get(base) if "." in base else None
    return row.package if row else ""


@cached
def names_by_title() -> dict[str, str]:
    """Map each title and name of a built-in game, as `plain_title` writes it, to the game's name.

    They are its own, those in the language in use, and those in the sources, which can name it
    with options. If two games share one, English wins, then the sources.
    """
    entries = [row.entry for row in _built_in_games().values()]
    others = {plain_title(other): name for e in entries for other, name in e.also.items()}
    translated = {plain_title(known): e.name for e in entries for known in titles(e.title)}
    english = {plain_title(known): e.name for e in entries for known in (e.title, e.name)}
    return translated | others | english


def console_note(name: str) -> str:
    """Return the note on this game or match on the console of its source (see docs/games.md).

    Return "" if there is none.
    """
    game = name.partition("[")[0]
    for entry, _, _ in _built_in_games().values():
        # `also` says with which options the game is the one of the source; else it is without any.
        if game in (entry.also.values() or [entry.name]):
            return gettext(entry.console) if entry.console else ""
    return ""


def is_path(text: str) -> bool:
    """Whether a text means a file of boxes, there or not, and no name.

    Without its `#id`, it ends in `.toml`, or has a slash or backslash and no colon.
    """
    path, _ = _path_and_id(text)
    return path.lower().endswith(".toml") or (":" not in path and ("/" in path or "\\" in path))


def _path_and_id(text: str) -> tuple[str, str]:
    """Return the path of a file of boxes, and the id after the last `#`; "" without one."""
    path, sign, id = text.rpartition("#")
    # What has a slash, backslash or colon, or ends in `.toml`, is the rest of the path.
    is_id = bool(sign) and not re.search(r"[/\\:]|\.toml$", id, re.IGNORECASE)
    return (path, id) if is_id else (text, "")


@cache
def _built_in_games() -> dict[str, _Listed]:
    """Return the games of this package by name, in the order of the list."""
    return {entry.name: _Listed(entry, family) for family in FAMILIES for entry in family.entries()}


@lru_cache(maxsize=_MOST_CACHED)
def _find_built_in(name: str, options: tuple[tuple[str, str], ...]) -> Game[Any, Any]:
    """Return a game of this package. Cached, since a game caches its covers as it is played."""
    return _built_in_games()[name].family.find(name, dict(options))


def _plugin_games(prefix: str = "") -> dict[str, _Listed]:
    """Return each allowed game of plugins by name, those registered last first."""
    games: dict[str, _Listed] = {}
    for _, package, rows in working_plugins(GAMES, _list_family, prefix):
        for entry, family, _ in rows:
            if is_allowed(entry.name):
                games.setdefault(entry.name, _Listed(entry, family, package))
    return games


def _list_family(prefix: str, games: Game[Any, Any] | Family) -> tuple[_Listed, ...]:
    """Return the games that a plugin offers. Raises NotUnderstood for a name not under `prefix`."""
    family = _as_family(games)
    rows = tuple(_Listed(entry, family) for entry in family.entries())
    for entry, _, _ in rows:
        if _prefix(check_name(entry.name)) != prefix:
            raise NotUnderstood(
                "{name} does not begin with {prefix}", name=entry.name, prefix=prefix
            )
    return rows


def _prefix(name: str) -> str:
    return name.partition(".")[0]


def _as_family(games: Game[Any, Any] | Family) -> Family:
    """Return a family unchanged, and a single game as the family that consists of it."""
    return cast(Any, games) if hasattr(games, "entries") else _SingleGame(cast(Any, games))


class _SingleGame:
    """The family that consists of one registered game, which takes no options."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game

    def entries(self) -> tuple[CatalogueEntry, ...]:
        title = self._game.card().title
        return (CatalogueEntry(self._game.name, title, source="notebook", group=""),)

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        if options:
            raise BadVariant(name, (gettext("this game has no options"),))
        return self._game


@cache
def _has_card(name: str) -> bool:
    """Whether a plugin's game works: it can be found, and its card has rules.

    If it raises an error, one PluginWarning says so.
    """
    try:
        with blaming(name):
            return bool(find(name).card().lines)
    except ShutboxError as error:
        warnings.warn(str(error), PluginWarning, stacklevel=2)
        return False


def _find_plugin_game(name: str, options: Mapping[str, str]) -> Game[Any, Any]:
    """Return the game of a plugin. Raises what `find` does."""
    games = _plugin_games(_prefix(name))
    if name not in games:
        if games:
            raise _unknown(name, [*games])
        raise UnknownGame(NOT_HERE, unlike=True, name=name)
    with blaming(name):
        game = games[name].family.find(name, options)
        game.start()  # a game that cannot begin fails here, where its package is blamed
        is_named_so = parse_name(game.name)[0] == name
    if not is_named_so:
        raise UnknownGame("{name} calls itself {other}", name=name, other=shown(game.name))
    return game


def _unknown(name: str, near: list[str]) -> UnknownGame:
    """Return the error for a name that is no game's, where other names are near."""
    nearest = listed(near, last="or")
    return UnknownGame("there is no game {name}; try {nearest}", name=name, nearest=nearest)
