"""The tasks of workers: values in, values out, with solved games cached for the next task.

Work that several tables need is done once for all of them: a worker caches solvers by game and
format; player names do not matter. Results that take long are stored in books, files that all
workers of all processes read: solved boxes, and the values of one-round matches. Each worker
computes the rest for itself: the last of several rounds, where hardly any two tables have the same
state, and the sheets of `computer:sheet`, which take a moment.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from shutbox.analysis.advice.coach import ChoiceJudged, Coach
from shutbox.analysis.advice.ranking import AdviceFigures
from shutbox.analysis.review.review import Reviewer, reviewed
from shutbox.analysis.review.valuation import ScoreValuation
from shutbox.analysis.review.verdict import Verdict
from shutbox.analysis.review.verdict import verdict as verdict_on
from shutbox.bots import bot
from shutbox.bots.perfect import Perfect
from shutbox.boxes import fast, solver  # noqa: F401
from shutbox.boxes import sheet as _points  # noqa: F401
from shutbox.cargoes import sheet  # noqa: F401
from shutbox.errors import TooLarge
from shutbox.game import Choose, Game
from shutbox.lru import LruCache
from shutbox.match import Match
from shutbox.play import Event, Play
from shutbox.player import Player, picked
from shutbox.seats import unnamed
from shutbox.web import limits
from shutbox.web.compute.budget import SOLVERS, cost_of, inner_of

# Modules that others import lazily are imported here: later, a new release may have replaced them.
AnyGame = Game[Any, Any]
T = TypeVar("T")
Advised = tuple[tuple[str, ...], str, AdviceFigures | None]


def hint(game: AnyGame, position: Any, level: str, *, whole: bool = True) -> Advised:
    """Return sentences of advice, a sentence with the best choice, and the advice as numbers.

    The last two are "" and None if nothing is ranked. `level` is one of `coach.LEVELS` but "off".
    `whole`: solve the game from its start; otherwise only from the position on.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> hint(classic, classic.position_at("1.3.4.9/1+3"), "ranked")[1]
    'Best is 4: expected score 9.9.'
    """
    coach = _coach(game, whole=whole)
    names = game.players if isinstance(game, Match) else None
    figures = coach.figures(position, level, limits.HINT_CHOICES)
    return coach.hint(position, level, names), coach.best(position, level), figures


def judged(
    game: AnyGame, position: Any, text: str, *, whole: bool = True
) -> tuple[str | ChoiceJudged, ...]:
    """Return sentences on what a choice cost, and its figures last; () if it was forced.

    It is also () if the cost is unknown.
    """
    coach = _coach(game, whole=whole)
    figures = coach.judged(position, text)
    return (
        coach.judge(position, text) if figures is None else (*coach.judge(position, text), figures)
    )


def verdict(
    game: AnyGame, log: Sequence[Event[Any]], names: Sequence[str], start: Any = None
) -> Verdict:
    """Return the verdict on a game, given its log and first position. Raises TooLarge."""
    play = Play(game, log, start=start)
    reviewer = Reviewer(seconds=limits.HINT_SECONDS, memory=limits.HINT_MEMORY)
    review = reviewer.review(play, names)
    scores, in_points = None, None
    with suppress(TooLarge):  # the win may be known even if a turn's scores are not
        scores = reviewer.perfect_scores(play)
        if isinstance(game, Match):
            in_points = reviewed(play, ScoreValuation(game, reviewer.turn(game.game)), names)
    return verdict_on(review, play.position, scores, in_points)


def chosen(game: AnyGame, kind: str, position: Any) -> str:
    """Return the choice in notation of a computer player of this kind at a position."""
    awaited = game.awaits(position)
    assert isinstance(awaited, Choose)  # only a choice needs a player
    player = _player(game, kind)
    return game.choice_text(picked(player, nameless(game), position, awaited.choices))


def _coach(game: AnyGame, *, whole: bool) -> Coach:
    game = nameless(game)
    make = partial(Coach, game, seconds=limits.HINT_SECONDS, whole=whole)
    return cached(game, "" if whole else "rest", make)


def _player(game: AnyGame, kind: str) -> Player[Any, Any]:
    def made() -> Player[Any, Any]:
        player = bot(kind)
        if isinstance(player, Perfect):
            player.seconds, player.every_round = limits.HINT_SECONDS, False
        return player

    return cached(nameless(game), kind, made)


def nameless(game: AnyGame) -> AnyGame:
    """Return the game without players' names, since the best play does not depend on them."""
    if isinstance(game, Match):
        return Match(game.game, game.format, unnamed(len(game.players)))
    return game


_solved = LruCache[tuple[AnyGame, str], Any](limits.MOST_SOLVED, limits.SOLVED_MEMORY)
"""Solvers by game and kind; the size of each is the memory in bytes that it may take."""


_SOLVING = ("", *SOLVERS, "adviser", "deck", "solution", "reviewer", "rest")
"""The kinds that solve the game, and so take memory."""


def cached(game: AnyGame, who: str, make: Callable[[], T]) -> T:
    """Return the solver cached for a game and the kind `who`; else cache what `make` returns."""
    known: T | None = _solved.find((game, who))
    if known is not None:
        return known
    size = 0
    if who.partition(" ")[0] in _SOLVING:
        cost = cost_of(inner_of(game).name)  # if the whole is too large, only a rest is solved
        size = min(cost.memory, limits.HINT_MEMORY) if cost else limits.HINT_MEMORY
    made = make()
    _solved.put((game, who), made, size)
    return made
