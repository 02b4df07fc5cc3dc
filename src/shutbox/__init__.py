"""Shut the Box under all its house rules, on one engine.

>>> import shutbox
>>> game = shutbox.find("classic")
>>> position = game.rolled(game.start(), shutbox.Dice.parse("2d6").read("5 3"))
>>> [game.choice_text(choice) for choice in game.awaits(position).choices]
['8', '1 7', '2 6', '3 5', '1 2 5', '1 3 4']

Slow modules are imported at first use: `shutbox.solve(game)`, `shutbox.match`.
"""

from typing import TYPE_CHECKING, Any

from shutbox.cups import GeneratorCup, HandCup, NumberedCup, ScriptCup, SecretCup, SeededCup
from shutbox.dice import Cup, Dice, Roll
from shutbox.doors import find, play_out, position_text
from shutbox.errors import ShutboxError
from shutbox.game import Choose, Game, Over, RuleCard, Scoring, Throw
from shutbox.games.catalogue import catalogue, register
from shutbox.games.family import Entry
from shutbox.play import Applied, Chosen, Corrected, Event, Play, Prepared, Rolled, Step, TookBack
from shutbox.player import FirstChoice, Player
from shutbox.scene import Answer, Offer, Piece, Scene
from shutbox.table import Table

if TYPE_CHECKING:
    from shutbox.analysis.advice.adviser import advise
    from shutbox.analysis.equity.fairness import fair
    from shutbox.analysis.equity.match_value import equity
    from shutbox.analysis.odds import odds
    from shutbox.analysis.practice import practice
    from shutbox.analysis.review.review import review
    from shutbox.analysis.simulation.simulate import simulate
    from shutbox.analysis.solvers.select import solve
    from shutbox.analysis.strategy.compare import compare, evaluate, sheet
    from shutbox.bots import bot, register_bot
    from shutbox.lookup import find_any, find_position, match_of
    from shutbox.match import Format, Match
    from shutbox.solver import MEAN, SHUT, WORST_SHUT, Aim, Solution, beat
    from shutbox.stats import stats_of
    from shutbox.views import PositionView, view

__version__ = "0.1.0"

__all__ = [
    "MEAN", "SHUT", "WORST_SHUT", "Aim", "Answer", "Applied", "Choose", "Chosen", "Corrected",
    "Cup", "Dice", "Entry", "Event", "FirstChoice", "Format", "Game", "GeneratorCup",
    "HandCup", "Match", "NumberedCup", "Offer", "Over", "Piece", "Play", "Player",
    "PositionView", "Prepared", "Roll", "Rolled", "RuleCard", "Scene", "Scoring", "ScriptCup",
    "SecretCup", "SeededCup", "ShutboxError", "Solution", "Step", "Table", "Throw", "TookBack",
    "advise", "beat", "bot", "catalogue", "compare", "equity", "evaluate", "fair", "find",
    "find_any", "find_position", "match_of", "odds", "play_out", "position_text",
    "practice", "register", "register_bot", "review", "sheet", "simulate", "solve", "stats_of",
    "view",
]  # fmt: skip

_LATER = {  # public names that are imported at first use, and their modules
    **dict.fromkeys(("MEAN", "SHUT", "WORST_SHUT", "Aim", "Solution", "beat"), "solver"),
    **dict.fromkeys(("Format", "Match"), "match"),
    **dict.fromkeys(("find_any", "find_position", "match_of"), "lookup"),
    **dict.fromkeys(("compare", "evaluate", "sheet"), "analysis.strategy.compare"),
    **dict.fromkeys(("PositionView", "view"), "views"),
    "advise": "analysis.advice.adviser",
    **dict.fromkeys(("bot", "register_bot"), "bots"),
    "equity": "analysis.equity.match_value",
    "fair": "analysis.equity.fairness",
    "odds": "analysis.odds",
    "practice": "analysis.practice",
    "review": "analysis.review.review",
    "simulate": "analysis.simulation.simulate",
    "solve": "analysis.solvers.select",
    "stats_of": "stats",
}
_MODULES = {  # modules and packages that are imported at first use
    *("analysis", "bots", "boxes", "lookup", "match", "narrator", "picture"),
    *("record", "rl", "solver", "stats", "store", "testing"),
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *_MODULES})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        from importlib import import_module

        if name not in _LATER and name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module = import_module(f"{__name__}.{_LATER.get(name, name)}")
        found = globals()[name] = getattr(module, name) if name in _LATER else module
        return found
