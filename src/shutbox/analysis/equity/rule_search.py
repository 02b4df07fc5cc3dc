"""Which rule of thumb is best: what each way to play a turn would gain, standing by standing.

A turn played in one of the ways, and everything after it perfectly, loses a little at its standing.
Summed over how often standings come up that is what a rule loses, but for what it changes in how
often they do, which is the product of two small numbers. So the best thresholds are found by sums,
and the rule that is found is then worked out exactly by `rule_value`.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from shutbox.analysis.equity.match_value import Equity
from shutbox.analysis.equity.rule import SCORE_ALWAYS, Clause, Goal, Rule
from shutbox.analysis.equity.rule_value import Part, levels, worths
from shutbox.analysis.equity.rule_ways import RuleTurns
from shutbox.analysis.equity.standings import Cells, Flags, Floats, Integers, Standings, TurnKind
from shutbox.match.atoms import Until

KEEP = 1e-4  # of the win: a clause that gains less is not worth remembering
ROUND = 1e-5  # of the win: so much may be given up for a rounder number, or for a shorter clause
MOST_GRID = 4_000_000  # pairs of thresholds
RARE = 1e-9  # how often a standing has to come up to be looked at


class _Gains(NamedTuple):
    """Of each standing that comes up: what clauses ask, and what goals gain over the score."""

    mine: Integers
    theirs: Integers
    behind: Integers
    left: Integers
    second: Flags
    answers: Flags
    ends: Flags
    mark: Floats  # share of the win, times how often; 0 where the mark cannot be met
    shut: Floats


class Searched:
    """A solved match that is searched for its best rule."""

    def __init__(self, equity: Equity) -> None:
        self._standings: Standings = equity.standings
        self._ways = RuleTurns(equity.match, self._standings)
        self._values = equity.values
        self._gains = self._all_gains(self._visits())

    @property
    def _mark(self) -> tuple[Goal, ...]:
        """The goal that a target or a limit gives to turns that do not end the match."""
        if self._standings.bound is None:
            return ()
        return (Goal.STAY,) if self._standings.low_is_good else (Goal.REACH,)

    def rule(self) -> Rule:
        """The best rule."""
        gains = self._gains
        open_ = np.full(gains.mark.shape, True)
        rule: list[Clause] = []
        if self._standings.format.until is Until.SHUT:
            self._take(rule, open_, Clause(Goal.SHUT, answers=True), gains.shut, gains.answers)
        self._take(rule, open_, Clause(Goal.BEAT), gains.mark, gains.ends)
        for mark in self._mark:
            some = open_ & ~gains.ends
            best = _best(np.where(some, gains.mark, 0.0), gains.mine, gains.theirs)
            if best is not None:
                rule.append(Clause(mark, mine=best[0], theirs=best[1]))
                fits = some & _at_most(gains.mine, best[0]) & _at_most(gains.theirs, best[1])
                open_ &= ~fits | (gains.mark == 0)
        shuts: list[Clause] = []
        for second in (False, True):
            some = open_ & (gains.second == second)
            best = _best(np.where(some, gains.shut, 0.0), -gains.behind, gains.left)
            if best is not None:
                behind = None if best[0] is None else -best[0]
                told = None if self._standings.alike else second
                left = best[1] if self._standings.counts_rounds else None
                shuts.append(Clause(Goal.SHUT, behind=behind, left=left, second=told))
        if len(shuts) == 2 and replace(shuts[0], second=True) == shuts[1]:
            shuts = [replace(shuts[0], second=None)]
        return (*rule, *shuts, *SCORE_ALWAYS)

    def _take(
        self, rule: list[Clause], open_: Flags, clause: Clause, gain: Floats, fits: Flags
    ) -> None:
        """Add a clause without numbers, if it gains enough."""
        if gain[open_ & fits].sum() / 2 > KEEP:
            rule.append(clause)
            open_ &= ~fits | (gain == 0)  # where the mark cannot be met a later clause may fit

    def _visits(self) -> Floats:
        """How often each standing comes up in a match of two who play for the score."""
        standings, ways = self._standings, self._ways
        often, coming = np.zeros(standings.numbers), np.zeros(standings.numbers)
        zero = np.zeros(1, np.int64)
        first = TurnKind(1, None)
        coming[standings.place(first, Cells(zero, zero))] = 1.0
        score = ways.chances(np.array([ways.way(Goal.SCORE)]))
        for level in levels(standings, last_first=False):
            while any(coming[part.places].max(initial=0.0) > RARE for part in level):
                for part in level:
                    here = coming[part.places]
                    coming[part.places] = 0.0
                    often[part.places] += here
                    for place, share in zip(part.after.places, part.after.shares, strict=True):
                        falls = np.abs(share) * score * here
                        np.add.at(coming, np.broadcast_to(place, falls.shape), falls)
        return often

    def _all_gains(self, often: Floats) -> _Gains:
        found = [
            self._gains_of(part, often[part.places])
            for level in levels(self._standings, last_first=True)
            for part in level
        ]
        return _Gains(*(np.concatenate(column) for column in zip(*found, strict=True)))

    def _gains_of(self, part: Part, often: Floats) -> _Gains:
        ways, kind, cells = self._ways, part.kind, part.cells
        facts, shape = ways.facts(kind, cells), (len(self._standings.ends), len(often))
        worth = np.broadcast_to(worths(part.after, self._values, self._values), shape)

        def value(numbers: Any) -> Any:
            return np.einsum("eb,eb->b", np.broadcast_to(ways.chances(numbers), shape), worth)

        score, shut = (value(np.array([ways.way(goal)])) for goal in (Goal.SCORE, Goal.SHUT))
        gain = np.zeros(len(often))
        for goal in (Goal.BEAT, *self._mark):
            fits = ways.open_to(goal, facts)
            if fits.any():
                numbers = np.full(len(often), ways.way(Goal.SCORE))
                numbers[fits] = ways.ways(goal, facts.marks(goal)[fits])
                gain = np.where(fits, value(numbers) - score, gain)
        one = np.ones(len(often), np.int64)
        return _Gains(
            *(facts.mine, facts.theirs, facts.behind, facts.left * one),
            *(one * facts.second > 0, one * facts.answers > 0, facts.ends),
            *(often * gain, often * (shut - score)),
        )


def _at_most(column: Integers, most: int | None) -> Flags:
    return np.full(column.shape, True) if most is None else column <= most


def _best(gain: Floats, one: Integers, two: Integers) -> tuple[int | None, int | None] | None:
    """The thresholds up to which of two numbers the sum of the gains is greatest.

    None for one that is not needed; None for both together where nothing gains enough. Of those
    that gain nearly as much, the one with the fewest conditions and the roundest numbers.
    """
    places = np.nonzero(gain)[0]
    if not len(places):
        return None
    ones, row = np.unique(one[places], return_inverse=True)
    twos, column = np.unique(two[places], return_inverse=True)
    if len(ones) * len(twos) > MOST_GRID:
        twos, column = twos[-1:], np.zeros_like(column)
    grid = np.zeros((len(ones), len(twos)))
    np.add.at(grid, (row, column), gain[places])
    sums = grid.cumsum(0).cumsum(1) / 2  # of both players
    if sums.max() < KEEP:
        return None
    near = list(zip(*np.nonzero(sums >= sums.max() - ROUND), strict=True))

    def cost(pair: tuple[int, int]) -> tuple[int, int, float]:
        i, j = pair
        told = [int(n[k]) for n, k in ((ones, i), (twos, j)) if k < len(n) - 1]
        return len(told), sum(2 - (n % 5 == 0) - (n % 10 == 0) for n in told), -float(sums[i, j])

    i, j = min(near, key=cost)
    return (
        int(ones[i]) if i < len(ones) - 1 else None,
        int(twos[j]) if j < len(twos) - 1 else None,
    )
