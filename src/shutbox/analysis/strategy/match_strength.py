"""What a player who plays every turn alike, whatever the standing, loses in a match of two.

His turns are followed exactly, so the chances of their ends are known; the other player knows them,
too, and answers them best. What is left of the win is his, and what is missing to a half is lost.

All standings are solved once more, from the last ones to the first, as in `sweep`, but each has two
values: one to the player whose turns are known, where that player is due, and one to the other,
where the other is. The known turn is a mean over the chances of its ends; the other takes the best
of everything, as in a solved match. Where standings lead back to themselves the steps are repeated
until nothing changes: a turn that adds nothing is rare, or the standings are few.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from shutbox.analysis.equity.cost import whole_turn
from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.equity.standings import Floats, RoundHistory, TurnState
from shutbox.analysis.equity.successors import Follows, Successors
from shutbox.analysis.equity.sweep import SAME, Part, levels
from shutbox.analysis.strategy.compare import evaluate
from shutbox.analysis.strategy.following import AnyPlayer
from shutbox.errors import TooLarge
from shutbox.solver import compiled
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.solution import Chances

MOST_STEPS = 10_000


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
    known = evaluate(equity.match.game, player, anyway=anyway, progress=progress)
    shares = compiled.called(lambda: _FixedPlayer(equity, known.chances, progress).shares)
    return MatchStrength(known.way, *shares)


class _FixedPlayer:
    """The values of all standings by number: `known` and `other`, float64[numbers] each.

    All turns of the one player have these chances of their ends, whatever the standing.
    Only the first row of a standing has a value here: that of the player who is due.
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
            follows = [list(self._successors.follow(*part, ends)) for part in level]
            for _ in range(MOST_STEPS):
                apart = map(self._step, level, follows)
                if max(apart, default=0.0) <= SAME or not standings.leads_back:
                    break
            else:
                raise TooLarge("a match that can go on forever with these turns has no value")
            done += sum(part.totals.shape[1] for part in level)
            progress(done, in_all)
        first = TurnState(1, 2, RoundHistory())
        [begins] = standings.place(first, np.zeros((2, 1), np.int64))
        self.shares = float(self.known[begins]), 1 - float(self.other[begins])
        """Of the player whose turns are known, who begins, or is second."""

    def _step(self, part: Part, follows: list[Follows]) -> float:
        """Work out standings by what is known; return how much values have changed at most."""
        numbers, most = self._standings.place(*part), 0.0
        known = self._chances @ self._worths(part, follows, self.known, self.other)
        worths = self._worths(part, follows, self.other, self.known)
        [other] = self._columns.evaluate(self._turn, worths[None], 0.0)
        for values, found in ((self.known, known), (self.other, other)):
            most = max(most, float(np.abs(values[numbers] - found).max()))
            values[numbers] = found
        return most

    def _worths(self, part: Part, followed: list[Follows], mine: Floats, theirs: Floats) -> Floats:
        """Return what the ends are worth to me, who am due: float64[E, B].

        `mine` are the values of the standings where I am due, `theirs` where the other is.
        """
        due = part.state.due
        worths = np.empty((len(self._chances), part.totals.shape[1]))
        for follows in followed:
            here = follows.sure[due].copy()
            for way in follows.onward:
                i_am_due = way.rows[due] == 0
                there = mine[way.numbers] if i_am_due else 1 - theirs[way.numbers]
                here[way.cases] += way.share * there
            worths[follows.ends] = here.reshape(len(follows.ends), -1)
        return worths
