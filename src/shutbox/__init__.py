"""Shut the Box under all its house rules, on one engine.

>>> from shutbox import at
>>> position = at("classic").throw("5 3")
>>> position.choices
('8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4')
>>> position.choose("7 1")
at('classic:2.3.4.5.6.8.9')

Slow modules are imported at first use: `shutbox.solve(game)`, `shutbox.match`.
"""

from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any, overload

from shutbox.engine.cups import cup_meant
from shutbox.engine.dice import Cup, Dice, Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, ShutboxError, UnknownGame
from shutbox.engine.game import Choose, Game, Over, Throw
from shutbox.engine.messages import gettext_noop
from shutbox.engine.play import play_out as played_out
from shutbox.games.catalogue import catalogue
from shutbox.games.catalogue import register as register_games
from shutbox.games.family import Family
from shutbox.table import Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from shutbox.match import Format, Match
    from shutbox.output.stats import stats
    from shutbox.solving import Aim
    from shutbox.solving.advice.adviser import advise
    from shutbox.solving.comparison import compare, evaluate
    from shutbox.solving.equity.fairness import fair
    from shutbox.solving.equity.match_value import equity
    from shutbox.solving.odds import odds
    from shutbox.solving.practice import practice
    from shutbox.solving.review.review import review
    from shutbox.solving.simulation import simulate
    from shutbox.solving.solvers import solve
    from shutbox.solving.strategy.following import sheet
    from shutbox.table.bots import AnyPlayer, bot
    from shutbox.table.lookup import Players
    from shutbox.table.position import Position, at

__version__ = "0.1.0"

__all__ = [
    "Aim", "Choose", "Dice", "Game", "Match", "Over", "Position", "Roll", "ShutboxError", "Table",
    "Throw", "advise", "at", "bot", "catalogue", "compare", "equity", "evaluate", "fair", "find",
    "odds", "play_out", "practice", "register", "review", "sheet", "simulate", "solve", "stats",
]  # fmt: skip

_LATER = {  # public names that are imported at first use, and their modules
    "Aim": "solving",
    "Match": "match",
    **dict.fromkeys(("Position", "at"), "table.position"),
    **dict.fromkeys(("compare", "evaluate"), "solving.comparison"),
    "advise": "solving.advice.adviser",
    "bot": "table.bots",
    "equity": "solving.equity.match_value",
    "fair": "solving.equity.fairness",
    "odds": "solving.odds",
    "practice": "solving.practice",
    "review": "solving.review.review",
    "sheet": "solving.strategy.following",
    "simulate": "solving.simulation",
    "solve": "solving.solvers",
    "stats": "output.stats",
}
_MODULES = {"match", "output", "record", "rl", "solving", "testing"}  # imported at first use


@overload
def find(text: str | Game[Any, Any]) -> Game[Any, Any]: ...
@overload
def find(
    text: str | Game[Any, Any], players: "Players", format: "str | Format" = ...
) -> "Match[Any, Any]": ...
@overload
def find(
    text: str | Game[Any, Any], players: None = ..., *, format: "str | Format"
) -> "Match[Any, Any]": ...
def find(
    text: str | Game[Any, Any], players: "Players | None" = None, format: "str | Format" = ""
) -> Game[Any, Any]:
    """Return the game or match with this name or title, with any overrides.

    >>> import shutbox
    >>> shutbox.find("classic(fewer=must-top)").name
    'classic(fewer=must-top)'
    >>> shutbox.find("pub", ["Ann", "Bob"], "stake=2").name
    'classic[seats=2,rounds=1,shut=wins,stake=2]'

    A match is a preset such as `pub`, a game with a format in square brackets, or any game with
    `players` or a `format`: their number, a text with commas, or their names. Without `players`
    they are called Player 1, Player 2 and so on. A path that ends in `.toml` is a file of boxes. A
    game object is returned as it is. Raises UnknownGame if no game or file has this name,
    NotUnderstood for what cannot be a name, BadVariant for impossible rules, BadFormat for a wrong
    format, also if the players do not fit it, BadName for names that cannot play together, and
    PluginFailed.
    """
    from shutbox.table.lookup import find_any, match_of

    try:
        if players is not None:
            return match_of(text, players, format)
        return find_any(text, format)
    except (NotUnderstood, UnknownGame) as error:
        if not isinstance(text, str) or not _is_position(text):
            raise
        hint = gettext_noop("{text} is a position; shutbox.at({text}) holds it")
        raise UnknownGame(hint, text=shown(text)) from error


def _is_position(text: str) -> bool:
    """Whether `at` reads a text."""
    from shutbox.table.lookup import find_position

    with suppress(ShutboxError):
        return find_position(text) is not None
    return False


def register(
    games: "Game[Any, Any] | Family | str",
    make: "Callable[[str], AnyPlayer] | None" = None,
) -> None:
    """Add a game, a family of games, or a kind of computer player, until the program ends.

    Names need a prefix and a dot, such as `acme.pig`. For a player give its name, and a function
    that makes it from the text after a colon, as in `acme.hold:25`; "" without one. What is added
    takes the place of any plugin's with the same name. Raises NotUnderstood for other names and
    other objects.

    >>> import shutbox
    >>> shutbox.register("acme.last", lambda text: lambda position: position.choices[-1])
    >>> shutbox.play_out("six", "acme.last", "pub").scores
    (11,)
    """
    from shutbox.table.bots import register_bot

    if isinstance(games, str):
        register_bot(games, make)
    else:
        register_games(games)


def play_out(
    game: Game[Any, Any] | str,
    player: "AnyPlayer",
    cup: Cup | str | int | None = None,
    position: Any = None,
) -> Over:
    """Play from `position`, or the start, with the same player in every seat; return the result.

    >>> import shutbox
    >>> shutbox.play_out("classic", "hobbs", "pub")
    Over(scores=(9,), shut=False, winners=())

    `player` can be a function, or a name as in `shutbox.bot`. `cup` can be a seed; if it is None,
    the operating system rolls the dice. Raises IllegalChoice for a choice that is not offered,
    TooLarge if a game can go on forever, and what `at`, `bot`, cup and player raise.
    """
    from shutbox.solving.strategy.following import CheckedPlayer
    from shutbox.table.bots import as_player
    from shutbox.table.lookup import find_position

    game, start = find_position(game, position)
    return played_out(game, CheckedPlayer(as_player(player), game), cup_meant(cup), start)


def __dir__() -> list[str]:
    loaded = (name for name, value in globals().items() if isinstance(value, ModuleType))
    return sorted({"__version__", *loaded, *__all__, *_MODULES})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name not in _LATER and name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f"{__name__}.{_LATER.get(name, name)}")
        member = globals()[name] = getattr(module, name) if name in _LATER else module
        return member
