"""The loss in a match of two of a player who plays every turn alike, whatever the standing.

The turns of this fixed player are evaluated exactly, so the chances of their ends are known. The
opponent knows them too, and plays the best response. The loss is what the fixed player's share of
the win falls short of a half.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shutbox.analysis.equity.cost import whole_turn
from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.equity.standings import Floats, RoundHistory, TurnState
from shutbox.analysis.equity.successors import Results, Successors
from shutbox.analysis.equity.sweep import SAME, Part, levels
from shutbox.analysis.strategy.compare import evaluate
from shutbox.analysis.strategy.following import AnyPlayer
from shutbox.errors import TooLarge
from shutbox.solver import compiled
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.solution import Chances

MOST_STEPS = 10_000


class FixedPlayer:
    """The values of all standings by number: `known` and `other`, float64[numbers] each.

    All standings are solved once more, as in `sweep`: the fixed player's turns by their chances,
    the opponent's by the best choices. If standings lead back to themselves, the steps are repeated
    until nothing changes. That is fast: turns that add nothing are rare, or the standings are few.

    `known` is for the fixed player, whose turns have these chances of their ends in every standing,
    `other` for the opponent. Only the first value of a standing counts here, for the player who is
    due; the second remains as in `equity`. Raises TooLarge as `match_strength` does.
    """

    def __init__(self, equity: Equity, chances: Chances, progress: Progress = unheard) -> None:
        self._standings, self._turn = standings, _ = whole_turn(equity.match)
        self._successors = Successors(standings)
        self._columns: Any = compiled.columns()
        self._chances = np.array([float(chances.get(end, 0)) for end in standings.ends])
        self.known, self.other = equity.values.copy(), equity.values.copy()
        done, in_all = 0, sum(map(standings.count, standings.states))
        ends = range(len(standings.ends))
        for level in levels(standings):
            results = [list(self._successors.after(*part, ends)) for part in level]
            for _ in range(MOST_STEPS):
                apart = map(self._step, level, results)
                if max(apart, default=0.0) <= SAME or not standings.leads_back:
                    break
            else:
                raise TooLarge("a match that can go on forever with these turns has no value")
            done += sum(part.totals.shape[1] for part in level)
            progress(done, in_all)
        first = TurnState(1, 2, RoundHistory())
        [begins] = standings.place(first, np.zeros((2, 1), np.int64))
        self.shares = float(self.known[begins]), 1 - float(self.other[begins])
        """The shares of the fixed player when beginning, and when second."""

    def _step(self, part: Part, results: list[Results]) -> float:
        """Update both values of a batch of standings in place; return the largest change."""
        numbers, most = self._standings.place(*part), 0.0
        known = self._chances @ self._payoffs(part, results, self.known, self.other)
        payoffs = self._payoffs(part, results, self.other, self.known)
        [other] = self._columns.evaluate(self._turn, payoffs[None], 0.0)
        for values, found in ((self.known, known), (self.other, other)):
            most = max(most, float(np.abs(values[numbers] - found).max()))
            values[numbers] = found
        return most

    def _payoffs(self, part: Part, results: list[Results], mine: Floats, theirs: Floats) -> Floats:
        """Return the values of the ends for the player who is due, float64[E, B].

        `mine` has the values of standings where this player is due, `theirs` where the other is.
        """
        due = part.state.due
        payoffs = np.empty((len(self._chances), part.totals.shape[1]))
        for result in results:
            here = result.sure[due].copy()
            for group in result.onward:
                i_am_due = group.rows[due] == 0
                value = mine[group.numbers] if i_am_due else 1 - theirs[group.numbers]
                here[group.cases] += group.share * value
            payoffs[result.ends] = here.reshape(len(result.ends), -1)
        return payoffs


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
    from shutbox.analysis.strategy.match_strength import FixedPlayer  # needs NumPy

    known = evaluate(equity.match.game, player, anyway=anyway, progress=progress)
    shares = compiled.with_recompile(lambda: FixedPlayer(equity, known.chances, progress).shares)
    return MatchStrength(known.name, *shares)
