"""The first screen, which lists what one can do here, and the list of all games behind `more`.

Every entry has a number, which stays the same whether or not an unfinished game waits to be
continued. Both screens also understand the names and titles of games.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from shutbox.engine.english import Word, listed, shown
from shutbox.engine.errors import ShutboxError, UnknownGame
from shutbox.engine.messages import gettext, gettext_noop, pgettext
from shutbox.engine.typed_text import in_ascii, typed_line
from shutbox.games.catalogue import catalogue
from shutbox.match import presets
from shutbox.solving.strategy.fixed import CHARACTERS
from shutbox.table.lookup import difference, find_any
from shutbox.table.setup import FIRST, Terms
from shutbox.table.terms import read_terms
from shutbox.term.console import AtOnce, Console, GoesBack

T = TypeVar("T")


class MenuItem(Word):
    """A thing to do on the first screen; the value is a word to type for it, except of GAME."""

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
    """The player's pick on the first screen: an item, and what was said with it."""

    item: MenuItem
    game: str = ""  # the name of the game or match; empty if none was named
    setting: str = ""  # the word of the setting to switch; empty if none was typed
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
# Translators: Classic is a game, which a press of Enter chooses.
_WHICH = gettext_noop("Type a name such as six; Enter takes Classic, and q goes back.")
_PHRASES = gettext_noop("Or say it: me and two computers, best of 3, highest throw begins.")
_LISTS = gettext_noop("{number} lists the games.")
_WORDS = {str(item.value): item for item, _ in _NUMBERED if item is not MenuItem.GAME} | {
    "resume": MenuItem.RESUME,
    "today": MenuItem.TODAY,
    "practise": MenuItem.PRACTICE,
    "my games": MenuItem.MY_GAMES,
    **dict.fromkeys(("voice", "words", "settings", "sound and words"), MenuItem.SETTINGS),
}


def first_screen(console: Console, waiting_game: str = "") -> Picked:
    """Ask what the player wants to do, and return that. Raises Stopped as `Console.answer` does.

    `waiting_game` is the sentence to say about the game that Enter continues; empty if none waits.
    """
    lines = _say_welcome(console, waiting_game)
    if console.voice is not None:
        ask = gettext("Enter plays Classic, ? says more:")
        if waiting_game:
            ask = gettext("Enter continues your game, ? says more:")
    else:
        ask = gettext("What would you like? Enter plays Classic:")
        if waiting_game:
            ask = gettext("What would you like? Enter continues your unfinished game:")
    helps = [gettext(_HELP), gettext(_PHRASES), *lines]
    at_once = _number_at_once(console, len(_NUMBERED))
    while True:
        answer = console.answer(ask, at_once=at_once, helps=helps)
        if picked := _read_pick(console, answer, waits=bool(waiting_game)):
            return picked


def _say_welcome(console: Console, waiting_game: str) -> list[str]:
    """Say the welcome and the list of the first screen; return the lines of the list."""
    by_ear = console.voice is not None  # then the list is written, and spoken only at `?`
    if by_ear:
        console.say(pgettext("greeting", "Shut the Box."))
    else:
        if console.draws:
            console.say(gettext("Type plain for words without pictures."))
        console.say(gettext("Welcome to Shut the Box."))
    if waiting_game:
        console.say(waiting_game)
    names = listed((player.name for player in CHARACTERS), last="or")
    lines = [
        gettext(template, number=number, names=names)
        for number, (_, template) in enumerate(_NUMBERED, start=1)
    ]
    lines.append(gettext(_TODAY))
    console.say(*lines, aloud=not by_ear)
    return lines


def _read_pick(console: Console, answer: str, *, waits: bool) -> Picked | None:
    """Return what an answer picks; None after saying what is wrong.

    It is read as, in this order: Enter alone, a word, `practise GAME`, a number, a game, a phrase.
    `waits` says whether there is a game to resume.
    """
    line, rest = typed_line(answer), answer.partition(" ")[2].strip()
    items = [item for item, _ in _NUMBERED]
    if not line:
        return Picked(MenuItem.RESUME if waits else MenuItem.GAME)
    if line == "plain":  # the setting that the welcome names
        return Picked(MenuItem.SETTINGS, setting=line)
    if (item := _WORDS.get(line)) and (waits or item is not MenuItem.RESUME):
        return Picked(item)
    if re.match("practi[sc]e ", line) and _looks_like_game(rest):
        return Picked(MenuItem.PRACTICE, game=rest) if _check_game(console, rest) else None
    if _is_number(answer):
        numbered = _find_numbered(console, answer, items)
        return None if numbered is None else Picked(numbered)
    if _looks_like_game(answer):
        how_to_list = gettext(_LISTS, number=1 + items.index(MenuItem.MORE))
        return Picked(MenuItem.GAME, answer) if _check_game(console, answer, how_to_list) else None
    from shutbox.term.seating import understand  # the first screen appears sooner without it

    if (terms := understand(console, answer)) is None:
        return None
    # The name of a character alone is a game against it; in a phrase it is one of the players.
    is_rival = any(line == player.name.casefold() for player in CHARACTERS)
    return Picked(MenuItem.COMPUTER if is_rival else MenuItem.FRIENDS, terms=terms)


def ask_game(console: Console) -> str:
    """Ask which game to practise; return its name, at Enter Classic's. Raises GoesBack, Stopped."""
    ask = gettext("Which game do you want to practise? Enter takes Classic:")
    names = [entry.name for entry in catalogue()]
    while answer := console.answer(ask, back=True, helps=[gettext(_WHICH)]):
        if picked := _find_game(console, answer, names):
            return picked
    return FIRST


def pick_game(console: Console) -> str:
    """List boxes, other games and matches; return the name picked. Raises GoesBack and Stopped."""
    entries = catalogue()
    titles = {entry.name: entry.shown_title for entry in entries}
    titles |= {preset.name: preset.shown_title for preset in presets().values()}
    boxes = [entry.name for entry in entries if entry.group == entries[0].group]
    others = [entry.name for entry in entries if entry.group != entries[0].group]
    groups = [
        (pgettext("heading of a list", "Boxes."), boxes),
        (gettext("More boxes and dice games."), others),
        (pgettext("heading of a list", "Matches."), list(presets())),
    ]
    all_names = [name for _, names in groups for name in names]
    numbers = {name: number for number, name in enumerate(all_names, start=1)}
    at_once = _number_at_once(console, len(all_names))
    for heading, names in groups:
        console.say(heading)
        for name in names:
            facts = {"title": titles[name], "difference": difference(name).rstrip(".")}
            template = gettext_noop("{number}: {title}. {difference}.")
            console.say(gettext(template, number=numbers[name], **facts))
        if names is groups[-1][1]:
            ask = gettext("Which game? Type a number or a name; Enter goes back:")
        else:
            ask = gettext("Which game? Type a number or a name; Enter shows more:")
        while answer := console.answer(ask, back=True, at_once=at_once, helps=[gettext(_HELP)]):
            if picked := _find_game(console, answer, all_names):
                return picked
    raise GoesBack


def _number_at_once(console: Console, most: int) -> AtOnce | None:
    """Return an AtOnce that takes 1 to `most` once no digit can follow; None if keys need Enter."""

    def take(typed: str) -> str | None:
        if not typed.isdecimal() or not 1 <= int(typed) <= most:
            return None
        return typed if int(typed) * 10 > most else None  # else a second digit could follow

    return take if console.takes_at_once else None


def _is_number(text: str) -> bool:
    """Whether a text is a number of a list, with at most two digits; it can be beyond the list."""
    return re.fullmatch("[0-9]{1,2}", in_ascii(text)) is not None


def _find_numbered(console: Console, number: str, entries: Sequence[T]) -> T | None:
    """Return the entry with a number, from 1; None after saying that it is not on the list."""
    if 1 <= int(number) <= len(entries):
        return entries[int(number) - 1]
    template = gettext_noop(
        "{text} is not on the list. Type a number from 1 to {most}, or a name such as six."
    )
    console.say(gettext(template, text=shown(number), most=len(entries)))
    return None


def _find_game(console: Console, answer: str, names: Sequence[str]) -> str | None:
    """Return the game of a number, or the name typed; None after saying that it is no game."""
    if _is_number(answer):
        return _find_numbered(console, answer, names)
    return answer if _check_game(console, answer) else None


def _check_game(console: Console, name: str, how_to_list: str = "") -> bool:
    """Return whether a name is that of a game; if not, say why.

    If no game has a similar name, also say `how_to_list`, a sentence about the list of the games.
    """
    try:
        find_any(name)
    except ShutboxError as error:
        console.refuse(error)
        if how_to_list and isinstance(error, UnknownGame) and error.unlike:
            console.say(how_to_list)
        return False
    return True


def _looks_like_game(text: str) -> bool:
    """Whether a text is the name of a game, perhaps misspelt, rather than a phrase."""
    try:
        find_any(text)
        return True
    except ShutboxError:
        if text.startswith((".", "/")) or re.fullmatch(r"[\w.-]+\([^)]*\)?", text):
            return True  # a path, or a name with options in brackets
    # A text that a phrase would read as one person, and nothing else, is rather a misspelt game.
    try:
        return [seat.name for seat in read_terms(text).seats] == [text]
    except ShutboxError:
        return False
