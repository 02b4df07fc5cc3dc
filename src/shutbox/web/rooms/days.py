"""Today's box: one game a day, with dice that are the same for everybody on this server.

The seed of a day is a text that begins with the day and the game. Its hash is shown on the day and
the seed itself the day after, so nobody can have picked the dice once the first of them fell. Days
are those of UTC.
"""

import secrets
import time
from dataclasses import dataclass, field
from datetime import date

from shutbox.cups import NumberedCup
from shutbox.dice import Dice, Roll
from shutbox.web.rooms.link_keys import hashed

DAILY = ("classic", "thai-style", "ten", "pairs", "three-to-go", "unlucky-seven", "full-house")
"""The game of each day of the week, from Monday on."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day, its game, and its seed, which is secret as long as the day lasts.

    >>> day = Day("2026-11-23", "classic", "2026-11-23 classic 5eed")
    >>> day.proof[:8], str(day.rolls(1, Dice.parse("2d6")))
    ('c0ac4727', '3+4')
    """

    day: str
    game: str
    seed: str = field(repr=False)  # what is logged of it by mistake tells no dice

    @property
    def proof(self) -> str:
        """The SHA-256 of the seed, in base 16."""
        return hashed(self.seed)

    def rolls(self, number: int, dice: Dice) -> Roll:
        """What these dice show as the throw of this number, from 1."""
        return NumberedCup(self.seed, number - 1).throw(dice)


@dataclass(frozen=True, slots=True)
class Finish:
    """How a try at the box of a day ended."""

    score: int
    shut: bool
    loss: float
    """The points that its choices lost against exact play: 0 is perfect, whatever fell."""


@dataclass(frozen=True, slots=True)
class DayResult(Finish):
    """A try that is over, among all of its day."""

    place: int
    """By `loss`, from 1; those who lost as much share it."""


@dataclass(frozen=True, slots=True)
class Try:
    """The try of a device."""

    room: str | None
    """None: the room was deleted."""
    finish: Finish | None
    """None before its end."""


@dataclass
class PastDay:
    """A day that is over."""

    day: str
    game: str


def new_day(day: str) -> Day:
    """A day with a seed that nobody knows: 256 bits from the operating system."""
    game = DAILY[date.fromisoformat(day).weekday()]
    return Day(day, game, f"{day} {game} {secrets.token_hex(32)}")


def day_of(at: float) -> str:
    """The day of a time, in seconds since 1970.

    >>> day_of(0.0)
    '1970-01-01'
    """
    return time.strftime("%Y-%m-%d", time.gmtime(at))


def is_day(text: str) -> bool:
    """Whether a text is a day.

    >>> is_day("2026-11-23"), is_day("2026-11-31"), is_day("today")
    (True, False, False)
    """
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
