"""A server with fixed dice: `dealing.py SEED FILE --port …`.

Every game throws the rolls that the file has when it begins (`4+5 1+1`), then continues with the
dice of the seed. So its dice do not follow from its seal, and its envelope stays closed, since
pages would tell. The coach gets as much time as it needs, and the workers as much of a core as the
tests' browsers.
"""

import sys
from pathlib import Path

from shutbox.cli.main import main
from shutbox.engine.cups import SealedCup, SeededCup
from shutbox.engine.dice import Dice, Roll
from shutbox.web import limits
from shutbox.web.compute import pool
from shutbox.web.live import room_dice


class _Dealt(SealedCup):
    """A cup that throws given rolls, and then those of a seed."""

    def __init__(self, gid: bytes, seed: bytes, words: bytes) -> None:
        super().__init__(gid, seed, words)
        self._rolls = Path(sys.argv[2]).read_text("utf-8").split()
        self._then = SeededCup(sys.argv[1])

    def throw(self, dice: Dice) -> Roll:
        """Return the next roll."""
        return dice.read(self._rolls.pop(0)) if self._rolls else self._then.throw(dice)


async def _stay_closed(rooms: object, live: object) -> None:
    pass


if __name__ == "__main__":
    vars(room_dice)["SealedCup"] = _Dealt
    vars(room_dice)["open_envelope"] = _stay_closed
    vars(limits)["JUDGE_SECONDS"] = vars(limits)["WAIT_SECONDS"] = 60.0
    vars(pool)["_NICENESS"] = (0, 0)
    sys.exit(main(["serve", *sys.argv[3:]]))
