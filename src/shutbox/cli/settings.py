"""The options and words for how a game is played and narrated at a terminal, and its console.

A record does not say how its game is played at a terminal. Options such as `--throw ask` are stored
in a small file next to it, which can be lost or damaged without harm. Players can type words that
change them, in a game or on the first screen. Such a change is stored in a file for all later games
at a terminal; only `advise` is not stored.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any

from shutbox.cli.commands import Arguments, add_shared, add_switch
from shutbox.engine.english import capital
from shutbox.engine.errors import NotKept, NotUnderstood, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.narrator import Length
from shutbox.games.traits import traits_of
from shutbox.match import Match
from shutbox.record.folder import data_folder
from shutbox.term import Console, Session
from shutbox.term.keys import PACE, PACES

THROWS = ("auto", "ask")
VOICE = ("--speak", "--rate", "--voice")  # the options for the voice
LENGTHS = tuple(str(length.value) for length in Length)
OPTIONS = ".options"  # the suffix of the file with the options, which is named after the record
FILE = "settings"  # the name of the file for all games, beside the records

_OF_ONE_GAME: Mapping[str, tuple[object, ...]] = {
    "throw": THROWS,
    "coach": (True,),
    "pace": tuple(PACES),
    "length": LENGTHS,
}
"""The options that are stored beside a record, with the values that are valid there."""
_OF_ALL_GAMES = {**_OF_ONE_GAME, "plain": (True, False), "speak": (True,), "mute": (True,)}
"""The options that are stored for all games: those of one game, and how games are shown."""


def add_console(command: Arguments) -> None:
    """Add every option for how a game is played and narrated."""
    group = command.add_argument_group(gettext("how to play, and how much to say"))
    about = gettext(
        "dice fall by themselves, or when you press Enter (default: auto; in Cargo ask, at a "
        "terminal). At a terminal Enter always throws the first dice of a turn"
    )
    group.add_argument("--throw", choices=THROWS, help=about)
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


def add_length(command: Arguments) -> None:
    """Add `--length`, how much to say about each event."""
    about = gettext("how much to say about each event (default: normal)")
    command.add_argument("--length", choices=LENGTHS, default="normal", help=about)


SETTINGS: dict[str, tuple[str, object, str]] = {
    "plain": ("plain", True, gettext_noop("only words are shown, no picture")),
    "speak": ("speak", True, gettext_noop("everything is spoken aloud")),
    "mute": ("mute", True, gettext_noop("no sounds come before the words")),
    "brief": ("length", "brief", gettext_noop("less is said about each event")),
    "full": ("length", "full", gettext_noop("more is said about each event")),
    "slow": ("pace", "slow", gettext_noop("computers pause for long")),
    "coach": ("coach", True, gettext_noop("the coach says what each choice cost")),
    "advise": ("advise", True, gettext_noop("a hint comes before each choice")),
    "ask": ("throw", "ask", gettext_noop("every throw waits for Enter")),
}
"""By typed word: the option that it sets, its value, and what it does, a template for gettext."""


@dataclass
class PlaySettings:
    """How games are played and narrated at a terminal; players change it while they play."""

    throw: str | None = None
    coach: bool = False
    advise: bool = False
    pace: str | None = None
    length: str = "normal"
    plain: bool | None = None
    speak: bool | None = None
    rate: int | None = None
    voice: str = ""
    keys: bool = False
    mute: bool = False

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "PlaySettings":
        """Return the settings of a command line; options that the command lacks are as usual."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in vars(arguments).items() if name in names})

    def configure(self, console: Console) -> None:
        """Set the voice, keys and pictures of a console, and say so if `speak` finds no voice.

        Raises NotUnderstood if `rate` is too slow or too fast.
        """
        voice, amiss = None, tuple[str, ...]()
        if self.speak:
            from shutbox.term.synthesizers import (  # here, so that silent games start faster
                FASTEST,
                SLOWEST,
                find_voice,
            )

            if self.rate is not None and not SLOWEST <= self.rate <= FASTEST:
                facts = {"rate": self.rate, "least": SLOWEST, "most": FASTEST}
                raise NotUnderstood("--rate: {rate} words a minute; {least} to {most}", **facts)
            voice, amiss = find_voice(self.rate, self.voice)
        console.configure(plain=self.plain, voice=voice, keys=self.keys, mute=self.mute)
        console.say(*amiss)

    def store(self, file: Path, names: Mapping[str, tuple[object, ...]] = _OF_ONE_GAME) -> None:
        """Store the options that are not at their default in a file; ignore errors of the disk.

        If there are none, the file is removed.
        """
        unlike = {
            name: value
            for name, known in names.items()
            if (value := getattr(self, name)) != getattr(PlaySettings, name) and value in known
        }
        with suppress(OSError):
            if unlike:
                file.write_text(json.dumps(unlike), encoding="utf-8")
            else:
                file.unlink(missing_ok=True)

    def load(self, file: Path) -> None:
        """Adopt what is stored in a file, where an option is at its default."""
        stored: object = None
        with suppress(OSError, ValueError):
            stored = json.loads(file.read_text(encoding="utf-8"))
        for name, value in stored.items() if isinstance(stored, dict) else ():
            known = value in _OF_ALL_GAMES.get(name, ())
            if known and getattr(self, name) == getattr(PlaySettings, name):
                setattr(self, name, value)

    def load_all(self) -> None:
        """Adopt what is stored for all games, at a terminal."""
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            with suppress(NotKept):
                self.load(_of_all_games())

    def words(self) -> dict[str, Callable[[Session], None]]:
        """Return, by word, the function that switches its setting on or off in a session."""

        def changes(word: str, session: Session) -> None:
            self.change(session.console, word)
            session.tune(**self.session_fields(session.console, session.table.game))

        return {word: partial(changes, word) for word in SETTINGS}

    def session_fields(self, console: Console, game: Game[Any, Any]) -> dict[str, Any]:
        """Return, by name, the values of a session's fields that its players can change in play."""
        turn = game.game if isinstance(game, Match) else game
        pace = self.pace or os.environ.get(PACE, "")
        rolls_wait = console.interactive and traits_of(turn).waits  # unless --throw says otherwise
        return {
            "auto_throw": self.throw == "auto" if self.throw else not rolls_wait,
            "coach": self.coach,
            "advises": self.advise,
            "length": Length(self.length),
            "pause": PACES.get(pace, PACES["normal"]) if console.interactive else 0.0,
        }

    def change(self, console: Console, word: str) -> None:
        """Switch a setting on or off here and at the console, store it, and say so.

        If `speak` is on and no voice is found, switch it off again, and store nothing.
        """
        name, value, about = SETTINGS[word]
        on = getattr(self, name) != value
        setattr(self, name, value if on else value is not True and getattr(PlaySettings, name))
        try:
            self.configure(console)
        except ShutboxError as error:
            console.refuse(error)
        if self.speak and console.voice is None:  # why not has been said
            self.speak = None
            return
        with suppress(NotKept):
            self.store(_of_all_games(), _OF_ALL_GAMES)
        says = gettext_noop("{about}.") if on else gettext_noop("{word} is off.")
        console.say(gettext(says, word=word, about=capital(gettext(about))))

    def ask(self, console: Console) -> None:
        """List the settings, and change those whose words are typed. Raises GoesBack, Stopped."""
        for word, (_, _, about) in SETTINGS.items():
            console.say(gettext("{key}: {about}.", key=word, about=gettext(about)))
        ask = gettext("Type a word to switch it on or off, or Enter to go back:")
        while answer := console.answer(ask, back=True).casefold():
            if answer in SETTINGS:
                self.change(console, answer)
            else:
                known = ", ".join(SETTINGS)
                console.say(gettext("Type one of these: {words}.", words=known))


def _of_all_games() -> Path:
    """Return the file with the options of all games. Raises NotKept for a user without a home."""
    return data_folder() / FILE


def console_of(arguments: argparse.Namespace) -> Console:
    """Return the console that arguments describe. Raises as `PlaySettings.configure`."""
    console = Console()
    PlaySettings.of(arguments).configure(console)
    return console
