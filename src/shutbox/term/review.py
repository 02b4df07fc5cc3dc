"""What was luck and what was skill, told at the terminal once a game is over."""

from collections.abc import Container, Sequence
from contextlib import suppress
from typing import Any

from shutbox.analysis.review.review import Reviewer
from shutbox.analysis.review.verdict import verdict, verdict_sentences
from shutbox.analysis.review.wording import sentences
from shutbox.english import capital
from shutbox.errors import TooLarge
from shutbox.messages import gettext
from shutbox.play import Play
from shutbox.solver.graph import Progress
from shutbox.term.console import Console

QUICK_SECONDS = 0.5  # what is estimated to take longer is told when somebody asks for a review
QUICK_MEMORY = 64 << 20  # bytes


def tell_verdict(
    play: Play[Any, Any], names: Sequence[str], console: Console, seats: Container[int]
) -> None:
    """Say what was expected, luck, mistakes and the result of these seats, if that takes no time.

    A match that is not known for the win in that time is left to the review.
    """
    reviewer = Reviewer(seconds=QUICK_SECONDS, memory=QUICK_MEMORY)
    with suppress(TooLarge, KeyboardInterrupt):
        review = reviewer.review(play, names)
        if review.why_points:
            return
        found = verdict(review, play.position, reviewer.perfect_scores(play))
        said = enumerate(verdict_sentences(found))
        console.say(*(line for seat, line in said if seat in seats))


def tell_review(
    play: Play[Any, Any], names: Sequence[str], console: Console, progress: Progress
) -> None:
    """Say the sums of every seat and the choices that cost most, or why nobody knows them."""
    try:
        console.say(*sentences(Reviewer(progress=progress).review(play, names)))
    except TooLarge as error:
        reason = capital(str(error))
        console.say(gettext("This game cannot be reviewed here. {reason}.", reason=reason))
    except KeyboardInterrupt:
        console.say(gettext("Stopped; v starts it again."))
