"""Words that change how games are told and played, while a game goes on or on the first screen.

A change holds for all later games at a terminal: it is stored beside the records.
"""

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from shutbox.cli.consoles import configure, store_options, with_stored_options
from shutbox.errors import NotKept, ShutboxError
from shutbox.game import Game
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.messages import gettext, gettext_noop
from shutbox.narrator import Length
from shutbox.store import data_folder
from shutbox.term import Console, Session
from shutbox.term.keys import Pauses

FILE = "settings"  # beside the records, with the suffix of options


class Setting(NamedTuple):
    """A word that sets an option to a value, or if it has that value, to its default."""

    option: str
    value: object
    default: object
    about: str  # what the word does, a template for gettext


SETTINGS = {
    "plain": Setting("plain", True, False, gettext_noop("words only, no picture")),
    "speak": Setting("speak", True, None, gettext_noop("everything is spoken aloud")),
    "brief": Setting("length", "brief", "normal", gettext_noop("says less about each event")),
    "full": Setting("length", "full", "normal", gettext_noop("says more about each event")),
    "slow": Setting("pace", "slow", None, gettext_noop("long pauses while computers play")),
    "coach": Setting("coach", True, False, gettext_noop("says what each of your choices cost")),
    "advise": Setting("advise", True, False, gettext_noop("a hint before each of your choices")),
    "ask": Setting("throw", "ask", None, gettext_noop("every throw waits for Enter")),
}


def words(
    arguments: argparse.Namespace, session: Session
) -> Iterator[tuple[str, Callable[[], None], str]]:
    """Yield each word, the function that changes the setting of a session, and no help."""

    def changing(word: str) -> None:
        change(session.console, arguments, word)
        session.tune(**session_fields(session.console, arguments, session.table.game))

    for word in SETTINGS:
        yield word, partial(changing, word), ""


def session_fields(
    console: Console, arguments: argparse.Namespace, game: Game[Any, Any]
) -> dict[str, Any]:
    """Return the fields of a session that its players can change while they play."""
    return {
        "throws": _throws(arguments.throw, console, game),
        "coach": arguments.coach,
        "advises": arguments.advise,
        "length": Length(arguments.length),
        "pauses": Pauses.at(arguments.pace) if console.interactive else Pauses(0),
    }


def _throws(asked: str | None, console: Console, game: Game[Any, Any]) -> bool:
    """Whether dice are thrown without Enter; `asked` is the value of `--throw`.

    If it is None they are, except at a terminal in a game whose traits say that rolls wait.
    """
    if asked is not None:
        return asked == "auto"
    turn = game.game if isinstance(game, Match) else game
    return not (console.interactive and traits_of(turn).waits)


def change(console: Console, arguments: argparse.Namespace, word: str) -> None:
    """Switch a setting on or off in `arguments` and at the console, store it, and say so."""
    setting = SETTINGS[word]
    on = getattr(arguments, setting.option) != setting.value
    setattr(arguments, setting.option, setting.value if on else setting.default)
    try:
        configure(console, arguments)
    except ShutboxError as error:
        console.refuse(error)
    if arguments.speak and not console.speaks:  # why not has been said
        arguments.speak = None
        return
    with suppress(NotKept):
        store_options(data_folder() / FILE, arguments, everywhere=True)
    says = gettext_noop("{word} is on.") if on else gettext_noop("{word} is off.")
    console.say(gettext(says, word=word))


def ask_settings(console: Console, arguments: argparse.Namespace) -> None:
    """List the settings, and change those whose words are typed until Enter is pressed.

    Raises GoesBack and Stopped.
    """
    for word, setting in SETTINGS.items():
        console.say(gettext("{key}: {about}.", key=word, about=gettext(setting.about)))
    ask = gettext("Which word? It switches on or off; Enter goes back:")
    while answer := console.answer(ask, back=True).casefold():
        if answer in SETTINGS:
            change(console, arguments, answer)
        else:
            known = ", ".join(SETTINGS)
            console.say(gettext("Type one of these: {words}.", words=known))


def remembered(arguments: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments with the settings that a player made before, at a terminal only."""
    if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return arguments
    with suppress(NotKept):
        return with_stored_options(data_folder() / FILE, arguments)
    return arguments
