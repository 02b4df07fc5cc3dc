"""The standings of a match of any number of seats in which a turn begins, by number.

Who is who does not matter, so seats are told by their *place*: those who play the round, in the
order of play, from 0. They are a ring, since the order goes round; a player who is out for good is
in none. Of the rest no more is kept than can matter:

- the round, where rounds are counted, and how many are still in;
- whose turn of the round it is, unless nothing depends on it: then the player who is due has place
  0, and the ring goes on from there;
- all totals, where a target or a limit ends the match, or only how far they lie from that of the
  player who is due where rounds do, or nothing where only a shut box does. A score of this round is
  in its total;
- of the turns of this round, where it matters: the best score, who has it, and who shut the box.

What is left out is told in `standings`, which has matches of two in less room.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from shutbox.analysis.equity.standings import Flags, Integers, StandingRules
from shutbox.match import Format, Match, WhenShut
from shutbox.match.atoms import Order, Ties, Until
from shutbox.match.standing import Standing, Status, Turn
from shutbox.solver.graph import Ending


class Past(NamedTuple):
    """What is kept of the turns of a round that are over."""

    turns: int = 0  # how many there are
    best: int | None = None  # the best score; None where it does not matter
    leading: tuple[int, ...] = ()  # the places that have it
    shut: tuple[int, ...] = ()  # the places that shut the box, where that ends the match


class RingKind(NamedTuple):
    """The standings that differ in the totals only."""

    round: int  # from 1; 1 where rounds are not counted
    players: int  # in the ring
    past: Past


@dataclass(frozen=True)
class Rings(StandingRules):
    """The standings of a match under a format, for turns with these ends.

    Each has a row of numbers: the shares of the win of the player who is due, of the next in the
    ring, and so on. `place` is the number of the first; the next ones are `size` apart.
    """

    format: Format
    seats: int
    ends: tuple[Ending, ...]
    low_is_good: bool
    worst: int  # the score of a turn that is not played since somebody has shut the box
    least: int  # the lowest score, or 0 where that is less
    most: int  # the highest score, or 0 where that is more

    @classmethod
    def of(cls, match: "Match[Any, Any]", ends: Sequence[Ending]) -> "Rings":
        """Those of a match."""
        scoring = match.rules.scoring
        cut = (scoring.worst,) if match.format.shut is WhenShut.WINS else ()
        scores = [0, *cut, *(score for score, _ in ends)]
        return cls(
            match.format,
            len(match.players),
            tuple(ends),
            scoring.low_is_good,
            scoring.worst,
            min(scores),
            max(scores),
        )

    @cached_property
    def _keeps_shut(self) -> bool:
        """Whether who has shut the box wins the match once the round is over."""
        format = self.format
        decides = format.until is Until.SHUT and format.shut is WhenShut.SCORES
        return decides and not self.one_round

    @cached_property
    def _keeps_best(self) -> bool:
        """Whether it matters who has the best score of a round."""
        if self.format.order is Order.WINNER and self.format.rounds != 1:
            return True
        best = (min if self.low_is_good else max)(score for score, _ in self.ends)
        return self._keeps_shut and any(shut and score != best for score, shut in self.ends)

    @cached_property
    def _keeps_tied(self) -> bool:
        """Whether all who have the best score matter, and not only the first of them."""
        return self._keeps_shut or self.format.ties is Ties.THROW_OFF

    def next(self, past: Past, end: tuple[int, bool]) -> Past:
        """What is kept once one more turn has ended so."""
        score, shut = end
        place = past.turns
        best, leading = past.best, past.leading
        if self._keeps_best:
            sign = -1 if self.low_is_good else 1
            if best is None or sign * score > sign * best:
                best, leading = score, (place,)
            elif score == best and self._keeps_tied:
                leading = (*leading, place)
        kept = (*past.shut, place) if shut and self._keeps_shut else past.shut
        return Past(place + 1, best, leading, kept)

    # Which standings there are

    @cached_property
    def pasts(self) -> tuple[Past, ...]:
        """What can be kept, the fewest turns first; of no turn alone where they are alike."""
        return self._pasts(self.ends)

    def most_pasts(self, turns: int) -> int:
        """A bound on what can be kept of so many turns, by a formula."""
        if self.alike and turns:
            return 0
        kept = 2**turns if self._keeps_shut else 1
        if self._keeps_best and turns:
            leading = 2**turns - 1 if self._keeps_tied else turns
            kept *= len({score for score, _ in self.ends}) * leading
        return kept

    def _pasts(self, ends: Sequence[Ending]) -> tuple[Past, ...]:
        """What can be kept of turns that end in these ways, the fewest turns first."""
        some, found = [Past()], [Past()]
        for _ in range(0 if self.alike else self.seats - 1):
            some = list(dict.fromkeys(self.next(past, end) for past in some for end in ends))
            found += some
        return tuple(found)

    @cached_property
    def kinds(self) -> dict[RingKind, int]:
        """Every kind, with the number of its first standing, in the order of the rounds."""
        kinds, number = dict[RingKind, int](), 0
        fewest = self.seats if self.format.limit is None else 2
        for round in range(1, (self.format.rounds or 1) + 1):
            for players in range(self.seats, fewest - 1, -1):
                for past in self.pasts:
                    if past.turns < players:
                        kind = RingKind(round, players, past)
                        kinds[kind] = number
                        number += players * self.size(kind)
        return kinds

    @cached_property
    def numbers(self) -> int:
        """How many numbers there are in all."""
        kind = next(reversed(self.kinds))
        return self.kinds[kind] + kind.players * self.size(kind)

    def ranges(self, kind: RingKind) -> list[range]:
        """What the total of each place can be; where only that counts, how far it is from mine."""
        past, due = kind.round - 1, kind.past.turns
        found = []
        for place in range(kind.players):
            over = place < due
            if self.bound is not None:
                highest = self.bound - 1
                if over and self.stops and self.format.limit is not None:
                    highest = self.bound  # a player who is out has that, however far he came
                elif over and not self.stops:
                    highest += self.most
                if self.counts_rounds:
                    highest = min(highest, (past + over) * self.most)
                found.append(range(highest + 1))
            elif self.counts_rounds and place != due:
                low, high = past * (self.least - self.most), past * (self.most - self.least)
                scored = (self.least, self.most) if over else (0, 0)
                found.append(range(low + scored[0], high + scored[1] + 1))
            else:
                found.append(range(1))
        return found

    def size(self, kind: RingKind) -> int:
        """How many standings of a kind have a number; some of them cannot come up."""
        return prod(map(len, self.ranges(kind)))

    def count(self, kind: RingKind) -> int:
        """How many of them can, as far as the totals say."""
        if self.bound is not None or not self.counts_rounds:
            return self.size(kind)
        past, due = kind.round - 1, kind.past.turns
        wide = self.most - self.least
        each = [(past + (place < due)) * wide + 1 for place in range(kind.players)]
        # Totals that are all one more are the same: of each such line of them count the last.
        return prod(each) - prod(one - 1 for one in each)

    def place(self, kind: RingKind, totals: Integers) -> Integers:
        """The numbers of standings, from int64[players, B]: the totals, by place."""
        found: Integers = np.full(totals.shape[1], 0, np.int64)
        mine = 0 if self.bound is not None else totals[kind.past.turns]
        for place, numbers in enumerate(self.ranges(kind)):
            if len(numbers) > 1:
                found = found * len(numbers) + (totals[place] - mine - numbers.start)
        return found + self.kinds[kind]

    def cells(self, kind: RingKind, most: int) -> Iterator[Integers]:
        """The totals of the standings that can come up, int64[players, B], so many at a time."""
        ranges = self.ranges(kind)
        shape = tuple(map(len, ranges))
        starts = np.array([numbers.start for numbers in ranges], np.int64)[:, None]
        for begin in range(0, prod(shape), most):
            numbers = np.arange(begin, min(begin + most, prod(shape)))
            totals = np.array(np.unravel_index(numbers, shape), np.int64) + starts
            if self.bound is None and self.counts_rounds:
                totals = totals[:, self._can_be(kind, totals)]
            if totals.size:
                yield totals

    def _can_be(self, kind: RingKind, apart: Integers) -> Flags:
        """Whether totals can be so far apart."""
        rounds = [kind.round - 1 + (place < kind.past.turns) for place in range(kind.players)]
        turns = np.array(rounds, np.int64)[:, None]
        lowest = (turns * self.least - apart).max(axis=0)
        found: Flags = lowest <= (turns * self.most - apart).min(axis=0)
        return found

    def diagonal(self, kind: RingKind, total: int) -> Integers:
        """The totals of a kind that come to a sum."""
        *firsts, last = self.ranges(kind)
        shape = tuple(map(len, firsts))
        grid = np.indices(shape, np.int64).reshape(len(shape), -1)
        rest = total - grid.sum(axis=0)
        fits = (rest >= 0) & (rest < len(last))
        return np.concatenate([grid[:, fits], rest[None, fits]])

    def highest_sum(self, players: int) -> int:
        """What the totals of so many players can come to at most."""
        last = players - 1 if not self.alike else 0
        ranges = self.ranges(RingKind(1, players, Past(last)))
        return sum(numbers.stop - 1 for numbers in ranges)

    @cached_property
    def looping(self) -> tuple[Past, ...]:
        """What can be kept of turns that all ended so; the most turns first."""
        return self._pasts([self.ends[row] for row in self.back])[::-1]

    # Where a match stands

    def number(self, here: Standing[Any]) -> tuple[RingKind, int, list[int]] | None:
        """The standing in which a turn begins: its kind and number, and the seats of its rows.

        None for one that cannot come up.
        """
        assert isinstance(here.doing, Turn)  # the caller has seen that a turn lies there
        due, tallies, seats = here.doing.seat, here.tallies, self.seats
        order = [((due if self.alike else here.first) + step) % seats for step in range(seats)]
        playing = (Status.IN,) if self.alike else (Status.IN, Status.OUT)
        ring = [
            seat
            for seat in order
            if tallies[seat].status is Status.IN
            or (tallies[seat].status in playing and tallies[seat].score is not None)
        ]
        past = Past()
        for place, seat in enumerate(ring):
            score, known = tallies[seat].score, tallies[seat]
            if not self.alike and (score is None) != (place >= ring.index(due)):
                return None
            if score is not None and not self.alike:
                past = self.next(past, (score, known.shut))
        kind = RingKind(here.round if self.counts_rounds else 1, len(ring), past)
        if kind not in self.kinds:
            return None
        totals = np.array([[tallies[s].total + (tallies[s].score or 0)] for s in ring], np.int64)
        if self.stops and self.format.limit is not None:
            totals = np.minimum(totals, self.format.limit)
        mine = 0 if self.bound is not None else totals[past.turns, 0]
        told = zip(totals[:, 0] - mine, self.ranges(kind), strict=True)
        if any(len(numbers) > 1 and total not in numbers for total, numbers in told):
            return None
        turn = past.turns
        return kind, int(self.place(kind, totals)[0]), [*ring[turn:], *ring[:turn]]
