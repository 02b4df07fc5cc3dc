"""What the commands print: sentences for people, or JSON for programs."""

import argparse
from collections.abc import Callable, Iterable


def answer(
    arguments: argparse.Namespace, lines: Iterable[str], value: Callable[[], object]
) -> None:
    """Print the lines, or with --json the value."""
    if arguments.json:
        print_json(value())
    else:
        print(*lines, sep="\n")


def print_json(value: object) -> None:
    """A value as JSON."""
    import json  # only commands with --json need it

    print(json.dumps(value, indent=2))
