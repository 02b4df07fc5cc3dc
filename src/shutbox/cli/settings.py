"""How games are played and narrated at a terminal: as options, as typed words, and as stored.

Players can type words that change the settings, in a game or on the first screen. A change is
stored for all later games at a terminal, in a file that can be lost or damaged without harm. An
option of the command line wins over what is stored and is not stored itself; nor is `advise`.
"""

import argparse
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, NamedTuple

from shutbox.cli.commands import Arguments, add_shared, add_switch
from shutbox.engine.english import capital
from shutbox.engine.errors import NotKept, NotUnderstood, ShutboxError
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext, gettext_noop
from shutbox.engine.narrator import Length
from shutbox.engine.typed_text import own_word, typed_line
from shutbox.games.traits import traits_of
from shutbox.match import turn_game
from shutbox.record.folder import data_folder
from shutbox.term import Console, Session
from shutbox.term.keys import PACE_VARIABLE, PACES

THROWS = ("auto", "ask")  # whether dice fall by themselves, or every throw waits for Enter
VOICE_OPTIONS = ("--speak", "--rate", "--voice")
LENGTHS = tuple(str(length.value) for length in Length)
_FILE = "settings"  # its name beside the records


class Setting(NamedTuple):
    """A word that players type: it sets a field of `PlaySettings`, typed again it clears it."""

    option: str  # a field of PlaySettings
    on: object  # the value when switched on
    effect: str  # a clause on what it does while it is on, a template for gettext

    @property
    def off(self) -> bool | None:
        """The value when switched off: of a switch False, since for `plain` None can mean yes."""
        return False if self.on is True else None


SETTINGS: dict[str, Setting] = {
    "plain": Setting("plain", True, gettext_noop("only words are shown, no picture")),
    "speak": Setting("speak", True, gettext_noop("everything is spoken aloud")),
    "mute": Setting("mute", True, gettext_noop("no sounds come before the words")),
    "brief": Setting("length", "brief", gettext_noop("less is said about each event")),
    "full": Setting("length", "full", gettext_noop("more is said about each event")),
    "slow": Setting("pace", "slow", gettext_noop("computers pause for long")),
    "coach": Setting("coach", True, gettext_noop("the coach says what each choice cost")),
    "advise": Setting("advise", True, gettext_noop("a hint comes before each choice")),
    "ask": Setting("throw", "ask", gettext_noop("every throw waits for Enter")),
    "keys": Setting("keys", True, gettext_noop("keys act without Enter where they mean one thing")),
}
"""The settings by the word that players type."""
_NOT_STORED = "advise"  # hints before each choice are wanted for one game


def add_console_options(command: Arguments) -> None:
    """Add every option for how a game is played and narrated."""
    group = command.add_argument_group(gettext("how to play, and how much to say"))
    text = gettext(
        "dice fall by themselves, or when you press Enter (default: auto; in Cargo ask, at a "
        "terminal). At a terminal Enter always throws the first dice of a turn"
    )
    group.add_argument("--throw", choices=THROWS, help=text)
    add_switch(group, "--coach", gettext("say after each of your choices what it cost"))
    text = gettext(
        "how long the computer's players pause, so that you can follow, and how long your next "
        "dice wait for u; any key skips it"
    )
    group.add_argument("--pace", choices=tuple(PACES), help=text)
    add_length(group)
    text = gettext(
        "keys act without Enter where they can only mean one thing; begin with a space to type a "
        "whole line"
    )
    group.add_argument("--keys", action=argparse.BooleanOptionalAction, help=text)
    add_shared(group, *VOICE_OPTIONS, "--plain")


def add_length(command: Arguments) -> None:
    """Add `--length`, how much to say about each event."""
    text = gettext("how much to say about each event (default: normal)")
    command.add_argument("--length", choices=LENGTHS, help=text)


@dataclass
class PlaySettings:
    """The options for how games are played and narrated; players change them while they play."""

    throw: str | None = None  # one of THROWS; None leaves it to the game and the terminal
    coach: bool = False
    advise: bool = False
    pace: str | None = None  # one of PACES; None leaves it to PACE_VARIABLE
    length: str | None = None  # one of LENGTHS; None: normal
    plain: bool | None = None  # None: if a screen reader runs
    speak: bool | None = None  # None: no, unless it is stored
    rate: int | None = None  # words a minute; None: as the voice is set up
    voice: str = ""  # the name of a voice; empty for the usual one
    keys: bool | None = None  # None: no, unless it is stored
    mute: bool = False

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "PlaySettings":
        """Return the settings of a command line; what its command lacks has its default."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in vars(arguments).items() if name in names})

    def configure(self, console: Console) -> None:
        """Set the voice, keys and pictures of a console, and say so if `speak` finds no voice.

        Raises NotUnderstood if `rate` is too slow or too fast.
        """
        voice, warnings = None, tuple[str, ...]()
        if self.speak:
            from shutbox.term.synthesizers import (  # here, so that silent games start faster
                FASTEST,
                SLOWEST,
                find_voice,
            )

            if self.rate is not None and not SLOWEST <= self.rate <= FASTEST:
                raise NotUnderstood(
                    "--rate: {rate} words a minute; {least} to {most}",
                    rate=self.rate,
                    least=SLOWEST,
                    most=FASTEST,
                )
            voice, warnings = find_voice(self.rate, self.voice)
        console.configure(plain=self.plain, voice=voice, keys=bool(self.keys), mute=self.mute)
        console.say(*warnings)

    def load(self) -> None:
        """At a terminal, adopt the stored values of the options that the command line left open."""
        if sys.stdin is None or not (sys.stdin.isatty() and sys.stdout.isatty()):
            return
        stored, unset = _read_file(), PlaySettings()
        for setting in SETTINGS.values():
            name, value = setting.option, stored.get(setting.option)
            if getattr(self, name) == getattr(unset, name) and value in (setting.on, setting.off):
                setattr(self, name, value)

    def commands(self) -> dict[str, Callable[[Session], None]]:
        """Return, by word, the function that switches its setting on or off in a session."""
        return {word: partial(self._switch, word) for word in SETTINGS}

    def _switch(self, word: str, session: Session) -> None:
        self.change(session.console, word)
        session.tune(**self.session_fields(session.console, session.table.game))

    def session_fields(self, console: Console, game: Game[Any, Any]) -> dict[str, Any]:
        """Return, by name, the values of a session's fields that its players can change in play."""
        pace = self.pace or os.environ.get(PACE_VARIABLE, "")
        rolls_wait = console.interactive and traits_of(turn_game(game)).waits
        return {
            "auto_throw": self.throw == "auto" if self.throw else not rolls_wait,
            "coach": self.coach,
            "advises": self.advise,
            "length": Length(self.length or Length.NORMAL),
            "pause": PACES.get(pace, PACES["normal"]) if console.interactive else 0.0,
        }

    def change(self, console: Console, word: str) -> None:
        """Switch a setting on or off here and at the console, store it, and say so.

        If `speak` is on and no voice is found, switch it off again, and store nothing.
        """
        setting = SETTINGS[word]
        is_on = getattr(self, setting.option) != setting.on
        value = setting.on if is_on else setting.off
        setattr(self, setting.option, value)
        try:
            self.configure(console)
        except ShutboxError as error:
            console.refuse(error)
        if self.speak and console.voice is None:  # `configure` has said why
            self.speak = None
            if setting.option == "speak":
                return
        if setting.option != _NOT_STORED:
            _store(setting.option, value)
        template = gettext_noop("{about}.") if is_on else gettext_noop("{word} is off.")
        effect = capital(gettext(setting.effect))
        console.say(gettext(template, word=own_word(word), about=effect))

    def ask(self, console: Console) -> None:
        """List the settings, and change those whose words are typed. Raises GoesBack, Stopped."""
        for word, setting in SETTINGS.items():
            facts = {"key": own_word(word), "about": gettext(setting.effect)}
            console.say(gettext("{key}: {about}.", **facts))
        ask = gettext("Type a word to switch it on or off, or Enter to go back:")
        while answer := typed_line(console.answer(ask, back=True)):
            if answer in SETTINGS:
                self.change(console, answer)
            else:
                known = ", ".join(own_word(word) for word in SETTINGS)
                console.say(gettext("Type one of these: {words}.", words=known))


def console_of(arguments: argparse.Namespace) -> Console:
    """Return the console that arguments describe. Raises as `PlaySettings.configure`."""
    console = Console()
    PlaySettings.of(arguments).configure(console)
    return console


def _read_file() -> dict[str, object]:
    """Return the stored values by option, valid or not; empty if the file cannot be read."""
    with suppress(OSError, ValueError, RecursionError, NotKept):
        stored = json.loads((data_folder() / _FILE).read_text(encoding="utf-8"))
        return stored if isinstance(stored, dict) else {}
    return {}


def _store(option: str, value: object) -> None:
    """Store the value of one option; ignore errors of the disk."""
    with suppress(OSError, NotKept):
        text = json.dumps({**_read_file(), option: value})
        (data_folder() / _FILE).write_text(text, encoding="utf-8")
