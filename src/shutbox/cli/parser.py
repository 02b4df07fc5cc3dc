"""A parser whose help shows commands in groups, with examples, and which says what was meant."""

import argparse
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias, TypeVar

from shutbox.cli.examples import EXAMPLES
from shutbox.english import listed, visible
from shutbox.messages import gettext

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
Listed = list[tuple[str, str]]
"""Commands by name, and what each does."""
N = TypeVar("N")


class Parser(argparse.ArgumentParser):
    """Options are never abbreviated, so that a new one changes nothing that works today."""

    groups: Mapping[str, Listed] | None = None
    """The commands of a program, by what somebody wants to do."""

    def format_help(self) -> str:
        """What the program does, and its commands in their groups."""
        if self.groups is None:
            return super().format_help()
        parts = self.format_usage(), self.description or "", listed_by_group(self.groups)
        return "\n\n".join(map(str.rstrip, parts)) + "\n"

    def __init__(self, **details: Any) -> None:
        as_written = argparse.RawDescriptionHelpFormatter
        super().__init__(**{"allow_abbrev": False, "formatter_class": as_written, **details})

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: N | None = None
    ) -> tuple[N, list[str]]:
        """Refuse what is unknown here, where the usage is that of the command that was meant."""
        found, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = unknown[0].partition("=")[0]
            near = get_close_matches(option, self._option_string_actions, 1)
            if near:
                self.error(_meant(option, near[0]))
            self.error(gettext("unrecognized arguments: {words}", words=" ".join(unknown)))
        return found, unknown  # type: ignore[return-value]

    def error(self, message: str) -> NoReturn:
        """Say it under the usage, and leave."""
        super().error(visible(message))

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        words = [*map(str, action.choices)]
        if near := get_close_matches(str(value), words, 1):
            raise argparse.ArgumentError(action, _meant(value, near[0]))
        if action.nargs == argparse.PARSER:  # commands: too many to be told
            facts = {"typed": value, "program": self.prog}
            says = gettext("there is no {typed}; {program} --help lists the commands", **facts)
        else:
            facts = {"typed": value, "words": listed(words)}
            says = gettext("there is no {typed}; choose from {words}", **facts)
        raise argparse.ArgumentError(action, says)


def _meant(typed: str, near: str) -> str:
    return gettext("there is no {typed}; did you mean {near}?", typed=typed, near=near)


def examples_of(command: str) -> str:
    """The end of the help of a command.

    >>> print(examples_of("resume"))
    examples:
      shutbox resume
      shutbox resume 7
    """
    return "\n".join((gettext("examples:"), *(f"  shutbox {line}" for line in EXAMPLES[command])))


def listed_by_group(groups: Mapping[str, Listed]) -> str:
    """The commands with what each does, by what somebody wants to do.

    >>> print(listed_by_group({"Play": [("play", "play a game"), ("resume", "go on")]}))
    Play:
      play      play a game
      resume    go on
    """
    parts = []
    for title, commands in groups.items():
        parts.append(
            "\n".join((f"{title}:", *(f"  {name:<9} {about}" for name, about in commands)))
        )
    return "\n\n".join(parts)
