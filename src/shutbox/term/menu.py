"""The first screen, with a welcome and a handful of things to do, and the list of all games.

Every entry has a number, which stays the same whether or not an unfinished game waits to be
continued. Both screens also understand the names and titles of games.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from shutbox.engine.english import Word, listed, shown
from shutbox.engine.errors import NotKept, ShutboxError, UnknownGame
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.typed_text import in_ascii
from shutbox.games.catalogue import catalogue
from shutbox.match import presets
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.kept_terms import called, forget, kept_terms
from shutbox.table.lookup import difference, find_any
from shutbox.table.setup import FIRST, Terms
from shutbox.table.terms import read_terms
from shutbox.term.console import AtOnce, Console, GoesBack

T = TypeVar("T")


class MenuItem(Word):
    """A thing to do that the first screen offers."""

    RESUME = "resume"
    GAME = "game"
    TODAY = "today"
    COMPUTER = "computer"
    FRIENDS = "friends"
    DICE = "dice"
    MORE = "more"
    BROWSER = "browser"
    PRACTICE = "practice"
    SETTINGS = "sound"
    MY_GAMES = "games"


@dataclass(frozen=True, slots=True)
class Picked:
    """The player's pick on the first screen: an item, with its game or the terms of a phrase."""

    item: MenuItem
    name: str = ""  # of the game, match or setting; empty if none was named
    terms: Terms | None = None  # the players, the game and so on, if a phrase gave them


_NUMBERED = (
    (MenuItem.GAME, gettext_noop("{number}: Classic, the game of nine tiles and two dice.")),
    (MenuItem.COMPUTER, gettext_noop("{number}: Play against the computer: {names}.")),
    (MenuItem.FRIENDS, gettext_noop("{number}: Play with friends, here.")),
    (MenuItem.DICE, gettext_noop("{number}: Throw your own dice, and type what they show.")),
    (MenuItem.MORE, gettext_noop("{number}: More games.")),
    (MenuItem.BROWSER, gettext_noop("{number}: Play in a browser.")),
    (MenuItem.PRACTICE, gettext_noop("{number}: Practise choosing well.")),
    (
        MenuItem.SETTINGS,
        gettext_noop("{number}: Sound and words: a voice, no picture, shorter sentences."),
    ),
    (MenuItem.MY_GAMES, gettext_noop("{number}: My games: continue one, watch it, or review it.")),
)
_TODAY = gettext_noop("today: The box of the day, with one try.")
_HELP = gettext_noop(
    "Type a number, a game such as cargo, a file such as ./mine.toml, or q to quit."
)
_WHICH = gettext_noop("Type a name such as six; Enter takes Classic, and q goes back.")
_PHRASES = gettext_noop("Or say it: me and two computers, best of 3, highest throw begins.")
_LISTS = gettext_noop("{number} lists the games.")
_WORDS = {str(item.value): item for item, _ in _NUMBERED[1:]} | {
    "resume": MenuItem.RESUME,
    "today": MenuItem.TODAY,
    "practise": MenuItem.PRACTICE,
    "my games": MenuItem.MY_GAMES,
    **dict.fromkeys(("voice", "words", "settings", "sound and words"), MenuItem.SETTINGS),
}


def first_screen(console: Console, waiting: str = "") -> Picked:
    """Ask what the player wants to do, and return that. Raises Stopped as `Console.answer` does.

    `waiting` is a sentence about the game that Enter continues; empty if none waits.
    """
    console.say(*[gettext("Type plain for words without pictures.")] * console.draws)
    console.say(gettext("Welcome to Shut the Box."))
    names = listed((one.name for one in CHARACTERS), last="or")
    items = [item for item, _ in _NUMBERED]
    more = 1 + items.index(MenuItem.MORE)
    lines = [
        gettext(template, number=number, names=names)
        for number, (_, template) in enumerate(_NUMBERED, start=1)
    ] + [gettext(_TODAY)]
    console.say(*([waiting] if waiting else []), *lines)
    ask = gettext("What would you like? Enter plays Classic:")
    if waiting:
        ask = gettext("What would you like? Enter continues your unfinished game:")
    helps, at_once = [gettext(_HELP), gettext(_PHRASES), *lines], _whole_number(console, len(items))
    while True:
        answer = console.answer(ask, at_once=at_once, helps=helps)
        word = in_ascii(answer).casefold()
        if not word:
            return Picked(MenuItem.RESUME if waiting else MenuItem.GAME)
        if kept := called(answer):  # before the words of the list, which have their numbers, too
            return Picked(MenuItem.FRIENDS, terms=kept)
        if word == "plain":
            return Picked(MenuItem.SETTINGS, word)
        if (item := _WORDS.get(word)) and (waiting or item is not MenuItem.RESUME):
            return Picked(item)
        if word.startswith("forget "):
            _forget(console, answer[7:].strip())
        elif re.match("practi[sc]e ", word) and _names_game(answer[9:].strip()):
            if name := _picked(console, answer[9:].strip(), ()):
                return Picked(MenuItem.PRACTICE, str(name))
        elif re.fullmatch("[0-9]{1,2}", word) or _names_game(answer):
            if picked := _picked(console, answer, items, gettext(_LISTS, number=more)):
                if isinstance(picked, str):
                    return Picked(MenuItem.GAME, picked)
                return Picked(picked)
        else:
            from shutbox.term.seating import understood

            if terms := understood(console, answer):
                named = any(word == one.name.casefold() for one in CHARACTERS)
                return Picked(MenuItem.COMPUTER if named else MenuItem.FRIENDS, terms=terms)


def _forget(console: Console, name: str) -> None:
    """Forget the terms that are kept under a name, and say so, or why not."""
    try:
        forget(name)
    except ShutboxError as error:
        console.refuse(error)
    else:
        console.say(gettext("{name} is forgotten.", name=shown(name)))


def ask_game(console: Console) -> str:
    """Ask which game to practise; return its name, at Enter Classic's. Raises GoesBack, Stopped."""
    ask = gettext("Which game do you want to practise? Enter takes Classic:")
    names = [entry.name for entry in catalogue()]
    while answer := console.answer(ask, back=True, helps=[gettext(_WHICH)]):
        if picked := _picked(console, answer, names):
            return picked
    return FIRST


def _whole_number(console: Console, most: int) -> AtOnce | None:
    """Return an AtOnce that takes 1 to `most` once no digit can follow; None if keys need Enter."""

    def taken(typed: str) -> str | None:
        whole = typed.isdecimal() and 1 <= int(typed) <= most < 10 * int(typed)
        return typed if whole else None

    return taken if console.takes_at_once else None


def _names_game(text: str) -> bool:
    """Whether to look a text up as a game: it is one, or a misspelt one rather than a phrase."""
    try:
        find_any(text)
        return True
    except ShutboxError:
        if re.match(r"[\w.-]+\([^)]*\)?$|[./]", text):
            return True
    try:
        return [seat.name for seat in read_terms(text).seats] == [text]
    except ShutboxError:
        return False


def pick_game(console: Console) -> Terms:
    """List boxes, other games, matches and what was kept; return the terms of the one picked.

    Raises GoesBack and Stopped.
    """
    entries = catalogue()
    titles = {entry.name: entry.title for entry in entries}
    titles |= {preset.name: preset.title for preset in presets().values()}
    kept = dict[str, Terms]()
    with suppress(NotKept):
        kept = kept_terms()
    names = [*titles, *kept]
    first = sum(entry.group == entries[0].group for entry in entries)
    heads = (
        pgettext("heading of a list", "Boxes."),
        gettext("More boxes and dice games."),
        pgettext("heading of a list", "Matches."),
        *([gettext("Kept by you.")] if kept else []),
    )
    ends = (0, first, len(entries), len(titles), *([len(names)] if kept else []))
    for head, start, end in zip(heads, ends, ends[1:], strict=False):
        console.say(head)
        for number, name in enumerate(names[start:end], start=start + 1):
            if name in kept:
                console.say(gettext("{number}: {name}.", number=number, name=name))
                continue
            facts = {"title": titles[name], "difference": difference(name).rstrip(".")}
            console.say(gettext("{number}: {title}. {difference}.", number=number, **facts))
        ask = gettext("Which game? Type a number or a name; Enter shows more:")
        if end == len(names):
            ask = gettext("Which game? Type a number or a name; Enter goes back:")
        options: Any = {"at_once": _whole_number(console, len(names)), "helps": [gettext(_HELP)]}
        while answer := console.answer(ask, back=True, **options):
            if picked := answer if called(answer) else _picked(console, answer, names):
                return called(picked) or Terms(game=picked)
    raise GoesBack


def _picked(console: Console, answer: str, numbered: Sequence[T], *lists: str) -> T | str | None:
    """Return the entry of a number, or the game name that was typed; None after refusing it.

    If no game has a similar name, `lists` are printed: sentences that say how to list the games.
    """
    if re.fullmatch("[0-9]{1,2}", number := in_ascii(answer)):
        if 1 <= int(number) <= len(numbered):
            return numbered[int(number) - 1]
        facts = {"text": shown(answer), "most": len(numbered)}
        console.say(
            gettext(
                "{text} is not on the list. Type a number from 1 to {most}, or a name such as six.",
                **facts,
            )
        )
        return None
    try:
        find_any(answer)
    except ShutboxError as error:
        console.refuse(error)
        if isinstance(error, UnknownGame) and error.unlike:
            console.say(*lists)
        return None
    return answer
