"""The menu of games: a number, a name, or Enter for the first."""

from typing import Any

from shutbox.catalogue import catalogue, find
from shutbox.errors import ShutboxError
from shutbox.game import Game
from shutbox.term.console import Console, Stopped

LINES = 11
"""The games with a line of their own, the eleven of the command-line classic; the others share
one line, so that the list fits on a screen and is soon heard."""


def pick_game(console: Console) -> Game[Any, Any]:
    """The game that the player picks. Raises Stopped."""
    entries = catalogue()
    numbered = [f"{number}: {entry.title}" for number, entry in enumerate(entries, start=1)]
    console.say(*(f"{line}." for line in numbered[:LINES]))
    console.say(f"More games: {'; '.join(numbered[LINES:])}.")
    while True:
        answer = console.ask(
            f"Which game? A number or a name; Enter takes {entries[0].title}:"
        ).strip()
        if answer.lower() in ("end", "quit", "exit"):
            raise Stopped
        if not answer:
            return find(entries[0].name)
        if answer.isascii() and answer.isdigit() and answer not in {e.name for e in entries}:
            number = int(answer[:6])
            if 1 <= number <= len(entries):
                return find(entries[number - 1].name)
            console.say(f"There is no game {number}; type 1 to {len(entries)}.")
            continue
        try:
            return find(answer)
        except ShutboxError as error:
            console.refuse(error)
