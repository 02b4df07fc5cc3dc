"""What the commands print: sentences for people, or JSON for programs."""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from shutbox.data_file import Column, Row, write_rows
from shutbox.english import visible
from shutbox.messages import gettext


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


def write(file: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write rows into a file, and say so."""
    write_rows(file, columns, rows)
    print(visible(gettext("The data is in {file}.", file=file)))


def print_json(value: object) -> None:
    """A value as JSON."""
    import json  # only commands with --json need it

    print(json.dumps(value, indent=2))
