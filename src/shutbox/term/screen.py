"""A screen on which the box stays in its place: at the top, above the log and the question.

The normal screen is painted, from its first row. The log is remembered while it is visible. Lines
for which there is no room are written over the first rows and scrolled away, so that the history of
the terminal has every line once, in order, and no picture. After a change of size all rows are
painted again. What is typed while nothing is asked is not echoed between the rows; readline shows
it at the next question.
"""

import os
import signal
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from select import select
from types import FrameType
from typing import Any

from shutbox.term.keys import block_signals, set_echo

try:
    import readline
except ImportError:  # a platform where Python does not edit lines; a Screen is never made there
    readline = None  # type: ignore[assignment]

LEAST_COLUMNS, LEAST_ROWS = 60, 16  # the smallest terminal whose screen is painted
LOG_ROWS = 5  # rows that a view leaves free: for the log, the question, and a last one without text

View = Callable[[str, int, int], Sequence[str]]
"""A function that returns the rows at the top, given the text typed so far, the columns, and the
most rows. It returns no rows if there is too little room."""

# Rows longer than expected, as with letters of unknown width, must not run into the next row.
_BEGIN, _END = "\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h"
_SOON = 0.02  # seconds until Ctrl-C is tried again if it came where no exception can be raised


class LiveLine:
    """A reader of lines that reports the text typed so far, through two functions of its owner.

    It calls `moved` before it shows the line. If the terminal has another size, `moved` paints the
    screen up to the line and returns the prompt for that size; else None. It calls `typed` with the
    text whenever it has shown the line.
    """

    def __init__(self, moved: Callable[[], str | None], typed: Callable[[str], None]) -> None:
        self._moved = moved
        self._typed = typed
        self._redisplay: Any = None  # the library's variable rl_redisplay_function
        self._usual: Any = None  # the address of the library's own function in it
        self._ours: Any = None  # our function, which must not be collected
        self._our_address: int | None = None
        self._reports = False  # whether the library has called our function for this line

    @cached_property
    def _library(self) -> Any:
        """The C library of readline; None if it is not GNU's or cannot be called from here."""
        with suppress(ImportError, AttributeError, OSError, ValueError):
            import ctypes  # only for the first question

            library = ctypes.CDLL(readline.__file__)
            self._redisplay = ctypes.c_void_p.in_dll(library, "rl_redisplay_function")
            self._usual = self._redisplay.value
            self._ours = ctypes.CFUNCTYPE(None)(self._show)
            self._our_address = ctypes.cast(self._ours, ctypes.c_void_p).value
            library.rl_tty_set_echoing.argtypes = [ctypes.c_int]  # only GNU's library has it
            return library
        return None

    @property
    def needs_echo(self) -> bool:
        """Whether the library shows the line only on a terminal that echoes when `read` begins."""
        return self._library is None

    def read(self, prompt: str) -> str:
        """Return a line that the player types after `prompt`. Raises what `input` raises."""
        usual, alarm = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGALRM)
        if usual is signal.default_int_handler:  # and not ignored
            signal.signal(signal.SIGALRM, self._interrupt)
            signal.signal(signal.SIGINT, self._interrupt)
        try:
            if self._library is not None:
                self._redisplay.value = self._our_address
            return input(prompt)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGINT, usual)
            signal.signal(signal.SIGALRM, alarm)
            self._stop_reports()

    def show_again(self) -> bool:
        """Show the prompt and the typed text at the cursor; return False if this is impossible."""
        if self._reports:
            self._library.rl_forced_update_display()
        return self._reports

    def _stop_reports(self) -> None:
        """Let the library show the line by itself again, without a report."""
        self._reports = False
        if self._library is not None:
            self._redisplay.value = self._usual

    def _show(self) -> None:
        """Show the line, as the library asks to, and report it."""
        self._reports = True
        self._library.rl_tty_set_echoing(1)  # although the terminal itself does not echo
        with suppress(OSError):  # the terminal may be gone
            if (prompt := self._moved()) is not None:
                self._library.rl_set_prompt(prompt.encode(errors="replace"))
        self._library.rl_redisplay()
        with suppress(OSError):
            self._typed(readline.get_line_buffer())

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise KeyboardInterrupt if `read` itself is running; otherwise try again soon.

        Before that, the library must show the line by itself again: it cannot call Python while an
        exception is on its way.
        """
        if frame is None or frame.f_code is not LiveLine.read.__code__:
            signal.setitimer(signal.ITIMER_REAL, _SOON)
            return
        self._stop_reports()
        raise KeyboardInterrupt


class Screen:
    """A painter of view, log and question on the terminal that is open at a file descriptor.

    `fit` breaks a line by newlines to so many columns. Methods that paint raise OSError if there is
    no terminal, or no longer.
    """

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
        self._height = 0  # the rows of the highest view at this size: the log must not jump
        self._painted: list[str] = []  # the first rows of the screen; empty if unknown
        self._visible = False  # whether there was room for the view among them
        self._away = True  # whether another program has the terminal
        self._line = LiveLine(self._repaint_if_resized, self._show_typed)
        self.resume()

    def say(self, lines: Sequence[str]) -> None:
        """Add lines to the log, and paint it."""
        self._log += lines
        self._unread += len(lines)
        self._paint()

    def draw(self, view: View) -> bool:
        """Paint another view at the top; return False if the screen is too small for any of it."""
        self._view, self._unread = view, 0
        self._paint()
        return self._height > 0

    def ask(self, question: str) -> str:
        """Ask below the log, return the answer, and log both. Raises what `input` raises."""
        self._question, self._typed, answer = question, "", ""
        self._painted.clear()  # another program may have written to the terminal
        try:
            self._paint()
            set_echo(self._descriptor, self._line.needs_echo)
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
        """Paint everything again. After `leave`, first scroll away what other programs wrote."""
        if self._away:  # scroll the lines above the cursor away, and no more
            set_echo(self._descriptor, False)
            self.write("\n" * (os.get_terminal_size(self._descriptor).lines - 1))
            self._away = False
        self._painted.clear()
        self._paint()
        if self._question is not None and not self._line.show_again():
            self.write(self._prompt)

    @block_signals()
    def _paint(self) -> None:
        """Paint all rows that differ from those on the screen, and erase those below them."""
        if self._size != (size := os.get_terminal_size(self._descriptor)):
            self._size, self._height = size, 0
            self._painted.clear()
        *above, prompt = self._break_line(self._question or "")
        self._prompt = f"{prompt} "
        log = [self._break_line(line) for line in self._log]
        top = self._view_rows()
        room = size.lines - 2 - len(above)
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
        """Return the text that paints `rows` from the top, except those already on the screen."""
        known = [*self._painted, *[None] * len(rows)]
        return "".join(
            f"\x1b[{place}H\x1b[K{row}"
            for place, (row, painted) in enumerate(zip(rows, known, strict=False), 1)
            if row != painted
        )

    def _view_rows(self) -> list[str]:
        """Return the view's rows; blank ones above the last keep its greatest height so far."""
        columns, lines = self._size
        rows = [*self._view(self._typed, columns, lines - LOG_ROWS)]
        self._height = max(self._height, len(rows)) if rows else 0
        return [*rows[:-1], *[""] * (self._height - len(rows)), *rows[-1:]]

    def _repaint_if_resized(self) -> str | None:
        """Paint all again if the terminal has another size, and return its prompt; else None."""
        if os.get_terminal_size(self._descriptor) == self._size:
            return None
        self._paint()
        return self._prompt

    @block_signals()
    def _show_typed(self, typed: str) -> None:
        """Paint the view for the typed text, unless more keys wait; leave the cursor in place."""
        if typed == self._typed or select([0], [], [], 0)[0]:  # on a slow line, only the last key
            return
        self._typed = typed
        if self._visible and (text := self._changes(rows := self._view_rows())):
            self._painted[: len(rows)] = rows
            self.write(f"\x1b7{_BEGIN}{text}{_END}\x1b8")

    def _break_line(self, line: str) -> list[str]:
        return self._fit(line, self._size.columns - 1).split("\n")

    def write(self, text: str) -> None:
        """Write a text at the cursor, where a question comes; what is painted next removes it."""
        rest = text.encode(errors="replace")
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]
