"""Practice: questions drawn and answers judged by a worker, which solves a box once for all."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from shutbox.analysis.advice.ranking import ChoiceFigures
from shutbox.analysis.practice import Deck, PracticeTally, Question, deck_of
from shutbox.cups import SecretCup
from shutbox.errors import NotUnderstood, ShutboxError, TooLarge
from shutbox.game import Game
from shutbox.match import Match
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute.budget import can_advise, is_ordinary, is_quick
from shutbox.web.compute.tasks import kept

AnyGame = Game[Any, Any]
AIM = "mean"


@dataclass(frozen=True, slots=True)
class JudgedAnswer:
    """What an answer came to."""

    question: str
    """The id of its position."""
    given: ChoiceFigures
    ranked: tuple[ChoiceFigures, ...]
    """Every choice, the best first."""
    why: str
    tally: PracticeTally


def question(game: AnyGame, tally: PracticeTally, lately: Sequence[str]) -> tuple[str, bool]:
    """The id of the next question, and whether it was missed before.

    What is due comes again; else one is drawn that was not asked lately, if there is another.
    Raises TooLarge and NotUnderstood for games that are not practised here.
    """
    deck = _deck(game)
    if tally.due is not None and _question(deck, tally.due) is not None:
        return tally.due, True
    asked = [_question(deck, id) for id in lately]
    drawn = deck.drawn(SecretCup().throw, {one.key for one in asked if one is not None})
    return drawn.id, False


def judged(game: AnyGame, id: str, text: str, tally: PracticeTally) -> JudgedAnswer:
    """What an answer to a question comes to, and the tally after it.

    Raises NotUnderstood for what is no question or no choice, and TooLarge.
    """
    deck = _deck(game)
    asked = _question(deck, id)
    if asked is None:
        raise NotUnderstood("{position} asks nothing: no choice there costs anything", position=id)
    text = game.choice_text(game.parse_choice(asked.position, text))
    cost, advice = asked.cost(text), deck.why(asked)
    ranked = tuple(map(ChoiceFigures.of, advice.ranked))
    return JudgedAnswer(
        asked.id,
        next(one for one in ranked if one.text == text),
        ranked,
        advice.why if cost else "",
        tally.answered(asked.id, cost=float(cost)),
    )


def _deck(game: AnyGame) -> Deck:
    if game.scoring is None or isinstance(game, Match) or not can_advise(game):
        raise TooLarge("{game} is not practised here", game=game.name)
    found: Deck = kept(game, "deck", lambda: deck_of(game))
    return found


def _question(deck: Deck, id: str) -> Question | None:
    """The question of a position; None for what is none, such as one that was tampered with."""
    with suppress(ShutboxError):
        return deck.question(id)
    return None


async def next_question(
    who: Caller, game: AnyGame, tally: PracticeTally, lately: Sequence[str]
) -> tuple[str, bool]:
    """The next question, as `question` gives it. Raises TooOften, Full and TooLarge."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    return await who.services.pool.do(
        *(who.waits_as, question, game, tally, lately),
        quick=is_quick(game),
        patient=not is_ordinary(game),
    )


async def answered(
    who: Caller, game: AnyGame, id: str, choice: str, tally: PracticeTally
) -> JudgedAnswer:
    """What an answer comes to. Raises the same, and NotUnderstood for what is no answer."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    id, choice = id[: limits.LONGEST_TEXT], choice[: limits.LONGEST_TEXT]
    return await who.services.pool.do(
        *(who.waits_as, judged, game, id, choice, tally),
        quick=is_quick(game),
        patient=not is_ordinary(game),
    )
