"""The menu of games and matches: a number, a name, or Enter for the first."""

import re

from shutbox.english import shown
from shutbox.errors import ShutboxError
from shutbox.games.catalogue import catalogue
from shutbox.lookup import find_any
from shutbox.match import presets
from shutbox.messages import gettext, gettext_noop
from shutbox.term.console import Console, Stopped
from shutbox.typed_text import ENDING_WORDS

HELP = gettext_noop("Type a number, a name such as cargo, a file such as ./mine.toml, or end.")

LINES = 11
"""The games with a line of their own, the eleven of the command-line classic; the others share
one line, and the matches another, so that the list fits on a screen and is soon heard."""


def pick_game(console: Console) -> str:
    """The name of the game or match that the player picks. Raises Stopped."""
    games = {entry.name: entry.title for entry in catalogue()}
    titles = games | {preset.name: preset.title for preset in presets().values()}
    names, names_by_title = list(titles), {titles[name].casefold(): name for name in titles}
    lines = [f"{number}: {title}" for number, title in enumerate(titles.values(), start=1)]
    more, matches = "; ".join(lines[LINES : len(games)]), "; ".join(lines[len(games) :])
    console.say(*(f"{line}." for line in lines[:LINES]))
    console.say(gettext("More games: {games}.", games=more))
    console.say(gettext("Matches for several players: {matches}.", matches=matches))
    ask = gettext("Which game? A number or a name; Enter takes {title}:", title=titles[names[0]])
    while True:
        answer = console.ask(ask).strip()
        word = answer.casefold()
        if word in ENDING_WORDS:
            raise Stopped
        if word in ("?", "help"):
            console.say(gettext(HELP))
        elif re.fullmatch("[0-9]+", word) and word not in names:
            if len(word) < 4 and 1 <= int(word) <= len(names):
                return names[int(word) - 1]
            facts = {"number": shown(word)[1:-1], "most": len(names)}
            console.say(gettext("There is no game {number}; type 1 to {most}.", **facts))
        else:
            name = names_by_title.get(word, answer or names[0])
            try:
                find_any(name)
                return name
            except ShutboxError as error:
                console.refuse(error)
