"""What a match is worth to a player whose turns are known, against one who answers them best.

All standings once more, from the last ones to the first, as in `backward`, but with two values for
each: of the player with the rule where that one is due, whose turn is a sum over the chances of its
ends, and of the other where that one is due, who takes the best of everything as in a solved match.
Where standings lead back to themselves the steps are repeated until nothing changes: a turn that
adds nothing is rare, or the standings are few.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from shutbox.analysis.equity.backward import MOST_WORTHS
from shutbox.analysis.equity.match_cost import whole_turn
from shutbox.analysis.equity.standings import After, Cells, Floats, Integers, Standings, TurnKind
from shutbox.analysis.equity.whole_match import Equity
from shutbox.errors import TooLarge
from shutbox.solver import compiled
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.solution import Chances

if TYPE_CHECKING:
    from shutbox.solver import lanes

Falls: TypeAlias = Callable[[TurnKind, Cells], Floats]
"""The chances of the ends of the player's turns in standings of one kind, float64[E, B]."""

SAME = 1e-13  # steps that change no value by more have found it
MOST_STEPS = 10_000


class Part(NamedTuple):
    """Standings of one kind that are worked on together."""

    kind: TurnKind
    cells: Cells
    places: Integers
    after: After


def levels(standings: Standings, *, last_first: bool) -> Iterator[list[Part]]:
    """All standings, those together that may lead to one another; in the order of play, or back."""
    way = -1 if last_first else 1
    kinds = list(standings.kinds)[::way]
    if standings.counts_rounds:
        for kind in kinds:
            yield from ([part] for part in _parts(standings, kind, standings.cells(kind)))
        return
    gain = max(1, standings.gain)
    tops = range(standings.highest_sum, -1, -gain)[::-way]
    for top in tops:
        sums = range(top, max(-1, top - gain), -1)
        level: list[Part] = []
        for kind in kinds:
            mine, theirs = zip(*(standings.diagonal(kind, total) for total in sums), strict=True)
            cells = Cells(np.concatenate(mine), np.concatenate(theirs))
            level += _parts(standings, kind, cells)
        yield level


def _parts(standings: Standings, kind: TurnKind, cells: Cells) -> Iterator[Part]:
    each = max(1, MOST_WORTHS // len(standings.ends))
    for begin in range(0, len(cells.mine), each):
        some = Cells(*(column[begin : begin + each] for column in cells))
        for part in standings.parted(kind, some):
            places = standings.place(kind, part)
            yield Part(kind, part, places, standings.after(kind, part))


def worths(after: After, mine: Floats, theirs: Floats) -> Floats:
    """What the ends are worth to me, float64[E, B].

    By what standings are worth to me where I am due, and to the other where that one is.
    """
    worth = after.sure
    for place, share in zip(after.places, after.shares, strict=True):
        there = np.where(share < 0, theirs[place], mine[place])
        worth = worth + np.where(share == 0, 0.0, share * there)
    return worth


def shares_by_turns(
    equity: Equity, falls: Falls, progress: Progress = unheard
) -> tuple[float, float]:
    """The shares of the player who begins, and of the same who is second, in a match of two."""
    standings, turn = whole_turn(equity.match)

    def solved() -> tuple[float, float]:
        known = equity.values
        return RuleValue(standings, turn, compiled.lanes(), falls, known, progress).shares

    found: tuple[float, float] = compiled.called(solved)
    return found


def shares_by_chances(
    equity: Equity, chances: Chances, progress: Progress = unheard
) -> tuple[float, float]:
    """The same where all turns of the player have these chances of their ends."""
    ends = whole_turn(equity.match)[0].ends
    column = np.array([[float(chances.get(end, 0))] for end in ends])

    def falls(kind: TurnKind, cells: Cells) -> Floats:
        return np.broadcast_to(column, (len(ends), len(cells.mine)))

    return shares_by_turns(equity, falls, progress)


class RuleValue:
    """The values of all standings by number: `by_rule` and `other`, float64[standings] each."""

    def __init__(
        self,
        standings: Standings,
        turn: "lanes.Flat",
        lanes: Any,
        falls: Falls,
        solved: Floats,
        progress: Progress = unheard,
    ) -> None:
        """`solved` are the values of the match, with which steps begin."""
        self._turn, self._lanes = turn, lanes
        self.by_rule, self.other = solved.copy(), solved.copy()
        again = not standings.counts_rounds and not standings.gain
        done, in_all = 0, sum(map(standings.count, standings.kinds))
        for level in levels(standings, last_first=True):
            chances = [falls(part.kind, part.cells) for part in level]
            for _ in range(MOST_STEPS):
                if self._step(level, chances) <= SAME or not again:
                    break
            else:
                raise TooLarge("a match that may go on for ever by this rule has no value")
            done += sum(len(part.places) for part in level)
            progress(done, in_all)
        begins = standings.place(TurnKind(1, None), Cells(np.zeros(1, int), np.zeros(1, int)))[0]
        self.shares = float(self.by_rule[begins]), 1 - float(self.other[begins])
        """Of the player with the rule, who begins, or is second."""

    def _step(self, level: list[Part], chances: list[Floats]) -> float:
        """Work out a level by what is known; by how much values have changed at most."""
        most = 0.0
        for part, falls in zip(level, chances, strict=True):
            shape = falls.shape
            mine = worths(part.after, self.by_rule, self.other)
            theirs = worths(part.after, self.other, self.by_rule)
            by_rule = np.einsum("eb,eb->b", falls, np.broadcast_to(mine, shape))
            whole = np.ascontiguousarray(np.broadcast_to(theirs, shape))
            other = self._lanes.values(self._turn, whole)
            for known, found in ((self.by_rule, by_rule), (self.other, other)):
                most = max(most, float(np.abs(known[part.places] - found).max(initial=0.0)))
                known[part.places] = found
        return most
