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
    """A player who is still in the match, with the total so far and those that are possible."""

    seat: int
    total: int
    """After the turns that are over; where rounds won decide, of this round alone. A player
    who sits a round out has its worst score."""
    worst: int  # the total at the end of this round if all goes badly
    best: int  # the same if all goes well
    to_come: bool  # whether the player's turn of this round is not over
    has_score: bool  # whether any turn of the player is over


@dataclass(frozen=True)
class Race(Generic[P, C]):
    """The race at a settled position of a match: the leaders, the total to beat, the ranking."""

    rules: MatchRules[P, C]
    position: Standing[P]

    @cached_property
    def runners(self) -> dict[int, Runner]:
        """The players who are still in the match, by seat, ascending."""
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

    @property
    def totals(self) -> tuple[int, ...]:
        """The total of each seat with its score of this round, or the rounds won if they decide."""
        adds = not (self.position.is_added_up or self.rules.format.counts_wins)
        return tuple(tally.total + adds * (tally.score or 0) for tally in self.position.tallies)

    # Who leads

    @cached_property
    def leaders(self) -> tuple[int, ...]:
        """The seats that lead, ascending; empty if all are level, or if the lead is still open.

        A leader is not behind any player with equally many turns, and is certain to be ahead of the
        others once this round is over. Only players with a finished turn are compared. Leaders
        without a comparison are the winners, the players in a throw-off for the match, or those
        whose shut box would win it if the round ended now.
        """
        foremost = self._foremost()
        return foremost if len(foremost) < len(self.runners) else ()

    def _foremost(self) -> tuple[int, ...]:
        """Return the leaders, or all seats that are level."""
        match self.position.doing:
            case Ended(winners=winners):
                return winners
            case Contest(about=About.START):
                return ()
            case Contest() as contest if contest.about is About.MATCH or self.rules.one_round:
                return tuple(sorted(contest.among))
        if self.leaders_by_shut:
            return self.leaders_by_shut
        if self._shut_ends_match and not self.totals_can_decide:
            return ()
        known = [runner for runner in self.runners.values() if runner.has_score]
        return tuple(
            runner.seat for runner in known if all(self._leads(runner, other) for other in known)
        )

    def _leads(self, runner: Runner, other: Runner) -> bool:
        """Whether `runner` is not behind or, if only one has yet to throw, is sure to be ahead."""
        scoring = self.rules.scoring
        if runner.to_come == other.to_come:
            return not scoring.better(other.total, runner.total)
        return scoring.better(runner.worst, other.best)

    @property
    def leaders_by_shut(self) -> tuple[int, ...]:
        """The seats that would win the match by a shut box if this round ended now, ascending."""
        if not self._shut_ends_match:
            return ()
        shut = {seat for seat in self.runners if self.position.tallies[seat].shut}
        leading = shut & {*self.rules.round_leaders(self.position)}
        return tuple(sorted(leading or shut))  # all of them if none leads

    @property
    def _shut_ends_match(self) -> bool:
        return self.rules.format.until is Until.SHUT and not self.rules.one_round

    @property
    def totals_can_decide(self) -> bool:
        """Whether sums of scores can decide the match, not only rounds won or a shut box."""
        format = self.rules.format
        return not format.counts_wins and (not self._shut_ends_match or format.rounds is not None)

    @property
    def target_reached(self) -> bool:
        """Whether a player has the total that ends the match with this round."""
        target, totals = self.rules.format.target, (each.total for each in self.runners.values())
        return target is not None and max(totals, default=0) >= target

    # Who cannot be caught

    @cached_property
    def sure_winner(self) -> int | None:
        """The seat that wins the match alone regardless of later throws; None if there is none.

        Also None at the opening of a round, in a contest for the start or the match, at the end,
        with fewer than two players left, and while a player with a stake can still leave.
        """
        match self.position.doing:
            case Ended() | Opening() | Contest(about=About.START | About.MATCH):
                return None
        if len(self.runners) < 2 or (self.rules.format.stake and self._rounds_to_come):
            return None
        runners = self.runners.items()
        return next((seat for seat, runner in runners if self._is_sure_to_win(runner)), None)

    def _is_sure_to_win(self, leader: Runner) -> bool:
        """Whether no later throw can keep a player from winning the match alone."""
        if not self.rules.format.counts_wins:
            return self._stays_ahead(leader, self._rounds_to_come)
        wins = {seat: self.position.tallies[seat].total for seat in self.runners}
        wins_this_round = self._stays_ahead(leader, rounds=0)
        won = wins.pop(leader.seat) + (1 if wins_this_round else 0)
        others_can_win = self._rounds_to_come + (0 if wins_this_round else 1)
        return won == self.rules.format.goal or won > max(wins.values()) + others_can_win

    def _stays_ahead(self, leader: Runner, rounds: int) -> bool:
        """Whether a player is sure to be in and ahead after this round and `rounds` more."""
        format, scoring = self.rules.format, self.rules.scoring
        worst = leader.worst + rounds * scoring.worst
        if format.end is End.STOP and format.limit is not None and worst >= format.limit:
            return False  # can be out before the others have thrown
        others = [runner for runner in self.runners.values() if runner is not leader]
        turns_to_come = rounds or any(other.to_come for other in others)
        if self._shut_ends_match and (self.leaders_by_shut or turns_to_come):
            return False  # a shut box can still win
        return all(scoring.better(worst, other.best + rounds * scoring.best) for other in others)

    @cached_property
    def _rounds_to_come(self) -> int:
        """The most rounds that can still follow this one."""
        format, runners = self.rules.format, self.runners.values()
        can_stay = [r for r in runners if format.limit is None or r.best < format.limit]
        if len(can_stay) < 2 or self.target_reached or self.leaders_by_shut:
            return 0
        return format.most_rounds - self.position.round

    # The mark to beat

    @cached_property
    def total_to_beat(self) -> int | None:
        """The best total of the players with no turn to come in this round; to be ahead, beat it.

        A player who sits the round out counts with the worst score. It is None outside turns and
        before the first score, while a target or a limit is what counts, and once the lead no
        longer depends on the turns to come.
        """
        format, tallies, leaders = self.rules.format, self.position.tallies, self.leaders
        outside_turns = not isinstance(self.position.doing, Turn)
        if outside_turns or self.sure_winner is not None or self.leaders_by_shut:
            return None
        if (format.target or format.limit) is not None and not self.target_reached:
            return None  # a limit always counts; a target until it is reached
        if all(tallies[seat].score is None for seat in self.runners):
            return None
        if leaders:  # one with a turn to come stays ahead without it
            is_open = tallies[leaders[0]].score is not None
        else:  # in a later round by totals, that means that the lead is open
            is_open = self.totals_can_decide and len(tallies) > 1 and self.position.round > 1
        finished = (runner.total for runner in self.runners.values() if not runner.to_come)
        return self.rules.scoring.best_of(finished) if is_open else None

    def score_needed(self, seat: int) -> int | None:
        """Return the worst score that beats `total_to_beat`; None if none does or no turn comes."""
        scoring, mark = self.rules.scoring, self.total_to_beat
        if mark is None or seat not in self.runners or not self.runners[seat].to_come:
            return None
        before = self.rules.total_before_round(self.position.tallies[seat])
        if not scoring.better(before + scoring.best, mark):
            return None
        return mark - before + (-1 if scoring.low_is_good else 1)

    # The end

    def ranking(self) -> tuple[int, ...]:
        """Return every seat, best first, once the match is over; players who left come last."""
        doing, tallies = self.position.doing, self.position.tallies
        winners = doing.winners if isinstance(doing, Ended) else ()
        sign = 1 if self.rules.total_scoring.low_is_good else -1
        # In an only round a player without a score is behind all others; a row always has one.
        without_score_last = self.rules.format.most_rounds == 1 and not self.position.rows

        def rank(seat: int) -> tuple[bool, bool, bool, int]:
            tally = tallies[seat]
            unplayed = without_score_last and tally.score is None
            return seat not in winners, tally.status is Status.LEFT, unplayed, sign * tally.total

        return tuple(sorted(range(len(tallies)), key=rank))
