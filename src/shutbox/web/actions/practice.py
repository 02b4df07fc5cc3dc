"""Practice: questions drawn and answers judged by the pool, for who asks."""

from collections.abc import Sequence
from typing import Any

from shutbox.analysis.practice import PracticeTally
from shutbox.game import Game
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.compute import practice
from shutbox.web.compute.budget import is_ordinary, is_quick
from shutbox.web.compute.practice import AIM as AIM
from shutbox.web.compute.practice import AnswerWorth as AnswerWorth
from shutbox.web.compute.practice import JudgedAnswer as JudgedAnswer

AnyGame = Game[Any, Any]


async def question(
    who: Caller, game: AnyGame, tally: PracticeTally, lately: Sequence[str]
) -> tuple[str, bool]:
    """The next question, as `compute.practice` gives it. Raises TooOften, Full and TooLarge."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    return await who.services.pool.do(
        *(who.waits_as, practice.question, game, tally, lately),
        quick=is_quick(game),
        patient=not is_ordinary(game),
    )


async def judged(
    who: Caller, game: AnyGame, id: str, choice: str, tally: PracticeTally
) -> JudgedAnswer:
    """What an answer comes to. Raises the same, and NotUnderstood for what is no answer."""
    await who.count(limits.HINTS_OF_ADDRESS, "questions")
    id, choice = id[: limits.LONGEST_TEXT], choice[: limits.LONGEST_TEXT]
    return await who.services.pool.do(
        *(who.waits_as, practice.judged, game, id, choice, tally),
        quick=is_quick(game),
        patient=not is_ordinary(game),
    )
