"""What the records of a user say together: games, wins, scores, and whether the dice are fair."""

from shutbox.stats.as_json import as_json
from shutbox.stats.bands import band
from shutbox.stats.gather import gather
from shutbox.stats.report import Faces, Games, Matches, Player, Scores, Stats
from shutbox.stats.words import sentences

__all__ = [
    "Faces",
    "Games",
    "Matches",
    "Player",
    "Scores",
    "Stats",
    "as_json",
    "band",
    "gather",
    "sentences",
]
