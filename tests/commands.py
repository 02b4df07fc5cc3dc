"""The commands of the command line, all of them, with their arguments."""

import argparse

from shutbox.cli.commands import arguments_parser
from shutbox.cli.parser import Parser


def filled(parser: Parser | None = None) -> Parser:
    """A parser, or that of the program, with the arguments of every command in it."""
    parser = arguments_parser() if parser is None else parser
    parser._fill()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                filled(command)
    return parser
