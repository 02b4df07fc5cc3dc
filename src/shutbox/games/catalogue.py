"""The catalogue: every game, found by name. To add a family of games, add it to `FAMILIES`.

The games of plugins, whose names have a prefix and a dot, follow after all others.
"""

import os
import re
import warnings
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast

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
from shutbox.engine.messages import gettext
from shutbox.engine.plugins import PluginWarning, add, check_name, is_allowed, loaded
from shutbox.engine.typed_text import parse_name, plain_title, title_to_name
from shutbox.games.box import BOXES, box_from_file
from shutbox.games.cargo import CARGOES
from shutbox.games.family import Entry, Family
from shutbox.games.tray import TRAYS

FAMILIES: tuple[Family, ...] = (BOXES, CARGOES, TRAYS)
_MOST_KEPT = 64  # games of this package in memory, by their names


def on_the_console(name: str) -> str:
    """Return the note on how the talking console plays this game or match; "" if there is none."""
    game = name.partition("[")[0]
    own = (one for one, _ in _by_name().values() if game in ([*one.also.values()] or [one.name]))
    says = next((one.console for one in own), "")
    return gettext(says) if says else ""


@cache
def _by_name() -> dict[str, tuple[Entry, Family]]:
    return {entry.name: (entry, family) for family in FAMILIES for entry in family.entries()}


@cache
def by_title() -> dict[str, str]:
    """Map every title and name, own or in a source, as `plain_title`, to a built-in game's name."""
    own = [entry for entry, _ in _by_name().values()]
    others = {plain_title(other): game for e in own for other, game in e.also.items()}
    return others | {plain_title(known): e.name for e in own for known in (e.title, e.name)}


def catalogue(prefix: str = "") -> tuple[Entry, ...]:
    """Return the entry of every game, in the order in which the games are listed.

    >>> [entry.name for entry in catalogue()][:3]
    ['classic', 'two-to-go', 'three-to-go']

    With a `prefix` such as `acme`, return only the games of plugins with this prefix. Installed
    plugins, and their games, that fail are left out with a PluginWarning.
    """
    own = () if prefix else tuple(entry for entry, _ in _by_name().values())
    plugins = _of_plugins(prefix).values()
    return (*own, *(entry for entry, _, package in plugins if not package or _has_card(entry.name)))


@cache
def _has_card(name: str) -> bool:
    """Whether a plugin's game can be found and has rules. A failure issues one PluginWarning."""
    try:
        with blaming(name):
            return bool(find(name).card().lines)
    except ShutboxError as error:
        warnings.warn(str(error), PluginWarning, stacklevel=2)
        return False


def _of_plugins(prefix: str = "") -> dict[str, tuple[Entry, Family, str]]:
    """Return (entry, family, package or "" if registered) of each allowed plugin game, by name."""
    found: dict[str, tuple[Entry, Family, str]] = {}
    for _, package, (family, entries) in loaded(GAMES, _checked, prefix):
        for entry in filter(lambda entry: is_allowed(entry.name), entries):
            found.setdefault(entry.name, (entry, family, package))
    return found


def _checked(prefix: str, family: Family) -> tuple[Family, tuple[Entry, ...]]:
    """Return a plugin's family and entries. Raises NotUnderstood for a name not under `prefix`."""
    if not hasattr(family, "entries"):
        family = _One(cast(Any, family))
    entries = tuple(family.entries())
    for entry in entries:
        if check_name(entry.name).partition(".")[0] != prefix:
            raise NotUnderstood(
                "{name} does not begin with {prefix}", name=entry.name, prefix=prefix
            )
    return family, entries


class _One:
    """The family that consists of one registered game, which takes no options."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game

    def entries(self) -> tuple[Entry, ...]:
        return (Entry(self._game.name, self._game.card().title, source="notebook", group=""),)

    def find(self, name: str, options: Mapping[str, str]) -> Game[Any, Any]:
        if options:
            raise BadVariant(name, (gettext("this game has no options"),))
        return self._game


def register(games: Game[Any, Any] | Family) -> None:
    """Add a game, or a family of games, to the catalogue until the program ends.

    Their names need a prefix and a dot, such as `acme.pig`. A game takes the place of any plugin's
    game with the same name. Raises NotUnderstood for other names and other objects.
    """
    if not (hasattr(games, "entries") or hasattr(games, "position_id")):
        raise NotUnderstood("{games} is neither a game nor a family of games", games=repr(games))
    family = cast(Any, games)
    names = [each.name for each in (family.entries() if hasattr(family, "entries") else [family])]
    prefix = check_name(names[0] if names else "").partition(".")[0]
    add(GAMES, prefix, games, _checked)


def package_of(name: str) -> str:
    """Return the package and version of a plugin's game, as `acme-pig 1.2`; "" for others."""
    base = name.partition("(")[0]
    found = _of_plugins(base.partition(".")[0]).get(base) if "." in base else None
    return found[2] if found else ""


def find(text: str) -> Game[Any, Any]:
    """Return the game with this name or title, with any overrides, or the box in a TOML file.

    >>> find("classic(fewer=must-top)").name
    'classic(fewer=must-top)'
    >>> find("Thai Style").name
    'thai-style'

    A path (see `is_file`) is a file of boxes, and `file.toml#id` the box of its stanza `[id]`,
    unless a file has the whole as its name. Raises NotUnderstood for text that cannot be a name,
    UnknownGame for an unknown name, file or stanza, PluginFailed, and BadVariant for rules that
    cannot be played.
    """
    if is_file(text):
        path, id = (text, "") if os.path.exists(text) else _path_and_id(text)
        return box_from_file(Path(path), id)
    name, options = parse_name(title_to_name(text, by_title()))
    if name in _by_name():
        return _built_in(name, tuple(options.items()))
    if "." in name:
        return _found(name, options)
    # Imported here: it takes longer to import than a game takes to start.
    from difflib import get_close_matches

    near = get_close_matches(name, _by_name(), n=3)
    facts: dict[str, Any] = {"name": shown(name), "nearest": listed(near, last="or")}
    if near:
        raise UnknownGame("there is no game {name}; try {nearest}", **facts)
    raise UnknownGame("there is no game {name}", unlike=True, **facts)


@lru_cache(maxsize=_MOST_KEPT)
def _built_in(name: str, options: tuple[tuple[str, str], ...]) -> Game[Any, Any]:
    """Return a game of this package. It is kept, since a game finds its covers as it is played."""
    return _by_name()[name][1].find(name, dict(options))


def _found(name: str, options: Mapping[str, str]) -> Game[Any, Any]:
    """Return the game of a plugin. Raises what `find` does."""
    games = _of_plugins(name.partition(".")[0])
    if name not in games:
        facts: dict[str, Any] = {"name": name, "nearest": listed(games, last="or")}
        if games:
            raise UnknownGame("there is no game {name}; try {nearest}", **facts)
        raise UnknownGame(
            "there is no game {name} here; the package that has it is not installed, not allowed "
            "or does not work",
            unlike=True,
            **facts,
        )
    with blaming(name):
        game = games[name][1].find(name, options)
        game.start()
        right = parse_name(game.name)[0] == name
    if not right:
        raise UnknownGame("{name} calls itself {other}", name=name, other=shown(game.name))
    return game


def is_file(text: str) -> bool:
    """Whether a text, without `#id`, ends in `.toml`, or has a slash or backslash and no colon."""
    path, _ = _path_and_id(text)
    ends = path.lower().endswith(".toml")
    return ends or (":" not in path and ("/" in path or "\\" in path))


def _path_and_id(text: str) -> tuple[str, str]:
    """Return the path of a file of boxes, and the id after the last `#`, which has no slash."""
    path, sign, id = text.rpartition("#")
    is_id = sign and not re.search(r"[/\\:]|\.toml$", id, re.IGNORECASE)
    return (path, id) if is_id else (text, "")
