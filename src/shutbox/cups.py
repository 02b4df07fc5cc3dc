"""Where dice come from: the operating system, a seed, a person's hand, a script.

Faces are made of bytes by rejection, never by modulo alone, so that every face of a die is
exactly as likely as the others. Cups are values: a copy, or one that was pickled, throws what the
first one would throw next.
"""

import copy
import os
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Protocol

from shutbox.dice import Cup, Dice, Roll
from shutbox.errors import NoDice, NotUnderstood
from shutbox.game import Game, Throw
from shutbox.play import Event, Play, Rolled

BLOCK = 32  # bytes of a block of a seed: as many as SHA-256 gives


def _faces(dice: Dice, random_bytes: Iterator[int]) -> tuple[int, ...]:
    """One face for each die, in the order of `Dice.sides`.

    Bytes are taken until one is below the greatest multiple of the sides that is at most 256;
    the face is 1 plus that byte modulo the sides.
    """
    faces = []
    for sides in dice.sides:
        limit = 256 - 256 % sides
        faces.append(1 + next(byte for byte in random_bytes if byte < limit) % sides)
    return tuple(faces)


@dataclass(frozen=True)
class SecretCup:
    """The operating system's generator: nobody can know a throw before it falls."""

    def throw(self, dice: Dice) -> Roll:
        """A fresh roll."""
        return dice.read(_faces(dice, (os.urandom(1)[0] for _ in repeat(None))))


@dataclass(unsafe_hash=True)
class SeededCup:
    r"""Our own generator: a seed means the same dice for ever, on every platform.

    Version 1. The bytes are SHA-256 of `b"shutbox dice 1\n"`, the seed (its text in Unicode
    NFC, in UTF-8), `b"\n"`, and a counter from 0 in decimal ASCII; block after block. Faces are
    made of them as `docs/dice.md` says, one for each die in the order of `Dice.sides`.

    >>> cup = SeededCup("pub")
    >>> [str(cup.throw(Dice.parse("2d6"))) for _ in range(5)]
    ['2+4', '4+4', '1+6', '3+6', '1+6']

    A copy goes on with the throw after the last one.
    """

    seed: str
    used: int = field(default=0, hash=False)  # how many bytes are used
    _block: tuple[int, bytes] = field(default=(-1, b""), init=False, repr=False, compare=False)

    def throw(self, dice: Dice) -> Roll:
        """The next roll of the seed."""
        return dice.read(self.faces(dice))

    def faces(self, dice: Dice) -> tuple[int, ...]:
        """The same throw, its faces in the order in which they fall."""
        return _faces(dice, (self._byte() for _ in repeat(None)))

    def _byte(self) -> int:
        number, place = divmod(self.used, BLOCK)
        if number != self._block[0]:
            from hashlib import sha256  # takes a while to import, and only seeds need it

            # A seed from a command line may hold bytes that are no text: any string is a seed.
            text = unicodedata.normalize("NFC", self.seed).encode("utf-8", "surrogatepass")
            self._block = number, sha256(b"shutbox dice 1\n%s\n%d" % (text, number)).digest()
        self.used += 1
        return self._block[1][place]


@dataclass(unsafe_hash=True)
class NumberedCup:
    """Dice of a seed whose throws have numbers: the fifth is the same whatever fell before.

    Throw 1 is the first throw of `SeededCup("SEED 1")`, throw 2 that of `SeededCup("SEED 2")`, and
    so on. Where fewer dice are thrown, the faces are the first ones of the larger throw.

    >>> cup = NumberedCup("pub")
    >>> [str(cup.throw(Dice.parse(dice))) for dice in ("2d6", "1d6", "2d6")]
    ['1+5', '5', '4+5']
    >>> str(NumberedCup("pub", thrown=1).throw(Dice.parse("2d6")))
    '5+6'
    """

    seed: str
    thrown: int = field(default=0, hash=False)  # how many throws are over

    def throw(self, dice: Dice) -> Roll:
        """The roll of the next number."""
        return dice.read(self.faces(dice))

    def faces(self, dice: Dice) -> tuple[int, ...]:
        """The same throw, its faces in the order in which they fall."""
        self.thrown += 1
        return SeededCup(f"{self.seed} {self.thrown}").faces(dice)


@dataclass(unsafe_hash=True)
class ScriptCup:
    """Rolls written down beforehand, for tests and examples.

    >>> ScriptCup(["5+3"]).throw(Dice.parse("2d6"))
    Roll((3, 5))
    """

    rolls: Sequence[str]
    used: int = field(default=0, hash=False)

    def __post_init__(self) -> None:
        self.rolls = tuple(self.rolls)

    def throw(self, dice: Dice) -> Roll:
        """The next roll of the script. Raises NoDice at its end, IllegalRoll if it cannot fall."""
        if self.used == len(self.rolls):
            raise NoDice("the script has no more rolls")
        self.used += 1
        return dice.read(self.rolls[self.used - 1])


@dataclass(unsafe_hash=True)
class HandCup:
    """Dice that people throw by hand and read out.

    >>> cup = HandCup()
    >>> cup.show(Roll((3, 5)))
    >>> cup.throw(Dice.parse("2d6"))
    Roll((3, 5))
    """

    shown: Roll | None = field(default=None, hash=False)  # if somebody has said it

    def show(self, roll: Roll) -> None:
        """Say what the dice show; the next throw is this."""
        self.shown = roll

    def throw(self, dice: Dice) -> Roll:
        """What was shown. Raises NoDice if nothing was, IllegalRoll if these dice cannot."""
        if self.shown is None:
            raise NoDice("nobody has said what the {dice} show", dice=dice.words)
        dice.check(self.shown)
        roll, self.shown = self.shown, None
        return roll


class Draws(Protocol):
    """What `GeneratorCup` asks of a `numpy.random.Generator`."""

    @property
    def bit_generator(self) -> Any:
        """Where its bits come from; `state` says all of it."""

    def integers(self, low: int, high: int) -> Any:
        """A whole number from `low` to before `high`, each as likely as the others."""


class GeneratorCup:
    """Dice from a `numpy.random.Generator`, for programs that draw from one already.

    Each die takes one number, in the order of `Dice.sides`: `generator.integers(1, sides + 1)`,
    which NumPy draws by rejection, so that every face is as likely as the others. The same
    generator throws the same dice as long as NumPy keeps its stream, which it does not promise
    for ever: a `SeededCup` does.

    The cup draws from the very generator that it is given; a copy of the cup has one of its own,
    which goes on with the throw after the last one. Cups are equal where their generators stand at
    the same place of the same stream.

    `GeneratorCup(numpy.random.default_rng(7)).throw(Dice.parse("2d6"))` is `Roll((4, 6))`. Raises
    NotUnderstood for what is no generator.
    """

    def __init__(self, generator: Draws) -> None:
        if not hasattr(generator, "integers"):
            raise NotUnderstood(
                "{generator} is no generator of NumPy, such as numpy.random.default_rng()",
                generator=repr(generator),
            )
        self.generator = generator

    def __repr__(self) -> str:
        return f"GeneratorCup({self.generator!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GeneratorCup) and self._state() == other._state()

    def __hash__(self) -> int:
        return hash(type(self.generator.bit_generator))

    def __copy__(self) -> "GeneratorCup":
        return GeneratorCup(copy.deepcopy(self.generator))

    def _state(self) -> str:
        return repr(_plain(self.generator.bit_generator.state))

    def throw(self, dice: Dice) -> Roll:
        """The next roll of the generator."""
        return dice.read([int(self.generator.integers(1, sides + 1)) for sides in dice.sides])


def _plain(state: Any) -> Any:
    """The state of a generator with lists for its arrays, which are not equal as a whole."""
    if isinstance(state, dict):
        return {key: _plain(value) for key, value in state.items()}
    return state.tolist() if hasattr(state, "tolist") else state


def follow(
    cup: Cup, game: Game[Any, Any], log: Iterable[Event[Any]], start: Any = None
) -> int | None:
    """Throw a cup once for each throw of a log; the number of the first event it says otherwise.

    None if it says the same throughout: then it goes on with the throw after the last one.

    >>> from shutbox import find
    >>> follow(SeededCup("pub"), find("classic"), [Rolled(Roll((2, 4)))])
    >>> follow(SeededCup("pub"), find("classic"), [Rolled(Roll((2, 5)))])
    1
    """
    play = Play(game, start=start)
    for number, event in enumerate(log, start=1):
        match event, game.awaits(play.position):
            case Rolled(roll=roll), Throw(dice=dice) if cup.throw(dice) != roll:
                return number
        play.happen(event)
    return None
