"""Where dice come from: the operating system, a seed, a person's hand, a script.

Faces are taken by rejection, never by modulo, so that every face is exactly as likely.
"""

import secrets
import unicodedata
from collections.abc import Iterable, Iterator
from hashlib import sha256

from shutbox.dice import Dice, Roll
from shutbox.errors import NoDice


class SecretCup:
    """The operating system's generator: nobody can know a throw before it falls.

    >>> 2 <= SecretCup().throw(Dice.parse("2d6")).total <= 12
    True
    """

    def throw(self, dice: Dice) -> Roll:
        """A fresh roll."""
        return dice.read([1 + secrets.randbelow(sides) for sides in dice.sides])


class SeededCup:
    r"""Our own generator: a seed means the same dice for ever, on every platform.

    Version 1. The bytes are SHA-256 of `b"shutbox dice 1\\n"`, the seed (its text in Unicode
    NFC, in UTF-8), `b"\\n"`, and a counter from 0 in decimal ASCII; block after block. For each
    die, in the order of `Dice.sides`, bytes are taken until one is below the greatest multiple
    of its sides that is at most 256; the face is 1 plus that byte modulo the sides.

    >>> cup = SeededCup("pub")
    >>> [str(cup.throw(Dice.parse("2d6"))) for _ in range(5)]
    ['2+4', '4+4', '1+6', '3+6', '1+6']
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self._bytes = self._stream(seed)

    @staticmethod
    def _stream(seed: str) -> Iterator[int]:
        # "surrogateescape" keeps the bytes of a seed that came from a command line as no text.
        text = unicodedata.normalize("NFC", seed).encode("utf-8", "surrogateescape")
        block = 0
        while True:
            yield from sha256(b"shutbox dice 1\n%s\n%d" % (text, block)).digest()
            block += 1

    def throw(self, dice: Dice) -> Roll:
        """The next roll of the seed."""
        return dice.read([self._face(sides) for sides in dice.sides])

    def _face(self, sides: int) -> int:
        limit = 256 - 256 % sides
        return 1 + next(byte for byte in self._bytes if byte < limit) % sides


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
        roll, self._shown = self._shown, None
        if roll is None:
            raise NoDice(f"nobody has said what the {dice.words} show")
        dice.check(roll)
        return roll
