"""The successors of a turn, computed for many standings of a match and many ends at a time.

`match.transitions` defines the successor of one *case*: one end of a turn in one standing. This
module does the same with arrays; tests compare whole matches. Places are as in `numbering`.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from shutbox.match import WhenShut
from shutbox.match.format import Order, Ties, Until
from shutbox.solving.equity.memory import RoundHistory
from shutbox.solving.equity.numbering import (
    Flags,
    Floats,
    Integers,
    Numbering,
    TurnState,
)


class NextTurns(NamedTuple):
    """The successors of some cases, in which a turn of one state begins."""

    cases: Integers | slice  # by index; they are ordered by end, and within an end by standing
    numbers: Integers  # of the successors, by case
    chance: float  # the probability of these successors
    state: TurnState  # of the successors; their best score of the round can be another
    rows: tuple[int | None, ...]  # of the values there, by place; None if out, with a share of 0


class Results(NamedTuple):
    """The results of `R` ends of a turn in each of `B` standings: final shares or successors."""

    ends: list[int]  # the indices of the ends among all ends of a turn
    shares: Floats  # float64[players, R * B], by place: of the win if the match is over, else 0
    next_turns: list[NextTurns]  # for all cases in which the match goes on


class _EndGroup(NamedTuple):
    """A group of ends of the turns of one state that differ only in their scores."""

    state: TurnState
    history: RoundHistory  # after the turn; the best score is that of the first end
    wins: bool  # whether these ends shut the box and so win the round
    ends: list[int]
    scores: Integers
    firsts: Integers  # for each end, the first number of the state in which the next turn begins


class Successors:
    """A finder of what the ends of a match's turns lead to: final shares, or the next standings."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._memory = memory = numbering.memory
        self._format = memory.format
        self._end_groups: dict[tuple[TurnState, tuple[int, ...]], list[_EndGroup]] = {}
        # The total that puts a player out at once; None if that waits for the end of the round.
        self._out_now = self._format.limit if memory.stops else None

    def after(self, state: TurnState, totals: Integers, ends: Sequence[int]) -> Iterator[Results]:
        """Yield the results of groups of `ends`, by index; `totals` are int64[players, B]."""
        key = state, tuple(ends)
        if key not in self._end_groups:
            self._end_groups[key] = list(self._groups(state, ends))
        return (self._results(group, totals) for group in self._end_groups[key])

    def _groups(self, state: TurnState, ends: Sequence[int]) -> Iterator[_EndGroup]:
        """Yield groups of `ends`, indices of ends of a turn; in a group only the scores differ."""
        memory, states = self._memory, self._numbering.states
        groups: dict[tuple[bool, RoundHistory], list[tuple[int, RoundHistory]]] = {}
        for index in ends:
            _, shut = end = memory.ends[index]
            after = memory.after_turn(state.history, end)
            wins = shut and self._format.shut is WhenShut.WINS
            groups.setdefault((wins, after._replace(best=None)), []).append((index, after))
        for (wins, _), pairs in groups.items():
            indices = [index for index, _ in pairs]
            scores = np.array([memory.ends[index][0] for index in indices], np.int64)
            if self._format.counts_wins:
                scores[:] = 0
            firsts = [states.get(state._replace(history=after), 0) for _, after in pairs]
            yield _EndGroup(state, pairs[0][1], wins, indices, scores, np.array(firsts, np.int64))

    def _results(self, group: _EndGroup, totals: Integers) -> Results:
        totals = self._totals_after(group, totals)
        over = self._ends_round(group, totals)
        shares, next_turns = np.zeros(totals.shape), list[NextTurns]()
        if not over.all():
            next_turns += self._in_round(group, totals, over)
        if over.any():
            next_turns += self._end_round(group, totals, np.flatnonzero(over), shares)
        return Results(group.ends, shares, next_turns)

    def _totals_after(self, group: _EndGroup, totals: Integers) -> Integers:
        """Return the totals after a turn, by place and case: int64[players, R * B]."""
        due = group.state.due
        after = np.repeat(totals[:, None], len(group.ends), axis=1)
        after[due] += group.scores[:, None]
        if self._out_now is not None:
            np.minimum(after[due], self._out_now, out=after[due])
        return after.reshape(group.state.players, -1)

    def _ends_round(self, group: _EndGroup, totals: Integers) -> Flags:
        """Return whether a turn ends its round, for each case; `totals` are those after it."""
        memory, due, players = self._memory, group.state.due, group.state.players
        is_last = due == players - 1 and not memory.is_one_long_round
        over = np.full(totals.shape[1], group.wins or is_last)
        if memory.stops and self._format.target is not None:
            over |= totals[due] >= self._format.target
        if self._out_now is not None:
            over |= (totals >= self._out_now).sum(axis=0) >= players - 1
        return over

    # During a round

    def _in_round(self, group: _EndGroup, totals: Integers, over: Flags) -> Iterator[NextTurns]:
        """Yield the successors of the cases whose round goes on: those not flagged in `over`.

        `totals` are those after the turn. In `Memory.is_one_long_round`, a player whose total has
        reached the limit loses the place at once, not after the round.
        """
        players = group.state.players
        cases = np.flatnonzero(~over) if over.any() else slice(None)
        totals = totals[:, cases]
        if not self._memory.is_one_long_round:
            firsts = np.repeat(group.firsts, len(over) // len(group.ends))[cases]
            next_state = group.state._replace(history=group.history)
            numbers = firsts + self._numbering.offsets_in_state(next_state, totals)
            rows = tuple((place - next_state.due) % players for place in range(players))
            yield NextTurns(cases, numbers, 1.0, next_state, rows)
            return
        order = [*range(1, players), 0]
        if self._out_now is None:
            yield self._beginning(TurnState(1, players, RoundHistory()), totals, cases, 1.0, order)
            return
        indices, out = np.arange(len(over))[cases], totals[0] >= self._out_now
        for gone, chosen in enumerate((~out, out)):
            if chosen.any():
                state, staying = (
                    TurnState(1, players - gone, RoundHistory()),
                    order[: players - gone],
                )
                yield self._beginning(state, totals[:, chosen], indices[chosen], 1.0, staying)

    def _beginning(
        self,
        state: TurnState,
        totals: Integers,
        cases: Integers | slice,
        chance: float,
        order: Sequence[int],
    ) -> NextTurns:
        """Return the successors of cases in which a state begins; places play on in `order`."""
        rows: list[int | None] = [None] * len(totals)
        for row, place in enumerate(order):
            rows[place] = row
        numbers = self._numbering.first_numbers(state, totals[order])
        return NextTurns(cases, numbers, chance, state, tuple(rows))

    # At the end of a round

    def _end_round(
        self, group: _EndGroup, totals: Integers, cases: Integers, shares: Floats
    ) -> Iterator[NextTurns]:
        """Yield the successors of `cases`, whose round is over; write to `shares` where none is.

        `totals` and `shares` are of all cases.
        """
        totals = totals[:, cases]
        out_early = None if self._out_now is None else totals >= self._out_now
        if group.wins and not self._format.counts_wins:
            totals[group.state.due + 1 :] += self._memory.scoring.worst
        for winners, chance in self._winners(group):
            final = totals
            if self._format.counts_wins and len(winners) == 1:
                final = totals.copy()
                final[winners[0]] += 1
            decided = self._decided(group, final)
            if decided.any():
                won = self._shares(group, winners, final, out_early)
                shares[:, cases[decided]] += chance * won[:, decided]
            if not decided.all():
                undecided = final[:, ~decided], cases[~decided]
                yield from self._next_round(group.state, winners, chance, *undecided)

    def _winners(self, group: _EndGroup) -> Iterator[tuple[Sequence[int], float]]:
        """Yield the places that can win the round together, as far as they are known, and chances.

        Of those tied, each is equally likely to win a throw-off alone.
        """
        winners = (group.state.due,) if group.wins else group.history.leading
        if self._format.ties is Ties.THROW_OFF and self._memory.winner_matters:
            yield from (((place,), 1 / len(winners)) for place in winners)
        else:
            yield winners, 1.0

    def _decided(self, group: _EndGroup, totals: Integers) -> Flags:
        """Return whether the round ends the match, for each case, a column of `totals`."""
        format = self._format
        ends = self._memory.counts_rounds and group.state.round == format.rounds
        shut = group.wins or bool(group.history.shut)
        decided = np.full(totals.shape[1], ends or (format.until is Until.SHUT and shut))
        if format.goal is not None:
            decided |= (totals >= format.goal).any(axis=0)
        if format.limit is not None:
            decided |= (totals < format.limit).sum(axis=0) < 2
        return decided

    def _shares(
        self, group: _EndGroup, winners: Sequence[int], totals: Integers, out_early: Flags | None
    ) -> Floats:
        """Return the shares of the win for final totals; `out_early` are out in mid-round."""
        memory, format, shut = self._memory, self._format, group.history.shut
        won = np.zeros(totals.shape, np.bool_)
        if group.wins and (memory.one_round or format.until is Until.SHUT):
            won[group.state.due] = True
        elif shut:
            won[[place for place in shut if place in winners] or list(shut)] = True
        else:
            can_win = np.ones(totals.shape, np.bool_)
            if format.limit is not None:
                # If all remaining players went out together, the best total among them wins.
                remaining = can_win if out_early is None else ~out_early
                is_in = totals < format.limit
                can_win = np.where(is_in.any(axis=0), is_in, remaining)
            sign = -1 if memory.scoring.low_is_good and not format.counts_wins else 1
            signed = np.where(can_win, sign * totals, np.iinfo(np.int64).min)
            won = signed == signed.max(axis=0)
        return np.asarray(won / won.sum(axis=0), np.float64)

    def _next_round(
        self,
        state: TurnState,
        winners: Sequence[int],
        chance: float,
        totals: Integers,
        cases: Integers,
    ) -> Iterator[NextTurns]:
        """Yield the successors of `cases` in the next round; `totals` are those of these cases."""
        limit = self._format.limit
        out = np.zeros(totals.shape, np.bool_) if limit is None else totals >= limit
        round = state.round + self._memory.counts_rounds
        fewest = state.players if limit is None else 2
        for number in range(fewest, state.players + 1):
            next_state = TurnState(round, number, RoundHistory())
            for staying in combinations(range(state.players), number):
                gone = np.array([place not in staying for place in range(state.players)])
                chosen = (out == gone[:, None]).all(axis=0)
                if chosen.any():
                    first = {Order.SEATS: 0, Order.ROTATE: 1}.get(self._format.order)
                    if first is None:
                        first = winners[0]
                    # The first staying place at or after this one, going round the ring.
                    at = next((i for i, place in enumerate(staying) if place >= first), 0)
                    order = [*staying[at:], *staying[:at]]
                    going_on = totals[:, chosen], cases[chosen]
                    yield self._beginning(next_state, *going_on, chance, order)
