"""The exact solver in its simplest form: the game protocol, exact fractions, no shortcuts.

It is the reference for every faster solver. The value of a position is

- the payoff of the end if the game is over,
- the best value among the positions after each choice,
- the mean of the values after each roll, weighted by the outcomes.

Each position is computed once. The module imports no game and solves any game that must end.
"""

from fractions import Fraction
from typing import Generic

from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.solver.fold import Fold, ResultOf
from shutbox.solver.meant import due
from shutbox.solver.objectives import Aim


class ExactSolver(Generic[P, C]):
    """Values of the positions of a game under an aim.

    >>> from shutbox import find
    >>> from shutbox.solver import SHUT
    >>> six = ExactSolver(find("six"), SHUT)
    >>> six.value()
    Fraction(145, 1944)
    >>> position = six.game.position_at("1-6/5")
    >>> six.game.choice_text(six.best(position))
    '5'

    Raises TooLarge as `Fold` does.
    """

    def __init__(self, game: Game[P, C], aim: Aim) -> None:
        self._fold = Fold(game, over=self._over, choose=self._choose, throw=self._throw)
        self.game = game
        self.aim = aim

    def value(self, position: P | None = None) -> Fraction:
        """Return the value under best play from a position, or from the start."""
        return self._fold(self.game.start() if position is None else position)

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
        awaited = due(self.game, position)
        pick = max if self._more(awaited.seat) else min
        return pick(awaited.choices, key=lambda c: self.value(self.game.chosen(position, c)))
