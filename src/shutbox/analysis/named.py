"""What users of the library may write for a game, a position and an aim: the thing, or its text."""

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
    """The game of a name, or the game itself. Raises what `find_any` raises.

    >>> game_named("six").name
    'six'
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
    """The same, for one turn whose positions have values: no match, and a game that ends.

    Raises NotUnderstood for a match, and TooLarge for a game that need never end.
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
    """The match of a name, or the match itself.

    >>> match_named("race-200").format.target
    200

    Raises NotUnderstood for what is no match, and what `find_any` raises.
    """
    found = game_named(match)
    if not isinstance(found, Match):
        raise NotUnderstood(
            "{name} is one turn, and this is about a match, such as {name}[seats=2,rounds=5]",
            name=found.name,
        )
    return found


def aim_named(aim: Aim | str, game: Game[Any, Any]) -> Aim:
    """The aim of a name, or the aim itself. Raises NotUnderstood.

    >>> aim_named("shut", game_named("six")).name
    'shut'
    """
    assert game.scoring is not None  # others are refused before
    return find_aim(aim, game.scoring) if isinstance(aim, str) else aim


def position_and_aim(game: Game[Any, Any], offered: Any, aim: Aim | str) -> tuple[Any, Aim]:
    """The position and the aim of a call; what is offered as a position may be an aim instead.

    A text is an aim if it can be one, or else a position, with or without the name of the game. A
    position may also be a view.

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
