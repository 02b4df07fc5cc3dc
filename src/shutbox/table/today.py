"""The box of the day: its game, its number, the days in a row, and what a try is worth.

It knows no clock: its callers say which day it is, as a date YYYY-MM-DD in UTC. The seed of a
server is drawn on the day before, and its hash is shown from then on, so the dice cannot have been
chosen after the first throw. From half an hour after the day, no more dice are thrown, and the seed
is public.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from io import BytesIO
from typing import Literal

from shutbox.engine.cups import NumberedCup
from shutbox.engine.dice import Dice, Roll
from shutbox.engine.errors import BadRecord
from shutbox.engine.game import Over, Throw
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.scene import Scene
from shutbox.games.catalogue import find
from shutbox.record import read
from shutbox.solving.known_dice import SoloResult, exact_play, most_throws
from shutbox.solving.review.report import MISTAKES, Grade, ReviewedThrow, Unit, grade_of
from shutbox.solving.review.review import Reviewer
from shutbox.table.lookup import game_of

DAILY = ("classic", "thai-style", "ten", "pairs", "three-to-go", "unlucky-seven", "full-house")
"""The game of each weekday, Monday first."""
_BEFORE_FIRST = date(2026, 4, 23)
KNOWN = gettext_noop(
    "These dice follow from the date, so they can be known beforehand. Those of a server cannot."
)
_DIGITS = 6  # the decimals of a loss, so that equal sums in another order share a place
_SQUARES = {"best": "🟩", "close": "🟨", "mistake": "🟥"}  # for shared text; `_day.html` draws them

Mark = Literal["played", "free", "missed", "open"]  # free: a free day was used; open: today
Skill = Literal["best", "close", "mistake"]
_SKILLS: dict[Grade, Skill] = {Grade.BEST: "best", Grade.GOOD: "close", Grade.INACCURACY: "close"}


@dataclass(frozen=True, slots=True)
class Day:
    """A day, its game, and its seed, which a server keeps secret until 00:30 UTC of the next day.

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

    @property
    def by_date(self) -> bool:
        """Whether its dice follow from the date alone, as without a server."""
        return self.seed == self.day

    def rolls(self, number: int, dice: Dice) -> Roll:
        """Return the roll of `dice` that every player gets as throw `number`, from 1."""
        return NumberedCup(self.seed, number - 1).throw(dice)

    def first_scene(self) -> Scene:
        """Return the scene of the box right after the first throw, before any choice."""
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


@dataclass(frozen=True, slots=True)
class Streak:
    """A player's current streak, which free days keep up, and how each day since the first went."""

    days: int  # the number of days played in it; free days do not count
    free: bool  # whether the player holds a free day
    marks: dict[str, Mark]  # by date


def day_after(day: str) -> str:
    """Return the date after a date, both as YYYY-MM-DD."""
    return str(date.fromisoformat(day) + timedelta(1))


def day_of(at: float) -> str:
    """Return the UTC day of a time in seconds since 1970.

    >>> day_of(0.0)
    '1970-01-01'
    """
    return str(datetime.fromtimestamp(at, UTC).date())


def closes_at(day: str) -> float:
    """Return when a day closes: at 00:30 UTC of the day after, in seconds since 1970.

    From then on no try counts, and the seed of a server's day is published.

    >>> closes_at("1970-01-01") / 3600
    24.5
    """
    return datetime.fromisoformat(f"{day_after(day)} 00:30").replace(tzinfo=UTC).timestamp()


def day_by_date(day: str) -> Day:
    """Return the box of a day without a server: its dice follow from the date alone.

    >>> box = day_by_date("2026-11-23")
    >>> box.game, [str(box.rolls(number, Dice.parse("2d6"))) for number in (1, 2)]
    ('classic', ['1+5', '4+4'])
    """
    return Day(day, DAILY[date.fromisoformat(day).weekday()], day)


def box_number(day: str) -> int:
    """Return the number of a day's box: 1 on 24 April 2026, and one more each day."""
    return (date.fromisoformat(day) - _BEFORE_FIRST).days


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

    Days are dates as YYYY-MM-DD. Every Sunday brings a free day, and at most one is held. A past
    day without a try uses up the free day and leaves the streak as it is; without one to use, it
    ends the streak.
    """
    days, free = 0, False
    marks: dict[str, Mark] = {}
    day, last = date.fromisoformat(min(played, default=today)), date.fromisoformat(today)
    while day <= last:
        free = free or day.isoweekday() == 7  # a Sunday
        text = str(day)
        if text in played:
            marks[text] = "played"
            days += 1
        elif day == last:
            marks[text] = "open"
        elif days and free:
            marks[text] = "free"
            free = False
        else:
            marks[text] = "missed"
            days = 0
        day += timedelta(1)
    return Streak(days, free, marks)


def skills_of(moves: Moves) -> tuple[Skill, ...]:
    """Return a grade for each throw with choices, in order, by the cost of all its choices."""
    costs = dict[int, float]()
    for move in moves:
        costs[move.throw] = costs.get(move.throw, 0.0) + move.cost
    return tuple(_SKILLS.get(grade_of(cost, Unit.POINTS), "mistake") for cost in costs.values())


def commonest_mistake(tries: Iterable[Moves]) -> tuple[DayMove, int] | None:
    """Return the most common mistake, and the percentage of the tries there that made it.

    Only the first choice after each throw counts. None without any mistake; the costliest wins a
    tie.
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
    """The facts about a day's dice in its game.

    >>> day_facts(Day("", "six", "pub"))
    DayFacts(exact=SoloResult(score=11, shut=False), throws=((5,), (5,), (4,), (6,), (6,)))
    """

    exact: SoloResult  # the result of best play, which does not know the dice
    throws: tuple[tuple[int, ...], ...]
    """The throws that some player can reach, in order: the faces of all dice of the box. Fewer dice
    show the first of them."""


def day_facts(day: Day) -> DayFacts:
    """Return the facts about a day's dice. Raises TooLarge if its game cannot be solved."""
    game = find(day.game)
    first = game.awaits(game.start())
    assert isinstance(first, Throw)  # the game begins with all dice
    cup = NumberedCup(day.seed)
    throws = tuple(cup.faces(first.dice) for _ in range(most_throws(game, day.rolls)))
    return DayFacts(exact_play(game, day.rolls), throws)


def finish_of(record: bytes) -> tuple[Finish, Moves]:
    """Return the result and the moves of a try from its record, one seat played to its end.

    Raises BadRecord if it cannot be read or is not over, and TooLarge if it cannot be reviewed.
    """
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
            best = event.best.text if event.grade and event.best else ""
            cost = round(float(event.cost), _DIGITS)
            moves.append(DayMove(throw, position, event.choice, best, cost))
    return finish, tuple(moves)


def share_texts(
    number: int, score: int, skills: Sequence[Skill], *, by_date: bool = False
) -> tuple[str, str]:
    """Return the result of a try as lines to share, and the same in words; neither tells dice.

    `number` is that of the day's box, and `by_date` says that its dice follow from the date.
    """
    # Translators: the title of the game, and the number of the box of the day.
    title = gettext("Shut the Box #{number}", number=number)
    if by_date:
        title = gettext("Shut the Box #{number}, dice by date", number=number)
    line = gettext("{title} · {score} left", title=title, score=score)
    if not skills:  # no throw left a choice
        return line, line
    said = ", ".join(pgettext("skill", skill) for skill in skills)
    squares = "".join(_SQUARES[skill] for skill in skills)
    spoken = gettext("{title}, {score} left: {skills}.", title=title, score=score, skills=said)
    return f"{line}\n{squares}", spoken
