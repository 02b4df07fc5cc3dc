"""The solution of a turn in exact fractions, made from its graph."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from shutbox.engine.game import C, Game, Over, P
from shutbox.solving.graph import Graph
from shutbox.solving.objectives import Aim
from shutbox.solving.options import Number, apart
from shutbox.solving.solution import Chances, Solution, TurnEnds

Place = TypeVar("Place", contravariant=True)


class Turns(Protocol[Place]):
    """An object with the graph of a turn, which finds the node of a position in it."""

    graph: Graph

    @property
    def root(self) -> Hashable:
        """A key of the position at which the graph begins, for comparing solutions."""

    def find(self, position: Place) -> int | None:
        """Return the node of a position, or None if it has none in the graph."""

    def holds(self, position: Place) -> bool:
        """Whether the root can lead to the position; of a box only tiles are checked, not dice."""


class GraphSolution(Solution[P, C]):
    """A solution made from a graph, in exact fractions.

    >>> import shutbox
    >>> solution = shutbox.solve("six", "shut", exact=True)
    >>> solution.chances()[0, True], round(float(solution.throws()), 3)
    (Fraction(145, 1944), 4.239)
    """

    near = Fraction(0)  # values that are no further apart are ties

    if TYPE_CHECKING:  # its numbers are exact

        def value(self, position: Any = None) -> Fraction:
            """Return the exact value of a position, as `Solution.value` does."""

        def shut(self, position: Any = None) -> Fraction:
            """Return the exact chance to shut the box, as `Solution.shut` does."""

        def distribution(self, position: Any = None) -> dict[int, Fraction]:
            """Return the exact probability of each final score."""

    def __init__(self, game: Game[P, C], aim: Aim, turns: Turns[P], start: P | None = None) -> None:
        super().__init__(game, aim, turns.root, start)
        self.turns = turns
        self.graph = turns.graph
        self.payoffs = {  # the payoff of each end
            node: Fraction(aim.payoff(Over((score,), shut)))
            for node, (score, shut) in self.graph.ends.items()
        }
        self.values, self.divisor = self.graph.values_and_divisor(self.payoffs, more=self.more)
        """The value of every node, times `divisor`, and this factor, which makes all whole."""

    @cached_property
    def policy_graph(self) -> Graph:
        """The graph in which each choice leads only to its best child."""
        near = int(self.near * self.divisor)
        best = self.graph.best_children(self.values, more=self.more, near=near)
        return self.graph.with_choices(best)

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value is within `near` of the best."""
        return apart(value, best) <= self.near if self.near else value == best

    @cached_property
    def shuts(self) -> list[int]:
        """The chance to shut the box from every node, playing for the aim, times `graph.scale`."""
        payoffs = {node: int(shut) for node, (_, shut) in self.graph.ends.items()}
        return self.policy_graph.node_values(payoffs, more=True)

    @property
    def size(self) -> int:
        """The number of throws in the graph."""
        return sum(map(bool, self.graph.weights))

    def _counted(self) -> str:
        boxes = getattr(self.turns, "boxes", 0)
        return f"{boxes:,} boxes" if boxes else super()._counted()

    def place(self, position: P) -> int | None:
        """Return the node of a position in the graph, or None if it has none."""
        return self.turns.find(position)

    def _holds(self, position: P) -> bool:
        return self.turns.holds(position)

    def value_at(self, place: int) -> Fraction:
        """Return the exact value of a node, in the unit of the aim."""
        return Fraction(self.values[place], self.divisor)

    def shut_at(self, place: int) -> Fraction:
        """Return the exact chance to shut the box from a node, playing for the aim."""
        return Fraction(self.shuts[place], self.graph.scale)

    def turn_ends_at(self, place: int) -> TurnEnds:
        """Return the exact chance of each possible (score, shut) from a node, and mean throws."""
        return turn_ends_of(self.policy_graph, self.policy_graph.scaled_chances(place))

    def ending_chance(self, place: int) -> Fraction:
        """Return the exact chance that the next throw after a node ends the turn; 0 at an end."""
        graph = self.policy_graph
        while not graph.weights[place]:
            if not graph.children[place]:
                return Fraction(0)
            [place] = graph.children[place]
        outcomes = zip(graph.children[place], graph.weights[place], strict=True)
        ending = sum([weight for child, weight in outcomes if child in graph.ends])
        return Fraction(ending, graph.total)


def turn_ends_of(graph: Graph, scaled: list[int]) -> TurnEnds:
    """Return the exact chances and throws for `scaled` from `graph.scaled_chances`."""
    scale = graph.scale
    chances: Chances = {
        ending: Fraction(scaled[node], scale)
        for node, ending in graph.ends.items()
        if node < len(scaled) and scaled[node]
    }
    throws = sum(chance for node, chance in enumerate(scaled) if graph.weights[node])
    return TurnEnds(chances, Fraction(throws, scale))
