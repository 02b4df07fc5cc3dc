"""The rules of Cargo as a value, checked when it is made, and as text both ways."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from shutbox.dice import Dice
from shutbox.english import Word, listed, shown
from shutbox.errors import BadVariant, NotUnderstood

SIDES = 6
"""Cargo is played with d6: ship, captain and crew are its three highest faces."""
CREW = ((6, "ship"), (5, "captain"), (4, "crew"))
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
class Rules:
    """The rules of one game of Cargo. Raises BadVariant with every mistake at once."""

    dice: Dice = Dice.of(6, SIDES)
    rolls: int = 5
    hold: Hold = Hold.TOGETHER

    def __post_init__(self) -> None:
        problems = []
        if set(self.dice.sides) != {SIDES}:
            problems.append(f"dice: {self.dice}; Cargo is played with d6, such as 6d6")
        if not FEWEST_DICE <= len(self.dice) <= MOST_DICE:
            problems.append(f"dice: {len(self.dice)} of them; {FEWEST_DICE} to {MOST_DICE}")
        if not FEWEST_ROLLS <= self.rolls <= MOST_ROLLS:
            problems.append(f"rolls: {self.rolls}; {FEWEST_ROLLS} to {MOST_ROLLS}")
        if problems:
            raise BadVariant("cargo", tuple(problems))

    @property
    def cargo(self) -> int:
        """The number of cargo dice."""
        return len(self.dice) - len(CREW)

    @property
    def options(self) -> dict[str, str]:
        """Every rule as text, in the order in which they are written."""
        return {"dice": str(self.dice), "rolls": str(self.rolls), "hold": self.hold.value}

    def overridden(self, options: Mapping[str, str], where: str) -> "Rules":
        """These rules with some replaced.

        >>> Rules().overridden({"hold": "each"}, "here").hold
        Hold.EACH
        """
        problems: list[str] = []
        values: dict[str, Any] = {}
        for key, text in options.items():
            try:
                values[key] = _read(key, text)
            except NotUnderstood as error:
                problems.append(str(error))
        try:
            rules = replace(self, **values)
        except BadVariant as error:
            problems += error.problems
        if problems:
            raise BadVariant(where, tuple(problems))
        return rules


def _read(key: str, text: str) -> object:
    match key:
        case "dice":
            return Dice.parse(text)
        case "rolls" if re.fullmatch(r"[0-9]{1,3}", text):
            return int(text)
        case "rolls":
            raise NotUnderstood(f"rolls: {shown(text)} is not a number")
        case "hold":
            try:
                return Hold(text)
            except ValueError:
                allowed = listed((hold.value for hold in Hold), last="or")
                raise NotUnderstood(f"hold: {shown(text)} is not known; write {allowed}") from None
        case _:
            known = listed(Rules().options)
            raise NotUnderstood(f"{shown(key)} is not a rule of Cargo; the rules are {known}")
