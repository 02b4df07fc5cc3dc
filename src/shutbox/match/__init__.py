"""Matches: players, formats, chips, on top of any game that has scores and ends."""

from shutbox.match.chips import Account, House, Ledger, Movement
from shutbox.match.format import End, Format, Order, Ties, Until, WhenShut
from shutbox.match.game import Match
from shutbox.match.ledger import ledger
from shutbox.match.position import (
    About,
    Contest,
    Ended,
    Opening,
    Position,
    Status,
    Tally,
    Turn,
    WithoutChips,
)
from shutbox.match.presets import Preset, presets
from shutbox.match.rules import RoundResult
from shutbox.match.sheet import sheet

__all__ = [
    "About",
    "Account",
    "Contest",
    "End",
    "Ended",
    "Format",
    "House",
    "Ledger",
    "Match",
    "Movement",
    "Opening",
    "Order",
    "Position",
    "Preset",
    "RoundResult",
    "Status",
    "Tally",
    "Ties",
    "Turn",
    "Until",
    "WhenShut",
    "WithoutChips",
    "ledger",
    "presets",
    "sheet",
]
