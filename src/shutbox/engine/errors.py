"""The refusals of shutbox: one exception class for each reason.

Each class has a stable `code` that programs can compare. The sentence is for people: it says what
was given and what was expected. It is passed as a template for `gettext` with its values:
`NotYourTurn("seat {seat} waits", seat=1)`. A refused action changes nothing. `needing` and
`blaming` turn errors of other packages into refusals.
"""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

from shutbox.engine.messages import gettext, language, pgettext

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class ShutboxError(Exception):
    """The base class of all refusals. `str(error)` is one or more sentences for a person.

    The text is translated when it is read, into the language of the task or thread that reads it;
    a text that was already translated, or a pickled error, stays as it is.

    >>> str(NotYourTurn("seat {seat} waits", seat=1)), NotYourTurn.code
    ('seat 1 waits', 'not-your-turn')
    """

    code: ClassVar[str] = "refused"

    def __init_subclass__(cls, code: str = "") -> None:
        cls.code = code or cls.code

    def __init__(self, sentence: str, /, **facts: object) -> None:
        super().__init__(gettext(sentence, **facts) if sentence else "")
        self._template = language(), sentence, facts

    def __str__(self) -> str:
        spoken, sentence, facts = self._template
        if spoken == language() or not sentence:
            return super().__str__()
        return gettext(sentence, **facts)

    def __reduce__(self) -> tuple[object, ...]:
        kept = {name: value for name, value in vars(self).items() if name != "_template"}
        return _again, (type(self), str(self)), kept


def _again(kind: type[ShutboxError], sentence: str) -> ShutboxError:
    """Rebuild a pickled refusal; its sentence is already filled in and translated."""
    error = kind.__new__(kind)
    ShutboxError.__init__(error, sentence)
    return error


class NotUnderstood(ShutboxError, code="not-understood"):
    """A text, an option, an object or a file that was given cannot be understood or used."""


class NothingDue(NotUnderstood, ValueError, code="nothing-due"):
    """A position has no answer to a question: no choice or turn is due, or it was not solved."""


class Ambiguous(ShutboxError, code="ambiguous"):
    """The text has more than one legal reading; `readings` are all, as texts of choices."""

    def __init__(self, sentence: str, readings: tuple[str, ...], /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.readings = readings


class IllegalChoice(ShutboxError, code="illegal-choice"):
    """The rules forbid the choice, or no choice is due, at `position`, which is unchanged.

    If the sentence suggests choices, `why` is the reason alone, and `choices` are the spoken names
    of all open ones. Otherwise both are empty.
    """

    why: str = ""
    choices: tuple[str, ...] = ()

    def __init__(self, sentence: str, position: object = None, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.position = position


class IllegalRoll(ShutboxError, code="illegal-roll"):
    """The dice cannot show this roll, or no throw is due. `position` is None if it is not known."""

    def __init__(self, sentence: str, position: object = None, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.position = position


class NotYourTurn(ShutboxError, code="not-your-turn"):
    """It is the turn of another seat, or of a computer player, which chooses for itself."""


class OutOfDate(ShutboxError, code="out-of-date"):
    """The table, the day or a list has changed since the caller read it or prepared the event."""


class CannotTakeBack(ShutboxError, code="cannot-take-back"):
    """No choice can be taken back, as after a throw, or no typed dice can be corrected."""


class ImpossiblePosition(ShutboxError, code="impossible-position"):
    """The position cannot come up in play; `reasons` lists every reason."""

    def __init__(self, text: str, reasons: tuple[str, ...]) -> None:
        why = pgettext("list separator", "; ").join(reasons)
        said = gettext("impossible position {position}: {reasons}", position=text, reasons=why)
        super().__init__(said)
        self.reasons = reasons


class _Unplayable(ShutboxError):
    """A refusal whose `problems` are all faults of `where`, each in a line."""

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        lines = (gettext("{where}: {problem}", where=where, problem=each) for each in problems)
        super().__init__("\n".join(lines))
        self.where, self.problems = where, problems


class BadVariant(_Unplayable, code="bad-variant"):
    """The rules of `where`, a name or a file, cannot be played; `problems` are all its faults."""


class BadFormat(_Unplayable, code="bad-format"):
    """The match cannot be played; `problems` are all faults of `where`, a game or a setting."""


class BadName(ShutboxError, code="bad-name"):
    """The name of a player, or of a kind of computer player, is invalid or unknown."""


class UnknownGame(ShutboxError, code="unknown-game"):
    """The name or file is not that of a game, or names of its kind are not accepted here.

    `unlike` is True if no game of the catalogue has a similar name.
    """

    def __init__(self, sentence: str, /, *, unlike: bool = False, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.unlike = unlike


class TooLarge(ShutboxError, code="too-large"):
    """The result is too large, takes too long, or cannot be computed for this game at all.

    `costly` is True if it only takes too much time or memory, so that a caller can insist on it.
    `extra` names the pip extra of shutbox that brings it within the limit; empty if none does.
    """

    def __init__(
        self, sentence: str, /, *, costly: bool = False, extra: str = "", **facts: object
    ) -> None:
        super().__init__(sentence, **facts)
        self.costly = costly
        self.extra = extra


class NotDeterministic(ShutboxError, code="not-deterministic"):
    """A player's choices vary at the same position, so its result cannot be computed exactly."""


class NotInstalled(ShutboxError, code="not-installed"):
    """The request needs a module or an operating system that this computer does not have."""

    extra: str = ""  # the extra that installs the module; empty if none does


class PluginFailed(ShutboxError, code="plugin-failed"):
    """The code of a plugin, a game or a computer player, raised an error while it was in use."""


class NoDice(ShutboxError, code="no-dice"):
    """The cup has no dice to give: a script ran out, or a person stopped typing."""


class UnknownRecord(ShutboxError, code="unknown-record"):
    """The record, or the file with that name, does not exist or cannot be used for the request."""


class BadRecord(ShutboxError, code="bad-record"):
    """A record, a line or event of it, or a file of values cannot be read, written or used."""


class NotKept(ShutboxError, code="not-kept"):
    """Saving failed (and nothing happened), a database or port is unusable, or the server stops."""


class InUse(ShutboxError, code="in-use"):
    """Another program is using the record, the practice answers or the server's database."""


# Errors of other packages that become refusals


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Turn an ImportError in the `with` block into NotInstalled; it names the pip extra `extra`."""
    try:
        yield
    except ImportError as error:
        module = (error.name or "").partition(".")[0]
        ours = module == "shutbox" or module in sys.stdlib_module_names
        if isinstance(error, ModuleNotFoundError) and not ours:
            missing = NotInstalled(
                "{module} is not installed; in a clone of shutbox, pip install '.[{extra}]' "
                "brings it",
                module=module,
                extra=extra,
            )
            missing.extra = extra
            raise missing from None
        # pip would not help: Python was built without the module, or a library is broken.
        reason = str(error).partition("\n")[0]
        raise NotInstalled(
            "what the extra {extra} needs cannot be used: {reason}", extra=extra, reason=reason
        ) from None


GAMES = "shutbox.games"  # the groups of plugins' entry points: games, and computer players
BOTS = "shutbox.bots"


@cache
def installed_plugins(group: str) -> "tuple[EntryPoint, ...]":
    """Return the entry points of installed packages in the group GAMES or BOTS, sorted by name."""
    from importlib.metadata import entry_points  # slow to import

    return tuple(sorted(entry_points(group=group), key=lambda plugin: plugin.name))


def package_of_plugin(plugin: "EntryPoint") -> str:
    """Return the name and version of a plugin's package: `acme-pig 1.2`; "" if unknown."""
    return f"{plugin.dist.name} {plugin.dist.version}" if plugin.dist else ""


def reason_of(error: BaseException) -> str:
    """Return an error's message in one line of up to 200 characters, or its type if it has none."""
    text = ""
    with suppress(Exception):  # the message can be what fails
        text = " ".join(str(error).split())[:200]
    return text or type(error).__name__


@contextmanager
def blaming(game: Any = None) -> Iterator[None]:
    """Turn an error of a plugin in the `with` block into PluginFailed, which names the plugin.

        with blaming(table.game):
            table.throw()

    This is asked before an event is stored, when stored events are replayed, and where all errors
    are caught. An error is a plugin's if code of its package was running. If `game` (a game or a
    text with its name) is a plugin's, it is also blamed for an error of shutbox that is no OSError:
    it can have returned nonsense. Refusals, MemoryError, Ctrl-C and all others pass unchanged.
    """
    try:
        yield
    except (ShutboxError, MemoryError, KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:  # SystemExit, too: only a command ends this program
        if (failure := _plugin_failure(error, game)) is None:
            raise
        raise failure from error


def _plugin_failure(error: BaseException, game: Any) -> PluginFailed | None:
    """Return the refusal that blames a plugin for an error, as `blaming` says; None for others."""
    from traceback import walk_tb  # slow to import

    every = (*installed_plugins(BOTS), *installed_plugins(GAMES))
    plugins = {_root(each.module): each for each in every}
    frames = [
        (_root(frame.f_globals.get("__name__")), frame.f_code.co_filename, line)
        for frame, line in walk_tb(error.__traceback__)
    ]
    # The innermost code of a plugin, or else of anything.
    root, file, line = next((f for f in reversed(frames) if f[0] in plugins), frames[-1])
    plugin_of_game, name = _plugin_named_in(str(getattr(game, "name", game)))
    in_shutbox = root in ("shutbox", *sys.stdlib_module_names)
    is_nonsense = in_shutbox and isinstance(error, Exception) and not isinstance(error, OSError)
    plugin = plugins.get(root)
    if is_nonsense or (plugin_of_game and _root(plugin_of_game.module) == root):
        plugin = plugin_of_game
    if plugin is None:
        return None
    return PluginFailed(
        "the plugin {name} of {package} failed in {file}, line {line}: {kind}: {reason}",
        name=name if plugin is plugin_of_game else plugin.name,
        package=package_of_plugin(plugin),
        file=os.path.basename(file),
        line=line,
        kind=type(error).__name__,
        reason=reason_of(error),
    )


def _plugin_named_in(text: str) -> "tuple[EntryPoint | None, str]":
    """Return the plugin of the first game or player of a plugin named in a text, and that name."""
    # Full names come first: another package can have games with the prefix of a player's name.
    for plugin in (*installed_plugins(BOTS), *installed_plugins(GAMES)):
        name = re.escape(plugin.name) + (r"(?![\w-])" if "." in plugin.name else r"\.[a-z0-9-]+")
        if match := re.search(rf"(?<![:\w.-]){name}", text):
            return plugin, match[0]
    return None, ""


def _root(module: object) -> str:
    """Return the top package of a module's name."""
    return str(module).partition(".")[0]
