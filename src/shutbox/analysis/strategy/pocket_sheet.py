"""A strategy that fits on one sheet of paper, and that people can play by heart."""

from collections.abc import Callable
from typing import Any

from shutbox import cargo_sheet
from shutbox.analysis.solvers.select import cost_of, turns_of
from shutbox.boxes import fit
from shutbox.boxes import sheet as box_sheet
from shutbox.game import Game
from shutbox.games.traits import SheetKind, traits_of
from shutbox.solver.objectives import MEAN
from shutbox.solver.solution import GraphSolution

Sheet = box_sheet.BoxSheet | cargo_sheet.CargoSheet  # points for tiles, or what to accept

_SHEETS: dict[SheetKind, tuple[Callable[..., Sheet], Callable[[Any], Sheet]]] = {
    SheetKind.POINTS: (fit.fitted, fit.plain),
    SheetKind.ACCEPT: (cargo_sheet.fitted, cargo_sheet.plain),
}
"""How the sheet of a game is fitted to its solution, and how it is made without one."""

MOST_SECONDS = 3.0
"""A game that is estimated to take longer to solve has a plain sheet: nobody waits for it in the
middle of a game."""


def sheet_of(solution: GraphSolution[Any, Any]) -> Sheet | None:
    """The sheet of a game that is solved, fitted to its aim; None where the game has none."""
    game = solution.game
    kind = traits_of(game).sheet
    if kind is None or not can_be_fitted(game):
        return plain_sheet(game)
    return _SHEETS[kind][0](game, solution)


def sheet_for(game: Game[Any, Any]) -> Sheet | None:
    """The sheet of a game, fitted to the expected score; None where the game has none."""
    if not can_be_fitted(game):
        return plain_sheet(game)
    return sheet_of(GraphSolution(game, MEAN, turns_of(game, game.start())))


def can_be_fitted(game: Game[Any, Any]) -> bool:
    """Whether a game has a sheet that is fitted to it, and that does not take long."""
    return traits_of(game).sheet is not None and cost_of(game, game.start()).seconds <= MOST_SECONDS


def plain_sheet(game: Game[Any, Any]) -> Sheet | None:
    """A sheet that takes no solving: Butler's rule of thumb, or accept whatever lies there."""
    kind = traits_of(game).sheet
    return None if kind is None else _SHEETS[kind][1](game)
