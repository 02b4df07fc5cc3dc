"""Backward induction over the game protocol: every position once, after its successors.

Three functions compute the result of an end, a choice and a throw. It can be a value for a solver,
a node for a graph, or anything else that is made from the results of the successors.
"""

from collections.abc import Callable
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
    circle_refusal,
    successors,
)
from shutbox.solving.graph import Builder, Taken
from shutbox.solving.progress import Progress, no_progress

T = TypeVar("T")
ResultOf = Callable[[Any], T]
"""A function that returns the result of the position after a choice, or after a roll."""

REPORT_EVERY = 1024  # results between two calls of `progress`


def check_has_values(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that can go on forever or has no scores: positions have no value.

    Raises NotUnderstood for an object that is no game.
    """
    check_game(game)
    if game.longest is None:
        raise TooLarge("{game} can go on forever, so its positions have no value", game=game.name)
    if game.scoring is None:
        raise TooLarge("{game} has no scores, so its positions have no value", game=game.name)


class Fold(Generic[P, C, T]):
    """A function from the positions of a game to results, computed by backward induction.

    `over`, `choose` and `throw` get the position and what the game waits for there. The last two
    also get a function that returns the result after a choice or a roll.

    `canonical` maps positions with the same continuations to one of them, and only that one is
    passed on. Without it, every position has a result of its own. `progress` is called now and
    then with the number of results and 0, as the total is unknown.

    Raises TooLarge as `check_has_values` does. A call raises it if a position can come back, and
    for plays over a few hundred events, or functions that recurse: Python's recursion limit.

    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> throws = Fold(
    ...     six,
    ...     over=lambda position, awaited: 0,
    ...     choose=lambda position, awaited, after: max(map(after, awaited.choices)),
    ...     throw=lambda position, awaited, after: 1
    ...     + max(after(roll) for roll, _ in awaited.dice.outcomes()),
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
        canonical: Callable[[P], P] | None = None,
        progress: Progress = no_progress,
    ) -> None:
        check_has_values(game)
        self.game = game
        self.results: dict[P, T] = {}  # the results so far, by positions that `canonical` returned
        self._over, self._choose, self._throw = over, choose, throw
        self._canonical = canonical or _itself
        self._progress = progress

    def __call__(self, position: P) -> T:
        """Return the result of a position, computing it and all results that it needs only once."""
        try:
            return self._after(_itself, position, None)
        except RecursionError:
            raise self._too_long(position) from None

    def _too_long(self, position: P) -> TooLarge:
        """Return the refusal of plays that are too long or, unlike what the game says, endless."""
        # What was being computed still has no result. So a walk through positions without one goes
        # down the same way again; if the game comes back, it meets one of them twice.
        path = set[P]()
        reached: P | None = self._canonical(position)
        while reached is not None and len(path) < getrecursionlimit():
            if reached in path:
                return circle_refusal(self.game, reached)
            path.add(reached)
            after = map(self._canonical, successors(self.game, reached))
            reached = next((there for there in after if there not in self.results), None)
        return TooLarge(
            "{name} can take {longest:,} events; plays of so many are not solved",
            name=self.game.name,
            longest=self.game.longest,
        )

    def _after(self, step: Callable[[P, Any], P], position: P, move: Any) -> T:
        """Return the result of the position to which a choice or a roll leads by `step`."""
        # Called through `partial`, which adds no frame: Python limits the depth of recursion.
        canonical = self._canonical(step(position, move))
        if canonical in self.results:
            return self.results[canonical]
        match self.game.awaits(canonical):
            case Over() as awaited:
                result = self._over(canonical, awaited)
            case Choose() as awaited:
                after = partial(self._after, self.game.chosen, canonical)
                result = self._choose(canonical, awaited, after)
            case Throw() as awaited:
                after = partial(self._after, self.game.rolled, canonical)
                result = self._throw(canonical, awaited, after)
        self.results[canonical] = result
        if len(self.results) % REPORT_EVERY == 0:
            self._progress(len(self.results), 0)
        return result


def _itself(position: P, move: object = None) -> P:
    return position


def node_fold(
    game: Game[P, C],
    builder: Builder,
    choose: Callable[[P, Choose[C], ResultOf[int]], int],
    over: Callable[[P, Over], int] | None = None,
    canonical: Callable[[P], P] | None = None,
    progress: Progress = no_progress,
) -> Fold[P, C, int]:
    """Return a fold from positions to numbers of their nodes, made in `builder` as needed.

    `choose` makes the nodes of choices, `over` those of ends; without it, ends share one if their
    score and `shut` are the same. The other arguments are as in `Fold`.
    """

    def end(position: P, awaited: Over) -> int:
        return builder.end(awaited.scores[0], awaited.shut)

    def throw(position: P, awaited: Throw, after: ResultOf[int]) -> int:
        return builder.throw((after(roll), weight) for roll, weight in awaited.dice.outcomes())

    return Fold(
        game, over=over or end, choose=choose, throw=throw, canonical=canonical, progress=progress
    )


class GameGraph(Generic[P, C]):
    """The graph of a game from a position on.

    `canonical` maps positions with the same continuations to one of them, which share a node. So
    do equal ends, and two positions if the only choice at one leads to the other, which is no end.
    Raises TooLarge as `Fold` does.
    """

    def __init__(
        self,
        game: Game[P, C],
        position: P,
        canonical: Callable[[P], P] | None = None,
        progress: Progress = no_progress,
    ) -> None:
        self.game = game
        self._canonical = canonical or _itself
        self.root = self._canonical(position)  # the position that the graph begins with
        self._takes: dict[P, list[Taken]] = {}
        builder = Builder(taken=self._taken)

        def choose(position: P, awaited: Choose[C], after: ResultOf[int]) -> int:
            return builder.choice(tuple(map(after, awaited.choices)), label=position)

        node_of = node_fold(game, builder, choose, canonical=canonical, progress=progress)
        node_of(position)
        self._nodes = node_of.results
        self.graph = builder.graph()

    def _taken(self, position: P) -> list[Taken]:
        # Scenes are slow to make, so each one is made only when it is needed.
        if position not in self._takes:
            self._takes[position] = self.game.scene(position).numbers_taken()
        return self._takes[position]

    def find(self, position: P) -> int | None:
        """Return the node of a position, or None if it cannot be reached from the root."""
        return self._nodes.get(self._canonical(position))

    def holds(self, position: P) -> bool:
        """Whether the position can be reached from the root."""
        return self.find(position) is not None
