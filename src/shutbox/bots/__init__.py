"""Computer players, by the name of their kind."""

from shutbox.bots.characters import CHARACTERS, character_of, read_players
from shutbox.bots.registry import KINDS, bot, bots_of, check_bots, tell_progress

__all__ = [
    "CHARACTERS",
    "KINDS",
    "bot",
    "bots_of",
    "character_of",
    "check_bots",
    "read_players",
    "tell_progress",
]
