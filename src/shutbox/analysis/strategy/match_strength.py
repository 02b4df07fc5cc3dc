"""What a player who plays every turn alike, whatever the standing, loses in a match of two.

His turns are followed exactly, so the chances of their ends are known; the other player knows them,
too, and answers them best. What is left of the win is his, and what is missing to a half is lost.
"""

from dataclasses import dataclass

from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.strategy.evaluate import evaluate
from shutbox.analysis.strategy.following import AnyPlayer
from shutbox.solver.graph import Progress, unheard


@dataclass(frozen=True, slots=True)
class MatchStrength:
    """How strong a player is in a match of two; shares are within 1e-9 of the exact ones."""

    way: str  # the name of the way or the player
    begins: float  # his share of the win where he begins
    second: float  # and where the other does

    @property
    def loss(self) -> float:
        """The part of the win that he loses to the best answer; both begin equally often."""
        return max(0.0, 0.5 - (self.begins + self.second) / 2)


def match_strength(
    equity: Equity, player: AnyPlayer, *, anyway: bool = False, progress: Progress = unheard
) -> MatchStrength:
    """What comes of a player in a solved match of two, against the best answer to him.

    >>> import shutbox
    >>> equity = shutbox.equity("six[seats=2,rounds=2]")
    >>> round(match_strength(equity, "random").loss, 4)
    0.1667
    >>> round(match_strength(equity, "perfect").loss, 6)
    0.000161

    `player` is one that `shutbox.evaluate` takes, and is asked about a turn alone: `perfect` plays
    for the best expected score. Raises what `evaluate` raises, and TooLarge for more than two
    seats.
    """
    from shutbox.analysis.equity.fixed_player import shares_by_chances  # needs NumPy

    known = evaluate(equity.match.game, player, anyway=anyway, progress=progress)
    return MatchStrength(known.way, *shares_by_chances(equity, known.chances, progress))
