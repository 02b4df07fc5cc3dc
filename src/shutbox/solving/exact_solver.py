"""The reference solver: backward induction over the protocol, in exact fractions."""

from fractions import Fraction
from typing import Generic

from shutbox.engine.game import C, Choose, Game, Over, P, Throw, due_choices, position_meant
from shutbox.solving.fold import Fold, ResultOf
from shutbox.solving.objectives import Aim


class ExactSolver(Generic[P, C]):
    """A solver of a game under an aim by the protocol alone: the reference for all faster ones.

    The value of a position is the payoff of its end, the best value after a choice, or the weighted
    mean of the values after a throw. All are exact fractions, for every position that is asked for
    and all after it. Their number has no limit, so this is for small games only.

    Raises TooLarge for a game that can go on without end; `value` and `best` raise it for plays
    that are too long.

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

    def _choose(self, position: P, awaited: Choose[C], after: ResultOf[Fraction]) -> Fraction:
        pick = max if self._maximises(awaited.seat) else min
        return pick(map(after, awaited.choices))

    def _maximises(self, seat: int) -> bool:
        assert self.game.scoring is not None  # `Fold` refuses other games
        return self.aim.more_is_better(self.game.scoring, seat)

    def _throw(self, position: P, awaited: Throw, after: ResultOf[Fraction]) -> Fraction:
        dice = awaited.dice
        weighed = sum(weight * after(roll) for roll, weight in dice.outcomes())
        return Fraction(weighed, dice.total_weight)

    def best(self, position: P) -> C:
        """Return the best choice of a position; of equally good ones the first in canonical order.

        Raises NothingDue if no choice is due.
        """
        position = position_meant(self.game, position)
        awaited = due_choices(self.game, position)
        pick = max if self._maximises(awaited.seat) else min
        return pick(awaited.choices, key=lambda c: self.value(self.game.chosen(position, c)))
