"""The menu of games: a number, a name, or Enter for the first."""

from typing import Any

from shutbox.catalogue import catalogue, find
from shutbox.errors import ShutboxError
from shutbox.game import Game
from shutbox.term.console import Console, Stopped
from shutbox.words import shown

HELP = "Type a number, a name such as cargo, a file such as ./mine.toml, or end."

LINES = 11
"""The games with a line of their own, the eleven of the command-line classic; the others share
one line, so that the list fits on a screen and is soon heard."""


def pick_game(console: Console) -> Game[Any, Any]:
    """The game that the player picks. Raises Stopped."""
    entries = catalogue()
    numbered = [f"{number}: {entry.title}" for number, entry in enumerate(entries, start=1)]
    console.say(*(f"{line}." for line in numbered[:LINES]))
    console.say(f"More games: {'; '.join(numbered[LINES:])}.")
    titles = {entry.title.casefold(): entry.name for entry in entries}
    while True:
        answer = console.ask(
            f"Which game? A number or a name; Enter takes {entries[0].title}:"
        ).strip()
        word = answer.casefold()
        if word in ("end", "quit", "exit"):
            raise Stopped
        if word in ("?", "help"):
            console.say(HELP)
        elif word.isascii() and word.isdigit() and word not in titles.values():
            if len(word) < 4 and 1 <= int(word) <= len(entries):
                return find(entries[int(word) - 1].name)
            console.say(f"There is no game {shown(word)[1:-1]}; type 1 to {len(entries)}.")
        else:
            try:
                return find(titles.get(word, answer or entries[0].name))
            except ShutboxError as error:
                console.refuse(error)
