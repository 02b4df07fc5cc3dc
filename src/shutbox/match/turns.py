"""Where turns begin and lie in a play, of a match or of a game alone."""

from typing import Any

from shutbox.game import Game
from shutbox.match.game import Match
from shutbox.match.standing import Turn
from shutbox.play import Play


def turn_at(game: Game[Any, Any], position: Any) -> tuple[Game[Any, Any], Any] | None:
    """The game of the turn that lies there, and its position; None where no turn does."""
    if not isinstance(game, Match):
        return game, position
    doing = game.settled(position).position.doing
    return (game.game, doing.at) if isinstance(doing, Turn) else None


def begins_turn(play: Play[Any, Any], before: Any) -> bool:
    """Whether a turn begins with the event that comes at this position."""
    turn = turn_at(play.game, before)
    if turn is None:
        return False
    game, at = turn
    return bool(at == (game.start() if isinstance(play.game, Match) else play.start))
