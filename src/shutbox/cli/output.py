"""Output of the commands: sentences for people, JSON, files and plots, progress of long work."""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Any

from shutbox.engine.english import listed, shown, visible, visible_path
from shutbox.engine.errors import NotUnderstood, needing
from shutbox.engine.game import Game
from shutbox.engine.messages import gettext
from shutbox.output.results import Column, Row, replacing, write_csv_file

PLOTS = (".svg", ".png", ".pdf")  # the files of plots, by their suffix
PATIENCE = 1.5  # seconds before the first line about progress
APART = 2.0  # seconds between two such lines
ENOUGH = 20  # the time left is estimated once one part in ENOUGH is done


def print_answer(
    arguments: argparse.Namespace, lines: Iterable[str], value: Callable[[], object] = dict
) -> None:
    """Print the lines, safe for a terminal, or with --json what `value` returns, as JSON."""
    if getattr(arguments, "json", False):
        print_json(value(), exact=getattr(arguments, "exact", False))
    else:
        print(*map(visible, lines), sep="\n")


def note(sentence: str) -> None:
    """Print a line on standard error, for a person to read beside the answer, if that can be."""
    with suppress(OSError):
        print(visible(sentence), file=sys.stderr, flush=True)


def write_csv(file: Path, columns: Sequence[Column], rows: Iterable[Row]) -> None:
    """Write rows into a CSV file, and print where it is. Raises as `write_csv_file`."""
    write_csv_file(file, columns, rows)
    print(gettext("The data is in {file}.", file=visible_path(file)))


def print_json(value: object, *, exact: bool = False) -> None:
    """Print a value as JSON; fractions in it become floats, or with `exact`, text."""
    import json  # commands that print sentences start faster without it

    print(json.dumps(value, indent=2, default=str if exact else float))


def check_plot(file: str) -> None:
    """Before long work, raise NotUnderstood for a bad suffix, NotInstalled without Matplotlib."""
    if Path(file).suffix.lower() not in PLOTS:
        kinds = listed(PLOTS, last="or")
        raise NotUnderstood("--plot: {file} does not end in {kinds}", file=shown(file), kinds=kinds)
    with needing("plot"):
        import matplotlib.figure  # noqa: F401 - and its dependencies


def plot_scores(title: str, distribution: Mapping[int, Any], file: str) -> None:
    """Draw `distribution`, the chance of each score, into a file that `check_plot` has accepted.

    Raises NotUnderstood if it cannot be written.
    """
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    from shutbox.solving.score_plot import draw_scores

    rcParams["svg.hashsalt"] = "shutbox"  # the same numbers make the same file
    rcParams["svg.fonttype"] = "none"  # text stays text, which can be searched and read aloud
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    draw_scores(figure.subplots(), title, distribution)
    kind = Path(file).suffix.lower()
    with replacing(Path(file)) as stream:
        metadata = {"Date": None} if kind == ".svg" else None
        figure.savefig(stream, format=kind[1:], metadata=metadata)


def solving_progress(game: Game[Any, Any]) -> "ProgressLine":
    """Return a callback for solving a game or a match, which prints lines with its title."""
    from shutbox.match import full_title  # commands that solve nothing start faster without it

    return ProgressLine(gettext("Solving {game}", game=full_title(game)))


class ProgressLine:
    """A progress callback for long work: calls `show` with lines that begin with `work`."""

    def __init__(
        self, work: str, show: Callable[[str], None] = note, *, counts: bool = True
    ) -> None:
        """Prepare lines such as `Solving: 20 %`; without `counts`, no number of positions."""
        self._work = work
        self._counts = counts
        self._show = show
        self._done = 0
        self._begun = self._printed = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Show a line if it is due. 0 is an unknown `total`; a lower `done` begins a new part."""
        now = time.monotonic()
        if not self._begun or done < self._done:  # the next part has begun
            self._begun = self._printed = now
        self._done = done
        elapsed = now - self._begun
        if elapsed < PATIENCE or now - self._printed < APART:
            return
        self._printed = now
        if total > done > 0:
            far = gettext("{number} %", number=100 * done // total)
            if ENOUGH * done >= total:
                left = max(1, round(elapsed * (total - done) / done))
                far = gettext("{far}, about {seconds} s left", far=far, seconds=left)
        elif not self._counts:
            self._printed = inf  # once is enough
            self._show(gettext("{work}…", work=self._work))
            return
        else:
            far = gettext("{number} positions so far", number=f"{done:,}")
        self._show(gettext("{work}: {far}.", work=self._work, far=far))
