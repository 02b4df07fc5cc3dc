"""Computer players, by the name of their kind."""

from shutbox.analysis.strategy.characters import CHARACTERS, character_of
from shutbox.bots.registry import (
    KINDS,
    RIVAL,
    bot,
    bots_of,
    check_bots,
    kinds,
    player_meant,
    read_players,
    register_bot,
    set_progress,
)

__all__ = [
    "CHARACTERS", "KINDS", "RIVAL", "bot", "bots_of", "character_of", "check_bots", "kinds",
    "player_meant", "read_players", "register_bot", "set_progress",
]  # fmt: skip
