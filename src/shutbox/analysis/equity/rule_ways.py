"""The turns that a rule of thumb chooses from, as chances of their ends, and when a clause fits."""

from collections.abc import Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from shutbox.analysis.equity.rule import Clause, Goal, Rule
from shutbox.analysis.equity.standings import Cells, Flags, Floats, Integers, Standings, TurnKind
from shutbox.analysis.solvers.select import turns_of
from shutbox.game import Over, Scoring
from shutbox.match import Match
from shutbox.solver.objectives import MEAN, SHUT, Aim, beat
from shutbox.solver.solution import GraphSolution


class Facts(NamedTuple):
    """What clauses ask of standings of one kind: int64[B] each, but for the last four."""

    mine: Integers  # points left to the target or the limit; 0 where there is none
    theirs: Integers  # the same of the other
    behind: Integers  # how much worse my total is
    wanted: Integers  # the score with which the totals are equal
    ends: Flags  # bool[B]: whether the turn ends the match
    left: int  # rounds, with this one
    second: bool
    answers: bool

    def marks(self, goal: Goal) -> Integers:
        """The number that a goal is about, int64[B]: the points left, or the score to beat."""
        return self.wanted if goal is Goal.BEAT else self.mine


class RuleTurns:
    """The ways to play a turn, by number, and their chances."""

    def __init__(self, match: "Match[Any, Any]", standings: Standings) -> None:
        self.standings = standings
        self._match = match
        self._scores = np.unique([score for score, _ in standings.ends])
        self._known: dict[Hashable, int] = {}
        self._chances: list[Floats] = []

    @cached_property
    def _turns(self) -> Any:
        return turns_of(self._match.game, self._match.game.start())

    def chances(self, numbers: Integers) -> Floats:
        """The chances of the ends, float64[E, B], of ways of these numbers."""
        return np.array(self._chances)[numbers].T

    # How standings are seen

    def facts(self, kind: TurnKind, cells: Cells) -> Facts:
        """What clauses ask."""
        standings, format = self.standings, self.standings.format
        mine, theirs = cells
        second, bound = kind.before is not None, standings.bound
        last = standings.counts_rounds and kind.round == format.rounds
        ends = np.full(mine.shape, second and last, np.bool_)
        left = 0 * mine, 0 * mine
        if bound is not None:
            ends = ends | (second & (theirs >= bound))
            left = bound - mine, np.maximum(0, bound - theirs)
        return Facts(
            *left,
            behind=mine - theirs if standings.low_is_good else theirs - mine,
            wanted=theirs - mine,
            ends=ends,
            left=(format.rounds or kind.round) - kind.round + 1,
            second=second,
            answers=kind.before is not None and kind.before.shut,
        )

    def fits(self, clause: Clause, facts: Facts) -> Flags:
        """Where a clause fits, bool[B]."""
        fits = self.open_to(clause.goal, facts)
        if clause.answers and not facts.answers:
            fits[:] = False
        if clause.second not in (None, facts.second):
            fits[:] = False
        if clause.left is not None and facts.left > clause.left:
            fits[:] = False
        for most, here in ((clause.mine, facts.mine), (clause.theirs, facts.theirs)):
            if most is not None:
                fits &= here <= most
        if clause.behind is not None:
            fits &= facts.behind >= clause.behind
        return fits

    def open_to(self, goal: Goal, facts: Facts) -> Flags:
        """Where turns can be played for a goal, bool[B]: where the mark can be met and missed."""
        low, high = self._scores[0], self._scores[-1]
        match goal:
            case Goal.BEAT:
                return np.asarray(facts.ends & (low <= facts.wanted) & (facts.wanted <= high))
            case Goal.REACH | Goal.STAY:
                return np.asarray(~facts.ends & (low < facts.mine) & (facts.mine <= high))
        return np.full(facts.mine.shape, True)

    def of_rule(self, rule: Rule, kind: TurnKind, cells: Cells) -> Integers:
        """The numbers of the ways in which a rule has turns played, int64[B]."""
        facts = self.facts(kind, cells)
        found = np.full(cells.mine.shape, self.way(Goal.SCORE))
        left = np.full(cells.mine.shape, True)
        for clause in rule:
            fits = left & self.fits(clause, facts)
            found[fits] = self.ways(clause.goal, facts.marks(clause.goal)[fits])
            left &= ~fits
        return found

    def ways(self, goal: Goal, marks: Integers) -> Integers:
        """The numbers of the ways for a goal with these marks, int64[B]."""
        if goal in (Goal.SCORE, Goal.SHUT):
            return np.full(marks.shape, self.way(goal))
        each, which = np.unique(marks, return_inverse=True)
        return np.array([self.way(goal, int(mark)) for mark in each], np.int64)[which]

    # The ways themselves

    def way(self, goal: Goal, mark: int = 0) -> int:
        """The number of the way for a goal; its turn is solved when it is first asked for."""
        if (goal, mark) not in self._known:
            self._known[goal, mark] = len(self._chances)
            self._chances.append(self._solved(aim_of(goal, mark, self._match.rules.scoring)))
        return self._known[goal, mark]

    def _solved(self, aim: Aim) -> Floats:
        game = self._match.game
        found, _ = GraphSolution(game, aim, self._turns).chances(game.start())
        return np.array([float(found.get(end, Fraction(0))) for end in self.standings.ends])


def aim_of(goal: Goal, mark: int, scoring: Scoring) -> Aim:
    """What a turn is solved for.

    The mark is the score that is needed to REACH, is too much to STAY, or is to BEAT.
    """
    match goal:
        case Goal.SCORE:
            return MEAN
        case Goal.SHUT:
            return SHUT
        case Goal.BEAT:
            return beat(mark, scoring)

    def worth(over: Over) -> int:
        [score] = over.scores
        return int(score >= mark) if goal is Goal.REACH else int(score < mark)

    return Aim(f"{goal.value}:{mark}", worth, lambda _, seat: True)
