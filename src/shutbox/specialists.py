"""The only list of what is made for one kind of game alone, found by what a game says of itself.

Everything else asks here, and imports no game by name. What a kind of game needs is imported when
a game of it comes up.
"""

from typing import Any, Protocol

from shutbox.game import Game
from shutbox.games.traits import Cost, SheetKind, traits_of
from shutbox.solver.graph import Progress
from shutbox.solver.objectives import Aim
from shutbox.solver.solution import GraphSolution, Solution, Turns


class Solver(Protocol):
    """What solves games of one kind faster than a walk over the protocol."""

    def turns(self, game: Any, position: Any, progress: Progress) -> Turns[Any]:
        """Return the graph of the turns from a position on."""

    def cost_in_floats(self, game: Any, position: Any) -> Cost | None:
        """Return what floats take; None where they cannot be used."""

    def in_floats(
        self, game: Any, position: Any, aim: Aim, progress: Progress
    ) -> Solution[Any, Any]:
        """Solve in floats, from a position on."""

    def stored(self, game: Any, position: Any, aim: Aim, progress: Progress) -> Solution[Any, Any]:
        """Solve in whole fractions, from a position on: by a book, which is written if need be."""

    def has_stored(self, game: Any, position: Any, aim: Aim) -> bool:
        """Whether there is such a book, as far as can be seen without opening it."""


class PocketSheet(Protocol):
    """A strategy that fits on one sheet of paper."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The strategy in sentences."""

    def pick(self, position: Any, choices: Any) -> Any:
        """Return the choice by the sheet."""

    def places(self, solution: GraphSolution[Any, Any]) -> dict[int, int]:
        """Return the place of its choice at every node of the graph where one is due."""


class SheetMaker(Protocol):
    """What writes the sheets of games of one kind."""

    def fitted(self, game: Any, solution: GraphSolution[Any, Any]) -> PocketSheet:
        """Return the sheet fitted to the aim of a solution."""

    def plain(self, game: Any) -> PocketSheet:
        """Return a sheet that takes no solving."""


def solver_of(game: Game[Any, Any]) -> Solver | None:
    """Return what solves games of this kind; None where only the protocol is known."""
    if traits_of(game).packed is None:
        return None
    from shutbox.boxes import solver

    return solver


def sheets_of(game: Game[Any, Any]) -> SheetMaker | None:
    """Return what writes the sheet of a game; None where it has none."""
    match traits_of(game).sheet:
        case SheetKind.POINTS:
            from shutbox.boxes import sheet as points

            return points
        case SheetKind.ACCEPT:
            from shutbox.cargoes import sheet

            return sheet
    return None
