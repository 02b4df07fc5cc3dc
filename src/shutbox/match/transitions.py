"""The automatic steps of a match after a turn, a contest, or an answer about chips.

`settled` leads from any position to the one where a player is due or the match is over. Nothing
here knows the game that is played in a turn.

    _open_round (unless a player who cannot pay must answer first) -> _begin_round
        -> _end_turn -> _begin_next_turn -> ... -> _end_turn
        -> _win_round -> _pay_round -> _close_round -> _open_round, or _win_match -> _end_match

Before a round or the match is won, a contest can decide between tied players: `_end_contest`. With
one throw each, `RowRules` takes the place of the methods marked `# rows`.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Generic

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.game import C, Game, Over, P, Rows, Scoring, Throw, successors
from shutbox.match.format import End, Format, Order, Ties, Until, WhenShut
from shutbox.match.payments import pay_round, share_pot
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    Opening,
    Settled,
    Standing,
    Status,
    Tally,
    Turn,
    TurnResult,
    WithoutChips,
)

MOST_REPEATS = 100  # of a contest; then the first in order of play wins, so that a match ends


class MatchRules(Generic[P, C]):
    """The rules of a match. An automatic step takes the result so far, and returns the next."""

    rows: Rows | None = None
    """What the game says about rows, set by `RowRules`; None if turns are whole."""

    def __init__(self, game: Game[P, C], format: Format, seat_count: int) -> None:
        scoring = game.scoring
        assert scoring is not None  # `find_misfits` refuses games without scores
        self.game = game
        self.format = format
        self.seat_count = seat_count
        self.doubles = format.shut is WhenShut.DOUBLES
        worst = 2 * scoring.worst if self.doubles else scoring.worst
        self.scoring = Scoring(scoring.best, worst)
        self.purses = format.purses(seat_count)
        self.refill = max(self.purses)  # the chips that the bank gives to a player who buys more
        self.one_round = format.most_rounds == 1 and format.limit is None
        """Whether the only round's winner wins the match. With a limit, the last one in wins."""
        self.total_scoring = Scoring(1, 0) if format.counts_wins else self.scoring
        """A scoring that says which totals are better."""
        self.score_range = tuple(sorted((self.scoring.best, self.scoring.worst)))
        """The lowest and the highest score of a turn."""

    # Facts about a position, for other modules

    @cached_property
    def dice(self) -> Dice:
        """The dice of a contest: the most that can be chosen for the first throw of a turn."""
        throws, waiting = list[Dice](), [self.game.start()]
        for position in waiting:  # it grows while it is read
            if isinstance(awaited := self.game.awaits(position), Throw):
                throws.append(awaited.dice)
            else:
                waiting += successors(self.game, position)
        return max(throws, key=len)

    def total_range(self, rounds: int, *, goes_on: bool = False) -> tuple[int, int]:
        """Return the lowest and the highest total after at most this many rounds.

        With `goes_on` it is that of a player who is still in, and no total has ended the match.
        """
        low, high = (0, 1) if self.format.counts_wins else self.score_range
        low, high = min(0, rounds * low), max(0, rounds * high)
        ends = self.format.goal or self.format.limit
        if ends and goes_on:
            high = min(high, ends - 1)
        elif ends and self.format.counts_wins:
            high = min(high, ends)
        return low, high

    def turns_of_throw(self, position: Standing[P]) -> dict[int, P]:  # rows
        """Return the position of each seat in whose turn the throw that is due counts; else {}."""
        return {position.doing.seat: position.doing.at} if isinstance(position.doing, Turn) else {}

    def begins_turn(self, position: Standing[P]) -> bool:  # rows
        """Whether a turn, and not a contest, is under way in which nothing has happened yet."""
        return isinstance(position.doing, Turn) and position.doing.at == self.game.start()

    def seat_short_of_chips(self, position: Standing[P]) -> int | None:
        """Return the first seat that cannot pay for the round and must choose; None if all can."""
        tallies, needed = position.tallies, self.format.needed
        return next((s for s in position.waiting if tallies[s].chips < needed), None)

    def round_leaders(self, position: Standing[P]) -> list[int]:
        """Return the seats with the best score of the round so far, in the order of play."""
        return self.best_of(position.finished, lambda seat: position.tallies[seat].score or 0)

    def best_of(
        self, seats: list[int], points: Callable[[int], int], scoring: Scoring | None = None
    ) -> list[int]:
        """Return the seats whose `points` are best by `scoring`, by default of a turn, in order."""
        best = (scoring or self.scoring).best_of(map(points, seats)) if seats else 0
        return [seat for seat in seats if points(seat) == best]

    def total_before_round(self, tally: Tally) -> int:
        """Return the total to which the score of a round is added; 0 if rounds won count."""
        return 0 if self.format.counts_wins else tally.total

    def scores_to_come(self, position: Standing[P], seat: int) -> tuple[int, int]:
        """Return the worst and the best score that a seat can still have in this round."""
        score = position.tallies[seat].score
        if score is None:
            return self.worst_score(position, seat), self.scoring.best
        # Only games in which low is good can double scores (see `find_misfits`), so twice is worse.
        can_double = self.doubles and not position.has_shut and position.waiting
        return 2 * score if can_double else score, score

    def worst_score(self, position: Standing[P], seat: int) -> int:  # rows
        """Return the worst score of a turn that is not over."""
        return self.scoring.worst

    # Throws and answers

    def start(self) -> Standing[P]:
        """Return the position before anything has happened."""
        tallies = tuple(Tally(chips=chips) for chips in self.purses)
        if self.format.high_roll and self.seat_count > 1:
            return Standing(Contest(About.START, tuple(range(self.seat_count))), tallies)
        return Standing(Opening(), tallies, first=self.format.first)

    def rolled(self, position: Standing[P], roll: Roll) -> Standing[P]:  # rows
        """Return the position after the roll that is due at a settled position."""
        doing = position.doing
        if isinstance(doing, Contest):
            return replace(position, doing=replace(doing, rolls=(*doing.rolls, roll)))
        assert isinstance(doing, Turn)  # nothing else awaits a throw
        return replace(position, doing=replace(doing, at=self.game.rolled(doing.at, roll)))

    def with_answer(self, position: Standing[P], answer: WithoutChips) -> Standing[P]:
        """Return the position after the asked player's answer, not settled."""
        seat = self.seat_short_of_chips(position)
        assert seat is not None  # called only while a player is asked
        tally = position.tallies[seat]
        match answer:
            case WithoutChips.BUY:
                tally = replace(tally, chips=tally.chips + self.refill)
            case WithoutChips.SIT_OUT:
                tally = replace(tally, sits_out=True)
            case WithoutChips.LEAVE:
                tally = replace(tally, status=Status.LEFT)
        return position.with_tally(seat, tally)

    # The automatic steps

    def settled(self, position: Standing[P]) -> Settled[P]:
        """Return the position after all automatic steps, if there are any, with what happened."""
        return self._settle(Settled(position))

    def after_turn(self, position: Standing[P], over: Over) -> Settled[P]:
        """Return the position after all automatic steps if the current turn ends with `over`."""
        assert isinstance(position.doing, Turn)  # there is a turn to end
        return self._settle(self._end_turn(Settled(position), position.doing, over))

    def _settle(self, so_far: Settled[P]) -> Settled[P]:
        """Take automatic steps until none is left, and return the last result."""
        while step := self._step(so_far):
            so_far = step
        return so_far

    def _step(self, so_far: Settled[P]) -> Settled[P] | None:
        """Take one automatic step; return None if a player is due or the match is over."""
        position = so_far.position
        match position.doing:
            case Turn() as turn:
                return self._end_turn_if_over(so_far, turn)
            case Contest(among=among, rolls=rolls) as contest if len(rolls) >= len(among):
                return self._end_contest(so_far, contest)
            case Opening():
                return self._open_round(so_far)
        return None

    def _open_round(self, so_far: Settled[P]) -> Settled[P] | None:
        """Collect the stakes and begin the first turn; return None if a player must answer first.

        If too few players are left, or none plays, end the match instead, or begin its throw-off.
        """
        position = so_far.position
        players = position.waiting
        if self._too_few(position) or not players:
            return self._win_match(so_far, self._leaders(position))
        if self.seat_short_of_chips(position) is not None:
            return None
        for seat in players:
            so_far = so_far.with_payment(seat, self.format.ante)
        return self._begin_round(so_far, players[0])

    def _begin_round(self, so_far: Settled[P], seat: int) -> Settled[P]:  # rows
        """Begin the first turn of a round."""
        return so_far.with_position(doing=Turn(seat, self.game.start()))

    def _end_turn_if_over(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P] | None:  # rows
        """End a turn that is over; return None if it goes on."""
        over = self.game.awaits(turn.at)
        return self._end_turn(so_far, turn, over) if isinstance(over, Over) else None

    def _end_turn(self, so_far: Settled[P], turn: Turn[P], over: Over) -> Settled[P]:  # rows
        """Score a turn, and end the round or begin the next turn.

        The round ends with the target, with a shut box, with the last player in, and if nobody is
        left to throw.
        """
        seat, [score] = turn.seat, over.scores
        if self.doubles:
            so_far, score = self._double_scores(so_far, score, shut=over.shut)
        tally = replace(so_far.position.tallies[seat], score=score, shut=over.shut)
        # With a target or a limit, totals are sums of scores: formats refuse either with `wins`.
        total, limit, target = tally.total + score, self.format.limit, self.format.target
        stops = self.format.end is End.STOP  # else target and limit count in `_close_round`
        if stops and limit is not None and total >= limit:
            tally = replace(tally, status=Status.OUT)
        turns = *so_far.turns, TurnResult(seat, score, over.shut)
        so_far = replace(so_far.with_tally(seat, tally), turns=turns)
        on_target = stops and target is not None and total >= target
        if on_target or (over.shut and self.format.shut is WhenShut.WINS):
            return self._win_round(so_far, [seat])
        if winners := self._winners_without_more_turns(so_far.position):
            return self._win_round(so_far, winners)
        return self._begin_next_turn(so_far, turn)

    def _winners_without_more_turns(self, position: Standing[P]) -> list[int]:
        """Return the seats that win a round whose last turn is over; empty if more turns come."""
        if self._too_few(position):
            # Players went out at the limit. The last one in wins, unless that one sits it out.
            last = [s for s in position.staying if not position.tallies[s].sits_out]
            return last or self.round_leaders(position)
        return [] if position.waiting else self.round_leaders(position)

    def _double_scores(
        self, so_far: Settled[P], score: int, *, shut: bool
    ) -> tuple[Settled[P], int]:
        """Return the result with the scores before this one doubled if need be, and this one.

        The first shut box of a round doubles all scores before it. After it, each score is doubled
        as it comes, unless it is of a shut box itself.
        """
        position = so_far.position
        if position.has_shut:
            return so_far, score if shut else 2 * score
        if shut:
            for seat in position.finished:
                tally = position.tallies[seat]
                so_far = so_far.with_tally(seat, replace(tally, score=2 * (tally.score or 0)))
        return so_far, score

    def _begin_next_turn(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:  # rows
        """Begin the turn after this one."""
        seat = so_far.position.waiting[0]
        return so_far.with_position(doing=Turn(seat, self.game.start()))

    def _end_contest(self, so_far: Settled[P], contest: Contest) -> Settled[P]:
        """Let tied players throw again, or use what the contest has decided."""
        tied = contest.highest
        if len(tied) > 1 and contest.repeats < MOST_REPEATS:
            repeat = Contest(contest.about, tied, (), contest.repeats + 1)
            return so_far.with_position(doing=repeat)
        match contest.about:
            case About.START:
                return so_far.with_position(doing=Opening(), first=tied[0])
            case About.ROUND:
                return self._pay_round(so_far, [tied[0]])
            case About.MATCH:
                return self._end_match(so_far, [tied[0]])

    # The end of a round

    def _win_round(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """End the round for `winners`, or begin a throw-off if the format asks and one must win."""
        format = self.format
        decides_match = self.one_round or format.counts_wins
        one_must_win = decides_match or format.stake or format.order is Order.WINNER
        if len(winners) > 1 and format.ties is Ties.THROW_OFF and one_must_win:
            return so_far.with_position(doing=Contest(About.ROUND, tuple(winners)))
        return self._pay_round(so_far, winners)

    def _pay_round(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """Pay the chips that the round decides, and close it."""
        scores = [self._final_score(so_far.position, seat) for seat in range(self.seat_count)]
        return self._close_round(pay_round(self.format, so_far, winners, scores), winners)

    def _final_score(self, before: Standing[P], seat: int) -> int | None:
        """Return a score of the round; of a turn that a shut box has cut off, the worst there is.

        None for any other turn that is not over.
        """
        score = before.tallies[seat].score
        if score is None and self.format.shut is WhenShut.WINS and before.has_shut:
            return self.worst_score(before, seat)
        return score

    def _close_round(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """Add up the scores; then the match is won, or the next round opens."""
        before = so_far.position
        tallies = tuple(self._add_up(before, seat, winners) for seat in range(self.seat_count))
        after = replace(before, tallies=tallies)
        if before.round >= self.format.most_rounds or self._is_decided(after):
            won = self._winners_of_match(before, after, winners)
            return self._win_match(replace(so_far, position=after), won)
        new = tuple(
            replace(tally, score=None, shut=False, sits_out=False, passed=False)
            for tally in tallies
        )
        first = self._first_of_next_round(after, winners)
        return so_far.with_position(
            doing=Opening(), tallies=new, round=after.round + 1, first=first, rows=()
        )

    def _add_up(self, before: Standing[P], seat: int, winners: list[int]) -> Tally:
        """Return the tally with this round in its total, and OUT if that reaches the limit.

        If rounds won count, the total is one more for the only winner: a tied round is nobody's. A
        turn that was sat out scores the worst, unless the limit has ended the match.
        """
        tally = before.tallies[seat]
        if self.format.counts_wins:
            return replace(tally, total=tally.total + (winners == [seat]))
        score = tally.score
        if tally.status is Status.IN and score is None:
            sat_out = tally.sits_out and not self._too_few(before)
            score = self.scoring.worst if sat_out else self._final_score(before, seat)
        total = tally.total + (score or 0)
        out = self.format.limit is not None and total >= self.format.limit
        status = Status.OUT if out and tally.status is Status.IN else tally.status
        return replace(tally, total=total, status=status)

    def _first_of_next_round(self, position: Standing[P], winners: list[int]) -> int:
        """Return the seat that throws first in the round after the one that `winners` have won."""
        match self.format.order:
            case Order.SEATS:
                return position.first
            case Order.WINNER:
                return winners[0]
            case Order.ROTATE:
                # `staying` is in the order of play, so it begins with `first` or the seat after.
                return next((s for s in position.staying if s != position.first), position.first)

    # The end of the match

    def _is_decided(self, after: Standing[P]) -> bool:
        """Whether a match is over before its last round; `after` has the new totals."""
        goal = self.format.goal
        return (
            (goal is not None and any(tally.total >= goal for tally in after.tallies))
            or (self.format.until is Until.SHUT and after.has_shut)
            or self._too_few(after)
        )

    def _too_few(self, position: Standing[P]) -> bool:
        """Whether too few are still in to go on: nobody, or one where there were several."""
        return len(position.staying) < min(2, self.seat_count)

    def _winners_of_match(
        self, before: Standing[P], after: Standing[P], round_winners: list[int]
    ) -> list[int]:
        """Return the seats that win a match which ends with a round won by `round_winners`."""
        if self.one_round:
            return round_winners
        if self.format.until is Until.SHUT and after.has_shut:
            shut = [seat for seat in after.finished if after.tallies[seat].shut]
            return [seat for seat in round_winners if seat in shut] or shut
        if not after.staying:
            # All remaining players went out in this round, with end=stop even before its end: the
            # best total among them wins.
            last = before.staying or before.finished
            return self.best_of(last, lambda seat: after.tallies[seat].total, self.total_scoring)
        return self._leaders(after)

    def _leaders(self, position: Standing[P]) -> list[int]:
        """Return the seats with the best total of all who are in, or of all if no seat is."""
        seats = position.staying or position.clockwise
        return self.best_of(seats, lambda seat: position.tallies[seat].total, self.total_scoring)

    def _win_match(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """End the match, or begin a throw-off for it if several win and the format says so."""
        if len(winners) > 1 and self.format.ties is Ties.THROW_OFF:
            return so_far.with_position(doing=Contest(About.MATCH, tuple(winners)))
        return self._end_match(so_far, winners)

    def _end_match(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """End the match: its winners share the pot."""
        return share_pot(so_far, winners).with_position(doing=Ended(tuple(sorted(winners))))
