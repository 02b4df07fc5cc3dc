"""The options for how a game is played and narrated at a terminal, and the console they describe.

A record does not say how its game is played at a terminal. Options such as `--throw ask` are stored
in a small file next to it, which can be lost or damaged without harm.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from shutbox.cli.parser import Arguments, add_shared, add_switch
from shutbox.errors import NotUnderstood
from shutbox.messages import gettext
from shutbox.narrator import Length
from shutbox.term import Console
from shutbox.term.keys import PACES

THROWS = ("auto", "ask")
HINTS = ("off", "legal", "ranked", "explained")
VOICE = ("--speak", "--rate", "--voice")  # the options that `console_of` reads
LENGTHS = tuple(str(length.value) for length in Length)
OPTIONS = ".options"  # the suffix of the file with the options, which is named after the record

_OPTIONS: Mapping[str, tuple[object, Sequence[object]]] = {
    "throw": (None, THROWS),
    "hints": ("explained", HINTS),
    "coach": (False, (True,)),
    "pace": (None, tuple(PACES)),
    "length": ("normal", LENGTHS),
}
"""The options that are stored: the default of each, and the values that are valid in the file."""
_EVERYWHERE = {**_OPTIONS, "plain": (False, (True,)), "speak": (None, (True,))}
"""The options that are stored for all games; those of one game do not say how it is shown."""


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


def add_length(command: Arguments) -> None:
    """Add `--length`, how much to say about each event."""
    about = gettext("how much to say about each event (default: normal)")
    command.add_argument("--length", choices=LENGTHS, default="normal", help=about)


def console_of(arguments: argparse.Namespace) -> Console:
    """Return the console. If `--speak` finds no voice, the console prints that and stays silent.

    Raises NotUnderstood if `--rate` is too slow or too fast.
    """
    console = Console(plain=arguments.plain)
    configure(console, arguments)
    return console


def configure(console: Console, arguments: argparse.Namespace) -> None:
    """Set the voice, the keys and the pictures of a console. Raises what `console_of` raises."""
    keys = getattr(arguments, "keys", False)
    if not arguments.speak:
        console.configure(plain=arguments.plain, keys=keys)
        return
    from shutbox.term.speech import FASTEST, SLOWEST  # here, so that silent games start faster
    from shutbox.term.speech.search import find_voice

    if arguments.rate is not None and not SLOWEST <= arguments.rate <= FASTEST:
        facts = {"rate": arguments.rate, "least": SLOWEST, "most": FASTEST}
        raise NotUnderstood("--rate: {rate} words a minute; {least} to {most}", **facts)
    voice, amiss = find_voice(arguments.rate, arguments.voice)
    console.configure(plain=arguments.plain, voice=voice, keys=keys)
    console.say(*amiss)


def store_options(
    record: Path, arguments: argparse.Namespace | None, *, everywhere: bool = False
) -> None:
    """Store options that are not at their default beside `record`; ignore errors of the disk.

    If there are none, or `arguments` is None because the game is over, the file is removed.
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
    """Return a copy of the arguments, with the options stored beside `record`.

    An option on the command line wins, unless it is at its default.
    """
    stored: object = None
    with suppress(OSError, ValueError):
        stored = json.loads(record.with_suffix(OPTIONS).read_text(encoding="utf-8"))
    merged = argparse.Namespace(**vars(arguments))
    for name, value in stored.items() if isinstance(stored, dict) else ():
        default, known = _EVERYWHERE.get(name, (None, ()))
        if value in known and getattr(arguments, name, None) == default:
            setattr(merged, name, value)
    return merged
