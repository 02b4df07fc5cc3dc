"""Plugins: games and computer players of other packages, found by entry points.

In the group `shutbox.games` a package names a family of games under a prefix such as `acme`, and in
`shutbox.bots` a kind of computer player under a full name such as `acme.hold`. Such names have a
prefix and a dot, and so never clash with those of shutbox. Nothing is searched or imported until
such a name is used, or everything is listed.
"""

import os
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from shutbox.engine.english import shortened, shown
from shutbox.engine.errors import (
    BOTS,
    GAMES,
    NotUnderstood,
    installed_plugins,
    package_of_plugin,
    reason_of,
)
from shutbox.engine.game import PROTOCOL
from shutbox.engine.messages import gettext, gettext_noop

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SETTING = "SHUTBOX_PLUGINS"
"""The variable with the plugins to use: `0` none, `1` all, or prefixes and names: `acme,my.pig`."""

_NAME = r"[a-z0-9][a-z0-9-]{0,39}\.(?!toml$)[a-z0-9][a-z0-9-]{0,39}"

NOT_HERE = gettext_noop(
    "there is no {name} here; the package that has it is not installed, not allowed or does "
    "not work"
)
"""The template of the refusal of a plugin's game or player that is not found."""

Check: TypeAlias = Callable[[str, Any], Any]
"""A function that returns the object of a plugin, checked. It gets the plugin's name and the object
that the package offers, and raises any exception if the object cannot be used."""


class PluginWarning(UserWarning):
    """A warning that names a plugin that cannot be used, and why. Everything else works."""


class Loaded(NamedTuple):
    """A plugin that works: its name, its package, and its object as a `Check` returned it."""

    name: str  # the prefix of its games, or the full name of its computer player
    package: str  # as in `package_of_plugin`; empty for an object that was registered
    member: Any


_registered: dict[str, list[Loaded]] = {GAMES: [], BOTS: []}  # the newest first


def add_plugin(group: str, name: str, thing: object, check: Check) -> None:
    """Put `check(name, thing)` first in GAMES or BOTS until the program ends. Raises as `check`."""
    _registered[group].insert(0, Loaded(name, "", check(name, thing)))


def check_name(name: object) -> str:
    """Return a full name such as `acme.pig` unchanged. Raises NotUnderstood for any other form."""
    if not isinstance(name, str) or not re.fullmatch(_NAME, name):
        raise NotUnderstood(
            "{name} is not the name of a plugin; names look like acme.pig", name=shown(str(name))
        )
    return name


def is_allowed(name: str) -> bool:
    """Whether SHUTBOX_PLUGINS allows a full name or, for a prefix alone, at least one with it."""
    setting = os.environ.get(SETTING, "").strip().lower()
    words = [word.strip() for word in setting.split(",")]
    prefix, dot, _ = name.partition(".")
    allowed = words if dot else [word.partition(".")[0] for word in words]
    return setting in ("", "1") or prefix in allowed or name in allowed


def working_plugins(group: str, check: Check, name: str = "") -> Iterator[Loaded]:
    """Yield the allowed plugins of a group that work; `name` selects one.

    Those of `add_plugin` come first, the last added before all others. A
    plugin that does not work is left out, with a PluginWarning the first time.
    """
    if os.environ.get(SETTING, "").strip() == "0":
        return
    every: tuple[Loaded | EntryPoint, ...] = (*_registered[group], *installed_plugins(group))
    for plugin in every:
        if name in ("", plugin.name) and is_allowed(plugin.name):
            result = plugin if isinstance(plugin, Loaded) else _load(plugin, check)
            if result is not None:
                yield result


@cache
def _load(plugin: "EntryPoint", check: Check) -> Loaded | None:
    try:
        member = plugin.load()
        version = getattr(member, "protocol", None)
        if version != PROTOCOL:
            raise NotUnderstood(
                "its attribute protocol is {version}, and this program has version {ours}",
                version=shortened(repr(version)),
                ours=PROTOCOL,
            )
        return Loaded(plugin.name, package_of_plugin(plugin), check(plugin.name, member))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # of another package: it must not stop this program
        facts = {
            "name": plugin.name,
            "package": package_of_plugin(plugin),
            "reason": reason_of(error),
        }
        says = gettext("the plugin {name} of {package} cannot be used: {reason}", **facts)
        warnings.warn(says, PluginWarning, stacklevel=2)
        return None
