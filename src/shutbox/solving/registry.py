"""The registry of code that serves one kind of game only, found by the game's traits.

All other code looks it up here and imports no game by name. What is found is imported when needed.
"""

from typing import Any, Protocol

from shutbox.engine.game import Game
from shutbox.games.traits import Cost, traits_of
from shutbox.solving.graph import Progress
from shutbox.solving.objectives import Aim
from shutbox.solving.solution import GraphSolution, Solution, Turns


class Solver(Protocol):
    """A fast solver for the games of one kind. It keeps its solutions in files of the cache."""

    def turns(self, game: Any, position: Any, progress: Progress) -> Turns[Any]:
        """Return the graph of every way in which a turn can go on from a position."""

    def cost_in_floats(self, game: Any, position: Any) -> Cost | None:
        """Return what `in_floats` would cost here; None if it cannot solve from this position."""

    def in_floats(
        self, game: Any, position: Any, aim: Aim, progress: Progress
    ) -> Solution[Any, Any]:
        """Return the solution in floats from a position, read from a file or solved and kept."""

    def stored(self, game: Any, position: Any, aim: Aim, progress: Progress) -> Solution[Any, Any]:
        """Return the exact solution from a position, read from a file or solved and kept."""

    def has_stored(self, game: Any, position: Any, aim: Aim) -> bool:
        """Whether the file that `stored` would read exists; it is not opened."""


class PocketSheet(Protocol):
    """A strategy that fits on one sheet of paper."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The sentences of the sheet, which tell a player the strategy."""

    def pick(self, position: Any, choices: Any) -> Any:
        """Return the choice that the sheet prescribes, one of the `choices` at a position."""

    def places(self, solution: GraphSolution[Any, Any]) -> dict[int, int]:
        """Return, by node of the graph that has choices, the index of the sheet's choice there."""


def solver_of(game: Game[Any, Any]) -> Solver | None:
    """Return the fast solver for a game, or None if there is none for games of its kind."""
    if traits_of(game).packed is None:
        return None
    from shutbox.solving.box import solver

    return solver


def sheet_of(game: Any, solution: GraphSolution[Any, Any] | None) -> PocketSheet:
    """Return the sheet of a game that has one: it loses little against best play for a solution.

    Without a solution it is a simple one, for which a game need not be solved.
    """
    from shutbox.solving.box import sheet

    return sheet.plain_sheet(game) if solution is None else sheet.fitted(game, solution)
