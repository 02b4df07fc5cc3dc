"""The first screen: a welcome and a handful of things to do; and, behind it, the list of all games.

Each has a number, which stays the same whatever waits; names and titles of games are understood
everywhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from shutbox.bots.characters import CHARACTERS
from shutbox.english import Word, listed, shown
from shutbox.errors import ShutboxError, UnknownGame
from shutbox.lookup import find_any
from shutbox.messages import gettext, gettext_noop
from shutbox.term.console import Console
from shutbox.typed_text import with_name

FIRST = "classic"  # the game that Enter takes
_OURS = {"shutthebox": FIRST}  # elsewhere it is what the talking console calls so

T = TypeVar("T")


class Thing(Word):
    """What can be done on the first screen."""

    RESUME = "resume"
    GAME = "game"
    COMPUTER = "computer"
    FRIENDS = "friends"
    DICE = "dice"
    MORE = "more"
    BROWSER = "browser"
    PRACTICE = "practice"


@dataclass(frozen=True, slots=True)
class Picked:
    """What the player wants."""

    thing: Thing
    name: str = FIRST  # of the game or match
    rival: str = ""  # the computer player who was named; empty where it is still to be asked


_NUMBERED = (
    (Thing.GAME, gettext_noop("{number}: Classic, the game of nine tiles and two dice.")),
    (Thing.COMPUTER, gettext_noop("{number}: Play against the computer: {names}.")),
    (Thing.FRIENDS, gettext_noop("{number}: Play with friends, here.")),
    (Thing.DICE, gettext_noop("{number}: Throw your own dice, and type what they show.")),
    (Thing.MORE, gettext_noop("{number}: More games.")),
    (Thing.BROWSER, gettext_noop("{number}: Play in a browser.")),
    (Thing.PRACTICE, gettext_noop("{number}: Practise choosing well.")),
)
_HELP = gettext_noop(
    "Type a number, a name such as cargo or Hobbs, a file such as ./mine.toml, or q to quit."
)
_LISTS = gettext_noop("{number} lists the games.")
_RIVALS = {one.name.casefold(): one.id for one in CHARACTERS}
_WORDS = {str(thing.value): thing for thing, _ in _NUMBERED[1:]} | {
    "resume": Thing.RESUME,
    "practise": Thing.PRACTICE,
}


def first_screen(console: Console, waiting: str = "") -> Picked:
    """What the player would like to do. Raises Stopped.

    `waiting` tells of the game that Enter goes on with; empty where none waits.
    """
    console.say(gettext("Welcome to Shut the Box."))
    names = listed((one.name for one in CHARACTERS), last="or")
    things = [thing for thing, _ in _NUMBERED]
    more = 1 + things.index(Thing.MORE)
    lines = [
        gettext(says, number=number, names=names)
        for number, (_, says) in enumerate(_NUMBERED, start=1)
    ]
    console.say(*([waiting] if waiting else []), *lines)
    ask = gettext("What would you like? Enter takes Classic:")
    if waiting:
        ask = gettext("What would you like? Enter continues the game that waits:")
    while True:
        answer = console.answer(ask)
        word = answer.casefold()
        if word in ("?", "help"):
            console.say(*lines, gettext(_HELP))
        elif not word:
            return Picked(Thing.RESUME if waiting else Thing.GAME)
        elif (thing := _WORDS.get(word)) and (waiting or thing is not Thing.RESUME):
            return Picked(thing)
        elif rival := _RIVALS.get(word):
            return Picked(Thing.COMPUTER, rival=rival)
        elif picked := _picked(console, answer, things, gettext(_LISTS, number=more)):
            return Picked(Thing.GAME, picked) if isinstance(picked, str) else Picked(picked)


def pick_game(console: Console) -> str | None:
    """The name of the game or match that is picked of them all; None: the player goes back.

    They are told a screen at a time: the boxes that most people know, the other games, the matches.
    Raises Stopped.
    """
    from shutbox.games.catalogue import catalogue
    from shutbox.lookup import difference  # the first screen comes sooner without them
    from shutbox.match import presets

    entries = catalogue()
    titles = {entry.name: entry.title for entry in entries}
    titles |= {preset.name: preset.title for preset in presets().values()}
    names = list(titles)
    first = sum(entry.group == entries[0].group for entry in entries)
    heads = (gettext("Boxes."), gettext("More boxes and dice games."), gettext("Matches."))
    ends = (0, first, len(entries), len(names))
    for head, start, end in zip(heads, ends, ends[1:], strict=False):
        console.say(head)
        for number, name in enumerate(names[start:end], start=start + 1):
            facts = {"title": titles[name], "difference": difference(name).rstrip(".")}
            console.say(gettext("{number}: {title}. {difference}.", number=number, **facts))
        ask = gettext("Which game? A number or a name; Enter tells more:")
        if end == len(names):
            ask = gettext("Which game? A number or a name; Enter goes back:")
        while answer := console.answer(ask):
            word = answer.casefold()
            if word in ("b", "back"):
                return None
            if word in ("?", "help"):
                console.say(gettext(_HELP))
            elif picked := _picked(console, answer, names):
                return picked
    return None


def _picked(console: Console, answer: str, numbered: Sequence[T], *lists: str) -> T | str | None:
    """What the number stands for or the game that was typed; None where it is refused.

    `lists` tells what lists the games, where they have not been told.
    """
    word = answer.casefold()
    if re.fullmatch("[0-9]{1,2}", word):
        if 1 <= int(word) <= len(numbered):
            return numbered[int(word) - 1]
        refuse_number(console, word, len(numbered))
        return None
    answer = name_here(answer)
    try:
        find_any(answer)
    except ShutboxError as error:
        console.refuse(error)
        if isinstance(error, UnknownGame) and error.unlike:
            console.say(*lists)
        return None
    return answer


def name_here(text: str) -> str:
    """Return the name under which the catalogue finds what these screens call so.

    >>> name_here("Shut the Box"), name_here("Pub Game")
    ('classic', 'Pub Game')
    """
    return with_name(text, _OURS)


def refuse_number(console: Console, answer: str, most: int) -> None:
    """Say that an answer is none of a list of so many."""
    facts = {"text": shown(answer), "most": most}
    console.say(gettext("{text} is not on the list; type a number from 1 to {most}.", **facts))
