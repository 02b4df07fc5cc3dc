"""Practice: workers draw questions and judge answers, and solve each box only once."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from shutbox.analysis.advice.ranking import Ranked
from shutbox.analysis.practice import Deck, PracticeTally, Question, deck_of
from shutbox.cups import SecretCup
from shutbox.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.match import Match
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute.budget import can_advise, lane_of
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
    tally: PracticeTally


def question(game: AnyGame, tally: PracticeTally, lately: Sequence[str]) -> tuple[str, bool]:
    """Return the id of the next question, and whether it was missed before.

    A missed question that is due comes first; otherwise one is drawn, if possible none whose id was
    given as a recent one. Raises TooLarge and NotUnderstood for games without practice here.
    """
    deck = _deck(game)
    if tally.due is not None and _question(deck, tally.due) is not None:
        return tally.due, True
    asked = [_question(deck, id) for id in lately]
    drawn = deck.drawn(SecretCup().throw, {one.key for one in asked if one is not None})
    return drawn.id, False


def judged(game: AnyGame, id: str, text: str, tally: PracticeTally) -> JudgedAnswer:
    """Judge the choice `text` at the question `id`, and return that with the tally after it.

    Raises NotUnderstood if there is no such question or no such choice, and TooLarge.
    """
    deck = _deck(game)
    asked = _question(deck, id)
    if asked is None:
        raise NotUnderstood("{position} asks nothing: no choice there costs anything", position=id)
    text = game.choice_text(game.parse_choice(asked.position, text))
    advice = deck.why(asked)
    given = advice.of(text)
    why, tally = advice.why if given.cost else "", tally.answered(asked.id, cost=float(given.cost))
    return JudgedAnswer(asked.id, given, advice.ranked, why, tally)


def _deck(game: AnyGame) -> Deck:
    if game.scoring is None or isinstance(game, Match) or not can_advise(game):
        raise TooLarge("{game} is not practised here", game=game.name)
    return cached(game, "deck", lambda: deck_of(game))


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
    return await who.do(question, game, tally, lately, **lane_of(game))


async def answered(
    who: Caller, game: AnyGame, id: str, choice: str, tally: PracticeTally
) -> JudgedAnswer:
    """Run `judged` in a worker. Raises TooOften, Full, and what `judged` raises."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    id, choice = id[: limits.LONGEST_TEXT], choice[: limits.LONGEST_TEXT]
    return await who.do(judged, game, id, choice, tally, **lane_of(game))
