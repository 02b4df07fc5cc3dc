"""Brains: throw three dice as long as you dare. Three shots lose all brains."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from shutbox import Choose, Dice, Over, Roll, Throw
from shutbox.match.game import turn_at

from .small_game import SmallGame


@dataclass(frozen=True)
class Here:
    """The position: what was thrown, and whether the dice are to be thrown now."""

    brains: int = 0
    shots: int = 0
    left: int = 5
    throws: bool = True


class Brains(SmallGame[Here]):
    """The game."""

    name = "acme.brains"
    title = "Brains"
    rules = (
        "Throw three dice: 5 and 6 are brains, 3 and 4 are feet, 1 and 2 are shots.",
        "Stop, and each brain is a point. Three shots lose them all.",
        "After five throws the turn ends.",
    )
    choices: ClassVar = {"stop": "You stop.", "throw": "The dice are thrown again."}
    ask, first = "Stop, or throw again?", Here()

    def awaits(self, here: Here) -> Throw | Choose[str] | Over:
        """Return the throw, the choice or the end."""
        if here.shots < 3 and here.left:
            return Throw(Dice.parse("3d6")) if here.throws else Choose(("stop", "throw"))
        return Over((0 if here.shots >= 3 else here.brains,))

    def after(self, here: Here, event: Roll | str) -> Here:
        """Return the position after a roll or a choice."""
        if isinstance(event, str):
            return replace(here, throws=True) if event == "throw" else replace(here, left=0)
        brains, shots = (sum(pip in faces for pip in event.pips) for faces in ((5, 6), (1, 2)))
        return Here(here.brains + brains, here.shots + shots, here.left - 1, throws=False)

    def shows(self, here: Here) -> str:
        """Return a sentence on how things stand."""
        return f"Brains: {here.brains}. Shots: {here.shots}. Throws left: {here.left}."


class Careful:
    """Stops at two shots, or as many as its name says: `acme.careful:1`."""

    protocol: ClassVar = 1

    def __init__(self, text: str = "") -> None:
        self.shots = int(text or 2)

    def pick(self, game: Any, position: Any, choices: tuple[Any, ...]) -> Any:
        """Return a choice, in a turn alone or in a match."""
        _, here = turn_at(game, position) or (game, position)
        return choices[0 if here.shots >= self.shots else -1]


BRAINS = Brains()
