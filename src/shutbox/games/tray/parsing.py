"""What people type at the tray, read against what is open there."""

import re
from collections.abc import Sequence

from shutbox.english import listed, shown
from shutbox.errors import Ambiguous, NotUnderstood
from shutbox.games.tray.position import Change, Die, Verb, named
from shutbox.typed_text import typed_words

_TYPED = re.compile(r"([a-z]*)\s*(?:d([0-9]{1,4}))?\s*-?\s*([0-9]{1,4})?")


def read_choice(text: str, choices: Sequence[Change]) -> Change:
    """The change that is meant; it may turn out not to be among the choices.

    >>> str(read_choice("h 5", [Change(Verb.HOLD, Die(6, 5))]))
    'hold d6-5'

    A number alone holds a die that shows it. Raises NotUnderstood, and Ambiguous where dice of
    several kinds fit.
    """
    if not text.strip():
        raise NotUnderstood("nothing was typed; type hold 5, free 5, add d20 or remove 5")
    match = _TYPED.fullmatch(" ".join(typed_words(text))) if len(text) <= 100 else None
    verb = _verb(match[1]) if match and any(match.groups()) else None
    if match is None or verb is None:
        raise _not_understood(text)
    sides, face = int(match[2] or 0), int(match[3] or 0)
    match verb:
        case Verb.THROW if not sides and not face:
            return Change(verb)
        case Verb.ADD if not sides or not face:
            return Change(verb, Die(sides or face or 6))
        case Verb.HOLD | Verb.FREE | Verb.REMOVE:
            return _meant(verb, sides, face, text, choices)
    raise _not_understood(text)


def _not_understood(text: str) -> NotUnderstood:
    return NotUnderstood(
        "{text} is not understood; type throw, hold 5, free 5, add d20 or remove 5",
        text=shown(text),
    )


def _verb(word: str) -> Verb | None:
    if not word:
        return Verb.HOLD
    return next((verb for verb in Verb if verb.value.startswith(word)), None)


def _meant(verb: Verb, sides: int, face: int, text: str, choices: Sequence[Change]) -> Change:
    """The one open change that fits; the kind may be left out, and so may the face."""
    fitting = [
        change
        for change in choices
        if change.verb is verb and (die := change.die)
        if sides in (0, die.sides) and face in (0, die.face)
    ]
    exact = [change for change in fitting if change.die == Die(sides, face)]
    if len(exact or fitting) > 1:
        readings = tuple(map(str, fitting))
        says = listed((f"{verb.value} {named(c.die)}" for c in fitting if c.die), "or")
        raise Ambiguous("{text} can mean {says}; say which", readings, text=shown(text), says=says)
    return (exact or fitting or [Change(verb, Die(sides or 6, face))])[0]
