"""The options for how a game is played and narrated at a terminal, and the console they describe.

A record holds the events of a game and nothing else. Options such as `--throw ask` are stored in
a small file next to it, which can be lost or damaged without harm.
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


def add_telling(command: Arguments) -> None:
    """Add every option for how a game is played and narrated."""
    told = command.add_argument_group(gettext("how to play, and how much to say"))
    about = gettext(
        "dice fall by themselves, or when you press Enter (default: auto; in Cargo ask, at a "
        "terminal). At a terminal Enter always throws the first dice of a turn"
    )
    told.add_argument("--throw", choices=THROWS, help=about)
    about = gettext("how much h tells when you ask for a hint (default: explained)")
    told.add_argument("--hints", choices=HINTS, default="explained", help=about)
    add_switch(told, "--coach", gettext("say after each of your choices what it cost"))
    about = gettext(
        "how long the computer's players pause, so that you can follow; any key skips it"
    )
    told.add_argument("--pace", choices=tuple(PACES), help=about)
    add_length(told)
    about = gettext(
        "keys act without Enter where they can only mean one thing; begin with a space to type a "
        "whole line"
    )
    told.add_argument("--keys", action=argparse.BooleanOptionalAction, default=False, help=about)
    add_shared(told, *VOICE, "--plain")


def add_length(command: Arguments) -> None:
    """Add `--length`, how much to say about each event."""
    about = gettext("how much to say about each event (default: normal)")
    command.add_argument("--length", choices=LENGTHS, default="normal", help=about)


def console_of(arguments: argparse.Namespace) -> Console:
    """Return the console. With `--speak` but no voice found, it prints that and stays silent.

    Raises NotUnderstood if `--rate` is too slow or too fast.
    """
    keys = getattr(arguments, "keys", False)
    if not arguments.speak:
        return Console(plain=arguments.plain, keys=keys)
    from shutbox.term.speech import FASTEST, SLOWEST  # here, so that silent games start faster
    from shutbox.term.speech.search import find_voice

    if arguments.rate is not None and not SLOWEST <= arguments.rate <= FASTEST:
        facts = {"rate": arguments.rate, "least": SLOWEST, "most": FASTEST}
        raise NotUnderstood("--rate: {rate} words a minute; {least} to {most}", **facts)
    voice, amiss = find_voice(arguments.rate, arguments.voice)
    console = Console(plain=arguments.plain, voice=voice, keys=keys)
    console.say(*amiss)
    return console


def keep_options(record: Path, arguments: argparse.Namespace | None) -> None:
    """Store options that are not at their default beside `record`; ignore errors of the disk.

    If there are none, or `arguments` is None because the game is over, the file is removed.
    """
    path = record.with_suffix(OPTIONS)
    unlike = {
        name: value
        for name, (default, known) in _OPTIONS.items()
        if (value := getattr(arguments, name, None)) != default and value in known
    }
    with suppress(OSError):
        if unlike:
            path.write_text(json.dumps(unlike), encoding="utf-8")
        else:
            path.unlink(missing_ok=True)


def with_kept_options(record: Path, arguments: argparse.Namespace) -> argparse.Namespace:
    """Return a copy of the arguments, with the options stored beside `record`.

    An option on the command line wins, unless it is at its default.
    """
    kept: object = None
    with suppress(OSError, ValueError):
        kept = json.loads(record.with_suffix(OPTIONS).read_text(encoding="utf-8"))
    merged = argparse.Namespace(**vars(arguments))
    for name, value in kept.items() if isinstance(kept, dict) else ():
        default, known = _OPTIONS.get(name, (None, ()))
        if value in known and getattr(arguments, name, None) == default:
            setattr(merged, name, value)
    return merged
