"""The clauses of a rule of thumb: what a turn is played for, and when."""

from dataclasses import asdict, dataclass
from typing import Any, Self

from shutbox.english import Word


class Goal(Word):
    """What a turn is played for."""

    SCORE = "score"  # the best expected score
    SHUT = "shut"  # to shut the box
    REACH = "reach"  # to reach the target in this turn
    STAY = "stay"  # to stay below the limit in this turn
    BEAT = "beat"  # to beat the other's total in the turn that ends the match


@dataclass(frozen=True, slots=True)
class Clause:
    """A goal, and when a player has it: whenever all holds that is given.

    A turn ends the match where it is the second of the last round, or of a round in which the
    other has reached the target or the limit already. BEAT fits such turns alone, REACH and STAY
    the others, and of these REACH only where one turn can do it.
    """

    goal: Goal
    mine: int | None = None  # at most so many points are left to the target, or to the limit
    theirs: int | None = None  # the same of the other
    behind: int | None = None  # behind by so many points or more; below 0: ahead by no more
    left: int | None = None  # at most so many rounds are left, with this one
    second: bool | None = None  # whether the turn is the second of its round
    answers: bool = False  # only where the other's turn has shut the box, and that decides

    def report(self) -> dict[str, Any]:
        """What programs get, and a book holds."""
        return {**asdict(self), "goal": self.goal.value}

    @classmethod
    def from_report(cls, report: dict[str, Any]) -> Self:
        """The clause of a report."""
        return cls(**{**report, "goal": Goal(report["goal"])})


Rule = tuple[Clause, ...]
"""The first clause that fits counts; the last one is for the score and always fits."""
SCORE_ALWAYS: Rule = (Clause(Goal.SCORE),)
