"""`shutbox practice`: questions about one game, and what was answered before."""

import argparse
from contextlib import ExitStack

from shutbox.analysis.practice import PracticeTally, Question, deck_of
from shutbox.cli.consoles import add_plain, add_voice, console_of
from shutbox.cli.output import Told
from shutbox.cli.parser import Parser
from shutbox.cups import SecretCup, SeededCup
from shutbox.errors import InUse, NotKept, NotUnderstood, ShutboxError
from shutbox.lookup import find_any
from shutbox.messages import gettext, ngettext
from shutbox.solver.solution import Number
from shutbox.store.practice_log import Answered, PracticeLog
from shutbox.term.practice import Practice

MOST_QUESTIONS = 1_000_000


def add_practice(parser: Parser) -> None:
    """Add the arguments of `shutbox practice`."""
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml "
        "(default: classic)"
    )
    parser.add_argument("game", nargs="?", default="classic", metavar="GAME", help=about)
    about = gettext("ask this many questions; without it, until you leave")
    parser.add_argument("--questions", type=int, metavar="N", help=about)
    about = gettext("the same questions for the same text")
    parser.add_argument("--seed", metavar="TEXT", help=about)
    add_voice(parser)
    add_plain(parser)
    parser.runs(practice, "practice", "practice full-house --questions 10")


def practice(arguments: argparse.Namespace) -> None:
    """Ask questions until the player has had enough."""
    questions = arguments.questions
    if questions is not None and not 1 <= questions <= MOST_QUESTIONS:
        facts = {"number": questions, "most": MOST_QUESTIONS}
        raise NotUnderstood("--questions: {number} questions; 1 to {most:,} can be asked", **facts)
    game = find_any(arguments.game)
    deck = deck_of(game, Told(gettext("Solving {game}", game=game.name)))
    # A game without questions is refused before anything is said or written.
    deck.drawn(SeededCup("").throw)
    cup = SecretCup() if arguments.seed is None else SeededCup(arguments.seed)
    console = console_of(arguments)

    def go_on_without(error: ShutboxError) -> None:
        console.refuse(error)
        console.say(gettext("Practice goes on; your answers are not kept."))

    with ExitStack() as stack:
        log, tally = None, PracticeTally()
        try:
            log = stack.enter_context(PracticeLog())
        except (InUse, NotKept) as error:
            go_on_without(error)
        if log is not None and log.damaged:
            damaged = ngettext(
                "In {path} {number} line is damaged; it is left out.",
                "In {path} {number} lines are damaged; they are left out.",
                log.damaged,
                path=log.path,
            )
            console.say(damaged)
        for one in log.of(game.name) if log is not None else ():
            tally = tally.answered(one.position, cost=one.cost, hinted=one.hinted)

        def keep(question: Question, choice: str, cost: Number, hinted: bool) -> None:
            """Keep an answer, or say once that nothing is kept from here on."""
            nonlocal log
            if log is None:
                return
            try:
                log.add(Answered(game.name, question.id, choice, float(cost), hinted))
            except NotKept as error:
                log = None
                go_on_without(error)

        Practice(deck, console, tally, throw=cup.throw, keep=keep).run(questions)
