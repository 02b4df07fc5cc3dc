"""Lines out and lines in: the only place that touches the terminal.

Every line that is said is one complete fact. Whatever the terminal does (ends the input, is
interrupted, is suspended, is a pipe, cannot show a letter) is turned here into a line, or into
`Stopped`.
"""

import os
import sys
import textwrap
from collections.abc import Iterable
from io import StringIO
from typing import TextIO

from shutbox.english import capital, visible
from shutbox.errors import BadVariant, ShutboxError
from shutbox.messages import gettext
from shutbox.term import signals

LONGEST_LINE = 10_000  # the most characters that are read of one line; the rest is dropped
NARROWEST = 10  # lines are not broken below this many columns


class Stopped(Exception):
    """There will be no more input: it ended, or the player interrupted twice."""


class Console:
    """A terminal, or a pipe, to talk to.

    `plain`: nothing but words, even on a terminal that could show a picture.
    """

    def __init__(self, *, plain: bool = False) -> None:
        self._in: TextIO = sys.stdin or StringIO()  # none, where whoever started us closed it
        self._out: TextIO = sys.stdout
        if hasattr(self._in, "reconfigure"):
            # A letter that cannot be read becomes a mark instead of an error.
            self._in.reconfigure(errors="replace")
        self.interactive = _is_terminal(self._in) and _is_terminal(self._out)
        capable = _is_terminal(self._out) and (os.environ.get("TERM") or "dumb") != "dumb"
        self.draws = capable and not plain and not os.environ.get("NO_COLOR")
        self._edits = self.interactive and capable and not plain and _import_readline()
        self._prompt = ""
        if self.interactive:
            signals.watch(self._ask_again, edits=self._edits)

    @property
    def columns(self) -> int:
        """The width of the terminal."""
        try:
            return os.get_terminal_size(self._out.fileno()).columns or 80
        except (OSError, ValueError):
            return 80

    @property
    def shows_unicode(self) -> bool:
        """Whether box-drawing characters come out as themselves."""
        return (self._out.encoding or "").lower().replace("-", "") in ("utf8", "utf16")

    def say(self, *lines: str) -> None:
        """Say lines, each of them a complete fact."""
        for line in lines:
            self._out.write(f"{self._fitted(line)}\n")
        self._out.flush()

    def refuse(self, error: ShutboxError) -> None:
        """Say why something was refused, a line for each reason."""
        for line in str(error).split("\n"):
            # The lines about a variant begin with its name, which is not ours to change.
            self.say(f"{line if isinstance(error, BadVariant) else capital(line)}.")

    def draw(self, rows: Iterable[str]) -> None:
        """Draw a picture, if this terminal gets one."""
        if self.draws:
            self._out.writelines(f"{row}\n" for row in rows)

    def ask(self, prompt: str) -> str:
        """Ask for a line. Raises Stopped at the end of input and at a second Ctrl-C in a row."""
        interrupted = False
        while True:
            try:
                return self._read(prompt)
            except KeyboardInterrupt:
                self._out.write("\n")
                if interrupted:
                    raise Stopped from None
                interrupted = True
                self.say(gettext("Interrupted. Type end or press Ctrl-C again to stop."))

    def _read(self, prompt: str) -> str:
        *above, last = self._fitted(prompt).splitlines() or [""]
        self._out.writelines(f"{line}\n" for line in above)
        self._prompt = f"{last} "
        if self._edits:
            self._out.flush()
            try:
                return input(self._prompt)
            except (EOFError, OSError):  # a terminal that hung up is an end, too
                self._end_of_input()
        self._ask_again()
        try:
            line = rest = self._in.readline(LONGEST_LINE)
        except OSError:
            line = rest = ""
        if not line:
            self._end_of_input()
        while len(rest) == LONGEST_LINE and not rest.endswith("\n"):
            rest = self._in.readline(LONGEST_LINE)
        if not _is_terminal(self._in):
            # Nobody echoed the answer: without it the transcript would not read as lines.
            self._out.write("".join(c if c.isprintable() else "?" for c in line.rstrip()) + "\n")
        return line.rstrip("\r\n")

    def _ask_again(self) -> None:
        """The question, once more where it has scrolled away."""
        self._out.write(self._prompt)
        self._out.flush()

    def _end_of_input(self) -> None:
        self._out.write("\n")
        self._out.flush()
        raise Stopped

    def _fitted(self, line: str) -> str:
        """The line broken between words where the terminal would break it within one.

        Plain output is left whole: there a line is a fact, and a screen reader breaks it itself.
        """
        line = visible(line)
        if not self.draws or len(line) < self.columns:
            return line
        return textwrap.fill(line, max(NARROWEST, self.columns - 1), break_on_hyphens=False)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def _import_readline() -> bool:
    try:
        import readline  # noqa: F401  input() edits lines with it once it is imported
    except ImportError:
        return False
    return True
