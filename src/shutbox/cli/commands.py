"""The table of commands, in the groups of the help.

The module that a row names is imported once the command is typed. Its function `add_NAME` adds the
command's arguments and examples, and as `run` the function that executes it.
"""

import argparse
from importlib import import_module
from typing import NamedTuple

from shutbox import __version__
from shutbox.cli.parser import Parser, add_shared
from shutbox.messages import gettext, gettext_noop, pgettext, pgettext_noop


class Command(NamedTuple):
    """A command as the help lists it; its module is imported when its arguments are needed."""

    name: str
    about: str
    module: str = ""
    """The module in `shutbox.cli`; empty if it has the name of the command."""
    instead_of: tuple[str, ...] = ()
    """Words that people type for this command; it is suggested to them."""

    def fill(self, parser: Parser) -> None:
        """Add the arguments of the command to its parser."""
        module = import_module(f"shutbox.cli.{self.module or self.name}")
        getattr(module, f"add_{self.name.replace('-', '_')}")(parser)
        add_shared(parser, "--language")


COMMANDS: dict[str, tuple[Command, ...]] = {
    pgettext_noop("heading of commands", "Play"): (
        Command("play", gettext_noop("play a game in the terminal"), instead_of=("new", "start")),
        Command("resume", gettext_noop("continue a game"), "play", ("continue", "load")),
        Command(
            "practice", gettext_noop("practise choices: questions, what each answer costs, and why")
        ),
    ),
    pgettext_noop("heading of commands", "The games and their rules"): (
        Command(
            *("games", gettext_noop("list the games of the catalogue, or your own"), "catalogue"),
            instead_of=("list", "ls", "variants"),
        ),
        Command("rules", gettext_noop("show the rules of a game or a match"), "catalogue"),
        Command(
            "legal", gettext_noop("show what is due at a position, and every choice"), "catalogue"
        ),
        Command("picture", gettext_noop("draw a position as an SVG or a PNG"), "catalogue"),
        Command("conform", gettext_noop("test a game against the protocol"), "catalogue"),
    ),
    pgettext_noop("heading of commands", "Your own games"): (
        Command("show", gettext_noop("show a game you played: its score and moves")),
        Command("replay", gettext_noop("watch a game again, step by step"), "show"),
        Command("check", gettext_noop("check a record, and say what is wrong with it")),
        Command("chips", gettext_noop("explain every account of a match, line by line"), "show"),
        Command("export", gettext_noop("export records for other programs"), "own_games"),
        Command("import", gettext_noop("import records that were exported as JSON"), "own_games"),
        Command("stats", gettext_noop("sum up your own games, and the dice"), "own_games"),
        Command("review", gettext_noop("show what was luck and what was skill")),
    ),
    pgettext_noop("heading of commands", "What it is worth"): (
        Command(
            *("odds", gettext_noop("show the odds of a game under perfect play")),
            instead_of=("solve", "value", "values", "probability"),
        ),
        Command(
            "policy", gettext_noop("write the best choice of every position into a file"), "odds"
        ),
        Command(
            *("advise", gettext_noop("rank the choices of a position, and say why")),
            instead_of=("hint", "best", "coach"),
        ),
        Command(
            "equity", gettext_noop("show the chance to win at every standing of a match of two")
        ),
        Command("fair", gettext_noop("show which rules are fair to every seat"), "equity"),
        Command("sheet", gettext_noop("print a strategy on one sheet of paper"), "compare"),
        Command("compare", gettext_noop("compare the strength of players and fixed strategies")),
        Command(
            *("verify-values", gettext_noop("check a file of values by solving the games again")),
            "values",
        ),
    ),
    pgettext_noop("heading of commands", "For hosts"): (
        Command("serve", gettext_noop("serve the game to browsers")),
        Command("admin", gettext_noop("look after a server: its tables, links and visitors")),
    ),
    pgettext_noop("heading of commands", "Help"): (
        Command("help", gettext_noop("explain a command, and how to type it"), "commands"),
        Command(
            *("completion", gettext_noop("print completions for your shell, or the manual page")),
            instead_of=("man",),
        ),
    ),
}
"""The commands by the titles under which the help lists them."""


def arguments_parser() -> Parser:
    """Return the parser. In the arguments that it reads, `run` is the command's function.

    The arguments of a command are added once it is typed; `filled` adds those of all commands.
    """
    parser = Parser(prog="shutbox", description=gettext("Shut the Box under all its house rules."))
    parser.add_argument("--version", action="version", version=f"shutbox {__version__}")
    add_shared(parser, "--language")
    commands = parser.add_subparsers(prog="shutbox", dest="command", metavar="COMMAND")
    for rows in COMMANDS.values():
        for row in rows:
            commands.add_parser(row.name, help=gettext(row.about)).fill = row.fill
            parser.meant.update(dict.fromkeys(row.instead_of, row.name))
    parser.groups = {
        pgettext("heading of commands", title): [(row.name, gettext(row.about)) for row in rows]
        for title, rows in COMMANDS.items()
    }
    return parser


def add_help(parser: Parser) -> None:
    """Add the arguments of `shutbox help`."""
    parser.add_argument("words", nargs="*", metavar="COMMAND", help=gettext("such as play"))
    parser.runs(print_help, "help play", "help admin ban")


def print_help(arguments: argparse.Namespace) -> None:
    """Print the help of the command in `words` and exit; suggest another for a misspelt one."""
    arguments_parser().parse_args([*arguments.words, "--help"])
