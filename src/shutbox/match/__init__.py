"""Matches: players, formats and chips, on top of any game that has scores and an end."""

from shutbox.match.answers import CHIPS, EVERYBODY, GOALS, ROUND, TO_BEAT, WHOSE
from shutbox.match.format import Begins, End, Format, Order, Ties, Until, WhenShut
from shutbox.match.game import Match, full_title, turn_game
from shutbox.match.preset import Preset, preset_of, presets
from shutbox.match.scoreboard import sheet
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    Opening,
    RoundResult,
    Settled,
    Standing,
    Status,
    Tally,
    Turn,
    TurnResult,
    WithoutChips,
)
