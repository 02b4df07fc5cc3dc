"""Backward induction over all standings of a match, for any number of seats.

Standings that cannot lead to one another are solved side by side: those of one state if rounds are
counted, or all with about the same sum of totals, since a turn adds to it. If players can go out,
standings with fewer players are solved first.

If a round can add nothing, a standing leads back to itself, or to one in which another player
begins. The value of the round for each player then depends on the values of beginning it. As long
as the choices stay the same, this dependence is linear. So a small linear system is solved for each
standing, and the choices are made again for the result, until nothing changes. This is Newton's
method: one step for each change of choices, not one for each round.
"""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shutbox.engine.errors import TooLarge
from shutbox.match.format import Order
from shutbox.solving.equity.standings import Floats, Integers, Standings, TurnState
from shutbox.solving.equity.successors import Results, Successors
from shutbox.solving.graph import Progress, no_progress

if TYPE_CHECKING:
    from shutbox.solving import columns

MOST_PAYOFFS = 1 << 19  # ends times standings in a batch
SAME = 1e-13  # iteration ends when no value changes by more
MOST_STEPS = 30  # of Newton's method; it takes two or three, but is not proved to converge
MOST_PLAIN = 1000  # value iterations after those, which converge for two players


class Part(NamedTuple):
    """A batch of standings of one state that are solved together."""

    state: TurnState
    totals: Integers  # int64[players, B], by place


def levels(standings: Standings) -> Iterator[list[Part]]:
    """Yield all standings in levels, the last standings first; a level is a list of batches.

    A standing leads only to its level or one yielded before. In it, a round's last turns are first.
    """
    most = max(1, MOST_PAYOFFS // len(standings.ends))
    states = list(reversed(standings.states))
    if standings.counts_rounds:
        for state in states:
            yield from ([Part(state, totals)] for totals in standings.totals(state, most))
        return
    # Sums that differ by less than a turn adds cannot lead to one another.
    gain = max(1, standings.gain)
    for players in range(standings.fewest, standings.seats + 1):
        group = [state for state in states if state.players == players]
        for top in range(standings.highest_sum(players), -1, -gain):
            sums, turns, level = range(top, max(-1, top - gain), -1), -1, list[Part]()
            for state in group:
                if state.due != turns:  # states with as many finished turns share their totals
                    turns = state.due
                    totals = np.hstack([standings.diagonal(state, total) for total in sums])
                if totals.size:
                    level.append(Part(state, totals))
            yield level


class Sweep:
    """The solver of all standings, from the graph of a `turn`; its constructor solves them.

    `values` has the shares by the numbers of `standings`, float64[numbers], with NaN for standings
    that cannot occur. Shares that differ by at most `near` count as equal. `columns` is the module
    `solving.columns` as `compiled` returns it. Raises TooLarge for a match that might never come
    nearer to its end, and for one in which choices do not converge.
    """

    def __init__(
        self,
        standings: Standings,
        turn: "columns.Flat",
        columns: Any,
        near: float,
        progress: Progress = no_progress,
    ) -> None:
        self.standings, self.successors = standings, Successors(standings)
        self.every_end = range(len(standings.ends))
        self._turn, self._columns, self._near = turn, columns, near
        self._progress = progress
        self._done, self._in_all = 0, sum(map(standings.count, standings.states))
        self._most = max(1, MOST_PAYOFFS // len(standings.ends))
        self.values: Floats = np.full(standings.numbers, np.nan)
        self._loops = Loops(self) if standings.leads_back else None
        for level in levels(standings):
            for part in self._after_loops(level):
                self._settle(part)

    def _settle(self, part: Part) -> None:
        """Solve standings whose successors are all solved, and store their values."""
        for begin in range(0, part.totals.shape[1], self._most):
            state, totals = part.state, part.totals[:, begin : begin + self._most]
            payoffs = np.empty((state.players - 1, len(self.every_end), totals.shape[1]))
            self.write_ends(payoffs, state, self.successors.after(state, totals, self.every_end))
            self.store(state, self.standings.place(state, totals), self.evaluate(payoffs))
            self._advance(totals.shape[1])

    def evaluate(self, payoffs: Floats) -> Floats:
        """Return a turn's start values, float64[rows, B], from `payoffs`; row 0 is who chooses."""
        found: Floats = self._columns.evaluate(self._turn, payoffs, self._near)
        return found

    def store(self, state: TurnState, numbers: Integers, shares: Floats) -> None:
        """Write shares to `values`: one row for each player but the last, who gets the rest."""
        size = self.standings.size(state)
        for row, column in enumerate(shares):
            self.values[numbers + row * size] = column
        self.values[numbers + len(shares) * size] = 1 - shares.sum(axis=0)

    def _advance(self, more: int) -> None:
        self._done += more
        self._progress(self._done, self._in_all)

    def write_ends(self, payoffs: Floats, state: TurnState, results: Iterable[Results]) -> None:
        """Write the values of ends to `payoffs`: for the player who is due, the next, and so on.

        `payoffs` is float64[>= players - 1, E, B]. Other ends and further rows are left unchanged.
        """
        for result in results:
            for step in range(state.players - 1):
                place = (state.due + step) % state.players
                here = result.sure[place].copy()
                for group in result.onward:
                    if (row := group.rows[place]) is not None:
                        value = self.values[group.numbers + row * self.standings.size(group.state)]
                        here[group.cases] += value if group.share == 1 else group.share * value
                payoffs[step, result.ends] = here.reshape(len(result.ends), -1)

    def _after_loops(self, level: list[Part]) -> list[Part]:
        """Solve batches that lead back, whose round has added nothing so far; return the rest."""
        looping = [part for part in level if part.state.history in self.standings.looping]
        if self._loops is None or not looping or looping[-1].state.due:
            return level  # nothing leads back, or no round begins with such totals
        self._loops.solve(looping)
        self._advance(sum(part.totals.shape[1] for part in looping))
        return [part for part in level if part.state.history not in self.standings.looping]


class Loops:
    """The solver of standings that lead back to one another, for one sum of totals at a time.

    The values of beginning a round are the unknowns. Each value has a slope for each place that can
    begin the next round: the probability of getting there, as long as the choices stay the same.
    """

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        standings = sweep.standings
        self.slopes: Floats = np.zeros((len(self.begins(standings.seats)), standings.numbers))
        # Whether a round that is not solved yet begins in a standing, by number.
        self.unknown = np.zeros(standings.numbers, np.bool_)

    def begins(self, players: int) -> list[int]:
        """Return the places that can begin the next round if this one adds nothing."""
        if self.sweep.standings.alike:
            return [1]
        order = self.sweep.standings.format.order
        return {Order.SEATS: [0], Order.ROTATE: [1]}.get(order, list(range(players)))

    def solve(self, parts: list[Part]) -> None:
        """Solve turns that add nothing and store the values; a round begins in the last part."""
        turns = [_Looping(self, part) for part in parts]
        first, sweep = turns[-1], self.sweep
        size = sweep.standings.size(first.state)
        rows = first.numbers + size * np.arange(first.state.players)[:, None]
        equal = np.full((first.state.players - 1, len(first.numbers)), 1 / first.state.players)
        sweep.store(first.state, first.numbers, equal)
        self.unknown[first.numbers] = True
        for step in range(MOST_STEPS + MOST_PLAIN):
            for turn in turns[:-1]:
                shares, slopes = turn.played()
                self.slopes[: len(slopes), turn.numbers] = slopes
                sweep.store(turn.state, turn.numbers, shares)
            shares, slopes = first.played()
            before = sweep.values[rows]
            found = np.vstack([shares, 1 - shares.sum(axis=0)])
            if step < MOST_STEPS:
                found = self._crossing(first, found, slopes, before)
            sweep.store(first.state, first.numbers, found[:-1])
            if np.abs(found - before).max() <= SAME:
                break
        else:
            raise TooLarge("a match in which the best choices depend on one another without end")
        for turn in turns:
            self.slopes[:, turn.numbers] = 0.0
        self.unknown[first.numbers] = False

    def _crossing(self, first: "_Looping", found: Floats, slopes: Floats, before: Floats) -> Floats:
        """Return the fixed point: values of beginning a round that reproduce themselves.

        `found` are the values computed from the values `before`, and `slopes` how they depend on
        them. The values of all beginnings of a standing, which are standings of the same sum, are
        solved together. Raises TooLarge if there is no single fixed point.
        """
        players, count = found.shape
        begins = self.begins(players)
        turned = first.turned()  # [players, B]: the column of the ring begun at each place
        rest = found.copy()  # the value from ends that do not lead back
        for slope, begin in zip(slopes, begins, strict=True):
            rest -= slope * np.roll(before[:, turned[begin]], begin, axis=0)
        system = np.zeros((count, players, players))
        known = np.zeros((count, players, players))
        for begun in range(players):
            system[:, begun, begun] += 1
            known[:, begun] = np.roll(rest[:, turned[begun]], begun, axis=0).T
            for slope, begin in zip(slopes, begins, strict=True):
                system[:, begun, (begun + begin) % players] -= slope[turned[begun]]
        if np.any(np.abs(np.linalg.det(system)) < 1e-9):
            raise TooLarge("a match in which nobody need ever come nearer to its end is not solved")
        return np.asarray(np.linalg.solve(system, known)[:, 0].T, np.float64)


class _Looping:
    """A batch of standings that lead back to one another, with the successors of their turns."""

    def __init__(self, loops: Loops, part: Part) -> None:
        self._loops = loops
        self.state, self._totals = part
        sweep, standings = loops.sweep, loops.sweep.standings
        self.numbers = standings.place(*part)
        self._back = list(sweep.successors.after(*part, standings.back))
        self._begins = loops.begins(self.state.players)
        shape = (self.state.players - 1 + len(self._begins), len(standings.ends), len(self.numbers))
        self._payoffs = np.zeros(shape)
        on = [row for row in range(len(standings.ends)) if row not in standings.back]
        sweep.write_ends(self._payoffs, self.state, sweep.successors.after(*part, on))

    def turned(self) -> Integers:
        """Return each standing's column if the round begins at each place: int64[players, B]."""
        standings = self._loops.sweep.standings
        order = np.argsort(self.numbers)
        places = [
            standings.place(self.state, np.roll(self._totals, -begin, axis=0))
            for begin in range(self.state.players)
        ]
        found: Integers = order[np.searchsorted(self.numbers, places, sorter=order)]
        return found

    def played(self) -> tuple[Floats, Floats]:
        """Return the values of the turn from the current values, and their slopes (see `Loops`)."""
        loops, others = self._loops, self.state.players - 1
        loops.sweep.write_ends(self._payoffs, self.state, self._back)
        for result in self._back:
            slopes = np.zeros((len(self._begins), result.sure.shape[1]))
            for group in result.onward:
                if group.state.due:
                    next_slopes = loops.slopes[: len(slopes), group.numbers]
                    slopes[:, group.cases] += group.share * next_slopes
                elif (place := group.rows.index(0)) in self._begins:
                    unknown = loops.unknown[group.numbers]
                    slopes[self._begins.index(place), group.cases] += group.share * unknown
            self._payoffs[others:, result.ends] = slopes.reshape(len(slopes), len(result.ends), -1)
        found = loops.sweep.evaluate(self._payoffs)
        return found[:others], found[others:]
