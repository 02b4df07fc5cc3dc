"""Hints before a choice, and what it cost after it."""

from typing import Any

from shutbox.analysis.advice import Advice, ranked_words
from shutbox.analysis.adviser import Adviser
from shutbox.analysis.telling import aim_words, cost_words
from shutbox.errors import TooLarge
from shutbox.game import Choose, Over
from shutbox.solve.graph import Progress
from shutbox.table import Table
from shutbox.term.console import Console
from shutbox.words import capital, counted, is_or_are, listed

LEVELS = ("off", "legal", "ranked", "explained")
"""How much a hint tells, from nothing to everything."""
MOST_RANKED = 5
"""More choices than these are counted."""
NOT_OF_A_TURN = "There is no advice on this question."
"""The answer where chips are asked about, and no turn lies there."""


class Coach:
    """Gives hints at one table, and if `speaks`, says after each choice what it has cost."""

    def __init__(
        self,
        table: Table[Any, Any],
        console: Console,
        level: str,
        *,
        speaks: bool,
        progress: Progress,
    ) -> None:
        self.table = table
        self.console = console
        self.level = level
        self.speaks = speaks
        self._progress = progress
        self._adviser: Adviser | None = None
        self._known: tuple[object, Advice | str] | None = None

    def hint(self) -> None:
        """Say what `h` asks for."""
        if self.level == "off":
            self.console.say(f"Hints are off; h {LEVELS[-1]} turns them on.")
        elif isinstance(self.table.awaits, Over):
            self.console.say("The game is over; there is nothing to choose.")
        elif not isinstance(self.table.awaits, Choose):
            self.console.say("There is nothing to choose before the next throw.")
        elif self.level == "legal":
            self.console.say(self.table.scene.legal)
        else:
            found = self._advice()
            if isinstance(found, Advice):
                self._say(found)
            else:
                self.console.say(found)

    def set_level(self, level: str) -> None:
        """Change how much a hint tells."""
        if level in LEVELS:
            self.level = level
            self.console.say(f"Hints: {level}.")
        else:
            self.console.say(f"After h comes nothing, or {listed(LEVELS, last='or')}.")

    def watch(self) -> None:
        """Look at the choice that a person is about to make."""
        if not self.speaks:
            return
        found = self._advice()
        if not isinstance(found, Advice) and found != NOT_OF_A_TURN:
            self.speaks = False
            self.console.say(found)

    def judge(self, position: object, text: str) -> None:
        """Say what the choice of this text has cost at a position that was watched."""
        if not self.speaks or self._known is None or self._known[0] != position:
            return
        found = self._known[1]
        if not isinstance(found, Advice) or len(found.ranked) == 1:
            return
        chosen = found.of(text)
        if not chosen.cost:
            self.console.say("There was no better choice.")
            return
        card = self.table.game.card()
        cost = cost_words(found.aim, chosen.cost, card)
        self.console.say(f"That costs {cost}; best was {found.best.says}.")

    def _advice(self) -> Advice | str:
        """The advice here, or a sentence that says why there is none."""
        here = self.table.position
        if self._known is None or self._known[0] != here:
            self._known = here, self._worked_out()
        return self._known[1]

    def _worked_out(self) -> Advice | str:
        try:
            if self._adviser is None:
                self._adviser = Adviser(self.table.game, progress=self._progress)
            return self._adviser.advise(self.table.position)
        except TooLarge as error:
            return f"There is no advice here. {capital(str(error))}."
        except ValueError:
            return NOT_OF_A_TURN
        except KeyboardInterrupt:
            return "Stopped working it out; h begins once more."

    def _say(self, found: Advice) -> None:
        card = self.table.game.card()
        lines = [ranked_words(found.aim, ranked, card) for ranked in found.ranked[:MOST_RANKED]]
        more = len(found.ranked) - len(lines)
        self.console.say(f"{capital(aim_words(found.aim, card))}, the best choice first.", *lines)
        if more:
            self.console.say(f"{capital(counted(more, 'more choice'))} {is_or_are(more)} left.")
        if self.level == "explained" and found.why:
            self.console.say(found.why)
