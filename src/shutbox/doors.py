"""The public `find`, `position_text` and `play_out`.

They do the same as the internal functions of these names, but also accept texts for games,
positions and players. Modules that are slow to import are imported when a function needs them.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from shutbox.dice import Cup
from shutbox.english import shown
from shutbox.errors import NotUnderstood, ShutboxError, UnknownGame
from shutbox.game import Game, Over
from shutbox.game import position_text as text_of
from shutbox.games import catalogue
from shutbox.messages import gettext_noop
from shutbox.player import Player
from shutbox.player import play_out as played_out


def find(text: str) -> Game[Any, Any]:
    """Return the game with this name or title, with any overrides, or the box in a TOML file.

    >>> import shutbox
    >>> shutbox.find("pub")
    Traceback (most recent call last):
        ...
    shutbox.errors.UnknownGame: 'pub' is a match; shutbox.find_any('pub') finds it

    A game object is returned as it is. Raises UnknownGame for an unknown name or file and for a
    match or a position, NotUnderstood for anything else that cannot be a name, and BadVariant for
    rules that cannot be played.
    """
    if not isinstance(text, str):
        from shutbox.lookup import game_meant

        return game_meant(text)
    try:
        return catalogue.find(text)
    except (NotUnderstood, UnknownGame) as error:
        hint = _found_by(text)
        raise (error if hint is None else UnknownGame(hint, text=shown(text))) from None


def _found_by(text: str) -> str | None:
    """Return a template that names the function for a match or a position; None for other texts."""
    from shutbox.lookup import find_any_position, is_match

    with suppress(ShutboxError):
        if is_match(text):
            return gettext_noop("{text} is a match; shutbox.find_any({text}) finds it")
        if text.rpartition(":")[1]:
            find_any_position(text)
            return gettext_noop(
                "{text} is a position; shutbox.find_position({text}) finds its game"
            )
    return None


def position_text(game: Game[Any, Any] | str, position: Any = None) -> str:
    """Return the full text of a position of a game or match.

    `game` can be a name, and `position` a text. Without `position`, a full text, a view or a table
    given as `game` means its own position, and a game its start. Raises UnknownGame, BadVariant,
    BadFormat, NotUnderstood and ImpossiblePosition.
    """
    from shutbox.lookup import place_meant

    return text_of(*place_meant(game, position))


def play_out(
    game: Game[Any, Any] | str,
    player: "Player[Any, Any] | Callable[[Any, Any, Any], Any] | str",
    cup: Cup | str | int | None = None,
    position: Any = None,
) -> Over:
    """Play from `position`, or the start, with the same player in every seat; return the end.

    >>> import shutbox
    >>> shutbox.play_out("classic", "hobbs", "pub")
    Over(scores=(9,), shut=False, winners=())

    `player` can be a function, or a name as in `shutbox.bot`; `cup` can be a seed, and without one
    the dice are the system's. Raises IllegalChoice if the player picks a choice that is not
    offered, TooLarge for a game that need never end, and what `place_meant`, `bot` and the cup
    raise.
    """
    from shutbox.analysis.strategy.following import Asked
    from shutbox.bots import player_meant
    from shutbox.cups import cup_meant
    from shutbox.lookup import place_meant

    game, here = place_meant(game, position)
    return played_out(game, Asked(player_meant(player, game), game), cup_meant(cup), here)
