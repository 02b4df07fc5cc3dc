"""Output of the commands: sentences for people, JSON for programs, progress of long work."""

import argparse
import csv
import json
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from shutbox.data_file import write_rows
from shutbox.english import visible
from shutbox.messages import gettext
from shutbox.results import Column, Row

PATIENCE = 1.5  # seconds before the first line about progress
APART = 2.0  # seconds between two such lines
ENOUGH = 20  # the time left is estimated once one part in ENOUGH is done


def answer(
    arguments: argparse.Namespace, lines: Iterable[str], value: Callable[[], object]
) -> None:
    """Print the lines, or with --json what `value` returns."""
    if arguments.json:
        print_json(value(), exact=getattr(arguments, "exact", False))
    else:
        print(*map(visible, lines), sep="\n")


def note(sentence: str) -> None:
    """Print a line on standard error, for a person to read beside the answer."""
    print(visible(sentence), file=sys.stderr, flush=True)


def write(file: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write rows into a file in the format of its suffix, and print a sentence with its name."""
    write_rows(file, columns, rows)
    print(visible(gettext("The data is in {file}.", file=file)))


def print_csv(names: Iterable[str], rows: Iterable[Row]) -> None:
    """Print rows as CSV under the names of their columns."""
    lines = csv.writer(sys.stdout, lineterminator="\n")
    lines.writerow(names)
    lines.writerows(rows)


def print_json(value: object, *, exact: bool = False) -> None:
    """Print a value as JSON; fractions in it become floats, or with `exact`, text."""
    print(json.dumps(value, indent=2, default=str if exact else float))


class ProgressLine:
    """A progress callback, which prints lines by `show` if the work takes long."""

    def __init__(self, work: str, show: Callable[[str], None] = note) -> None:
        self._work = work
        self._show = show
        self._done = self._parts = 0
        self._begun = self._printed = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Print the progress if a line is due; a `total` of 0 means that it is unknown."""
        now = time.monotonic()
        if not self._begun or done < self._done:  # the next part has begun
            self._begun = self._printed = now
            self._parts += 1
        self._done = done
        elapsed = now - self._begun
        if elapsed < PATIENCE or now - self._printed < APART or sys.stderr is None:
            return
        self._printed = now
        if total > done > 0:
            far = gettext("{number} %", number=100 * done // total)
            if ENOUGH * done >= total:
                left = max(1, round(elapsed * (total - done) / done))
                far = gettext("{far}, about {seconds} s left", far=far, seconds=left)
        else:
            far = gettext("{number} positions so far", number=f"{done:,}")
        facts = {"work": self._work, "part": self._parts, "far": far}
        if self._parts > 1:
            line = gettext("{work}, part {part}: {far}.", **facts)
        else:
            line = gettext("{work}: {far}.", **facts)
        self._show(line)
