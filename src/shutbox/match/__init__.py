"""Matches: players, formats, chips, on top of any game that has scores and ends."""

from shutbox.match.answers import CHIPS, EVERYBODY, ROUND, TO_BEAT, WHOSE
from shutbox.match.atoms import End, Order, Ties, Until, WhenShut
from shutbox.match.chips import Account, House, WithoutChips
from shutbox.match.format import Format
from shutbox.match.game import Match
from shutbox.match.ledger import Ledger, ledger, sheet
from shutbox.match.outcome import RoundResult
from shutbox.match.presets import Preset, presets, title_of
from shutbox.match.standing import Standing, Tally

__all__ = [
    "CHIPS",
    "EVERYBODY",
    "ROUND",
    "TO_BEAT",
    "WHOSE",
    "Account",
    "End",
    "Format",
    "House",
    "Ledger",
    "Match",
    "Order",
    "Preset",
    "RoundResult",
    "Standing",
    "Tally",
    "Ties",
    "Until",
    "WhenShut",
    "WithoutChips",
    "ledger",
    "presets",
    "sheet",
    "title_of",
]
