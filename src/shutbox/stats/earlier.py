"""A score beside the earlier ones of the same player."""

from collections.abc import Iterable, Iterator
from statistics import fmean
from typing import Any

from shutbox.english import decimal, tenths
from shutbox.game import Game
from shutbox.messages import gettext
from shutbox.record import Reading
from shutbox.stats.collect import ended

FEWEST = 3  # earlier scores without which nothing is said


def beside_earlier(
    game: Game[Any, Any], score: int, name: str, earlier: Iterable[Reading[Any, Any]]
) -> Iterator[str]:
    """What a score is beside those that this player had alone in the same game, in a sentence.

    >>> from shutbox import find
    >>> list(beside_earlier(find("classic"), 7, "Ann", []))
    []
    """
    scores = [
        each
        for reading in earlier
        if reading.game == game and reading.header.names == (name,) and reading.over is not None
        if reading.play.start == game.start()
        for _, each, _ in ended(game, reading.play.position)
    ]
    if len(scores) < FEWEST or game.scoring is None:
        return
    low_is_good = game.scoring.low_is_good
    best, mean = (min if low_is_good else max)(scores), fmean(scores)
    apart = abs(score - mean)
    facts = {"best": best, "mean": decimal(mean), "apart": decimal(apart)}
    if score != best and (score < best) == low_is_good:
        yield gettext("Your best so far! Before it was {best}.", **facts)
    elif not tenths(apart):
        yield gettext("That is just your average.")
    elif (score < mean) == low_is_good:
        yield gettext("That is {apart} better than your average of {mean}.", **facts)
    else:
        yield gettext("Your average is {mean}.", **facts)
