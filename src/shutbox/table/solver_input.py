"""What functions that solve a turn or a match are given: objects, or texts that are read here."""

from contextlib import suppress
from typing import Any

from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Game, Placed, position_meant
from shutbox.match import Match
from shutbox.solving.fold import check_has_values
from shutbox.solving.objectives import Aim, aim_named
from shutbox.table.lookup import find_position, game_meant


def turn_meant(game: Game[Any, Any] | str, *, of_match: bool = False) -> Game[Any, Any]:
    """Return a game as `game_meant` does, for functions that solve a single turn.

    With `of_match`, a match stands for its game. Otherwise also raises NotUnderstood for a match.
    Raises TooLarge for a game without scores or without end.
    """
    meant = game_meant(game)
    if isinstance(meant, Match) and of_match:
        meant = meant.game
    if isinstance(meant, Match):
        # Translators: odds is a command, which is typed.
        raise NotUnderstood(
            "this is about one turn, and odds about matches; name its game alone: {game}",
            game=meant.game.name,
        )
    check_has_values(meant)
    return meant


def match_meant(match: Game[Any, Any] | str) -> Match[Any, Any]:
    """Return the match with this name, or the match itself.

    Raises NotUnderstood for anything but a match, and what `find` raises.
    """
    meant = game_meant(match)
    if not isinstance(meant, Match):
        raise NotUnderstood(
            "{game} is one turn, and this is about a match, such as {game}[seats=2,rounds=5]",
            game=meant.name,
        )
    return meant


def turn_and_aim(
    place: Game[Any, Any] | Placed | str, offered: Any, aim: Aim | str
) -> tuple[Game[Any, Any], Any, Aim]:
    """Return the game, the position and the aim of a call of `solve`.

    `place` is as in `at`. `offered` can be a position, an aim, or None. A text is read as an aim if
    possible, otherwise as a position. An offered aim replaces `aim`, and the position is that of
    `place`. Raises as `turn_meant`, `find_position` and `aim_named` do.
    """
    game, start = find_position(place)
    game = turn_meant(game)
    if isinstance(offered, Aim):
        return game, start, offered
    if isinstance(offered, str):
        with suppress(NotUnderstood):
            return game, start, aim_named(offered, game)
    try:
        position = position_meant(game, offered, start)
    except NotUnderstood as error:
        if not isinstance(offered, str):
            raise
        raise NotUnderstood(
            "{text} is neither an aim (mean, shut, worst-shut, beat:T) nor a position: {reason}",
            text=shown(offered),
            reason=error,
        ) from None
    return game, position, aim_named(aim, game)
