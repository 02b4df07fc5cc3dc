"""Plugins: games and computer players of other packages, found by entry points.

In the group `shutbox.games` a package names a family of games under a prefix such as `acme`, and in
`shutbox.bots` a kind of computer player under a full name such as `acme.hold`. All names of plugins
have a prefix and a dot, so they never clash with the names of shutbox. Nothing is searched or
imported until such a name is used, or everything is listed.
"""

import os
import re
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from traceback import extract_tb, walk_tb
from typing import Any, NamedTuple, TypeAlias

from shutbox.english import shown
from shutbox.errors import BrokenPlugin, NotUnderstood, ShutboxError
from shutbox.game import PROTOCOL
from shutbox.messages import gettext, gettext_noop

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
    module: str  # the top-level module of its code
    load: Callable[[], Any]


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
            *(one.name, f"{one.dist.name} {one.dist.version}" if one.dist else ""),
            *(one.module.partition(".")[0], one.load),
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
    except Exception as error:
        # Any error of another package: it must not stop this program.
        facts = {"name": plugin.name, "package": plugin.package, "reason": reason_of(error)}
        says = gettext("the plugin {name} of {package} cannot be used: {reason}", **facts)
        warnings.warn(says, PluginWarning, stacklevel=2)
        return None


def reason_of(error: Exception) -> str:
    """Return the message of an error of another package in one line, or else the error's name."""
    return " ".join(str(error).split())[:200] or type(error).__name__


def line_of(error: Exception, besides: str = "") -> str:
    """Return an error in one line, with the line and file that raised it, except in `besides`."""
    text = f"{type(error).__name__}: {error}".partition("\n")[0].removesuffix(": ")
    *_, last = extract_tb(error.__traceback__)
    if last.filename == besides or not Path(last.filename).is_file():
        return text
    file = Path(last.filename).name
    return gettext("{reason} (line {line} of {file})", reason=text, line=last.lineno, file=file)


@contextmanager
def blaming() -> Iterator[None]:
    """Turn an error that comes from the code of a plugin into a BrokenPlugin that names it."""
    try:
        yield
    except ShutboxError:
        raise
    except Exception as error:
        names = [frame.f_globals.get("__name__", "") for frame, _ in walk_tb(error.__traceback__)]
        for plugin in (*_installed(GAMES), *_installed(BOTS)):
            if any(name.partition(".")[0] == plugin.module for name in names):
                facts = {"name": plugin.name, "package": plugin.package, "reason": line_of(error)}
                says = gettext_noop("the plugin {name} of {package} is broken: {reason}")
                raise BrokenPlugin(says, **facts) from error
        raise
