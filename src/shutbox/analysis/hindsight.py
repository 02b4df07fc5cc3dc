"""Solo games with known dice: the best possible result, and the result of exact play.

Throws are numbered, and each shows the same dice whatever was covered before. So the best result
is found by searching every position after every number of throws, each pair once. A formula bounds
the number of pairs before the search begins.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from shutbox.analysis.solvers.select import solve_once
from shutbox.dice import Dice, Roll
from shutbox.errors import TooLarge
from shutbox.game import Awaited, Choose, Game, Over, Throw
from shutbox.games.traits import traits_of
from shutbox.solver.fold import Fold, ResultOf
from shutbox.solver.objectives import MEAN

MOST_POSITIONS = 200_000  # to search, by the formula; in fact there are far fewer

Rolls = Callable[[int, Dice], Roll]
"""A function that returns the roll for the number of a throw, counted from 1, and its dice."""


_At = tuple[Any, int]  # a position, and the number of throws before it
_Best = tuple[tuple[int, bool], int]  # the end (the least is the best), and the most throws


@dataclass(frozen=True, slots=True)
class SoloResult:
    """The final score of a solo game, and whether the box is shut."""

    score: int  # the score of the turn
    shut: bool  # whether it shut the box


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The best possible result with known dice, and the most throws of any line of play."""

    best: SoloResult
    throws: int


def check_hindsight(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that is too large or endless, or has no scores or no known size."""
    positions, longest = traits_of(game).most_positions, game.longest
    if game.scoring is None or positions is None or longest is None:
        raise TooLarge("only one turn of a game that ends is searched for its best result")
    if positions * longest > MOST_POSITIONS:
        raise TooLarge(
            "{game}: up to {number:,} positions would be searched; at most {most:,} are",
            game=game.name,
            number=positions * longest,
            most=MOST_POSITIONS,
        )


def in_hindsight(game: Game[Any, Any], rolls: Rolls) -> Hindsight:
    """Return the best result that any choices reach with these dice, and the most throws.

    >>> from shutbox import find
    >>> from shutbox.cups import NumberedCup
    >>> def rolls(number, dice):
    ...     return NumberedCup("pub", number - 1).throw(dice)
    >>> in_hindsight(find("classic"), rolls)
    Hindsight(best=SoloResult(score=1, shut=False), throws=6)
    >>> exact_play(find("classic"), rolls)
    SoloResult(score=8, shut=False)

    Raises TooLarge, before any work, for a game that `check_hindsight` refuses.
    """
    check_hindsight(game)
    assert game.scoring is not None  # it was checked
    sign = 1 if game.scoring.low_is_good else -1

    def over(at: _At, over: Over) -> _Best:
        return (sign * over.scores[0], not over.shut), 0

    def choose(at: _At, choose: Choose[Any], after: ResultOf[_Best]) -> _Best:
        ends, throws = zip(*map(after, choose.choices), strict=True)
        return min(ends), max(throws)

    def throw(at: _At, throw: Throw, after: ResultOf[_Best]) -> _Best:
        end, throws = after(rolls(at[1] + 1, throw.dice))
        return end, throws + 1

    numbered: Any = _Numbered(game)
    best = Fold[_At, Any, _Best](numbered, over=over, choose=choose, throw=throw)
    (score, not_shut), throws = best((game.start(), 0))
    return Hindsight(SoloResult(sign * score, not not_shut), throws)


def exact_play(game: Game[Any, Any], rolls: Rolls) -> SoloResult:
    """Return the result with these dice of a player who does not know them in advance.

    The player goes for the best expected score, and takes the first of equally good choices.
    Raises TooLarge for a game that `check_hindsight` refuses.
    """
    check_hindsight(game)
    solution, position, number = solve_once(game, MEAN), game.start(), 0
    while True:
        match game.awaits(position):
            case Throw(dice=dice):
                number += 1
                position = game.rolled(position, rolls(number, dice))
            case Choose():
                position = game.chosen(position, solution.options(position).choice)
            case Over() as over:
                return SoloResult(over.scores[0], over.shut)


class _Numbered:
    """A game whose positions also hold the number of throws before them."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game
        self.name, self.longest, self.scoring = game.name, game.longest, game.scoring

    def awaits(self, at: _At) -> Awaited[Any]:
        return self._game.awaits(at[0])

    def chosen(self, at: _At, choice: Any) -> _At:
        return self._game.chosen(at[0], choice), at[1]

    def rolled(self, at: _At, roll: Roll) -> _At:
        return self._game.rolled(at[0], roll), at[1] + 1
