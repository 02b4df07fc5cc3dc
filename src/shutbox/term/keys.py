"""A line typed at a terminal, key by key: so that a key can act before Enter is pressed."""

import unicodedata
from collections.abc import Callable, Iterator
from typing import TextIO

from shutbox.term.single_keys import F1, F4, SingleKeys

NAMES = {
    **dict.fromkeys((F4, "\x1b[14~", "\x1b[[D"), "f4"),
    **dict.fromkeys((F1, "\x1b[11~", "\x1b[[A"), "?"),
}
"""What keys send that stand for a typed line: F4, with which a talking console accepts, and F1."""

LONGEST_LINE = 10_000
"""The most characters that are read of one line; the rest is dropped."""

_ENDS = ("\x04", "\x1a")  # Ctrl-D, and Ctrl-Z on Windows, where it is no signal


def named(line: str) -> str:
    r"""A line as it was meant, where a key was pressed that a terminal sends as it is.

    >>> named("\x1bOS"), named("accept")
    ('f4', 'accept')
    """
    return NAMES.get(line.strip(), line)


class Keys:
    """Reads lines from `terminal` and echoes them to `out`."""

    def __init__(self, terminal: SingleKeys, out: TextIO) -> None:
        self._terminal = terminal
        self._out = out
        self.typed = ""
        """What stands there of the line that is being typed."""

    def line(
        self,
        ask: Callable[[], None],
        pressed: Callable[[], None] = lambda: None,
        at_once: Callable[[str], str | None] = lambda typed: None,
    ) -> str | None:
        """The line that is typed; None at the end of the input.

        `ask` puts the question, once the terminal does not show by itself what is typed. `pressed`
        is called at every key. `at_once` looks at what is typed so far: what it gives back is the
        line, without Enter. Raises KeyboardInterrupt at Ctrl-C.
        """
        self.typed = ""
        try:
            with self._terminal.one_by_one():
                ask()
                for key in self._keys():
                    pressed()
                    if (line := self._taken(key, at_once)) is not None:
                        return line
        finally:
            self.typed = ""
        return None

    def _taken(self, key: str, at_once: Callable[[str], str | None]) -> str | None:
        """What the line is, if it is complete with this key."""
        line = None
        if key in ("\r", "\n"):
            line = self.typed
        elif key in ("\x7f", "\b"):
            self._rub_out(1)
        elif key == "\x15":  # Ctrl-U
            self._rub_out(len(self.typed))
        elif key in NAMES:
            self._rub_out(len(self.typed))
            line = NAMES[key]
            self._echo(line)
        elif key.isprintable() and len(self.typed) < LONGEST_LINE:
            self.typed += key
            self._echo(key)
            line = at_once(self.typed)
        if line is not None:
            self._echo("\n")
        return line

    def _rub_out(self, number: int) -> None:
        """Take back so many signs."""
        gone = self.typed[len(self.typed) - number :]
        self.typed = self.typed[: len(self.typed) - number]
        columns = sum(_columns(sign) for sign in gone)
        self._echo("\b" * columns + " " * columns + "\b" * columns)

    def _echo(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _keys(self) -> Iterator[str]:
        """Keys as they are pressed, to the end."""
        while key := self._terminal.key():
            if key in _ENDS and not self.typed:
                return
            yield key


def _columns(sign: str) -> int:
    """How many columns of the screen a sign takes."""
    if unicodedata.combining(sign):
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1
