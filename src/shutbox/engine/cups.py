"""Cups, the sources of dice: the operating system, a seed, a person's hand, a script.

Faces are drawn from bytes by rejection, never by modulo alone: every face is equally likely. A
copied or unpickled cup throws what the original would throw next, except a `SecretCup`.
"""

import os
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, cast

from shutbox.engine.dice import Cup, Dice, Roll, dice_meant
from shutbox.engine.english import safe_text
from shutbox.engine.errors import NoDice, NotUnderstood
from shutbox.engine.game import Game, Throw
from shutbox.engine.play import Event, Play, Rolled
from shutbox.engine.sealed_dice import OpenEnvelope, throw_bytes
from shutbox.engine.seats import Seat
from shutbox.engine.typed_text import check_type

_BLOCK = 32  # bytes in one block of a seed's stream: the size of a SHA-256 digest


def seed_text(seed: str | int) -> str:
    """Return a seed as text. Raises NotUnderstood for anything but a text or a whole number."""
    with suppress(ValueError):  # a number too long for Python to write
        if isinstance(seed, str | int):
            return str(seed)
    raise NotUnderstood("{seed} is not a seed; write a text or a number", seed=safe_text(seed))


def _faces(dice: Dice, random_bytes: Iterator[int]) -> tuple[int, ...]:
    """Return one face for each die, in the order of `Dice.sides`.

    Bytes are skipped until one is below the greatest multiple of the number of sides that is at
    most 256; the face is 1 plus that byte modulo the number of sides.
    """
    faces = []
    for sides in dice_meant(dice).sides:
        limit = 256 - 256 % sides
        faces.append(1 + next(byte for byte in random_bytes if byte < limit) % sides)
    return tuple(faces)


class _CupOfBytes(ABC):
    """The base of cups that draw faces from random bytes."""

    def throw(self, dice: Dice) -> Roll:
        """Make the next throw and return its roll. A text such as `2d6` can stand for the dice."""
        return dice_meant(dice).read(self.faces(dice))

    def faces(self, dice: Dice) -> tuple[int, ...]:
        """Make the next throw, and return its faces unsorted, one for each of `dice.sides`."""
        return _faces(dice, self._begin_throw())

    @abstractmethod
    def _begin_throw(self) -> Iterator[int]:
        """Return the endless bytes from which the next throw draws."""


@dataclass(frozen=True)
class SecretCup(_CupOfBytes):
    """A cup that uses the operating system's generator: its throws cannot be predicted."""

    def _begin_throw(self) -> Iterator[int]:
        return (os.urandom(1)[0] for _ in repeat(None))


@dataclass(unsafe_hash=True, init=False)
class SeededCup(_CupOfBytes):
    r"""A cup that throws from a seed: one seed gives the same dice, on every platform.

    Version 1. The bytes come in blocks. Each block is the SHA-256 of `b"shutbox dice 1\n"`, the
    seed (in Unicode NFC, as UTF-8), `b"\n"`, and the number of the block from 0 in decimal ASCII.
    `docs/dice.md` describes how faces are drawn from them, in the order of `Dice.sides`.

    >>> cup = SeededCup("pub")
    >>> [str(cup.throw(Dice.parse("2d6"))) for _ in range(5)]
    ['2+4', '4+4', '1+6', '3+6', '1+6']

    A copy continues with the next throw. The number 7 is the same seed as the text "7". Raises
    NotUnderstood for a seed that is neither a text nor a whole number.
    """

    seed: str
    used: int = field(default=0, hash=False)  # how many bytes of the stream are used

    def __init__(self, seed: str | int, used: int = 0) -> None:
        self.seed, self.used = seed_text(seed), used

    def _begin_throw(self) -> Iterator[int]:
        return (self._byte() for _ in repeat(None))

    def _byte(self) -> int:
        """Return the next byte of the seed's stream."""
        from hashlib import sha256  # slow to import, and only seeds need it

        number, place = divmod(self.used, _BLOCK)
        # Any string is a seed, even one from a command line whose bytes are not valid text.
        text = unicodedata.normalize("NFC", self.seed).encode("utf-8", "surrogatepass")
        self.used += 1
        return sha256(b"shutbox dice 1\n%s\n%d" % (text, number)).digest()[place]


@dataclass(unsafe_hash=True)
class NumberedCup(_CupOfBytes):
    """A seeded cup with numbered throws: the fifth does not depend on the throws before it.

    Throw 1 is the first throw of `SeededCup("SEED 1")`, throw 2 is the first of
    `SeededCup("SEED 2")`, and so on. If fewer dice of the same kind are thrown, they show the first
    of the faces that all dice would show.

    >>> cup = NumberedCup("pub")
    >>> [str(cup.throw(Dice.parse(dice))) for dice in ("2d6", "1d6", "2d6")]
    ['1+5', '5', '4+5']
    >>> str(NumberedCup("pub", thrown=1).throw(Dice.parse("2d6")))
    '5+6'
    """

    seed: str
    thrown: int = field(default=0, hash=False)  # how many throws were made

    def _begin_throw(self) -> Iterator[int]:
        check_type(self.thrown, int)
        self.thrown += 1
        return SeededCup(f"{self.seed} {self.thrown}")._begin_throw()


@dataclass(unsafe_hash=True)
class SealedCup(_CupOfBytes):
    """A cup to check later: a game's number, a secret seed and players' words fix its throws."""

    gid: bytes  # the number of the game, 16 random bytes
    seed: bytes = field(repr=False)  # not in `repr`, which ends up in logs and error reports
    words: bytes  # W, the hash of the players' words
    thrown: int = field(default=0, hash=False)  # throws made so far; a resumed table sets it
    numbers: tuple[int, ...] = ()  # of the first throws; later ones count on from these, or from 1

    def _begin_throw(self) -> Iterator[int]:
        beyond = self.thrown - len(self.numbers) + 1  # from 1, after the last of `numbers`
        number = self.numbers[self.thrown] if beyond < 1 else (0, *self.numbers)[-1] + beyond
        self.thrown += 1
        return throw_bytes(self.gid, self.seed, self.words, number)


def fresh_dice(seats: Sequence[Seat]) -> tuple[bytes, OpenEnvelope]:
    """Return the number of a new game, 16 random bytes, and the envelope of its sealed dice.

    The envelope's seed is 32 random bytes. The first person has a random word, others None.
    """
    first = next((number for number, seat in enumerate(seats) if not seat.computer), None)
    words = (os.urandom(16).hex() if s == first else None for s in range(len(seats)))
    return os.urandom(16), OpenEnvelope(os.urandom(32), tuple(words))


@dataclass(unsafe_hash=True)
class ScriptCup:
    """A cup with rolls given in advance. Raises NotUnderstood if they are a text or no sequence.

    >>> ScriptCup(["5+3"]).throw(Dice.parse("2d6"))
    Roll((3, 5))
    """

    rolls: Sequence[str]  # in order, as `Dice.read` reads them
    used: int = field(default=0, hash=False)  # how many rolls were thrown

    def __post_init__(self) -> None:
        if isinstance(self.rolls, str) or not isinstance(self.rolls, Sequence):
            raise NotUnderstood(
                "{rolls} is no list of rolls such as ['3+5', '6+6']", rolls=repr(self.rolls)
            )
        self.rolls = tuple(self.rolls)

    def throw(self, dice: Dice) -> Roll:
        """Return the next roll. Raises NoDice after the last one, and what `Dice.read` raises."""
        if self.used == len(self.rolls):
            raise NoDice("the script has no more rolls")
        roll = dice_meant(dice).read(self.rolls[self.used])
        self.used += 1
        return roll


@dataclass(unsafe_hash=True)
class HandCup:
    """A cup for dice that people throw by hand and read out.

    >>> cup = HandCup()
    >>> cup.show(Roll((3, 5)))
    >>> cup.throw(Dice.parse("2d6"))
    Roll((3, 5))
    """

    shown: Roll | None = field(default=None, hash=False)  # until it is thrown

    def show(self, roll: Roll) -> None:
        """Set the roll that `throw` returns next; it replaces one that is not thrown yet."""
        self.shown = roll

    def throw(self, dice: Dice) -> Roll:
        """Return the shown roll once, else raise NoDice; IllegalRoll if `dice` cannot show it."""
        if self.shown is None:
            raise NoDice("nobody has said what the dice show")
        dice_meant(dice).check(self.shown)
        roll, self.shown = self.shown, None
        return roll


def cup_meant(cup: Any) -> Cup:
    """Return a cup as it is, a SeededCup for a seed, a SecretCup for None. Raises NotUnderstood."""
    if cup is None:
        return SecretCup()
    if isinstance(cup, str | int):
        return SeededCup(cup)
    if not callable(getattr(cup, "throw", None)):
        raise NotUnderstood("{cup} is no cup, such as SeededCup('pub')", cup=safe_text(cup))
    return cast(Cup, cup)


def wrong_rolls(
    cup: Cup, game: Game[Any, Any], log: Iterable[Event[Any]], start: Any = None
) -> Iterator[int]:
    """Yield the event number, from 1, of each `Rolled` in a log that is not what a cup throws.

    All events of the log are numbered, choices too. The cup throws for every `Rolled`, so it then
    continues after the log. `start` is where the play began, by default the start of the game.
    Raises what the cup and `Play.prepare` raise.

    >>> from shutbox import find
    >>> list(wrong_rolls(SeededCup("pub"), find("classic"), [Rolled(Roll((2, 5)))]))
    [1]
    """
    play = Play(game, start=start)
    for number, event in enumerate(log, start=1):
        match event, game.awaits(play.position):
            case Rolled(roll=roll), Throw(dice=dice) if cup.throw(dice) != roll:
                yield number
        play.happen(event)
