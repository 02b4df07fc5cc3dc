"""Computer players, by the name of their kind."""

from shutbox.bots.characters import (
    CHARACTERS,
    RIVAL,
    character_of,
    check_person,
    players_text,
    read_back,
    read_players,
)
from shutbox.bots.registry import KINDS, bot, bots_of, check_bots, tell_progress

__all__ = [
    "CHARACTERS", "KINDS", "RIVAL", "bot", "bots_of", "character_of", "check_bots",
    "check_person", "players_text", "read_back", "read_players", "tell_progress",
]  # fmt: skip
