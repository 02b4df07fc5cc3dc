"""The box of the day: one game a day, with the same dice for every player on this server.

A day's seed is a text that begins with the day and the game. It is drawn on the day before, and its
hash is shown from then on, so the dice cannot have been chosen after the first throw. Half an hour
after the day, the last throw is made and the seed is published. Days are in UTC.
"""

import secrets
import time
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from shutbox.cups import NumberedCup
from shutbox.dice import Dice, Roll
from shutbox.game import Throw
from shutbox.games.catalogue import find
from shutbox.play import Play, Rolled
from shutbox.scene import Scene
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.tries import Moves

DAILY = ("classic", "thai-style", "ten", "pairs", "three-to-go", "unlucky-seven", "full-house")
"""The game of each weekday, Monday first."""
_BEFORE_FIRST = date(2026, 4, 23)


@dataclass(frozen=True, slots=True)
class Day:
    """A day, its game, and its seed, which stays secret until the day is over.

    >>> day = Day("2026-11-23", "classic", "2026-11-23 classic 5eed")
    >>> day.proof[:8], str(day.rolls(1, Dice.parse("2d6")))
    ('c0ac4727', '3+4')
    """

    day: str
    game: str
    seed: str = field(repr=False)  # a day that is logged by mistake does not reveal its dice

    @property
    def proof(self) -> str:
        """The SHA-256 of the seed, in hexadecimal."""
        return hashed(self.seed)

    def rolls(self, number: int, dice: Dice) -> Roll:
        """Return the roll of `dice` that every player gets as throw `number`, from 1."""
        return NumberedCup(self.seed, number - 1).throw(dice)

    def opening(self) -> Scene:
        """Return the box after the first throw, which leaves nothing to choose before it."""
        game = find(self.game)
        first = game.awaits(game.start())
        assert isinstance(first, Throw)  # the game begins with all dice
        return game.scene(Play(game, [Rolled(self.rolls(1, first.dice))]).position)


@dataclass(frozen=True, slots=True)
class Finish:
    """The result of a try at the box of the day."""

    score: int  # the score of the try
    shut: bool  # whether it shut the box
    loss: float
    """The points that its choices lost against exact play; 0 is perfect play, lucky or not."""


@dataclass(frozen=True, slots=True)
class DayResult(Finish):
    """A finished try, with its place among all tries of its day."""

    place: int
    """The rank by `loss`, from 1; equal losses share it."""


@dataclass(frozen=True, slots=True)
class Try:
    """A try, the one game of a device at the box of a day."""

    room: str | None
    """None if the room was deleted."""
    finish: Finish | None
    """None until the try is over and reviewed."""
    moves: Moves = ()
    """Empty until then, and for tries of earlier releases."""


@dataclass
class PastDay:
    """A day that is over, without its seed."""

    day: str  # the date, in UTC
    game: str  # the game in notation


def new_day(day: str) -> Day:
    """Return `day`, a date YYYY-MM-DD, with its weekday's game and a new 256-bit random seed."""
    game = DAILY[date.fromisoformat(day).weekday()]
    return Day(day, game, f"{day} {game} {secrets.token_hex(32)}")


def day_after(day: str) -> str:
    """Return the day after a day."""
    return str(date.fromisoformat(day) + timedelta(1))


def closes_at(day: str) -> float:
    """Return when a day's seed is published: at 00:30 UTC of the day after, in seconds since 1970.

    >>> closes_at("1970-01-01") / 3600
    24.5
    """
    return datetime.fromisoformat(f"{day_after(day)} 00:30").replace(tzinfo=UTC).timestamp()


def number_of(day: str) -> int:
    """Return the number of a day's box, which is 1 on 24 April 2026."""
    return (date.fromisoformat(day) - _BEFORE_FIRST).days


def day_of(at: float) -> str:
    """Return the UTC day of a time in seconds since 1970.

    >>> day_of(0.0)
    '1970-01-01'
    """
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def is_day(text: str) -> bool:
    """Whether a text is a valid date of the form YYYY-MM-DD.

    >>> is_day("2026-11-23"), is_day("2026-11-31"), is_day("today")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
