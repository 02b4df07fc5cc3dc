"""The answers to what players of a match ask.

How does the round stand, what has everybody, what is in the purses, what is to beat, whose turn is
it? In a match of totals, to beat is a total: how far each player has to go, or what the best has.
"""

from collections.abc import Iterator, Sequence
from typing import Generic

from shutbox.english import listed
from shutbox.game import C, P
from shutbox.match.standing import About, Contest, Ended, Opening, Standing, Status, Tally, Turn
from shutbox.match.transitions import MatchRules
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.scene import Answer

ROUND, EVERYBODY, CHIPS, TO_BEAT, WHOSE = "o", "e", "p", "n", "w"
"""The keys of the questions of a match; there are chips only where they are played for."""

_THROWS = {
    About.START: gettext_noop("{name} throws to begin."),
    About.ROUND: gettext_noop("{name} throws for the round."),
    About.MATCH: gettext_noop("{name} throws for the match."),
}
_TOTAL = {
    Status.IN: gettext_noop("{total} for {name}"),
    Status.OUT: gettext_noop("{total} for {name}, who is out"),
    Status.LEFT: gettext_noop("{total} for {name}, who has left"),
}

ROUND, EVERYBODY, CHIPS, TO_BEAT, WHOSE = "o", "e", "p", "n", "w"
"""The keys of the questions of a match; there are chips only where they are played for."""


class MatchAnswers(Generic[P, C]):
    """The answers where a match stands, settled."""

    def __init__(
        self, rules: MatchRules[P, C], players: tuple[str, ...], shut: str, here: Standing[P]
    ) -> None:
        self.rules = rules
        self.players = players
        self.several = len(players) > 1
        self.shut = shut
        self.here = here

    def all(self) -> Iterator[Answer]:
        """An answer to each question, in the order in which they are told."""
        over = isinstance(self.here.doing, Ended)
        one_round = self.rules.format.most_rounds == 1
        standing = self.standing()
        # With one round its scores are all there is.
        everybody = standing if one_round else self._totals()
        alone = not self.several and not over
        no_points = one_round or not any(tally.total for tally in self.here.tallies)
        yield Answer(
            ROUND,
            gettext("how the round stands"),
            standing,
            quiet=over and not one_round,
            seats=tuple(self.rules.thrown(self.here)),
            number=self.here.round,
        )
        yield Answer(EVERYBODY, gettext("what everybody has"), everybody, quiet=alone or no_points)
        if self.rules.format.stake:
            about = gettext("the chips in the purses and the pot")
            yield Answer(CHIPS, about, self._purses(), number=self.here.pot)
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
        """The chips of everybody, and the pot."""
        here = self.here
        purses = "; ".join(
            gettext("{number} for {name}", number=tally.chips, name=name)
            for name, tally in zip(self.players, here.tallies, strict=True)
        )
        if isinstance(here.doing, Ended):
            return gettext("Chips: {purses}.", purses=purses)
        return gettext("Chips: {purses}; {pot} in the pot.", purses=purses, pot=here.pot)

    def standing(self) -> str:
        """How the round stands."""
        here = self.here
        parts = [self._scored(seat) for seat in self.rules.thrown(here)]
        if to_come := self.rules.waiting(here):
            names = self.names(to_come)
            if isinstance(here.doing, Ended):
                parts.append(gettext("{names} without a turn", names=names))
            else:
                parts.append(gettext("{names} to come", names=names))
        if out := [seat for seat, tally in enumerate(here.tallies) if tally.sits_out]:
            parts.append(gettext("{names} not playing", names=self.names(out)))
        scores = "; ".join(parts) or gettext("nobody plays")
        if self.rules.format.most_rounds == 1:
            return gettext("The round: {scores}.", scores=scores)
        if self.rules.format.rounds is None:
            return gettext("Round {round}: {scores}.", round=here.round, scores=scores)
        return gettext(
            "Round {round} of {rounds}: {scores}.",
            round=here.round,
            rounds=self.rules.format.rounds,
            scores=scores,
        )

    def _scored(self, seat: int) -> str:
        tally, name = self.here.tallies[seat], self.players[seat]
        if tally.shut:
            return gettext(
                "{score} for {name}, {shut}", score=tally.score, name=name, shut=self.shut
            )
        return gettext("{number} for {name}", number=tally.score, name=name)

    def names(self, seats: Sequence[int]) -> str:
        """The players of these seats, listed."""
        return listed(self.players[seat] for seat in seats)

    # What is to beat

    def _to_beat(self) -> Answer:
        says, seats, number = self._beaten()
        format, thrown = self.rules.format, self.rules.thrown(self.here)
        # Where a round of several begins, the totals have just been told.
        no_news = format.most_rounds > 1 and not (thrown or format.target or format.limit)
        contest = isinstance(self.here.doing, Contest)
        quiet = number is None or not self.several or (no_news and not contest)
        return Answer(TO_BEAT, gettext("what is to beat"), says, quiet, seats, number)

    def _beaten(self) -> tuple[str, tuple[int, ...], int | None]:
        """What is to beat, the seats that have it or run for it, and the number it is about."""
        here, rules = self.here, self.rules
        if isinstance(here.doing, Ended):
            return gettext("The match is over."), (), None
        if isinstance(here.doing, Contest):
            if here.doing.rolls:
                totals = [roll.total for roll in here.doing.rolls]
                best = max(totals)
                seats = tuple(
                    seat
                    for seat, total in zip(here.doing.among, totals, strict=False)
                    if total == best
                )
                return gettext("To beat: a throw of {total}.", total=best), seats, best
        elif (end := rules.format.target or rules.format.limit) is not None:
            return self._to_go(end)
        elif (rules.format.rounds or 1) > 1:
            leading, total = self._leading()
            if total is not None:
                return self._total_to_beat(leading, total), leading, total
        elif leading := tuple(rules.leading(here)):
            score, names = here.tallies[leading[0]].score, self.names(leading)
            return (
                gettext("To beat: {score}, by {names}.", score=score, names=names),
                leading,
                score,
            )
        return gettext("There is nothing to beat yet."), (), None

    def _to_go(self, end: int) -> tuple[str, tuple[int, ...], int | None]:
        """How far each player in the match is from its target, or from its limit."""
        tallies = self.here.tallies
        seats = tuple(sorted(self.rules.staying(self.here)))
        left = {seat: max(0, end - _now(tallies[seat])) for seat in seats}
        each = "; ".join(
            gettext("{number} for {name}", number=left[seat], name=self.players[seat])
            for seat in seats
        )
        # At the start it is what the rules say, and no news.
        begun = any(_now(tally) for tally in tallies)
        number = left[self._due()[0]] if begun else None
        if self.rules.format.target is not None:
            return gettext("To go: {each}.", each=each), seats, number
        return gettext("To the limit: {each}.", each=each), seats, number

    def _leading(self) -> tuple[tuple[int, ...], int | None]:
        """Those with the best total of all who have had as many turns, and that total."""
        here, rules = self.here, self.rules
        staying = rules.staying(here)
        thrown = [seat for seat in rules.thrown(here) if seat in staying]
        if not thrown and here.round == 1:
            return (), None
        totals = {seat: _now(here.tallies[seat]) for seat in thrown or staying}
        best = (min if self._low_is_good else max)(totals.values())
        return tuple(seat for seat, total in totals.items() if total == best), best

    def _total_to_beat(self, leading: tuple[int, ...], total: int) -> str:
        names, [due] = self.names(leading), self._due()
        needed = total - self.here.tallies[due].total + (-1 if self._low_is_good else 1)
        # Said where it is for the turn to show whether the total is beaten.
        if not self.rules.thrown(self.here) or not self._decides(needed):
            return gettext("To beat: {total} in all, by {names}.", total=total, names=names)
        name = self.players[due]
        if self._low_is_good:
            return gettext(
                "To beat: {total} in all, by {names}; {name} needs {score} or less.",
                total=total,
                names=names,
                name=name,
                score=needed,
            )
        return gettext(
            "To beat: {total} in all, by {names}; {name} needs {score} or more.",
            total=total,
            names=names,
            name=name,
            score=needed,
        )

    @property
    def _low_is_good(self) -> bool:
        """Whether the lowest total wins."""
        scoring = self.rules.game.scoring
        return scoring is not None and scoring.low_is_good

    def _decides(self, needed: int) -> bool:
        """Whether some turns end so well, and others do not."""
        scoring = self.rules.game.scoring
        assert scoring is not None  # a game without scores is no match
        best, worst = scoring.best, scoring.worst
        return best <= needed < worst if self._low_is_good else worst < needed <= best

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
                return gettext("It is the turn of {name}.", name=names)
            case Contest(about=about):
                return gettext(_THROWS[about], name=names)
            case Opening():
                [seat] = self._due()
                return gettext(
                    "{name} has {chips}, and a round can cost {cost}.",
                    name=names,
                    chips=chips_words(self.here.tallies[seat].chips),
                    cost=chips_words(self.rules.format.needed),
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
    """A number of chips.

    >>> chips_words(1), chips_words(20)
    ('1 chip', '20 chips')
    """
    return ngettext("{number} chip", "{number} chips", number)
