"""Plugins: games and computer players of other packages, found by entry points.

In the group `shutbox.games` a package names a family of games under a prefix such as `acme`, and in
`shutbox.bots` a kind of computer player under a full name such as `acme.hold`. All names of plugins
have a prefix and a dot, so they never clash with the names of shutbox. Nothing is searched or
imported until such a name is used, or everything is listed.

`blaming` guards a block that runs code of plugins, so that their errors become refusals.
"""

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from shutbox.english import shown
from shutbox.errors import NotUnderstood, PluginFailed, ShutboxError
from shutbox.game import PROTOCOL
from shutbox.messages import gettext

GAMES = "shutbox.games"
BOTS = "shutbox.bots"
SETTING = "SHUTBOX_PLUGINS"
"""The variable with the plugins to use: `0` for none, `1` for all, or prefixes and names such as
`acme.pig,acme.hold`."""

_NAME = r"[a-z0-9][a-z0-9-]{0,39}\.(?!toml$)[a-z0-9][a-z0-9-]{0,39}"

Check: TypeAlias = Callable[[str, Any], Any]
"""A function that returns the object of a plugin, checked. It gets the plugin's name and the object
that the package offers, and raises any exception if the object cannot be used."""


class PluginWarning(UserWarning):
    """A plugin that cannot be used, with its name and package. Everything else works."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """An entry point of an installed package."""

    name: str  # the prefix of its games, or the full name of its computer player
    package: str  # its name and version, such as `acme-pig 1.2`
    load: Callable[[], Any]
    root: str  # the top module of its code, such as `acme_pig`


class Loaded(NamedTuple):
    """The checked object of a plugin."""

    name: str
    package: str  # empty for an object that was registered
    found: Any


_registered: dict[str, list[Loaded]] = {GAMES: [], BOTS: []}  # the newest first


def add(group: str, name: str, thing: object, check: Check) -> None:
    """Add an object to a group until the program ends. Raises what `check` raises."""
    _registered[group].insert(0, Loaded(name, "", check(name, thing)))


def check_name(name: object) -> str:
    """Return the full name of a plugin's game or player unchanged. Raises NotUnderstood."""
    if not isinstance(name, str) or not re.fullmatch(_NAME, name):
        raise NotUnderstood(
            "{name} is not the name of a plugin; names look like acme.pig", name=shown(str(name))
        )
    return name


def is_allowed(name: str) -> bool:
    """Whether SHUTBOX_PLUGINS allows a full name, or anything with a prefix."""
    setting = os.environ.get(SETTING, "").strip().lower()
    words = [word.strip() for word in setting.split(",")]
    prefix, dot, _ = name.partition(".")
    allowed = words if dot else [word.partition(".")[0] for word in words]
    return setting in ("", "1") or prefix in allowed or name in allowed


def loaded(group: str, check: Check, name: str = "") -> Iterator[Loaded]:
    """Yield the plugins of a group that are allowed and work, or only those with this name.

    A plugin that does not work is a PluginWarning, once, and is left out.
    """
    if os.environ.get(SETTING, "").strip() == "0":
        return
    every: tuple[Loaded | Plugin, ...] = (*_registered[group], *_installed(group))
    for plugin in every:
        if name in ("", plugin.name) and is_allowed(plugin.name):
            found = plugin if isinstance(plugin, Loaded) else _load(plugin, check)
            if found is not None:
                yield found


@cache
def _installed(group: str) -> tuple[Plugin, ...]:
    from importlib.metadata import entry_points  # slow to import

    return tuple(
        Plugin(
            one.name,
            f"{one.dist.name} {one.dist.version}" if one.dist else "",
            one.load,
            _root(one.module),
        )
        for one in sorted(entry_points(group=group), key=lambda one: one.name)
    )


@cache
def _load(plugin: Plugin, check: Check) -> Loaded | None:
    try:
        found = plugin.load()
        version = getattr(found, "protocol", None)
        if version != PROTOCOL:
            raise NotUnderstood(
                "its attribute protocol is {version}, and this program has version {ours}",
                version=shown(repr(version))[1:-1],
                ours=PROTOCOL,
            )
        return Loaded(plugin.name, plugin.package, check(plugin.name, found))
    except (Exception, SystemExit) as error:
        # Any error of another package: it must not stop this program.
        facts = {"name": plugin.name, "package": plugin.package, "reason": reason_of(error)}
        says = gettext("the plugin {name} of {package} cannot be used: {reason}", **facts)
        warnings.warn(says, PluginWarning, stacklevel=2)
        return None


def reason_of(error: BaseException) -> str:
    """Return the message of an error of another package in one line, or else the error's name."""
    text = ""
    with suppress(Exception):  # the message can be what fails
        text = " ".join(str(error).split())[:200]
    return text or type(error).__name__


@contextmanager
def blaming(game: Any = None) -> Iterator[None]:
    """Turn an error of an installed plugin in the `with` block into PluginFailed, which names it.

        with blaming(table.game):
            table.throw()

    An error is a plugin's if code of its package was running. If `game`, a game, a match or a text
    with the name of one, is a plugin's, an error of shutbox in the block is blamed on it too, since
    the game can have returned nonsense. Refusals, and the errors of anybody else, pass unchanged.
    """
    try:
        yield
    except (ShutboxError, MemoryError):
        raise
    except Exception as error:
        if (failed := _failed(error, game)) is None:
            raise
        raise failed from error


def _failed(error: Exception, game: Any) -> PluginFailed | None:
    """Return the refusal with the plugin, the line and the reason of an error, if it is one's."""
    from traceback import walk_tb  # slow to import

    text = game if isinstance(game, str) else ""
    with suppress(Exception):  # the name can be what fails
        text = text or str(game.name)
    games = {one.name: one for one in _installed(GAMES)}
    plugins = {one.root: one for one in (*_installed(BOTS), *games.values())}
    named = re.search(rf"(?<![:\w.-])({'|'.join(map(re.escape, games)) or '$.'})\.[a-z0-9-]+", text)
    own = games[named[1]] if named else None
    ran = [(_root(at.f_globals.get("__name__")), at, n) for at, n in walk_tb(error.__traceback__)]
    theirs = [one for one in ran if one[0] in plugins]
    *_, (root, at, line) = theirs or ran
    by_us = root in ("shutbox", *sys.stdlib_module_names) and not isinstance(error, OSError)
    plugin = own if by_us or (own and own.root == root) else plugins.get(root)
    if plugin is None:
        return None
    return PluginFailed(
        "the plugin {name} of {package} failed in {file}, line {line}: {kind}: {reason}",
        name=named[0] if named and plugin is own else plugin.name,
        package=plugin.package,
        file=os.path.basename(at.f_code.co_filename),
        line=line,
        kind=type(error).__name__,
        reason=reason_of(error),
    )


def _root(module: object) -> str:
    """Return the top package of a module's name."""
    return str(module).partition(".")[0]
