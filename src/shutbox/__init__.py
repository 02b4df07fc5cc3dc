"""Shut the Box under all its house rules, on one engine.

>>> from shutbox import at
>>> position = at("classic").throw("5 3")
>>> position.choices
('8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4')
>>> position.choose("7 1")
at('classic:2.3.4.5.6.8.9')

Slow modules are imported at first use: `shutbox.solve(game)`, `shutbox.match`.
"""

from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import TYPE_CHECKING, Any

from shutbox.engine.cups import HandCup, NumberedCup, ScriptCup, SecretCup, SeededCup, cup_meant
from shutbox.engine.dice import Cup, Dice, Roll
from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood, ShutboxError, UnknownGame
from shutbox.engine.game import (
    Choose,
    Game,
    Over,
    RuleCard,
    Scoring,
    Throw,
)
from shutbox.engine.game import position_text as text_of
from shutbox.engine.messages import gettext_noop
from shutbox.engine.play import (
    Applied,
    Chosen,
    Corrected,
    Event,
    FirstChoice,
    Play,
    Player,
    Prepared,
    Rolled,
    Step,
    TookBack,
)
from shutbox.engine.play import play_out as played_out
from shutbox.engine.scene import Answer, Offer, Piece, Scene
from shutbox.games.catalogue import catalogue, register
from shutbox.games.catalogue import find as find_game
from shutbox.games.family import Entry
from shutbox.table import Table

if TYPE_CHECKING:
    from shutbox.match import Format, Match
    from shutbox.output.stats import stats_of
    from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, Solution, beat
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
    from shutbox.table.bots import AnyPlayer, bot, register_bot
    from shutbox.table.lookup import find_any, find_position, match_of
    from shutbox.table.position import Position, at

__version__ = "0.1.0"

__all__ = [
    "MEAN", "SHUT", "WORST_SHUT", "Aim", "Answer", "Applied", "Choose", "Chosen", "Corrected",
    "Cup", "Dice", "Entry", "Event", "FirstChoice", "Format", "Game", "HandCup", "Match",
    "NumberedCup", "Offer", "Over", "Piece", "Play", "Player",
    "Position", "Prepared", "Roll", "Rolled", "RuleCard", "Scene", "Scoring", "ScriptCup",
    "SecretCup", "SeededCup", "ShutboxError", "Solution", "Step", "Table", "Throw", "TookBack",
    "advise", "at", "beat", "bot", "catalogue", "compare", "equity", "evaluate", "fair", "find",
    "find_any", "find_position", "match_of", "odds", "play_out", "position_text",
    "practice", "register", "register_bot", "review", "sheet", "simulate", "solve", "stats_of",
]  # fmt: skip

_LATER = {  # public names that are imported at first use, and their modules
    **dict.fromkeys(("MEAN", "SHUT", "WORST_SHUT", "Aim", "Solution", "beat"), "solving"),
    **dict.fromkeys(("Format", "Match"), "match"),
    **dict.fromkeys(("Position", "at"), "table.position"),
    **dict.fromkeys(("find_any", "find_position", "match_of"), "table.lookup"),
    **dict.fromkeys(("compare", "evaluate"), "solving.comparison"),
    "advise": "solving.advice.adviser",
    **dict.fromkeys(("bot", "register_bot"), "table.bots"),
    "equity": "solving.equity.match_value",
    "fair": "solving.equity.fairness",
    "odds": "solving.odds",
    "practice": "solving.practice",
    "review": "solving.review.review",
    "sheet": "solving.strategy.following",
    "simulate": "solving.simulation",
    "solve": "solving.solvers",
    "stats_of": "output.stats",
}
_MODULES = {"match", "output", "record", "rl", "solving", "testing"}  # imported at first use


def find(text: str) -> Game[Any, Any]:
    """Return the game with this name or title, with any overrides, or the box in a TOML file.

    >>> import shutbox
    >>> shutbox.find("pub")
    Traceback (most recent call last):
        ...
    shutbox.engine.errors.UnknownGame: 'pub' is a match; shutbox.find_any('pub') finds it

    A game object is returned as it is. Raises UnknownGame if no game or file has this name, or only
    a match or a position; NotUnderstood for what cannot be a name; BadVariant for impossible rules.
    """
    if not isinstance(text, str):
        from shutbox.table.lookup import game_meant

        return game_meant(text)
    try:
        return find_game(text)
    except (NotUnderstood, UnknownGame) as error:
        hint = _found_by(text)
        raise (error if hint is None else UnknownGame(hint, text=shown(text))) from None


def _found_by(text: str) -> str | None:
    """Return a template that names the function for a match or position; None for other texts."""
    from shutbox.table.lookup import find_position, is_match

    with suppress(ShutboxError):
        if is_match(text):
            return gettext_noop("{text} is a match; shutbox.find_any({text}) finds it")
        if ":" in text:
            find_position(text)
            return gettext_noop(
                "{text} is a position; shutbox.find_position({text}) finds its game"
            )
    return None


def position_text(game: Game[Any, Any] | str, position: Any = None) -> str:
    """Return the full text of a position of a game or match, such as "classic:1.5.9/2+2".

    `game` can be a name, and `position` a text. Without `position`, a full text, a `Position` or
    a table given as `game` means its own position, and a game its start. Raises UnknownGame,
    BadVariant and BadFormat for a name, ImpossiblePosition for a position, and NotUnderstood for
    either.
    """
    from shutbox.table.lookup import find_position

    return text_of(*find_position(game, position))


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
    TooLarge if a game can go on forever, and what `find_position`, `bot`, cup and player raise.
    """
    from shutbox.solving.strategy.following import Asked
    from shutbox.table.bots import as_player
    from shutbox.table.lookup import find_position

    game, here = find_position(game, position)
    return played_out(game, Asked(as_player(player), game), cup_meant(cup), here)


def __dir__() -> list[str]:
    loaded = (name for name, value in globals().items() if isinstance(value, ModuleType))
    return sorted({"__version__", *loaded, *__all__, *_MODULES})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name not in _LATER and name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f"{__name__}.{_LATER.get(name, name)}")
        found = globals()[name] = getattr(module, name) if name in _LATER else module
        return found
