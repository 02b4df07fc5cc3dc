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


class Onward(NamedTuple):
    """The successors of some cases, each one end in one standing: where the next turn begins."""

    cases: Integers | slice  # by index; they are ordered by end, and within an end by standing
    numbers: Integers  # of the successors
    share: float  # the probability of these successors
    state: TurnState  # of the successors; their best score of the round can be another
    rows: tuple[int | None, ...]  # of the values there, by place; None if out, with a share of 0


class Results(NamedTuple):
    """The results of `R` ends of a turn in each of `B` standings: final shares or successors."""

    ends: list[int]  # the indices of the ends among all ends of a turn
    sure: Floats  # float64[players, R * B], by place: shares if the match is over, otherwise 0
    onward: list[Onward]  # for all cases in which the match goes on


class _Turn(NamedTuple):
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
        self._turns: dict[tuple[TurnState, tuple[int, ...]], list[_Turn]] = {}
        # The total that puts a player out at once; None if that waits for the end of the round.
        self._out_now = self._format.limit if memory.stops else None

    def after(self, state: TurnState, totals: Integers, ends: Sequence[int]) -> Iterator[Results]:
        """Yield the results of groups of `ends`, by index; `totals` are int64[players, B]."""
        key = state, tuple(ends)
        if key not in self._turns:
            self._turns[key] = list(self._groups(state, ends))
        return (self._results(turn, totals) for turn in self._turns[key])

    def _groups(self, state: TurnState, ends: Sequence[int]) -> Iterator[_Turn]:
        """Yield groups of `ends`, indices of ends of a turn; in a group only the scores differ."""
        memory, states = self._memory, self._numbering.states
        groups: dict[tuple[bool, RoundHistory], list[tuple[int, RoundHistory]]] = {}
        for row in ends:
            _, shut = end = memory.ends[row]
            after = memory.after_turn(state.history, end)
            wins = shut and self._format.shut is WhenShut.WINS
            groups.setdefault((wins, after._replace(best=None)), []).append((row, after))
        for (wins, _), pairs in groups.items():
            rows = [row for row, _ in pairs]
            scores = np.array([memory.ends[row][0] for row in rows], np.int64)
            if self._format.counts_wins:
                scores[:] = 0
            firsts = [states.get(state._replace(history=after), 0) for _, after in pairs]
            yield _Turn(state, pairs[0][1], wins, rows, scores, np.array(firsts, np.int64))

    def _results(self, turn: _Turn, totals: Integers) -> Results:
        memory, due, players = self._memory, turn.state.due, turn.state.players
        now = np.repeat(totals[:, None], len(turn.ends), axis=1)
        now[due] += turn.scores[:, None]
        now = now.reshape(players, -1)
        last = due == players - 1 and not memory.is_one_long_round
        over = np.full(now.shape[1], turn.wins or last)
        if memory.stops and self._format.target is not None:
            over |= now[due] >= self._format.target
        if self._out_now is not None:
            np.minimum(now[due], self._out_now, out=now[due])
            over |= (now >= self._out_now).sum(axis=0) >= players - 1
        sure, onward = np.zeros(now.shape), list[Onward]()
        ended = np.flatnonzero(over)
        if len(ended) < len(over):
            onward += self._next_turn(turn, now, over)
        if len(ended):
            now = now[:, ended]
            early = None if self._out_now is None else now >= self._out_now
            if turn.wins and not self._format.counts_wins:
                now[due + 1 :] += memory.scoring.worst
            for winners, share in self._winners(turn):
                final = now
                if self._format.counts_wins and len(winners) == 1:
                    final = now.copy()
                    final[winners[0]] += 1
                decided = self._decided(turn, final)
                if decided.any():
                    shares = self._shares(turn, winners, final, early)
                    sure[:, ended[decided]] += share * shares[:, decided]
                if not decided.all():
                    some = final[:, ~decided], ended[~decided]
                    onward += self._next_round(turn.state, winners, share, *some)
        return Results(turn.ends, sure, onward)

    # During a round

    def _next_turn(self, turn: _Turn, now: Integers, over: Flags) -> Iterator[Onward]:
        """Yield the successors of the cases that go on within the round: not flagged in `over`.

        `now` are the totals after the turn, by place and case. In `Memory.is_one_long_round`, a
        player whose total has reached the limit loses the place at once, not after the round.
        """
        players = turn.state.players
        cases = np.flatnonzero(~over) if over.any() else slice(None)
        now = now[:, cases]
        if not self._memory.is_one_long_round:
            firsts = np.repeat(turn.firsts, len(over) // len(turn.ends))[cases]
            next_state = turn.state._replace(history=turn.history)
            numbers = firsts + self._numbering.offsets_in_state(next_state, now)
            rows = tuple((place - next_state.due) % players for place in range(players))
            yield Onward(cases, numbers, 1.0, next_state, rows)
            return
        order = [*range(1, players), 0]
        if self._out_now is None:
            yield self._led(TurnState(1, players, RoundHistory()), now, cases, 1.0, order)
            return
        every, out = np.arange(len(over))[cases], now[0] >= self._out_now
        for gone, some in enumerate((~out, out)):
            if some.any():
                next_state = TurnState(1, players - gone, RoundHistory())
                yield self._led(next_state, now[:, some], every[some], 1.0, order[: players - gone])

    def _led(
        self,
        next_state: TurnState,
        now: Integers,
        cases: Integers | slice,
        share: float,
        order: Sequence[int],
    ) -> Onward:
        """Return the successors of `cases`, with probability `share`; places play on in `order`."""
        rows: list[int | None] = [None] * len(now)
        for row, place in enumerate(order):
            rows[place] = row
        numbers = self._numbering.first_numbers(next_state, now[order])
        return Onward(cases, numbers, share, next_state, tuple(rows))

    # At the end of a round

    def _winners(self, turn: _Turn) -> Iterator[tuple[Sequence[int], float]]:
        """Yield the places that can win the round together, as far as they are known, and chances.

        Of those tied, each is equally likely to win a throw-off alone.
        """
        winners = (turn.state.due,) if turn.wins else turn.history.leading
        if self._format.ties is Ties.THROW_OFF and self._memory.winner_matters:
            yield from (((place,), 1 / len(winners)) for place in winners)
        else:
            yield winners, 1.0

    def _decided(self, turn: _Turn, last: Integers) -> Flags:
        """Return for each case, a column of `last` (totals), whether this round ends the match."""
        format = self._format
        ends = self._memory.counts_rounds and turn.state.round == format.rounds
        shut = turn.wins or bool(turn.history.shut)
        decided = np.full(last.shape[1], ends or (format.until is Until.SHUT and shut))
        if format.goal is not None:
            decided |= (last >= format.goal).any(axis=0)
        if format.limit is not None:
            decided |= (last < format.limit).sum(axis=0) < 2
        return decided

    def _shares(
        self, turn: _Turn, winners: Sequence[int], last: Integers, early: Flags | None
    ) -> Floats:
        """Return the shares by place for final totals; `early` flags players out in mid-round."""
        memory, format, shut = self._memory, self._format, turn.history.shut
        won = np.zeros(last.shape, np.bool_)
        if turn.wins and (memory.one_round or format.until is Until.SHUT):
            won[turn.state.due] = True
        elif shut:
            won[[place for place in shut if place in winners] or list(shut)] = True
        else:
            can = np.ones(last.shape, np.bool_)
            if format.limit is not None:
                can = last < format.limit
                # If all remaining players went out together, the best total among them wins.
                left = np.ones(last.shape, np.bool_) if early is None else ~early
                can = np.where(can.any(axis=0), can, left)
            sign = -1 if memory.scoring.low_is_good and not format.counts_wins else 1
            signed = np.where(can, sign * last, np.iinfo(np.int64).min)
            won = signed == signed.max(axis=0)
        return np.asarray(won / won.sum(axis=0), np.float64)

    def _next_round(
        self,
        state: TurnState,
        winners: Sequence[int],
        share: float,
        last: Integers,
        cases: Integers,
    ) -> Iterator[Onward]:
        """Yield the successors in the next round of `cases`, whose last totals are `last`."""
        limit = self._format.limit
        out = np.zeros(last.shape, np.bool_) if limit is None else last >= limit
        round = state.round + self._memory.counts_rounds
        fewest = state.players if limit is None else 2
        for number in range(fewest, state.players + 1):
            next_state = TurnState(round, number, RoundHistory())
            for staying in combinations(range(state.players), number):
                gone = np.array([place not in staying for place in range(state.players)])
                some = (out == gone[:, None]).all(axis=0)
                if some.any():
                    first = {Order.SEATS: 0, Order.ROTATE: 1}.get(self._format.order)
                    if first is None:
                        first = winners[0]
                    # The first staying place at or after this one, going round the ring.
                    at = next((i for i, place in enumerate(staying) if place >= first), 0)
                    order = [*staying[at:], *staying[:at]]
                    yield self._led(next_state, last[:, some], cases[some], share, order)
