"""The box of the day, with the same dice for every player on this server, and the tries at it.

A day's seed is a text that begins with the day and the game. It is drawn on the day before, and its
hash is shown from then on, so the dice cannot have been chosen after the first throw. From half an
hour after the day, no more dice are thrown, and the seed is public. Days are in UTC.
"""

import secrets
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from typing import Literal

from shutbox.engine.cups import NumberedCup
from shutbox.engine.dice import Dice, Roll
from shutbox.engine.errors import BadRecord
from shutbox.engine.game import Over, Throw
from shutbox.engine.scene import Scene
from shutbox.games.catalogue import find
from shutbox.record import read
from shutbox.solving.hindsight import SoloResult, exact_play, in_hindsight
from shutbox.solving.review.report import MISTAKES, Grade, ReviewedThrow, Unit, grade_of
from shutbox.solving.review.review import Reviewer
from shutbox.table.lookup import game_of

DAILY = ("classic", "thai-style", "ten", "pairs", "three-to-go", "unlucky-seven", "full-house")
"""The game of each weekday, Monday first."""
_BEFORE_FIRST = date(2026, 4, 23)
_DIGITS = 6  # the decimals of a loss, so that equal sums in another order share a place
MOST_BARS = 10  # the bars of a chart of losses: one each for 0 to 8 points, and one for more

Mark = Literal["played", "free", "missed", "open"]  # free: a free day was used; open: today
Skill = Literal["best", "close", "mistake"]
_SKILLS: dict[Grade, Skill] = {
    Grade.BEST: "best",
    Grade.GOOD: "close",
    Grade.INACCURACY: "close",
}


@dataclass(frozen=True, slots=True)
class Day:
    """A day, its game, and its seed, which is secret until 00:30 UTC of the next day.

    >>> day = Day("2026-11-23", "classic", "2026-11-23 classic 5eed")
    >>> day.proof[:8], str(day.rolls(1, Dice.parse("2d6")))
    ('c0ac4727', '3+4')
    """

    day: str  # the date, YYYY-MM-DD in UTC
    game: str  # the game in notation
    seed: str = field(repr=False)  # a day that is logged by mistake does not reveal its dice

    @property
    def proof(self) -> str:
        """The SHA-256 of the seed, in hexadecimal."""
        return sha256(self.seed.encode()).hexdigest()

    def rolls(self, number: int, dice: Dice) -> Roll:
        """Return the roll of `dice` that every player gets as throw `number`, from 1."""
        return NumberedCup(self.seed, number - 1).throw(dice)

    def opening(self) -> Scene:
        """Return the box right after the first throw, before any choice."""
        game = find(self.game)
        first = game.awaits(game.start())
        assert isinstance(first, Throw)  # the game begins with all dice
        return game.scene(game.rolled(game.start(), self.rolls(1, first.dice)))


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a try at the box of the day."""

    score: int  # the score of the try
    shut: bool  # whether it shut the box
    loss: float  # the expected points that its choices lost; 0 without a mistake, lucky or not


@dataclass(frozen=True, slots=True)
class DayResult(Finish):
    """A finished try, with its place among all tries of its day."""

    place: int  # the rank by `loss`, from 1; equal losses share it


@dataclass(frozen=True, slots=True)
class DayMove:
    """A choice in a try, as it is stored for good."""

    throw: int  # the number of the throw that it followed, from 1
    position: str  # without the name of its game
    choice: str  # in notation
    best: str  # the first of the best; empty if the choice was not graded, as when forced
    cost: float  # in points


Moves = tuple[DayMove, ...]


@dataclass(frozen=True, slots=True)
class Try:
    """A try, the one game of a device at the box of a day."""

    room: str | None  # None if the room was deleted
    finish: DayResult | None  # None until the try is over and reviewed
    moves: Moves = ()  # empty until then


@dataclass
class PastDay:
    """A day that is over, without its seed."""

    day: str  # the date, in UTC
    game: str  # the game in notation


@dataclass(frozen=True, slots=True)
class Losses:
    """The points that mistakes cost the players of a day."""

    day: str  # the date, in UTC
    bars: tuple[int, ...]
    """The number of players by their loss, rounded to points; the last bar has all larger ones."""
    loss: float | None  # the caller's loss; None without a finished try
    worse: int | None  # the percentage of the others who lost more; None without others or `loss`


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


@dataclass(frozen=True, slots=True)
class Streak:
    """A player's current streak, which free days keep up, and all marks since the first try."""

    days: int  # the number of days played in it; free days do not count
    free: bool  # whether the player holds a free day
    marks: dict[str, Mark]  # by date


def new_day(day: str) -> Day:
    """Return `day`, a date YYYY-MM-DD, with its weekday's game and a new 256-bit random seed."""
    game = DAILY[date.fromisoformat(day).weekday()]
    return Day(day, game, f"{day} {game} {secrets.token_hex(32)}")


def day_after(day: str) -> str:
    """Return the date after a date, both as YYYY-MM-DD."""
    return str(date.fromisoformat(day) + timedelta(1))


def closes_at(day: str) -> float:
    """Return when a day's seed is published: at 00:30 UTC of the day after, in seconds since 1970.

    >>> closes_at("1970-01-01") / 3600
    24.5
    """
    return datetime.fromisoformat(f"{day_after(day)} 00:30").replace(tzinfo=UTC).timestamp()


def number_of(day: str) -> int:
    """Return the number of a day's box: 1 on 24 April 2026, and one more each day."""
    return (date.fromisoformat(day) - _BEFORE_FIRST).days


def day_of(at: float) -> str:
    """Return the UTC day of a time in seconds since 1970.

    >>> day_of(0.0)
    '1970-01-01'
    """
    return str(datetime.fromtimestamp(at, UTC).date())


def is_day(text: str) -> bool:
    """Whether a text is a valid date of the form YYYY-MM-DD.

    >>> is_day("2026-11-23"), is_day("2026-11-31"), is_day("today")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def streak_of(played: Collection[str], today: str) -> Streak:
    """Return the streak of a player who finished tries on the days `played`, as of `today`.

    Every Sunday brings a free day, and at most one is held. A past day without a try uses up the
    free day and leaves the streak as it is; without one to use, it ends the streak.
    """
    days, free, marks = 0, False, dict[str, Mark]()
    day, last = date.fromisoformat(min(played, default=today)), date.fromisoformat(today)
    while day <= last:
        free = free or day.isoweekday() == 7  # a Sunday
        mark: Mark = "played" if str(day) in played else "open" if day == last else "missed"
        if mark == "missed" and days and free:
            free, mark = False, "free"
        days = days + 1 if mark == "played" else 0 if mark == "missed" else days
        marks[str(day)] = mark
        day += timedelta(1)
    return Streak(days, free, marks)


def skills_of(moves: Moves) -> tuple[Skill, ...]:
    """Return `best`, `close` or `mistake` for each throw with choices, in order, by total cost."""
    costs = dict[int, float]()
    for move in moves:
        costs[move.throw] = costs.get(move.throw, 0.0) + move.cost
    return tuple(_SKILLS.get(grade_of(cost, Unit.POINTS), "mistake") for cost in costs.values())


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


@dataclass(frozen=True, slots=True)
class DayFacts:
    """The results that the dice of a day allow, and the throws that can be reached.

    >>> facts(Day("", "six", "pub"))
    DayFacts(exact=SoloResult(score=11, shut=False), best=SoloResult(score=1, shut=False), \
throws=((5,), (5,), (4,), (6,), (6,)))
    """

    exact: SoloResult  # the result of exact play, which does not know the dice beforehand
    best: SoloResult  # the best result that these dice allow
    throws: tuple[tuple[int, ...], ...]  # the faces of all throws that a player can reach


def facts(day: Day) -> DayFacts:
    """Return the results and throws that a day's dice allow in its game. Raises TooLarge."""
    game = find(day.game)
    best, number = in_hindsight(game, day.rolls)
    first = game.awaits(game.start())
    assert isinstance(first, Throw)  # the game begins with all dice
    cup = NumberedCup(day.seed)
    throws = tuple(cup.faces(first.dice) for _ in range(number))
    return DayFacts(exact_play(game, day.rolls), best, throws)


def finish_of(record: bytes) -> tuple[Finish, Moves]:
    """Return the result and the moves of a try from its record. Raises BadRecord and TooLarge."""
    reading = read(BytesIO(record), game_of)
    over = reading.play.awaits
    if not isinstance(over, Over):
        raise BadRecord("the game is not over")
    review = Reviewer().review(reading)
    finish = Finish(over.scores[0], over.shut, round(float(review.seats[0].cost), _DIGITS))
    throw, moves = 0, []
    for event in review.events:
        if isinstance(event, ReviewedThrow):
            throw += 1
        else:
            position = review.game.position_id(event.before)
            best = event.best if event.grade and event.best else ""
            cost = round(float(event.cost), _DIGITS)
            moves.append(DayMove(throw, position, event.choice, best, cost))
    return finish, tuple(moves)
