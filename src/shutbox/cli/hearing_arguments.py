"""The options of what is told in a terminal: a voice, keys without Enter, and how much is told."""

import argparse
import shlex
from collections.abc import Mapping, Sequence

from shutbox.errors import NotUnderstood
from shutbox.messages import gettext

LENGTHS = ("brief", "normal", "full")
"""The texts of `shutbox.narrator.Length`, which is not imported to tell what options there are."""

SETTING = "SHUTBOX_PLAY"
"""The variable of the environment with options that `play` and `resume` always have."""


def with_setting(words: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """The words of a command line, with the options that the environment adds to a game.

    >>> with_setting(["play", "ten", "--no-keys"], {"SHUTBOX_PLAY": "--keys --length brief"})
    ['play', '--keys', '--length', 'brief', 'ten', '--no-keys']

    What is typed comes later and counts. Raises NotUnderstood where a quote is not closed.
    """
    text = environment.get(SETTING, "")
    if not text or not words or words[0] not in ("play", "resume"):
        return list(words)
    try:
        options = shlex.split(text)
    except ValueError:
        raise NotUnderstood("{name}: a quotation mark is not closed", name=SETTING) from None
    return [words[0], *options, *words[1:]]


def add_voice(command: argparse._ActionsContainer) -> None:
    """Whether all that is said is spoken, and how."""
    about = gettext(
        "speak all that is said: by speech-dispatcher or espeak-ng, on macOS by say, on Windows by "
        "SAPI. Any key stops it, and a full stop says the last sentence again"
    )
    command.add_argument(
        "--speak", action=argparse.BooleanOptionalAction, default=False, help=about
    )
    about = gettext("how fast, 80 to 450 words a minute (default: as your voice is set up)")
    command.add_argument("--rate", type=int, metavar="WORDS", help=about)
    about = gettext("the name of a voice, as the program that speaks lists them")
    command.add_argument("--voice", default="", metavar="NAME", help=about)


def add_keys(command: argparse._ActionsContainer) -> None:
    """Whether Enter can be left out."""
    about = gettext(
        "keys act without Enter where they can only mean one thing; begin with a space to type a "
        "whole line"
    )
    command.add_argument("--keys", action=argparse.BooleanOptionalAction, default=False, help=about)


def add_length(command: argparse._ActionsContainer) -> None:
    """How much is told."""
    about = gettext("how much is told of each event (default: normal)")
    command.add_argument("--length", choices=LENGTHS, default="normal", help=about)
