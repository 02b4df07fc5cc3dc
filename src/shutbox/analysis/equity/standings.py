"""The standings of a match of two in which a turn begins, by number, and what follows from a turn.

`match.transitions` says what follows from one end of one turn; here it is said in arithmetic, for
every end and for many standings at a time. What a turn is worth does not depend on who is who, so a
standing is told from the side of the player who is due: what is *mine* and what is *theirs*. Of the
rest no more is kept than can matter:

- the round, where rounds are counted;
- whether the turn is the first of its round or the second, unless nothing depends on it;
- both totals where a target or a limit ends the match, or only their difference where rounds do,
  or nothing where only a shut box does. What the first has just scored is in the total;
- of the turn before, where it is the second: its score where the winner of a round begins the next,
  and whether it shut the box where that ends the match.

Those tied in a throw-off win it equally often. The most rounds of a match that is not played for a
number of rounds, a thousand, are left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.errors import NotUnderstood
from shutbox.match import Format, Match, WhenShut
from shutbox.match.atoms import End, Order, Ties, Until
from shutbox.match.standing import Standing, Turn
from shutbox.solver.graph import Ending

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Flags: TypeAlias = NDArray[np.bool_]
ME, THEM = 1, -1  # who has won a round, or is due; 0 is a tie


class Before(NamedTuple):
    """What is kept of the first turn of a round while the second is played."""

    score: int | None  # None: it does not matter, or is only in the total
    shut: bool  # whether it shut the box; False where that does not matter


class TurnKind(NamedTuple):
    """The standings that differ in the totals only."""

    round: int  # from 1; 1 where rounds are not counted
    before: Before | None  # None: the first turn of the round


class Cells(NamedTuple):
    """Totals of standings of one kind: int64[B] each."""

    mine: Integers
    """Where only the difference matters, the difference, and `theirs` is 0."""
    theirs: Integers


class After(NamedTuple):
    """What the ends of a turn are worth to the player: `sure` + the sum of `share` * value.

    All are [E, B]: an end, a standing; or [1, 1] where all are alike. `places` are numbers of
    standings; where a share is below 0, the other player is due there.
    """

    sure: Floats
    places: list[Integers]
    shares: list[Floats]


class StandingRules:
    """What a format asks of the standings of a match, however many play it."""

    format: Format
    ends: tuple[Ending, ...]

    @property
    def bound(self) -> int | None:
        """The total that ends the match, or a player's part in it; None where none does."""
        return self.format.target or self.format.limit

    @property
    def counts_rounds(self) -> bool:
        """Whether the match ends after a number of rounds."""
        return self.format.rounds is not None

    @property
    def one_round(self) -> bool:
        """Whether who wins the only round wins the match."""
        return self.format.rounds == 1 and self.format.limit is None

    @property
    def stops(self) -> bool:
        """Whether a total that reaches the bound counts at once."""
        return self.format.end is End.STOP and self.bound is not None

    @property
    def alike(self) -> bool:
        """Whether it does not matter whose turn of a round it is."""
        format = self.format
        plain = format.order is Order.SEATS and format.shut is WhenShut.SCORES
        return self.stops and plain and not self.counts_rounds

    @cached_property
    def gain(self) -> int:
        """What a turn adds to the totals at least; with 0 a standing may lead back to itself."""
        return 0 if self.bound is None else min(score for score, _ in self.ends)

    @cached_property
    def back(self) -> list[int]:
        """The ends after which the totals come to the same, so that the match may lead back."""
        ends = enumerate(self.ends)
        return [row for row, (score, _) in ends if self.bound is None or score == 0]


@dataclass(frozen=True)
class Standings(StandingRules):
    """The standings of a match under a format, for turns with these ends."""

    format: Format
    ends: tuple[Ending, ...]
    low_is_good: bool
    worst: int  # the score of a turn that is not played since the other has shut the box
    least: int  # the lowest score, or 0 where that is less
    most: int  # the highest score, or 0 where that is more

    @classmethod
    def of(cls, match: "Match[Any, Any]", ends: Sequence[Ending]) -> "Standings":
        """Those of a match."""
        scoring = match.rules.scoring
        least, most = match.rules.totals(1)
        worst = scoring.worst
        return cls(match.format, tuple(ends), scoring.low_is_good, worst, least, most)

    # Which standings there are

    @cached_property
    def befores(self) -> tuple[Before, ...]:
        """What can be kept of a first turn; nothing where the turns of a round are alike."""
        return () if self.alike else tuple(dict.fromkeys(map(self.before, self.ends)))

    def before(self, end: tuple[int | None, bool]) -> Before:
        """What is kept of a first turn that ended so."""
        score, shut = end
        format = self.format
        decides = format.until is Until.SHUT and format.shut is WhenShut.SCORES
        decides = decides and shut and not self.one_round
        begins = format.order is Order.WINNER and format.rounds != 1
        return Before(score if begins or decides else None, decides)

    @cached_property
    def kinds(self) -> dict[TurnKind, int]:
        """Every kind, with the number of its first standing."""
        rounds = range(1, (self.format.rounds or 1) + 1)
        kinds = (TurnKind(round, before) for round in rounds for before in (None, *self.befores))
        return {kind: number * self.size for number, kind in enumerate(kinds)}

    @property
    def highest(self) -> int:
        """The highest total that the player who is not due can have."""
        assert self.bound is not None  # asked only where totals are counted
        return self.bound - 1 + (0 if self.stops else self.most)

    @cached_property
    def _reach(self) -> int:
        """How far the totals can be apart, where only that counts."""
        return self.format.most_rounds * (self.most - self.least)

    @cached_property
    def size(self) -> int:
        """How many numbers the standings of one kind have; some of them cannot come up."""
        if self.bound is not None:
            return self.bound * (self.highest + 1)
        return 2 * self._reach + 1 if self.counts_rounds else 1

    @property
    def numbers(self) -> int:
        """How many numbers there are in all."""
        return len(self.kinds) * self.size

    def place(self, kind: TurnKind, cells: Cells) -> Integers:
        """The numbers of standings."""
        return self._place(self.kinds[kind], cells.mine, cells.theirs)

    def _place(self, first: int | Integers, mine: Integers, theirs: Integers) -> Integers:
        if self.bound is not None:
            return first + mine * (self.highest + 1) + theirs
        if self.counts_rounds:
            return first + (mine - theirs + self._reach)
        return first + 0 * mine

    def ranges(self, kind: TurnKind) -> tuple[range, range]:
        """What can be mine, and what theirs, where standings of a kind come up."""
        past, second = kind.round - 1, kind.before is not None
        if self.bound is None:
            apart = past * (self.most - self.least) if self.counts_rounds else 0
            scored = (self.least, self.most) if second and self.counts_rounds else (0, 0)
            return range(-apart - scored[1], apart - scored[0] + 1), range(1)
        mine, theirs = self.bound - 1, self.highest if second else self.bound - 1
        if self.counts_rounds:
            mine, theirs = min(mine, past * self.most), min(theirs, (past + second) * self.most)
        return range(mine + 1), range(theirs + 1)

    def count(self, kind: TurnKind) -> int:
        """How many standings of a kind there are."""
        mine, theirs = self.ranges(kind)
        return len(mine) * len(theirs)

    def cells(self, kind: TurnKind) -> Cells:
        """The standings of a kind that can come up."""
        mine, theirs = self.ranges(kind)
        grid = np.indices((len(mine), len(theirs))).reshape(2, -1)
        return Cells(grid[0] + mine.start, grid[1] + theirs.start)

    def diagonal(self, kind: TurnKind, total: int) -> Cells:
        """The standings of a kind whose totals come to a sum; where none count, all there are."""
        if self.bound is None:
            return self.cells(kind)
        mine, theirs = (numbers.stop - 1 for numbers in self.ranges(kind))
        found = np.arange(max(0, total - theirs), min(mine, total) + 1)
        return Cells(found, total - found)

    @property
    def highest_sum(self) -> int:
        """What the totals can come to at most; 0 where they do not count."""
        return 0 if self.bound is None else self.bound - 1 + self.highest

    @cached_property
    def looping(self) -> set[Before]:
        """What is kept of first turns that ended so."""
        return set() if self.alike else {self.before(self.ends[row]) for row in self.back}

    # Where a match stands

    def number(self, here: Standing[Any]) -> int | None:
        """The number of the standing in which a turn begins; None for one that cannot come up."""
        kind, mine, theirs = self.cell(here)
        if kind not in self.kinds:
            return None
        mines, theirses = self.ranges(kind)
        if mine not in mines or theirs not in theirses:
            return None
        cells = Cells(np.array([mine]), np.array([theirs]))
        return int(self.place(kind, cells)[0])

    def cell(self, here: Standing[Any]) -> tuple[TurnKind, int, int]:
        """The kind of the standing in which a turn begins, what is mine, and what is theirs."""
        assert isinstance(here.doing, Turn)  # the caller has seen that a turn lies there
        my, other = here.tallies[here.doing.seat], here.tallies[1 - here.doing.seat]
        before, mine, theirs = None, my.total, other.total
        if other.score is not None:
            theirs += other.score
            before = None if self.alike else self.before((other.score, other.shut))
        kind = TurnKind(here.round if self.counts_rounds else 1, before)
        if self.bound is None:
            mine, theirs = (mine - theirs if self.counts_rounds else 0), 0
        return kind, mine, theirs

    def table(self, values: Floats, round: int, end: tuple[int | None, bool] | None) -> Floats:
        """The values of one kind in the form of its totals; `end` is that of the turn before.

        Raises NotUnderstood where no turn comes to that.
        """
        before = None if end is None or self.alike else self.before(end)
        kind = TurnKind(round, before)
        if kind not in self.kinds:
            raise NotUnderstood("no turn of round {round} follows on {end}", round=round, end=end)
        first = self.kinds[kind]
        part = values[first : first + self.size]
        return part if self.bound is None else part.reshape(self.bound, -1)

    # What follows from a turn

    @cached_property
    def _columns(self) -> tuple[Integers, Flags, Integers]:
        """Of each end, as a column: its score, and whether the box is shut.

        And how far the standings of the second turn lie behind those of the first.
        """
        scores = np.array([score for score, _ in self.ends], np.int64)[:, None]
        shut = np.array([shut for _, shut in self.ends], np.bool_)[:, None]
        afters = (None if self.alike else self.before(end) for end in self.ends)
        seconds = [self.kinds[TurnKind(1, before)] for before in afters]
        return scores, shut, np.array(seconds, np.int64)[:, None]

    def _compared(self, one: Any, other: Any) -> Any:
        """Who is better: ME with `one`, THEM with `other`, or 0."""
        return np.sign(other - one) if self.low_is_good else np.sign(one - other)

    def after(self, kind: TurnKind, cells: Cells) -> After:
        """What follows from each end of a turn in each of these standings."""
        format, first = self.format, kind.before is None
        scores, shut, seconds = self._columns
        mine, theirs = cells
        total = mine + scores
        if first and not self._near(mine).any():
            # No end ends the round: the second turn follows on all of them.
            place = self._place(seconds + self.kinds[kind], theirs, total)
            return After(np.ones((1, 1)), [place], [np.full((1, 1), -1.0)])
        none = np.zeros((1, 1), np.bool_)
        wins = shut if format.shut is WhenShut.WINS else none
        if self.stops and format.target is not None:
            wins = wins | (total >= format.target)
        out = none
        if self.stops and format.limit is not None:
            out = (total >= format.limit) & ~wins
        goes_on: Flags = ~(wins | out) if first else none
        winner = self._winner(kind, total, theirs, wins, out)
        others = theirs
        if first and format.shut is WhenShut.WINS:
            others = theirs + self.worst * shut
        decided, result = self._decided(kind, total, others, winner)
        decided = decided & ~goes_on

        # What comes next: the second turn of the round, or the first of the next round.
        begins = self.kinds.get(TurnKind(kind.round + self.counts_rounds, None), 0)
        table: Any = begins
        if first:
            table = np.where(goes_on, seconds + self.kinds[kind], begins)
        i_begin = np.where(goes_on, 0.0, self._i_begin(winner, first=first))
        places, shares = [], []
        for share, totals in ((i_begin, (total, others)), (i_begin - 1, (others, total))):
            share = np.where(decided, 0.0, share)
            if share.any():
                places.append(np.where(share == 0, 0, self._place(table, *totals)))
                shares.append(np.broadcast_to(share, total.shape))
        return After(np.where(decided, result, 1 - i_begin), places, shares)

    def parted(self, kind: TurnKind, cells: Cells) -> list[Cells]:
        """The same standings, those apart that `after` can do at once."""
        near = self._near(cells.mine)
        if kind.before is not None or near.all() or not near.any():
            return [cells]
        return [Cells(*(column[some] for column in cells)) for some in (near, ~near)]

    def _near(self, mine: Integers) -> Flags:
        """Whether a first turn can end the round."""
        if self.format.shut is WhenShut.WINS or self.bound is None or not self.stops:
            return np.full(mine.shape, self.format.shut is WhenShut.WINS)
        return mine + self.most >= self.bound

    def _i_begin(self, winner: Integers, *, first: bool) -> Floats | float:
        """How often I begin the next round, if I was the first in this one, or the second."""
        match self.format.order:
            case Order.SEATS:
                return float(first)
            case Order.ROTATE:
                return float(not first)
            case Order.WINNER:
                # Of those tied the first in the order of play, or who wins the throw-off.
                tied = 0.5 if self.format.ties is Ties.THROW_OFF else float(first)
                return np.where(winner == 0, tied, winner > 0)

    def _winner(
        self, kind: TurnKind, total: Integers, theirs: Integers, wins: Flags, out: Flags
    ) -> Integers:
        """Who has won the round, if it is over: ME, THEM, or 0 for a tie."""
        if kind.before is None:
            winner: Integers = np.where(wins, ME, THEM)
            return winner
        if kind.before.score is None:
            even = self._compared(total, theirs)
        else:
            even = self._compared(self._columns[0], kind.before.score)
        return np.where(wins, ME, np.where(out, THEM, even))

    def _decided(
        self, kind: TurnKind, total: Integers, others: Integers, winner: Integers
    ) -> tuple[Flags, Floats]:
        """Whether the match is over once the round is, and my share of the win then."""
        format = self.format
        shape = total.shape
        last = self.counts_rounds and kind.round == format.rounds
        decided = np.full(shape, last, np.bool_)
        if self.one_round:
            return decided, np.broadcast_to((1.0 + winner) / 2, shape)
        share = (1.0 + self._compared(total, others)) / 2
        if format.target is not None:
            decided = decided | (total >= format.target) | (others >= format.target)
        if format.limit is not None:
            mine, theirs = total >= format.limit, others >= format.limit
            decided = decided | mine | theirs
            # Who is out while the other is not has lost; and so has who went out with his turn,
            # where that ends the match, although a missing turn puts the other out, too.
            lost = mine if self.stops else mine & ~theirs
            share = np.where(lost, 0.0, np.where(theirs & ~mine, 1.0, share))
        if format.until is Until.SHUT:
            shut, before = self._columns[1], kind.before is not None and kind.before.shut
            decided = decided | shut | before
            if before:
                share = np.where(shut, (1.0 + winner) / 2, 0.0)
            else:
                share = np.where(shut, 1.0, share)
        return decided, share
