"""A game on a terminal: the first prompt, and the time from a key to the box that shows it.

Each is compared with Python alone: `python3 -c pass`, and the echo of a key by `input()` with
readline. All run in a terminal of 80 columns and 24 rows; both sides run in turn.
"""

import fcntl
import os
import pty
import select
import statistics
import struct
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from bench import note, times
from bench.startup import BARE, RUNS, SHUTBOX, whole

KEYS = 200
GAME = [*SHUTBOX, "play", "classic", "--seed", "bench"]
ECHO = [sys.executable, "-c", "import readline; input('Which tiles go down? ')"]
MOST = 10
"""The most milliseconds until the box shows what a key means."""
_PATIENCE = 10


@contextmanager
def running(command: list[str]) -> Iterator[int]:
    """Run a program in a terminal, and yield the descriptor that types and reads there."""
    with TemporaryDirectory() as folder:
        child, terminal = pty.fork()
        if child == 0:
            os.environ |= {"TERM": "xterm-256color", "SHUTBOX_DATA": folder, "INPUTRC": os.devnull}
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execv(command[0], command)
        try:
            yield terminal
        finally:
            os.close(terminal)  # which hangs up
            os.waitpid(child, 0)


def read_until(terminal: int, text: bytes) -> None:
    """Read until `text` has come."""
    seen = b""
    while text not in seen:
        assert select.select([terminal], [], [], _PATIENCE)[0], f"it does not come: {seen!r}"
        seen += os.read(terminal, 65536)


def first_prompt() -> float:
    """Return the seconds from the start of a game until its first prompt."""
    start = time.perf_counter()
    with running(GAME) as terminal:
        read_until(terminal, b"Enter throws two dice: ")
        return time.perf_counter() - start


def keys(command: list[str], throws: bool, end: bytes) -> list[float]:
    """Return the seconds from each key until `end`, or else its echo. Every second key deletes."""
    with running(command) as terminal:
        if throws:
            read_until(terminal, b"Enter throws two dice: ")
            os.write(terminal, b"\r")
        read_until(terminal, b"Which tiles go down? ")
        taken = []
        for number in range(times(KEYS)):
            start = time.perf_counter()
            os.write(terminal, b"\x7f" if number % 2 else b"1")
            read_until(terminal, end or (b"\x08" if number % 2 else b"1"))
            taken.append(time.perf_counter() - start)
    return taken


def main() -> None:
    """Print each time and its baseline."""
    print("a game on a terminal, milliseconds; baseline: Python alone")
    pairs = [(first_prompt(), whole(BARE)) for _ in range(times(RUNS))]
    ours, bare = (1000 * statistics.median(column) for column in zip(*pairs, strict=True))
    print(f"{'first prompt':>36} {ours:>8.1f} {bare:>9.1f}")
    note("shutbox play classic on a screen, first prompt", ours, "ms", bare)
    shown = 1000 * statistics.median(keys(GAME, True, b"\x1b8"))
    echo = 1000 * statistics.median(keys(ECHO, False, b""))
    print(f"{'from a key to the box':>36} {shown:>8.2f} {echo:>9.2f}   (at most {MOST})")
    note("from a key to the box", shown, "ms", echo)


if __name__ == "__main__":
    main()
