"""What a position of a box too large to be solved is worth: turns played at random from there.

One plain way plays them, the fewest tiles each time, so the figures are those of a decent player
and not of the best. The dice are of a seed: who asks again gets the same figures, and every choice
is played with the same dice, so that chance favours none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import Any

from shutbox.analysis.simulation.simulate import simulate
from shutbox.analysis.strategy.rankings import fewest_tiles
from shutbox.bots.heuristic import ByTiles
from shutbox.game import Choose, Game, position_text
from shutbox.games.traits import traits_of
from shutbox.solver.objectives import Aim
from shutbox.web.limits import (
    KEPT_ESTIMATES,
    LEAST_PLAYED,
    MOST_COVERS,
    MOST_PLAYED,
    PLAYED_CHOICES,
    PLAYED_COVERS,
)

AnyGame = Game[Any, Any]


class _Fewest(ByTiles):
    """Takes the fewest tiles, and is asked in each turn: no table of so large a box is made."""

    deterministic = False


@dataclass(frozen=True, slots=True)
class PlayedWorth:
    """What came of the turns."""

    turns: int
    value: float
    """The mean of what the aim makes of each end."""
    error: float
    """The standard error of the value."""
    mean: float
    shut: float
    choices: tuple[tuple[str, "PlayedWorth"], ...] = ()
    """Where a choice is due: each that was played, in the order of the game."""


def can_be_estimated(game: AnyGame) -> bool:
    """Whether its turns come to an end, and say how many covers they look at: by a formula."""
    if game.scoring is None or game.longest is None:
        return False
    return (traits_of(game).most_choices or inf) <= MOST_COVERS


def estimate(game: AnyGame, position: Any, aim: Aim) -> PlayedWorth:
    """What a position is worth to somebody who takes the fewest tiles each time.

    >>> from shutbox.games.catalogue import find_position
    >>> from shutbox.solver.objectives import MEAN
    >>> found = estimate(*find_position("classic"), MEAN)  # exactly 12.2 for this way
    >>> found.turns, abs(found.value - 12.2) < 3 * found.error
    (600, True)
    """
    asked: Any = game  # games are values, which their protocol does not say
    return _known(asked, position, aim)


@lru_cache(KEPT_ESTIMATES)
def _known(game: Any, position: Any, aim: Aim) -> PlayedWorth:
    turns = _turns(game)
    awaited = game.awaits(position)
    if not isinstance(awaited, Choose):
        return _played(game, position, aim, turns)
    texts = [game.choice_text(choice) for choice in awaited.choices]
    takes = {offer.text: offer.takes for offer in game.scene(position).offers}
    order = sorted(range(len(texts)), key=lambda place: len(takes[texts[place]]))
    each = max(LEAST_PLAYED, turns // min(PLAYED_CHOICES, len(texts)))
    choices = tuple(
        (texts[place], _played(game, game.chosen(position, awaited.choices[place]), aim, each))
        for place in sorted(order[:PLAYED_CHOICES])
    )
    return _best(game, aim, choices)


def _turns(game: AnyGame) -> int:
    covers = max(1, traits_of(game).most_choices or 1)
    return max(LEAST_PLAYED, min(MOST_PLAYED, PLAYED_COVERS // covers))


def _best(game: AnyGame, aim: Aim, choices: Sequence[tuple[str, PlayedWorth]]) -> PlayedWorth:
    scoring = game.scoring
    assert scoring is not None  # nothing is worth anything without
    pick = max if aim.more_is_better(scoring, 0) else min
    _, best = pick(choices, key=lambda one: one[1].value)
    return replace(best, choices=tuple(choices))


def _played(game: AnyGame, position: Any, aim: Aim, turns: int) -> PlayedWorth:
    player, seed = _Fewest(fewest_tiles), position_text(game, game.start())
    found = simulate(game, player, turns, position=position, seed=seed)
    return PlayedWorth(turns, *found.estimate(aim), found.mean, found.shut)
