"""The computer players that solve the game: one makes the best choice, one plays by a sheet."""

from dataclasses import dataclass, field
from typing import Any

from shutbox.analysis.advice.adviser import Adviser
from shutbox.analysis.solvers.select import check_solvable
from shutbox.analysis.strategy.following import sheet_for
from shutbox.game import C, Game, P
from shutbox.match import Match
from shutbox.match.game import turn_with_a_choice
from shutbox.solver.graph import Progress, unheard
from shutbox.specialists import PocketSheet

PERFECT_SECONDS = 60.0  # a match that is estimated to take longer is not played for the win


@dataclass(eq=False)
class Perfect:
    """A player that picks the best choice, in a match for the win if `Adviser` can.

    `pick` raises TooLarge for a game that cannot be solved.
    """

    progress: Progress = field(default=unheard, repr=False)  # for long computations
    seconds: float = field(default=PERFECT_SECONDS, repr=False)
    every_round: bool = field(default=True, repr=False)  # whether all rounds may be solved
    _adviser: Adviser | None = field(default=None, init=False, repr=False)

    def check(self, game: Game[Any, Any]) -> None:
        """Raise TooLarge for a game that it cannot play, without solving anything."""
        check_solvable(game.game if isinstance(game, Match) else game)

    def forget(self) -> None:
        """Drop the cached results, which can be large; they are recomputed when needed."""
        self._adviser = None

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the best choice; the first if it is about chips, or the game need never end."""
        if turn_with_a_choice(game, position, choices) is None:
            return choices[0]
        adviser = self._adviser
        if adviser is None or adviser.game != game:
            # A player stays at one table, so its adviser is cached.
            adviser = self._adviser = Adviser(
                game, seconds=self.seconds, every_round=self.every_round, progress=self.progress
            )
        best: C = adviser.best(position)
        return best


@dataclass(eq=False)
class OnPaper:
    """A player that follows a sheet of rules, see `shutbox.analysis.strategy.following`.

    In a match it plays each turn for the expected score.
    """

    _sheet: tuple[Game[Any, Any], PocketSheet | None] | None = field(default=None, repr=False)

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the sheet's choice; about chips, or in a game without a sheet, the first."""
        turn = turn_with_a_choice(game, position, choices)
        if turn is None:
            return choices[0]
        inner, here = turn
        # A player stays at one table, so the sheet of its game is made once.
        if self._sheet is None or self._sheet[0] is not inner:
            self._sheet = inner, sheet_for(inner)
        sheet = self._sheet[1]
        if sheet is None:
            return choices[0]
        picked: Any = sheet.pick(here, choices)
        return choices[choices.index(picked)]
