"""The answers to the questions of players in a match, such as how the round stands.

If totals decide the match, the number to beat is a total, or the distance of each player from the
target or the limit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from shutbox.engine.english import joined_clauses, listed
from shutbox.engine.game import C, P
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.scene import AskableFact
from shutbox.match.format import WhenShut
from shutbox.match.race import Race
from shutbox.match.standing import About, Contest, Ended, Opening, Settled, Standing, Status, Turn
from shutbox.match.transitions import MatchRules

ROUND, EVERYBODY, CHIPS, TO_BEAT, GOALS, WHOSE, ROWS = "o", "e", "p", "n", "g", "w", "a"
"""The keys of the questions in a match. `CHIPS` can be asked only if the format has a stake, and
`ROWS` with one throw each."""
_THROWS = {
    About.START: gettext_noop("{name} throws to see who begins."),
    About.ROUND: gettext_noop("{name} throws for the round."),
    About.MATCH: gettext_noop("{name} throws for the match."),
}
_TOTAL = {
    Status.IN: gettext_noop("{name} has {total}"),
    # Translators: out of the match, at this total.
    Status.OUT: gettext_noop("{name} is out at {total}"),
    Status.LEFT: gettext_noop("{name} had {total} and has left"),
}

_NEEDS = (
    gettext_noop("{name} needs {score} to lead."),
    gettext_noop("{name} needs {score} or less to lead."),
    gettext_noop("{name} needs {score} or more to lead."),
)
"""What a seat needs: the best score, or one that is as low or as high."""


def _fact_to_beat(says: str, number: int | None = None, tag: str = "") -> AskableFact:
    """Return the answer about the `number` to beat, if any, with its tag."""
    question, tag = gettext("what you have to beat"), "" if number is None else tag
    return AskableFact(TO_BEAT, question, says, number=number, tag=tag)


@dataclass
class MatchAnswers(Generic[P, C]):
    """The answers to players' questions at a settled position: one is due, or the match is over.

    With one throw each, `RowScene` takes the place of the methods marked `# rows`.
    """

    rules: MatchRules[P, C]
    players: tuple[str, ...]
    before: Standing[P]  # the position that leads to the settled one
    settled: Settled[P]

    def __post_init__(self) -> None:
        self.position = self.settled.position
        self.race = Race(self.rules, self.position)
        self.several = len(self.players) > 1
        self.only_round = self.rules.format.most_rounds == 1
        self.is_begun = bool(self.position.finished)
        """Whether anybody has played in this round; with one throw each, covered."""

    @property
    def shut(self) -> str:
        """The words for a turn that reached its goal: `the box shut`."""
        return self.rules.game.card().shut

    def all(self) -> Iterator[AskableFact]:  # rows
        """Yield the answer to each question, in the order in which they are said."""
        doing, tallies = self.position.doing, self.position.tallies
        over = isinstance(doing, Ended)
        alone = not self.several and not over
        starts = isinstance(doing, Contest) and doing.about is About.START
        quiet = starts or (over and not self.only_round)  # while nobody knows who throws first
        yield AskableFact(ROUND, gettext("how the round stands"), self.standing(), quiet)
        if not self.only_round:  # with one round, its scores are the totals
            quiet = alone or self._counting or not any(tally.total for tally in tallies)
            yield AskableFact(EVERYBODY, gettext("what everybody has"), self._totals(), quiet)
        if self.rules.format.stake:
            yield self._chips()
        to_beat = self._to_beat()
        yield to_beat
        if len(self.players) > 2:  # of two, the one to come is due
            yield self._goals(to_beat.says)
        # The round has just been announced with the player who throws first.
        opens = isinstance(doing, Turn) and len(self.position.waiting) > 1
        quiet, brief = alone or (opens and not self.is_begun), not alone
        question = gettext("whose turn it is")
        yield AskableFact(WHOSE, question, self._whose(), quiet, self._due(), brief=brief)

    def _chips(self) -> AskableFact:
        position, says = self.position, gettext_noop("Chips: {purses}; {pot} in the pot.")
        if isinstance(position.doing, Ended):
            says = gettext_noop("Chips: {purses}.")
        chips = [tally.chips for tally in position.tallies]
        purses = joined_clauses(self._has(seat, number) for seat, number in enumerate(chips))
        begins = position.round == 1 and not position.finished and len({*chips}) == 1
        says = gettext(says, purses=purses, pot=position.pot)
        question = gettext("the chips in the purses and the pot")
        return AskableFact(CHIPS, question, says, begins, number=position.pot)

    def _goals(self, to_beat: str) -> AskableFact:
        """Return the answer what the players to come need, after what the player due needs."""
        later = () if self.race.total_to_beat is None else self.position.waiting
        needs = (self._needs(seat) for seat in later if seat not in self._due())
        says = " ".join([to_beat, *needs])
        return AskableFact(GOALS, gettext("what every player needs"), says, quiet=True)

    @property
    def _counting(self) -> bool:
        """Whether scores of a round that is not over count in the totals already."""
        over = self.position.is_added_up or self.rules.format.counts_wins
        return not over and bool(self.position.finished)

    def _totals(self) -> str:
        tallies, goal = self.position.tallies, self.rules.format.goal
        each = zip(tallies, self.race.totals, self.players, strict=True)
        totals = joined_clauses(gettext(_TOTAL[t.status], total=n, name=p) for t, n, p in each)
        if self.rules.format.counts_wins and goal:
            return ngettext(
                "The first to win a round wins: {totals}.",
                "The first to win {number} rounds wins: {totals}.",
                goal,
                totals=totals,
            )
        if self._counting:
            return gettext("Totals so far: {totals}.", totals=totals)
        return gettext("Totals: {totals}.", totals=totals)

    def standing(self) -> str:
        """Return a sentence with the scores of the round and the players to come or not playing."""
        position, rounds = self.position, self.rules.format.rounds
        over = isinstance(position.doing, Ended)
        parts = [self._score_clause(seat) for seat in position.finished]
        parts += self._to_come(is_first=not parts)
        if out := [seat for seat, tally in enumerate(position.tallies) if tally.sits_out]:
            says = ngettext(
                "{names} not playing", "{names} not playing", len(out), names=self.names(out)
            )
            parts.append(says)
        scores = joined_clauses(parts)
        if not scores and self.several:
            scores = gettext("nobody plays this round")
        says = gettext_noop("Round {round} of {rounds}: {scores}.")
        if not scores:
            says = gettext_noop("Round {round} of {rounds}.")
            if self.only_round or rounds is None:
                says = gettext_noop("Round {round}.")
        elif self.only_round:
            says = gettext_noop("The round: {scores}.")
            if not position.finished:
                says = gettext_noop("{scores}.")
        elif rounds is None or over:
            says = gettext_noop("Round {round}: {scores}.")
        return gettext(says, round=position.round, rounds=rounds, scores=scores)

    def _to_come(self, *, is_first: bool) -> list[str]:  # rows
        """Return the part of a sentence with the players whose turn is to come or not over."""
        to_come = () if self.position.is_added_up else self.position.waiting
        if not (to_come and self.several):
            return []
        first, others = self.players[to_come[0]], self.names(to_come[1:])
        if is_first and others and not isinstance(self.position.doing, Contest):
            return [gettext("{name} first, then {names}", name=first, names=others)]
        names, number = self.names(to_come), len(to_come)
        # Translators: their turn in this round is still to come.
        return [ngettext("{names} to come", "{names} to come", number, names=names)]

    def _score_clause(self, seat: int) -> str:  # rows
        tally, name = self.position.tallies[seat], self.players[seat]
        format = self.rules.format
        # If a shut box is worth only its score, the score is enough.
        counts = format.shut is not WhenShut.SCORES or format.extra
        if not tally.shut or not counts:
            return self._has(seat, tally.score)
        return gettext("{name} has {score}, {shut}", name=name, score=tally.score, shut=self.shut)

    def _has(self, seat: int, number: int | None) -> str:
        return gettext("{name} has {number}", name=self.players[seat], number=number)

    def names(self, seats: Sequence[int]) -> str:
        """Return the names of the players in these seats as a list in words."""
        return listed(self.players[seat] for seat in seats)

    # The number to beat

    def _to_beat(self) -> AskableFact:
        answer = self._answer_to_beat()
        is_news = isinstance(self.position.doing, Contest) or self.race.sure_winner is not None
        is_known = not is_news and self._is_known()
        return replace(answer, quiet=answer.number is None or not self.several or is_known)

    def _is_known(self) -> bool:  # rows
        """Whether the mark to beat has just been told: before the first throw, with the totals."""
        format = self.rules.format
        return not (self.only_round or self.position.finished or format.target or format.limit)

    def _answer_to_beat(self) -> AskableFact:
        doing, race, format = self.position.doing, self.race, self.rules.format
        if isinstance(doing, Ended):
            return _fact_to_beat(gettext("The match is over."))
        if isinstance(doing, Contest) and doing.rolls:
            best = max(roll.total for roll in doing.rolls)
            says = gettext("The throw to beat is {total}.", total=best)
            # Translators: stands beside a number, the one to beat.
            return _fact_to_beat(says, best, pgettext("tag", "to beat"))
        if not isinstance(doing, Contest):
            if race.sure_winner is not None:
                return self._answer_if_decided(race.sure_winner)
            end = format.target or format.limit
            if end is not None and not race.target_reached:
                return self._to_go(end)
            if race.leaders_by_shut or self._has_leader():
                return self._answer_if_led()
            if self._is_open():
                return self._open()
        says = gettext_noop("{name} plays first: there is no score to beat yet.")
        if isinstance(doing, Contest):
            says = gettext_noop("{name} throws first: there is no throw to beat yet.")
        elif isinstance(doing, Opening) or self.is_begun:
            says = gettext_noop("There is no score to beat yet.")
        return _fact_to_beat(gettext(says, name=self.names(self._due())))

    def _has_leader(self) -> bool:  # rows
        """Whether a player leads this round; see `Race.leaders`."""
        return bool(self.race.leaders)

    def _is_open(self) -> bool:  # rows
        """Whether there is a total to beat, although nobody leads."""
        return self.race.totals_can_decide and self.several and self.position.round > 1

    def _to_go(self, end: int) -> AskableFact:
        """Return the answer how far each player still in is from `end`, the target or the limit."""
        totals = {seat: self._now(seat) for seat in self.race.runners}
        left = {seat: max(0, end - total) for seat, total in totals.items()}
        # The distance at the start is what the rules have just said, so it is no news.
        number = left[self._due()[0]] if any(totals.values()) else None
        # Translators: {number} points are missing to the target.
        says, tag = gettext_noop("{name} has {number} to go"), pgettext("tag", "to go")
        if self.rules.format.target is None:
            # Translators: so many points until the limit, at which a player is out.
            says, tag = gettext_noop("{name} has {number} left"), gettext("to the limit")
        templates = {True: says, False: gettext_noop("{name} has reached the limit")}
        each = joined_clauses(
            gettext(templates[away > 0], name=self.players[seat], number=away)
            for seat, away in left.items()
        )
        return _fact_to_beat(gettext("{each}.", each=each), number, tag)

    def _now(self, seat: int) -> int:
        """Return a player's total, with the score of this round; only that if rounds won count."""
        tally = self.position.tallies[seat]
        return self.rules.total_before_round(tally) + (tally.score or 0)

    def _answer_if_decided(self, seat: int) -> AskableFact:
        """Return the answer that no player can catch `seat`, with the best total of the others."""
        totals = [self._now(other_seat) for other_seat in range(len(self.players))]
        others = [other for other in self.race.runners if other != seat]
        other = self.rules.best_of(others, lambda other_seat: totals[other_seat])[0]
        facts = {"other": self.players[other], "theirs": totals[other], "total": totals[seat]}
        template = gettext_noop(
            "{other} has {theirs} in all; {name} has {total} and cannot lose any more."
        )
        if self.rules.format.counts_wins or self.position.rows:
            template = gettext_noop("{name} cannot lose any more.")
        return _fact_to_beat(gettext(template, name=self.players[seat], **facts), totals[seat])

    def _answer_if_led(self) -> AskableFact:
        """Return the answer who leads with what score, and what puts the player due ahead."""
        seats, [due] = self.race.leaders, self._due()
        tally, names, many = self.position.tallies[seats[0]], self.names(seats), len(seats)
        number, tag = self._now(seats[0]), "" if due in seats else pgettext("tag", "to beat")
        if self.race.leaders_by_shut:
            number, tag, facts = tally.score or 0, "", {"names": names, "shut": self.shut}
            says = ngettext("{names} leads, {shut}.", "{names} lead, {shut}.", many, **facts)
        else:
            facts = {"names": names, "score": str(number)}
            says = ngettext(
                "{names} leads with {score}.", "{names} lead with {score}.", many, **facts
            )
        if self.race.score_needed(due) is not None:
            says += f" {self._needs(due)}"
        return _fact_to_beat(says, number, tag)

    def _open(self) -> AskableFact:
        """Return the best total after a turn this round, what beats it; at first, all totals."""
        [due], tallies, runners = self._due(), self.position.tallies, self.race.runners
        if all(tallies[seat].score is None for seat in runners):
            names, total = self.names([*runners]), runners[due].total
            level = len({runner.total for runner in runners.values()}) == 1
            says = gettext("{names} are level with {total}.", names=names, total=total)
            return _fact_to_beat(says if level else self._totals())
        ended = [seat for seat, runner in runners.items() if not runner.to_come]
        best = tuple(self.rules.best_of(ended, lambda seat: runners[seat].total))
        number = runners[best[0]].total
        says = ngettext(
            "{names} has {total}, the total to beat.",
            "{names} have {total} each, the total to beat.",
            len(best),
            names=self.names(best),
            total=number,
        )
        says += f" {self._needs(due)}"
        return _fact_to_beat(says, number, pgettext("tag", "to beat"))

    def _needs(self, seat: int) -> str:
        """Return a sentence with the scores that put a seat ahead; it says so if none does."""
        scoring, needed = self.rules.scoring, self.race.score_needed(seat)
        if needed is None:
            says = gettext_noop("{name} cannot get ahead in this round.")
        else:
            says = _NEEDS[0 if needed == scoring.best else 2 - scoring.low_is_good]
        return gettext(says, name=self.players[seat], score=needed)

    # Whose turn it is

    def _due(self) -> tuple[int, ...]:
        """Return the seat that is due, or at the end the seats that have won."""
        match self.position.doing:
            case Turn(seat=seat):
                return (seat,)
            case Contest(among=among, rolls=rolls):
                return (among[len(rolls)],)
            case Opening():
                return (self.rules.seat_short_of_chips(self.position) or 0,)
            case Ended(winners=winners):
                return winners

    def _whose(self) -> str:
        names = self.names(self._due())
        match self.position.doing:
            case Turn():
                # Translators: it is the turn of this player.
                return gettext("{name} to play.", name=names)
            case Contest() as contest:
                return gettext(_THROWS[contest.about], name=names)
            case Opening():
                [seat] = self._due()
                return ngettext(
                    "{name} has {number} chip; a round can cost {cost}.",
                    "{name} has {number} chips; a round can cost {cost}.",
                    self.position.tallies[seat].chips,
                    name=names,
                    cost=self.rules.format.needed,
                )
            case Ended() if not self.several:
                return gettext("The match is over.")
            case Ended(winners=(_,)):
                return gettext("The match is over: {name} has won.", name=names)
            case Ended():
                return gettext("The match is over: {names} share the win.", names=names)
