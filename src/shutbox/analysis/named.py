"""Lookup of the games, positions and aims that callers pass as objects or as text."""

from contextlib import suppress
from typing import Any

from shutbox.english import shown
from shutbox.errors import NotUnderstood
from shutbox.game import Game
from shutbox.lookup import find_any
from shutbox.match import Match
from shutbox.solver.fold import check_ends
from shutbox.solver.meant import position_meant
from shutbox.solver.objectives import Aim, find_aim


def game_named(game: Game[Any, Any] | str) -> Game[Any, Any]:
    """Return the game or match of this name, or the object that is one.

    >>> game_named("six").name
    'six'

    Raises what `find_any` raises, and NotUnderstood for any other object.
    """
    if isinstance(game, str):
        return find_any(game)
    if not hasattr(game, "awaits"):
        said = repr(game)
        raise NotUnderstood(
            "{game} is neither a game nor the name of one such as 'classic'", game=said
        )
    return game


def turn_named(game: Game[Any, Any] | str) -> Game[Any, Any]:
    """Return a game as `game_named` does, for functions that solve a single turn.

    Also raises NotUnderstood for a match, and TooLarge for a game without scores or a certain end.
    """
    found = game_named(game)
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
    found = game_named(match)
    if not isinstance(found, Match):
        raise NotUnderstood(
            "{name} is one turn, and this is about a match, such as {name}[seats=2,rounds=5]",
            name=found.name,
        )
    return found


def aim_named(aim: Aim | str, game: Game[Any, Any]) -> Aim:
    """Return the aim with this name for a game with scores, or the aim itself.

    >>> aim_named("shut", game_named("six")).name
    'shut'

    Raises NotUnderstood for a name of no aim.
    """
    assert game.scoring is not None  # the caller has refused games without scores
    return find_aim(aim, game.scoring) if isinstance(aim, str) else aim


def position_and_aim(game: Game[Any, Any], offered: Any, aim: Aim | str) -> tuple[Any, Aim]:
    """Return the position and the aim of a call; `offered` can be either of them, or None.

    A text is read as an aim if possible, otherwise as a position, with or without the name of the
    game. A position can also be a view; None is the start of the game. If `offered` is an aim, it
    replaces `aim`, and the position is the start.

    >>> six = game_named("six")
    >>> position_and_aim(six, "shut", "mean")[1].name
    'shut'
    >>> six.position_id(position_and_aim(six, "six:1.2", "mean")[0])
    '1.2'

    Raises NotUnderstood, and what `Game.position_at` raises.
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
