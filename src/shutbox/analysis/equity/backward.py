"""Every standing of a match of two solved, from the last ones to the first.

Standings that cannot lead to one another are solved side by side, see `solver.columns`. Where
rounds are counted these are all of one round; where only totals count, all whose totals come to
the same sum, since a turn adds to it.

A turn may add nothing: then a standing leads back to itself, with the same player due or the other.
So what it is worth depends on two unknowns, what it is worth to begin a round there for either
player. While the choices stay as they are it does so linearly, and two equations in two unknowns
are solved for each standing; the choices are made anew for what comes of it, until nothing changes.
It is Newton's method: one step for each time that choices change, not one for each round.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from shutbox.analysis.equity.standings import After, Cells, Floats, Integers, Standings, TurnKind
from shutbox.errors import TooLarge
from shutbox.solver.graph import Progress, unheard

if TYPE_CHECKING:
    from shutbox.solver import columns

MOST_WORTHS = 1 << 19  # of ends and standings at a time
SAME = 1e-13  # a step that changes no value by more has found it
MOST_STEPS = 30  # of Newton's; it takes two or three, and is not proved to end
MOST_TURNS = 10_000  # of the plain steps after those, which always come nearer


class Backward:
    """The values of all standings, by number: the share of the win of the player who is due.

    `values` is float64[standings]; NaN for numbers of what cannot come up. Raises TooLarge for a
    match that goes on for ever with certainty.
    """

    def __init__(
        self, standings: Standings, turn: "columns.Flat", columns: Any, progress: Progress = unheard
    ) -> None:
        self._standings = standings
        self._turn = turn
        self._columns = columns
        self._progress = progress
        self._done, self._in_all = 0, sum(map(standings.count, standings.kinds))
        self.values: Floats = np.full(standings.numbers, np.nan)
        if standings.counts_rounds:
            for kind in reversed(standings.kinds):
                self._settle(kind, standings.cells(kind))
        elif standings.gain:
            self._by_sums()
        else:
            self._slopes = np.zeros((2, standings.numbers))
            for total in range(standings.highest_sum, -1, -1):
                self._loop(total)

    def _by_sums(self) -> None:
        """Sums that are less apart than what a turn adds cannot lead to one another."""
        standings, gain = self._standings, self._standings.gain
        for top in range(standings.highest_sum, -1, -gain):
            for kind in standings.kinds:
                sums = range(top, max(-1, top - gain), -1)
                self._settle(kind, _joined(standings.diagonal(kind, total) for total in sums))

    def _settle(self, kind: TurnKind, cells: Cells) -> None:
        """Solve standings of a kind once all is known that they lead to."""
        standings, each = self._standings, max(1, MOST_WORTHS // len(self._standings.ends))
        for begin in range(0, len(cells.mine), each):
            part = Cells(*(column[begin : begin + each] for column in cells))
            parts = standings.parted(kind, part)
            worths = np.hstack([self._worths(standings.after(kind, some)) for some in parts])
            places = np.concatenate([standings.place(kind, some) for some in parts])
            self.values[places] = self._columns.values(self._turn, worths)
            self._told(len(places))

    def _told(self, more: int) -> None:
        self._done += more
        self._progress(self._done, self._in_all)

    def _worths(self, after: After) -> Floats:
        """What the ends are worth to the player who is due."""
        worths = after.sure
        for place, share in zip(after.places, after.shares, strict=True):
            worths = worths + np.where(share == 0, 0.0, share * self.values[place])
        return worths

    # Standings that lead back to themselves

    def _loop(self, total: int) -> None:
        """Solve all standings whose totals come to a sum, from which a turn may lead to others."""
        standings, first = self._standings, TurnKind(1, None)
        begin = standings.diagonal(first, total)
        if len(begin.mine):
            turns = {
                kind: _Looping(standings, kind, standings.diagonal(kind, total))
                for kind in standings.kinds
                if kind.before in (None, *standings.looping)
            }
            self._solve_loop(turns.pop(first), list(turns.values()))
            self._told(len(begin.mine))
        for kind in standings.kinds:
            if kind != first:
                self._settle(kind, standings.diagonal(kind, total))

    def _solve_loop(self, first: "_Looping", seconds: "list[_Looping]") -> None:
        """Find what it is worth to begin a round, and leave the slopes as they were: 0."""
        values, slopes = self.values, self._slopes
        slopes[0, first.places] = 1.0
        values[first.places] = self._guessed(first.places)
        for turn in (first, *seconds):
            turn.worths = np.broadcast_to(self._worths(turn.after), turn.shape).copy()
        for step in range(MOST_STEPS + MOST_TURNS):
            for turn in seconds:
                values[turn.places], slopes[:, turn.places] = self._once(turn)
            before = values[first.places]
            found, slope = self._once(first)
            solved = self._crossing(found, slope, before) if step < MOST_STEPS else found
            values[first.places] = solved
            if np.abs(solved - before).max() <= SAME:
                break
        else:
            raise endless()
        for turn in (first, *seconds):
            slopes[:, turn.places] = 0.0

    def _guessed(self, places: Integers) -> Floats:
        """What standings may be worth: what they are with one point more."""
        known = self.values[np.minimum(places + 1, len(self.values) - 1)]
        return np.where(np.isnan(known), 0.5, known)

    def _once(self, turn: "_Looping") -> tuple[Floats, Floats]:
        """What a turn is worth by what is known so far, and how that depends on the unknowns.

        Where the other player is due his own unknown is the second of mine.
        """
        back = turn.back
        turn.worths[turn.rows] = self._worths(back)
        turn.slopes[:, turn.rows] = 0.0
        for place, share in zip(back.places, back.shares, strict=True):
            there = self._slopes[:, place] * share
            turn.slopes[:, turn.rows] += np.where(share < 0, there[::-1], there)
        found: tuple[Floats, Floats] = self._columns.values_and_slopes(
            self._turn, turn.worths, turn.slopes
        )
        return found

    @staticmethod
    def _crossing(found: Floats, slope: Floats, before: Floats) -> Floats:
        """Where the values are those that they are computed from.

        The standings of one sum are in the order of mine, so the mirror of each is found in the
        opposite order.
        """
        keep = 1 - slope[0]
        rest = found - slope[0] * before - slope[1] * before[::-1]
        alone = keep * keep[::-1] - slope[1] * slope[1][::-1]
        if np.any(alone < 1e-9):
            raise endless()
        solved: Floats = (keep[::-1] * rest + slope[1] * rest[::-1]) / alone
        return solved


class _Looping:
    """Standings of one kind, and the ends of a turn that lead back to them."""

    def __init__(self, standings: Standings, kind: TurnKind, cells: Cells) -> None:
        self.places = standings.place(kind, cells)
        self.after = standings.after(kind, cells)
        self.shape = len(standings.ends), len(self.places)
        self.rows = rows = standings.back
        sure, places, shares = self.after
        self.back = After(
            _some(sure, rows), [p[rows] for p in places], [_some(share, rows) for share in shares]
        )
        self.worths = np.empty(self.shape)
        self.slopes = np.zeros((2, *self.shape))


def _some(column: Floats, rows: list[int]) -> Floats:
    """Some rows; all of them where they are one."""
    return column if len(column) == 1 else column[rows]


def _joined(cells: Iterable[Cells]) -> Cells:
    mine, theirs = zip(*cells, strict=True)
    return Cells(np.concatenate(mine), np.concatenate(theirs))


def endless() -> TooLarge:
    """The refusal of a match that need never end."""
    return TooLarge("a match in which nobody need ever come nearer to its end is not solved")


def read_only(values: Any) -> Floats:
    """The values of a book, without a copy."""
    return np.frombuffer(values, np.float64)
