"""Where dice come from: the operating system, a seed, a person's hand, a script.

Faces are made of bytes by rejection, never by modulo alone, so that every face of a die is
exactly as likely as the others.
"""

import os
import unicodedata
from collections.abc import Iterable, Iterator
from itertools import repeat
from typing import Any

from shutbox.dice import Cup, Dice, Roll
from shutbox.errors import NoDice
from shutbox.game import Game, Throw
from shutbox.play import Event, Play, Rolled


def _roll(dice: Dice, random_bytes: Iterator[int]) -> Roll:
    """One face for each die, in the order of `Dice.sides`.

    Bytes are taken until one is below the greatest multiple of the sides that is at most 256;
    the face is 1 plus that byte modulo the sides.
    """
    faces = []
    for sides in dice.sides:
        limit = 256 - 256 % sides
        faces.append(1 + next(byte for byte in random_bytes if byte < limit) % sides)
    return dice.read(faces)


class SecretCup:
    """The operating system's generator: nobody can know a throw before it falls.

    >>> 2 <= SecretCup().throw(Dice.parse("2d6")).total <= 12
    True
    """

    def throw(self, dice: Dice) -> Roll:
        """A fresh roll."""
        return _roll(dice, (os.urandom(1)[0] for _ in repeat(None)))


class SeededCup:
    r"""Our own generator: a seed means the same dice for ever, on every platform.

    Version 1. The bytes are SHA-256 of `b"shutbox dice 1\n"`, the seed (its text in Unicode
    NFC, in UTF-8), `b"\n"`, and a counter from 0 in decimal ASCII; block after block. Faces are
    made of them as `docs/dice.md` says, one for each die in the order of `Dice.sides`.

    >>> cup = SeededCup("pub")
    >>> [str(cup.throw(Dice.parse("2d6"))) for _ in range(5)]
    ['2+4', '4+4', '1+6', '3+6', '1+6']
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._bytes = self._stream(seed)

    @staticmethod
    def _stream(seed: str) -> Iterator[int]:
        from hashlib import sha256  # takes a while to import, and only seeds need it

        # A seed from a command line may hold bytes that are no text: any string is a seed.
        text = unicodedata.normalize("NFC", seed).encode("utf-8", "surrogatepass")
        block = 0
        while True:
            yield from sha256(b"shutbox dice 1\n%s\n%d" % (text, block)).digest()
            block += 1

    def throw(self, dice: Dice) -> Roll:
        """The next roll of the seed."""
        return _roll(dice, self._bytes)


class ScriptCup:
    """Rolls written down beforehand, for tests and examples.

    >>> ScriptCup(["5+3"]).throw(Dice.parse("2d6"))
    Roll((3, 5))
    """

    def __init__(self, rolls: Iterable[str]) -> None:
        self._rolls = iter(rolls)

    def throw(self, dice: Dice) -> Roll:
        """The next roll of the script. Raises NoDice at its end, IllegalRoll if it cannot fall."""
        for text in self._rolls:
            return dice.read(text)
        raise NoDice("the script has no more rolls")


class HandCup:
    """Dice that people throw by hand and read out.

    >>> cup = HandCup()
    >>> cup.show(Roll((3, 5)))
    >>> cup.throw(Dice.parse("2d6"))
    Roll((3, 5))
    """

    def __init__(self) -> None:
        self._shown: Roll | None = None

    def show(self, roll: Roll) -> None:
        """Say what the dice show; the next throw is this."""
        self._shown = roll

    def throw(self, dice: Dice) -> Roll:
        """What was shown. Raises NoDice if nothing was, IllegalRoll if these dice cannot."""
        roll = self._shown
        if roll is None:
            raise NoDice(f"nobody has said what the {dice.words} show")
        dice.check(roll)
        self._shown = None
        return roll


def follow(cup: Cup, game: Game[Any, Any], log: Iterable[Event[Any]]) -> int | None:
    """Throw a cup once for each throw of a log; the number of the first event it says otherwise.

    None if it says the same throughout: then it goes on with the throw after the last one.

    >>> from shutbox import find
    >>> follow(SeededCup("pub"), find("classic"), [Rolled(Roll((2, 4)))])
    >>> follow(SeededCup("pub"), find("classic"), [Rolled(Roll((2, 5)))])
    1
    """
    play = Play(game)
    for number, event in enumerate(log, start=1):
        match event, game.awaits(play.position):
            case Rolled(roll=roll), Throw(dice=dice) if cup.throw(dice) != roll:
                return number
        play.happen(event)
    return None
