"""The answers to what players of a match ask.

How does the round stand, what has everybody, what is in the purses, what is to beat, whose turn is
it? In a match of totals, to beat is a total: how far each player has to go, or what the best has.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias

from shutbox.english import listed
from shutbox.game import C, P
from shutbox.match.atoms import WhenShut
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Status, Tally, Turn
from shutbox.match.transitions import MatchRules
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.scene import Answer

ROUND, EVERYBODY, CHIPS, TO_BEAT, WHOSE = "o", "e", "p", "n", "w"
"""The keys of the questions of a match; there are chips only where they are played for."""

_THROWS = {
    About.START: gettext_noop("{name} throws to see who begins."),
    About.ROUND: gettext_noop("{name} throws for the round."),
    About.MATCH: gettext_noop("{name} throws for the match."),
}
_TOTAL = {
    Status.IN: gettext_noop("{total} for {name}"),
    Status.OUT: gettext_noop("{total} for {name}, out"),
    Status.LEFT: gettext_noop("{total} for {name}, who has left"),
}
_Beaten: TypeAlias = tuple[str, tuple[int, ...], int | None]
"""What is to beat, the seats that have it or run for it, and the number it is about."""


@dataclass
class MatchAnswers(Generic[P, C]):
    """The answers where a match stands, settled."""

    rules: MatchRules[P, C]
    players: tuple[str, ...]
    shut: str  # how a voice calls what a turn is for
    here: Standing[P]

    @property
    def several(self) -> bool:
        """Whether more than one plays."""
        return len(self.players) > 1

    @property
    def only_round(self) -> bool:
        """Whether there is no second round."""
        return self.rules.format.most_rounds == 1

    def all(self) -> Iterator[Answer]:
        """An answer to each question, in the order in which they are told."""
        here, standing = self.here, self.standing()
        over = isinstance(here.doing, Ended)
        alone = not self.several and not over
        about, seats = gettext("how the round stands"), tuple(self.rules.thrown(here))
        yield Answer(ROUND, about, standing, over and not self.only_round, seats, here.round)
        # With one round its scores are all there is.
        everybody = standing if self.only_round else self._totals()
        quiet = alone or self.only_round or not any(tally.total for tally in here.tallies)
        yield Answer(EVERYBODY, gettext("what everybody has"), everybody, quiet)
        if self.rules.format.stake:
            about = gettext("the chips in the purses and the pot")
            yield Answer(CHIPS, about, self._purses(), number=here.pot)
        yield self._to_beat()
        about = gettext("whose turn it is")
        yield Answer(WHOSE, about, self._whose(), quiet=alone, seats=self._due(), brief=True)

    def _totals(self) -> str:
        """What everybody has from the rounds that are over."""
        each = (
            gettext(_TOTAL[tally.status], total=tally.total, name=name)
            for name, tally in zip(self.players, self.here.tallies, strict=True)
        )
        return gettext("Totals: {totals}.", totals="; ".join(each))

    def _purses(self) -> str:
        tallies, pot = self.here.tallies, self.here.pot
        purses = "; ".join(self._has(seat, tally.chips) for seat, tally in enumerate(tallies))
        if isinstance(self.here.doing, Ended):
            return gettext("Chips: {purses}.", purses=purses)
        return gettext("Chips: {purses}; {pot} in the pot.", purses=purses, pot=pot)

    def standing(self) -> str:
        """How the round stands."""
        here, rounds = self.here, self.rules.format.rounds
        over = isinstance(here.doing, Ended)
        parts = [self._scored(seat) for seat in self.rules.thrown(here)]
        if not over and (to_come := self.rules.waiting(here)):
            parts.append(gettext("{names} to come", names=self.names(to_come)))
        if out := [seat for seat, tally in enumerate(here.tallies) if tally.sits_out]:
            parts.append(gettext("{names} not playing", names=self.names(out)))
        scores = "; ".join(parts) or gettext("nobody plays")
        says = gettext_noop("Round {round} of {rounds}: {scores}.")
        if self.only_round:
            says = gettext_noop("The round: {scores}.")
        elif rounds is None or over:
            says = gettext_noop("Round {round}: {scores}.")
        return gettext(says, round=here.round, rounds=rounds, scores=scores)

    def _scored(self, seat: int) -> str:
        tally, name = self.here.tallies[seat], self.players[seat]
        format = self.rules.format
        # Where it is worth its score and no more, the score is all there is to tell.
        counts = format.shut is not WhenShut.SCORES or format.extra
        if not tally.shut or not counts:
            return self._has(seat, tally.score)
        return gettext("{score} for {name}, {shut}", score=tally.score, name=name, shut=self.shut)

    def _has(self, seat: int, number: int | None) -> str:
        return gettext("{number} for {name}", number=number, name=self.players[seat])

    def names(self, seats: Sequence[int]) -> str:
        """The players of these seats, listed."""
        return listed(self.players[seat] for seat in seats)

    # What is to beat

    def _to_beat(self) -> Answer:
        says, seats, number = self._beaten()
        format, thrown = self.rules.format, self.rules.thrown(self.here)
        # Where a round of several begins, the totals have just been told.
        no_news = not (self.only_round or thrown or format.target or format.limit)
        contest = isinstance(self.here.doing, Contest)
        quiet = number is None or not self.several or (no_news and not contest)
        return Answer(TO_BEAT, gettext("what is to beat"), says, quiet, seats, number)

    def _beaten(self) -> _Beaten:
        here, rules = self.here, self.rules
        if isinstance(here.doing, Ended):
            return gettext("The match is over."), (), None
        if isinstance(here.doing, Contest):
            if here.doing.rolls:
                best = max(roll.total for roll in here.doing.rolls)
                return (
                    gettext("The throw to beat is {total}.", total=best),
                    here.doing.highest,
                    best,
                )
        elif (end := rules.format.target or rules.format.limit) is not None:
            return self._to_go(end)
        elif (rules.format.rounds or 1) > 1:
            return self._total_to_beat()
        elif leading := rules.leading(here):
            score = here.tallies[leading[0]].score or 0
            needed = score + (-1 if rules.scoring.low_is_good else 1)
            return self._leads(tuple(leading), str(score), needed), tuple(leading), score
        return gettext("There is nothing to beat yet."), (), None

    def _to_go(self, end: int) -> _Beaten:
        """How far each player in the match is from its target, or from its limit."""
        tallies = self.here.tallies
        seats = tuple(sorted(self.rules.staying(self.here)))
        left = {seat: max(0, end - _now(tallies[seat])) for seat in seats}
        each = "; ".join(self._has(seat, left[seat]) for seat in seats)
        # At the start it is what the rules say, and no news.
        number = left[self._due()[0]] if any(map(_now, tallies)) else None
        if self.rules.format.target is not None:
            return gettext("To go: {each}.", each=each), seats, number
        return gettext("To the limit: {each}.", each=each), seats, number

    def _total_to_beat(self) -> _Beaten:
        """The best total of all who have had as many turns, and what the turn needs to beat it."""
        here, rules, tallies = self.here, self.rules, self.here.tallies
        thrown, staying = rules.thrown(here), rules.staying(here)
        even = [seat for seat in thrown if seat in staying]
        if not even and here.round == 1:
            return gettext("There is nothing to beat yet."), (), None
        leading = tuple(rules.best_of(even or staying, lambda seat: _now(tallies[seat])))
        [due], total, low = self._due(), _now(tallies[leading[0]]), rules.scoring.low_is_good
        needed = total - tallies[due].total + (-1 if low else 1)
        in_all = gettext("{total} in all", total=total)
        # What is needed is said where it is for the turn to show whether the total is beaten.
        return self._leads(leading, in_all, needed if thrown else None), leading, total

    def _leads(self, leading: tuple[int, ...], score: str, needed: int | None) -> str:
        """Who leads with what; and what the turn needs to win, where it can be had."""
        lowest, highest = self.rules.scores
        [due], scoring = self._due(), self.rules.scoring
        facts = {"names": self.names(leading), "score": score, "name": self.players[due]}
        if needed is None or not lowest <= needed <= highest or needed == scoring.worst:
            return ngettext(
                "{names} leads with {score}.", "{names} lead with {score}.", len(leading), **facts
            )
        if scoring.low_is_good:
            return ngettext(
                "{names} leads with {score}; {name} needs {needed} or less.",
                "{names} lead with {score}; {name} needs {needed} or less.",
                len(leading),
                **facts,
                needed=needed,
            )
        return ngettext(
            "{names} leads with {score}; {name} needs {needed} or more.",
            "{names} lead with {score}; {name} needs {needed} or more.",
            len(leading),
            **facts,
            needed=needed,
        )

    # Whose turn it is

    def _due(self) -> tuple[int, ...]:
        """The seat that is due, or those that have won."""
        match self.here.doing:
            case Turn(seat=seat):
                return (seat,)
            case Contest(among=among, rolls=rolls):
                return (among[len(rolls)],)
            case Opening():
                return (self.rules.asked(self.here) or 0,)
            case Ended(winners=winners):
                return winners

    def _whose(self) -> str:
        names = self.names(self._due())
        match self.here.doing:
            case Turn():
                return gettext("{name}'s turn.", name=names)
            case Contest(about=about):
                return gettext(_THROWS[about], name=names)
            case Opening():
                [seat] = self._due()
                return gettext(
                    "{name} has {chips}; a round can cost {cost}.",
                    name=names,
                    chips=chips_words(self.here.tallies[seat].chips),
                    cost=self.rules.format.needed,
                )
            case Ended() if not self.several:
                return gettext("The match is over.")
            case Ended(winners=(_,)):
                return gettext("The match is over: {name} has won.", name=names)
            case Ended():
                return gettext("The match is over: {names} share the win.", names=names)


def _now(tally: Tally) -> int:
    """The total with the score of this round."""
    return tally.total + (tally.score or 0)


def chips_words(number: int) -> str:
    """A number of chips."""
    return ngettext("{number} chip", "{number} chips", number)
