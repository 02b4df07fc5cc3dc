"""A parser with commands in groups, examples in the help, and suggestions after misspellings.

The options that several commands share are defined here, too, with their help texts.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, TypeVar

from shutbox.english import listed, visible
from shutbox.messages import gettext, gettext_noop, pgettext

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
Listed = list[tuple[str, str]]
"""Commands: the name of each, and what it does."""
Arguments = argparse._ActionsContainer
"""A command, or a group of its options."""
N = TypeVar("N")

_SHARED: dict[str, tuple[str, dict[str, Any]]] = {
    "game": (
        gettext_noop(
            "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml"
        ),
        {"metavar": "GAME"},
    ),
    "record": (
        gettext_noop("the number of a game of your own, or a file; without it, the newest"),
        {"nargs": "?", "metavar": "RECORD"},
    ),
    "--aim": (
        gettext_noop("mean, shut, worst-shut, or beat:T for a score to beat (default: mean)"),
        {"default": "mean", "metavar": "AIM"},
    ),
    "--seats": (gettext_noop("for this many players in turn"), {"type": int, "metavar": "N"}),
    "--format": (
        gettext_noop("how turns become a match, such as rounds=3 or shut=wins,stake=1"),
        {"metavar": "ATOMS"},
    ),
    "--anyway": (
        gettext_noop("go ahead, however much time and memory it takes"),
        {"action": "store_true"},
    ),
    "--player": (gettext_noop("only this player"), {"metavar": "NAME"}),
    "-o --output": (
        gettext_noop("write to a file ending in .csv, .jsonl or .parquet"),
        {"type": Path, "metavar": "FILE"},
    ),
    "--speak": (
        gettext_noop(
            "speak everything: by speech-dispatcher or espeak-ng, on macOS by say, on "
            "Windows by SAPI. Any key stops it, and a full stop says the last sentence again"
        ),
        {"action": argparse.BooleanOptionalAction, "default": None},
    ),
    "--rate": (
        gettext_noop("how fast, 80 to 450 words a minute (default: as your voice is set up)"),
        {"type": int, "metavar": "WORDS"},
    ),
    "--voice": (
        gettext_noop("the name of a voice, as the program that speaks lists them"),
        {"default": "", "metavar": "NAME"},
    ),
    "--plain": (
        gettext_noop("words only, no picture, no line editing"),
        {"action": "store_true"},
    ),
    "--json": (gettext_noop("print JSON for programs"), {"action": "store_true"}),
    "--language": (
        gettext_noop(
            "speak this language, such as de (default: that of SHUTBOX_LANGUAGE, or of your system)"
        ),
        {"default": argparse.SUPPRESS, "metavar": "LANGUAGE"},
    ),
}
"""The shared arguments by name: the help text, and the keywords of `add_argument`."""


class Parser(argparse.ArgumentParser):
    """A parser without abbreviated options, so that a new option breaks no command in use."""

    groups: Mapping[str, Listed] | None = None
    """The commands of a program by the title of their group; None in a command's own parser."""
    fill: "Callable[[Parser], object] | None" = None
    """The function that adds the arguments of a command once they are needed."""

    meant: dict[str, str]
    """Commands by words that people type instead of them."""

    def format_help(self) -> str:
        """Return the help. The help of a program lists its commands in their groups."""
        if self.groups is None:
            return super().format_help()
        listed_by_group = (
            "\n".join((f"{title}:", *(f"  {name:<13} {about}" for name, about in commands)))
            for title, commands in self.groups.items()
        )
        parts = self.format_usage(), self.description or "", *listed_by_group
        return "\n\n".join(map(str.rstrip, parts)) + "\n"

    def __init__(self, **details: Any) -> None:
        as_written = argparse.RawDescriptionHelpFormatter
        super().__init__(**{"allow_abbrev": False, "formatter_class": as_written, **details})
        self.meant = {}

    def runs(self, run: Callable[..., int | None], *examples: str) -> None:
        """Set the function to run, and the examples of the help: lines to type after `shutbox`.

        >>> command = Parser(prog="resume")
        >>> command.runs(print, "resume", "resume 7")
        >>> print(command.epilog)
        examples:
          shutbox resume
          shutbox resume 7
        """
        self.set_defaults(run=run)
        lines = (f"  shutbox {line}" for line in examples)
        self.epilog = "\n".join((pgettext("heading", "examples:"), *lines))

    def filled(self) -> "Parser":
        """Return this parser with the arguments of every command added."""
        self._fill()
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for command in action.choices.values():
                    command.filled()
        return self

    def _fill(self) -> None:
        fill, self.fill = self.fill, None
        if fill is not None:
            fill(self)

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: N | None = None
    ) -> tuple[N, list[str]]:
        """Parse as argparse does, but exit on unknown arguments, with the usage of this command."""
        self._fill()
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = unknown[0].partition("=")[0]
            near = get_close_matches(option, self._option_string_actions, 1)
            if near:
                self.error(_meant(option, near[0]))
            self.error(gettext("unrecognized arguments: {words}", words=" ".join(unknown)))
        return found, unknown  # type: ignore[return-value]

    def error(self, message: str) -> NoReturn:
        """Print the message under the usage, and exit."""
        super().error(visible(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        words = [*map(str, action.choices)]
        known = (
            [self.meant[value]] if value in self.meant else get_close_matches(str(value), words, 1)
        )
        for near in known:
            raise argparse.ArgumentError(action, _meant(value, near))
        if action.nargs == argparse.PARSER:  # commands: too many to list
            facts = {"typed": value, "program": self.prog}
            sentence = gettext("there is no {typed}; {program} --help lists the commands", **facts)
        else:
            facts = {"typed": value, "words": listed(words)}
            sentence = gettext("there is no {typed}; choose from {words}", **facts)
        raise argparse.ArgumentError(action, sentence)


def _meant(typed: str, near: str) -> str:
    return gettext("there is no {typed}; did you mean {near}?", typed=typed, near=near)


def add_shared(to: Arguments, *names: str, **other: object) -> None:
    """Add shared arguments by their names; `other` overrides their keywords."""
    for name in names:
        about, details = _SHARED[name]
        to.add_argument(*name.split(), help=gettext(about), **{**details, **other})


def add_switch(to: Arguments, name: str, about: str) -> None:
    """Add an option without a value."""
    to.add_argument(name, action="store_true", help=about)
