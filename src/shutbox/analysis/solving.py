"""Which solver a game is given to, and what that costs."""

from typing import Any

from shutbox.analysis.boxes import BoxGraph
from shutbox.box import Box
from shutbox.cargo import Cargo
from shutbox.game import Game
from shutbox.solve.graph import Progress, unheard
from shutbox.solve.solution import Turns
from shutbox.solve.unfold import Unfolded


def turns_of(game: Game[Any, Any], position: Any, progress: Progress = unheard) -> Turns[Any]:
    """The graph of the turns of a game from a position on."""
    if isinstance(game, Box):
        return BoxGraph(game, position.up, progress)
    if isinstance(game, Cargo):
        return Unfolded(game, position, game.alike, progress)
    return Unfolded(game, position, progress=progress)
