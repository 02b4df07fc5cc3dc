"""The leaders of a match, the player who can no longer be caught, and the final ranking.

During a round some players have had one turn more than others. Players with equally many turns are
compared by their totals; otherwise one is ahead only if no result of the turn to come changes that.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Generic

from shutbox.engine.game import C, P
from shutbox.match.format import End, Until
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Status, Turn
from shutbox.match.transitions import MatchRules


@dataclass(frozen=True, slots=True)
class Runner:
    """A player who is still in the match, with the total and the turns so far."""

    seat: int
    total: int
    """After the turns that are over; where rounds won decide, of this round alone. A player
    who sits a round out has its worst score."""
    worst: int  # the total at the end of this round if all goes badly
    best: int  # the same if all goes well
    to_come: bool  # whether the player's turn of this round is not over
    has_score: bool  # whether any turn of the player is over


@dataclass
class Race(Generic[P, C]):
    """The race at a settled position of a match: the leaders, the mark to beat, and the ranking."""

    rules: MatchRules[P, C]
    position: Standing[P]

    @cached_property
    def runners(self) -> dict[int, Runner]:
        """The players who are still in the match, by seat."""
        return {seat: self._runner(seat) for seat in sorted(self.position.staying)}

    def _runner(self, seat: int) -> Runner:
        tally, rules = self.position.tallies[seat], self.rules
        carried = rules.total_before_round(tally)
        has_past = self.position.round > 1 and not rules.format.counts_wins
        if tally.sits_out:
            total = worst = best = carried + rules.scoring.worst
            return Runner(seat, total, worst, best, to_come=False, has_score=has_past)
        total, to_come = carried + (tally.score or 0), tally.score is None
        worst, best = (carried + score for score in rules.scores_to_come(self.position, seat))
        return Runner(seat, total, worst, best, to_come=to_come, has_score=has_past or not to_come)

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """The seats that lead, ascending; empty if all are level, or if the lead is still open.

        A leader is not behind any player with equally many turns, and is certain to be ahead of the
        others once this round is over. Only players with a finished turn are compared. Leaders
        without a comparison are the winners, the players in a throw-off for the match, or those
        whose shut box would win it if the round ended now.
        """
        leaders = self._leaders()
        return leaders if len(leaders) < len(self.runners) else ()

    def _leaders(self) -> tuple[int, ...]:
        match self.position.doing:
            case Ended(winners=winners):
                return winners
            case Contest(about=About.START):
                return ()
            case Contest(about=about, among=among) if about is About.MATCH or self.rules.one_round:
                return tuple(sorted(among))
        if self.shut:
            return self.shut
        if self._by_shut and not self.counts_totals:
            return ()
        known = [runner for runner in self.runners.values() if runner.has_score]
        return tuple(
            runner.seat for runner in known if all(self._leads(runner, other) for other in known)
        )

    @property
    def _by_shut(self) -> bool:
        return self.rules.format.until is Until.SHUT and not self.rules.one_round

    @property
    def counts_totals(self) -> bool:
        """Whether sums of scores can decide the match, not only rounds won or a shut box."""
        format = self.rules.format
        return not format.counts_wins and (not self._by_shut or format.rounds is not None)

    @property
    def shut(self) -> tuple[int, ...]:
        """The seats that would win the match by a shut box if this round ended now, ascending."""
        if not self._by_shut:
            return ()
        shut = {seat for seat in self.runners if self.position.tallies[seat].shut}
        leading = shut & {*self.rules.round_leaders(self.position)}
        return tuple(sorted(leading or shut))  # all of them if none leads

    def _leads(self, runner: Runner, other: Runner) -> bool:
        """Whether `runner` is not behind or, if only one has yet to throw, is sure to be ahead."""
        scoring = self.rules.scoring
        if runner.to_come == other.to_come:
            return not scoring.better(other.total, runner.total)
        return scoring.better(runner.worst, other.best)

    @cached_property
    def decided(self) -> int | None:
        """The seat that wins the match alone regardless of later throws; None if there is none.

        Also None at the opening of a round, in a contest for the start or the match, at the end,
        with fewer than two players left, and while a player with a stake can still leave.
        """
        match self.position.doing:
            case Ended() | Opening() | Contest(about=About.START | About.MATCH):
                return None
        if len(self.runners) < 2 or (self.rules.format.stake and self._rounds_to_come):
            return None  # a player with a stake can still leave
        by_wins, more = self.rules.format.counts_wins, self._rounds_to_come
        for seat, leader in self.runners.items():
            if self._sure_by_wins(leader) if by_wins else self._sure_after(leader, more):
                return seat
        return None

    def _sure_by_wins(self, leader: Runner) -> bool:
        """Whether a player has the rounds to win, or more than any other can still win."""
        wins = {seat: self.position.tallies[seat].total for seat in self.runners}
        wins_this_round = self._sure_after(leader, 0)
        won = wins.pop(leader.seat) + (1 if wins_this_round else 0)
        others_can_win = self._rounds_to_come + (0 if wins_this_round else 1)
        return won == self.rules.format.goal or won > max(wins.values()) + others_can_win

    def _sure_after(self, leader: Runner, more: int) -> bool:
        """Whether a player is sure to be in and ahead after this round and `more` rounds."""
        format, scoring = self.rules.format, self.rules.scoring
        worst = leader.worst + more * scoring.worst
        if format.end is End.STOP and format.limit is not None and worst >= format.limit:
            return False  # can be out before the others have thrown
        others = [runner for runner in self.runners.values() if runner is not leader]
        if self._by_shut and (self.shut or more or any(other.to_come for other in others)):
            return False  # a shut box can still win
        return all(scoring.better(worst, other.best + more * scoring.best) for other in others)

    @cached_property
    def mark(self) -> int | None:
        """The best total of the players with no turn to come in this round; to be ahead, beat it.

        A player who sits the round out counts with the worst score. It is None outside turns and
        before the first score, while a target or a limit is what counts, and once the lead no
        longer depends on the turns to come.
        """
        format, tallies = self.rules.format, self.position.tallies
        if not isinstance(self.position.doing, Turn) or self.decided is not None or self.shut:
            return None
        if (format.target or format.limit) is not None and not self.target_reached:
            return None  # that counts, and not who is ahead; a limit always does
        if all(tallies[seat].score is None for seat in self.runners):
            return None  # nothing to beat
        is_later = self.counts_totals and len(tallies) > 1 and self.position.round > 1
        if not self.leaders and not is_later:
            return None  # nobody is ahead; later, by totals, that only means that the lead is open
        if self.leaders and tallies[self.leaders[0]].score is None:
            return None  # a leader with a turn to come stays ahead without it
        return self.rules.scoring.best_of(r.total for r in self.runners.values() if not r.to_come)

    def needs(self, seat: int) -> int | None:
        """Return the worst score that beats `mark`, or None: no score does, or no turn to come."""
        scoring = self.rules.scoring
        before = self.rules.total_before_round(self.position.tallies[seat])
        if self.mark is None or seat not in self.runners or not self.runners[seat].to_come:
            return None
        if not scoring.better(before + scoring.best, self.mark):
            return None
        return self.mark - before + (-1 if scoring.low_is_good else 1)

    @cached_property
    def _rounds_to_come(self) -> int:
        """The most rounds that can still follow this one."""
        format, runners, best = self.rules.format, self.runners.values(), self.rules.scoring.best
        left = len(runners)
        if format.limit is not None:  # who is out even after the best turn
            left -= sum(runner.total + runner.to_come * best >= format.limit for runner in runners)
        ends = left < 2 or self.target_reached or bool(self.shut)
        return 0 if ends else format.most_rounds - self.position.round

    @property
    def target_reached(self) -> bool:
        """Whether a player has the total that ends the match with this round."""
        target, totals = self.rules.format.target, (each.total for each in self.runners.values())
        return target is not None and max(totals, default=0) >= target

    def ranking(self) -> tuple[int, ...]:
        """Return every seat, best first, once the match is over; players who left come last."""
        doing, tallies = self.position.doing, self.position.tallies
        winners = doing.winners if isinstance(doing, Ended) else ()
        sign = 1 if self.rules.total_scoring.low_is_good else -1

        def rank(seat: int) -> tuple[bool, bool, bool, int]:
            tally, is_one_round = tallies[seat], self.rules.format.most_rounds == 1
            # In an only round a player without a score is behind all others; a row always has one.
            unplayed = is_one_round and tally.score is None and not self.position.rows
            won, left = seat in winners, tally.status is Status.LEFT
            return not won, left, unplayed, sign * tally.total

        return tuple(sorted(range(len(tallies)), key=rank))
