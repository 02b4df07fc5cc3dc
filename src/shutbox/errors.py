"""Every way shutbox says no.

One class per reason, each with a stable `code` that programs may compare. The sentence is for
people: it says what was offered and what was wanted. It is a template, as `gettext` takes it, with
its facts: `NotYourTurn("seat {seat} waits", seat=1)`. On a refusal nothing has changed.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar

from shutbox.messages import gettext


class ShutboxError(Exception):
    """Any refusal. `str(error)` is one complete sentence, or several, for a person to read.

    >>> str(NotYourTurn("seat {seat} waits", seat=1)), NotYourTurn.code
    ('seat 1 waits', 'not-your-turn')
    """

    code: ClassVar[str] = "refused"

    def __init_subclass__(cls, code: str = "") -> None:
        cls.code = code or cls.code

    def __init__(self, sentence: str, /, **facts: object) -> None:
        super().__init__(gettext(sentence, **facts) if sentence else "")

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), str(self)), self.__dict__


def _again(kind: type[ShutboxError], sentence: str) -> ShutboxError:
    """A refusal that was pickled, its sentence as it was said."""
    error = kind.__new__(kind)
    Exception.__init__(error, sentence)
    return error


class NotUnderstood(ShutboxError, code="not-understood"):
    """The text cannot be read at all."""


class Ambiguous(ShutboxError, code="ambiguous"):
    """The text can be read in more than one legal way; `readings` has them all."""

    def __init__(self, sentence: str, readings: tuple[str, ...], /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.readings = readings


class IllegalChoice(ShutboxError, code="illegal-choice"):
    """The choice is understood, and the rules forbid it at `position`, which is unchanged.

    Where the sentence names choices to try, `why` is its reason alone, and `choices` are all.
    """

    why: str = ""
    choices: tuple[str, ...] = ()

    def __init__(self, sentence: str, position: object = None, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.position = position


class IllegalRoll(ShutboxError, code="illegal-roll"):
    """These dice cannot show this roll, or no throw is due at `position`, which is unchanged."""

    def __init__(self, sentence: str, position: object = None, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.position = position


class NotYourTurn(ShutboxError, code="not-your-turn"):
    """Another seat is to act."""


class OutOfDate(ShutboxError, code="out-of-date"):
    """The table has moved on since the version the caller had in mind."""


class CannotTakeBack(ShutboxError, code="cannot-take-back"):
    """There is no choice to take back since the last throw, or no typed dice to correct."""


class ImpossiblePosition(ShutboxError, code="impossible-position"):
    """A position that cannot come up; `reasons` has every one of them."""

    def __init__(self, text: str, reasons: tuple[str, ...]) -> None:
        why = gettext("; ").join(reasons)
        said = gettext("impossible position {position}: {reasons}", position=text, reasons=why)
        super().__init__(said)
        self.reasons = reasons


def _lines(where: str, problems: tuple[str, ...]) -> str:
    return "\n".join(gettext("{where}: {problem}", where=where, problem=one) for one in problems)


class BadVariant(ShutboxError, code="bad-variant"):
    """Rules that cannot be played; `problems` has every one, with its key and its place."""

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        super().__init__(_lines(where, problems))
        self.where, self.problems = where, problems


class BadFormat(ShutboxError, code="bad-format"):
    """A format that cannot work; `problems` has every reason, with its key."""

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        super().__init__(_lines(where, problems))
        self.where, self.problems = where, problems


class BadName(ShutboxError, code="bad-name"):
    """A player cannot be called that."""


class UnknownGame(ShutboxError, code="unknown-game"):
    """No game of that name is in the catalogue, and no file of that name can be read.

    `unlike`: nor is one of a name like it.
    """

    def __init__(self, sentence: str, /, *, unlike: bool = False, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.unlike = unlike


class TooLarge(ShutboxError, code="too-large"):
    """The answer exists and is larger than the stated limit.

    `costly`: it is only a matter of time and memory, and may be asked for all the same. `extra`:
    what has to be installed for it to be within the limit; empty where nothing would do.
    """

    def __init__(
        self, sentence: str, /, *, costly: bool = False, extra: str = "", **facts: object
    ) -> None:
        super().__init__(sentence, **facts)
        self.costly = costly
        self.extra = extra


class NotDeterministic(ShutboxError, code="not-deterministic"):
    """A player does not always choose the same, so what it is worth cannot be worked out."""


class NotInstalled(ShutboxError, code="not-installed"):
    """What was asked for needs an extra of the package, or a system, that is not here."""

    extra: str = ""  # the extra that brings it; empty where none would


@contextmanager
def needing(extra: str) -> Iterator[None]:
    """Import here what an extra brings. Raises NotInstalled, which names what is missing."""
    try:
        yield
    except ImportError as error:
        module = (error.name or "").partition(".")[0]
        ours = module == "shutbox" or module in sys.stdlib_module_names
        if isinstance(error, ModuleNotFoundError) and not ours:
            missing = NotInstalled(
                "{module} is not installed; pip install 'shutbox[{extra}]' brings it, "
                "in a checkout pip install '.[{extra}]'",
                module=module,
                extra=extra,
            )
            missing.extra = extra
            raise missing from None
        # Nothing that pip could bring: Python was built without it, or a library is broken.
        reason = str(error).partition("\n")[0]
        raise NotInstalled(
            "what the extra {extra} needs cannot be used: {reason}", extra=extra, reason=reason
        ) from None


class NoDice(ShutboxError, code="no-dice"):
    """The cup has no dice to give: a script ran out, or a person stopped typing."""


class UnknownRecord(ShutboxError, code="unknown-record"):
    """No record of that number is kept, and no file of that name can be read."""


class BadRecord(ShutboxError, code="bad-record"):
    """A record whose first lines cannot be read, so that nothing of the game is known."""


class NotKept(ShutboxError, code="not-kept"):
    """The disk took no more: the event has not happened."""


class InUse(ShutboxError, code="in-use"):
    """Another program is playing this record."""
