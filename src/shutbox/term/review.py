"""Luck and skill of a game, reported at the terminal once it is over."""

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

QUICK_SECONDS = 0.5  # longer estimates are left to the review
QUICK_MEMORY = 64 << 20  # bytes


def say_verdict(
    play: Play[Any, Any], names: Sequence[str], console: Console, seats: Container[int]
) -> None:
    """Print the expected and actual result, luck and mistakes of these seats, if that is quick.

    A match whose shares of the win are not found that quickly is left to the review.
    """
    reviewer = Reviewer(seconds=QUICK_SECONDS, memory=QUICK_MEMORY)
    with suppress(TooLarge, KeyboardInterrupt):
        review = reviewer.review(play, names)
        if review.why_points:
            return
        found = verdict(review, play.position, reviewer.perfect_scores(play))
        lines = enumerate(verdict_sentences(found))
        console.say(*(line for seat, line in lines if seat in seats))


def say_review(
    play: Play[Any, Any], names: Sequence[str], console: Console, progress: Progress
) -> None:
    """Print every seat's luck and skill and the costliest choices, or why there is no review."""
    try:
        console.say(*sentences(Reviewer(progress=progress).review(play, names)))
    except TooLarge as error:
        reason = capital(str(error))
        console.say(gettext("This game cannot be reviewed here. {reason}.", reason=reason))
    except KeyboardInterrupt:
        console.say(gettext("Stopped; v starts it again."))
