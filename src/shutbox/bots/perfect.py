"""The computer player who makes the best choice there is."""

from typing import Any

from shutbox.analysis.adviser import Adviser
from shutbox.game import C, Game, P
from shutbox.match import Match
from shutbox.match.standing import Turn

PERFECT_SECONDS = 60.0
"""A match is played for the win if working it out is estimated to take no longer."""


class Perfect:
    """Picks the best choice: for the win where that is solved, see `Adviser`, or for the score.

    >>> from shutbox import find
    >>> game = find("classic")
    >>> position = game.position_at("1.3.4.9/1+3")
    >>> game.choice_text(Perfect().pick(game, position, game.awaits(position).choices))
    '4'

    Raises TooLarge for a game that cannot be solved.
    """

    def __init__(self) -> None:
        self._adviser: Adviser | None = None

    def __repr__(self) -> str:
        return "Perfect()"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """The best of the choices; without chips, and where nothing is to be won, the first."""
        if len(choices) == 1 or game.scoring is None or not _in_a_turn(game, position):
            return choices[0]
        best: C = self._adviser_of(game).best(position)
        return best

    def _adviser_of(self, game: Game[Any, Any]) -> Adviser:
        if self._adviser is None or self._adviser.game is not game:
            self._adviser = Adviser(game, seconds=PERFECT_SECONDS)
        return self._adviser


def _in_a_turn(game: Game[Any, Any], position: Any) -> bool:
    return not isinstance(game, Match) or isinstance(game.settled(position).position.doing, Turn)
