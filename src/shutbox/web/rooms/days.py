"""The box of the day, with the same dice for every player on this server, and the tries at it.

A day's seed is a text that begins with the day and the game. It is drawn on the day before, and its
hash is shown from then on, so the dice cannot have been chosen after the first throw. From half an
hour after the day, no more dice are thrown, and the seed is public. Days are in UTC.
"""

import secrets
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from shutbox.solving.review.report import MISTAKES, Unit, grade_of
from shutbox.table.today import Day, DayMove, Finish, Moves, dated, day_after


@dataclass(frozen=True, slots=True)
class Try:
    """A try, the one game of a device at the box of a day."""

    room: str | None  # None if the room was deleted
    finish: Finish | None  # None until the try is over and reviewed
    moves: Moves = ()  # empty until then


@dataclass(frozen=True, slots=True)
class Hardest:
    """The throw of a day that most players got wrong, and the mistake most of them made."""

    day: str  # the date, in UTC
    position: str  # the position, after the name of its game and a colon
    choice: str  # the choice that most players made
    share: int  # the percentage of the players who got there and made this choice
    best: str  # the best choice
    cost: float  # the points that `choice` costs
    why: str  # a sentence about the best choice


def new_day(day: str) -> Day:
    """Return `day`, a date YYYY-MM-DD, with its weekday's game and a new 256-bit random seed."""
    game = dated(day).game
    return Day(day, game, f"{day} {game} {secrets.token_hex(32)}")


def closes_at(day: str) -> float:
    """Return when a day's seed is published: at 00:30 UTC of the day after, in seconds since 1970.

    >>> closes_at("1970-01-01") / 3600
    24.5
    """
    return datetime.fromisoformat(f"{day_after(day)} 00:30").replace(tzinfo=UTC).timestamp()


def day_of(at: float) -> str:
    """Return the UTC day of a time in seconds since 1970.

    >>> day_of(0.0)
    '1970-01-01'
    """
    return str(datetime.fromtimestamp(at, UTC).date())


def hardest_of(tries: Iterable[Moves]) -> tuple[DayMove, int] | None:
    """Return the most common mistake in throws' first choices and its percentage; None without any.

    The percentage is of the first choices at its position. The costliest wins a tie.
    """
    first = [m for moves in tries for m in {m.throw: m for m in reversed(moves)}.values()]
    times = Counter((m.position, m.choice) for m in first)
    wrong = [m for m in first if grade_of(m.cost, Unit.POINTS) in MISTAKES]
    if not wrong:
        return None
    worst = max(wrong, key=lambda m: (times[m.position, m.choice], m.cost))
    reached = sum(m.position == worst.position for m in first)
    return worst, round(100 * times[worst.position, worst.choice] / reached)
