"""The standings of a match in which a turn begins, numbered, for any number of seats.

Players are identified by their *place*: their index from 0 in the order of play of this round,
which goes round as a ring. A player out for good has no place. A standing keeps only what matters,
by `memory`:

- the round, if rounds are counted, and how many players are still in;
- the place of the player who is due, if anything depends on it; otherwise that is place 0;
- all totals, with the scores of this round, if a target or a limit ends the match; the rounds won
  if these do; only the totals' differences from that of the player who is due if the number of
  rounds does; or nothing if only a shut box does;
- from the turns of this round, if they matter: the best score, who has it, and who shut the box.

Players tied in a throw-off are assumed to win it equally often. The cap of a thousand rounds, on
matches without a fixed number of rounds, is ignored.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.match import Match
from shutbox.match.standing import Standing, Status, Tally, Turn
from shutbox.solving.equity.memory import Memory, RoundHistory
from shutbox.solving.graph import Ending

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class TurnState(NamedTuple):
    """A group of standings that differ only in the totals: one kind of turn of one round."""

    round: int  # from 1; always 1 if rounds are not counted
    players: int  # in the ring
    history: RoundHistory

    @property
    def due(self) -> int:
        """The place, from 0 in the order of the round, of the player whose turn begins."""
        return self.history.turns


class Located(NamedTuple):
    """A turn that begins, by what its standing keeps of it."""

    state: TurnState
    totals: list[int]  # by place; or leads over the player who is due
    seats: list[int]  # by row of the values: that of the player who is due, then the next


@dataclass(frozen=True)
class Numbering:
    """The numbering of the standings of a match (turns that begin).

    Each standing has one value for each player in the ring: the share of the win of the player who
    is due (row 0), then of the next (row 1), and so on. `first_numbers` returns the number of the
    first value; the others follow at intervals of `size`. Arrays have a row for each place or
    player, and a column for each standing.
    """

    memory: Memory
    least: int  # the lowest score, or 0 if that is lower
    most: int  # the highest score, or 0 if that is higher

    @classmethod
    def of(cls, match: Match[Any, Any], ends: Sequence[Ending]) -> "Numbering":
        """Return the numbering for a match; `ends` are the ends (score, shut) of its turns."""
        return cls(Memory.of(match, ends), *match.rules.total_range(1))

    # The numbers of standings

    @cached_property
    def states(self) -> dict[TurnState, int]:
        """All states in the order of the rounds, with the number (index) of their first value."""
        states, number = dict[TurnState, int](), 0
        for round_number in range(1, (self.memory.format.rounds or 1) + 1):
            for players in range(self.memory.seats, self.fewest - 1, -1):
                for history in self.memory.histories:
                    if history.turns < players:
                        state = TurnState(round_number, players, history)
                        states[state] = number
                        number += players * self.size(state)
        return states

    @property
    def fewest(self) -> int:
        """The fewest players who can still be in the match when a round begins."""
        return self.memory.seats if self.memory.format.limit is None else 2

    @cached_property
    def value_count(self) -> int:
        """The length of an array with the values of all standings."""
        state = next(reversed(self.states))
        return self.states[state] + state.players * self.size(state)

    def ranges(self, state: TurnState) -> list[range]:
        """Return each place's possible totals or, if only leads count, leads over the one due.

        Where neither matters, each is 0. The totals have the scores of this round in them.
        """
        places = range(state.players)
        if self.memory.deciding_total is not None:
            return [self._totals_at(state, place) for place in places]
        if self.memory.counts_rounds:
            return [self._leads_at(state, place) for place in places]
        return [range(1) for _ in places]

    def _totals_at(self, state: TurnState, place: int) -> range:
        """Return the possible totals of a player: below the one that ends the match, or above it.

        A player who has had a turn can have reached it if the round goes on nevertheless.
        """
        memory, has_played = self.memory, place < state.due
        assert memory.deciding_total is not None  # `ranges` has checked that
        highest = memory.deciding_total - 1
        if has_played and not memory.stops:
            highest += self.most
        elif has_played and memory.format.limit is not None and state.players > 2:
            # The player is out, and the total counts as the limit. With two left, that is the end.
            highest += 1
        if memory.counts_rounds:
            highest = min(highest, (state.round - 1 + has_played) * self.most)
        return range(highest + 1)

    def _leads_at(self, state: TurnState, place: int) -> range:
        """Return the possible leads of a player over the one who is due, after as many rounds."""
        if place == state.due:
            return range(1)
        apart = (state.round - 1) * (self.most - self.least)
        has_played = place < state.due
        low, high = (self.least, self.most) if has_played else (0, 0)  # the score of this round
        return range(low - apart, high + apart + 1)

    def size(self, state: TurnState) -> int:
        """Return how many standings of a state are numbered; some of them cannot occur."""
        return prod(map(len, self.ranges(state)))

    def count_possible(self, state: TurnState) -> int:
        """Return how many standings of a state can occur, judged by the totals alone."""
        if self.memory.deciding_total is not None or not self.memory.counts_rounds:
            return self.size(state)
        wide = self.most - self.least
        past = state.round - 1
        each = [(past + (place < state.due)) * wide + 1 for place in range(state.players)]
        # Adding 1 to all totals gives the same standing: count one of each such line, the one in
        # which some player has the lowest possible total.
        return prod(each) - prod(count - 1 for count in each)

    def first_numbers(self, state: TurnState, totals: Integers) -> Integers:
        """Return the numbers of standings, int64[B], given `totals` by place, int64[players, B]."""
        return self.states[state] + self.offsets_in_state(state, totals)

    def offsets_in_state(self, state: TurnState, totals: Integers) -> Integers:
        """Return `first_numbers` counted from the number of the state, int64[B]."""
        offsets: Integers = np.zeros(totals.shape[1], np.int64)
        by_total = self.memory.deciding_total is not None
        for place, values in enumerate(self.ranges(state)):
            if len(values) > 1:
                value = totals[place] if by_total else totals[place] - totals[state.due]
                offsets = offsets * len(values) + (value - values.start)
        return offsets

    # The totals of standings

    def batches_of_totals(self, state: TurnState, most: int) -> Iterator[Integers]:
        """Yield totals or leads of standings that can occur, int64[players, B], B up to `most`."""
        ranges = self.ranges(state)
        shape = tuple(map(len, ranges))
        starts = np.array([values.start for values in ranges], np.int64)[:, None]
        for begin in range(0, prod(shape), most):
            indices = np.arange(begin, min(begin + most, prod(shape)))
            totals = np.array(np.unravel_index(indices, shape), np.int64) + starts
            if self.memory.deciding_total is None and self.memory.counts_rounds:
                # Drop differences that the players cannot reach in the turns they have had.
                rounds = [state.round - 1 + (place < state.due) for place in range(state.players)]
                turns = np.array(rounds, np.int64)[:, None]
                lowest, highest = turns * self.least - totals, turns * self.most - totals
                totals = totals[:, lowest.max(axis=0) <= highest.min(axis=0)]
            if totals.size:
                yield totals

    def totals_with_sum(self, state: TurnState, total: int) -> Integers:
        """Return all totals by place that add up to `total`, int64[players, B].

        Only for matches that do not count rounds: all ranges begin at 0.
        """
        assert not self.memory.counts_rounds
        *firsts, last = self.ranges(state)
        shape = tuple(map(len, firsts))
        grid = np.indices(shape, np.int64).reshape(len(shape), -1)
        rest = total - grid.sum(axis=0)
        fits = (rest >= 0) & (rest < len(last))
        return np.concatenate([grid[:, fits], rest[None, fits]])

    def highest_sum(self, players: int) -> int:
        """Return the highest possible sum of the totals when `players` players are in the ring."""
        turns = 0 if self.memory.is_one_long_round else players - 1
        ranges = self.ranges(TurnState(1, players, RoundHistory(turns)))
        return sum(values.stop - 1 for values in ranges)

    # From a position to its standing

    def number(self, located: Located) -> int | None:
        """Return the number of a turn that begins; None if it cannot occur."""
        state, totals, _ = located
        if state not in self.states:
            return None
        if any(total not in r for total, r in zip(totals, self.ranges(state), strict=True)):
            return None
        return int(self.first_numbers(state, np.array(totals)[:, None])[0])

    def locate(self, standing: Standing[Any]) -> Located | None:
        """Return what a standing keeps of a turn that begins.

        None if order matters, unless exactly the players before the one due have had their turns.
        """
        assert isinstance(standing.doing, Turn)  # the caller has checked that a turn is under way
        memory, tallies, due = self.memory, standing.tallies, standing.doing.seat
        first = due if memory.is_one_long_round else standing.first
        in_order = [(first + step) % memory.seats for step in range(memory.seats)]
        ring = [seat for seat in in_order if self._has_place(tallies[seat])]
        history = RoundHistory()
        if not memory.is_one_long_round:
            due_place = ring.index(due)
            for place, seat in enumerate(ring):
                has_played = tallies[seat].score is not None
                if has_played != (place < due_place):
                    return None
                if has_played:
                    end = tallies[seat].score, tallies[seat].shut
                    history = memory.after_turn(history, end)
        state = TurnState(standing.round if memory.counts_rounds else 1, len(ring), history)
        totals = self._kept_totals([tallies[seat] for seat in ring], state.due)
        return Located(state, totals, [*ring[state.due :], *ring[: state.due]])

    def _has_place(self, tally: Tally) -> bool:
        """Whether a player is in the ring: a player who is out in mid-round keeps the place."""
        is_out_in_this_round = tally.status is Status.OUT and tally.score is not None
        keeps_place = is_out_in_this_round and not self.memory.is_one_long_round
        return tally.status is Status.IN or keeps_place

    def _kept_totals(self, tallies: Sequence[Tally], due: int) -> list[int]:
        """Return the totals or leads of players, by place, as `ranges` has them."""
        memory = self.memory
        totals = [tally.total for tally in tallies]
        if not memory.format.counts_wins:
            totals = [tally.total + (tally.score or 0) for tally in tallies]
        if memory.deciding_total is None:
            if not memory.counts_rounds:  # neither totals nor leads matter
                return [0] * len(totals)
            return [total - totals[due] for total in totals]
        if memory.stops and memory.format.limit is not None:
            return [min(total, memory.format.limit) for total in totals]
        return totals
