"""A record watched again: event by event, in the words that were said when it was played."""

from typing import Any

from shutbox.english import shown
from shutbox.game import Game
from shutbox.messages import gettext, gettext_noop
from shutbox.narrator import told
from shutbox.play import Event
from shutbox.term.console import Console, Stopped
from shutbox.typed_text import ENDING_WORDS

HELP = gettext_noop(
    "Enter goes on, b goes back, a number goes there, all goes to the end, end stops."
)


class Replay:
    """Shows the events of a play, one at a time where somebody is there to press Enter."""

    def __init__(
        self,
        game: Game[Any, Any],
        log: tuple[Event[Any], ...],
        players: tuple[str, ...],
        console: Console,
    ) -> None:
        self.console = console
        self.steps = list(told(game, log, players))
        """What is said at the start, and then after each event."""

    def run(self) -> None:
        """Show everything, or go through it as the player likes."""
        if not self.console.interactive:
            for lines in self.steps:
                self.console.say(*lines)
            return
        try:
            self._watch()
        except Stopped:
            self.console.say(gettext("The replay ends here."))

    def _watch(self) -> None:
        at, last = 0, len(self.steps) - 1
        self.console.say(gettext(HELP), *self.steps[0])
        while True:
            answer = (
                self.console.ask(gettext("Event {at} of {last}:", at=at, last=last)).strip().lower()
            )
            if answer in ENDING_WORDS:
                raise Stopped
            if answer == "all":
                for lines in self.steps[at + 1 :]:
                    self.console.say(*lines)
                at = last
            elif answer.isascii() and answer.isdigit() and len(answer) < 10 and int(answer) <= last:
                at = int(answer)
                self.console.say(*self.steps[at])
            elif answer in ("", "b"):
                to = at + (1 if answer == "" else -1)
                if 0 <= to <= last:
                    at = to
                    self.console.say(*self.steps[at])
                else:
                    last_event = gettext("That was the last event.")
                    self.console.say(last_event if to > 0 else gettext("That is the start."))
            elif answer in ("?", "help"):
                self.console.say(gettext(HELP))
            else:
                self.console.say(
                    gettext(
                        "{text} is not understood; events are 0 to {last}.",
                        text=shown(answer),
                        last=last,
                    )
                )
