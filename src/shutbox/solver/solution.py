"""What the positions of a turn are worth, and how they are played best: one face for all solvers.

A solver knows the positions at which dice are due. What a roll, a choice or an end is worth
follows from them and from the protocol, so it is worked out here, once.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from operator import eq
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from shutbox.errors import needing
from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.lru import LruCache
from shutbox.messages import gettext
from shutbox.solver.fold import positions_from
from shutbox.solver.graph import Ending, Graph
from shutbox.solver.meant import Placed, position_meant
from shutbox.solver.objectives import Aim
from shutbox.solver.score_plot import draw_scores

if TYPE_CHECKING:
    from shutbox.solver.policy import Policy

MOST_OPTIONS = 1 << 12  # positions with a choice whose values are kept together

Number = Fraction | float  # a whole fraction from an exact solver, a float from a fast one
Vector = tuple[Number, ...]  # a number for each choice, or for each seat


def apart(one: Number, other: Number) -> Number:
    """How far two values are apart: exactly, if both are exact."""
    return max(one, other) - min(one, other)


Chances = dict[Ending, Number]  # the probability of each end


def by_score(chances: Chances) -> dict[int, Number]:
    """The probability of each final score, the scores ascending.

    >>> by_score({(7, False): 0.5, (0, True): 0.25, (0, False): 0.25})
    {0: 0.5, 7: 0.5}
    """
    found: dict[int, Number] = {}
    for (score, _), chance in sorted(chances.items()):
        found[score] = found[score] + chance if score in found else chance
    return found


@dataclass(frozen=True)
class Options(Generic[C]):
    """The choices of a position in canonical order, and what they are worth to who chooses.

    >>> half, third = Fraction(1, 2), Fraction(1, 3)
    >>> options = Options(("a", "b", "c"), (half, third, half), top=half)
    >>> options.best, options.costs[1], options.differ
    (0, Fraction(1, 6), True)
    """

    choices: tuple[C, ...]
    values: Vector
    top: Number  # the best of the values
    as_good: Callable[[Number, Number], bool] = field(default=eq, repr=False, compare=False)
    """Whether a value is a tie with the best."""

    @cached_property
    def best(self) -> int:
        """The place of the best; of equally good ones the first."""
        return next(i for i, value in enumerate(self.values) if self.as_good(value, self.top))

    @cached_property
    def costs(self) -> Vector:
        """What each costs against the best: 0 or more, and 0 for what is as good."""
        top, none = self.top, Fraction(0)
        return tuple(none if self.as_good(v, top) else apart(v, top) for v in self.values)

    @property
    def differ(self) -> bool:
        """Whether it matters which one is chosen."""
        return any(self.costs)


def to_shut(chances: Chances) -> Number:
    """The probability to shut the box, or to complete the crew."""
    return sum((chance for (_, shut), chance in chances.items() if shut), start=Fraction(0))


Place = TypeVar("Place", contravariant=True)


class Turns(Protocol[Place]):
    """A graph, and which of its nodes a position is."""

    graph: Graph

    @property
    def root(self) -> Hashable:
        """Where the graph begins."""

    def find(self, position: Place) -> int | None:
        """The node of a position; None for one that is no node."""

    def holds(self, position: Place) -> bool:
        """Whether the position can come up from where the graph begins."""


class Solution(ABC, Generic[P, C]):
    """Values of the positions of one turn under an aim, and what comes of playing for it.

    A value: equal where the game, the aim, where it was solved from and the solver are.

    Wherever a position is asked for it may be text too, such as `1.5.9/2+4`, or a view; without one
    it is where the game was solved from, `start`. Ties between equally good choices go to the first
    in canonical order. Raises ValueError for a position that cannot come up from where the game was
    solved, NotUnderstood for a text or a view of another game, and what `Game.position_at` raises
    for a text. A bare position carries no game, so one of another game with the same tiles is taken
    for one of this game. Three take positions only, and check nothing: `holds`, `place` and
    `played`.
    """

    def __init__(self, game: Game[P, C], aim: Aim, root: Hashable, start: P | None = None) -> None:
        scoring = game.scoring
        assert scoring is not None  # games without scores are refused before they are solved
        self.game = game
        self.aim = aim
        self.more = aim.more_is_better(scoring, 0)
        self._pick: Callable[[Iterable[Number]], Number] = max if self.more else min
        self.start: P = game.start() if start is None else start  # where it was solved from
        self._identity = type(self), game, aim, root, self.start
        # What was asked for is kept: positions come up again.
        self._known: dict[P, Number] = {}
        self._options = LruCache[P, Options[C]](MOST_OPTIONS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    @property
    def tells_chances(self) -> bool:
        """Whether `chances` costs no more than the values did."""
        return True

    # What a solver knows: a place is a position at which dice are due.

    @abstractmethod
    def place(self, position: P) -> int | None:
        """The number of a position at which dice are due; None for every other."""

    @abstractmethod
    def holds(self, position: P) -> bool:
        """Whether the position can come up from where this was solved."""

    @abstractmethod
    def value_at(self, place: int) -> Number:
        """The value there."""

    @abstractmethod
    def shut_at(self, place: int) -> Number:
        """The chance to shut the box from there, playing for the aim."""

    @abstractmethod
    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """The chance of each end from there, and the expected number of throws."""

    @abstractmethod
    def ends_at(self, place: int) -> Number:
        """The chance that the next throw from there ends the turn."""

    @property
    @abstractmethod
    def size(self) -> int:
        """At how many positions dice are due, at most."""

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value is as good as the best, so that the choice is a tie."""
        return value == best

    def after(self, position: P, choice: C) -> P:
        """The position after a choice that is open there; it need not be checked again."""
        return self.game.chosen(position, choice)

    # What follows from it.

    def value(self, position: P | str | Placed | None = None) -> Number:
        """The value of a position under best play; it must be one that `holds` knows."""
        known = self._known.get(position) if isinstance(position, type(self.start)) else None
        if known is None:
            here = self._checked(position)
            known = self._known[here] = self._value(here)
        return known

    def _value(self, here: P) -> Number:
        if (place := self.place(here)) is not None:
            return self.value_at(place)
        match self.game.awaits(here):
            case Over() as over:
                return Fraction(self.aim.worth(over))
            case Choose():
                return self.options(here).top
            case Throw():
                return self._expected(self.value, here)

    def best(self, position: P | str | Placed | None = None) -> C:
        """The best choice of a position, of equally good ones the first.

        Raises ValueError where no choice is due.
        """
        options = self.options(position)
        return options.choices[options.best]

    def options(self, position: P | str | Placed | None = None) -> Options[C]:
        """The choices of a position, and what they are worth.

        Raises ValueError where no choice is due.
        """
        known = self._options.find(position) if isinstance(position, type(self.start)) else None
        if known is not None:
            return known
        here = self._checked(position)
        awaited = self.game.awaits(here)
        if not isinstance(awaited, Choose):
            id = self.game.position_id(here)
            raise ValueError(gettext("no choice is due at {position}", position=id))
        values = tuple(self.value(self.after(here, choice)) for choice in awaited.choices)
        options = Options(awaited.choices, values, self._pick(values), self.as_good)
        return self._options.keep(here, options)

    def ranked(
        self, position: P | str | Placed | None = None
    ) -> tuple[tuple[C, ...], list[Number], int]:
        """The choices of a position, their values, and the place of the best; see `options`."""
        options = self.options(position)
        return options.choices, list(options.values), options.best

    def shut(self, position: P | str | Placed | None = None) -> Number:
        """The chance to shut the box, or complete the crew, playing for the aim."""
        here = self.played(self._checked(position))
        if (place := self.place(here)) is not None:
            return self.shut_at(place)
        awaited = self.game.awaits(here)
        if isinstance(awaited, Over):
            return Fraction(int(awaited.shut))
        return self._expected(self.shut, here)

    def chances(self, position: P | str | Placed | None = None) -> tuple[Chances, Number]:
        """The chance of each end, and the expected number of throws, playing for the aim."""
        here = self.played(self._checked(position))
        if (place := self.place(here)) is not None:
            return self.chances_at(place)
        awaited = self.game.awaits(here)
        if isinstance(awaited, Over):
            return {(awaited.scores[0], awaited.shut): Fraction(1)}, Fraction(0)
        found: Chances = {}
        throws: Number = Fraction(1)
        for after, share in self._falls(here):
            ends, more = self.chances(after)
            throws += more * share
            for end, chance in ends.items():
                found[end] = found.get(end, Fraction(0)) + chance * share
        return found, throws

    def distribution(self, position: P | str | Placed | None = None) -> dict[int, Number]:
        """The probability of each final score, the scores ascending, playing for the aim.

        Scores that cannot come up are left out.
        """
        return by_score(self.chances(position)[0])

    def positions(self) -> Iterator[P]:
        """Every position from `start` on at which a throw or a choice is due, each once.

        Those fewer events away come first; of these, those of the lower roll, or of the choice
        that stands first in canonical order.
        """
        return positions_from(self.game, self.start)

    def policy(self) -> "Policy":
        """The best choice of every position at which one is due, as arrays.

        Raises NotInstalled without NumPy, and TooLarge for more positions than MOST_ROWS.
        """
        with needing("fast"):
            from shutbox.solver.policy import policy_of
        return policy_of(self)

    def plot(self, ax: Any, position: P | str | Placed | None = None) -> Any:
        """Draw the distribution of scores on axes of matplotlib; returns the axes."""
        draw_scores(ax, self.distribution(position))
        return ax

    def ends(self, position: P | str | Placed | None = None) -> Number:
        """The chance that the next throw ends the turn, where dice are due; 0 where it is over."""
        here = self.played(self._checked(position))
        if (place := self.place(here)) is not None:
            return self.ends_at(place)
        awaited = self.game.awaits(here)
        if not isinstance(awaited, Throw):
            return Fraction(0)
        ended = sum(
            weight
            for roll, weight in awaited.dice.outcomes()
            if isinstance(self.game.awaits(self.game.rolled(here, roll)), Over)
        )
        return Fraction(ended, awaited.dice.total_weight)

    def played(self, position: P) -> P:
        """The position once the best choices are made that are open, until dice are due."""
        # A choice of dice is within the place where they are due.
        while isinstance(self.game.awaits(position), Choose) and self.place(position) is None:
            position = self.game.chosen(position, self.best(position))
        return position

    def _checked(self, position: P | str | Placed | None) -> P:
        """The position that is meant. Raises ValueError for one that was not solved here."""
        here: P = position_meant(self.game, position, self.start)
        if not self.holds(here):
            id = self.game.position_id(here)
            raise ValueError(gettext("{position} cannot come up from what was solved", position=id))
        return here

    def _falls(self, position: P) -> Iterator[tuple[P, Fraction]]:
        """Where each roll leads once it is played, with its chance; rolls played alike as one."""
        awaited = self.game.awaits(position)
        assert isinstance(awaited, Throw)
        falls: dict[P, int] = {}
        for roll, weight in awaited.dice.outcomes():
            after = self.played(self.game.rolled(position, roll))
            falls[after] = falls.get(after, 0) + weight
        total = awaited.dice.total_weight
        return ((after, Fraction(weight, total)) for after, weight in falls.items())

    def _expected(self, worth: Callable[[P], Number], position: P) -> Number:
        worths = (worth(after) * share for after, share in self._falls(position))
        return sum(worths, start=Fraction(0))


class GraphSolution(Solution[P, C]):
    """The solution of a graph: exact fractions, nothing rounded.

    >>> from shutbox.games.catalogue import find
    >>> from shutbox.solver import SHUT, Unfolded
    >>> six = find("six")
    >>> solution = GraphSolution(six, SHUT, Unfolded(six, six.start()))
    >>> solution.value(six.start())
    Fraction(145, 1944)
    >>> chances, throws = solution.chances(six.start())
    >>> chances[0, True], round(float(throws), 3)
    (Fraction(145, 1944), 4.239)
    """

    near = Fraction(0)  # values that are no further apart are ties

    def __init__(self, game: Game[P, C], aim: Aim, turns: Turns[P], start: P | None = None) -> None:
        super().__init__(game, aim, turns.root, start)
        self._turns = turns
        self.graph = turns.graph
        self.worths = {  # of each end
            node: Fraction(aim.worth(Over((score,), shut)))
            for node, (score, shut) in self.graph.ends.items()
        }
        self.values, divisor = self.graph.valued(self.worths, more=self.more)
        """The value of every node, times `unit` and the scale of the graph."""
        self.unit = divisor // self.graph.scale
        """What worths are multiplied by to be whole."""

    @cached_property
    def followed(self) -> Graph:
        """The graph in which the best choices are made."""
        near = int(self.near * self.unit * self.graph.scale)
        return self.graph.follow(self.graph.best(self.values, more=self.more, near=near))

    def as_good(self, value: Number, best: Number) -> bool:
        """Within `near`."""
        return apart(value, best) <= self.near if self.near else value == best

    @cached_property
    def _shut(self) -> list[int]:
        worths = {node: int(shut) for node, (_, shut) in self.graph.ends.items()}
        return self.followed.solved(worths, more=True)

    @property
    def size(self) -> int:
        """The number of throws of the graph."""
        return sum(map(bool, self.graph.weights))

    def place(self, position: P) -> int | None:
        """The node of the position."""
        return self._turns.find(position)

    def holds(self, position: P) -> bool:
        """Whether the graph holds it."""
        return self._turns.holds(position)

    def value_at(self, place: int) -> Fraction:
        """The value, exactly."""
        return Fraction(self.values[place], self.unit * self.graph.scale)

    def shut_at(self, place: int) -> Fraction:
        """The chance, exactly."""
        return Fraction(self._shut[place], self.graph.scale)

    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """The chances, exactly; ends that do not come up are left out."""
        return chances(self.followed, self.followed.reached(place))

    def ends_at(self, place: int) -> Fraction:
        """The chance, exactly."""
        graph = self.followed
        while not graph.weights[place]:
            if not graph.children[place]:
                return Fraction(0)
            [place] = graph.children[place]
        falls = zip(graph.children[place], graph.weights[place], strict=True)
        return Fraction(sum(weight for child, weight in falls if child in graph.ends), graph.ways)


def chances(graph: Graph, often: list[int]) -> tuple[Chances, Number]:
    """The chance of each end of a graph without open choices, and the throws, as `reached` says."""
    scale = graph.scale
    ends: Chances = {
        ending: Fraction(often[node], scale)
        for node, ending in graph.ends.items()
        if node < len(often) and often[node]
    }
    throws = sum(count for node, count in enumerate(often) if graph.weights[node])
    return ends, Fraction(throws, scale)
