"""Solo games with known dice: the result of exact play, and the throws that can be reached.

Throws are numbered, and each shows the same dice whatever was covered before. So every position
after every number of throws is searched, each pair once.
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
from shutbox.solving.solvers import solve_from

MOST_POSITIONS = 200_000  # to search, by an upper bound; in fact there are far fewer

Rolls = Callable[[int, Dice], Roll]  # by the number of a throw, counted from 1, and its dice


@dataclass(frozen=True, slots=True)
class SoloResult:
    """The final score of a solo game, and whether the box is shut."""

    score: int  # the score of the turn
    shut: bool  # whether it shut the box


def check_known(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that is too large or endless, or has no scores or no known size."""
    positions, longest = traits_of(game).most_positions, game.longest
    if game.scoring is None or positions is None or longest is None:
        raise TooLarge("only one turn of a game that ends is searched for its throws")
    if positions * longest > MOST_POSITIONS:
        raise TooLarge(
            "{game}: up to {number:,} positions would be searched; at most {most:,} are",
            game=game.name,
            number=positions * longest,
            most=MOST_POSITIONS,
        )


def most_throws(game: Game[Any, Any], rolls: Rolls) -> int:
    """Return the most throws that any choices reach with these dice.

    `rolls` returns the roll of a throw by its number, from 1, and its dice. Raises TooLarge for a
    game that `check_known` refuses, before any work, and for turns of several hundred events.
    """
    check_known(game)

    @cache
    def most(position: Any, thrown: int) -> int:
        """Return the most throws of the turn, of which `thrown` are already made."""
        match game.awaits(position):
            case Throw(dice=dice):
                return most(game.rolled(position, rolls(thrown + 1, dice)), thrown + 1)
            case Choose(choices=choices):
                return max(most(game.chosen(position, choice), thrown) for choice in choices)
            case Over():
                return thrown

    try:
        return most(game.start(), 0)
    except RecursionError:
        raise TooLarge("{game}: a turn is too long to be searched", game=game.name) from None


def exact_play(game: Game[Any, Any], rolls: Rolls) -> SoloResult:
    """Return the result with these dice of a player who goes for the best expected score.

    >>> from shutbox import find
    >>> from shutbox.engine.cups import NumberedCup
    >>> def rolls(number, dice):
    ...     return NumberedCup("pub", number - 1).throw(dice)
    >>> exact_play(find("classic"), rolls), most_throws(find("classic"), rolls)
    (SoloResult(score=8, shut=False), 6)

    `rolls` is as in `most_throws`. Raises TooLarge as `check_known` and `solve` do.
    """
    check_known(game)
    solution, numbers = solve_from(game), count(1)
    best: Any = SimpleNamespace(pick=lambda _, position, choices: solution.options(position).choice)
    cup: Any = SimpleNamespace(throw=lambda dice: rolls(next(numbers), dice))
    over = play_out(game, best, cup)
    return SoloResult(over.scores[0], over.shut)
