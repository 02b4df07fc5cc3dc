"""What the records of a user say together: games, wins, scores, and whether the dice are fair."""

from shutbox.stats.binomial import band
from shutbox.stats.collect import gather
from shutbox.stats.json_format import as_json
from shutbox.stats.report import Faces, Games, Matches, PlayerStats, Scores, Stats
from shutbox.stats.wording import sentences

__all__ = [
    "Faces",
    "Games",
    "Matches",
    "PlayerStats",
    "Scores",
    "Stats",
    "as_json",
    "band",
    "gather",
    "sentences",
]
