"""The score of a solo game beside the player's earlier ones: said after the game."""

from collections.abc import Iterable, Iterator
from statistics import fmean
from typing import Any

from shutbox.engine.english import decimal, tenths
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext
from shutbox.output.stats import ended_turns
from shutbox.record import Reading

FEWEST = 3  # earlier scores needed for a comparison


def compare_with_earlier(
    game: Game[Any, Any], score: int, name: str, earlier: Iterable[Reading[Any, Any]]
) -> Iterator[str]:
    """Yield one sentence that compares a score with earlier solo scores of `name` in this game.

    Only finished games from the start count. With fewer than FEWEST, or no scoring, yield none.
    """
    scores = [
        each
        for reading in earlier
        if reading.game == game and reading.header.names == (name,) and reading.over is not None
        if reading.play.start == game.start()
        for _, each, _ in ended_turns(game, reading.play.position)
    ]
    scoring = game.scoring
    if len(scores) < FEWEST or scoring is None:
        return
    best, mean = scoring.best_of(scores), fmean(scores)
    apart = abs(score - mean)
    facts = {"best": best, "mean": decimal(mean), "apart": decimal(apart)}
    if scoring.better(score, best):
        yield gettext("Your best so far! Before it was {best}.", **facts)
    elif not tenths(apart):
        yield gettext("That is just your average.")
    elif scoring.better(score, mean):
        yield gettext("That is {apart} better than your average of {mean}.", **facts)
    else:
        yield gettext("Your average is {mean}.", **facts)
