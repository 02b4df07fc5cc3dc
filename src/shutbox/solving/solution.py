"""The values of a turn's positions and the best choices there: one interface for all solvers.

A solver has the values of some positions, such as those before each throw. The values of all
others follow from these and from the game protocol, so they are computed here, in one place.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from shutbox.engine.english import figure
from shutbox.engine.errors import NothingDue, needing
from shutbox.engine.game import (
    C,
    Choose,
    Game,
    Over,
    P,
    Placed,
    Throw,
    check_game,
    due,
    position_meant,
    position_text,
    successors,
)
from shutbox.engine.lru import LruCache
from shutbox.output.results import Column, Result, Row
from shutbox.solving.graph import Ending, Graph
from shutbox.solving.objectives import Aim
from shutbox.solving.options import Number, Option, Options, Ranking, apart

if TYPE_CHECKING:
    from shutbox.solving.policy import Policy

MOST_OPTIONS = 1 << 12  # the most positions whose choices and their values are cached

_OF_SOLVERS = {"as_good", "chances_at", "ends_at", "place", "shut_at", "tells_chances", "value_at"}

Chances = dict[Ending, Number]  # the probability of each end


def by_score(chances: Chances) -> dict[int, Number]:
    """Return the probability of each final score, the scores ascending.

    >>> by_score({(7, False): 0.5, (0, True): 0.25, (0, False): 0.25})
    {0: 0.5, 7: 0.5}
    """
    found: dict[int, Number] = {}
    for (score, _), chance in sorted(chances.items()):
        found[score] = found[score] + chance if score in found else chance
    return found


def variance(scores: Mapping[int, Number]) -> Number:
    """Return the variance of the scores with these chances, in squared points."""
    none = Fraction(0)
    mean = sum((score * chance for score, chance in scores.items()), start=none)
    return sum((chance * (score - mean) ** 2 for score, chance in scores.items()), start=none)


def to_shut(chances: Chances) -> Number:
    """Return the probability to shut the box, or to complete the crew."""
    return sum((chance for (_, shut), chance in chances.items() if shut), start=Fraction(0))


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


class Solution(Result, Generic[P, C]):
    """The values of one turn's positions under an aim, and the results of playing for it.

    >>> import shutbox
    >>> solution = shutbox.solve("classic")
    >>> solution
    Solution(classic, mean = 11.0092, 512 boxes)
    >>> solution.best("2.4.5.9/4+5")
    Option(9, value = 5.7302, cost = 0)
    >>> solution.ranked("2.4.5.9/4+5")
    Ranking(9: 5.7302; 4 5: 9.2685)

    Solutions are equal if their game, aim, starting position and solver are.

    A position can also be given as a text, such as `1.5.9/2+4`, or a `Position`. Without one it is
    `start`, the position that was solved from; `game`, `aim` and `more` (whether more is better)
    say what was solved. Of equally good choices the first in canonical order is played. Methods
    raise NothingDue for a position that `holds` rules out, NotUnderstood for a text or a view of
    another game and for anything that is no position, and what `Game.position_at` raises for a
    text. A bare position carries no game, so one of another game with the same tiles is accepted.
    `place` and `after` take positions only, without these checks.
    """

    NAME = "Solution"
    COLUMNS = (Column("score", int), Column("chance", float))

    def __init__(self, game: Game[P, C], aim: Aim, root: Hashable, start: P | None = None) -> None:
        check_game(game)
        scoring = game.scoring
        assert scoring is not None  # games without scores are refused before they are solved
        self.game = game
        self.aim = aim
        self.more = aim.more_is_better(scoring, 0)
        self._pick: Callable[[Iterable[Number]], Number] = max if self.more else min
        self.start: P = game.start() if start is None else start  # the position solved from
        self._identity = type(self), game, aim, root, self.start
        self._chosen: Callable[[P, C], P] = game.chosen
        # Results are cached because positions come up again.
        self._known: dict[P, Number] = {}
        self._options = LruCache[P, Options[C]](MOST_OPTIONS)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)

    def __dir__(self) -> list[str]:
        """Return the names that are documented, without those that solvers implement."""
        return sorted({*dir(Solution), "aim", "game", "more", "start"} - _OF_SOLVERS)

    def _summary(self) -> str:
        started = self.start == self.game.start()
        place = self.game.name if started else position_text(self.game, self.start)
        return f"{place}, {self.aim.name} = {figure(self.value())}, {self._counted()}"

    def _counted(self) -> str:
        return f"{self.size:,} positions"

    def _rows(self) -> Iterator[Row]:
        found = self.distribution() if self.tells_chances else {}
        return ((score, float(chance)) for score, chance in found.items())

    @property
    def tells_chances(self) -> bool:
        """Whether `chances` and `shut` take no more memory or time than values; else no `rows`."""
        return True

    # Implemented by solvers. A place is the number that a solver has for a position.

    @abstractmethod
    def place(self, position: P) -> int | None:
        """Return the solver's number for a position; None if its values follow from later ones."""

    @abstractmethod
    def _holds(self, position: P) -> bool:
        """Whether `start` can lead to the position; of a box only tiles are checked, not dice."""

    @abstractmethod
    def value_at(self, place: int) -> Number:
        """Return the value at a place, in the unit of the aim."""

    @abstractmethod
    def shut_at(self, place: int) -> Number:
        """Return the chance to shut the box from a place, playing for the aim."""

    @abstractmethod
    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """Return each end's chance, by (score, shut), from a place, and the expected throws."""

    @abstractmethod
    def ends_at(self, place: int) -> Number:
        """Return the chance that the next throw from a place ends the turn."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Roughly the number of positions before a throw; equal futures can be counted as one."""

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value ties with the best one."""
        return value == best

    def after(self, position: P, choice: C) -> P:
        """Return the position after a choice; the caller must know that it is legal there."""
        return self._chosen(position, choice)

    # Derived from the methods above.

    def holds(self, position: P | str | Placed | None) -> bool:
        """Whether `start` can lead to the position; of a box only tiles are checked, not dice."""
        return self._holds(position_meant(self.game, position, self.start))

    def value(self, position: P | str | Placed | None = None) -> Number:
        """Return the value of a position under best play, in the unit of the aim."""
        known = self._known.get(position) if isinstance(position, type(self.start)) else None
        return self._value(self._checked(position)) if known is None else known

    def _value(self, here: P) -> Number:
        if here not in self._known:
            self._known[here] = self._computed(here)
        return self._known[here]

    def _computed(self, here: P) -> Number:
        if (place := self.place(here)) is not None:
            return self.value_at(place)
        match self.game.awaits(here):
            case Over() as over:
                return Fraction(self.aim.payoff(over))
            case Choose():
                return self.options(here).top
            case Throw():
                return self._expected(self._value, here)

    def best(self, position: P | str | Placed | None = None) -> Option[C]:
        """Return the best choice, the first of equal ones. Raises NothingDue as `options` does."""
        options = self.options(position)
        return self._option(options, options.best)

    def _option(self, options: Options[C], place: int) -> Option[C]:
        text = self.game.choice_text(options.choices[place])
        return Option(text, options.values[place], options.costs[place], options.choices[place])

    def options(self, position: P | str | Placed | None = None) -> Options[C]:
        """Return the choices with values. Raises NothingDue if none is due or `holds` is false."""
        known = self._options.find(position) if isinstance(position, type(self.start)) else None
        if known is not None:
            return known
        here = self._checked(position)
        choices = due(self.game, here).choices
        values = tuple([self._value(self._chosen(here, choice)) for choice in choices])
        options = Options(choices, values, self._pick(values), self.as_good)
        return self._options.put(here, options)

    def ranked(self, position: P | str | Placed | None = None) -> Ranking[C]:
        """Return an `Option` for each choice, best first. Raises NothingDue as `options` does."""
        options = self.options(position)
        order = sorted(range(len(options.choices)), key=lambda place: options.costs[place])
        return Ranking(self._option(options, place) for place in order)

    def shut(self, position: P | str | Placed | None = None) -> Number:
        """Return the chance to shut the box, or complete the crew, playing for the aim."""
        here = self.played(self._checked(position))
        if (place := self.place(here)) is not None:
            return self.shut_at(place)
        if isinstance(over := self.game.awaits(here), Over):
            return Fraction(int(over.shut))
        return self._expected(self.shut, here)

    def chances(self, position: P | str | Placed | None = None) -> tuple[Chances, Number]:
        """Return each end's chance, by (score, shut), and expected throws, playing for the aim."""
        here = self.played(self._checked(position))
        if (place := self.place(here)) is not None:
            return self.chances_at(place)
        if isinstance(over := self.game.awaits(here), Over):
            return {(over.scores[0], over.shut): Fraction(1)}, Fraction(0)
        found: Chances = {}
        throws: Number = Fraction(1)
        for after, share in self._falls(here):
            ends, more = self.chances(after)
            throws += more * share
            for end, chance in ends.items():
                found[end] = found.get(end, Fraction(0)) + chance * share
        return found, throws

    def distribution(self, position: P | str | Placed | None = None) -> Mapping[int, Number]:
        """Return the probability of each possible final score, ascending, playing for the aim."""
        return by_score(self.chances(position)[0])

    def variance(self, position: P | str | Placed | None = None) -> Number:
        """Return the variance of the final score, in squared points, playing for the aim."""
        return variance(self.distribution(position))

    def throws(self, position: P | str | Placed | None = None) -> Number:
        """Return the expected number of throws to the end of the turn, playing for the aim."""
        return self.chances(position)[1]

    def positions(self) -> Iterator[P]:
        """Yield every position from `start` on at which a throw or a choice is due, each once.

        Those fewer events away come first; among these, those after lower rolls or earlier choices.
        """
        game = self.game
        seen, waiting = {self.start}, deque([self.start])
        while waiting:
            here = waiting.popleft()
            if isinstance(game.awaits(here), Over):
                continue
            yield here
            after = dict.fromkeys(successors(game, here))
            fresh = [each for each in after if each not in seen]
            seen.update(fresh)
            waiting.extend(fresh)

    def policy(self) -> "Policy":
        """Return the best choice of every position at which one is due, as arrays.

        Raises NotInstalled without NumPy, and TooLarge if an estimate exceeds MOST_ROWS rows.
        """
        with needing("fast"):
            from shutbox.solving.policy import policy_of
        return policy_of(self)

    def plot(self, ax: Any = None, position: P | str | Placed | None = None) -> Any:
        """Draw the chance of each score on `ax` or new axes; return these. Raises NotInstalled."""
        from shutbox.solving.score_plot import draw_scores  # hardly any program needs it

        title = f"{self.game.card().title} ({self.aim.name})"
        return draw_scores(ax, title, self.distribution(position))

    def ends(self, position: P | str | Placed | None = None) -> Number:
        """Return the chance that the throw after best choices ends the turn; 0 if none follows."""
        here = self.played(self._checked(position))
        if (place := self.place(here)) is not None:
            return self.ends_at(place)
        if not isinstance(awaited := self.game.awaits(here), Throw):
            return Fraction(0)
        after = ((self.game.rolled(here, roll), weight) for roll, weight in awaited.dice.outcomes())
        ended = sum(weight for at, weight in after if isinstance(self.game.awaits(at), Over))
        return Fraction(ended, awaited.dice.total_weight)

    def played(self, position: P | str | Placed | None) -> P:
        """Return the position after best choices, made until it has a place or no choice is due."""
        here: P = position_meant(self.game, position, self.start)
        # The place where dice are due includes the choice of how many to throw.
        while isinstance(self.game.awaits(here), Choose) and self.place(here) is None:
            here = self._chosen(here, self.options(here).choice)
        return here

    def _checked(self, position: P | str | Placed | None) -> P:
        """Return the position that is meant. Raises NothingDue if `holds` is false for it."""
        here: P = position_meant(self.game, position, self.start)
        if not self._holds(here):
            id = self.game.position_id(here)
            raise NothingDue("{position} cannot come up from what was solved", position=id)
        return here

    def _falls(self, position: P) -> Iterator[tuple[P, Fraction]]:
        """Return each position that a roll and then best choices lead to, once, with its chance."""
        awaited = self.game.awaits(position)
        assert isinstance(awaited, Throw)
        falls: dict[P, int] = {}
        for roll, weight in awaited.dice.outcomes():
            after = self.played(self.game.rolled(position, roll))
            falls[after] = falls.get(after, 0) + weight
        total = awaited.dice.total_weight
        return ((after, Fraction(weight, total)) for after, weight in falls.items())

    def _expected(self, value: Callable[[P], Number], position: P) -> Number:
        parts = (value(after) * share for after, share in self._falls(position))
        return sum(parts, start=Fraction(0))


class GraphSolution(Solution[P, C]):
    """A solution made from a graph, in exact fractions.

    >>> import shutbox
    >>> chances, throws = shutbox.solve("six", "shut", exact=True).chances()
    >>> chances[0, True], round(float(throws), 3)
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
        self.values, self.divisor = self.graph.valued(self.payoffs, more=self.more)
        """The value of every node, times `divisor`, and this factor, which makes all whole."""

    @cached_property
    def policy_graph(self) -> Graph:
        """The graph in which each choice leads only to its best child."""
        near = int(self.near * self.divisor)
        return self.graph.with_choices(self.graph.best(self.values, more=self.more, near=near))

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value is within `near` of the best."""
        return apart(value, best) <= self.near if self.near else value == best

    @cached_property
    def shuts(self) -> list[int]:
        """The chance to shut the box from every node, playing for the aim, times `graph.scale`."""
        payoffs = {node: int(shut) for node, (_, shut) in self.graph.ends.items()}
        return self.policy_graph.solved(payoffs, more=True)

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

    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """Return the exact chance of each possible (score, shut) from a node, and mean throws."""
        return chances(self.policy_graph, self.policy_graph.reached(place))

    def ends_at(self, place: int) -> Fraction:
        """Return the exact chance that the next throw after a node ends the turn; 0 at an end."""
        return Fraction(self.ending(place), self.graph.total)

    def ending(self, place: int) -> int:
        """Return the chance that `ends_at` does, times `graph.total`."""
        graph = self.policy_graph
        while not graph.weights[place]:
            if not graph.children[place]:
                return 0
            [place] = graph.children[place]
        falls = zip(graph.children[place], graph.weights[place], strict=True)
        return sum([weight for child, weight in falls if child in graph.ends])


def chances(graph: Graph, often: list[int]) -> tuple[Chances, Number]:
    """Return each end's chance and the expected throws; `often` is a result of `graph.reached`."""
    scale = graph.scale
    ends: Chances = {
        ending: Fraction(often[node], scale)
        for node, ending in graph.ends.items()
        if node < len(often) and often[node]
    }
    throws = sum(count for node, count in enumerate(often) if graph.weights[node])
    return ends, Fraction(throws, scale)
