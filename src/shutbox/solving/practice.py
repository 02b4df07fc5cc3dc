"""Practice questions: positions where the choices differ, as often as they come up in play.

A question is a choice that matters in a turn with random dice. The turn is played perfectly, except
that one choice in ERR is random: people make mistakes and need to know how to go on.

A question that was answered wrong is missed: it is asked again after a few others, see GAPS. The
tally is an immutable value that follows from the sequence of answers, so only these are stored.
"""

from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from shutbox.engine.cups import cup_meant
from shutbox.engine.dice import Cup, Dice, Roll
from shutbox.engine.english import in_html
from shutbox.engine.errors import ShutboxError, TooLarge
from shutbox.engine.game import Choose, Game, Over, Throw, position_meant
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.typed_text import check_is, find_named
from shutbox.games.traits import traits_of
from shutbox.solving.advice.ranking import Advice, Compared, advice, compared
from shutbox.solving.fold import unchanged
from shutbox.solving.graph import Progress, or_silent
from shutbox.solving.options import Number
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import solve_once, turn_named

GAPS = (3, 8, 20)
"""The numbers of answers until a missed question comes again. Each right answer moves it on to the
next gap; after the last one it is dropped."""
ERR = 4  # one choice in four is random in a turn that is played to find a question
MOST_TURNS = 400  # played to find a question
MOST_MISSED = 500  # waiting questions; if there are more, those due first are dropped

COIN = Dice.of(1, 2)

Thrower = Callable[[Dice], Roll]


@dataclass(frozen=True, slots=True, repr=False)
class Question:
    """A practice question: a position whose choices differ in value, and what each choice costs."""

    id: str  # the text of the position, without the game's name
    position: Any
    costs: tuple[tuple[str, Number], ...]  # each choice in notation, and its cost; canonical order
    key: Hashable  # equal for the same question, such as after a 6 thrown as 1+5 or as 2+4

    def __repr__(self) -> str:
        return f"Question({self.id}: {', '.join(text for text, _ in self.costs)}"[:290] + ")"

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
class Missed:
    """A question that was answered wrong or with a hint, and that is asked again later."""

    id: str
    due: int  # the total number of answers after which it comes again
    rights: int = 0  # right answers in a row since then


@dataclass(frozen=True, slots=True)
class PracticeTally:
    """A player's answers to the questions of one game, added up.

    >>> tally = PracticeTally().answered("1.3.4.9/1+3", cost=0.25)
    >>> for position in ("1-9/1+2", "1-9/1+3", "1-9/1+4"):
    ...     print(tally.due, tally.right, "of", tally.asked)
    ...     tally = tally.answered(position, cost=0)
    None 0 of 1
    None 1 of 2
    None 2 of 3
    >>> tally.due
    '1.3.4.9/1+3'
    """

    asked: int = 0
    right: int = 0  # without a hint
    missed: tuple[Missed, ...] = field(default=(), repr=False)  # in the order they are due
    row: int = 0  # right answers in a row until now

    @property
    def due(self) -> str | None:
        """The id of the missed question that is due now; None if none is due."""
        return next((first.id for first in self.missed[:1] if first.due <= self.asked), None)

    def answered(self, id: str, *, cost: Number, hinted: bool = False) -> "PracticeTally":
        """Return the tally after an answer: right if without cost and hint, else missed."""
        right = not cost and not hinted
        rest = {missed.id: missed for missed in self.missed}
        before = rest.pop(id, None)
        asked = self.asked + 1
        if not right:
            rest[id] = Missed(id, asked + GAPS[0])
        elif before is not None and (rights := before.rights + 1) < len(GAPS):
            rest[id] = Missed(id, asked + GAPS[rights], rights)
        in_order = sorted(rest.values(), key=lambda missed: missed.due)[-MOST_MISSED:]
        row = self.row + 1 if right else 0
        return PracticeTally(asked, self.right + right, tuple(in_order), row)

    def words(self, best: str, cost: Number) -> str:
        """Return what to say of an answer that has just been counted; `best` is the best choice.

        >>> PracticeTally(9, 9, row=7).words("9", 0), PracticeTally(9, 8).words("9", 0.8)
        ('Right. 7 in a row.', 'Better: 9.')
        """
        if cost:
            return gettext("Better: {choice}.", choice=best)
        if self.row < 2:
            return pgettext("answer", "Right.")
        return gettext("Right. {number} in a row.", number=self.row)

    def without(self, id: str) -> "PracticeTally":
        """Return a tally in which a question is not missed, for one that can no longer be asked."""
        return replace(self, missed=tuple(m for m in self.missed if m.id != id))


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
    >>> deck.why(question).why
    '4 shuts the box 6 times in 100. Next best, 1 and 3: 3 times.'
    """

    game: Game[Any, Any]
    solution: Solution[Any, Any]

    def _repr_html_(self) -> str:
        some = {self.drawn(str(seed)).id: None for seed in range(5)}
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
        after = [solution.after(position, choice) for choice in options.choices]
        texts = [game.choice_text(choice) for choice in options.choices]
        key = tuple(zip(texts, map(traits_of(game).canonical or unchanged, after), strict=True))
        costs_by_text = tuple(zip(texts, options.costs, strict=True))
        return Question(game.position_id(position), position, costs_by_text, key)

    def missed(self, tally: PracticeTally) -> tuple[Question | None, PracticeTally]:
        """Return the missed question that is due, or None; and the tally without impossible ones.

        Those cannot be asked any more: the file of answers is damaged, or the box has other rules.
        """
        while (id := tally.due) is not None:
            with suppress(ShutboxError):
                if question := self.question(id):
                    return question, tally
            tally = tally.without(id)
        return None, tally

    def compared(
        self, question: Question, text: str, named: Callable[[str], str] = str
    ) -> Compared:
        """Compare the best choice of a question with the choice `text`; see `ranking.compared`."""
        found = self.why(question)
        told = compared(found.ranked, found.aim, self.game, text, named)
        assert told is not None  # the choices of a question differ
        return told

    def why(self, question: Question | str) -> Advice:
        """Return the ranked choices of a question, or of a position, and why the best one is."""
        here = question.position if isinstance(question, Question) else question
        return advice(self.solution, position_meant(self.game, here))

    def drawn(
        self, cup: Cup | Thrower | str | int | None = None, lately: Collection[Hashable] = ()
    ) -> Question:
        """Play turns, and return a question from one, if possible with a `key` not in `lately`.

        `cup` is a cup, a function that throws, or a seed; None is the system's dice. It throws the
        dice of the turn and makes all other random draws. Raises NotUnderstood for any other cup,
        and TooLarge if no choice matters in any of MOST_TURNS turns.
        """
        check_is(lately, Collection)
        lately, throw = [*lately], cup if callable(cup) else cup_meant(cup).throw
        found: Question | None = None
        for _ in range(MOST_TURNS):
            asked = self._turn(throw)
            fresh = [question for question in asked if question.key not in lately]
            if fresh:
                return fresh[_one_of(len(fresh), throw)]
            found = found or next(iter(asked), None)
        if found is None:
            raise TooLarge(
                "{game}: no choice matters, so there is nothing to practise", game=self.game.name
            )
        return found

    def _turn(self, throw: Thrower) -> list[Question]:
        """Play one turn, with one choice in ERR at random, and return the questions in it."""
        game, position = self.game, self.game.start()
        questions = []
        while not isinstance(awaited := game.awaits(position), Over):
            if isinstance(awaited, Throw):
                position = game.rolled(position, throw(awaited.dice))
                continue
            choices, choice = awaited.choices, self.solution.options(position).choice
            if (question := self.question(position)) is not None:
                questions.append(question)
            if len(choices) > 1 and not _one_of(ERR, throw):
                choice = choices[_one_of(len(choices), throw)]
            position = game.chosen(position, choice)
        return questions


def _one_of(number: int, throw: Thrower) -> int:
    """Return a random number from 0 to below `number`, by throwing its binary digits."""
    digits = range((number - 1).bit_length())
    while True:
        found = sum(throw(COIN).total - 1 << digit for digit in digits)
        if found < number:
            return found


def practice(game: Game[Any, Any] | str = "classic", *, progress: Progress | None = None) -> Deck:
    """Return the Deck of a game, whose solution is made now or read from its file.

    >>> import shutbox
    >>> question = shutbox.practice("classic").drawn("pub")
    >>> question.id, question.right
    ('1.2.3.4.5.7.8.9/1+6', ('7',))

    Raises NotUnderstood for a match, TooLarge for a game without scores or end or one that cannot
    be solved within the limits, and what `find` raises for a name.
    """
    game = turn_named(game)
    return Deck(game, solve_once(game, progress=or_silent(progress)))
