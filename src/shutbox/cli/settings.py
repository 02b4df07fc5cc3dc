"""The options and words for how a game is played and narrated at a terminal, and its console.

A record does not say how its game is played at a terminal. Options such as `--throw ask` are stored
in a small file next to it, which can be lost or damaged without harm. Players can type words that
change them, in a game or on the first screen. Such a change is stored in a file for all later games
at a terminal; only `advise` is not stored.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from shutbox.cli.commands import Arguments, add_shared, add_switch
from shutbox.engine.errors import NotKept, NotUnderstood, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.narrator import Length
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.record.folder import data_folder
from shutbox.term import Console, Session
from shutbox.term.keys import PACES, Pauses

THROWS = ("auto", "ask")
HINTS = ("off", "legal", "ranked", "explained")
VOICE = ("--speak", "--rate", "--voice")  # the options for the voice
LENGTHS = tuple(str(length.value) for length in Length)
OPTIONS = ".options"  # the suffix of the file with the options, which is named after the record
FILE = "settings"  # the name of the file for all games, beside the records

_OPTIONS: Mapping[str, tuple[object, Sequence[object]]] = {
    "throw": (None, THROWS),
    "hints": ("explained", HINTS),
    "coach": (False, (True,)),
    "pace": (None, tuple(PACES)),
    "length": ("normal", LENGTHS),
}
"""The options that are stored: the default of each, and the values that are valid in the file."""
_EVERYWHERE = {**_OPTIONS, "plain": (False, (True,)), "speak": (None, (True,))}
"""The options that are stored for all games: those of one game, and how games are shown."""


def add_console(command: Arguments) -> None:
    """Add every option for how a game is played and narrated."""
    group = command.add_argument_group(gettext("how to play, and how much to say"))
    about = gettext(
        "dice fall by themselves, or when you press Enter (default: auto; in Cargo ask, at a "
        "terminal). At a terminal Enter always throws the first dice of a turn"
    )
    group.add_argument("--throw", choices=THROWS, help=about)
    about = gettext("how much h tells when you ask for a hint (default: explained)")
    group.add_argument("--hints", choices=HINTS, default="explained", help=about)
    add_switch(group, "--coach", gettext("say after each of your choices what it cost"))
    about = gettext(
        "how long the computer's players pause, so that you can follow, and how long your next "
        "dice wait for u; any key skips it"
    )
    group.add_argument("--pace", choices=tuple(PACES), help=about)
    add_length(group)
    about = gettext(
        "keys act without Enter where they can only mean one thing; begin with a space to type a "
        "whole line"
    )
    group.add_argument("--keys", action=argparse.BooleanOptionalAction, default=False, help=about)
    add_shared(group, *VOICE, "--plain")
    command.set_defaults(from_menu=False, advise=False)


def add_length(command: Arguments) -> None:
    """Add `--length`, how much to say about each event."""
    about = gettext("how much to say about each event (default: normal)")
    command.add_argument("--length", choices=LENGTHS, default="normal", help=about)


def console_of(arguments: argparse.Namespace) -> Console:
    """Return the console that the arguments describe. Raises what `configure` raises."""
    console = Console(plain=arguments.plain)
    configure(console, arguments)
    return console


def configure(console: Console, arguments: argparse.Namespace) -> None:
    """Set the voice, keys and pictures of a console, and say so if `--speak` finds no voice.

    Raises NotUnderstood if `--rate` is too slow or too fast.
    """
    voice, amiss = None, tuple[str, ...]()
    if arguments.speak:
        from shutbox.term.synthesizers import (  # here, so that silent games start faster
            FASTEST,
            SLOWEST,
            find_voice,
        )

        if arguments.rate is not None and not SLOWEST <= arguments.rate <= FASTEST:
            facts = {"rate": arguments.rate, "least": SLOWEST, "most": FASTEST}
            raise NotUnderstood("--rate: {rate} words a minute; {least} to {most}", **facts)
        voice, amiss = find_voice(arguments.rate, arguments.voice)
    keys = getattr(arguments, "keys", False)
    console.configure(plain=arguments.plain, voice=voice, keys=keys)
    console.say(*amiss)


def store_options(
    record: Path, arguments: argparse.Namespace | None, *, everywhere: bool = False
) -> None:
    """Store options that are not at their default beside `record`; ignore errors of the disk.

    If there are none, or `arguments` is None because the game is over, their file is removed.
    `everywhere` adds the options that are only stored for all games.
    """
    path = record.with_suffix(OPTIONS)
    unlike = {
        name: value
        for name, (default, known) in (_EVERYWHERE if everywhere else _OPTIONS).items()
        if (value := getattr(arguments, name, None)) != default and value in known
    }
    with suppress(OSError):
        if unlike:
            path.write_text(json.dumps(unlike), encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


def with_stored_options(record: Path, arguments: argparse.Namespace) -> argparse.Namespace:
    """Return a copy of the arguments: what is stored beside `record` replaces only defaults."""
    stored: object = None
    with suppress(OSError, ValueError):
        stored = json.loads(record.with_suffix(OPTIONS).read_text(encoding="utf-8"))
    merged = argparse.Namespace(**vars(arguments))
    for name, value in stored.items() if isinstance(stored, dict) else ():
        default, known = _EVERYWHERE.get(name, (None, ()))
        if value in known and getattr(arguments, name, None) == default:
            setattr(merged, name, value)
    return merged


class Setting(NamedTuple):
    """What a typed word does: sets an option to a value, or from that value to its default."""

    option: str
    value: object
    about: str  # what the word does, a template for gettext


SETTINGS = {
    "plain": Setting("plain", True, gettext_noop("words only, no picture")),
    "speak": Setting("speak", True, gettext_noop("everything is spoken aloud")),
    "brief": Setting("length", "brief", gettext_noop("says less about each event")),
    "full": Setting("length", "full", gettext_noop("says more about each event")),
    "slow": Setting("pace", "slow", gettext_noop("long pauses while computers play")),
    "coach": Setting("coach", True, gettext_noop("says what each of your choices cost")),
    "advise": Setting("advise", True, gettext_noop("a hint before each of your choices")),
    "ask": Setting("throw", "ask", gettext_noop("every throw waits for Enter")),
}


def session_words(arguments: argparse.Namespace) -> dict[str, Callable[[Session], None]]:
    """Return, by word, the function that switches its setting on or off while a game goes on."""

    def changes(word: str, session: Session) -> None:
        change(session.console, arguments, word)
        session.tune(**session_fields(session.console, arguments, session.table.game))

    return {word: partial(changes, word) for word in SETTINGS}


def session_fields(
    console: Console, arguments: argparse.Namespace, game: Game[Any, Any]
) -> dict[str, Any]:
    """Return, by name, the values of a session's fields that its players can change in play."""
    turn = game.game if isinstance(game, Match) else game
    rolls_wait = console.interactive and traits_of(turn).waits  # unless --throw says otherwise
    return {
        "auto_throw": arguments.throw == "auto" if arguments.throw else not rolls_wait,
        "coach": arguments.coach,
        "advises": arguments.advise,
        "length": Length(arguments.length),
        "pauses": Pauses.at(arguments.pace) if console.interactive else Pauses(0),
    }


def change(console: Console, arguments: argparse.Namespace, word: str) -> None:
    """Switch a setting on or off in `arguments` and at the console, store it, and say so.

    If `speak` is on and no voice is found, switch it off again, and store nothing.
    """
    setting = SETTINGS[word]
    on = getattr(arguments, setting.option) != setting.value
    default, _ = _EVERYWHERE.get(setting.option, (False, ()))  # without one, it is not stored
    setattr(arguments, setting.option, setting.value if on else default)
    try:
        configure(console, arguments)
    except ShutboxError as error:
        console.refuse(error)
    if arguments.speak and console.voice is None:  # why not has been said
        arguments.speak = None
        return
    with suppress(NotKept):
        store_options(data_folder() / FILE, arguments, everywhere=True)
    says = gettext_noop("{word} is on: {about}.") if on else gettext_noop("{word} is off.")
    console.say(gettext(says, word=word, about=gettext(setting.about)))


def ask_settings(console: Console, arguments: argparse.Namespace) -> None:
    """List the settings, and change those whose words are typed. Raises GoesBack and Stopped."""
    for word, setting in SETTINGS.items():
        console.say(gettext("{key}: {about}.", key=word, about=gettext(setting.about)))
    ask = gettext("Type a word to switch it on or off, or Enter to go back:")
    while answer := console.answer(ask, back=True).casefold():
        if answer in SETTINGS:
            change(console, arguments, answer)
        else:
            known = ", ".join(SETTINGS)
            console.say(gettext("Type one of these: {words}.", words=known))


def remembered(arguments: argparse.Namespace) -> argparse.Namespace:
    """Return the arguments with the stored settings; away from a terminal, return them as given."""
    if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
        with suppress(NotKept):
            return with_stored_options(data_folder() / FILE, arguments)
    return arguments
