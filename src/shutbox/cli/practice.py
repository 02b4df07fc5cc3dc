"""`shutbox practice`: questions about one game, and why the best answer is best."""

import argparse
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import solving
from shutbox.cli.settings import VOICE, console_of
from shutbox.engine.cups import SecretCup, SeededCup
from shutbox.engine.english import capital, percent
from shutbox.engine.errors import InUse, NotKept, NotUnderstood, ShutboxError
from shutbox.engine.messages import gettext, ngettext, pgettext
from shutbox.engine.narrator import Narrator
from shutbox.engine.typed_text import in_ascii
from shutbox.record.practice_log import Answered, PracticeLog
from shutbox.solving.advice.ranking import ranked_words
from shutbox.solving.practice import Deck, PracticeTally, Question, Thrower
from shutbox.solving.practice import practice as deck_of
from shutbox.solving.value_text import aim_words, at_table
from shutbox.table.lookup import find_any
from shutbox.term.console import Console, Stopped

MOST_QUESTIONS = 1_000_000


def practice_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox practice`."""
    add_shared(parser, "game", nargs="?", default="classic")
    about = gettext("ask this many questions; without it, until you leave")
    parser.add_argument("--questions", type=int, metavar="N", help=about)
    about = gettext("the same text always asks the same questions")
    parser.add_argument("--seed", metavar="TEXT", help=about)
    add_shared(parser, *VOICE, "--plain")
    parser.runs(practice, "", "full-house --questions 10")


def practice(arguments: argparse.Namespace) -> None:
    """Ask questions until the player stops or `--questions` are answered; store the answers."""
    questions = arguments.questions
    if questions is not None and not 1 <= questions <= MOST_QUESTIONS:
        facts = {"number": questions, "most": MOST_QUESTIONS}
        raise NotUnderstood("--questions: {number} questions; 1 to {most:,} can be asked", **facts)
    game = find_any(arguments.game)
    deck = deck_of(game, progress=solving(game))
    # Refuse a game without questions before anything is printed or stored.
    deck.drawn(SeededCup("").throw)
    cup = SecretCup() if arguments.seed is None else SeededCup(arguments.seed)
    console = console_of(arguments)
    round = _Practice(deck, console, cup.throw)
    with ExitStack() as stack:
        try:
            round.take_up(stack.enter_context(PracticeLog()))
        except (InUse, NotKept) as error:
            round.go_on_without_log(error)
        round.run(questions)


LATELY = 20  # the last questions are not drawn again while there are others
MOST_RANKED = 5  # choices to list; more would be too much to hear


class _Practice:
    """A round of practice: asks the questions of a deck one after the other, drawn by `throw`."""

    def __init__(self, deck: Deck, console: Console, throw: Thrower) -> None:
        self.deck = deck
        self.console = console
        self.throw = throw
        self.tally = self._before = PracticeTally()  # of all answers; of those of earlier practice
        self._log: PracticeLog | None = None
        self._lately: deque[object] = deque(maxlen=LATELY)
        self._hinted = False
        self._last: tuple[Question, str] | None = None
        self._card = deck.game.card()
        self._aim = deck.solution.aim.name
        self._commands = {key: (run, about) for key, run, about in self._offered()}

    def take_up(self, log: PracticeLog) -> None:
        """Tell of damage to a log, count its earlier answers, and store further ones there."""
        self._log = log
        if log.damaged:
            damaged = ngettext(
                "In {path} {number} line is damaged; it is left out.",
                "In {path} {number} lines are damaged; they are left out.",
                log.damaged,
                path=log.path,
            )
            self.console.say(damaged)
        for one in log.of(self.deck.game.name):
            self.tally = self.tally.answered(one.position, cost=one.cost, hinted=one.hinted)
        self._before = self.tally

    def go_on_without_log(self, error: ShutboxError) -> None:
        """Say why answers cannot be stored, and store no more."""
        self._log = None
        self.console.refuse(error)
        self.console.say(gettext("Practice goes on; your answers are not kept."))

    def _offered(self) -> Iterator[tuple[str, Callable[[Question], object], str]]:
        """Yield each command: what to type, the function it runs, and its line in the help."""
        say = self.console.say
        scene = self.deck.game.scene
        yield "h", self._hint, gettext("a hint: what each choice does to the next throw")
        yield "why", self._why, gettext("ranks the choices of the last question, and says why")
        yield "l", lambda q: say(scene(q.position).legal), gettext("all legal choices")
        yield "d", lambda q: say(scene(q.position).dice), gettext("what the dice show")
        about = scene(self.deck.game.start()).about_board
        yield "b", lambda q: say(scene(q.position).board), about
        yield "r", lambda q: say(*self._card.lines), gettext("the rules in play")
        yield "?", self._help, pgettext("what a command does", "this help")
        yield "q", self._stop, gettext("leaves; your answers are saved")

    def run(self, questions: int | None) -> None:
        """Ask this many questions, or with None endlessly, unless the player stops; then sum up."""
        say = self.console.say
        aim = aim_words(self._aim, self._card)
        say(gettext("Practice: {title}, played {aim}.", title=self._card.title, aim=aim))
        if self.tally.asked:
            say(self._tally_line())
        say(gettext("Type ? for help, q to leave."))
        with suppress(Stopped):
            for number in count(1) if questions is None else range(1, questions + 1):
                self._ask(number)
        say(self._summary())

    def _ask(self, number: int) -> None:
        """Ask a question, headed by its number, until it is answered; judge it. Raises Stopped."""
        again, self.tally = self.deck.missed(self.tally)
        question = again or self.deck.drawn(self.throw, self._lately)
        self._lately.append(question.key)
        self._hinted = False
        scene = self.deck.game.scene(question.position)
        head = gettext("Question {number}.", number=number)
        if again:
            head = gettext("Question {number}, which you missed before.", number=number)
        self.console.say(head, *Narrator(self.deck.game, ()).resume(question.position), scene.legal)
        self.console.draw(scene.pieces)
        while (text := self._answer(question)) is None:
            pass
        self._judge(question, text)

    def _answer(self, question: Question) -> str | None:
        """Return the choice typed; None after a handled command, error or Enter. Raises Stopped."""
        game, scene = self.deck.game, self.deck.game.scene(question.position)
        ask = gettext("{question} Type one of these, h for a hint, q to leave:", question=scene.ask)
        answer = self.console.answer(ask)
        word = in_ascii(answer).lower()
        if command := self._commands.get({"hint": "h", "help": "?"}.get(word, word)):
            command[0](question)
            return None
        if not answer:
            self.console.say(scene.legal)
            return None
        try:
            return game.choice_text(game.parse_choice(question.position, answer))
        except ShutboxError as error:
            self.console.refuse(error)
            return None

    def _judge(self, question: Question, text: str) -> None:
        """Store and count the answer `text`, and say whether it is right, and why."""
        cost = question.cost(text)
        if self._log is not None:
            game, hinted = self.deck.game.name, self._hinted
            try:
                self._log.add(Answered(game, question.id, text, float(cost), hinted))
            except NotKept as error:
                self.go_on_without_log(error)
        self.tally = self.tally.answered(question.id, cost=cost, hinted=self._hinted)
        self._last = question, text
        found = self.deck.compared(question, text)
        says = self.tally.words(found.best.says, cost)
        if self._hinted and not cost:
            says = gettext("Right with a hint. It comes again.")
        self.console.say(says, found.says)

    def _hint(self, question: Question) -> None:
        """Say what each choice does to the next throw, and its chance to shut, but not its value.

        The answer to the question then counts as one with a hint.
        """
        self._hinted = True
        found = self.deck.why(question)
        for one in (found.of(text) for text, _ in question.costs):
            facts = [
                gettext("{shuts} {value}", shuts=self._card.shuts, value=percent(one.shut or 0))
            ]
            if one.ends is not None:
                ends = percent(one.ends)
                facts.insert(
                    0, gettext("the next throw ends the turn {value} of the time", value=ends)
                )
            line = gettext("{choice}: {facts}.", choice=capital(one.says), facts="; ".join(facts))
            self.console.say(line)

    def _why(self, question: Question) -> None:
        if self._last is None:
            self.console.say(gettext("You have not answered a question yet."))
            return
        ranked = self.deck.why(self._last[0]).ranked[:MOST_RANKED]
        lines = (ranked_words(self._aim, one, self._card, at_table) for one in ranked)
        self.console.say(*lines, self.deck.compared(*self._last).says)

    def _help(self, question: Question) -> None:
        self.console.say(self._card.typing)
        for key, (_, about) in self._commands.items():
            self.console.say(gettext("{key}: {about}.", key=key, about=about))

    def _stop(self, question: Question) -> None:
        raise Stopped

    def _tally_line(self) -> str:
        facts = {"right": self.tally.right, "number": self.tally.asked}
        again = len(self.tally.missed)
        if not again:
            return gettext("So far {right} of {number} right.", **facts)
        return ngettext(
            "So far {right} of {number} right; {again} question comes again.",
            "So far {right} of {number} right; {again} questions come again.",
            again,
            **facts,
            again=again,
        )

    def _summary(self) -> str:
        asked = self.tally.asked - self._before.asked
        right = self.tally.right - self._before.right
        if not asked:
            return pgettext("farewell", "Goodbye.")
        return ngettext(
            "{number} question, {right} right without a hint.",
            "{number} questions, {right} right without a hint.",
            asked,
            right=right,
        )
