"""The first screen, with a welcome and a handful of things to do, and the list of all games.

Every entry has a number, which stays the same whether or not a game waits. Both screens also
understand the names and titles of games.
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
_OURS = {"shutthebox": FIRST}  # elsewhere this title means `two-dice`, after a talking console

T = TypeVar("T")


class Thing(Word):
    """A choice on the first screen."""

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
    """The choice of the player, with its game and rival."""

    thing: Thing
    name: str = FIRST  # of the game or match
    rival: str = ""  # the computer player that was named; empty to ask for one


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
    """Ask what the player would like to do, and return it. Raises Stopped.

    `waiting` is a sentence about the game that Enter continues; empty if none waits.
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
    """List the games and matches, and return the name of one, or None if the player goes back.

    They are listed in three parts: the boxes that most people know, the other games, the matches.
    Raises Stopped.
    """
    from shutbox.games.catalogue import catalogue
    from shutbox.lookup import difference  # here, so that the first screen appears sooner
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
    """Return the entry of a number, or the game that was typed; None if it is refused.

    After an unknown name, `lists` are printed: sentences that say how to list the games.
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
    """Return the name to look up in the catalogue for a game typed on these screens.

    >>> name_here("Shut the Box"), name_here("Pub Game")
    ('classic', 'Pub Game')
    """
    return with_name(text, _OURS)


def refuse_number(console: Console, answer: str, most: int) -> None:
    """Say that an answer is not on a list of `most` entries."""
    facts = {"text": shown(answer), "most": most}
    console.say(gettext("{text} is not on the list; type a number from 1 to {most}.", **facts))
