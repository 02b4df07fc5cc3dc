"""What workers are given to do: values in, values out, and what was solved kept for the next.

What several tables need is worked out once for all of them. A worker keeps whom it asked by the
game and the format alone. What takes long is in books that all workers of all processes read: boxes
that were solved, and what matches of one round are worth. For the rest each worker works for
itself: the last of several rounds, where hardly any two tables stand alike, and the sheets of
`computer:sheet`, which take a moment.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

from shutbox.analysis.advice.coach import Coach
from shutbox.analysis.advice.ranking import AdviceFigures
from shutbox.analysis.review.review import Reviewer
from shutbox.analysis.review.verdict import Verdict
from shutbox.analysis.review.verdict import verdict as verdict_on
from shutbox.bots import bot
from shutbox.bots.perfect import Perfect
from shutbox.boxes import fast, layout, solver  # noqa: F401
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

# What is imported only when it is needed is imported here: by then there may be another release.
AnyGame = Game[Any, Any]
T = TypeVar("T")
Advised = tuple[tuple[str, ...], str, AdviceFigures | None]


def hint(game: AnyGame, position: Any, level: str, *, whole: bool = True) -> Advised:
    """Advice at a position, the best choice in a sentence, and all of it as numbers.

    `whole`: the game is solved from its start; else what is left of it, since all is too large.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> hint(classic, classic.position_at("1.3.4.9/1+3"), "ranked")[1]
    'Best is 4: expected score 9.9.'
    """
    coach = _coach(game, whole=whole)
    names = game.players if isinstance(game, Match) else None
    figures = coach.figures(position, level, limits.HINT_CHOICES)
    return coach.hint(position, level, names), coach.best(position, level), figures


def judged(game: AnyGame, position: Any, text: str, *, whole: bool = True) -> tuple[str, ...]:
    """What a choice has cost; nothing where nobody knows."""
    return _coach(game, whole=whole).judge(position, text)


def verdict(
    game: AnyGame, log: Sequence[Event[Any]], names: Sequence[str], start: Any = None
) -> Verdict:
    """The figures of a game that is over, of which this is the log. Raises TooLarge."""
    play = Play(game, log, start=start)
    reviewer = Reviewer(seconds=limits.HINT_SECONDS, memory=limits.HINT_MEMORY)
    review = reviewer.review(play, names)
    scores = None
    with suppress(TooLarge):  # the win may be known where the scores of a turn are not
        scores = reviewer.perfect_scores(play)
    return verdict_on(review, play.position, scores)


def chosen(game: AnyGame, kind: str, position: Any) -> str:
    """The text of what a computer player chooses."""
    awaited = game.awaits(position)
    assert isinstance(awaited, Choose)  # or else nobody is asked
    player = _player(game, kind)
    return game.choice_text(picked(player, nameless(game), position, awaited.choices))


def _coach(game: AnyGame, *, whole: bool) -> Coach:
    game = nameless(game)
    make = partial(Coach, game, seconds=limits.HINT_SECONDS, whole=whole)
    return kept(game, "" if whole else "rest", make)


def _player(game: AnyGame, kind: str) -> Player[Any, Any]:
    def made() -> Player[Any, Any]:
        player = bot(kind)
        if isinstance(player, Perfect):
            player.seconds, player.every_round = limits.HINT_SECONDS, False
        return player

    return kept(nameless(game), kind, made)


def nameless(game: AnyGame) -> AnyGame:
    """The same game for everybody who plays it: what is best does not depend on their names."""
    if isinstance(game, Match):
        return Match(game.game, game.format, unnamed(len(game.players)))
    return game


_solved = LruCache[tuple[AnyGame, str], Any](limits.MOST_SOLVED, limits.SOLVED_MEMORY)
"""Who has solved a game; the size of each is the bytes that it may take."""


_SOLVING = ("", *SOLVERS, "adviser", "deck", "solution", "reviewer", "rest")
"""Who of them solves it."""


def kept(game: AnyGame, who: str, make: Callable[[], T]) -> T:
    """Who was asked about this game before, or somebody new."""
    known: T | None = _solved.find((game, who))
    if known is not None:
        return known
    size = 0
    if who.partition(" ")[0] in _SOLVING:
        cost = cost_of(inner_of(game).name)  # of one too large as a whole a rest is solved
        size = min(cost.memory, limits.HINT_MEMORY) if cost else limits.HINT_MEMORY
    made = make()
    _solved.keep((game, who), made, size)
    return made
