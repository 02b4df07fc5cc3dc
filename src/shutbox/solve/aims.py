"""What a player plays for, as a worth of the end and a direction."""

from collections.abc import Callable
from dataclasses import dataclass

from shutbox.game import Over, Scoring


@dataclass(frozen=True, slots=True)
class Aim:
    """One aim, for a game with one seat."""

    name: str
    worth: Callable[[Over], int]
    """What an end is worth."""
    more_is_better: Callable[[Scoring], bool]
    """Whether choices go for more of it."""


MEAN = Aim("mean", lambda over: over.scores[0], lambda scoring: not scoring.low_is_good)
"""The expected score, as good as it can be."""

SHUT = Aim("shut", lambda over: int(over.shut), lambda scoring: True)
"""The probability to shut the box, or to complete the crew, as high as it can be."""

WORST_SHUT = Aim("worst-shut", lambda over: int(over.shut), lambda scoring: False)
"""The same probability, as low as it can be."""
