"""The parser of the command line, its table of commands, and the arguments that they share.

The help lists the commands in groups and gives examples of each. A misspelt word gets a suggestion.
The module that a row names is imported once the command is typed. Its function `NAME_arguments`
adds the arguments and examples, and sets `run` to the function that executes the command. That
function gets the parsed arguments, and returns an exit code, or None for 0. It passes errors on.
"""

import argparse
import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar

from shutbox import __version__
from shutbox.engine.english import listed, shown, visible
from shutbox.engine.errors import NotInstalled
from shutbox.engine.messages import gettext, gettext_noop, pgettext, pgettext_noop

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
Arguments = argparse._ActionsContainer  # a command, or a group of its options
N = TypeVar("N")

LONGEST_NUMBER = 100  # characters; a box whose tiles are read as digits has long scores

_EITHER = {"action": argparse.BooleanOptionalAction, "default": None}
_SHARED: dict[str, tuple[str, dict[str, Any]]] = {
    "game": (
        gettext_noop(
            "a name such as classic, 'classic(fewer=must-top)' or the match pub, or a file such as "
            "./mine.toml"
        ),
        {"metavar": "GAME"},
    ),
    "record": (
        gettext_noop("the number of a game of your own, or a file; without it, the newest"),
        {"nargs": "?", "metavar": "RECORD"},
    ),
    "position": (
        # Translators: or the name of a game, which stands for its first position.
        gettext_noop("such as classic:1.5.9/2+2, or a game or a match for its start"),
        {"metavar": "POSITION"},
    ),
    "room": (gettext_noop("the id of a table, from its address /r/ROOM"), {"metavar": "ROOM"}),
    "--database": (
        gettext_noop(
            "sqlite:///FILE or postgresql://USER@HOST/NAME (default: SHUTBOX_DATABASE, or else "
            "tables.db in your own folder of records)"
        ),
        {"metavar": "URL"},
    ),
    "--url": (
        gettext_noop("the address that people use, where a proxy stands before the server"),
        {"metavar": "URL", "default": ""},
    ),
    "--yes": (gettext_noop("do it without asking"), {"action": "store_true"}),
    "--aim": (
        gettext_noop(
            "mean, shut, worst-shut, or beat:T for a score to beat (default: mean); in a match win "
            "or chips"
        ),
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
        gettext_noop("write to a file ending in .csv"),
        {"type": Path, "metavar": "FILE"},
    ),
    "--speak": (
        gettext_noop(
            "speak everything: by speech-dispatcher or espeak-ng, on macOS by say, on "
            "Windows by SAPI. Any key stops it, and a full stop says the last sentence again"
        ),
        _EITHER,
    ),
    "--rate": (
        gettext_noop("how fast, 80 to 450 words a minute (default: as your voice is set up)"),
        {"type": int, "metavar": "WORDS"},
    ),
    "--voice": (
        gettext_noop("the name of a voice, as the program that speaks lists them"),
        {"default": "", "metavar": "NAME"},
    ),
    "--plain": (gettext_noop("words only, no picture, no line editing"), _EITHER),
    "--json": (gettext_noop("print JSON for programs"), {"action": "store_true"}),
    "--language": (
        gettext_noop(
            "speak this language, such as de (default: that of SHUTBOX_LANGUAGE, or of your system)"
        ),
        {"default": argparse.SUPPRESS, "metavar": "LANGUAGE"},
    ),
}
"""The shared arguments by name: the help text, and the keywords of `add_argument`."""


_OF_ARGPARSE = (
    # Translators: these are sentences of Python; %s and %r are filled in, as words in braces are.
    pgettext_noop("argparse", "usage: "),
    pgettext_noop("argparse", "positional arguments"),
    pgettext_noop("argparse", "options"),
    pgettext_noop("argparse", "show this help message and exit"),
    pgettext_noop("argparse", "show program's version number and exit"),
    pgettext_noop("argparse", "not allowed with argument %s"),
    pgettext_noop("argparse", "ignored explicit argument %r"),
    pgettext_noop("argparse", "the following arguments are required: %s"),
    pgettext_noop("argparse", "expected one argument"),
)
# argparse takes the translations of its sentences from here.
vars(argparse).update(_=partial(pgettext, "argparse"))


class Parser(argparse.ArgumentParser):
    """A command's parser, filled on use. No option is abbreviated, so a new one breaks nothing."""

    groups: Mapping[str, list[tuple[str, str]]] | None = None
    """The names and descriptions of the commands by the title of their group; None: no groups."""
    closing = ""  # the sentence that follows the groups
    fill: "Callable[[Parser], object] | None" = None
    """The function that adds the arguments once they are needed; None if there is none to call."""

    def __init__(self, **details: Any) -> None:
        as_written = argparse.RawDescriptionHelpFormatter
        super().__init__(**{"allow_abbrev": False, "formatter_class": as_written, **details})
        self.suggestions: Mapping[str, str] = {}
        """Commands by the words that people type instead of them."""

    def format_help(self) -> str:
        """Return the help. With `groups`, it lists the commands in them, and not the arguments."""
        if self.groups is None:
            return super().format_help()
        listed_by_group = (
            "\n".join((f"{title}:", *(f"  {name:<13} {help_text}" for name, help_text in commands)))
            for title, commands in self.groups.items()
        )
        parts = self.format_usage(), self.description or "", *listed_by_group, self.closing
        return "\n\n".join(map(str.rstrip, parts)) + "\n"

    def set_run(self, run: Callable[..., int | None], *examples: str) -> None:
        """Set the function to run, and the examples of the help: what to type after the command.

        >>> command = Parser(prog="shutbox resume")
        >>> command.set_run(print, "", "7")
        >>> print(command.epilog)
        examples:
          shutbox resume
          shutbox resume 7
        """
        self.set_defaults(run=run)
        lines = (f"  {self.prog} {words}".rstrip() for words in examples)
        self.epilog = "\n".join((pgettext("heading", "examples:"), *lines))

    def fill_all(self) -> "Parser":
        """Call `fill` here and in all commands below, adding all arguments; return this parser."""
        self._fill()
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                for command in action.choices.values():
                    command.fill_all()
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
        known, unknown = super().parse_known_args(args, namespace)
        if unknown:
            option = unknown[0].partition("=")[0]
            if option[0] == "-" and os.path.exists(unknown[0]):
                self.error(_did_you_mean(unknown[0], f"./{unknown[0]}"))
            if near := get_close_matches(option, self._option_string_actions, 1):
                self.error(_did_you_mean(option, near[0]))
            self.error(gettext("unrecognized arguments: {words}", words=" ".join(unknown)))
        return known, unknown  # type: ignore[return-value]

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        if action.type not in (int, float):
            return super()._get_value(action, arg_string)
        try:
            if len(arg_string) <= LONGEST_NUMBER:
                return action.type(arg_string)
            says = gettext_noop("{text} is too long for a number")
        except ValueError:
            says = gettext_noop("{text} is not a number")
            if action.type is int:
                says = gettext_noop("{text} is not a whole number")
        raise argparse.ArgumentError(action, gettext(says, text=shown(arg_string)))

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message on standard error, and exit with code 2.

        The password in an address is not printed: the error can go into a log.
        """
        message = message.removeprefix("argument ").removeprefix("COMMAND: ")
        message = visible(re.sub(r"(://[^/@\s]*):\S*@", r"\1:***@", message))
        self.print_usage(sys.stderr)
        self.exit(
            2, gettext("{program}: error: {message}", program=self.prog, message=message) + "\n"
        )

    def _print_message(self, message: str, file: Any = None) -> None:
        if file is sys.stdout:
            print(message, end="")  # argparse would pass over an error
        else:
            super()._print_message(message, file)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        words = [*map(str, action.choices)]
        if near := get_close_matches(self.suggestions.get(value, str(value)), words, 1):
            raise argparse.ArgumentError(action, _did_you_mean(value, near[0]))
        says = gettext_noop("there is no {typed}; choose from {words}")
        if action.nargs == argparse.PARSER:  # commands: too many to list
            says = gettext_noop("there is no {typed}; {program} --help lists the commands")
        facts = {"typed": value, "program": self.prog, "words": listed(words)}
        raise argparse.ArgumentError(action, gettext(says, **facts))


def _did_you_mean(typed: str, near: str) -> str:
    return gettext("there is no {typed}; did you mean {near}?", typed=typed, near=near)


def add_shared(to: Arguments, *names: str, **other: object) -> None:
    """Add arguments of `_SHARED` by their names; `other` overrides keywords of `add_argument`."""
    for name in names:
        help_text, details = _SHARED[name]
        to.add_argument(*name.split(), help=gettext(help_text), **{**details, **other})


def add_switch(to: Arguments, name: str, help_text: str) -> None:
    """Add an option without a value: True if it is typed, else False."""
    to.add_argument(name, action="store_true", help=help_text)


class Command(NamedTuple):
    """A command as the help lists it; its module is imported when its arguments are needed."""

    name: str
    help_text: str
    module: str = ""  # in `shutbox.cli`; empty if it has the name of the command

    def fill(self, parser: Parser) -> None:
        """Import the module of the command, and let it add its arguments to the parser."""
        module = import_module(f"shutbox.cli.{self.module or self.name}")
        getattr(module, f"{self.name.replace('-', '_')}_arguments")(parser)
        add_shared(parser, "--language")


COMMANDS: dict[str, tuple[Command, ...]] = {
    pgettext_noop("heading of commands", "Play"): (
        Command("play", gettext_noop("play a game in the terminal")),
        Command("resume", gettext_noop("continue a game"), "play"),
        Command("today", gettext_noop("play the box of the day, with one try"), "play"),
        Command(
            "practice", gettext_noop("practise choices: questions, what each answer costs, and why")
        ),
        Command("games", gettext_noop("list the games of the catalogue, or your own"), "catalogue"),
        Command("rules", gettext_noop("show the rules of a game or a match"), "catalogue"),
    ),
    pgettext_noop("heading of commands", "Your own games"): (
        Command("show", gettext_noop("show a game you played: its score and moves")),
        Command("replay", gettext_noop("watch a game again, step by step"), "show"),
        Command("review", gettext_noop("show what was luck and what was skill")),
        Command("stats", gettext_noop("sum up your own games, and the dice"), "records"),
    ),
    pgettext_noop("heading of commands", "What it is worth"): (
        Command("odds", gettext_noop("show the odds of a game under perfect play")),
        Command("advise", gettext_noop("rank the choices of a position, and say why")),
        Command("fair", gettext_noop("show which rules are fair to every seat")),
        # Translators: print: on the screen, as text that one page of paper can hold.
        Command("sheet", gettext_noop("print a strategy on one sheet of paper"), "compare"),
        Command("compare", gettext_noop("compare the strength of players and fixed strategies")),
    ),
    pgettext_noop("heading of commands", "More"): (
        Command("serve", gettext_noop("serve the game to browsers")),
        Command("admin", gettext_noop("look after a server: its tables, links and visitors")),
        Command("help", gettext_noop("explain a command, and how to type it"), "commands"),
    ),
}
"""The commands by the titles under which the help lists them."""

FOR_PROGRAMS = (
    Command("legal", gettext_noop("show what is due at a position, and every choice"), "catalogue"),
    Command("picture", gettext_noop("draw a position as an SVG or a PNG"), "catalogue"),
    Command("policy", gettext_noop("write the best choice of every position into a file"), "odds"),
    Command("check", gettext_noop("check a record, and say what is wrong with it"), "show"),
    Command("export", gettext_noop("export records for other programs"), "records"),
    Command("conform", gettext_noop("test a game against the protocol"), "catalogue"),
    Command(
        "completion",
        gettext_noop("print completions for your shell, or the manual page"),
        "commands",
    ),
)
"""The commands that the help only names, since few people type them."""

SUGGESTIONS = {
    **dict.fromkeys(("new", "start"), "play"),
    **dict.fromkeys(("continue", "load"), "resume"),
    **dict.fromkeys(("list", "ls", "variants"), "games"),
    **dict.fromkeys(("solve", "value", "values", "probability", "equity"), "odds"),
    **dict.fromkeys(("hint", "best", "coach"), "advise"),
    "man": "completion",
}
"""Words that people type instead of a command, with the command to suggest."""


def arguments_parser() -> Parser:
    """Return the parser of all commands; a typed command sets `run`, the function to call."""
    parser = Parser(prog="shutbox", description=gettext("Shut the Box under all its house rules."))
    parser.add_argument("--version", action="version", version=f"shutbox {__version__}")
    add_shared(parser, "--language")
    commands = parser.add_subparsers(prog="shutbox", dest="command", metavar="COMMAND")
    for row in chain(*COMMANDS.values(), FOR_PROGRAMS):
        commands.add_parser(row.name, help=gettext(row.help_text)).fill = row.fill
    parser.suggestions = SUGGESTIONS
    parser.groups = {
        pgettext("heading of commands", title): [(row.name, gettext(row.help_text)) for row in rows]
        for title, rows in COMMANDS.items()
    }
    names = listed(row.name for row in FOR_PROGRAMS)
    parser.closing = gettext("For programs there are also {names}.", names=names)
    return parser


def help_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox help`."""
    parser.add_argument("words", nargs="*", metavar="COMMAND", help=gettext("such as play"))
    parser.set_run(print_help, "play", "review")


def print_help(arguments: argparse.Namespace) -> None:
    """Print the help for the command in `words` and exit; if misspelt, suggest one, exit with 2."""
    arguments_parser().parse_args([*arguments.words, "--help"])


PLACES = {
    "bash": "share/bash-completion/completions/shutbox",
    "zsh": "share/zsh/site-functions/_shutbox",
    "fish": "share/fish/vendor_completions.d/shutbox.fish",
    "man": "share/man/man1/shutbox.1",
}
"""The path of each file below the prefix of the installation, where shells and man look."""


def completion_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox completion`."""
    help_text = gettext("bash, zsh or fish for completions, man for the manual page")
    parser.add_argument("shell", choices=[*PLACES], metavar="SHELL", help=help_text)
    parser.set_run(
        print_completion,
        "bash > ~/.local/share/bash-completion/completions/shutbox",
        "man > shutbox.1",
    )


def print_completion(arguments: argparse.Namespace) -> None:
    """Print the completions or manual page of the package. Raises NotInstalled in a clone."""
    from importlib import metadata  # every other command starts faster without it

    with suppress(metadata.PackageNotFoundError):
        for file in metadata.files("shutbox") or ():
            if file.as_posix().endswith(PLACES[arguments.shell]):
                print(Path(str(file.locate())).read_text(encoding="utf-8"), end="")
                return
    raise NotInstalled("completions and the manual page come with the command: pip install .")
