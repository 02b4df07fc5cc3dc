"""Startup times of whole processes, compared with `python3 -c pass`.

The first prompt of `shutbox play` is timed from the start of the process until the prompt has been
read from its output. Then its input is closed. Both sides run in turn, and the median of the
differences is reported.
"""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from tempfile import TemporaryDirectory

from bench import note, times

RUNS = 15
BARE = [sys.executable, "-c", "pass"]
SHUTBOX = [sys.executable, "-m", "shutbox"]


def whole(command: list[str]) -> float:
    """Return the seconds from start to end of a process."""
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def until(command: list[str], prompt: bytes) -> float:
    """Return the seconds from the start of a process until it has printed `prompt`."""
    start = time.perf_counter()
    with (
        TemporaryDirectory() as folder,  # without a saved game, which would change the prompt
        subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "SHUTBOX_DATA": folder},
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stdout is not None
        seen = b""
        while prompt not in seen:
            piece = os.read(process.stdout.fileno(), 65536)
            assert piece, f"ended before the prompt: {seen!r}"
            seen += piece
        taken = time.perf_counter() - start
        process.stdin.close()
        process.stdout.read()
    return taken


def main() -> None:
    """Print each time, its baseline and their difference."""
    asked: dict[str, Callable[[], float]] = {
        "shutbox --help": lambda: whole([*SHUTBOX, "--help"]),
        "shutbox play, first prompt": lambda: until([*SHUTBOX, "play"], b"Enter plays Classic: "),
        "shutbox play classic, first prompt": lambda: until(
            [*SHUTBOX, "play", "classic", "--seed", "bench"], b"Which tiles go down? "
        ),
    }
    print("whole processes, milliseconds; baseline: python3 -c pass")
    print(f"{'':>36} {'shutbox':>8} {'baseline':>9} {'more':>6}")
    for label, ask in asked.items():
        pairs = [(ask(), whole(BARE)) for _ in range(times(RUNS))]
        ours, bare = (1000 * statistics.median(column) for column in zip(*pairs, strict=True))
        more = 1000 * statistics.median(a - b for a, b in pairs)
        print(f"{label:>36} {ours:>8.0f} {bare:>9.0f} {more:>6.0f}")
        note(label, ours, "ms", bare)
