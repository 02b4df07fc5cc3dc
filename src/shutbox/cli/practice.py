"""`shutbox practice`: questions about one game, and why the best answer is best."""

import argparse
from contextlib import ExitStack

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import solving_progress
from shutbox.cli.settings import VOICE_OPTIONS, console_of
from shutbox.engine.cups import SecretCup, SeededCup
from shutbox.engine.errors import InUse, NotKept, NotUnderstood
from shutbox.engine.messages import gettext
from shutbox.record.practice_log import PracticeLog
from shutbox.solving import practice as practising
from shutbox.table.lookup import find_any
from shutbox.term.practice import PracticeSession

MOST_QUESTIONS = 1_000_000


def practice_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox practice`."""
    add_shared(parser, "game", nargs="?", default="classic")
    text = gettext("ask this many questions; without it, until you leave")
    parser.add_argument("--questions", type=int, metavar="N", help=text)
    text = gettext("the same text always asks the same questions")
    parser.add_argument("--seed", metavar="TEXT", help=text)
    add_shared(parser, *VOICE_OPTIONS, "--plain")
    parser.set_run(practice, "", "full-house --questions 10")


def practice(arguments: argparse.Namespace) -> None:
    """Ask questions until the player stops or `--questions` are answered; store the answers."""
    questions = arguments.questions
    if questions is not None and not 1 <= questions <= MOST_QUESTIONS:
        raise NotUnderstood(
            "--questions: {number} questions; 1 to {most:,} can be asked",
            number=questions,
            most=MOST_QUESTIONS,
        )
    game = find_any(arguments.game)
    deck = practising.practice(game, progress=solving_progress(game))
    deck.draw(SeededCup(""))  # refuses a game without questions before anything is printed
    cup = SecretCup() if arguments.seed is None else SeededCup(arguments.seed)
    console = console_of(arguments)
    session = PracticeSession(deck, console, cup)
    with ExitStack() as stack:
        try:
            log = stack.enter_context(PracticeLog())
        except (InUse, NotKept) as error:
            session.go_on_without_log(error)
        else:
            session.use_log(log)
        session.run(questions)
