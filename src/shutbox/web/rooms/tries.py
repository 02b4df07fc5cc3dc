"""What becomes of tries at the boxes of days: choices, streaks, and everybody's mistakes."""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from shutbox.analysis.review.grades import MISTAKES, Grade, Unit, grade_of

MOST_BARS = 10  # of a chart of losses: 0 to 8 points, and more
_SUNDAY = 6

Mark = Literal["played", "free", "missed", "open"]
Skill = Literal["best", "close", "mistake"]
_SKILLS: dict[Grade, Skill] = {
    Grade.BEST: "best",
    Grade.GOOD: "close",
    Grade.INACCURACY: "close",
}


@dataclass(frozen=True, slots=True)
class DayMove:
    """A choice in a try, as it is stored for good."""

    throw: int  # the number of the throw before it, from 1
    position: str  # without the name of its game
    choice: str
    best: str  # the first of the best; empty if the choice was forced
    cost: float


Moves = tuple[DayMove, ...]


@dataclass(frozen=True, slots=True)
class Losses:
    """What mistakes cost the players of a day."""

    day: str  # the date, in UTC
    bars: tuple[int, ...]
    """The number of players by their loss in whole points; the last bar has all larger losses."""
    loss: float | None
    """The caller's loss; None without a finished try."""
    worse: int | None
    """The percentage of the other players who lost more; None if there are none."""


@dataclass(frozen=True, slots=True)
class Hardest:
    """The throw of a day that most players got wrong, and the mistake most of them made."""

    day: str  # the date, in UTC
    position: str  # without the name of its game
    choice: str  # the choice that most players made
    share: int  # the percentage of the players who got there and made this choice
    best: str  # the best choice
    cost: float  # the points that `choice` costs
    why: str
    """A sentence about the best choice."""


@dataclass(frozen=True, slots=True)
class Streak:
    """The days that a player played in a row, and the marks of all days since the first."""

    days: int  # the number of days in a row
    free: bool
    """Whether the player holds a free day."""
    marks: dict[str, Mark]  # by date


def streak_of(played: Collection[str], today: str) -> Streak:
    """Return the streak of a player who finished tries on these days.

    Every Sunday brings a free day, and at most one is held. A day without a try uses it up and
    leaves the streak as it is; without one, the streak ends. Today can still be played.
    """
    days, free, marks = 0, False, dict[str, Mark]()
    day, last = date.fromisoformat(min(played, default=today)), date.fromisoformat(today)
    while day <= last:
        free = free or day.weekday() == _SUNDAY
        mark: Mark = "played" if str(day) in played else "open" if day == last else "missed"
        if mark == "missed" and days and free:
            free, mark = False, "free"
        days = days + 1 if mark == "played" else 0 if mark == "missed" else days
        marks[str(day)] = mark
        day += timedelta(1)
    return Streak(days, free, marks)


def skills_of(moves: Moves) -> tuple[Skill, ...]:
    """Return `best`, `close` or `mistake` for each throw of a try, by the cost of its choices."""
    costs = dict[int, float]()
    for move in moves:
        costs[move.throw] = costs.get(move.throw, 0.0) + move.cost
    return tuple(_SKILLS.get(grade_of(cost, Unit.POINTS), "mistake") for cost in costs.values())


def hardest_of(tries: Iterable[Moves]) -> tuple[DayMove, int] | None:
    """Return the mistake that most players made with one throw, and their percentage.

    Of equally common ones, the one that cost most; None if nobody made a mistake.
    """
    first = [m for moves in tries for m in {m.throw: m for m in reversed(moves)}.values()]
    made = Counter((m.position, m.choice) for m in first)
    wrong = [m for m in first if grade_of(m.cost, Unit.POINTS) in MISTAKES]
    if not wrong:
        return None
    worst = max(wrong, key=lambda m: (made[m.position, m.choice], m.cost))
    reached = sum(m.position == worst.position for m in first)
    return worst, round(100 * made[worst.position, worst.choice] / reached)
