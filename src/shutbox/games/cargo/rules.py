"""The rules of Cargo as a value, checked when it is made, and how they are read and written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from shutbox.dice import Dice
from shutbox.english import Word, shown
from shutbox.errors import BadVariant, NotUnderstood
from shutbox.messages import gettext, gettext_noop
from shutbox.options import Reader, one_of

SIDES = 6
"""Cargo is played with d6: ship, captain and crew are its three highest faces."""
CREW = ((6, gettext_noop("ship")), (5, gettext_noop("captain")), (4, gettext_noop("crew")))
"""What is banked, in this order: the face and its name."""
FEWEST_DICE, MOST_DICE = 4, 10
FEWEST_ROLLS, MOST_ROLLS = 1, 10


class Hold(Word):
    """Which cargo dice are thrown again."""

    TOGETHER = "together"
    """All of them."""
    EACH = "each"
    """Any of them, chosen anew each roll."""


@dataclass(frozen=True, slots=True)
class CargoRules:
    """The rules of one game of Cargo. Raises BadVariant with every mistake at once."""

    dice: Dice = Dice.of(6, SIDES)
    rolls: int = 5
    hold: Hold = Hold.TOGETHER

    def __post_init__(self) -> None:
        if problems := tuple(self._mistakes()):
            raise BadVariant("cargo", problems)

    def _mistakes(self) -> Iterator[str]:
        if set(self.dice.sides) != {SIDES}:
            yield gettext("dice: {dice}; Cargo is played with d6, such as 6d6", dice=self.dice)
        if not FEWEST_DICE <= len(self.dice) <= MOST_DICE:
            yield gettext(
                "dice: {number} of them; {least} to {most}",
                number=len(self.dice),
                least=FEWEST_DICE,
                most=MOST_DICE,
            )
        if not FEWEST_ROLLS <= self.rolls <= MOST_ROLLS:
            least, most = FEWEST_ROLLS, MOST_ROLLS
            yield gettext(
                "rolls: {rolls}; {least} to {most}", rolls=self.rolls, least=least, most=most
            )

    @property
    def cargo(self) -> int:
        """The number of cargo dice."""
        return len(self.dice) - len(CREW)

    @property
    def options(self) -> dict[str, str]:
        """Every rule as text, in the order in which they are written."""
        return {"dice": str(self.dice), "rolls": str(self.rolls), "hold": self.hold.value}


def _rolls(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise NotUnderstood("{text} is not a number", text=shown(text))
    return int(text)


READERS: dict[str, Reader] = {"dice": Dice.parse, "rolls": _rolls, "hold": one_of(Hold)}
