"""Short pauses while computer players play, so that people can follow; any key skips them.

There are none in a pipe: nobody is there to follow.
"""

import os
import time

from shutbox.term.keys import SingleKeys, single_keys

PACES = {"none": 0.0, "quick": 0.3, "normal": 0.8, "slow": 2.0}  # seconds after each event
VARIABLE = "SHUTBOX_PACE"  # names one of them, where the command line does not


class Pauses:
    """The pauses of one game; `terminal` has the keys that skip them."""

    def __init__(self, seconds: float, terminal: SingleKeys | None = None) -> None:
        self.seconds = seconds
        self._terminal = terminal
        self._skipped = False

    @classmethod
    def at(cls, pace: str | None) -> "Pauses":
        """Those of a pace, or of the one that the environment names, or else normal ones."""
        seconds = PACES.get(pace or os.environ.get(VARIABLE, ""), PACES["normal"])
        return cls(seconds, single_keys(0))

    def wait(self) -> bool:
        """One pause, and whether a key ended it; none once a key was pressed in one of them."""
        if not self.seconds or self._skipped:
            return False
        if self._terminal is None:
            time.sleep(self.seconds)
            return False
        self._skipped = self._terminal.pressed(self.seconds)
        return self._skipped

    def over(self) -> None:
        """A person is to act: what computer players do after that is followed again."""
        self._skipped = False
