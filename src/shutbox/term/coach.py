"""Advice at the terminal: hints, the cost of a choice, and luck and skill at the end."""

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from shutbox.engine.english import capital
from shutbox.engine.errors import TooLarge
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.play import Play
from shutbox.match import Match
from shutbox.solving.advice.coach import LEVELS, Coach
from shutbox.solving.advice.ranking import chosen_words
from shutbox.solving.progress import Progress
from shutbox.table import Table
from shutbox.term.console import Console, GoesBack

QUICK_SECONDS = 1.5  # a verdict estimated to take longer is left to the review
QUICK_MEMORY = 64 << 20  # bytes; so is one that needs more
_STOPPED = gettext_noop("Stopped; h starts it again.")


@dataclass(eq=False)
class SpokenCoach:
    """The coach at one table: gives hints, and if it `speaks`, says what each choice has cost."""

    table: Table[Any, Any]
    console: Console
    speaks: bool
    progress: Progress

    def __post_init__(self) -> None:
        self._knows = Coach(self.table.game, progress=self.progress)
        self._said: set[str] = set()  # the reasons for no judgement that were already said
        self._hinted: object = None  # the position whose best choice was named

    def hint(self) -> None:
        """Say a hint: at first the best choice; asked again at this position, all choices."""
        position = self.table.position
        try:
            if self._hinted != position:
                first, self._hinted = self._knows.best_and_why(position), position
                if first:
                    self.console.say(*first)
                    return
            self.console.say(*self._knows.hint(position, LEVELS[-1]))
        except KeyboardInterrupt:
            self.console.say(gettext(_STOPPED))

    def prepare_judging(self) -> None:
        """Compute what `judge` needs for the choice due, if it `speaks`; if it fails, say why once.

        A choice that takes too long is not judged, but later ones are. Ctrl-C ends all judging.
        """
        if not self.speaks:
            return
        try:
            why_not = self._knows.prepare_judging(self.table.position)
        except KeyboardInterrupt:
            self.speaks, why_not = False, gettext(_STOPPED)
        if why_not and why_not not in self._said:
            self._said.add(why_not)
            self.console.say(why_not)

    def judge(self, position: object, text: str) -> None:
        """Say what a choice has cost, given in notation, if that was computed before it."""
        if self.speaks:
            self.console.say(*self._knows.judge(position, text)[:1])


def say_verdict(
    play: Play[Any, Any], names: Sequence[str], console: Console, people: Collection[int]
) -> None:
    """Say how luck and play made the result; nothing if it is slow. `people` are their seats.

    A match whose shares of the win are not found quickly is left to the review.
    """
    from shutbox.solving.equity.last_round import outlooks_are_stored
    from shutbox.solving.equity.match_value import first_round_for_win
    from shutbox.solving.review.account_text import account_sentence
    from shutbox.solving.review.report import verdict
    from shutbox.solving.review.review import Reviewer  # the first hint comes sooner without

    reviewer, match = Reviewer(seconds=QUICK_SECONDS, memory=QUICK_MEMORY), play.game
    if isinstance(match, Match) and first_round_for_win(match) == 1:
        is_quick = first_round_for_win(match, QUICK_SECONDS) == 1
        if not (is_quick or outlooks_are_stored(match)):
            return
    with suppress(TooLarge, KeyboardInterrupt):
        review = reviewer.review(play, names)
        # The account of a match that did not begin here would lack turns, and one of several
        # rounds in points would not be of what was played for.
        is_one_round = not isinstance(match, Match) or match.format.most_rounds == 1
        is_whole = play.start == match.start() or not isinstance(match, Match)
        if people and is_whole and (is_one_round or not review.why_points):
            console.say(account_sentence(verdict(review), people))


def say_review(
    play: Play[Any, Any],
    names: Sequence[str],
    console: Console,
    progress: Progress,
    people: Collection[int] = (),
) -> None:
    """Say the account of a game, then walk through the costliest choices; or say why it cannot."""
    from shutbox.solving.review.review import Reviewer
    from shutbox.solving.review.review_text import moments, summary

    reviewer = Reviewer(progress=progress)
    try:
        review = reviewer.review(play, names)
        costly = [*moments(review, people, partial(_why, reviewer, review, people))]
    except TooLarge as error:
        reason = capital(str(error))
        console.say(gettext("This game cannot be reviewed here. {reason}.", reason=reason))
        return
    except KeyboardInterrupt:
        console.say(gettext("Stopped; v starts it again."))
        return
    console.say(*summary(review, people))
    ask, helps = (
        gettext("Enter shows the next one; q ends the review:"),
        gettext("Press Enter for the next choice, or type q to end the review."),
    )
    for number, (lines, retry) in enumerate(costly):
        try:
            if number and console.interactive:
                console.answer(ask, back=True, helps=[helps])
        except GoesBack:
            return
        console.say(*lines)
        console.say(retry, aloud=False)
    if costly:
        console.say(gettext("The review is over."))


def _why(reviewer: Any, review: Any, people: Collection[int], choice: Any) -> str:
    """Return the best choice compared with the one that was made."""
    name = "" if {*people} == {choice.seat} else review.seats[choice.seat].name
    if (turn := reviewer.solved_turn(review, choice.before)) is None:
        return ""
    solution, in_turn = turn
    return chosen_words(solution, in_turn, choice.choice, name)
