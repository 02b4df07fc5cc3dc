"""What the end of a game or a match is worth to each seat."""

from dataclasses import dataclass

from shutbox.english import Word
from shutbox.game import Over


class Pays(Word):
    """What the end of a match is worth to a seat."""

    SHARE = "share"
    """Its share of the win: 1, a half where two share it, 0 for who has lost."""
    SCORE = "score"
    """Its total, counted below 0 where low is good."""


@dataclass(frozen=True, slots=True)
class Payoff:
    """What ends pay.

    >>> Payoff(Pays.SHARE, low_is_good=True).of(Over((7, 3), winners=(1,)))
    [0.0, 1.0]
    >>> Payoff(Pays.SCORE, low_is_good=True).of(Over((7, 3), winners=(1,)))
    [-7.0, -3.0]
    """

    pays: Pays
    low_is_good: bool

    @property
    def sign(self) -> int:
        """What a score counts times."""
        return -1 if self.low_is_good else 1

    def of(self, over: Over) -> list[float]:
        """A number for each seat."""
        if self.pays is Pays.SHARE:
            seats = range(len(over.scores))
            return [(seat in over.winners) / len(over.winners) for seat in seats]
        return [float(self.sign * score) for score in over.scores]
