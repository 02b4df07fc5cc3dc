"""The computer players that solve the game: one makes the best choice, one plays by a sheet."""

from typing import Any

from shutbox.analysis.advice.adviser import Adviser
from shutbox.analysis.solvers.select import check_solvable
from shutbox.analysis.strategy.following import sheet_for
from shutbox.bots.heuristic import turn_with_a_choice
from shutbox.game import C, Game, P
from shutbox.match import Match
from shutbox.solver.graph import Progress, unheard
from shutbox.specialists import PocketSheet

PERFECT_SECONDS = 60.0  # a match that is estimated to take longer is not played for the win


class Perfect:
    """A player that picks the best choice, in a match for the win if `Adviser` can.

    >>> from shutbox import find
    >>> game = find("classic")
    >>> position = game.position_at("1.3.4.9/1+3")
    >>> game.choice_text(Perfect().pick(game, position, game.awaits(position).choices))
    '4'

    `pick` raises TooLarge for a game that cannot be solved.
    """

    def __init__(self) -> None:
        self.progress: Progress = unheard  # the progress callback for long computations
        self.seconds = PERFECT_SECONDS
        self.every_round = True  # whether a match is solved before its last round
        self._adviser: Adviser | None = None

    def __repr__(self) -> str:
        return "Perfect()"

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


class OnPaper:
    """A player that follows a sheet of rules, see `shutbox.analysis.strategy.following`.

    >>> from shutbox import find
    >>> game = find("against-all-odds")
    >>> position = game.position_at("1.3.5.7.9/3+5")
    >>> game.choice_text(OnPaper().pick(game, position, game.awaits(position).choices))
    '3 5'

    In a match it plays each turn for the expected score.
    """

    def __init__(self) -> None:
        self._sheet: tuple[Game[Any, Any], PocketSheet | None] | None = None

    def __repr__(self) -> str:
        return "OnPaper()"

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
