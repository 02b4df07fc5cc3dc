"""Statistics of a user's records: games, wins, scores, and whether the dice are fair."""

from shutbox.stats.collect import gather, stats_of
from shutbox.stats.report import as_json
from shutbox.stats.wording import sentences

__all__ = ["as_json", "gather", "sentences", "stats_of"]
