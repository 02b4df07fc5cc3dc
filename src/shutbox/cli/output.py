"""What the commands print: sentences for people, or JSON for programs."""

import argparse
import sys
from collections.abc import Callable, Iterable

from shutbox.english import visible


def answer(
    arguments: argparse.Namespace, lines: Iterable[str], value: Callable[[], object]
) -> None:
    """Print the lines, or with --json the value."""
    if arguments.json:
        print_json(value())
    else:
        print(*map(visible, lines), sep="\n")


def tell(says: str) -> None:
    """Say something beside the answer, for a person."""
    print(visible(says), file=sys.stderr, flush=True)


def print_json(value: object) -> None:
    """A value as JSON."""
    import json  # only commands with --json need it

    print(json.dumps(value, indent=2))
