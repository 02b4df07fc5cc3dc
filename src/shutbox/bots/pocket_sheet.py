"""The computer player who plays by a strategy that fits on one sheet of paper."""

from typing import Any

from shutbox.analysis.strategy.following import sheet_for
from shutbox.game import C, Game, P
from shutbox.match.game import turn_at
from shutbox.specialists import PocketSheet


class OnPaper:
    """Picks what the sheet of the game says, see `shutbox.analysis.strategy.following`.

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
        """One of the choices; about chips, and in a game without a sheet, the first."""
        turn = turn_at(game, position)
        if turn is None or game.longest is None or len(choices) == 1:
            return choices[0]
        inner, here = turn
        # One player stays at one table: the sheet of its game is made once.
        if self._sheet is None or self._sheet[0] is not inner:
            self._sheet = inner, sheet_for(inner)
        sheet = self._sheet[1]
        if sheet is None:
            return choices[0]
        picked: Any = sheet.pick(here, choices)
        return choices[choices.index(picked)]
