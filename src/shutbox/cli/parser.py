"""A parser whose help shows commands in groups, with examples, and which says what was meant."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias, TypeVar

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
    fill: "Callable[[Parser], object] | None" = None
    """What adds the arguments of a command, once they are needed."""

    def format_help(self) -> str:
        """What the program does, and its commands in their groups."""
        if self.groups is None:
            return super().format_help()
        parts = self.format_usage(), self.description or "", listed_by_group(self.groups)
        return "\n\n".join(map(str.rstrip, parts)) + "\n"

    def __init__(self, **details: Any) -> None:
        as_written = argparse.RawDescriptionHelpFormatter
        super().__init__(**{"allow_abbrev": False, "formatter_class": as_written, **details})

    def runs(self, run: Callable[..., int | None], *examples: str) -> None:
        """Run this function; the help ends with lines to type, as they stand after `shutbox`.

        >>> command = Parser(prog="resume")
        >>> command.runs(print, "resume", "resume 7")
        >>> print(command.epilog)
        examples:
          shutbox resume
          shutbox resume 7
        """
        self.set_defaults(run=run)
        lines = (f"  shutbox {line}" for line in examples)
        self.epilog = "\n".join((gettext("examples:"), *lines))

    def filled(self) -> "Parser":
        """Return the parser with the arguments of every command in it."""
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
        """Refuse what is unknown here, where the usage is that of the command that was meant."""
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
