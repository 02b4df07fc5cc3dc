"""What a game can do beyond the protocol, said by the game itself.

Nobody asks which game it is: who solves a game, plays it from a sheet of paper, or lends it the
time of a server asks `traits_of`. What a game does not say is refused, never taken for nothing.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.english import Word
from shutbox.game import Game


class SheetKind(Word):
    """What a strategy that fits on one sheet of paper says of a game."""

    POINTS = "points"  # the points of each tile
    ACCEPT = "accept"  # what to accept with so many rolls left


@dataclass(frozen=True, slots=True)
class Cost:
    """What solving is estimated to take, on one core of an ordinary machine of 2026."""

    positions: int
    seconds: float
    memory: int  # bytes


@dataclass(frozen=True, slots=True)
class SetUp:
    """How a position is set up by hand, piece by piece."""

    dice: int  # the most dice that lie there
    sides: int
    text: Callable[[Iterable[str], Sequence[int]], str]
    """The position's own text, by the keys of the tiles up and the faces that lie there."""


@dataclass(frozen=True, slots=True)
class Feature:
    """One of the numbers in which a position or a choice is written, and between which it lies."""

    name: str
    most: int
    least: int = 0


@dataclass(frozen=True, slots=True)
class Encoding:
    """How positions and choices are written in numbers, always as many, for programs that learn.

    No two positions have the same numbers, and no two choices of one position.
    """

    position: tuple[Feature, ...]
    choice: tuple[Feature, ...]
    of_position: Callable[[Any], tuple[int, ...]]  # a number for each feature of `position`
    of_choice: Callable[[Any], tuple[int, ...]]  # a number for each feature of `choice`


@dataclass(frozen=True, slots=True)
class Traits:
    """What one game says of itself. Functions take a position of the game.

    >>> Traits(most_choices=2, cost=lambda position: Cost(13, 0.001, 5200)).most_choices
    2
    """

    most_choices: int | None = None  # the most choices that one position can have, by a formula
    most_rolls: int | None = None
    """The most different rolls of one throw, by a formula; `cost` may look at all of them."""
    most_positions: int | None = None
    """The most positions in which a throw is due, by a formula; there may be much fewer."""
    cost: Callable[[Any], Cost] | None = None
    """What it takes to solve the game from a position on, in whole fractions, by a formula."""
    alike: Callable[[Any], Any] | None = None  # the plainest position that goes on as this one does
    packed: Callable[[Any], Any] | None = None
    """The rules of what is left of a turn in numbers: a `shutbox.games.box.packed.PackedRules`."""
    encoding: Callable[[], Encoding] | None = None
    """How positions and choices are written in numbers."""
    sheet: SheetKind | None = None  # which sheet the game has
    several: Callable[[Any, str], tuple[str, ...]] | None = None
    """The choices, each as text, that a line stands for which a person types, where it is more than
    one; they are made one after another."""
    waits: bool = False  # whether each roll waits for a key where nobody has asked for speed
    set_up: SetUp | None = None
    """How a position is set up by hand; None where there is more to one than tiles and dice."""
    shut_is_one_score: bool = False  # whether all who do what a turn is for have the same score
    lasting: bool = False
    """Whether the name says all the rules for ever, so that answers can be kept from day to day."""


def traits_of(game: Game[Any, Any]) -> Traits:
    """What a game says of itself in its attribute `traits`; nothing where it has none.

    >>> from shutbox.games.catalogue import find
    >>> traits_of(find("cargo")).most_choices
    2
    """
    found: Traits = getattr(game, "traits", Traits())
    return found
