"""The answers to the questions of players in a match, such as how the round stands.

If totals decide the match, the number to beat is a total, or the distance of each player from the
target or the limit.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic

from shutbox.engine.english import listed
from shutbox.engine.game import C, P
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.scene import Answer
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
    Status.OUT: gettext_noop("{name} is out at {total}"),
    Status.LEFT: gettext_noop("{name} had {total} and has left"),
}

_NEEDS = (
    gettext_noop("{name} needs {score}."),
    gettext_noop("{name} needs {score} or less."),
    gettext_noop("{name} needs {score} or more."),
)
"""What a seat needs: the best score, or one that is as low or as high."""
_NEEDS_TO_LEAD = (
    gettext_noop("{name} needs {score} to lead."),
    gettext_noop("{name} needs {score} or less to lead."),
    gettext_noop("{name} needs {score} or more to lead."),
)


def _to_beat(
    says: str, seats: tuple[int, ...] = (), number: int | None = None, tag: str = ""
) -> Answer:
    """Return the answer about the `number` to beat, if any, which `seats` have or compete for."""
    about, tag = gettext("what you have to beat"), "" if number is None else tag
    return Answer(TO_BEAT, about, says, seats=seats, number=number, tag=tag)


@dataclass
class MatchAnswers(Generic[P, C]):
    """The answers to players' questions at a settled position: one is due, or the match is over."""

    rules: MatchRules[P, C]
    players: tuple[str, ...]
    before: Standing[P]  # the position that leads to the settled one
    settled: Settled[P]

    def __post_init__(self) -> None:
        self.here = self.settled.position
        self.race = Race(self.rules, self.here)
        self.several = len(self.players) > 1
        self.only_round = self.rules.format.most_rounds == 1

    @property
    def shut(self) -> str:
        """The words for a turn that reached its goal: `the box shut`."""
        return self.rules.game.card().shut

    def all(self) -> Iterator[Answer]:
        """Yield the answer to each question, in the order in which they are said."""
        here, standing = self.here, self.standing()
        over = isinstance(here.doing, Ended)
        alone = not self.several and not over
        about, seats = gettext("how the round stands"), tuple(self.rules.thrown(here))
        starts = isinstance(here.doing, Contest) and here.doing.about is About.START
        rows = self.rules.rows
        quiet = starts or (over and not self.only_round)  # while nobody knows who throws first
        quiet = quiet or bool(rows and isinstance(here.doing, Turn))  # each throw is told at once
        yield Answer(ROUND, about, standing, quiet, seats, here.round)
        if not self.only_round:  # with one round, its scores are the totals
            quiet = alone or self._counting or not any(tally.total for tally in here.tallies)
            yield Answer(EVERYBODY, gettext("what everybody has"), self._totals(), quiet)
        if self.rules.format.stake:
            purses = "; ".join(
                self._has(seat, tally.chips) for seat, tally in enumerate(here.tallies)
            )
            says = gettext("Chips: {purses}; {pot} in the pot.", purses=purses, pot=here.pot)
            says = gettext("Chips: {purses}.", purses=purses) if over else says
            about = gettext("the chips in the purses and the pot")
            begins = here.round == 1 and not seats and len({t.chips for t in here.tallies}) == 1
            yield Answer(CHIPS, about, says, begins, number=here.pot)
        to_beat = self._to_beat()
        yield to_beat
        if len(self.players) > 2:  # of two, the one to come is due
            later = () if self.race.mark is None else self.rules.waiting(here)[not rows :]
            says = " ".join([to_beat.says, *map(self._needs, later)])
            yield Answer(GOALS, gettext("what every player needs"), says, quiet=True)
        about = gettext("whose turn it is")
        # The round has just been announced with the player who throws first.
        opens = isinstance(here.doing, Turn) and len(self.rules.waiting(here)) > 1 and not seats
        whose, due = self._whose(), self._due()
        if rows:
            opens = opens and {*here.rows} == {self.rules.game.start()}
            yield Answer(ROWS, gettext("what is up in every row"), self._rows(), quiet=True)
        yield Answer(WHOSE, about, whose, alone or opens, due, brief=not alone)

    @property
    def _counting(self) -> bool:
        """Whether scores of a round that is not over count in the totals already."""
        over = self.here.is_added_up or self.rules.format.counts_wins
        return not over and bool(self.rules.thrown(self.here))

    def _totals(self) -> str:
        each = []
        for seat, tally in enumerate(self.here.tallies):
            total = self._now(seat) if self._counting else tally.total
            each.append(gettext(_TOTAL[tally.status], total=total, name=self.players[seat]))
        totals, goal = "; ".join(each), self.rules.format.goal
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
        here, rounds = self.here, self.rules.format.rounds
        over = isinstance(here.doing, Ended)
        parts = [self._scored(seat) for seat in self.rules.thrown(here)]
        to_come = () if here.is_added_up else tuple(self.rules.waiting(here))
        rows = self.rules.rows
        if rows and here.rows and {*here.rows} != {self.rules.game.start()}:
            waiting = self.rules.waiting(here)
            parts += [self._has(seat, rows.score(here.rows[seat])) for seat in waiting]
        elif to_come and self.several:
            first, others = self.players[to_come[0]], self.names(to_come[1:])
            if not (parts or isinstance(here.doing, Contest)) and others:
                parts = [gettext("{name} first, then {names}", name=first, names=others)]
            else:
                parts.append(gettext("{names} to come", names=self.names(to_come)))
        if out := [seat for seat, tally in enumerate(here.tallies) if tally.sits_out]:
            parts.append(gettext("{names} not playing", names=self.names(out)))
        scores = "; ".join(parts)
        if not scores and self.several:
            scores = gettext("nobody plays this round")
        says = gettext_noop("Round {round} of {rounds}: {scores}.")
        if not scores:
            says = gettext_noop("Round {round} of {rounds}.")
            if self.only_round or rounds is None:
                says = gettext_noop("Round {round}.")
        elif self.only_round:
            says = gettext_noop("The round: {scores}.")
            if not self.rules.thrown(here):
                says = gettext_noop("{scores}.")
        elif rounds is None or over:
            says = gettext_noop("Round {round}: {scores}.")
        return gettext(says, round=here.round, rounds=rounds, scores=scores)

    def _scored(self, seat: int) -> str:
        tally, name = self.here.tallies[seat], self.players[seat]
        format = self.rules.format
        if self.rules.rows and not (tally.shut or isinstance(self.here.doing, Ended)):
            return gettext("{name} is out with {score}", name=name, score=tally.score)
        # If a shut box is worth only its score, the score is enough.
        counts = format.shut is not WhenShut.SCORES or format.extra
        if not tally.shut or not counts:
            return self._has(seat, tally.score)
        return gettext("{name} has {score}, {shut}", name=name, score=tally.score, shut=self.shut)

    def _has(self, seat: int, number: int | None) -> str:
        return gettext("{name} has {number}", name=self.players[seat], number=number)

    def _rows(self) -> str:
        """Return what is up in each row, or how it has ended, in the order of seats."""
        rows, here = self.rules.rows, self.here
        if rows is None or not here.rows:
            return self.standing()
        each = []
        for name, row, tally in zip(self.players, here.rows, here.tallies, strict=True):
            says = gettext_noop("{name}: {tiles}.")
            if tally.shut:
                says = gettext_noop("{name}: shut.")
            elif tally.score is not None:
                says = gettext_noop("{name}: out with {score}.")
            each.append(gettext(says, name=name, tiles=rows.up(row), score=tally.score))
        return " ".join(each)

    def names(self, seats: Sequence[int]) -> str:
        """Return the names of the players in these seats as a list in words."""
        return listed(self.players[seat] for seat in seats)

    # The number to beat

    def _to_beat(self) -> Answer:
        found = self._beaten()
        format, thrown = self.rules.format, self.rules.thrown(self.here)
        # Before the first throw of a round, the totals have just been said.
        no_news = not (self.only_round or thrown or format.target or format.limit)
        is_news = isinstance(self.here.doing, Contest) or self.race.decided is not None
        no_news = no_news or self.rules.rows is not None  # the player has just gone out with it
        quiet = found.number is None or not self.several or (no_news and not is_news)
        return replace(found, quiet=quiet)

    def _beaten(self) -> Answer:
        doing, race, format = self.here.doing, self.race, self.rules.format
        if isinstance(doing, Ended):
            return _to_beat(gettext("The match is over."))
        if isinstance(doing, Contest) and doing.rolls:
            best = max(roll.total for roll in doing.rolls)
            says = gettext("The throw to beat is {total}.", total=best)
            return _to_beat(says, doing.highest, best, pgettext("tag", "to beat"))
        if not isinstance(doing, Contest):
            if race.decided is not None:
                return self._decided(race.decided)
            end = format.target or format.limit
            if end is not None and not race.target_reached:
                return self._to_go(end)
            is_open = race.counts_totals and self.several and self.here.round > 1
            if self.rules.rows and not race.shut:  # a player who is out is behind some still in
                is_open = bool(self.rules.thrown(self.here))
            elif race.leaders:
                return self._led()
            if is_open:
                return self._open()
        says = gettext_noop("{name} plays first: there is no score to beat yet.")
        if isinstance(doing, Contest):
            says = gettext_noop("{name} throws first: there is no throw to beat yet.")
        elif isinstance(doing, Opening) or self.rules.thrown(self.here) or self.rules.rows:
            says = gettext_noop("There is no score to beat yet.")
        return _to_beat(gettext(says, name=self.names(self._due())))

    def _to_go(self, end: int) -> Answer:
        """Return the answer how far each player still in is from `end`, the target or the limit."""
        totals = {seat: self._now(seat) for seat in self.race.runners}
        left = {seat: max(0, end - total) for seat, total in totals.items()}
        # The distance at the start is what the rules have just said, so it is no news.
        number = left[self._due()[0]] if any(totals.values()) else None
        says, tag = gettext_noop("{name} has {number} to go"), pgettext("tag", "to go")
        if self.rules.format.target is None:
            says, tag = gettext_noop("{name} has {number} left"), gettext("to the limit")
        reached = gettext_noop("{name} has reached the limit")
        each = []
        for seat, away in left.items():
            template = says if away else reached
            each.append(gettext(template, name=self.players[seat], number=away))
        return _to_beat(gettext("{each}.", each="; ".join(each)), tuple(left), number, tag)

    def _now(self, seat: int) -> int:
        """Return a player's total, with the score of this round; only that if rounds won count."""
        tally = self.here.tallies[seat]
        return self.rules.carried(tally) + (tally.score or 0)

    def _decided(self, seat: int) -> Answer:
        """Return the answer that no player can catch `seat`, with the best total of the others."""
        totals = [self._now(one) for one in range(len(self.players))]
        others = [other for other in self.race.runners if other != seat]
        other = self.rules.best_of(others, lambda one: totals[one])[0]
        facts = {"other": self.players[other], "theirs": totals[other], "total": totals[seat]}
        template = gettext_noop(
            "{other} has {theirs} in all; {name} has {total} and cannot lose any more."
        )
        if self.rules.format.counts_wins or self.rules.rows:
            template = gettext_noop("{name} cannot lose any more.")
        says = gettext(template, name=self.players[seat], **facts)
        return _to_beat(says, (seat,), totals[seat])

    def _led(self) -> Answer:
        """Return the answer who leads with what score, and what puts the player due ahead."""
        seats, [due] = self.race.leaders, self._due()
        tally, names, many = self.here.tallies[seats[0]], self.names(seats), len(seats)
        number, tag = self._now(seats[0]), "" if due in seats else pgettext("tag", "to beat")
        if self.race.shut:
            number, tag, facts = tally.score or 0, "", {"names": names, "shut": self.shut}
            says = ngettext("{names} leads, {shut}.", "{names} lead, {shut}.", many, **facts)
        else:
            facts = {"names": names, "score": str(number)}
            says = ngettext(
                "{names} leads with {score}.", "{names} lead with {score}.", many, **facts
            )
        if self.race.needs(due) is not None:
            says += f" {self._needs(due, _NEEDS_TO_LEAD)}"
        return _to_beat(says, seats, number, tag)

    def _open(self) -> Answer:
        """Return the best total after a turn this round, what beats it; at first, all totals."""
        [due], tallies, runners = self._due(), self.here.tallies, self.race.runners
        if all(tallies[seat].score is None for seat in runners):
            names, total = self.names([*runners]), runners[due].total
            level = len({runner.total for runner in runners.values()}) == 1
            says = gettext("{names} are level with {total}.", names=names, total=total)
            return _to_beat(says if level else self._totals())
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
        if self.rules.rows is None:
            says += f" {self._needs(due, _NEEDS_TO_LEAD)}"
        return _to_beat(says, best, number, pgettext("tag", "to beat"))

    def _needs(self, seat: int, templates: Sequence[str] = _NEEDS) -> str:
        """Return a sentence with the scores that put a seat ahead; it says so if none does."""
        scoring, needed = self.rules.scoring, self.race.needs(seat)
        if needed is None:
            says = gettext_noop("{name} cannot get ahead in this round.")
        else:
            says = templates[0 if needed == scoring.best else 2 - scoring.low_is_good]
        return gettext(says, name=self.players[seat], score=needed)

    # Whose turn it is

    def _due(self) -> tuple[int, ...]:
        """Return the seat that is due, or at the end the seats that have won."""
        match self.here.doing:
            case Turn(seat=seat):
                return (seat,)
            case Contest(among=among, rolls=rolls):
                return (among[len(rolls)],)
            case Opening():
                return (self.rules.seat_short_of_chips(self.here) or 0,)
            case Ended(winners=winners):
                return winners

    def _whose(self) -> str:
        names = self.names(self._due())
        match self.here.doing:
            case Turn():
                return gettext("{name} to play.", name=names)
            case Contest(about=about):
                return gettext(_THROWS[about], name=names)
            case Opening():
                [seat] = self._due()
                return ngettext(
                    "{name} has {number} chip; a round can cost {cost}.",
                    "{name} has {number} chips; a round can cost {cost}.",
                    self.here.tallies[seat].chips,
                    name=names,
                    cost=self.rules.format.needed,
                )
            case Ended() if not self.several:
                return gettext("The match is over.")
            case Ended(winners=(_,)):
                return gettext("The match is over: {name} has won.", name=names)
            case Ended():
                return gettext("The match is over: {names} share the win.", names=names)
