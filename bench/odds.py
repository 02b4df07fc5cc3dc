"""Odds and hints as whole processes: the first time, and the second time from the file.

The baseline is `python3 -c pass`. The first time has an empty cache folder. A hint is timed within
a game, from typing `h` until its last line has been read.
"""

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bench import note, times
from bench.startup import BARE, SHUTBOX, whole

RUNS = 3
ASKED = (
    ["odds", "classic"],
    ["odds", "classic", "--aim", "shut", "--exact"],
    ["odds", "full-house"],
    ["odds", "double-shutter"],
    ["odds", "cargo"],
    ["odds", "pub"],
)
HINTS = ("classic", "full-house", "2012")


@contextmanager
def empty_cache() -> Iterator[None]:
    """Give the started processes an empty cache folder."""
    before = os.environ.get("SHUTBOX_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SHUTBOX_CACHE"] = folder
        try:
            yield
        finally:
            os.environ.pop("SHUTBOX_CACHE")
            if before is not None:
                os.environ["SHUTBOX_CACHE"] = before


def hint(game: str) -> float:
    """Return the seconds from asking for the first hint of a game until it is printed."""
    command = [*SHUTBOX, "play", game, "--seed", "bench", "--plain"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        said = process.stdout.fileno()
        _until(said, b"go down? ")
        start = time.perf_counter()
        process.stdin.write(b"h\n")
        process.stdin.flush()
        _until(said, b"go down? ")
        taken = time.perf_counter() - start
        process.stdin.close()
        process.stdout.read()
    return taken


def _until(output: int, prompt: bytes) -> None:
    seen = b""
    while prompt not in seen:
        piece = os.read(output, 65536)
        assert piece, f"ended before the prompt: {seen!r}"
        seen += piece


def main() -> None:
    """Print each time and its difference from the baseline, for the first and the second time."""
    print("odds as whole processes, milliseconds more than python3 -c pass")
    print(f"{'':>40} {'first':>7} {'again':>7}")
    for question in ASKED:
        runs = []
        for _ in range(times(RUNS)):
            with empty_cache():
                first = whole([*SHUTBOX, *question]) - whole(BARE)
                runs.append((first, whole([*SHUTBOX, *question]) - whole(BARE)))
        first, again = (1000 * statistics.median(column) for column in zip(*runs, strict=True))
        print(f"{' '.join(question):>40} {first:>7.0f} {again:>7.0f}")
        note(f"{' '.join(question)}, first", first, "ms more")
        note(f"{' '.join(question)}, again", again, "ms more")
    print("the first hint of a game, milliseconds")
    for game in HINTS:
        taken = []
        for _ in range(times(RUNS)):
            with empty_cache():
                taken.append(hint(game))
        print(f"{game:>40} {1000 * statistics.median(taken):>7.0f}")
        note(f"the first hint of {game}", 1000 * statistics.median(taken), "ms")
