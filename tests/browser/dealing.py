"""A server with fixed dice: `dealing.py SEED ROLLS --port …`.

Every game throws the rolls (`4+5,1+1`; may be empty), then continues with the dice of the seed. So
its dice do not follow from its seal, and its envelope stays closed, since pages would tell. The
coach gets as much time as it needs, and the workers as much of a core as the tests' browsers.
"""

import sys

from shutbox.cli.main import main
from shutbox.engine.cups import SealedCup, SeededCup
from shutbox.engine.dice import Dice, Roll
from shutbox.web import limits
from shutbox.web.compute import pool
from shutbox.web.live import repository


class _Dealt(SealedCup):
    """A cup that throws given rolls, and then those of a seed."""

    def __init__(self, gid: bytes, seed: bytes, words: bytes) -> None:
        super().__init__(gid, seed, words)
        self._rolls = list(filter(None, sys.argv[2].split(",")))
        self._then = SeededCup(sys.argv[1])

    def throw(self, dice: Dice) -> Roll:
        """Return the next roll."""
        return dice.read(self._rolls.pop(0)) if self._rolls else self._then.throw(dice)


async def _stay_closed(rooms: object, live: object) -> None:
    pass


if __name__ == "__main__":
    vars(repository)["SealedCup"] = _Dealt
    repository.Rooms.open_envelope = _stay_closed  # type: ignore[method-assign,assignment]
    vars(limits)["JUDGE_SECONDS"] = vars(limits)["WAIT_SECONDS"] = 60.0
    vars(pool)["_NICENESS"] = (0, 0)
    sys.exit(main(["serve", *sys.argv[3:]]))
