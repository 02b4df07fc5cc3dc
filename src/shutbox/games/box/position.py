"""What a box needs to go on, and what can be chosen there."""

from dataclasses import dataclass

from shutbox.dice import Roll
from shutbox.games.box.tile_sets import Cover


@dataclass(frozen=True, slots=True)
class BoxPosition:
    """A place in one turn."""

    up: int
    """The tiles up: bit i is the tile in place i, front row first."""
    dice: int | None = None
    """How many dice are about to be thrown, where the player had the choice."""
    roll: Roll | None = None
    """The roll that lies there."""


@dataclass(frozen=True, slots=True)
class UseDice:
    """The choice of how many dice to throw."""

    number: int


Choice = Cover | UseDice
"""What can be chosen in a box."""
