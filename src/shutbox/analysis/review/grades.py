"""How bad a choice was: one table of thresholds, which has a version.

A turn alone is graded in points, a match in the share of the win. The two columns mean about the
same: the scores of two turns of most boxes are some eleven points apart, so that half a point is
worth about two hundredths of a round.
"""

from dataclasses import dataclass
from fractions import Fraction

from shutbox.english import Word
from shutbox.solver.solution import Number

VERSION = 1  # of the table; counted up whenever any choice would get another grade


class Unit(Word):
    """What a review counts in."""

    POINTS = "points"  # the expected score
    SHARE = "share"  # the expected share of the win: 1 for a win, 1/2 for a tie of two


class Grade(Word):
    """What a choice is called, by what it cost."""

    BEST = "best"  # nothing
    GOOD = "good"  # so little that nobody can feel it
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


MISTAKES = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
"""What counts as a mistake."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which cost on a choice gets a grade."""

    grade: Grade
    points: Fraction
    share: Fraction

    def of(self, unit: Unit) -> Fraction:
        """The cost, in a unit."""
        return self.points if unit is Unit.POINTS else self.share


THRESHOLDS = (
    Threshold(Grade.BLUNDER, Fraction(3, 2), Fraction(1, 20)),
    Threshold(Grade.MISTAKE, Fraction(1, 2), Fraction(1, 50)),
    Threshold(Grade.INACCURACY, Fraction(1, 10), Fraction(1, 200)),
)
"""The worst first. What costs less than the last of them, and yet something, is good."""


def grade_of(cost: Number, unit: Unit) -> Grade:
    """The grade of a choice that cost so much, 0 or more.

    >>> [str(grade_of(cost, Unit.POINTS).value) for cost in (0, 0.09, 0.1, 0.5, 2)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    if not cost:
        return Grade.BEST
    reached = (threshold.grade for threshold in THRESHOLDS if cost >= threshold.of(unit))
    return next(reached, Grade.GOOD)
