"""Computer players, by the name of their kind."""

from shutbox.bots.registry import KINDS, bot, bots_of, check_bots, tell_progress

__all__ = ["KINDS", "bot", "bots_of", "check_bots", "tell_progress"]
