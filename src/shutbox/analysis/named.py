"""Lookup of the games, positions and aims that callers pass as objects or as text."""

from contextlib import suppress
from typing import Any

from shutbox.english import shown
from shutbox.errors import NotUnderstood
from shutbox.game import Game
from shutbox.lookup import game_meant
from shutbox.match import Match
from shutbox.solver.fold import check_ends
from shutbox.solver.meant import position_meant
from shutbox.solver.objectives import Aim, find_aim


def turn_named(game: Game[Any, Any] | str) -> Game[Any, Any]:
    """Return a game as `game_meant` does, for functions that solve a single turn.

    Also raises NotUnderstood for a match, and TooLarge for a game without scores or without end.
    """
    found = game_meant(game)
    if isinstance(found, Match):
        raise NotUnderstood(
            "{name} is a match, and this is about one turn, so name its game: {inner} "
            "(shutbox.equity is about matches)",
            name=found.name,
            inner=found.game.name,
        )
    check_ends(found)
    return found


def match_named(match: Game[Any, Any] | str) -> Match[Any, Any]:
    """Return the match with this name, or the match itself.

    >>> match_named("race-200").format.target
    200

    Raises NotUnderstood for anything but a match, and what `find_any` raises.
    """
    found = game_meant(match)
    if not isinstance(found, Match):
        raise NotUnderstood(
            "{game} is one turn, and this is about a match, such as {game}[seats=2,rounds=5]",
            game=found.name,
        )
    return found


def aim_named(aim: Aim | str, game: Game[Any, Any]) -> Aim:
    """Return the aim with this name for a game with scores, or the aim itself.

    Raises NotUnderstood for anything else.
    """
    assert game.scoring is not None  # the caller has refused games without scores
    if isinstance(aim, str):
        return find_aim(aim, game.scoring)
    if not isinstance(aim, Aim):
        raise NotUnderstood(
            "{aim} is not an aim; write mean, shut, worst-shut or beat:8, or give a shutbox.Aim",
            aim=repr(aim),
        )
    return aim


def position_and_aim(game: Game[Any, Any], offered: Any, aim: Aim | str) -> tuple[Any, Aim]:
    """Return the position and the aim of a call; `offered` can be either of them, or None.

    A text is read as an aim if possible, otherwise as a position, as in `position_meant`. If
    `offered` is an aim, it replaces `aim`, and the position is the start. Raises NotUnderstood, and
    what `Game.position_at` raises.
    """
    start = game.start()
    if isinstance(offered, Aim):
        return start, offered
    if not isinstance(offered, str):
        return position_meant(game, offered, start), aim_named(aim, game)
    with suppress(NotUnderstood):
        return start, aim_named(offered, game)
    try:
        position = position_meant(game, offered, start)
    except NotUnderstood as error:
        raise NotUnderstood(
            "{text} is neither an aim (mean, shut, worst-shut, beat:T) nor a position: {reason}",
            text=shown(offered),
            reason=error,
        ) from None
    return position, aim_named(aim, game)
