"""A terminal on which the box stays in its place, compared with one on which all lines scroll.

Both play the same game. The scrolling terminal has fewer rows than the picture in place needs. What
it receives is the reference: from its lines and its last picture another screen is made, and every
cell of the live screen must be the same, in its letter and its colours.
"""

import os
import re
import signal
import time
from collections.abc import Iterator
from difflib import unified_diff
from typing import Any

from terminal.driver import MORE, PATIENCE, Terminal, pexpect, pyte

_ROW = re.compile(r"\x1b\[[0-9;]*m")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
LAST = 1  # the rows at the bottom that are always empty


class Live(Terminal):
    """A terminal whose screen is painted. It is read until the screen is as a test expects it."""

    def read(self) -> str:
        """Return nothing: where everything is painted again, no prompt can be waited for."""
        return ""

    def take(self, seconds: float) -> bool:
        """Read what comes within so many seconds, and return whether anything came."""
        try:
            return bool(self.child.read_nonblocking(65_536, seconds))
        except (pexpect.TIMEOUT, pexpect.EOF):
            return False

    def until(self, text: str, keys: str = "", row: int | None = None) -> None:
        """Press keys, and read until a row is `text` and the program waits for a key.

        The row is that of the cursor, unless another one is given.
        """

        def is_there() -> bool:
            return bool(self.shown_rows[self.screen.cursor.y if row is None else row] == text)

        self.child.send(keys)
        end = time.monotonic() + PATIENCE
        while not is_there() and time.monotonic() < end:
            self.take(0.05)
        self.listens()
        while self.take(0.05):
            pass
        assert is_there(), self.shown

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        self.screen.resize(rows, columns)
        self.screen.cursor.y = min(self.screen.cursor.y, rows - 1)  # which pyte forgets
        self.child.setwinsize(rows, columns)

    @property
    def shown_rows(self) -> list[str]:
        """The rows of the screen as text."""
        return [row.rstrip() for row in self.screen.display]

    @property
    def history(self) -> list[str]:
        """The rows that have been scrolled away, the oldest first."""
        rows = self.screen.history.top
        width = self.screen.columns
        return ["".join(row[x].data for x in range(width)).rstrip() for row in rows]

    def stopped_and_continued(self) -> None:
        """Stop the program from outside, and let it go on."""
        self.listens()
        os.kill(self.child.pid, signal.SIGSTOP)
        self.is_in("T")
        os.kill(self.child.pid, signal.SIGCONT)
        self.listens()


class Words:
    """What a terminal has received on which lines scroll: rows of words, and pictures."""

    def __init__(self, terminal: Terminal) -> None:
        self.rows: list[str] = []
        self.pictures: list[list[str]] = []
        in_picture = False
        for row in re.sub("\r+\n", "\n", terminal.raw).split("\n"):
            if row.startswith(MORE):
                continue
            if not _ROW.search(row):
                self.rows.append(_ESCAPE.sub("", row).rstrip())
            elif in_picture:
                self.pictures[-1].append(row)
            else:
                self.pictures.append([row])
            in_picture = bool(_ROW.search(row))

    @property
    def picture(self) -> list[str]:
        """The picture that stays: at a turn's first throw, how the turn before has ended."""
        begins = self.rows[-1].endswith("Enter throws two dice:")
        return self.pictures[-2 if begins and self.pictures[1:] else -1]


def difference(live: Live, scrolling: Terminal, *, history: bool = True) -> str:
    """Return how the live screen differs from the other terminal's words and picture, or nothing.

    With `history`, the rows scrolled away and those on the screen must be all rows of words, once
    each. Without it, those on the screen must be the last ones.
    """
    words, screen = Words(scrolling), live.screen
    shown, top = live.shown_rows, len(words.picture) + 1
    last = max((place for place, row in enumerate(shown) if row), default=0)
    said = shown[top : last + 1]
    if screen.cursor.y != last or screen.cursor.x != len(words.rows[-1]) + 1:
        return f"the cursor is at {screen.cursor.y}, {screen.cursor.x}"
    if last > len(shown) - 1 - LAST:
        return "the question is in the last row"
    if words.rows[-len(said) :] != said or not said:
        return "\n".join(unified_diff(words.rows[-len(said) :], said, lineterm=""))
    if history and live.history + said != words.rows:
        return "\n".join(unified_diff(words.rows, live.history + said, lineterm=""))
    return "\n".join(_cells(screen, [*words.picture, shown[top - 1], *said]))


def _cells(screen: Any, rows: list[str]) -> Iterator[str]:
    """Yield the cells that differ from those of a screen on which these rows were written."""
    reference = pyte.Screen(screen.columns, screen.lines)
    reference.reset_mode(pyte.modes.DECAWM)
    writer = pyte.Stream(reference)
    for place, row in enumerate(rows, 1):
        writer.feed(f"\x1b[{place}H{row}")
    for y in range(screen.lines):
        for x in range(screen.columns):
            is_there, wanted = screen.buffer[y][x], reference.buffer[y][x]
            if is_there != wanted:
                yield f"row {y}, column {x}: {is_there}, not {wanted}"


def compare(live: Live, scrolling: Terminal, *, history: bool = True) -> None:
    """Wait until both terminals show the same, and nothing more comes; fail with the difference."""
    end = time.monotonic() + PATIENCE
    while (found := difference(live, scrolling, history=history)) and time.monotonic() < end:
        live.take(0.05)
    assert not found, f"{found[:2000]}\n{live.shown}"
