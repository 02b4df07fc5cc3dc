"""The automatic steps of a match after a turn, a contest, or an answer about chips.

`settled` leads from any position to the one where a player is due or the match is over, and says
which chips move on the way. Nothing here knows the game that is played in a turn.

    opening -> (players who cannot pay are asked) -> stakes -> turn -> ... -> turn
            -> the round is won -> the pot is paid -> the match is won, or the next round opens

If the format says so, a contest in between decides between tied winners. With one throw each, a
turn is a throw and its cover, and the next player is due in a row of their own; once a throw counts
for all, so is everybody who has yet to cover it.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Generic

from shutbox.engine.dice import Dice
from shutbox.engine.game import C, Choose, Game, Over, P, Scoring, Throw, rows_of
from shutbox.match.format import EachTurn, End, Format, Order, Stuck, Ties, Until, WhenShut
from shutbox.match.standing import (
    About,
    Contest,
    Ended,
    House,
    Opening,
    Purpose,
    RoundResult,
    Settled,
    Standing,
    Status,
    Tally,
    Turn,
    TurnResult,
    WithoutChips,
)

MOST_AGAIN = 100  # ties in a contest; then the first in order of play wins, so a match ends


class MatchRules(Generic[P, C]):
    """The rules of a match. An automatic step takes the `Settled` so far, and returns the next."""

    def __init__(self, game: Game[P, C], format: Format, seats: int) -> None:
        scoring = game.scoring
        assert scoring is not None  # `unplayable` refuses games without scores
        self.game = game
        self.format = format
        self.seats = seats
        doubled = 2 if format.shut is WhenShut.DOUBLES else 1
        self.scoring = Scoring(scoring.best, scoring.worst * doubled)
        self.rows = None if format.turns is EachTurn.WHOLE else rows_of(game)
        """What the game says about rows; None if turns are whole."""
        self.purses = format.purses(seats)
        self.refill = max(self.purses)  # the chips that the bank gives to a player who buys more
        self.one_round = format.most_rounds == 1 and format.limit is None
        """Whether the only round's winner wins the match. With a limit, the last one in wins."""
        self.of_totals = Scoring(1, 0) if format.counts_wins else self.scoring
        """A scoring that says which totals are better."""
        self.scores = tuple(sorted((self.scoring.best, self.scoring.worst)))
        """The lowest and the highest score of a turn."""

    @cached_property
    def dice(self) -> Dice:
        """The dice of a contest: the most that can be chosen for the first throw of a turn."""
        found, places = list[Dice](), [self.game.start()]
        while places:
            here = places.pop()
            match self.game.awaits(here):
                case Throw(dice=dice):
                    found.append(dice)
                case Choose(choices=choices):
                    places += [self.game.chosen(here, choice) for choice in choices]
        return max(found, key=len)

    def totals(self, rounds: int, *, goes_on: bool = False) -> tuple[int, int]:
        """Return the lowest and the highest total after at most this many rounds.

        If the match `goes_on`, it is that of a player who is still in: no total has ended it.
        """
        low, high = (0, 1) if self.format.counts_wins else self.scores
        low, high = min(0, rounds * low), max(0, rounds * high)
        ends = self.format.goal or self.format.limit
        if ends and (goes_on or self.format.counts_wins):
            high = min(high, ends - goes_on)
        return low, high

    def start(self) -> Standing[P]:
        """Return the position before anything has happened."""
        tallies = tuple(Tally(chips=chips) for chips in self.purses)
        if self.format.high_roll and self.seats > 1:
            return Standing(Contest(About.START, tuple(range(self.seats))), tallies)
        return Standing(Opening(), tallies, first=self.format.first)

    def settled(self, position: Standing[P]) -> Settled[P]:
        """Return the position after all automatic steps, if there are any, with what happened."""
        return self._settle(Settled(position))

    def ended(self, position: Standing[P], over: Over) -> Settled[P]:
        """Return the position after all automatic steps if the current turn ends with `over`."""
        assert isinstance(position.doing, Turn)  # there is a turn to end
        return self._settle(self._turn_over(Settled(position), position.doing, over))

    def _settle(self, so_far: Settled[P]) -> Settled[P]:
        """Take automatic steps until none is left, and return the last result."""
        while step := self._step(so_far):
            so_far = step
        return so_far

    def _step(self, so_far: Settled[P]) -> Settled[P] | None:
        """Take one automatic step; return None if a player is due or the match is over."""
        here = so_far.position
        match here.doing:
            case Turn(at=at) as turn if isinstance(over := self.game.awaits(at), Over):
                return self._turn_over(so_far, turn, over)
            case Turn() as turn if self._has_covered(here, turn):
                return self._covered(so_far, turn)
            case Contest(among=among, rolls=rolls) as contest if len(rolls) >= len(among):
                return self._contest_over(so_far, contest)
            case Opening():
                return self._opened(so_far)
        return None

    # The players

    def clockwise(self, position: Standing[P]) -> list[int]:
        """Return every seat, clockwise from the one that throws first."""
        return [(position.first + index) % self.seats for index in range(self.seats)]

    def staying(self, position: Standing[P]) -> list[int]:
        """Return the seats that are still in the match, in the order of play."""
        return [s for s in self.clockwise(position) if position.tallies[s].status is Status.IN]

    def waiting(self, position: Standing[P]) -> list[int]:
        """Return the seats that play this round and whose turn is not over, in order of play."""
        tallies = position.tallies
        staying = self.staying(position)
        return [s for s in staying if tallies[s].score is None and not tallies[s].sits_out]

    def thrown(self, position: Standing[P]) -> list[int]:
        """Return the seats whose turn of this round is over, in the order of play."""
        return [s for s in self.clockwise(position) if position.tallies[s].score is not None]

    def leading(self, position: Standing[P]) -> list[int]:
        """Return the seats with the best score of the round so far, in the order of play."""
        return self.best_of(self.thrown(position), lambda seat: position.tallies[seat].score or 0)

    def best_of(
        self, seats: list[int], points: Callable[[int], int], scoring: Scoring | None = None
    ) -> list[int]:
        """Return the seats for which `points` gives the best score, in the given order."""
        best = (scoring or self.scoring).best_of(map(points, seats)) if seats else 0
        return [seat for seat in seats if points(seat) == best]

    def carried(self, tally: Tally) -> int:
        """Return the total to which the score of a round is added; 0 if rounds won count."""
        return 0 if self.format.counts_wins else tally.total

    def _too_few(self, position: Standing[P]) -> bool:
        return len(self.staying(position)) < min(2, self.seats)

    # The beginning of a round

    def seat_short_of_chips(self, position: Standing[P]) -> int | None:
        """Return the first seat that cannot pay for the round and must choose; None if all can."""
        tallies, needed = position.tallies, self.format.needed
        return next((s for s in self.waiting(position) if tallies[s].chips < needed), None)

    def _opened(self, so_far: Settled[P]) -> Settled[P] | None:
        """Collect the stakes and begin the first turn; return None if a player must answer first.

        If too few players are left, or none plays, end the match instead, or begin its throw-off.
        """
        here = so_far.position
        players = self.waiting(here)
        if self._too_few(here) or not players:
            return self._match_won(so_far, self._leaders(here))
        if self.seat_short_of_chips(here) is not None:
            return None
        for seat in players:
            so_far = so_far.moved(seat, House.POT, self.format.ante, Purpose.STAKE)
        start = self.game.start()
        rows = (start,) * self.seats if self.rows else ()
        return so_far.at(doing=Turn(players[0], start), rows=rows)

    def with_answer(self, position: Standing[P], answer: WithoutChips) -> Settled[P]:
        """Return the position after the asked player's answer, not settled, and the chips moved."""
        seat = self.seat_short_of_chips(position)
        assert seat is not None  # called only while a player is asked
        tally = position.tallies[seat]
        match answer:
            case WithoutChips.BUY:
                return Settled(position).moved(House.BANK, seat, self.refill, Purpose.BOUGHT)
            case WithoutChips.SIT_OUT:
                tally = replace(tally, sits_out=True)
            case WithoutChips.LEAVE:
                tally = replace(tally, status=Status.LEFT)
        return Settled(position.with_tally(seat, tally))

    # The end of a turn

    def _turn_over(self, so_far: Settled[P], turn: Turn[P], over: Over) -> Settled[P]:
        if self.format.stuck is Stuck.PASSES and not over.shut:
            return self._passed(so_far, turn)
        seat, [score] = turn.seat, over.scores
        if self.rows:
            so_far = self._with_row(so_far, turn)
        if self.format.shut is WhenShut.DOUBLES:
            so_far, score = self._doubled(so_far, score, shut=over.shut)
        tally = replace(so_far.position.tallies[seat], score=score, shut=over.shut)
        total, stops = tally.total + score, self.format.end is End.STOP
        target, limit = (self.format.target, self.format.limit) if stops else (None, None)
        if limit is not None and total >= limit:
            tally = replace(tally, status=Status.OUT)
        here = so_far.position.with_tally(seat, tally)
        turns = *so_far.turns, TurnResult(seat, score, over.shut)
        so_far = Settled(here, so_far.movements, turns, so_far.result)
        on_target = target is not None and total >= target
        if on_target or (over.shut and self.format.shut is WhenShut.WINS):
            return self._round_won(so_far, [seat])
        if limit is not None and self._too_few(here):
            # The last player in wins the round, unless that player sits it out.
            last = [s for s in self.staying(here) if not here.tallies[s].sits_out]
            return self._round_won(so_far, last or self.leading(here))
        if self.waiting(here):
            return self._next_turn(so_far, turn)
        return self._round_won(so_far, self.leading(here))

    def _doubled(self, so_far: Settled[P], score: int, *, shut: bool) -> tuple[Settled[P], int]:
        """Return the scores so far and this one, doubled if a shut box does so, which it does once.

        A shut box before has doubled those of its time, and doubles this one.
        """
        here = so_far.position
        if any(tally.shut for tally in here.tallies):
            return so_far, score * (1 if shut else 2)
        for seat in self.thrown(here) if shut else ():
            tally = here.tallies[seat]
            so_far = so_far.with_tally(seat, replace(tally, score=2 * (tally.score or 0)))
        return so_far, score

    def _next_turn(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        """Begin the turn after this one; with a throw for all, of those who have to cover it."""
        here, waiting = so_far.position, self.waiting(so_far.position)
        if self.rows is None:
            return so_far.at(doing=Turn(waiting[0], self.game.start()))
        thrower = turn.seat if turn.thrower is None else turn.thrower
        for seat in self._after(turn.seat, waiting):
            if self.rows.rested(here.rows[seat]) != here.rows[seat]:
                return so_far.at(doing=Turn(seat, here.rows[seat], thrower))
        seat = self._after(thrower, waiting)[0]
        return so_far.at(doing=Turn(seat, here.rows[seat]))

    def _after(self, seat: int, seats: list[int]) -> list[int]:
        """Return these seats clockwise from the one after `seat`."""
        return sorted(seats, key=lambda other: (other - seat - 1) % self.seats)

    def to_come(self, position: Standing[P], seat: int) -> tuple[int, int]:
        """Return the worst and the best score that a seat can still have in this round."""
        scores = [tally.score for tally in position.tallies if tally.shut]
        is_doubled, score = bool(scores), position.tallies[seat].score
        can_double = self.format.shut is WhenShut.DOUBLES
        if score is not None:
            rises = can_double and not is_doubled and self.waiting(position)
            return score * (2 if rises else 1), score
        worst = self.scoring.worst
        if self.rows and position.rows:
            worst = self.rows.score(position.rows[seat]) * (2 if can_double else 1)
        return worst, self.scoring.best

    # Rows

    def counts_for_all(self, position: Standing[P]) -> bool:
        """Whether the throw that is due counts for everybody, as all have had their own first."""
        if self.format.turns is not EachTurn.COMMON:
            return False
        start = self.game.start()
        return not any(position.rows[seat] == start for seat in self.waiting(position))

    def _has_covered(self, here: Standing[P], turn: Turn[P]) -> bool:
        """Whether a player has covered in a row, so that the next one is due."""
        rows = self.rows
        return rows is not None and turn.at == rows.rested(turn.at) != here.rows[turn.seat]

    def _covered(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        return self._next_turn(self._with_row(so_far, turn), turn)

    def _with_row(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        """Return the result with the row of a turn that is over, unless passed; passes are past."""
        assert self.rows is not None  # called only if players have rows
        rows = list(so_far.position.rows)
        rows[turn.seat] = self.rows.rested(turn.at)
        tallies = tuple(replace(tally, passed=False) for tally in so_far.position.tallies)
        return so_far.at(rows=tuple(rows), tallies=tallies)

    def _passed(self, so_far: Settled[P], turn: Turn[P]) -> Settled[P]:
        """Let a stuck player stay in; once all have passed one after the other, end the round."""
        assert self.rows is not None  # only players with rows can pass
        here = so_far.position
        so_far = so_far.with_tally(turn.seat, replace(here.tallies[turn.seat], passed=True))
        waiting = self.waiting(here)
        if not all(so_far.position.tallies[seat].passed for seat in waiting):
            return self._next_turn(so_far, turn)
        for seat in waiting:
            score = self.rows.score(here.rows[seat])
            so_far = so_far.with_tally(seat, replace(here.tallies[seat], score=score, passed=False))
            turns = *so_far.turns, TurnResult(seat, score, shut=False)
            so_far = replace(so_far, turns=turns)
        return self._round_won(so_far, self.leading(so_far.position))

    def _contest_over(self, so_far: Settled[P], contest: Contest) -> Settled[P]:
        tied = contest.highest
        if len(tied) > 1 and contest.again < MOST_AGAIN:
            return so_far.at(doing=Contest(contest.about, tied, (), contest.again + 1))
        match contest.about:
            case About.START:
                return so_far.at(doing=Opening(), first=tied[0])
            case About.ROUND:
                return self._round_paid(so_far, [tied[0]])
            case About.MATCH:
                return self._end(so_far, [tied[0]])

    # The end of a round

    def _round_won(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """End the round for `winners`, or begin a throw-off if the format asks and one must win."""
        format = self.format
        one_matters = format.stake or format.counts_wins or format.order is Order.WINNER
        one_matters = one_matters or self.one_round
        if len(winners) > 1 and format.ties is Ties.THROW_OFF and one_matters:
            return so_far.at(doing=Contest(About.ROUND, tuple(winners)))
        return self._round_paid(so_far, winners)

    def _round_paid(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        here, extra = so_far.position, self.format.extra
        payers: tuple[int, ...] = ()
        if extra and any(here.tallies[seat].shut for seat in winners):
            losers = (s for s in self.thrown(here) + self.waiting(here) if s not in winners)
            payers = tuple(seat for seat in losers if not here.tallies[seat].shut)
        for seat in payers:
            so_far = so_far.moved(seat, House.POT, extra, Purpose.DOUBLE)
        if self.format.by_points:
            so_far = self._points_paid(so_far, winners)
        carried = self.format.ties is Ties.CARRY and len(winners) > 1
        paid = 0 if carried else so_far.position.pot // len(winners)
        for seat in winners:
            so_far = so_far.moved(House.POT, seat, paid, Purpose.POT)
        left, tallies = so_far.position.pot, so_far.position.tallies
        result = RoundResult(here.round, tuple(winners), paid, payers, left, tallies)
        return self._round_over(replace(so_far, result=result), winners)

    def _points_paid(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """Collect the stake for each point between a loser and the winners, as far as it is there.

        Nobody pays to a winner who has had no turn, and nobody pays for a turn that is missing, but
        for one that a shut box has cut off.
        """
        here = so_far.position
        best = here.tallies[winners[0]].score
        for seat in self.thrown(here) + self.waiting(here):
            tally = here.tallies[seat]
            score = self._score_if_cut_off(here, seat) if tally.score is None else tally.score
            if seat not in winners and best is not None and score is not None:
                due = self.format.stake * abs(score - best)
                so_far = so_far.moved(seat, House.POT, min(due, tally.chips), Purpose.POINTS)
        return so_far

    def _score_if_cut_off(self, before: Standing[P], seat: int) -> int | None:
        """Return the score of a turn that a shut box has cut off, else None.

        It is the worst there is or, with one throw each, that of the row as it stands.
        """
        if self.format.shut is not WhenShut.WINS or not any(t.shut for t in before.tallies):
            return None
        return self.rows.score(before.rows[seat]) if self.rows else self.scoring.worst

    def _round_over(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        before = so_far.position
        tallies = tuple(self._added_up(before, seat, winners) for seat in range(self.seats))
        after = replace(before, tallies=tallies)
        if before.round >= self.format.most_rounds or self._decided(after):
            won = self._won(before, after, winners)
            return self._match_won(replace(so_far, position=after), won)
        new = tuple(
            replace(tally, score=None, shut=False, sits_out=False, passed=False)
            for tally in tallies
        )
        first = self._first_of_next(after, winners)
        return so_far.at(doing=Opening(), tallies=new, round=after.round + 1, first=first, rows=())

    def _match_won(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """End the match, or begin a throw-off for it if several win and the format says so."""
        if len(winners) > 1 and self.format.ties is Ties.THROW_OFF:
            return so_far.at(doing=Contest(About.MATCH, tuple(winners)))
        return self._end(so_far, winners)

    def _added_up(self, before: Standing[P], seat: int, winners: list[int]) -> Tally:
        """Return the tally with this round's score in its total, and OUT if that reaches the limit.

        A turn cut off by a shut box scores the worst, and so does one that was sat out, unless the
        limit has ended the match. If rounds won count, a tied round counts for nobody.
        """
        tally = before.tallies[seat]
        if self.format.counts_wins:
            return replace(tally, total=tally.total + (winners == [seat]))
        score = tally.score
        if tally.status is Status.IN and score is None:
            sat_out = tally.sits_out and not self._too_few(before)
            score = self.scoring.worst if sat_out else self._score_if_cut_off(before, seat)
        total = tally.total + (score or 0)
        out = self.format.limit is not None and total >= self.format.limit
        status = Status.OUT if out and tally.status is Status.IN else tally.status
        return replace(tally, total=total, status=status)

    def _decided(self, after: Standing[P]) -> bool:
        """Whether a match is over before its last round; `after` has the new totals."""
        goal = self.format.goal
        return (
            (goal is not None and any(tally.total >= goal for tally in after.tallies))
            or (self.format.until is Until.SHUT and any(tally.shut for tally in after.tallies))
            or self._too_few(after)
        )

    def _won(self, before: Standing[P], after: Standing[P], winners: list[int]) -> list[int]:
        """Return the seats that win a match which ends with a round won by `winners`."""
        if self.one_round:
            return winners
        if self.format.until is Until.SHUT and any(tally.shut for tally in after.tallies):
            shut = [seat for seat in self.thrown(after) if after.tallies[seat].shut]
            return [seat for seat in winners if seat in shut] or shut
        if not self.staying(after):
            # All remaining players went out in this round: the best total among them wins.
            last = self.staying(before) or self.thrown(before)
            return self.best_of(last, lambda seat: after.tallies[seat].total, self.of_totals)
        return self._leaders(after)

    def _leaders(self, position: Standing[P]) -> list[int]:
        """Return the seats with the best total of all who are in, or of all if no seat is."""
        seats = self.staying(position) or self.clockwise(position)
        return self.best_of(seats, lambda seat: position.tallies[seat].total, self.of_totals)

    def _first_of_next(self, here: Standing[P], winners: list[int]) -> int:
        match self.format.order:
            case Order.SEATS:
                return here.first
            case Order.WINNER:
                return winners[0]
            case Order.ROTATE:
                return next((s for s in self.staying(here) if s != here.first), here.first)

    def _end(self, so_far: Settled[P], winners: list[int]) -> Settled[P]:
        """End the match: its winners share the pot, and get odd chips one each in order of play."""
        each, odd = divmod(so_far.position.pot, len(winners))
        for index, seat in enumerate(winners):
            so_far = so_far.moved(House.POT, seat, each + (index < odd), Purpose.LEFT)
        return so_far.at(doing=Ended(tuple(sorted(winners))))
