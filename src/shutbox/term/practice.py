"""Practice at a terminal: questions about one game, and why the best answer is best."""

from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count
from typing import NamedTuple

from shutbox.engine.dice import Cup
from shutbox.engine.english import capital, joined_clauses
from shutbox.engine.errors import NotKept, ShutboxError
from shutbox.engine.messages import gettext, ngettext, pgettext
from shutbox.engine.typed_text import own_word, typed_line
from shutbox.record.practice_log import PracticeAnswer, PracticeLog
from shutbox.solving.advice.ranking import ranked_words, risk_words
from shutbox.solving.practice import Deck, Question
from shutbox.solving.practice_tally import PracticeTally
from shutbox.solving.value_text import aim_words, at_table
from shutbox.term.console import Console, Stopped

RECENT = 20  # the last questions are not drawn again while there are others
MOST_RANKED = 5  # choices to list; more would be too much to hear
_WORDS = {"hint": "h", "help": "?"}  # other words for the commands


class _Command(NamedTuple):
    run: Callable[[Question], object]
    about: str  # its line in the help


class PracticeSession:
    """Asks questions of a deck at a console: those missed before, and new ones drawn by a cup."""

    def __init__(self, deck: Deck, console: Console, cup: Cup) -> None:
        self._deck = deck
        self._console = console
        self._cup = cup
        self._tally = PracticeTally()  # of all answers
        self._before = self._tally  # of the answers before this session
        self._log: PracticeLog | None = None
        self._recent: deque[object] = deque(maxlen=RECENT)  # keys of questions
        self._hinted = False  # whether a hint to the open question was given
        self._last: tuple[Question, str] | None = None  # the last question, and its answer
        self._card = deck.game.card()
        self._aim = deck.solution.aim.name
        self._commands = {key: _Command(run, about) for key, run, about in self._offer_commands()}

    def use_log(self, log: PracticeLog) -> None:
        """Count the earlier answers of a log, say if it is damaged, and store answers there."""
        self._log = log
        if log.damaged:
            damaged = ngettext(
                "In {path} {number} line is damaged; it is left out.",
                "In {path} {number} lines are damaged; they are left out.",
                log.damaged,
                path=log.path,
            )
            self._console.say(damaged)
        for earlier in log.of(self._deck.game.name):
            cost, hinted = earlier.cost, earlier.hinted
            self._tally = self._tally.answered(earlier.position, cost=cost, hinted=hinted)
        self._before = self._tally

    def go_on_without_log(self, error: ShutboxError) -> None:
        """Say why answers cannot be stored, and store no more."""
        self._log = None
        self._console.refuse(error)
        self._console.say(gettext("Practice goes on; your answers are not kept."))

    def _offer_commands(self) -> Iterator[tuple[str, Callable[[Question], object], str]]:
        """Yield what to type for each command, and its `run` and `about`, in order of the help."""
        say, scene = self._console.say, self._deck.game.scene
        yield "h", self._hint, gettext("a hint: what each choice does to the next throw")
        yield "why", self._why, gettext("ranks the choices of the last question, and says why")
        yield (
            "l",
            lambda question: say(scene(question.position).legal),
            gettext("all legal choices"),
        )
        about_board = scene(self._deck.game.start()).about_board
        yield "b", lambda question: say(scene(question.position).board), about_board
        yield "r", lambda question: say(*self._card.lines), gettext("the rules in play")
        yield "?", self._help, pgettext("what a command does", "this help")
        yield "q", self._stop, gettext("leaves; your answers are saved")

    def run(self, questions: int | None) -> None:
        """Ask `questions` questions, or endlessly if None, until the player stops; then sum up."""
        say = self._console.say
        aim = aim_words(self._aim, self._card)
        say(gettext("Practice: {title}, played {aim}.", title=self._card.title, aim=aim))
        if self._tally.asked:
            say(self._tally_line())
        say(gettext("Type h for a hint, ? for help, q to leave."))
        numbers = count(1) if questions is None else range(1, questions + 1)
        with suppress(Stopped):
            for number in numbers:
                if questions is None:
                    heading = gettext("Question {number}.", number=number)
                else:
                    heading = gettext("Question {number} of {all}.", number=number, all=questions)
                self._ask(heading)
        say(self._summary())

    def _ask(self, heading: str) -> None:
        """Ask a question, `heading` and its facts first; judge the answer. Raises Stopped."""
        missed, self._tally = self._deck.next_missed(self._tally)
        question = missed or self._deck.draw(self._cup, self._recent)
        self._recent.append(question.key)
        self._hinted = False
        scene = self._deck.game.scene(question.position)
        facts = list(scene.own)
        if scene.board not in facts:
            # The board comes first; what it says is not said again.
            facts = [scene.board, *(fact for fact in facts if fact not in scene.board)]
        if missed:
            facts.append(gettext("You have had this question before."))
        self._console.say(heading, *facts, own=True)  # no key silences what it is about
        self._console.draw(scene.pieces)
        while (choice := self._read_choice(question)) is None:
            pass
        self._judge(question, choice)

    def _read_choice(self, question: Question) -> str | None:
        """Return the choice typed, in notation; None after a command, a refusal, or Enter alone.

        Raises Stopped.
        """
        game = self._deck.game
        scene = game.scene(question.position)
        answer = self._console.answer(scene.ask)
        word = typed_line(answer)
        if command := self._commands.get(_WORDS.get(word, word)):
            command.run(question)
            return None
        if not answer:  # Enter alone
            self._console.say(scene.legal)
            return None
        try:
            return game.choice_text(game.parse_choice(question.position, answer))
        except ShutboxError as error:
            self._console.refuse(error)
            return None

    def _judge(self, question: Question, choice: str) -> None:
        """Store and count the answer, a choice in notation; say whether it is right, and why."""
        cost = question.cost(choice)
        if self._log is not None:
            game = self._deck.game.name
            try:
                self._log.add(PracticeAnswer(game, question.id, choice, float(cost), self._hinted))
            except NotKept as error:
                self.go_on_without_log(error)
        self._tally = self._tally.answered(question.id, cost=cost, hinted=self._hinted)
        self._last = question, choice
        comparison = self._deck.compare(question, choice)
        if self._hinted and not cost:
            verdict = gettext("Right with a hint. It comes again.")
        else:
            verdict = self._tally.verdict(comparison.best.says, cost)
        self._console.say(verdict, own=True)
        self._console.say(comparison.says)

    def _hint(self, question: Question) -> None:
        """Say what each choice does to the next throw, and its chance to shut, but not its value.

        The answer to the question then counts as one with a hint.
        """
        self._hinted = True
        advice = self._deck.advise(question)
        for text, _ in question.costs:  # in canonical order, which does not give the best away
            choice = advice.of(text)
            facts = joined_clauses([*risk_words(self._aim, choice, self._card)])
            says = capital(choice.says)
            self._console.say(gettext("{choice}: {facts}.", choice=says, facts=facts))

    def _why(self, question: Question) -> None:
        """Rank the choices of the last question, and say how the answer compares with the best."""
        if self._last is None:
            self._console.say(gettext("You have not answered a question yet."))
            return
        answered, choice = self._last
        ranked = self._deck.advise(answered).ranked[:MOST_RANKED]
        lines = (ranked_words(self._aim, each, self._card, at_table) for each in ranked)
        self._console.say(*lines, self._deck.compare(answered, choice).says)

    def _help(self, question: Question) -> None:
        self._console.say(self._card.typing)
        for key, command in self._commands.items():
            self._console.say(gettext("{key}: {about}.", key=own_word(key), about=command.about))

    def _stop(self, question: Question) -> None:
        raise Stopped

    def _tally_line(self) -> str:
        """Return the sentence about all answers so far, of earlier sessions, too."""
        facts = {"right": self._tally.right, "number": self._tally.asked}
        missed_count = len(self._tally.missed)
        if not missed_count:
            return gettext("So far {right} of {number} right.", **facts)
        return ngettext(
            "So far {right} of {number} right; {again} question comes again.",
            "So far {right} of {number} right; {again} questions come again.",
            missed_count,
            **facts,
            again=missed_count,
        )

    def _summary(self) -> str:
        """Return the farewell, with the answers of this session if there are any."""
        answer_count = self._tally.asked - self._before.asked
        right = self._tally.right - self._before.right
        if not answer_count:
            return pgettext("farewell", "Goodbye.")
        return ngettext(
            "Goodbye. {number} question, {right} right without a hint.",
            "Goodbye. {number} questions, {right} right without a hint.",
            answer_count,
            right=right,
        )
