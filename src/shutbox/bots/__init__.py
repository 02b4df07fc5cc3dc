"""Computer players, by the name of their kind."""

from shutbox.bots.heuristic import ByTiles, RandomChoice
from shutbox.bots.registry import KINDS, bot, bots_of, check_bots, tell_progress

__all__ = ["KINDS", "ByTiles", "RandomChoice", "bot", "bots_of", "check_bots", "tell_progress"]
