"""Lines out and lines in: the only place that touches the terminal.

Every line that is said is one complete fact. Whatever the terminal does (ends the input, is
interrupted, is suspended, is a pipe, cannot show a letter) is turned here into a line, or into
`Stopped`.
"""

import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import StringIO
from typing import TYPE_CHECKING, NoReturn, TextIO

from shutbox.english import capital, visible
from shutbox.errors import BadVariant, IllegalChoice, ShutboxError
from shutbox.game import refused
from shutbox.messages import gettext
from shutbox.scene import Piece
from shutbox.term.keys import LONGEST_LINE, NAMES, Keys, named, single_keys, watch_signals
from shutbox.term.picture import picture
from shutbox.typed_text import ENDING_WORDS

if TYPE_CHECKING:
    from shutbox.term.speech.search import Voice  # a game without a voice starts faster without it

NARROWEST = 10  # lines are not broken below this many columns
REPEATS = "."
"""What is typed to have the last sentence once more."""

AtOnce = Callable[[str], str | None]
"""The answer that what is typed so far can only mean, if there is one."""


class Stopped(Exception):
    """There will be no more input: it ended, or the player interrupted twice."""


class Console:
    """A terminal, or a pipe, to talk to.

    `plain`: nothing but words, even on a terminal that could show a picture. `voice` speaks all
    that is said, and any key silences it. `keys`: an answer that can only mean one thing needs no
    Enter, where the terminal gives single keys.
    """

    def __init__(
        self, *, plain: bool = False, voice: "Voice | None" = None, keys: bool = False
    ) -> None:
        self._in: TextIO = sys.stdin or StringIO()  # none, where whoever started us closed it
        self._out: TextIO = sys.stdout
        if hasattr(self._in, "reconfigure") and self._in.errors != "replace":
            # A letter that cannot be read becomes a mark instead of an error. It is set once:
            # Python refuses it when something was read.
            self._in.reconfigure(errors="replace")
        self.interactive = _is_terminal(self._in) and _is_terminal(self._out)
        capable = _is_terminal(self._out) and (os.environ.get("TERM") or "dumb") != "dumb"
        self.draws = capable and not plain
        self._colours = not os.environ.get("NO_COLOR")
        self._voice = voice
        self._talks = False  # whether the voice may still be speaking
        self._takes_at_once = keys
        self._last = ""  # the last sentence that was said
        self._keys: Keys | None = None
        if self.interactive and (keys or voice is not None):
            terminal = single_keys(self._in.fileno())
            self._keys = None if terminal is None else Keys(terminal, self._out)
        edits = self.interactive and capable and not plain and self._keys is None
        self._edits = edits and _import_readline()
        self._prompt = ""
        if self.interactive:
            watch_signals(self._ask_again, edits=self._edits or self._keys is not None)

    @property
    def begins_by_enter(self) -> bool:
        """Whether the first throw of a turn waits for Enter: at a terminal that is looked at."""
        return self.interactive and self.draws

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
        for line in lines:
            self._speak(line)
            self._last = line

    def refuse(self, error: ShutboxError) -> None:
        """Say why something was refused, a line for each reason."""
        sentence = str(error)
        if isinstance(error, IllegalChoice) and error.choices:
            sentence = refused(error.why, error.choices, "l")
        for line in sentence.split("\n"):
            # The lines about a variant begin with its name, which is not ours to change.
            self.say(f"{line if isinstance(error, BadVariant) else capital(line)}.")

    def draw(self, pieces: Sequence[Piece]) -> None:
        """Draw a picture of pieces, if this terminal gets one."""
        if self.draws:
            rows = picture(pieces, self.columns, unicode=self.shows_unicode)
            if not self._colours:
                rows = [re.sub("\x1b[^m]*m", "", row).rstrip() for row in rows]
            self._out.writelines(f"{row}\n" for row in rows)

    def ask(self, prompt: str, at_once: AtOnce | None = None) -> str:
        """Ask for a line. Raises Stopped at the end of input and at a second Ctrl-C in a row.

        `at_once` tells what is typed so far can only mean; then it is taken without Enter.
        """
        interrupted = False
        while True:
            try:
                self._speak(prompt)
                answer = self._read(prompt, at_once)
                if answer.strip() != REPEATS or not self._last:
                    return answer
                interrupted = False
                self.say(self._last)
            except KeyboardInterrupt:
                self.hush()
                self._out.write("\n")
                if interrupted:
                    raise Stopped from None
                interrupted = True
                self.say(gettext("Interrupted. Type end or press Ctrl-C again to stop."))

    def answer(self, prompt: str) -> str:
        """Ask for a line, without the spaces around it. Raises Stopped at a word that ends, too."""
        answer = self.ask(prompt).strip()
        if answer.casefold() in ENDING_WORDS:
            raise Stopped
        return answer

    def _read(self, prompt: str, at_once: AtOnce | None) -> str:
        *above, last = self._fitted(prompt).splitlines() or [""]
        self._out.writelines(f"{line}\n" for line in above)
        self._prompt = f"{last} "
        if self._keys is not None:
            typed = self._keys.line(self._ask_again, self.hush, self._meant(at_once))
            if typed is None:
                self._end_of_input()
            return typed
        if self._edits:
            self._out.flush()
            try:
                return named(input(self._prompt))
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
        return named(line.rstrip("\r\n"))

    def _meant(self, at_once: AtOnce | None) -> AtOnce:
        """What needs no Enter in a game: a full stop, and with `keys` whatever can mean one thing.

        Elsewhere the name of a file may begin with a full stop.
        """

        def meant(typed: str) -> str | None:
            if at_once is None:
                return None
            if typed == REPEATS:
                return typed
            return at_once(typed) if self._takes_at_once else None

        return meant

    def _speak(self, line: str) -> None:
        """Let the voice say it, too, if there is one; a voice that has died is told once."""
        if self._voice is None:
            return
        try:
            self._voice.say(line)
            self._talks = True
        except OSError:
            self._voice.close()
            self._voice = None
            self.say(gettext("The voice has gone; the game goes on in writing."))

    def hush(self) -> None:
        """Silence the voice, if it speaks."""
        if self._voice is None or not self._talks:
            return
        self._talks = False
        with suppress(OSError):  # the next sentence tells that it has died
            self._voice.stop()

    def _ask_again(self) -> None:
        """The question, once more where it has scrolled away, and what was typed of the answer."""
        self._out.write(self._prompt + (self._keys.typed if self._keys is not None else ""))
        self._out.flush()

    def _end_of_input(self) -> NoReturn:
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
        return broken(line, max(NARROWEST, self.columns - 1))


def broken(line: str, columns: int) -> str:
    r"""A line broken between words; a number keeps its sign.

    >>> broken("stuck on the next throw 9 %, against 7 %", 25)
    'stuck on the next throw\n9 %, against 7 %'
    """
    kept = line.replace(" %", "\N{NO-BREAK SPACE}%")
    lines = textwrap.fill(kept, columns, break_on_hyphens=False)
    return lines.replace("\N{NO-BREAK SPACE}%", " %")


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except ValueError:
        return False


def _import_readline() -> bool:
    try:
        import readline  # input() edits lines with it once it is imported
    except ImportError:
        return False
    if "libedit" not in (readline.__doc__ or ""):  # its bindings are written in another way
        for key, line in NAMES.items():
            sent = key.replace("\x1b", "\\e")
            readline.parse_and_bind(f'"{sent}": "\\C-e\\C-u{line}\\C-m"')
    return True
