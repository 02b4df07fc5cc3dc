"""The turn that is played where a match stands."""

from typing import Any

from shutbox.game import Game
from shutbox.match import Match
from shutbox.match.standing import Turn


def turn_at(game: Game[Any, Any], position: Any) -> tuple[Game[Any, Any], Any] | None:
    """The game of the turn and its position; None where the choice is not one of a turn.

    Players who look ahead look at that alone. A game that need never end has no turns.
    """
    if isinstance(game, Match):
        doing = game.settled(position).position.doing
        return (game.game, doing.at) if isinstance(doing, Turn) else None
    return None if game.longest is None else (game, position)
