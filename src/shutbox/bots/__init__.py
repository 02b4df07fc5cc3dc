"""Computer players, by the name of their kind."""

from shutbox.bots.kinds import KINDS, bot, bots_of, check_bots, tell_progress
from shutbox.bots.simple import ByTiles, RandomChoice

__all__ = ["KINDS", "ByTiles", "RandomChoice", "bot", "bots_of", "check_bots", "tell_progress"]
