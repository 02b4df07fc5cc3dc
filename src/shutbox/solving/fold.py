"""Backward induction over the game protocol: every position once, after its successors.

Three functions compute the result of an end, a choice and a throw. It can be a value for a solver,
a node for a graph, or anything else that is made from the results of the successors.
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial
from sys import getrecursionlimit
from typing import Any, Generic, TypeVar

from shutbox.engine.errors import TooLarge
from shutbox.engine.game import (
    C,
    Choose,
    Game,
    Over,
    P,
    Throw,
    check_game,
    comes_back,
    due,
    position_meant,
    successors,
)
from shutbox.solving.graph import Builder, Progress, Taken, no_progress
from shutbox.solving.objectives import Aim

T = TypeVar("T")
ResultOf = Callable[[Any], T]
"""A function that returns the result of the position after a choice, or after a roll."""


def unchanged(position: P) -> P:
    """Return the position itself: `canonical` for a game whose positions all go on differently."""
    return position


def check_ends(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that can go on forever or has no scores; see also `check_game`."""
    check_game(game)
    if game.longest is None or game.scoring is None:
        raise TooLarge("{game} can go on forever, so its positions have no value", game=game.name)


class Fold(Generic[P, C, T]):
    """A function from the positions of a game to results, computed by backward induction.

    `over`, `choose` and `throw` get the position and what the game waits for there. The last two
    also get a function that returns the result after a choice or a roll. `canonical` maps positions
    with the same continuations to one of them, and only that one is passed on. `progress` is called
    now and then with the number of results and 0, as the total is unknown. Raises TooLarge as
    `check_ends` does; a call does so if a position can come back, and for plays over a few hundred
    events, Python's recursion limit.

    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> throws = Fold(
    ...     six,
    ...     over=lambda position, over: 0,
    ...     choose=lambda position, choose, after: max(map(after, choose.choices)),
    ...     throw=lambda position, throw, after: 1 + max(after(r) for r, _ in throw.dice.outcomes())
    ... )
    >>> throws(six.start()), throws(six.position_at("1.2"))
    (6, 2)
    """

    def __init__(
        self,
        game: Game[P, C],
        *,
        over: Callable[[P, Over], T],
        choose: Callable[[P, Choose[C], ResultOf[T]], T],
        throw: Callable[[P, Throw, ResultOf[T]], T],
        canonical: Callable[[P], P] = unchanged,
        progress: Progress = no_progress,
    ) -> None:
        check_ends(game)
        self.game = game
        self.results: dict[P, T] = {}  # the results so far, by positions that `canonical` returned
        self._over, self._choose, self._throw = over, choose, throw
        self._canonical = canonical
        self._progress = progress

    def __call__(self, position: P) -> T:
        """Return the result of a position, computing it and all results that it needs only once."""
        with suppress(RecursionError):
            return self._after(lambda here, taken: here, position, None)
        raise self._too_long(position)

    def _too_long(self, position: P) -> TooLarge:
        """Return the refusal of plays that are too long or, unlike what the game says, endless."""
        path = set[P]()
        unfinished = iter([self._canonical(position)])
        while (here := next(unfinished, None)) is not None and len(path) < getrecursionlimit():
            if here in path:
                return comes_back(self.game, here)
            path.add(here)
            after = map(self._canonical, successors(self.game, here))
            unfinished = (there for there in after if there not in self.results)
        return TooLarge(
            "{name} can take {longest:,} events; plays of so many are not solved",
            name=self.game.name,
            longest=self.game.longest,
        )

    def _after(self, step: Callable[[P, Any], P], position: P, taken: Any) -> T:
        # Called through `partial`, which adds no frame: Python limits the depth of recursion.
        here = self._canonical(step(position, taken))
        if here in self.results:
            return self.results[here]
        match self.game.awaits(here):
            case Over() as over:
                found = self._over(here, over)
            case Choose() as choose:
                found = self._choose(here, choose, partial(self._after, self.game.chosen, here))
            case Throw() as throw:
                found = self._throw(here, throw, partial(self._after, self.game.rolled, here))
        self.results[here] = found
        if len(self.results) % 1024 == 0:
            self._progress(len(self.results), 0)
        return found


def nodes(
    game: Game[P, C],
    builder: Builder,
    choose: Callable[[P, Choose[C], ResultOf[int]], int],
    over: Callable[[P, Over], int] | None = None,
    canonical: Callable[[P], P] = unchanged,
    progress: Progress = no_progress,
) -> Fold[P, C, int]:
    """Return a fold from positions to numbers of their nodes, made in `builder` as needed.

    `choose` makes the nodes of choices, `over` those of ends; without it, ends share one if their
    score and `shut` are the same. The other arguments are as in `Fold`.
    """

    def end(position: P, over: Over) -> int:
        return builder.end(over.scores[0], over.shut)

    def throw(position: P, throw: Throw, after: ResultOf[int]) -> int:
        return builder.throw((after(roll), weight) for roll, weight in throw.dice.outcomes())

    return Fold(
        game, over=over or end, choose=choose, throw=throw, canonical=canonical, progress=progress
    )


class Unfolded(Generic[P, C]):
    """The graph of a game from a position on.

    `canonical` maps positions with the same continuations to one of them. Two positions also share
    a node if they are equal ends, or if the only choice at one leads to the other, which is no end.
    Raises TooLarge as `Fold` does.
    """

    def __init__(
        self,
        game: Game[P, C],
        position: P,
        canonical: Callable[[P], P] = unchanged,
        progress: Progress = no_progress,
    ) -> None:
        self.game = game
        self.root = canonical(position)  # the position that the graph begins with
        self._canonical = canonical
        self._takes: dict[P, list[Taken]] = {}
        builder = Builder(taken=self._taken)

        def choose(here: P, choose: Choose[C], after: ResultOf[int]) -> int:
            return builder.choice(tuple(map(after, choose.choices)), label=here)

        unfold = nodes(game, builder, choose, canonical=canonical, progress=progress)
        unfold(position)
        self._nodes = unfold.results
        self.graph = builder.graph()

    def _taken(self, here: P) -> list[Taken]:
        # Scenes are slow to make, so each one is made only when it is needed.
        if here not in self._takes:
            self._takes[here] = self.game.scene(here).numbers_taken()
        return self._takes[here]

    def find(self, position: P) -> int | None:
        """Return the node of a position, or None if it cannot be reached from the root."""
        return self._nodes.get(self._canonical(position))

    def holds(self, position: P) -> bool:
        """Whether the position can be reached from the root."""
        return self.find(position) is not None


class ExactSolver(Generic[P, C]):
    """A solver of a game under an aim by the protocol alone: the reference for all faster ones.

    The value of a position is the payoff of its end, the best value after a choice, or the weighted
    mean of the values after a throw. All are exact fractions. Raises TooLarge as `Fold` does.

    >>> from shutbox import find
    >>> from shutbox.solving import SHUT
    >>> six = ExactSolver(find("six"), SHUT)
    >>> six.value()
    Fraction(145, 1944)
    >>> position = six.game.position_at("1-6/5")
    >>> six.game.choice_text(six.best(position))
    '5'
    """

    def __init__(self, game: Game[P, C], aim: Aim) -> None:
        self._fold = Fold(game, over=self._over, choose=self._choose, throw=self._throw)
        self.game = game
        self.aim = aim

    def value(self, position: P | None = None) -> Fraction:
        """Return the value under best play from a position, or from the start."""
        return self._fold(position_meant(self.game, position))

    def _over(self, position: P, over: Over) -> Fraction:
        return Fraction(self.aim.payoff(over))

    def _choose(self, position: P, choose: Choose[C], after: ResultOf[Fraction]) -> Fraction:
        pick = max if self._more(choose.seat) else min
        return pick(map(after, choose.choices))

    def _more(self, seat: int) -> bool:
        assert self.game.scoring is not None  # `Fold` refuses other games
        return self.aim.more_is_better(self.game.scoring, seat)

    def _throw(self, position: P, throw: Throw, after: ResultOf[Fraction]) -> Fraction:
        dice = throw.dice
        weighed = sum(weight * after(roll) for roll, weight in dice.outcomes())
        return Fraction(weighed, dice.total_weight)

    def best(self, position: P) -> C:
        """Return the best choice of a position; of equally good ones the first in canonical order.

        Of covers that is the one with the fewest tiles, and of these the one with the highest
        tile. Raises NothingDue if no choice is due.
        """
        position = position_meant(self.game, position)
        awaited = due(self.game, position)
        pick = max if self._more(awaited.seat) else min
        return pick(awaited.choices, key=lambda c: self.value(self.game.chosen(position, c)))
