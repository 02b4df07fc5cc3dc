"""Hints before a choice, and what it cost after it, at the terminal."""

from dataclasses import dataclass
from typing import Any

from shutbox.analysis.advice.coach import LEVELS, Coach
from shutbox.english import listed
from shutbox.messages import gettext, gettext_noop
from shutbox.solver.graph import Progress
from shutbox.table import Table
from shutbox.term.console import Console

_STOPPED = gettext_noop("Stopped; h starts it again.")


@dataclass(eq=False)
class SpokenCoach:
    """Gives hints at one table, and if `speaks`, says after each choice what it has cost."""

    table: Table[Any, Any]
    console: Console
    level: str
    speaks: bool
    progress: Progress

    def __post_init__(self) -> None:
        self._knows = Coach(self.table.game, every_round=True, progress=self.progress)
        self._watched: object = None
        self._hinted: object = None  # the position whose best choice was told

    def hint(self) -> None:
        """Say what `h` asks for."""
        if self.level == "off":
            self.console.say(gettext("Hints are off; h {level} turns them on.", level=LEVELS[-1]))
            return
        here = self.table.position
        try:
            # The best first; who asks once more hears all.
            if self.level == LEVELS[-1] and self._hinted != here:
                first, self._hinted = self._knows.first(here), here
                if first:
                    self.console.say(*first)
                    return
            self.console.say(*self._knows.hint(here, self.level))
        except KeyboardInterrupt:
            self.console.say(gettext(_STOPPED))

    def set_level(self, level: str) -> None:
        """Change how much a hint tells."""
        if level in LEVELS:
            self.level, self._hinted = level, None
            self.console.say(gettext("Hints: {level}.", level=level))
        else:
            levels = listed(LEVELS, last="or")
            self.console.say(gettext("Type h alone, or h and {levels}.", levels=levels))

    def watch(self) -> None:
        """Look at the choice that a person is about to make."""
        if not self.speaks:
            return
        try:
            why_not = self._knows.watch(self.table.position)
        except KeyboardInterrupt:
            why_not = gettext(_STOPPED)
        if why_not:
            self.speaks = False
            self.console.say(why_not)
        else:
            self._watched = self.table.position

    def judge(self, position: object, text: str) -> None:
        """Say what the choice of this text has cost at a position that was watched."""
        if self.speaks and self._watched == position:
            self.console.say(*self._knows.judge(position, text))
