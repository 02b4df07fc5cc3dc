"""The loss in a match of two of a player who plays every turn alike, whatever the standing.

The turns of this fixed player are evaluated exactly, so the chances of their ends are known. The
opponent knows them too, and plays the best response. The loss is a half minus the fixed player's
share of the win, if both begin equally often.
"""

from dataclasses import dataclass

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

MOST_STEPS = 10_000  # iterations for standings that lead back to themselves


@dataclass(frozen=True, slots=True)
class MatchStrength:
    """The strength of a player in a match of two against the best response.

    A share is the expected part of the win, 0 to 1, within 1e-9 of the exact value.
    """

    name: str  # the name of the strategy or player
    begins: float  # the player's share of the win when beginning
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
    known = evaluate(equity.match.game, player, anyway=anyway, progress=progress)
    shares = compiled.with_recompile(lambda: _shares(equity, known.chances, progress))
    return MatchStrength(known.name, *shares)


def _shares(equity: Equity, chances: Chances, progress: Progress) -> tuple[float, float]:
    """Return a player's shares, beginning and second, from the chances of the ends of its turns.

    All standings are solved once more, as in `sweep`: this player's turns by their chances, the
    opponent's by the best choices. If standings lead back to themselves, this is repeated until
    nothing changes, which is soon: turns that add nothing are rare, or the standings are few.
    """
    standings, turn = whole_turn(equity.match)
    successors, columns, every_end = Successors(standings), compiled.columns(), standings.ends
    assert columns is not None  # the match is solved
    falls = np.array([float(chances.get(end, 0)) for end in every_end])
    # Values by number of standing: if this player is due (`known`), or the opponent (`other`).
    known, other = both = equity.values.copy(), equity.values.copy()
    done, in_all = 0, sum(map(standings.count, standings.states))
    for level in levels(standings):
        after = [list(successors.after(*part, range(len(every_end)))) for part in level]
        for _ in range(MOST_STEPS):
            apart = 0.0
            for part, results in zip(level, after, strict=True):
                mine, theirs = _payoffs(part, results, *both), _payoffs(part, results, other, known)
                [best] = columns.evaluate(turn, theirs[None], 0.0)
                numbers = standings.place(*part)
                for values, found in ((known, falls @ mine), (other, best)):
                    apart = max(apart, float(np.abs(values[numbers] - found).max()))
                    values[numbers] = found
            if apart <= SAME or not standings.leads_back:
                break
        else:
            raise TooLarge("a match that can go on forever with these turns has no value")
        done += sum(part.totals.shape[1] for part in level)
        progress(done, in_all)
    [begins] = standings.place(TurnState(1, 2, RoundHistory()), np.zeros((2, 1), np.int64))
    return float(known[begins]), 1 - float(other[begins])


def _payoffs(part: Part, results: list[Results], mine: Floats, theirs: Floats) -> Floats:
    """Return the values of the ends for the player who is due, float64[E, B].

    `mine` has the values of standings where this player is due, `theirs` where the other is.
    """
    due = part.state.due
    payoffs = np.empty((sum(len(result.ends) for result in results), part.totals.shape[1]))
    for result in results:
        here = result.sure[due].copy()
        for group in result.onward:
            i_am_due = group.rows[due] == 0
            value = mine[group.numbers] if i_am_due else 1 - theirs[group.numbers]
            here[group.cases] += group.share * value
        payoffs[result.ends] = here.reshape(len(result.ends), -1)
    return payoffs
