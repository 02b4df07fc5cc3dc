"""What lies in the tray, what can be done with it, and both as text.

d6.d6/2d             two dice that are about to be thrown
d6-3.d6-5h.d20-17    a 3, a held 5, and a 17 on a d20
"""

import re
from dataclasses import dataclass

from shutbox.dice import MOST_DICE, MOST_SIDES
from shutbox.english import Word, dice_words, listed, shown
from shutbox.errors import ImpossiblePosition, NotUnderstood
from shutbox.messages import gettext
from shutbox.typed_text import notation

_DIE = re.compile(r"d([0-9]{1,4})(?:-([0-9]{1,4})(h?))?")


@dataclass(frozen=True, slots=True, order=True)
class Die:
    """One die in the tray."""

    sides: int
    face: int = 0
    """What it shows; 0: it has not been thrown yet."""
    held: bool = False
    """Whether it stays when the others are thrown."""

    def __str__(self) -> str:
        return f"d{self.sides}" + (f"-{self.face}{'h' * self.held}" if self.face else "")


@dataclass(frozen=True, slots=True)
class TrayPosition:
    """The dice, ascending in sides, face and hold, and whether they are being thrown."""

    dice: tuple[Die, ...]
    throwing: bool = False
    """Whether the dice that are not held are about to be thrown."""

    @property
    def free(self) -> tuple[Die, ...]:
        """The dice that the next throw throws."""
        return tuple(die for die in self.dice if not die.held)


class Verb(Word):
    """What can be done."""

    THROW = "throw"
    HOLD = "hold"
    FREE = "free"
    REMOVE = "remove"
    ADD = "add"


@dataclass(frozen=True, slots=True)
class Change:
    """One thing done to the tray."""

    verb: Verb
    die: Die | None = None
    """The die it is done to, without its hold; None for a throw."""

    def __str__(self) -> str:
        return self.verb.value if self.die is None else f"{self.verb.value} {self.die}"


def write_position(position: TrayPosition) -> str:
    """The position as text."""
    dice = ".".join(map(str, position.dice))
    return f"{dice}/{len(position.free)}d" if position.throwing else dice


def read_position(id: str) -> TrayPosition:
    """The position of a text; every reason why it cannot come up is reported at once."""
    text = notation(id, 400)
    dice_text, slash, due = text.partition("/")
    matches = [_DIE.fullmatch(word) for word in dice_text.split(".")]
    if None in matches or (slash and not re.fullmatch("[0-9]{1,3}d", due)):
        raise NotUnderstood(
            "{id} is not a position of the tray; write its dice such as d6-3.d6-5h.d20",
            id=shown(id),
        )
    reasons: list[str] = []
    dice: list[Die] = []
    for match in filter(None, matches):
        sides, face = int(match[1]), int(match[2] or 0)
        if not 2 <= sides <= MOST_SIDES:
            reasons.append(
                gettext(
                    "a d{sides} is no die; dice have 2 to {most} sides",
                    sides=sides,
                    most=MOST_SIDES,
                )
            )
        elif match[2] and not 1 <= face <= sides:
            reasons.append(
                gettext(
                    "a die of {sides} sides shows 1 to {sides}, not {face}", sides=sides, face=face
                )
            )
        held = bool(match[3])
        # What a die that is about to be thrown showed before matters no more.
        dice.append(Die(sides, face if held or not slash else 0, held))
    position = TrayPosition(tuple(sorted(dice)), bool(slash))
    if len(dice) > MOST_DICE:
        reasons.append(
            gettext("{number} dice; the tray holds 1 to {most}", number=len(dice), most=MOST_DICE)
        )
    if slash and int(due[:-1]) != len(position.free):
        reasons.append(
            gettext(
                "{dice} to be thrown, and {number} free",
                dice=dice_words(int(due[:-1])),
                number=len(position.free),
            )
        )
    if slash and not position.free:
        reasons.append(gettext("every die is held and none can be thrown"))
    if reasons:
        raise ImpossiblePosition(shown(id, 400), tuple(dict.fromkeys(reasons)))
    return position


def spoken(dice: list[Die] | tuple[Die, ...]) -> str:
    """What dice show, as a voice says it: `3 and 5`, `3 and 17 on a d20`.

    The kind is named where it is not a d6.
    """
    return listed(_spoken(die) for die in sorted(dice, key=lambda die: not die.face))


def _spoken(die: Die) -> str:
    if not die.face:
        return gettext("a d{sides} not thrown yet", sides=die.sides)
    return (
        str(die.face)
        if die.sides == 6
        else gettext("{face} on a d{sides}", face=die.face, sides=die.sides)
    )


def named(die: Die) -> str:
    """One die as a voice names it: by its face, or by its kind if it shows none."""
    return _spoken(die) if die.face else f"d{die.sides}"
