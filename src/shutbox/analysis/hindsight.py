"""What dice that are known give: the best that could be had from them, and what exact play gets.

The throws have numbers, and each shows the same whatever was covered before, so a game for one is
a search: after each throw all positions that can be there, each of them once. How many there can be
is known by a formula before anything is searched.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from shutbox.analysis.review.turns import SolvedTurn
from shutbox.boxes.book import solve_once
from shutbox.dice import Dice, Roll
from shutbox.errors import TooLarge
from shutbox.game import Choose, Game, Over, Throw
from shutbox.games.traits import traits_of
from shutbox.solver.objectives import MEAN

MOST_POSITIONS = 200_000  # that may have to be looked at, by the formula; there are much fewer

Rolls = Callable[[int, Dice], Roll]
"""What these dice show as the throw of this number, counted from 1."""


@dataclass(frozen=True, slots=True)
class SoloResult:
    """How a game ends."""

    score: int
    shut: bool


@dataclass(frozen=True, slots=True)
class Hindsight:
    """The best that could be had, and the most throws that there can be on any way."""

    best: SoloResult
    throws: int


def check_hindsight(game: Game[Any, Any]) -> None:
    """Raise TooLarge for a game that is not searched: without a score, without an end, or large."""
    positions, longest = traits_of(game).most_positions, game.longest
    if game.scoring is None or positions is None or longest is None:
        raise TooLarge("{game} is not a game for one that is searched", game=game.name)
    if positions * longest > MOST_POSITIONS:
        raise TooLarge(
            "{game}: up to {number:,} positions would be searched; at most {most:,} are",
            game=game.name,
            number=positions * longest,
            most=MOST_POSITIONS,
        )


def in_hindsight(game: Game[Any, Any], rolls: Rolls) -> Hindsight:
    """The best end of a game for one with these dice. Raises TooLarge before any work.

    >>> from shutbox import find
    >>> from shutbox.cups import NumberedCup
    >>> def rolls(number, dice):
    ...     return NumberedCup("pub", number - 1).throw(dice)
    >>> in_hindsight(find("classic"), rolls)
    Hindsight(best=SoloResult(score=1, shut=False), throws=6)
    >>> exact_play(find("classic"), rolls)
    SoloResult(score=8, shut=False)
    """
    check_hindsight(game)
    ends: set[SoloResult] = set()
    due: dict[Any, Dice] = {}
    _sort(_settled(game, game.start()), due, ends)
    number = 0
    while due:
        number += 1
        after: dict[Any, Dice] = {}
        for position, dice in due.items():
            here = game.rolled(position, rolls(number, dice))
            _sort(_settled(game, here), after, ends)
        due = after
    assert game.scoring is not None  # it was checked
    sign = 1 if game.scoring.low_is_good else -1
    best = min(ends, key=lambda end: (sign * end.score, not end.shut))
    return Hindsight(best, number)


def exact_play(game: Game[Any, Any], rolls: Rolls) -> SoloResult:
    """What who plays for the best expected score, and knows no dice, gets with these.

    Of equally good choices he takes the first. Raises TooLarge.
    """
    check_hindsight(game)
    turn, position, number = SolvedTurn(solve_once(game, MEAN)), game.start(), 0
    while True:
        match game.awaits(position):
            case Throw(dice=dice):
                number += 1
                position = game.rolled(position, rolls(number, dice))
            case Choose(choices=choices):
                position = game.chosen(position, choices[turn.options(position).best])
            case Over() as over:
                return _ended(over)


def _settled(game: Game[Any, Any], position: Any) -> Iterator[tuple[Any, Throw | Over]]:
    """Wherever choices can lead from here, without another throw."""
    ways = [position]
    while ways:
        here = ways.pop()
        awaited = game.awaits(here)
        if isinstance(awaited, Choose):
            ways += [game.chosen(here, choice) for choice in awaited.choices]
        else:
            yield here, awaited


def _sort(
    found: Iterator[tuple[Any, Throw | Over]], due: dict[Any, Dice], ends: set[SoloResult]
) -> None:
    for position, awaited in found:
        if isinstance(awaited, Over):
            ends.add(_ended(awaited))
        else:
            due[position] = awaited.dice


def _ended(over: Over) -> SoloResult:
    return SoloResult(over.scores[0], over.shut)
