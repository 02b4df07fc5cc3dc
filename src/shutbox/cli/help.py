"""`shutbox help`: the help of a command, as `--help` prints it."""

import argparse

from shutbox.cli.arguments import arguments_parser


def help_(arguments: argparse.Namespace) -> None:
    """Print it and leave, or say which command was meant."""
    arguments_parser().parse_args([*arguments.words, "--help"])
