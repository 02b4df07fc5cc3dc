"""The traits of a game: facts beyond the protocol that the game itself states.

Solvers, strategy sheets and the server call `traits_of` and never test which game it is. If a
trait that they need is missing, they refuse the game rather than guess.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from shutbox.engine.game import Game


class Cost(NamedTuple):
    """The estimated cost of solving a game on one core of an ordinary machine of 2026."""

    positions: int  #: an upper bound on the positions in which a throw is due
    seconds: float  #: of computing
    memory: int  #: bytes


class SetUp(NamedTuple):
    """The facts with which a page lets a player set up any position from tiles and dice."""

    dice: int  # the most dice on the table
    sides: int  # of each die
    text: Callable[[Iterable[str], Sequence[int]], str]
    """The position's own text, from the keys of the tiles up and the faces of the dice."""


class Typed(NamedTuple):
    """The question where a turn stands at a table of real things, and what reads the answer."""

    ask: str  # a template for gettext; Enter means the start
    helps: str  # another: what to type
    read: Callable[[str], Any]
    """The position that a text means. Raises NotUnderstood and ImpossiblePosition."""


class Feature(NamedTuple):
    """The name and the range of one integer in the encoding of a position or a choice."""

    name: str  #: unique within the encoding
    most: int  #: the greatest value
    least: int = 0  #: the least value


class Encoding(NamedTuple):
    """The encoding of positions and choices as integer vectors of fixed length.

    It is for programs that learn. Different positions have different vectors, and so do the
    choices of one position.
    """

    position: tuple[Feature, ...]  #: the features of a position
    choice: tuple[Feature, ...]  #: the features of a choice
    of_position: Callable[[Any], tuple[int, ...]]  #: a number for each feature of `position`
    of_choice: Callable[[Any], tuple[int, ...]]  #: a number for each feature of `choice`


@dataclass(frozen=True, slots=True)
class Traits:
    """The facts that a game states about itself. Functions take a position, except `encoding`.

    >>> Traits(most_choices=2, cost=lambda position: Cost(13, 0.001, 5200)).most_choices
    2
    """

    most_choices: int | None = None  # the most choices that one position can have, by a formula
    most_rolls: int | None = None
    """The most different rolls of a throw, by formula. `cost` can try all, so check this first."""
    most_positions: int | None = None
    """An upper bound on the positions in which a throw is due, by a formula; often far too high."""
    cost: Callable[[Any], Cost] | None = None
    """The cost of solving the game exactly, with fractions, from a position, by a formula."""
    canonical: Callable[[Any], Any] | None = None  # the simplest position with the same future
    packed: Callable[[Any], Any] | None = None
    """The rules of a box for the rest of a turn: a `shutbox.games.box.packed_rules.PackedRules`."""
    encoding: Callable[[], Encoding] | None = None  # of positions and choices as integers
    sheet: bool = False  # whether the game has a strategy sheet, with points for each tile
    split_line: Callable[[Any, str], tuple[str, ...]] | None = None
    """The choices that a typed line stands for, each as text and made one after another; empty if
    the line does not stand for several."""
    waits: bool = False  # whether each throw waits for a key unless the player asked for speed
    set_up: SetUp | None = None
    """The means to set up a position by hand; None unless positions are just tiles and dice."""
    typed: Typed | None = None  # the way to say where a turn stands; None if it cannot be told
    shut_is_one_score: bool = False  # whether all turns that reach their goal score the same
    lasting: bool = False
    """Whether the name fixes all rules permanently, so that solutions can be stored under it."""


def traits_of(game: Game[Any, Any]) -> Traits:
    """Return the game's attribute `traits`, or empty traits if it has none.

    >>> from shutbox.games.catalogue import find
    >>> traits_of(find("cargo")).most_choices
    2
    """
    return cast(Traits, getattr(game, "traits", Traits()))
