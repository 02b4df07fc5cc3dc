"""What is worked out for the box of a day: what its dice give, and what a try at it was worth."""

from dataclasses import dataclass
from io import BytesIO

from shutbox.analysis.hindsight import SoloResult, exact_play, in_hindsight
from shutbox.analysis.review.review import Reviewer
from shutbox.cups import NumberedCup
from shutbox.dice import Dice, Roll
from shutbox.errors import BadRecord
from shutbox.game import Over, Throw
from shutbox.games.catalogue import find
from shutbox.lookup import game_of
from shutbox.record import read

_DIGITS = 6
"""Of a loss, after the point: those who lost as much share a place, however it was added up."""


@dataclass(frozen=True, slots=True)
class DayFacts:
    """What the dice of a day give.

    >>> facts("six", "pub")
    DayFacts(exact=SoloResult(score=11, shut=False), best=SoloResult(score=1, shut=False), \
throws=((5,), (5,), (4,), (6,), (6,)))
    """

    exact: SoloResult
    """What exact play gets, which knows no dice."""
    best: SoloResult
    """The best that could be had."""
    throws: tuple[tuple[int, ...], ...]
    """All throws that anybody can come to, each with its faces as they fell."""


def facts(name: str, seed: str) -> DayFacts:
    """Those of a game with dice of a seed. Raises TooLarge."""
    game = find(name)

    def rolls(number: int, dice: Dice) -> Roll:
        return NumberedCup(seed, number - 1).throw(dice)

    found = in_hindsight(game, rolls)
    first = game.awaits(game.start())
    assert isinstance(first, Throw)  # it begins with all dice
    cup = NumberedCup(seed)
    throws = tuple(cup.faces(first.dice) for _ in range(found.throws))
    return DayFacts(exact_play(game, rolls), found.best, throws)


def finish_of(record: bytes) -> tuple[SoloResult, float]:
    """How a game for one ended, and what its choices lost. Raises BadRecord and TooLarge."""
    reading = read(BytesIO(record), game_of)
    over = reading.play.awaits
    if not isinstance(over, Over):
        raise BadRecord("the game is not over")
    [seat] = Reviewer().review(reading).seats
    return SoloResult(over.scores[0], over.shut), round(float(seat.cost), _DIGITS)
