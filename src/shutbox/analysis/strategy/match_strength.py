"""The loss in a match of two of a player who plays every turn alike, whatever the standing.

The turns of this fixed player are evaluated exactly, so the chances of their ends are known. The
opponent knows them too, and plays the best response. The loss is what the fixed player's share of
the win falls short of a half.
"""

from dataclasses import dataclass

from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.strategy.compare import evaluate
from shutbox.analysis.strategy.following import AnyPlayer
from shutbox.solver import compiled
from shutbox.solver.graph import Progress, unheard


@dataclass(frozen=True, slots=True)
class MatchStrength:
    """The strength of a player in a match of two against the best response.

    A share is the expected part of the win, 0 to 1, within 1e-9 of the exact one.
    """

    name: str  # the name of the strategy or player
    begins: float  # the share of the win of the player when beginning
    second: float  # the share when the opponent begins

    @property
    def loss(self) -> float:
        """The share of the win lost to the best response; both players begin equally often."""
        return max(0.0, 0.5 - (self.begins + self.second) / 2)


def match_strength(
    equity: Equity, player: AnyPlayer, *, anyway: bool = False, progress: Progress = unheard
) -> MatchStrength:
    """Evaluate a player in a solved match of two against the best response.

    >>> import shutbox
    >>> equity = shutbox.equity("six[seats=2,rounds=2]")
    >>> round(match_strength(equity, "random").loss, 4)
    0.1667
    >>> round(match_strength(equity, "perfect").loss, 6)
    0.000161

    `player` is one that `shutbox.evaluate` accepts, and sees only a single turn: `perfect` plays
    for the best expected score. Raises what `evaluate` raises, and TooLarge for more than two
    seats, and for a match that can go on forever with these turns.
    """
    from shutbox.analysis.equity.fixed_player import FixedPlayer  # needs NumPy

    known = evaluate(equity.match.game, player, anyway=anyway, progress=progress)
    shares = compiled.with_recompile(lambda: FixedPlayer(equity, known.chances, progress).shares)
    return MatchStrength(known.name, *shares)
