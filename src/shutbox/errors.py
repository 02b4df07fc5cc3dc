"""Every way shutbox says no.

One class per reason, each with a stable `code` that programs may compare. The sentence is for
people: it says what was offered and what was wanted. It is a template, as `gettext` takes it, with
its facts: `NotYourTurn("seat {seat} waits", seat=1)`. On a refusal nothing has changed.
"""

from typing import ClassVar

from shutbox.messages import gettext


class ShutboxError(Exception):
    """Any refusal. `str(error)` is one complete sentence, or several, for a person to read.

    >>> str(NotYourTurn("seat {seat} waits", seat=1)), NotYourTurn.code
    ('seat 1 waits', 'not-your-turn')
    """

    code: ClassVar[str] = "refused"

    def __init__(self, sentence: str, /, **facts: object) -> None:
        super().__init__(gettext(sentence, **facts) if sentence else "")

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (type(self), str(self)), self.__dict__


def _again(kind: type[ShutboxError], sentence: str) -> ShutboxError:
    """A refusal that was pickled, its sentence as it was said."""
    error = kind.__new__(kind)
    Exception.__init__(error, sentence)
    return error


class NotUnderstood(ShutboxError):
    """The text cannot be read at all."""

    code = "not-understood"


class Ambiguous(ShutboxError):
    """The text can be read in more than one legal way; `readings` has them all."""

    code = "ambiguous"

    def __init__(self, sentence: str, readings: tuple[str, ...], /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.readings = readings


class IllegalChoice(ShutboxError):
    """The choice is understood, and the rules forbid it at `position`, which is unchanged."""

    code = "illegal-choice"

    def __init__(self, sentence: str, position: object = None, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.position = position


class IllegalRoll(ShutboxError):
    """These dice cannot show this roll, or no throw is due at `position`, which is unchanged."""

    code = "illegal-roll"

    def __init__(self, sentence: str, position: object = None, /, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.position = position


class NotYourTurn(ShutboxError):
    """Another seat is to act."""

    code = "not-your-turn"


class OutOfDate(ShutboxError):
    """The table has moved on since the version the caller had in mind."""

    code = "out-of-date"


class CannotTakeBack(ShutboxError):
    """There is no choice to take back since the last throw, or no typed dice to correct."""

    code = "cannot-take-back"


class ImpossiblePosition(ShutboxError):
    """A position that cannot come up; `reasons` has every one of them."""

    code = "impossible-position"

    def __init__(self, text: str, reasons: tuple[str, ...]) -> None:
        why = gettext("; ").join(reasons)
        super().__init__(
            gettext("impossible position {position}: {reasons}", position=text, reasons=why)
        )
        self.reasons = reasons


def _lines(where: str, problems: tuple[str, ...]) -> str:
    said = (gettext("{where}: {problem}", where=where, problem=problem) for problem in problems)
    return "\n".join(said)


class BadVariant(ShutboxError):
    """Rules that cannot be played; `problems` has every one, with its key and its place."""

    code = "bad-variant"

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        super().__init__(_lines(where, problems))
        self.where = where
        self.problems = problems


class BadFormat(ShutboxError):
    """A format that cannot work; `problems` has every reason, with its key."""

    code = "bad-format"

    def __init__(self, where: str, problems: tuple[str, ...]) -> None:
        super().__init__(_lines(where, problems))
        self.where = where
        self.problems = problems


class BadName(ShutboxError):
    """A player cannot be called that."""

    code = "bad-name"


class UnknownGame(ShutboxError):
    """No game of that name is in the catalogue, and no file of that name can be read."""

    code = "unknown-game"


class TooLarge(ShutboxError):
    """The answer exists and is larger than the stated limit.

    `costly`: it is only a matter of time and memory, and may be asked for all the same.
    """

    code = "too-large"

    def __init__(self, sentence: str, /, *, costly: bool = False, **facts: object) -> None:
        super().__init__(sentence, **facts)
        self.costly = costly


class NotInstalled(ShutboxError):
    """What was asked for needs an extra of the package that is not installed."""

    code = "not-installed"


class NoDice(ShutboxError):
    """The cup has no dice to give: a script ran out, or a person stopped typing."""

    code = "no-dice"


class UnknownRecord(ShutboxError):
    """No record of that number is kept, and no file of that name can be read."""

    code = "unknown-record"


class BadRecord(ShutboxError):
    """A record whose first lines cannot be read, so that nothing of the game is known."""

    code = "bad-record"


class NotKept(ShutboxError):
    """The disk took no more: the event has not happened."""

    code = "not-kept"


class InUse(ShutboxError):
    """Another program is playing this record."""

    code = "in-use"
