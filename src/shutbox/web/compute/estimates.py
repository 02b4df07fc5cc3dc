"""What a position of a box too large to be solved is worth: turns played at random from there.

One plain way plays them, the fewest tiles each time, so the figures are those of a decent player
and not of the best. The dice are of a seed: who asks again gets the same figures, and every choice
is played with the same dice, so that chance favours none.
"""

from functools import lru_cache
from math import inf
from typing import Any

from shutbox.analysis.simulation.simulate import Simulation, simulate
from shutbox.analysis.strategy.heuristics import fewest_tiles
from shutbox.bots.heuristic import ByTiles
from shutbox.game import Choose, Game, position_text
from shutbox.games.traits import traits_of
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


def can_be_estimated(game: AnyGame) -> bool:
    """Whether its turns come to an end, and say how many covers they look at: by a formula."""
    if game.scoring is None or game.longest is None:
        return False
    return (traits_of(game).most_choices or inf) <= MOST_COVERS


def played(game: AnyGame, position: Any) -> dict[str, Simulation]:
    """Return the turns played from each choice, by its text; from here, under "", if none is due.

    The choices are those that take the fewest tiles, in the order of the game.

    >>> from shutbox.games.catalogue import find_position
    >>> found = played(*find_position("classic"))[""]  # the mean is exactly 12.2 for this way
    >>> found.turns, abs(found.mean - 12.2) < 3 * found.standard_error
    (600, True)
    """
    asked: Any = game  # games are values, which their protocol does not say
    return _known(asked, position)


@lru_cache(KEPT_ESTIMATES)
def _known(game: Any, position: Any) -> dict[str, Simulation]:
    turns = _turns(game)
    awaited = game.awaits(position)
    if not isinstance(awaited, Choose):
        return {"": _simulated(game, position, turns)}
    texts = [game.choice_text(choice) for choice in awaited.choices]
    takes = {offer.text: offer.takes for offer in game.scene(position).offers}
    order = sorted(range(len(texts)), key=lambda place: len(takes[texts[place]]))
    each = max(LEAST_PLAYED, turns // min(PLAYED_CHOICES, len(texts)))
    return {
        texts[place]: _simulated(game, game.chosen(position, awaited.choices[place]), each)
        for place in sorted(order[:PLAYED_CHOICES])
    }


def _turns(game: AnyGame) -> int:
    covers = max(1, traits_of(game).most_choices or 1)
    return max(LEAST_PLAYED, min(MOST_PLAYED, PLAYED_COVERS // covers))


def _simulated(game: AnyGame, position: Any, turns: int) -> Simulation:
    seed = position_text(game, game.start())
    return simulate(game, _Fewest(fewest_tiles), turns, position=position, seed=seed)
