"""The standings of a match in which a turn begins, numbered, for any number of seats.

Players are identified by their *place*: their index from 0 in the order of play of this round,
which goes round as a ring. A player out for good has no place. A standing keeps only what matters:

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

from shutbox.engine.english import coded
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Scoring
from shutbox.match import Format, Match, WhenShut
from shutbox.match.format import End, Order, Ties, Until
from shutbox.match.standing import Standing, Status, Turn
from shutbox.solving.graph import Ending

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]


class RoundHistory(NamedTuple):
    """The facts kept about the finished turns of a round, empty if all turns are alike."""

    turns: int = 0  # the number of finished turns
    best: int | None = None  # the best score; None if it does not matter
    leading: tuple[int, ...] = ()  # the places that have it
    shut: tuple[int, ...] = ()  # the places that shut the box, if that ends the match


class TurnState(NamedTuple):
    """A group of standings that differ only in the totals: one kind of turn of one round."""

    round: int  # from 1; always 1 if rounds are not counted
    players: int  # in the ring
    history: RoundHistory

    @property
    def due(self) -> int:
        """The place, from 0 in the order of the round, of the player whose turn begins."""
        return self.history.turns


@dataclass(frozen=True)
class Standings:
    """The numbering of the standings of a match (turns that begin), by its format and turns' ends.

    Each standing has one value for each player in the ring: the share of the win of the player who
    is due (row 0), then of the next (row 1), and so on. `place` returns the number of the first
    value; the others follow at intervals of `size`. An end is a pair (score, shut), named by its
    index in `ends`. A place is a player's index in the order of the round. Arrays have a row for
    each place or player, and a column for each standing.
    """

    format: Format
    seats: int
    ends: tuple[Ending, ...]
    scoring: Scoring
    least: int  # the lowest score, or 0 if that is lower
    most: int  # the highest score, or 0 if that is higher

    @classmethod
    def of(cls, match: "Match[Any, Any]", ends: Sequence[Ending]) -> "Standings":
        """Return the numbering for a match; `ends` are the ends (score, shut) of its turns."""
        rules, seats = match.rules, len(match.players)
        return cls(match.format, seats, tuple(ends), rules.scoring, *rules.totals(1))

    # Properties of the format

    @property
    def bound(self) -> int | None:
        """The total that ends the match, or that puts a player out; None if there is none."""
        return self.format.goal or self.format.limit

    @property
    def turns_add(self) -> bool:
        """Whether turns add to totals that end the match, so that it comes nearer to its end."""
        return self.bound is not None and not self.format.counts_wins

    @property
    def counts_rounds(self) -> bool:
        """Whether the match ends after a number of rounds."""
        return self.format.rounds is not None

    @property
    def one_round(self) -> bool:
        """Whether the winner of the only round wins the match."""
        return self.format.rounds == 1 and self.format.limit is None

    @property
    def stops(self) -> bool:
        """Whether no total reaches the bound in a round: that counts at once, or rounds won do."""
        at_once = self.format.end is End.STOP or self.format.counts_wins
        return at_once and self.bound is not None

    @property
    def alike(self) -> bool:
        """Whether only totals matter in a round: its turns are alike, so no history is kept."""
        format = self.format
        plain = format.order is Order.SEATS and format.shut is WhenShut.SCORES
        return self.stops and self.turns_add and plain and not self.counts_rounds

    @cached_property
    def gain(self) -> int:
        """The least that a turn adds to the totals; 0 if totals do not end the match."""
        return min(score for score, _ in self.ends) if self.turns_add else 0

    @property
    def leads_back(self) -> bool:
        """Whether a standing can lead back to itself, since a turn can add nothing."""
        return not self.counts_rounds and not self.gain

    @cached_property
    def back(self) -> list[int]:
        """The indices of the ends that change no total that is kept, so that the match can loop."""
        ends = enumerate(self.ends)
        return [row for row, (score, _) in ends if not self.turns_add or score == 0]

    # The history of a round

    @cached_property
    def _keeps_shut(self) -> bool:
        """Whether a player who has shut the box wins the match once the round is over."""
        format = self.format
        decides = format.until is Until.SHUT and format.shut is WhenShut.SCORES
        return decides and not self.one_round

    @property
    def winner_matters(self) -> bool:
        """Whether rounds won count, or the winner of a round begins a next one."""
        winner_begins = self.format.order is Order.WINNER and self.format.rounds != 1
        return winner_begins or self.format.counts_wins

    @cached_property
    def _ranks_shut(self) -> bool:
        """Whether a shut box wins, and players who have shut it can differ in their scores."""
        best = self.scoring.best_of(score for score, _ in self.ends)
        return self._keeps_shut and any(shut and score != best for score, shut in self.ends)

    @cached_property
    def _keeps_tied(self) -> bool:
        """Whether all players with the best score matter, not only the first of them."""
        wins, throws_off = self.format.counts_wins, self.format.ties is Ties.THROW_OFF
        return self._keeps_shut or wins or throws_off

    def next(self, history: RoundHistory, end: tuple[int | None, bool]) -> RoundHistory:
        """Return the history after one more turn with this end (score, shut)."""
        score, shut = end
        place = history.turns
        who_shut = (*history.shut, place) if shut and self._keeps_shut else history.shut
        # If no player has shut the box yet, scores matter only if two players still can.
        ranks = self._ranks_shut and (who_shut or self.seats - place > 2)
        if not (self.winner_matters or ranks):
            return RoundHistory(place + 1, shut=who_shut)
        best, leading = history.best, history.leading
        if best is None or score is None or self.scoring.better(score, best):
            best, leading = score, (place,)
        elif score == best and self._keeps_tied:
            leading = (*leading, place)
        return RoundHistory(place + 1, best, leading, who_shut)

    @cached_property
    def histories(self) -> tuple[RoundHistory, ...]:
        """The possible histories, the fewest turns first; only the empty one if turns are alike."""
        return self._histories(self.ends)

    @cached_property
    def looping(self) -> tuple[RoundHistory, ...]:
        """The possible histories whose turns have all left the totals unchanged."""
        return self._histories([self.ends[row] for row in self.back])

    def _histories(self, ends: Sequence[Ending]) -> tuple[RoundHistory, ...]:
        some, found = [RoundHistory()], [RoundHistory()]
        for _ in range(0 if self.alike else self.seats - 1):
            some = list(dict.fromkeys(self.next(history, end) for history in some for end in ends))
            found += some
        return tuple(found)

    def most_histories(self, turns: int) -> int:
        """Return an upper bound on the number of histories of `turns` finished turns."""
        if self.alike and turns:
            return 0
        count = 2**turns if self._keeps_shut else 1
        if (self.winner_matters or self._ranks_shut) and turns:
            leading = 2**turns - 1 if self._keeps_tied else turns
            count *= len({score for score, _ in self.ends}) * leading
        return count

    # The numbers of standings

    @cached_property
    def states(self) -> dict[TurnState, int]:
        """All states in the order of the rounds, with the number (index) of their first value."""
        states, number = dict[TurnState, int](), 0
        for round in range(1, (self.format.rounds or 1) + 1):
            for players in range(self.seats, self.fewest - 1, -1):
                for history in self.histories:
                    if history.turns < players:
                        state = TurnState(round, players, history)
                        states[state] = number
                        number += players * self.size(state)
        return states

    @property
    def fewest(self) -> int:
        """The fewest players who can still be in the match when a round begins."""
        return self.seats if self.format.limit is None else 2

    @cached_property
    def numbers(self) -> int:
        """The length of an array with the values of all standings."""
        state = next(reversed(self.states))
        return self.states[state] + state.players * self.size(state)

    def ranges(self, state: TurnState) -> list[range]:
        """Return each place's possible totals or, if only leads count, leads over the one due."""
        past, found = state.round - 1, []
        for place in range(state.players):
            over = place < state.due
            if self.bound is not None:
                highest = self.bound - 1
                if over and self.stops and self.format.limit is not None and state.players > 2:
                    highest = self.bound  # totals of players who are out are capped here
                elif over and not self.stops:
                    highest += self.most
                if self.counts_rounds:
                    highest = min(highest, (past + over) * self.most)
                found.append(range(highest + 1))
            elif self.counts_rounds and place != state.due:
                apart = past * (self.most - self.least)
                low, high = (self.least, self.most) if over else (0, 0)
                found.append(range(low - apart, high + apart + 1))
            else:
                found.append(range(1))
        return found

    def size(self, state: TurnState) -> int:
        """Return how many standings of a state are numbered; some of them cannot occur."""
        return prod(map(len, self.ranges(state)))

    def count(self, state: TurnState) -> int:
        """Return how many standings of a state can occur, judged by the totals alone."""
        if self.bound is not None or not self.counts_rounds:
            return self.size(state)
        wide = self.most - self.least
        past = state.round - 1
        each = [(past + (place < state.due)) * wide + 1 for place in range(state.players)]
        # Adding 1 to all totals gives the same standing: count one of each such line.
        return prod(each) - prod(one - 1 for one in each)

    def place(self, state: TurnState, totals: Integers) -> Integers:
        """Return the numbers of standings, int64[B], given `totals` by place, int64[players, B]."""
        found: Integers = np.full(totals.shape[1], self.states[state], np.int64)
        return found + self.offsets(state, totals)

    def offsets(self, state: TurnState, totals: Integers) -> Integers | int:
        """Return the numbers of `place`, counted from the state's own; 0 if it has one standing."""
        found: Integers | int = 0
        for place, numbers in enumerate(self.ranges(state)):
            if len(numbers) > 1:
                apart = totals[place] if self.bound else totals[place] - totals[state.due]
                found = found * len(numbers) + (apart - numbers.start if numbers.start else apart)
        return found

    # The totals of standings

    def totals(self, state: TurnState, most: int) -> Iterator[Integers]:
        """Yield totals or leads of standings that can occur, int64[players, B], B up to `most`."""
        ranges = self.ranges(state)
        shape = tuple(map(len, ranges))
        starts = np.array([numbers.start for numbers in ranges], np.int64)[:, None]
        for begin in range(0, prod(shape), most):
            numbers = np.arange(begin, min(begin + most, prod(shape)))
            totals = np.array(np.unravel_index(numbers, shape), np.int64) + starts
            if self.bound is None and self.counts_rounds:
                # Drop differences that the players cannot reach in the turns they have had.
                rounds = [state.round - 1 + (place < state.due) for place in range(state.players)]
                turns = np.array(rounds, np.int64)[:, None]
                lowest, highest = turns * self.least - totals, turns * self.most - totals
                totals = totals[:, lowest.max(axis=0) <= highest.min(axis=0)]
            if totals.size:
                yield totals

    def diagonal(self, state: TurnState, total: int) -> Integers:
        """Return all combinations of a state's totals that add up to `total`, int64[players, B]."""
        *firsts, last = self.ranges(state)
        shape = tuple(map(len, firsts))
        grid = np.indices(shape, np.int64).reshape(len(shape), -1)
        rest = total - grid.sum(axis=0)
        fits = (rest >= 0) & (rest < len(last))
        return np.concatenate([grid[:, fits], rest[None, fits]])

    def highest_sum(self, players: int) -> int:
        """Return the highest possible sum of the totals when `players` players are in the ring."""
        last = players - 1 if not self.alike else 0
        ranges = self.ranges(TurnState(1, players, RoundHistory(last)))
        return sum(numbers.stop - 1 for numbers in ranges)

    # From a position to its standing

    def number(self, here: Standing[Any]) -> tuple[TurnState, int, list[int]] | None:
        """Return the state, number and seats by row of a new turn; None if it cannot occur."""
        if (found := self.seated(here)) is None:
            return None
        state, totals, seats = found
        if state not in self.states:
            return None
        pairs = zip(totals, self.ranges(state), strict=True)
        if any(total not in numbers for total, numbers in pairs):
            return None
        return state, int(self.place(state, np.array(totals)[:, None])[0]), seats

    def seated(self, here: Standing[Any]) -> tuple[TurnState, list[int], list[int]] | None:
        """Return the state of a turn that begins, its totals by place, and seats from the one due.

        None if order matters, unless exactly the players before the one due have had their turns.
        """
        assert isinstance(here.doing, Turn)  # the caller has checked that a turn is under way
        due, tallies, seats = here.doing.seat, here.tallies, self.seats
        order = [((due if self.alike else here.first) + step) % seats for step in range(seats)]
        playing = (Status.IN,) if self.alike else (Status.IN, Status.OUT)
        ring = [
            seat
            for seat in order
            if tallies[seat].status is Status.IN
            or (tallies[seat].status in playing and tallies[seat].score is not None)
        ]
        history = RoundHistory()
        for place, seat in enumerate(ring):
            score, shut = tallies[seat].score, tallies[seat].shut
            if not self.alike and (score is None) != (place >= ring.index(due)):
                return None
            if score is not None and not self.alike:
                history = self.next(history, (score, shut))
        adds = not self.format.counts_wins
        totals = [tallies[seat].total + adds * (tallies[seat].score or 0) for seat in ring]
        turn = history.turns
        if self.stops and self.format.limit is not None:
            totals = [min(total, self.format.limit) for total in totals]
        if self.bound is None:
            totals = [(total - totals[turn]) * self.counts_rounds for total in totals]
        state = TurnState(here.round if self.counts_rounds else 1, len(ring), history)
        return state, totals, [*ring[turn:], *ring[:turn]]

    # Tables of matches of two

    def table(self, values: Floats, round: int, end: tuple[int | None, bool] | None) -> Floats:
        """Return the shares of the player about to begin a turn; see `Equity.table`.

        `end` is (score, shut) of the turn before it in its round; None if it is the first. All
        tables of a match have one shape, filled with NaN. Raises NotUnderstood without such a turn.
        """
        history = RoundHistory()
        if end is not None and not self.alike:
            history = self.next(history, end)
        state = TurnState(round, self.seats, history)
        if state not in self.states:
            facts = {"round": coded(round)[:40], "end": coded(end)[:40]}
            raise NotUnderstood("no turn of round {round} follows on {end}", **facts)
        first, (mine, theirs) = self.states[state], self.ranges(state)
        shares = values[first : first + self.size(state)].reshape(len(mine), len(theirs))
        if state.due:
            mine, theirs, shares = theirs, mine, shares.T
        if self.bound is not None:
            over = 0 if self.stops else self.most
            square: Floats = np.full((self.bound, self.bound + over), np.nan)
            square[: len(mine), : len(theirs)] = shares
            return square
        # The values are by how far the other is above the player who is due.
        apart = (self.format.rounds or 0) * (self.most - self.least)
        line: Floats = np.full(2 * apart + 1, np.nan)
        line[apart + 1 - theirs.stop : apart + 1 - theirs.start] = shares[0, ::-1]
        return line
