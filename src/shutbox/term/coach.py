"""Hints before a choice, and its cost after it, at the terminal."""

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
    """The coach at one table: gives hints, and if it `speaks`, says what each choice has cost."""

    table: Table[Any, Any]
    console: Console
    level: str
    speaks: bool
    progress: Progress

    def __post_init__(self) -> None:
        self._knows = Coach(self.table.game, every_round=True, progress=self.progress)
        self._watched: object = None
        self._said: set[str] = set()  # why there was no judgement
        self._hinted: object = None  # the position whose best choice was named

    def hint(self) -> None:
        """Give a hint, or say that hints are off."""
        if self.level == "off":
            self.console.say(gettext("Hints are off; h {level} turns them on.", level=LEVELS[-1]))
            return
        here = self.table.position
        try:
            # The first hint names the best choice; a second one lists all.
            if self.level == LEVELS[-1] and self._hinted != here:
                first, self._hinted = self._knows.first(here), here
                if first:
                    self.console.say(*first)
                    return
            self.console.say(*self._knows.hint(here, self.level))
        except KeyboardInterrupt:
            self.console.say(gettext(_STOPPED))

    def set_level(self, level: str) -> None:
        """Change how much a hint says; refuse an unknown level."""
        if level in LEVELS:
            self.level, self._hinted = level, None
            self.console.say(gettext("Hints: {level}.", level=level))
        else:
            levels = listed(LEVELS, last="or")
            self.console.say(gettext("Type h alone, or h and {levels}.", levels=levels))

    def watch(self) -> None:
        """Prepare to judge the choice due, if it `speaks`; if that fails, say each reason once.

        A choice that takes too long is not judged, but later ones are. Ctrl-C ends the judging.
        """
        if not self.speaks:
            return
        try:
            why_not = self._knows.watch(self.table.position)
        except KeyboardInterrupt:
            self.speaks, why_not = False, gettext(_STOPPED)
        if not why_not:
            self._watched = self.table.position
        elif why_not not in self._said:
            self._said.add(why_not)
            self.console.say(why_not)

    def judge(self, position: object, text: str) -> None:
        """Say what a choice, in notation, has cost, if `watch` has prepared for the position."""
        if self.speaks and self._watched == position:
            self.console.say(*self._knows.judge(position, text))
