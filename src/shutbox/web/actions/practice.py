"""Practice: workers draw positions where the choices differ, and judge the answers."""

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from shutbox.engine.cups import SecretCup
from shutbox.engine.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.match import Match
from shutbox.solving.advice.ranking import Advice, Compared, Ranked
from shutbox.solving.practice import Deck, Question, practice
from shutbox.solving.practice_tally import PracticeTally
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute import tasks
from shutbox.web.compute.tasks import AnyGame, cached


class NextQuestion(NamedTuple):
    """A question to ask."""

    id: str  # its position, in the game's notation
    missed: bool  # whether an earlier answer to it was wrong


class AnswerJudged(NamedTuple):
    """An answer to a question, judged."""

    id: str  # the question's position, in the game's usual notation
    given: Ranked  # the choice of the answer
    advice: Advice  # all choices, best first
    comparison: Compared  # of the best choice and the answer


async def next_question(
    caller: Caller, game: AnyGame, tally: PracticeTally, recent: Sequence[str]
) -> NextQuestion:
    """Return the missed question that is due again, or else a new one from a worker.

    If possible it is unlike the questions with the ids `recent`. Raises TooLarge for a game without
    practice here, TooOften and Full.
    """
    caller.count(limits.HINTS_OF_ADDRESS, "questions")
    return await caller.do(_next_question, game, tally, recent, quick=tasks.is_quick(game))


async def judge_answer(caller: Caller, game: AnyGame, id: str, choice: str) -> AnswerJudged:
    """Return the judgement of a choice, in notation, as the answer to a question.

    Raises NotUnderstood if there is no such question, what `parse_choice` raises, and as
    `next_question`.
    """
    caller.count(limits.HINTS_OF_ADDRESS, "questions")
    return await caller.do(_judge_answer, game, id, choice, quick=tasks.is_quick(game))


def _next_question(game: AnyGame, tally: PracticeTally, recent: Sequence[str]) -> NextQuestion:
    deck = _deck(game)
    missed, _ = deck.next_missed(tally)
    if missed is not None:
        return NextQuestion(missed.id, True)
    questions = (_question(deck, id) for id in recent)
    keys = {question.key for question in questions if question is not None}
    return NextQuestion(deck.draw(SecretCup(), keys).id, False)


def _judge_answer(game: AnyGame, id: str, text: str) -> AnswerJudged:
    deck = _deck(game)
    question = _question(deck, id)
    if question is None:
        raise NotUnderstood(
            "{position} is no question: no choice there costs anything", position=id
        )
    advice = deck.advise(question)
    choice = game.choice_text(game.parse_choice(question.position, text))
    # Choices are isolated from the direction of the text around them, as names are.
    comparison = deck.compare(question, choice, lambda says: f"\u2068{says}\u2069")
    return AnswerJudged(question.id, advice.of(choice), advice, comparison)


def _deck(game: AnyGame) -> Deck:
    if game.scoring is None or isinstance(game, Match) or not tasks.can_advise(game):
        raise TooLarge("this game cannot be practised here")
    return cached(game, "deck", lambda: practice(game))


def _question(deck: Deck, id: str) -> Question | None:
    """Return the question with an id; None for the id of a form that was tampered with."""
    with suppress(ShutboxError):
        return deck.question(id)
    return None
