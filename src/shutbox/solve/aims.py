"""What a player plays for, as a worth of the end and a direction."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from shutbox.game import Over, Scoring


@dataclass(frozen=True, slots=True)
class Aim:
    """One aim: every seat pulls the same worth its own way."""

    name: str
    worth: Callable[[Over], int | Fraction]
    """What an end is worth."""
    more_is_better: Callable[[Scoring, int], bool]
    """Whether the choices of a seat go for more of it."""


MEAN = Aim("mean", lambda over: over.scores[0], lambda scoring, seat: not scoring.low_is_good)
"""The expected score, as good as it can be."""

SHUT = Aim("shut", lambda over: int(over.shut), lambda scoring, seat: True)
"""The probability to shut the box, or to complete the crew, as high as it can be."""

WORST_SHUT = Aim("worst-shut", lambda over: int(over.shut), lambda scoring, seat: False)
"""The same probability, as low as it can be."""


def _share(over: Over) -> Fraction:
    return Fraction(0 in over.winners, max(1, len(over.winners)))


WIN = Aim("win", _share, lambda scoring, seat: seat == 0)
"""The first player's share of the win of a match, half of it for a tie of two; the others play
against it. That is what two players do who both play to win; of more players it is not."""
