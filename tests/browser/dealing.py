"""A server with dice that are known beforehand: `dealing.py SEED ROLLS --port …`.

Every game throws the rolls (`4+5,1+1`; empty for none), then goes on with the dice of the seed. The
coach has time, however busy the machine is.
"""

import sys

import shutbox.lookup
from shutbox.cli.main import main
from shutbox.cups import SeededCup
from shutbox.dice import Dice, Roll
from shutbox.web import limits


class _Dealt:
    """Rolls written down, then those of a seed."""

    def __init__(self) -> None:
        self._rolls = list(filter(None, sys.argv[2].split(",")))
        self._then = SeededCup(sys.argv[1])

    def throw(self, dice: Dice) -> Roll:
        """The next one."""
        return dice.read(self._rolls.pop(0)) if self._rolls else self._then.throw(dice)


if __name__ == "__main__":
    vars(shutbox.lookup)["SecretCup"] = _Dealt
    vars(limits)["JUDGE_SECONDS"] = 60.0
    sys.exit(main(["serve", *sys.argv[3:]]))
