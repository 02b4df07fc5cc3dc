"""Practice questions: positions where the choices differ, as often as they come up in play.

A question is a choice that matters in a turn with random dice. The turn is played perfectly, except
that one choice in MISTAKE_EVERY is random: people make mistakes and need to know how to go on.
"""

from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from shutbox.engine.cups import cup_meant
from shutbox.engine.dice import Cup, Dice
from shutbox.engine.english import in_html
from shutbox.engine.errors import ShutboxError, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw, position_meant
from shutbox.engine.typed_text import check_type, find_named
from shutbox.games.traits import traits_of
from shutbox.solving.advice.ranking import Advice, Compared, advice, compare_choices
from shutbox.solving.options import Number
from shutbox.solving.practice_tally import PracticeTally
from shutbox.solving.progress import Progress, progress_meant
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import solve_from
from shutbox.table.solver_input import turn_meant

MISTAKE_EVERY = 4  # one choice in four is random in a turn that is played to find a question
MOST_TURNS = 400  # played to find a question

COIN = Dice.of(1, 2)  # one die with two sides
LONGEST_REPR = 290  # characters of a question


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """A practice question: a position whose choices differ in value, and what each choice costs."""

    id: str  # the text of the position, without the game's name
    position: Any
    costs: tuple[tuple[str, Number], ...]
    """Each choice in notation with its cost, in canonical order: hashable, as a dict is not."""
    key: Hashable  # equal for the same question, such as after a 6 thrown as 1+5 or as 2+4

    def __repr__(self) -> str:
        return (
            f"Question({self.id}: {', '.join(text for text, _ in self.costs)}"[:LONGEST_REPR] + ")"
        )

    def _repr_html_(self) -> str:
        return in_html(self.id, (text for text, _ in self.costs))

    def cost(self, text: str) -> Number:
        """Return the cost of a choice, in the unit of the aim. Raises NotUnderstood for others."""
        return find_named(text, dict(self.costs))

    @property
    def right(self) -> tuple[str, ...]:
        """The choices that cost nothing, in canonical order."""
        return tuple(text for text, cost in self.costs if not cost)


@dataclass(frozen=True, slots=True)
class Deck:
    """A source of practice questions on a solved game: by position, or drawn from random turns.

    >>> from shutbox.games.catalogue import find
    >>> deck = practice(find("classic"))
    >>> question = deck.question("1.3.4.9/1+3")
    >>> [(text, round(float(cost), 4)) for text, cost in question.costs], question.right
    ([('4', 0.0), ('1 3', 1.5689)], ('4',))
    >>> deck.question("1.2/1+1") is None  # only 2 can go down
    True
    >>> deck.advise(question).why
    '4 shuts the box 6 times in 100. Next best, 1 and 3: 3 times.'
    """

    game: Game[Any, Any]
    solution: Solution[Any, Any]

    def _repr_html_(self) -> str:
        some = {self.draw(str(seed)).id: None for seed in range(5)}
        return in_html(self.game.card().title, some)

    def question(self, position: Any) -> Question | None:
        """Return the question of a position; None if no choice is due, or all are equally good.

        The position can be a text. Raises NotUnderstood or ImpossiblePosition for a text that is
        not a position, and NothingDue for a position that no turn can reach.
        """
        game, solution = self.game, self.solution
        position = position_meant(game, position)
        awaited = game.awaits(position)
        if not isinstance(awaited, Choose) or len(awaited.choices) < 2:
            return None
        options = solution.options(position)
        if not options.differ:
            return None
        texts = [game.choice_text(choice) for choice in options.choices]
        # Two questions are the same if their choices lead to positions that go on alike.
        after = [solution.after(position, choice) for choice in options.choices]
        if (canonical := traits_of(game).canonical) is not None:
            after = [canonical(there) for there in after]
        key = tuple(zip(texts, after, strict=True))
        costs = tuple(zip(texts, options.costs, strict=True))
        return Question(game.position_id(position), position, costs, key)

    def next_missed(self, tally: PracticeTally) -> tuple[Question | None, PracticeTally]:
        """Return the missed question that is due, or None; and the tally without impossible ones.

        Those cannot be asked any more: the file of answers is damaged, or the box has other rules.
        """
        while (id := tally.due_id) is not None:
            with suppress(ShutboxError):
                if question := self.question(id):
                    return question, tally
            tally = tally.without_missed(id)
        return None, tally

    def compare(self, question: Question, text: str, named: Callable[[str], str] = str) -> Compared:
        """Compare the best choice of a question with the choice `text`; see `compare_choices`."""
        advice = self.advise(question)
        comparison = compare_choices(advice.ranked, advice.aim, self.game, text, named)
        assert comparison is not None  # the choices of a question differ
        return comparison

    def advise(self, question: Question | str) -> Advice:
        """Return the ranked choices of a question, or of a position, and why the first is best.

        Raises as `question` for a text, and NothingDue if no choice is due.
        """
        position = question.position if isinstance(question, Question) else question
        return advice(self.solution, position_meant(self.game, position))

    def draw(
        self, cup: Cup | str | int | None = None, recent: Collection[Hashable] = ()
    ) -> Question:
        """Play turns, and return a question from one, if possible with a `key` not in `recent`.

        `cup` is a cup or a seed; None is the system's dice. It throws the dice of the turns and
        makes all other random decisions. Raises NotUnderstood for any other cup, and TooLarge if
        no choice matters in any of MOST_TURNS turns.
        """
        check_type(recent, Collection)
        cup, recent = cup_meant(cup), tuple(recent)
        repeated: Question | None = None
        for _ in range(MOST_TURNS):
            questions = self._play_turn(cup)
            if fresh := [question for question in questions if question.key not in recent]:
                return fresh[_random_below(len(fresh), cup)]
            repeated = repeated or next(iter(questions), None)
        if repeated is None:
            raise TooLarge(
                "{game}: no choice matters, so there is nothing to practise", game=self.game.name
            )
        return repeated

    def _play_turn(self, cup: Cup) -> list[Question]:
        """Play one turn, with one choice in MISTAKE_EVERY at random; return the questions in it."""
        game, position = self.game, self.game.start()
        questions = []
        while not isinstance(awaited := game.awaits(position), Over):
            if isinstance(awaited, Throw):
                position = game.rolled(position, cup.throw(awaited.dice))
                continue
            choices, choice = awaited.choices, self.solution.options(position).choice
            if (question := self.question(position)) is not None:
                questions.append(question)
            if len(choices) > 1 and _random_below(MISTAKE_EVERY, cup) == 0:
                choice = choices[_random_below(len(choices), cup)]
            position = game.chosen(position, choice)
        return questions


def _random_below(number: int, cup: Cup) -> int:
    """Return a random number from 0 to `number` - 1, by throwing its binary digits."""
    digits = range((number - 1).bit_length())
    while True:
        value = sum((cup.throw(COIN).total - 1) << digit for digit in digits)
        if value < number:
            return value


def practice(game: Game[Any, Any] | str = "classic", *, progress: Progress | None = None) -> Deck:
    """Return the Deck of a game, which is solved now.

    >>> import shutbox
    >>> question = shutbox.practice("classic").draw("pub")
    >>> question.id, question.right
    ('1.2.3.4.5.7.8.9/1+6', ('7',))

    Raises NotUnderstood for a match, TooLarge for a game without scores or end or one that cannot
    be solved within the limits, and what `find` raises for a name.
    """
    game = turn_meant(game)
    return Deck(game, solve_from(game, progress=progress_meant(progress)))
