"""A person at a terminal: reads up to the prompt, types a line, reads on.

The program runs in a pseudo-terminal. Its output goes to a screen model when a test looks at the
screen. Nothing here sleeps: the driver waits until an unfinished line ends in a question mark or a
colon, and a space. The program writes each line in one piece, so nothing else looks like a prompt.

Words and picture are distinguished by colour: every row of the picture is coloured, and no word is.
This lets a test hear a game on a colour terminal as a blind player does.
"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Self

import pytest

from forkserver import Fork

_WHY = "the terminal tests need pexpect and pyte"
pexpect = pytest.importorskip("pexpect", reason=_WHY)
ptyprocess = pytest.importorskip("ptyprocess", reason=_WHY)
pyte = pytest.importorskip("pyte", reason=_WHY)

SOURCE = Path(__file__).resolve().parents[2] / "src"
MORE = "Press Enter for more, or type q to stop:"
PATIENCE = 20  # seconds without a prompt after which the program counts as hanging
KEPT = "The game is saved: shutbox resume 1 continues it."  # if that is the first saved game
# The prompts after a game that ended with a throw, with a choice, and with typed dice.
AGAIN = "Play again? Enter is yes; v review, m menu, q quit:"
AGAIN_OR_BACK = "Play again? Enter is yes; v review, u take back, m menu, q quit:"
AGAIN_OR_CORRECT = "Play again? Enter is yes; v review, c correct dice, m menu, q quit:"
VERDICT = re.compile(
    r"(You made no mistake|[A-Z][a-z]+ choices? cost you [0-9.]+ points)\. "
    r"(The dice (gave|took) [0-9.]+( back)?\. )?"
    r"Perfect play (leaves|scores) [0-9.]+, so you (left|scored) -?[0-9.]+\."
)
"""The line at the end of a turn played alone, if its figures are available at once."""

_STREAMS = "PYTHONIOENCODING"
_LOOKS = 100_000  # the most checks whether the program waits for a key
PROMPT = re.compile(r"(?:\A|\n)[^\n]*[?:] \r?(?:\x1b\[[0-9;?]*[a-zA-Z])*\Z")
SILENT = Path(__file__).with_name("silent")  # a player of sounds that plays none
_THROWS = re.compile(r"(?:\A|[^?] )Enter throws [a-z0-9 ]+:\Z")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def environment(changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
    """Return the environment of a player with a colour terminal. None removes a variable."""
    settings: dict[str, str | None] = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
        "PYTHONPATH": str(SOURCE),
        "PATH": f"{SILENT}{os.pathsep}{os.environ['PATH']}",
        "TERM": "xterm-256color",
        "LC_ALL": "C.UTF-8",
        "INPUTRC": os.devnull,
        "SHUTBOX_PACE": "none",
        **dict.fromkeys(("NO_COLOR", "COLUMNS", "LINES", "DISPLAY", "WAYLAND_DISPLAY")),
        **(changes or {}),
    }
    return {name: value for name, value in settings.items() if value is not None}


def command(*arguments: str) -> list[str]:
    """Return the command line that runs shutbox from its source."""
    return [sys.executable, "-m", "shutbox", *arguments]


def read_by_python(changes: Mapping[str, str | None] | None) -> bool:
    """Whether Python reads one of these before its first import, so that a fork cannot obey it."""
    return any(name.startswith(("PYTHON", "LC_")) for name in set(changes or ()) - {_STREAMS})


class _Process(ptyprocess.PtyProcess):  # type: ignore[misc, name-defined]
    """A fork in a terminal. Its parent process reports its end."""

    terminated: bool
    exitstatus: int | None
    signalstatus: int | None

    def __init__(self, fork: Fork, terminal: int) -> None:
        super().__init__(fork.pid, terminal)
        self._fork = fork

    def isalive(self) -> bool:
        code = self._fork.wait(PATIENCE) if self.flag_eof else self._fork.poll()
        self.terminated = code is not None
        if code is not None:
            self.exitstatus, self.signalstatus = (code, None) if code >= 0 else (None, -code)
        return not self.terminated


class _Forked(pexpect.spawn):  # type: ignore[misc, name-defined]
    """shutbox, forked instead of started as a whole program."""

    def _spawnpty(
        self, args: list[bytes], *, env: Mapping[str, str], dimensions: tuple[int, int], **_: Any
    ) -> _Process:
        ours, its = pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", *dimensions, 0, 0))
        words = map(os.fsdecode, args[len(command()) :])
        process = _Process(Fork([*words], env, its), ours)
        os.close(its)
        return process


class Terminal:
    """shutbox, or another program, in a separate terminal, up to its first prompt.

    With `throws`, the player presses Enter whenever that throws the dice, and the lines before the
    throw are returned with those after it. This is the default, except with `--throw ask` or
    `--plain`. The terminal is too small for a picture that stays in its place, so that lines and
    pictures come one after another; `terminal.live` has one that is large enough.
    """

    def __init__(
        self,
        *arguments: str,
        columns: int = 80,
        rows: int = 15,
        changes: Mapping[str, str | None] | None = None,
        program: list[str] | None = None,
        throws: bool | None = None,
    ) -> None:
        asked = {"ask", "--plain"}.isdisjoint([*arguments, *(program or [])])
        self.throws = asked if throws is None else throws
        self._screen = pyte.HistoryScreen(columns, rows, history=10_000)
        self._stream = pyte.Stream(self._screen)
        self._unseen = ""
        self.raw = ""  # everything the terminal has received, with escapes
        self.prompt = ""  # the last line of the open question. Empty once the program has ended
        self.spoken: list[str] = []  # the lines said between the last answer and the open question
        self.picture: list[str] = []  # the rows of the picture drawn with them, without colours
        self.said: list[str] = []  # every line and prompt since the start, without the answers
        self.code: int | None = None  # the exit code once it has ended; negative: the signal
        whole = program or read_by_python(changes)
        start = pexpect.spawn if whole else _Forked
        words = program or command(*arguments)  # pexpect would split a single word at spaces
        self.child: Any = start(
            words[0],
            words[1:],
            env=environment(changes),
            dimensions=(rows, columns),
            timeout=PATIENCE,
            maxread=65_536,
            encoding="utf-8",
            codec_errors="replace",
        )
        self.child.delaybeforesend = None
        self.child.delayafterclose = 0
        self.child.delayafterterminate = 0
        self.child.logfile_read = self
        self.read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.child.close(force=True)

    def write(self, text: str) -> None:
        """Take the program's output. pexpect passes every piece to its log."""
        self.raw += text
        self._unseen += text

    def flush(self) -> None:
        """Do nothing. pexpect flushes its log."""

    @property
    def screen(self) -> Any:
        """The present screen."""
        self._stream.feed(self._unseen)
        self._unseen = ""
        return self._screen

    @property
    def text(self) -> str:
        """Everything received, without escapes and with line ends as in a file."""
        return re.sub("\r+\n", "\n", _ESCAPE.sub("", self.raw))

    @property
    def heard(self) -> str:
        """Everything said since the last answer, with the open question, as one text."""
        return " ".join(filter(None, [*self.spoken, self.prompt]))

    @property
    def shown(self) -> str:
        """The text visible on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip("\n")

    def read(self) -> str:
        """Read to the next prompt or the end of the program, and return the prompt."""
        found = self.child.expect([PROMPT, pexpect.EOF, pexpect.TIMEOUT])
        assert found != 2, f"no prompt in {PATIENCE} seconds:\n{self.shown}"
        after = self.child.after if found == 0 else ""
        lines = re.sub("\r+\n", "\n", self.child.before + after).split("\n")
        last = _ESCAPE.sub("", lines.pop())
        if self.prompt:
            del lines[:1]  # the rest of the prompt's line, which echoes the answer
        self.prompt = last.rstrip() if found == 0 else ""
        self.picture = [_ESCAPE.sub("", line) for line in lines if _COLOUR.search(line)]
        self.spoken = [_ESCAPE.sub("", line) for line in lines if not _COLOUR.search(line)]
        throws = self.throws and _THROWS.search(self.heard)
        if throws or self.prompt == MORE:  # a long answer comes page by page
            while throws and "Enter" not in self.prompt:
                # In a narrow terminal the prompt takes more than one line.
                self.prompt = f"{self.spoken.pop()} {self.prompt}"
            self.said += self.spoken
            spoken, picture = self.spoken, self.picture
            self.type()
            self.spoken, self.picture = [*spoken, *self.spoken], [*picture, *self.picture]
            return self.prompt
        self.said += [*self.spoken, self.prompt]
        if found == 1:
            self.child.close()
            status, signal = self.child.exitstatus, self.child.signalstatus
            self.code = status if signal is None else -signal
        return self.prompt

    def type(self, line: str = "") -> list[str]:
        """Type a line and Enter, and return the lines up to the next prompt or the end."""
        self.child.send(f"{line}\r")
        self.read()
        return self.spoken

    def press(self, key: str) -> list[str]:
        """Press one key, such as `\\x03` for Ctrl-C, and return the lines up to the next prompt."""
        self.listens()
        self.child.send(key)
        self.read()
        return self.spoken

    def half_type(self, text: str) -> None:
        """Type without Enter, and check that it is on the screen."""
        self.child.send(text)
        self.child.expect_exact(text)

    def listens(self) -> None:
        """Wait until the program waits for a key.

        Python handles a signal at once only while it waits. The prompt appears a moment earlier. No
        person can press Ctrl-C in that moment, but a driver can.
        """
        self.is_in("S")

    def is_in(self, state: str) -> None:
        """Wait until the program in the foreground is in this state of `/proc`; T is stopped."""
        its = Path(f"/proc/{os.tcgetpgrp(self.child.child_fd)}/stat")
        for _ in range(_LOOKS):
            if not its.exists() or its.read_text().rpartition(")")[2].split()[0] == state:
                return
            os.sched_yield()
