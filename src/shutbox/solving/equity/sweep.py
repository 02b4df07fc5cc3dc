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
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from shutbox.engine.errors import TooLarge
from shutbox.match.format import Order
from shutbox.solving.equity.numbering import Floats, Integers, Numbering, TurnState
from shutbox.solving.equity.successors import Results, Successors
from shutbox.solving.progress import Progress, no_progress

if TYPE_CHECKING:
    from shutbox.solving import columns

MOST_PAYOFFS = 1 << 19  # ends times standings in a batch
SAME = 1e-13  # iteration ends when no value changes by more
MOST_NEWTON_STEPS = 30  # it takes two or three, but is not proved to converge
MOST_VALUE_ITERATIONS = 1000  # after those; they converge for two players


class Part(NamedTuple):
    """The standings of one state in a level, or a batch of them."""

    state: TurnState
    totals: Integers  # int64[players, B], by place; leads if only they count


def levels_of(numbering: Numbering) -> Iterator[list[Part]]:
    """Yield all standings in levels, the last standings first; a level is a list of batches.

    A standing leads only to its level or one yielded before. In a level the last turns of a round
    come first, so the part in which a round begins is last.
    """
    most = max(1, MOST_PAYOFFS // len(numbering.memory.ends))
    states = list(reversed(numbering.states))
    if numbering.memory.counts_rounds:
        for state in states:
            batches = numbering.batches_of_totals(state, most)
            yield from ([Part(state, totals)] for totals in batches)
        return
    # Sums that differ by less than a turn adds cannot lead to one another.
    gain = max(1, numbering.memory.gain)
    for players in range(numbering.fewest, numbering.memory.seats + 1):
        of_players = (state for state in states if state.players == players)
        groups = [list(group) for _, group in groupby(of_players, key=lambda state: state.due)]
        for top in range(numbering.highest_sum(players), -1, -gain):
            sums, level = range(top, max(-1, top - gain), -1), list[Part]()
            for group in groups:  # states with as many finished turns share their totals
                totals = np.hstack([numbering.totals_with_sum(group[0], total) for total in sums])
                level += [Part(state, totals) for state in group if totals.size]
            yield level


class Sweep:
    """The solver of all standings, from the graph of a `turn`; its constructor solves them.

    `values` has the shares by the numbers of `numbering`, float64[numbers], with NaN for standings
    that cannot occur. Shares that differ by at most `near` count as equal. `columns` is the module
    `solving.columns` as `compiled` returns it. Raises TooLarge for a match that might never come
    nearer to its end, and for one in which choices do not converge.
    """

    def __init__(
        self,
        numbering: Numbering,
        turn: "columns.Flat",
        columns: Any,
        near: float,
        progress: Progress = no_progress,
    ) -> None:
        self.numbering, self.successors = numbering, Successors(numbering)
        self.every_end = range(len(numbering.memory.ends))
        self._turn, self._columns, self._near = turn, columns, near
        self._progress = progress
        self._done, self._in_all = 0, sum(map(numbering.count_possible, numbering.states))
        self._most = max(1, MOST_PAYOFFS // len(numbering.memory.ends))
        self.values: Floats = np.full(numbering.value_count, np.nan)
        self._loops = Loops(self) if numbering.memory.can_loop else None
        for level in levels_of(numbering):
            for part in self._after_loops(level):
                self._solve(part)

    def _solve(self, part: Part) -> None:
        """Solve standings whose successors are all solved, and store their values."""
        for begin in range(0, part.totals.shape[1], self._most):
            state, totals = part.state, part.totals[:, begin : begin + self._most]
            payoffs = np.empty((state.players - 1, len(self.every_end), totals.shape[1]))
            self.write_ends(payoffs, state, self.successors.after(state, totals, self.every_end))
            self.store(
                state, self.numbering.first_numbers(state, totals), self.start_values(payoffs)
            )
            self._advance(totals.shape[1])

    def start_values(self, payoffs: Floats) -> Floats:
        """Return a turn's start values, float64[rows, B], from `payoffs`; row 0 is who chooses."""
        return np.asarray(self._columns.evaluate(self._turn, payoffs, self._near), np.float64)

    def store(self, state: TurnState, numbers: Integers, shares: Floats) -> None:
        """Write shares to `values`: one row for each player but the last, who gets the rest."""
        size = self.numbering.size(state)
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
                payoff = result.shares[place].copy()
                for group in result.next_turns:
                    if (row := group.rows[place]) is not None:
                        value = self.values[group.numbers + row * self.numbering.size(group.state)]
                        payoff[group.cases] += value if group.chance == 1 else group.chance * value
                payoffs[step, result.ends] = payoff.reshape(len(result.ends), -1)

    def _after_loops(self, level: list[Part]) -> list[Part]:
        """Solve batches that lead back, whose round has added nothing so far; return the rest."""
        idle = self.numbering.memory.idle_histories
        looping = [part for part in level if part.state.history in idle]
        if self._loops is None or not looping or looping[-1].state.due:
            return level  # nothing leads back, or no round begins with such totals
        self._loops.solve(looping)
        self._advance(sum(part.totals.shape[1] for part in looping))
        return [part for part in level if part.state.history not in idle]


class Loops:
    """The solver of standings that lead back to one another, for one sum of totals at a time.

    The values of beginning a round are the unknowns. Each value has a slope for each place that can
    begin the next round: the probability of getting there, as long as the choices stay the same.
    """

    def __init__(self, sweep: Sweep) -> None:
        self.sweep = sweep
        numbering = sweep.numbering
        most_begins = len(self.next_beginners(numbering.memory.seats))
        self.slopes: Floats = np.zeros((most_begins, numbering.value_count))
        # Whether a round that is not solved yet begins in a standing, by number.
        self.unknown = np.zeros(numbering.value_count, np.bool_)

    def next_beginners(self, players: int) -> list[int]:
        """Return the places that can begin the next round if this one adds nothing."""
        memory = self.sweep.numbering.memory
        if memory.is_one_long_round:
            return [1]
        by_order = {Order.SEATS: [0], Order.ROTATE: [1], Order.WINNER: list(range(players))}
        return by_order[memory.format.order]

    def solve(self, parts: list[Part]) -> None:
        """Solve turns that add nothing and store the values; a round begins in the last part."""
        turns = [_LoopingTurns(self, part) for part in parts]
        sweep = self.sweep
        *others, first = turns
        size = sweep.numbering.size(first.state)
        rows = first.numbers + size * np.arange(first.state.players)[:, None]
        equal = np.full((first.state.players - 1, len(first.numbers)), 1 / first.state.players)
        sweep.store(first.state, first.numbers, equal)
        self.unknown[first.numbers] = True
        for step in range(MOST_NEWTON_STEPS + MOST_VALUE_ITERATIONS):
            for turn in others:
                shares, slopes = turn.solve()
                self.slopes[: len(slopes), turn.numbers] = slopes
                sweep.store(turn.state, turn.numbers, shares)
            shares, slopes = first.solve()
            before = sweep.values[rows]
            everyone = np.vstack([shares, 1 - shares.sum(axis=0)])
            if step < MOST_NEWTON_STEPS:
                everyone = self._fixed_point(first, everyone, slopes, before)
            sweep.store(first.state, first.numbers, everyone[:-1])
            if np.abs(everyone - before).max() <= SAME:
                break
        else:
            raise TooLarge("a match in which the best choices depend on one another without end")
        for turn in turns:
            self.slopes[:, turn.numbers] = 0.0
        self.unknown[first.numbers] = False

    def _fixed_point(
        self, first: "_LoopingTurns", shares: Floats, slopes: Floats, before: Floats
    ) -> Floats:
        """Return the fixed point: values of beginning a round that reproduce themselves.

        `shares` are the values computed from the values `before`, and `slopes` how they depend on
        them. The values of all beginnings of a standing, which are standings of the same sum, are
        solved together. Raises TooLarge if there is no single fixed point.
        """
        players, count = shares.shape
        begins = self.next_beginners(players)
        columns = first.columns_by_beginner()
        rest = shares.copy()  # the value from ends that do not lead back
        for slope, begin in zip(slopes, begins, strict=True):
            rest -= slope * np.roll(before[:, columns[begin]], begin, axis=0)
        system = np.zeros((count, players, players))
        known = np.zeros((count, players, players))
        for begun in range(players):
            system[:, begun, begun] += 1
            known[:, begun] = np.roll(rest[:, columns[begun]], begun, axis=0).T
            for slope, begin in zip(slopes, begins, strict=True):
                system[:, begun, (begun + begin) % players] -= slope[columns[begun]]
        if np.any(np.abs(np.linalg.det(system)) < 1e-9):
            raise TooLarge("a match in which nobody need ever come nearer to its end is not solved")
        return np.asarray(np.linalg.solve(system, known)[:, 0].T, np.float64)  # begun at place 0


class _LoopingTurns:
    """A batch of standings that lead back to one another, with the successors of their turns."""

    def __init__(self, loops: Loops, part: Part) -> None:
        self._loops = loops
        self.state, self._totals = part
        sweep, memory = loops.sweep, loops.sweep.numbering.memory
        self.numbers = sweep.numbering.first_numbers(*part)
        self._idle_results = list(sweep.successors.after(*part, memory.idle_ends))
        self._begins = loops.next_beginners(self.state.players)
        rows = self.state.players - 1 + len(self._begins)
        self._payoffs = np.zeros((rows, len(memory.ends), len(self.numbers)))
        busy_ends = [end for end in sweep.every_end if end not in memory.idle_ends]
        sweep.write_ends(self._payoffs, self.state, sweep.successors.after(*part, busy_ends))

    def columns_by_beginner(self) -> Integers:
        """Return each standing's column if the round begins at each place: int64[players, B]."""
        numbering = self._loops.sweep.numbering
        order = np.argsort(self.numbers)
        places = [
            numbering.first_numbers(self.state, np.roll(self._totals, -begin, axis=0))
            for begin in range(self.state.players)
        ]
        return np.asarray(order[np.searchsorted(self.numbers, places, sorter=order)], np.int64)

    def solve(self) -> tuple[Floats, Floats]:
        """Return the values of the turn from the current values, and their slopes (see `Loops`)."""
        loops, choosers = self._loops, self.state.players - 1
        loops.sweep.write_ends(self._payoffs, self.state, self._idle_results)
        for result in self._idle_results:
            slopes = np.zeros((len(self._begins), result.shares.shape[1]))
            for group in result.next_turns:
                if group.state.due:
                    next_slopes = loops.slopes[: len(slopes), group.numbers]
                    slopes[:, group.cases] += group.chance * next_slopes
                elif (place := group.rows.index(0)) in self._begins:
                    unknown = loops.unknown[group.numbers]
                    slopes[self._begins.index(place), group.cases] += group.chance * unknown
            self._payoffs[choosers:, result.ends] = slopes.reshape(
                len(slopes), len(result.ends), -1
            )
        values = loops.sweep.start_values(self._payoffs)
        return values[:choosers], values[choosers:]
