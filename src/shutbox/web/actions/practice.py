"""Practice: workers draw questions and judge answers, and cache the boxes that they solve."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from shutbox.analysis.advice.ranking import Ranked
from shutbox.analysis.practice import Deck, PracticeTally, Question, practice
from shutbox.cups import SecretCup
from shutbox.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.match import Match
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute.budget import can_advise, queue_of
from shutbox.web.compute.tasks import AnyGame, cached

AIM = "mean"


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """An answer to a question, with its cost and the ranking of all choices."""

    question: str
    """The id of its position."""
    given: Ranked
    ranked: tuple[Ranked, ...]
    """Every choice, best first."""
    why: str
    """The reason for the best choice; empty if `given` is as good."""
    tally: PracticeTally


def question(game: AnyGame, tally: PracticeTally, lately: Sequence[str]) -> tuple[str, bool]:
    """Return the id of the next question, and whether it is a missed one that is due again.

    A missed question that is due comes first. Otherwise one is drawn, if possible none like the
    recent questions, whose ids are `lately`. Raises TooLarge for a game without practice here.
    """
    deck = _deck(game)
    if tally.due is not None and _question(deck, tally.due) is not None:
        return tally.due, True
    asked = [_question(deck, id) for id in lately]
    drawn = deck.drawn(SecretCup().throw, {one.key for one in asked if one is not None})
    return drawn.id, False


def judged(game: AnyGame, id: str, text: str, tally: PracticeTally) -> JudgedAnswer:
    """Return the choice `text` at the question `id` as judged, with the tally after this answer.

    Raises NotUnderstood if there is no such question, what `parse_choice` raises, and TooLarge.
    """
    deck = _deck(game)
    asked = _question(deck, id)
    if asked is None:
        raise NotUnderstood(
            "{position} is no question: no choice there costs anything", position=id
        )
    text = game.choice_text(game.parse_choice(asked.position, text))
    advice = deck.why(asked)
    given = advice.of(text)
    why, tally = advice.why if given.cost else "", tally.answered(asked.id, cost=float(given.cost))
    return JudgedAnswer(asked.id, given, advice.ranked, why, tally)


def _deck(game: AnyGame) -> Deck:
    if game.scoring is None or isinstance(game, Match) or not can_advise(game):
        raise TooLarge("{game} cannot be practised here", game=game.name)
    return cached(game, "deck", lambda: practice(game))


def _question(deck: Deck, id: str) -> Question | None:
    """Return the question of a position; None if it has none, for example after tampering."""
    with suppress(ShutboxError):
        return deck.question(id)
    return None


async def next_question(
    who: Caller, game: AnyGame, tally: PracticeTally, lately: Sequence[str]
) -> tuple[str, bool]:
    """Run `question` in a worker. Raises TooOften, Full, and what `question` raises."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    return await who.do(question, game, tally, lately, **queue_of(game))


async def answered(
    who: Caller, game: AnyGame, id: str, choice: str, tally: PracticeTally
) -> JudgedAnswer:
    """Run `judged` in a worker. Raises TooOften, Full, and what `judged` raises."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    id, choice = id[: limits.LONGEST_TEXT], choice[: limits.LONGEST_TEXT]
    return await who.do(judged, game, id, choice, tally, **queue_of(game))
