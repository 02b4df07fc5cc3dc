"""What was luck and what was skill, told at the terminal once a game is over."""

from collections.abc import Sequence
from typing import Any

from shutbox.analysis.review.review import Reviewer
from shutbox.analysis.review.wording import sentences
from shutbox.english import capital
from shutbox.errors import TooLarge
from shutbox.messages import gettext
from shutbox.play import Play
from shutbox.solver.graph import Progress
from shutbox.term.console import Console


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
        console.say(gettext("Stopped working it out; v begins once more."))
