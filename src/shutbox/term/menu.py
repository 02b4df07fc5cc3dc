"""The menu of games: a number, a name, or Enter for the first."""

from typing import Any

from shutbox.catalogue import catalogue, find
from shutbox.errors import ShutboxError
from shutbox.game import Game
from shutbox.term.console import Console
from shutbox.words import capital


def pick_game(console: Console) -> Game[Any, Any]:
    """The game that the player picks. Raises Stopped."""
    entries = catalogue()
    console.say(*(f"{number}: {entry.title}." for number, entry in enumerate(entries, start=1)))
    while True:
        answer = console.ask(
            f"Which game? A number or a name; Enter takes {entries[0].title}:"
        ).strip()
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
            console.say(f"{capital(str(error))}.")
