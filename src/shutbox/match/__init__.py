"""Matches: players, formats and chips, on top of any game that has scores and an end."""

from shutbox.match.answers import CHIPS, EVERYBODY, GOALS, ROUND, TO_BEAT, WHOSE
from shutbox.match.format import (
    Begins,
    End,
    Format,
    Order,
    Preset,
    Ties,
    Until,
    WhenShut,
    preset_of,
    presets,
)
from shutbox.match.game import Match, full_title
from shutbox.match.scoreboard import sheet
from shutbox.match.standing import (
    About,
    Account,
    Contest,
    Ended,
    House,
    Movement,
    Opening,
    Purpose,
    RoundResult,
    Settled,
    Standing,
    Status,
    Tally,
    Turn,
    TurnResult,
    WithoutChips,
)

__all__ = [
    "CHIPS", "EVERYBODY", "GOALS", "ROUND", "TO_BEAT", "WHOSE", "About", "Account", "Begins",
    "Contest", "End", "Ended", "Format", "House", "Match", "Movement", "Opening", "Order",
    "Preset", "Purpose", "RoundResult", "Settled", "Standing", "Status", "Tally", "Ties",
    "Turn", "TurnResult", "Until", "WhenShut", "WithoutChips", "full_title", "preset_of", "presets",
    "sheet",
]  # fmt: skip
