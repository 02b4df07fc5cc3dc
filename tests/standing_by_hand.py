"""A match computed by hand, from its throws and choices but without the engine.

Only the turns are played by their own game. The seats in play, the totals, the order of throws and
the winners are computed here a second time, in plain numbers.
"""

from dataclasses import replace
from itertools import product
from typing import Any

from shutbox import Over, Roll
from shutbox.match import End, Format, Order, Ties, Turn, Until, WhenShut, WithoutChips


class ByHand:
    """A match of `seats` players at `game` under `format`, event by event."""

    def __init__(self, game: Any, format: Format, seats: int) -> None:
        self.game, self.format, self.seats = game, format, seats
        self.low = game.scoring.low_is_good
        self.best: int = game.scoring.best
        self.worst: int = game.scoring.worst
        self.wins = format.wins if format.rounds != 1 else None
        self.totals = [0] * seats  # of the finished rounds, or how many were won
        self.inside: set[int] = {*range(seats)}
        self.gone: set[int] = set()  # the seats that have left
        self.round = 1
        self.scores: dict[int, int] = {}  # of the finished turns of this round
        self.shut: set[int] = set()  # the seats that have shut the box in this round
        self.resting: set[int] = set()  # the seats that sit this round out
        self.turn: Any = None
        self.thrower = -1
        self.contest: list[int] = [*range(seats)] if format.high_roll and seats > 1 else []
        self.decides = "start"
        self.rolls: dict[int, int] = {}
        self.winners: list[int] = []
        self.one_round = format.most_rounds == 1 and format.limit is None

    def pick(self, seats: Any, worth: Any, low: bool | None = None) -> list[int]:
        """Return the seats with the best value."""
        seats, low = sorted(seats), self.low if low is None else low
        best = (min if low else max)(worth(seat) for seat in seats)
        return [seat for seat in seats if worth(seat) == best]

    def ahead(self, seats: Any) -> list[int]:
        """Return the seats with the best total, or with the most rounds won."""
        return self.pick(seats, self.totals.__getitem__, self.low and not self.wins)

    def better(self, one: int, other: int) -> bool:
        return one < other if self.low else one > other

    # Events

    def roll(self, seat: int, roll: Roll) -> None:
        if self.contest:
            self.rolls[seat] = roll.total
            if len(self.rolls) == len(self.contest):
                self.contest_over()
            return
        if self.turn is None:
            self.turn, self.thrower = self.game.start(), seat
        assert self.thrower == seat
        self.turn = self.game.rolled(self.turn, roll)
        self.look()

    def choose(self, seat: int, choice: Any) -> None:
        if choice is WithoutChips.SIT_OUT:
            self.resting.add(seat)
        elif choice is WithoutChips.LEAVE:
            self.inside.discard(seat)
            self.gone.add(seat)
        elif choice is not WithoutChips.BUY:
            if self.turn is None:
                self.turn, self.thrower = self.game.start(), seat
            self.turn = self.game.chosen(self.turn, choice)
            self.look()
            return
        if len(self.inside) < 2 or self.inside <= self.resting:
            self.match_won(self.ahead(self.inside or range(self.seats)))

    def look(self) -> None:
        over = self.game.awaits(self.turn)
        if isinstance(over, Over):
            self.turn = None
            self.turn_over(self.thrower, over.scores[0], over.shut)

    def contest_over(self) -> None:
        tied = [seat for seat, roll in self.rolls.items() if roll == max(self.rolls.values())]
        self.rolls, self.contest = {}, tied if len(tied) > 1 else []
        if self.contest:
            return
        if self.decides == "round":
            self.round_paid(tied)
        elif self.decides == "match":
            self.winners = tied

    def turn_over(self, seat: int, score: int, shut: bool) -> None:
        self.scores[seat] = score
        if shut:
            self.shut.add(seat)
        total, format = self.now(seat), self.format
        stops = format.end is End.STOP
        if stops and format.limit is not None and total >= format.limit:
            self.inside.discard(seat)
        if (stops and format.target is not None and total >= format.target) or (
            shut and format.shut is WhenShut.WINS
        ):
            self.round_won([seat])
        elif stops and format.limit is not None and self.few:
            self.round_won([*(self.inside - self.resting)] or self.leading())
        elif not self.to_come:
            self.round_won(self.leading())

    def round_won(self, winners: list[int]) -> None:
        matters = self.format.stake or self.format.order is Order.WINNER or self.one_round
        matters = matters or self.wins is not None
        if len(winners) > 1 and self.format.ties is Ties.THROW_OFF and matters:
            self.contest, self.decides = winners, "round"
        else:
            self.round_paid(winners)

    def round_paid(self, winners: list[int]) -> None:
        format, few, staying = self.format, self.few, {*self.inside}
        if self.wins and len(winners) == 1:
            self.totals[winners[0]] += 1
        for seat in range(0 if self.wins else self.seats):
            cut = format.shut is WhenShut.WINS and self.shut
            missed = seat not in self.scores and (cut or (seat in self.resting and not few))
            self.totals[seat] += self.scores.get(seat, 0)
            if seat in staying and missed:
                self.totals[seat] += self.worst
            if format.limit is not None and self.totals[seat] >= format.limit:
                self.inside.discard(seat)
        there = max(self.totals) >= (self.wins or format.target or 10**9)
        done = format.until is Until.SHUT and self.shut
        if self.round < format.most_rounds and not (there or done or self.few):
            self.round += 1
            self.scores, self.shut, self.resting = {}, set(), set()
            return
        if self.one_round:
            won = winners
        elif done:
            won = sorted({*winners} & self.shut or self.shut)
        else:
            among = self.inside or staying or {*self.scores}
            won = self.ahead(among)
        self.match_won(won)

    def match_won(self, winners: list[int]) -> None:
        if len(winners) > 1 and self.format.ties is Ties.THROW_OFF:
            self.contest, self.decides = winners, "match"
        else:
            self.winners = sorted(winners)

    # Standing

    @property
    def few(self) -> bool:
        return len(self.inside) < min(2, self.seats)

    @property
    def to_come(self) -> set[int]:
        """The seats whose turn in this round is not finished."""
        return self.inside - {*self.scores} - self.resting

    def now(self, seat: int) -> int:
        """Return the total with the score of this round, counted once."""
        if self.wins:  # each round by itself
            return self.scores.get(seat, 0)
        return self.totals[seat] + (0 if self.is_added else self.scores.get(seat, 0))

    def sure(self, seat: int) -> int:
        """Return the total after this round of a seat without a turn to come."""
        return self.now(seat) + (self.worst if seat in self.resting else 0)

    @property
    def is_added(self) -> bool:
        return bool(self.winners) or (bool(self.contest) and self.decides == "match")

    def leading(self) -> list[int]:
        return self.pick(self.scores, self.scores.__getitem__)

    def ends(self, seat: int) -> tuple[int, ...]:
        """Return the best and the worst total that a seat can have after this round."""
        if seat in self.to_come:
            return self.now(seat) + self.best, self.now(seat) + self.worst
        return (self.now(seat) + (self.worst if seat in self.resting else 0),)

    def leaders(self) -> set[int]:
        """Return the leaders. Empty if all seats in the match are level, or the lead is open."""
        later = self.round > 1 and not self.wins
        known = {seat for seat in self.inside if later or seat in self.scores}
        if self.winners:
            found = {*self.winners}
        elif self.contest and self.decides == "start":
            found = set()
        elif self.contest and (self.decides == "match" or self.one_round):
            found = {*self.contest}
        elif shut := self.would_win_by_shut():
            found = shut
        elif self.by_shut and self.format.rounds is None:
            found = set()
        else:
            found = {one for one in known if all(self.is_ahead(one, two) for two in known)}
        return found if len(found) < len(self.inside) else set()

    def would_win_by_shut(self) -> set[int]:
        """Return who would win the match with a shut box if this round ended now."""
        shut = self.shut & self.inside if self.by_shut else set()
        return {*self.leading()} & shut or shut if shut else set()

    @property
    def by_shut(self) -> bool:
        return self.format.until is Until.SHUT and not self.one_round

    def is_ahead(self, one: int, two: int) -> bool:
        """Whether `one` is ahead of `two` whatever happens this round, or level after as many
        turns.
        """
        if (one in self.to_come) == (two in self.to_come):
            [a, *_], [b, *_] = self.ends(one), self.ends(two)
            return a == b or self.better(a, b)
        return all(self.better(*pair) for pair in product(self.ends(one), self.ends(two)))

    def certain(self) -> int | None:
        """Return the only possible winner, or None. Some formats are not examined."""
        format, rounds = self.format, self.format.most_rounds - self.round
        if len(self.inside) < 2 or self.is_added:
            return None
        if format.limit is not None:
            return self.certain_by_limit()
        if self.wins:
            return self.certain_by_wins()
        thrown = self.inside - self.to_come
        if any(format.target and self.ends(seat)[0] >= format.target for seat in thrown):
            rounds = 0
        if (self.by_shut and (rounds or self.shut)) or (format.stake and rounds):
            return None
        for seat in self.inside:
            others = self.inside - {seat}
            if self.by_shut and self.to_come & others:
                continue
            least = self.ends(seat)[-1] + rounds * self.worst
            if all(self.better(least, self.ends(two)[0] + rounds * self.best) for two in others):
                return seat
        return None

    def certain_by_wins(self) -> int | None:
        """Return the winner if no course of this round and the later ones has another."""
        rounds = self.format.most_rounds - self.round
        for seat in self.inside if not (self.format.stake and rounds) else ():
            others = self.inside - {seat}
            last, best = self.ends(seat)[-1], (self.ends(two)[0] for two in others)
            wins_round = all(self.better(last, one) for one in best)
            mine = self.totals[seat] + wins_round
            theirs = max(self.totals[two] for two in others) + rounds + (not wins_round)
            if mine == self.wins or mine > theirs:
                return seat
        return None

    def certain_by_limit(self) -> int | None:
        """Return the winner if every possible course of this round leads to the same one."""
        limit = self.format.limit or 0
        found: set[tuple[int, ...]] = set()
        if self.format.end is End.STOP or self.format.rounds is not None:
            return None
        seats = sorted(self.inside)
        for ends in product(*(self.ends(seat) for seat in seats)):
            left = {s for s, end in zip(seats, ends, strict=True) if end < limit}
            if len(left) > 1:
                return None
            totals = dict(zip(seats, ends, strict=True))
            found.add(tuple(left or self.pick(seats, totals.__getitem__)))
        [winners, *others] = found
        return None if others or len(winners) > 1 else winners[0]


def standing_facing(match: Any, to_beat: int | None, after: int) -> Any:
    """The position at which a turn of a round begins, with `after` seats still to play.

    `to_beat` is the score of the seat that began; None if none has played.
    """
    standing = match.settled(match.start()).position
    seats, tallies = standing.clockwise, list(standing.tallies)
    if to_beat is not None:
        shut = to_beat == match.rules.scoring.best
        tallies[seats[0]] = replace(tallies[seats[0]], score=to_beat, shut=shut)
    turn = Turn(seats[len(seats) - 1 - after], match.game.start())
    return replace(standing, doing=turn, tallies=tuple(tallies))
