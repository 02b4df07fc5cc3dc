"""Keeping a game while it is played, and what happens when the disk refuses."""

import os
from typing import Any

from shutbox.errors import NotKept
from shutbox.play import Event
from shutbox.store import Journal
from shutbox.term import Console, Stopped

RESUME = "SHUTBOX_RESUME"
"""The environment variable that says how a game is gone on with, where it is not by our name."""
NOT_KEPT = "The game is played, and is not kept."


class Keeping:
    """Hands events to a journal. Where nothing can be kept at all, the game is played without.

    If the disk refuses later, the player is asked: what was kept must not be lost unnoticed.
    """

    def __init__(self, console: Console, journal: Journal | None) -> None:
        self.console = console
        self.journal = journal

    def keep(self, number: int, seat: int, event: Event[Any]) -> None:
        """What `Play` calls before an event happens. Raises Stopped if the player gives up."""
        while self.journal is not None:
            try:
                self.journal.keep(number, seat, event)
                return
            except NotKept as error:
                self.console.refuse(error)
                self._go_on(self.journal)

    def _go_on(self, journal: Journal) -> None:
        if journal.path is None:
            self.console.say(NOT_KEPT)
            self.journal = None
            return
        answer = self.console.ask("Enter tries again, no goes on without keeping, end stops:")
        word = answer.strip().lower()
        if word in ("end", "quit", "exit"):
            raise Stopped
        if word == "no":
            self.close(over=False)

    def close(self, *, over: bool) -> None:
        """Let go of the record; where the game is not over, say how it goes on."""
        if self.journal is None:
            return
        if self.journal.id is not None and not over:
            id = self.journal.id
            again = os.environ.get(RESUME, f"shutbox resume {id}")
            self.console.say(f"It is kept as game {id}; {again} goes on with it.")
        elif self.journal.path is not None and not over:
            self.console.say(f"It is kept in {self.journal.path}.")
        self.journal.close()
        self.journal = None
