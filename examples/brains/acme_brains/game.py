"""Brains: throw three dice as long as you dare. Three shots lose all brains."""

from dataclasses import dataclass, replace
from typing import ClassVar

from shutbox import Roll

from .small_game import Due, SmallGame, SmallPlayer


@dataclass(frozen=True)
class Here:
    """The position: what was thrown, and whether the dice are to be thrown now."""

    brains: int = 0
    shots: int = 0
    throws_left: int = 5
    throws: bool = True


class Brains(SmallGame[Here]):
    """The game."""

    name = "acme.brains"
    rules = (
        "Throw three dice: 5 and 6 are brains, 3 and 4 are feet, 1 and 2 are shots.",
        "Stop, and each brain is a point. Three shots lose them all.",
        "After five throws the turn ends.",
    )
    choices: ClassVar = {"stop": "The brains are kept.", "throw": "The dice are thrown again."}
    first = Here()

    def due(self, here: Here) -> Due:
        """Return the dice, the choices or the score that are due."""
        if here.shots < 3 and here.throws_left:
            return "3d6" if here.throws else [*self.choices]
        return here.brains if here.shots < 3 else 0

    def after(self, here: Here, event: Roll | str) -> Here:
        """Return the position after a roll or a choice."""
        if isinstance(event, str):
            return replace(here, throws=True) if event == "throw" else replace(here, throws_left=0)
        brains, shots = (sum(pip in faces for pip in event.pips) for faces in ((5, 6), (1, 2)))
        return Here(here.brains + brains, here.shots + shots, here.throws_left - 1, throws=False)


class Careful(SmallPlayer[Here]):
    """Stops at two shots, or as many as its name says: `acme.careful:1`."""

    def choice(self, here: Here) -> str:
        """Return a choice."""
        return "stop" if here.shots >= (self.number or 2) else "throw"


BRAINS = Brains()
