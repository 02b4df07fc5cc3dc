"""Grades for choices by their cost: one table of thresholds, with a version.

A single turn is graded in points, a match in the share of the win. The two columns are about
equivalent: in most boxes the scores of two turns are some eleven points apart, so half a point is
worth about two hundredths of a round.
"""

from dataclasses import dataclass
from fractions import Fraction

from shutbox.english import Word
from shutbox.solver.options import Number

VERSION = 1  # of the table; raised whenever any choice would get another grade


class Unit(Word):
    """The unit of the values in a review."""

    POINTS = "points"  # the expected score
    SHARE = "share"  # the expected share of the win: 1 for a win, 1/2 for a tie of two


class Grade(Word):
    """The grade of a choice, by its cost."""

    BEST = "best"  # it cost nothing
    GOOD = "good"  # it cost too little to be noticed
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


MISTAKES = (Grade.INACCURACY, Grade.MISTAKE, Grade.BLUNDER)
"""The grades that count as mistakes, the mildest first."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """The lowest cost of a grade, in both units."""

    grade: Grade
    points: Fraction
    share: Fraction

    def of(self, unit: Unit) -> Fraction:
        """Return the lowest cost of the grade in one of the units."""
        return self.points if unit is Unit.POINTS else self.share


THRESHOLDS = (
    Threshold(Grade.BLUNDER, Fraction(3, 2), Fraction(1, 20)),
    Threshold(Grade.MISTAKE, Fraction(1, 2), Fraction(1, 50)),
    Threshold(Grade.INACCURACY, Fraction(1, 10), Fraction(1, 200)),
)
"""The thresholds, the worst first. A cost above 0 but below the last of them is good."""


def grade_of(cost: Number, unit: Unit) -> Grade:
    """Return the grade of a choice by its cost: 0 or more, compared with the best choice.

    >>> [str(grade_of(cost, Unit.POINTS).value) for cost in (0, 0.09, 0.1, 0.5, 2)]
    ['best', 'good', 'inaccuracy', 'mistake', 'blunder']
    """
    if not cost:
        return Grade.BEST
    reached = (threshold.grade for threshold in THRESHOLDS if cost >= threshold.of(unit))
    return next(reached, Grade.GOOD)
