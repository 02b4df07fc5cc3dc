"""Single keys of a terminal, on Unix and on Windows, and lines that are typed with them.

A key can act before Enter is pressed, and can end a pause. The signals of the terminal stay on:
Ctrl-C and Ctrl-Z work as always. The mode of the terminal is changed only while keys are read, and
is restored however the reading ends. It is also restored when the program is suspended or killed,
since Python keeps readline from doing that itself.
"""

import codecs
import errno
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import partial
from types import FrameType
from typing import Any, TextIO, TypeAlias

from shutbox.term.width import columns_of, is_mark

try:
    import termios
except ImportError:  # a platform whose terminals have neither modes nor signals
    termios = None  # type: ignore[assignment]

F1, F4 = "\x1bOP", "\x1bOS"

_ESCAPE = "\x1b"
_REST = 0.05  # seconds within which the rest of a key's characters follow its first
_FINAL = range(0x40, 0x7F)  # a sequence that begins with ESC [ ends in one of these
_LONGEST_KEY = 32
_MOST_BYTES = 1024  # bytes per read
_OF_WINDOWS = {";": F1, ">": F4}  # by the second character of a special key
_LOOK = 0.02  # seconds between two polls of a console, which offers no wait with a timeout

LINES_OF_KEYS = {
    **dict.fromkeys((F4, "\x1b[14~", "\x1b[[D"), "f4"),
    **dict.fromkeys((F1, "\x1b[11~", "\x1b[[A"), "?"),
}
"""The sequences of keys that stand for a line: F4, the accept key of a talking console, and F1."""

LONGEST_LINE = 10_000  # the most characters to read of one line; the rest is dropped
_ENDS = ("\x04", "\x1a")  # Ctrl-D, and Ctrl-Z on Windows, where it is no signal

PACES = {"none": 0.0, "quick": 0.3, "normal": 0.8, "slow": 2.0}  # seconds after a computer's event
ENTER_SECONDS = 0.5  # seconds within which Enter can follow a key that needs none
PACE_VARIABLE = "SHUTBOX_PACE"  # environment variable: the pace, if the command line names none


class UnixKeys:
    """A reader of single keys from a Unix terminal, open at `descriptor`.

    What waits raises KeyboardInterrupt at Ctrl-C, and `termios.error` if the terminal is gone.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self._waiting = ""  # characters that were read but not used yet

    @contextmanager
    def one_by_one(self) -> Iterator[None]:
        """Deliver each key at once, without an echo by the terminal, until the context ends."""
        settings = termios.tcgetattr(self._descriptor)
        single = list(settings)
        single[3] &= ~(termios.ICANON | termios.ECHO)
        single[6] = list(settings[6])
        single[6][termios.VMIN], single[6][termios.VTIME] = 1, 0
        try:
            set_mode(self._descriptor, single)
            yield
        finally:
            with suppress(termios.error):  # the terminal may be gone
                set_mode(self._descriptor, settings)

    def read_key(self) -> str:
        """Return all that the next key sends, within `one_by_one`; "" at the end of the input."""
        key = self._read_character()
        if key != _ESCAPE:
            return key
        while len(key) < _LONGEST_KEY and self._more_comes(_REST):
            key += (character := self._read_character())
            is_last = len(key) > 2 and ord(key[-1]) in _FINAL and key != "\x1b[["
            if not character or is_last or key[1:2] not in ("[", "O"):
                break
        return key

    def wait_for_keys(self, seconds: float) -> str:
        """Wait up to `seconds` for a key; return all typed once one comes, or "" if none does."""
        with self.one_by_one():
            if not self._waiting and self._more_comes(seconds):
                self._read_waiting()
        typed, self._waiting = self._waiting, ""
        return typed

    def _more_comes(self, seconds: float) -> bool:
        """Whether another character is there or comes within `seconds`."""
        return bool(self._waiting or select.select([self._descriptor], [], [], seconds)[0])

    def _read_character(self) -> str:
        """Return the next character; empty at the end of the input."""
        while not self._waiting:
            if not self._read_waiting():
                return ""
        character, self._waiting = self._waiting[0], self._waiting[1:]
        return character

    def _read_waiting(self) -> bool:
        """Read what is typed, of a character perhaps only a part; False at the end of the input."""
        read = b""
        with suppress(OSError):  # a terminal that hung up also ends the input
            read = os.read(self._descriptor, _MOST_BYTES)
        self._waiting += self._decoder.decode(read)
        return bool(read)


class WindowsKeys:
    """A reader of single keys from the Windows console; `console` is the module msvcrt."""

    def __init__(self, console: Any) -> None:
        self._console = console

    def one_by_one(self) -> AbstractContextManager[None]:
        """Do nothing: msvcrt already delivers single keys without echo."""
        return nullcontext()

    def read_key(self) -> str:
        """Do as `UnixKeys.read_key`, but return ESC for every special key other than F1 and F4."""
        character: str = self._console.getwch()
        if character == "\x03":
            raise KeyboardInterrupt
        # The first character of a special key is also that of a letter: à.
        if character == "\x00" or (character == "\xe0" and self._console.kbhit()):
            return _OF_WINDOWS.get(self._console.getwch(), _ESCAPE)
        return character

    def wait_for_keys(self, seconds: float) -> str:
        """Do as `UnixKeys.wait_for_keys`, but name special keys as `read_key` does."""
        end, keys = time.monotonic() + seconds, ""
        while not self._console.kbhit():
            if (rest := end - time.monotonic()) <= 0:
                return ""
            time.sleep(min(rest, _LOOK))
        while self._console.kbhit():
            keys += self.read_key()
        return keys


SingleKeys: TypeAlias = UnixKeys | WindowsKeys


def key_reader(descriptor: int) -> SingleKeys | None:
    """Return a reader of the keys of the terminal at a file descriptor, on Windows the console.

    None if the platform delivers only lines.
    """
    if sys.platform == "win32":
        import msvcrt

        return WindowsKeys(msvcrt)
    if termios is None:
        return None
    return UnixKeys(descriptor)


def edit_lines() -> bool:
    """Let readline edit the lines of `input`; return False on a platform without it.

    F1 and F4 then enter their line of LINES_OF_KEYS, unless libedit stands in for readline.
    """
    try:
        import readline
    except ImportError:
        return False
    if "libedit" not in (readline.__doc__ or ""):  # libedit writes bindings differently
        for key, line in LINES_OF_KEYS.items():
            sent = key.replace("\x1b", "\\e")
            readline.parse_and_bind(f'"{sent}": "\\C-e\\C-u{line}\\C-m"')
    return True


def replace_key(line: str) -> str:
    r"""Return a line unchanged, or the one that it stands for as the sequence of a key.

    >>> replace_key("\x1bOS"), replace_key("accept")
    ('f4', 'accept')
    """
    return LINES_OF_KEYS.get(line.strip(), line)


class Keys:
    """A reader of lines from the single keys of `terminal`; it echoes them to `out`."""

    def __init__(self, terminal: SingleKeys, out: TextIO) -> None:
        self._terminal = terminal
        self._out = out
        self.typed = ""  # the part of the current line that is already typed
        self.ahead: list[str] = []  # keys pressed before the question, in order, each a character
        self._taken_at = -ENTER_SECONDS  # when a line was last taken without Enter

    def read_line(
        self,
        ask: Callable[[], None],
        on_key: Callable[[], object] = lambda: None,
        at_once: Callable[[str], str | None] = lambda typed: None,
    ) -> str | None:
        """Return the next line without its end, first from `ahead`; None at the end of the input.

        `ask` prints the question; it is called once the terminal does not echo any more. `on_key`
        is called at every key. If `at_once` returns a line for the text typed so far, that is the
        line, without Enter, and Enter right after it does nothing. Raises KeyboardInterrupt at
        Ctrl-C.
        """
        try:
            with self._terminal.one_by_one():
                ask()
                while (key := self._next_key()) and (self.typed or key not in _ENDS):
                    on_key()
                    if (line := self._edit(key, at_once)) is not None:
                        return line
        finally:
            self.typed = ""
        return None

    def _next_key(self) -> str:
        return self.ahead.pop(0) if self.ahead else self._terminal.read_key()

    def _edit(self, key: str, at_once: Callable[[str], str | None]) -> str | None:
        """Edit the line by a key, and echo that; return the line once complete, None before."""
        line = None
        if key in ("\r", "\n"):
            if self.typed or time.monotonic() > self._taken_at + ENTER_SECONDS:
                line = self.typed
        elif key in ("\x7f", "\b"):
            self._rub_out(1)
        elif key == "\x15":  # Ctrl-U
            self._rub_out(len(self.typed))
        elif key in LINES_OF_KEYS:
            self._rub_out(len(self.typed))
            line = LINES_OF_KEYS[key]
            self._echo(line)
        elif (key.isprintable() or is_mark(key)) and len(self.typed) < LONGEST_LINE:
            self.typed += key
            self._echo(key)
            if (line := at_once(self.typed)) is not None:
                self._taken_at = time.monotonic()
        if line is not None:
            self._echo("\n")
        return line

    def _rub_out(self, number: int) -> None:
        """Delete the last `number` characters, also on the screen."""
        erased = self.typed[len(self.typed) - number :]
        self.typed = self.typed[: len(self.typed) - number]
        columns = sum(map(columns_of, erased))
        self._echo("\b" * columns + " " * columns + "\b" * columns)

    def _echo(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()


def watch_signals(ask_again: Callable[[], None], leave: Callable[[], None], *, edits: bool) -> None:
    """Set signal handlers, if there are signals: call `ask_again` once a stop by Ctrl-Z is over.

    With `edits`, also call `leave` before the program stops, and restore the mode of standard input
    when it is stopped or killed. Raises `termios.error` if that is no terminal.
    """
    if termios is None:
        return
    signal.signal(signal.SIGCONT, lambda signum, frame: ask_again())
    if not edits:
        return
    settings = termios.tcgetattr(0)
    settings[3] |= termios.ECHO  # a screen has perhaps turned it off for the moment

    def suspend(signum: int, frame: FrameType | None) -> None:
        editing = termios.tcgetattr(0)
        try:
            termios.tcsetattr(0, termios.TCSADRAIN, settings)  # not every shell does this
        except termios.error:
            # If make stopped first, the shell already has the terminal. Then the call above stopped
            # this program, and now the program goes on.
            set_mode(0, editing)
            return
        leave()
        on_continue = signal.signal(signal.SIGCONT, signal.SIG_DFL)
        signal.signal(signum, signal.SIG_DFL)
        os.kill(os.getpid(), signum)
        # The program goes on here, in the foreground again; at once if no shell could continue it.
        signal.signal(signum, suspend)
        signal.signal(signal.SIGCONT, on_continue)
        set_mode(0, editing)
        ask_again()

    signal.signal(signal.SIGTSTP, suspend)
    for killer in (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
        signal.signal(killer, partial(_die, settings))


@contextmanager
def block_signals() -> Iterator[None]:
    """Delay Ctrl-Z and the painting after it until the `with` block or function ends. Only Unix."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTSTP, signal.SIGCONT))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def set_mode(descriptor: int, settings: list[Any]) -> None:
    """Set the mode of a terminal once the output is written; retry if a signal interrupts this.

    `settings` are those of `termios.tcgetattr`. Raises `termios.error` if the terminal is gone. In
    a game run by `make`, the shell sends SIGCONT more than once, and Python does not retry.
    """
    while True:
        try:
            termios.tcsetattr(descriptor, termios.TCSADRAIN, settings)
            return
        except termios.error as error:
            if error.args[0] != errno.EINTR:
                raise


def set_echo(descriptor: int, echo: bool) -> None:
    """Set whether a terminal shows what is typed; do nothing if it is gone."""
    with suppress(termios.error):
        settings = termios.tcgetattr(descriptor)
        settings[3] = settings[3] | termios.ECHO if echo else settings[3] & ~termios.ECHO
        set_mode(descriptor, settings)


def _die(settings: list[Any], signum: int, frame: FrameType | None) -> None:
    with suppress(termios.error):  # the terminal may be gone
        set_mode(0, settings)
    signal.signal(signum, signal.SIG_DFL)
    os.kill(os.getpid(), signum)
