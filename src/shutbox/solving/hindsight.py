"""Solo games with known dice: the best possible result, and the result of exact play.

Throws are numbered, and each shows the same dice whatever was covered before. So the best result
is found by searching every position after every number of throws, each pair once.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.play import play_out
from shutbox.games.traits import traits_of
from shutbox.solving.objectives import MEAN
from shutbox.solving.solvers import solve_once

MOST_POSITIONS = 200_000  # to search, by an upper bound; in fact there are far fewer

Rolls = Callable[[int, Dice], Roll]  # by the number of a throw, counted from 1, and its dice


@dataclass(frozen=True, slots=True)
class SoloResult:
    """The final score of a solo game, and whether the box is shut."""

    score: int  # the score of the turn
    shut: bool  # whether it shut the box


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


def in_hindsight(game: Game[Any, Any], rolls: Rolls) -> tuple[SoloResult, int]:
    """Return the best result that any choices reach with these dice, and the most throws.

    >>> from shutbox import find
    >>> from shutbox.engine.cups import NumberedCup
    >>> def rolls(number, dice):
    ...     return NumberedCup("pub", number - 1).throw(dice)
    >>> in_hindsight(find("classic"), rolls)
    (SoloResult(score=1, shut=False), 6)
    >>> exact_play(find("classic"), rolls)
    SoloResult(score=8, shut=False)

    `rolls` returns the roll of a throw by its number, from 1, and its dice. Raises TooLarge for a
    game that `check_hindsight` refuses, before any work, and for turns of several hundred events.
    """
    check_hindsight(game)
    assert game.scoring is not None  # it was checked
    sign = 1 if game.scoring.low_is_good else -1

    @cache
    def best(position: Any, thrown: int) -> tuple[tuple[int, bool], int]:
        """Return the best end (the least tuple) and the most throws; `thrown` are already made."""
        match game.awaits(position):
            case Throw(dice=dice):
                position = game.rolled(position, rolls(thrown + 1, dice))
                return best(position, thrown + 1)
            case Choose(choices=choices):
                after = [best(game.chosen(position, choice), thrown) for choice in choices]
                ends, throws = zip(*after, strict=True)
                return min(ends), max(throws)
            case Over() as over:
                return (sign * over.scores[0], not over.shut), thrown

    try:
        (score, not_shut), throws = best(game.start(), 0)
    except RecursionError:
        raise TooLarge("{game}: a turn is too long to be searched", game=game.name) from None
    return SoloResult(sign * score, not not_shut), throws


def exact_play(game: Game[Any, Any], rolls: Rolls) -> SoloResult:
    """Return the result with these dice of a player who goes for the best expected score.

    `rolls` is as in `in_hindsight`. Raises TooLarge as `check_hindsight` and `solve` do.
    """
    check_hindsight(game)
    solution, numbers = solve_once(game, MEAN), count(1)
    best: Any = SimpleNamespace(pick=lambda _, position, choices: solution.options(position).choice)
    cup: Any = SimpleNamespace(throw=lambda dice: rolls(next(numbers), dice))
    over = play_out(game, best, cup)
    return SoloResult(over.scores[0], over.shut)
