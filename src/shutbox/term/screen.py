"""A screen on which the box stays in its place: at the top, above the log and the question.

The normal screen is painted, from its first row. The log is remembered while it is visible. Lines
for which there is no room are written over the first rows and scrolled away, so that the history of
the terminal has every line once, in order, and no picture. After a change of size all rows are
painted again. What is typed while nothing is asked is not echoed between the rows; readline shows
it at the next question.
"""

import os
from collections.abc import Callable, Sequence
from select import select

from shutbox.term.keys import set_echo
from shutbox.term.live_line import LiveLine

LEAST_COLUMNS, LEAST_ROWS = 60, 16
"""The smallest terminal whose screen is painted."""
LOG_ROWS = 5
"""The rows that a view leaves free, for the log, the question, and a last row without text."""

View = Callable[[str, int, int], Sequence[str]]
"""A function that returns the rows at the top: for the text typed so far, for so many columns, and
at most so many rows. It returns none if they are too few."""

# Rows longer than expected, as with letters of unknown width, must not run into the next row.
_BEGIN, _END = "\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h"


class Screen:
    """The screen of the terminal `descriptor`; `fit` breaks a line for a number of columns."""

    def __init__(self, descriptor: int, fit: Callable[[str, int], str]) -> None:
        self._descriptor = descriptor
        self._fit = fit
        self._view: View = lambda typed, columns, rows: ()
        self._log: list[str] = []
        self._unread = 0  # how many lines at the end of the log came since the last answer or view
        self._question: str | None = None  # the open question
        self._prompt = ""  # its last row, after which the player types
        self._typed = ""
        self._size = os.terminal_size((0, 0))  # the size for which the rows were painted
        self._height = 0  # of the highest view at this size, so that the log does not jump
        self._painted: list[str] = []  # the first rows of the screen, as far as they are known
        self._visible = False  # whether the view is among them
        self._away = True  # whether another program has the terminal
        self._line = LiveLine(self._moved, self._show_typed)
        self.resume()

    def say(self, lines: Sequence[str]) -> None:
        """Add lines to the log."""
        self._log += lines
        self._unread += len(lines)
        self._paint()

    def draw(self, view: View) -> bool:
        """Paint another view at the top, and return whether it has rows for this size."""
        self._view, self._unread = view, 0
        self._paint()
        return self._height > 0

    def ask(self, question: str) -> str:
        """Ask a question below the log, and return the answer. Raises what `input` raises."""
        self._question, self._typed, answer = question, "", ""
        self._painted.clear()  # another program may have written to the terminal
        try:
            self._paint()
            set_echo(self._descriptor, True)  # or readline shows nothing either
            answer = self._line.read(self._prompt)
        finally:
            set_echo(self._descriptor, False)
            self._question, self._unread = None, 0
            self._log.append(f"{question} {answer}")
        return answer

    def leave(self) -> None:
        """Leave only the log on the screen, and the cursor below it, for another program.

        The lines then belong to the terminal, and are not painted again.
        """
        view, question = self._view, self._question
        self._view, self._question = (lambda typed, columns, rows: ()), None
        self._painted.clear()
        self._paint()
        self._view, self._question, self._away = view, question, True
        self._log.clear()
        set_echo(self._descriptor, True)

    def resume(self) -> None:
        """Paint everything again, below what another program has written if it had the terminal."""
        if self._away:  # scroll the lines above the cursor away, and no more
            set_echo(self._descriptor, self._question is not None)
            self.write("\n" * (os.get_terminal_size(self._descriptor).lines - 1))
            self._away = False
        self._painted.clear()
        self._paint()
        if self._question is not None and not self._line.show_again():
            self.write(self._prompt)

    def _paint(self) -> None:
        """Paint all rows that differ from those on the screen, and erase those below them."""
        if self._size != (size := os.get_terminal_size(self._descriptor)):
            self._size, self._height = size, 0
            self._painted.clear()
        *above, prompt = self._fitted(self._question or "")
        self._prompt = f"{prompt} "
        log = [self._fitted(line) for line in self._log]
        top, room = self._top(), size.lines - 2 - len(above)
        # A long answer takes the place of the view until the next question.
        self._visible = sum(map(len, log[len(log) - self._unread :])) <= room - len(top)
        top = top if self._visible else []
        text = ""
        while log and sum(map(len, log)) > room - len(top):
            rows = log.pop(0)
            del self._log[0]
            self._painted.clear()
            text += f"{self._changes(rows)}\x1b[{size.lines}H" + "\n" * len(rows)
        self._unread = min(self._unread, len(log))
        shown = [*top, *(row for rows in log for row in rows), *above]
        text += f"{self._changes(shown)}\x1b[{len(shown) + 1}H\x1b[J"
        self._painted = shown
        self.write(f"{_BEGIN}{text}{_END}")

    def _changes(self, rows: list[str]) -> str:
        """Return the text that paints those of the first rows that are not on the screen yet."""
        known = [*self._painted, *[None] * len(rows)]
        return "".join(
            f"\x1b[{place}H\x1b[K{row}"
            for place, (row, painted) in enumerate(zip(rows, known, strict=False), 1)
            if row != painted
        )

    def _top(self) -> list[str]:
        """Return the rows of the view, as many as the highest view had at this size."""
        columns, lines = self._size
        rows = [*self._view(self._typed, columns, lines - LOG_ROWS)]
        self._height = max(self._height, len(rows)) if rows else 0
        return [*rows[:-1], *[""] * (self._height - len(rows)), *rows[-1:]]

    def _moved(self) -> str | None:
        """Paint everything again if the terminal has another size, and return the prompt for it."""
        if os.get_terminal_size(self._descriptor) == self._size:
            return None
        self._paint()
        return self._prompt

    def _show_typed(self, typed: str) -> None:
        """Change the view to what the typed text means, and leave the cursor where it is."""
        if typed == self._typed or select([0], [], [], 0)[0]:  # on a slow line, only the last key
            return
        self._typed = typed
        if self._visible and (text := self._changes(rows := self._top())):
            self._painted[: len(rows)] = rows
            self.write(f"\x1b7{_BEGIN}{text}{_END}\x1b8")

    def _fitted(self, line: str) -> list[str]:
        return self._fit(line, self._size.columns - 1).split("\n")

    def write(self, text: str) -> None:
        """Write a text at the cursor, where a question comes; what is painted next removes it."""
        rest = text.encode(errors="replace")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
