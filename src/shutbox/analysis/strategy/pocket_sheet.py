"""A strategy that fits on one sheet of paper, and that people can play by heart."""

from typing import Any

from shutbox.analysis.solvers.select import cost_of, turns_of
from shutbox.game import Game
from shutbox.games.traits import traits_of
from shutbox.solver.objectives import MEAN
from shutbox.solver.solution import GraphSolution
from shutbox.specialists import PocketSheet, sheets_of

MOST_SECONDS = 3.0
"""A game that is estimated to take longer to solve has a plain sheet: nobody waits for it in the
middle of a game."""


def sheet_of(solution: GraphSolution[Any, Any]) -> PocketSheet | None:
    """The sheet of a game that is solved, fitted to its aim; None where the game has none."""
    game = solution.game
    makes = sheets_of(game)
    if makes is None or not can_be_fitted(game):
        return plain_sheet(game)
    return makes.fitted(game, solution)


def sheet_for(game: Game[Any, Any]) -> PocketSheet | None:
    """The sheet of a game, fitted to the expected score; None where the game has none."""
    if not can_be_fitted(game):
        return plain_sheet(game)
    return sheet_of(GraphSolution(game, MEAN, turns_of(game, game.start())))


def can_be_fitted(game: Game[Any, Any]) -> bool:
    """Whether a game has a sheet that is fitted to it, and that does not take long."""
    return traits_of(game).sheet is not None and cost_of(game, game.start()).seconds <= MOST_SECONDS


def plain_sheet(game: Game[Any, Any]) -> PocketSheet | None:
    """A sheet that takes no solving: Butler's rule of thumb, or accept whatever lies there."""
    makes = sheets_of(game)
    return None if makes is None else makes.plain(game)
