"""Lines out and lines in: the terminal, or the pipe, at which a game is played.

Every line is one complete fact. All that can happen at a terminal (end of input, interrupt,
suspension, a pipe, a letter that cannot be shown) becomes a line here, or `Stopped`.
"""

import os
import re
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, NoReturn, TextIO, TypeVar

from shutbox.engine.english import capital, replace_hidden, visible
from shutbox.engine.errors import BadFormat, BadVariant, IllegalChoice, ShutboxError
from shutbox.engine.game_text import refusal_text
from shutbox.engine.messages import gettext
from shutbox.engine.scene import Piece
from shutbox.engine.typed_text import ENDING_WORDS, typed_line
from shutbox.term.keys import (
    LINES_OF_KEYS,
    LONGEST_LINE,
    Keys,
    edit_lines,
    key_reader,
    replace_key,
    set_echo,
    watch_signals,
)
from shutbox.term.picture import picture
from shutbox.term.speech import Speech, screen_reader_runs
from shutbox.term.width import fit

if TYPE_CHECKING:
    from shutbox.term.screen import Screen, View
    from shutbox.term.sounds import Cue, Sounds  # a game without a voice starts faster without it
    from shutbox.term.synthesizers import Voice


BACK_WORDS = ("q", "b", "back", "end", "menu")  # return from a question to the first screen
HELP_WORDS = ("?", "help")
REPEATS = "."  # the input that repeats the last sentence

T = TypeVar("T")
AtOnce = Callable[[str], str | None]  # returns the only answer that typed text can mean, or None


class Stopped(Exception):
    """The exception that ends a game: the player quit or pressed Ctrl-C twice, or input ended."""


class GoesBack(Stopped):
    """The exception that leads to the first screen: for `q` or `end`, say, or nothing picked."""


class Console:
    """The standard output and input: a terminal or a pipe.

    With `plain` it shows only words, even on a terminal that could show a picture; None means: if a
    screen reader runs. What prints raises BrokenPipeError once nobody reads the output.
    """

    def __init__(self, *, plain: bool | None = None) -> None:
        self.speech = Speech(None, None)
        self._last = ""  # the last sentence that was said
        self._in_game = False  # whether the picture stays in one place, if it can
        self._screen: Screen | None = None
        self._sounds: Sounds | None = None
        self.configure(plain=plain, voice=None, keys=False)

    def configure(
        self, *, plain: bool | None, voice: "Voice | None", keys: bool, mute: bool = True
    ) -> None:
        """Set how the console shows and hears; first close the voice it had.

        `plain` is as for the class. `voice` speaks every line, and keys silence it; None: no voice.
        With `keys`, an answer that can mean only one thing needs no Enter, if the terminal delivers
        single keys. Unless `mute`, sounds come before the words, if a voice or a screen reader
        speaks and a program plays them.
        """
        self.speech.close()
        self._in: TextIO = sys.stdin or StringIO()  # sys.stdin is None if the parent closed it
        self._out: TextIO = sys.stdout
        if hasattr(self._in, "reconfigure") and self._in.errors != "replace":
            # Undecodable letters become marks, not errors. Set once: Python refuses after a read.
            self._in.reconfigure(errors="replace")
        capable = _is_terminal(self._out) and (os.environ.get("TERM") or "dumb") != "dumb"
        self.interactive = _is_terminal(self._in) and _is_terminal(self._out)  # no pipe
        if plain is None:
            plain = self.interactive and screen_reader_runs()
        self.draws = capable and not plain  # whether it shows pictures
        self._colours = not os.environ.get("NO_COLOR")
        self._sounds = None
        if not mute and self.interactive and (voice is not None or screen_reader_runs()):
            from shutbox.term.sounds import Sounds

            with suppress(OSError):
                self._sounds = Sounds()
        self.takes_at_once = keys  # whether an answer that can mean only one thing needs no Enter
        self._terminal = terminal = key_reader(self._in.fileno()) if self.interactive else None
        self._keys = Keys(terminal, self._out) if terminal and (keys or voice) else None
        self.speech = Speech(voice, None if self._keys is None else self._key_comes)
        self._edits = self.interactive and self.draws and self._keys is None and edit_lines()
        self._prompt = ""  # the open question
        self._ahead = [] if self._keys is None else self._keys.ahead  # what is typed before it
        if self.interactive:
            watch_signals(self._ask_again, self._leave, edits=self._edits or self._keys is not None)
        self.keep_in_place(self._in_game)

    def type_ahead(self, typed: str) -> None:
        """Take typed keys as the beginning of the next answer, or several; not white space alone.

        F1 and F4 are the lines that they stand for, and other special keys nothing.
        """
        for key, line in LINES_OF_KEYS.items():
            typed = typed.replace(key, f"{line}\n")
        typed = re.sub(r"\x1b(\[\[.|\[[0-9;]*[@-~]|O.)?", "", typed.replace("\r", "\n"))
        self._ahead += typed if self._ahead else typed.lstrip()

    def wait_for_keys(self, seconds: float) -> str:
        """Wait so many seconds, or until a key comes; return all typed, "" at a pipe at once."""
        return "" if self._terminal is None else self._terminal.wait_for_keys(seconds)

    def pause(self, seconds: float) -> None:
        """Wait so long, unless a voice takes its time; a key ends this and the pauses after it."""
        if self.voice is None and not self.speech.skips:
            self.speech.skips = self._key_comes(seconds)

    def keep_in_place(self, wanted: bool) -> None:
        """Begin or end a game: its picture stays in one place of the screen, if that can be done.

        Otherwise, if it takes single keys, they are not echoed: a question shows its own.
        """
        self._in_game = wanted
        if self.screen() is None and self._keys is not None and hasattr(signal, "SIGCONT"):
            set_echo(self._in.fileno(), not wanted)

    def screen(self) -> "Screen | None":
        """Return the screen on which the picture stays in place; else leave it, and return None.

        It needs `keep_in_place`, readline, a picture, no voice, Ctrl-Z, and room on the terminal.
        """
        able = self._in_game and self.draws and self._edits and self.voice is None
        if able and hasattr(signal, "SIGCONT"):
            from shutbox.term.screen import LEAST_COLUMNS, LEAST_ROWS, Screen

            columns, lines = os.get_terminal_size(self._out.fileno())
            if columns >= LEAST_COLUMNS and lines >= LEAST_ROWS:
                if self._screen is None:
                    self._out.flush()
                    self._screen = Screen(self._out.fileno(), fit)
                return self._screen
        self._leave()
        self._screen = None
        return None

    def _leave(self) -> None:
        if self._screen is not None:
            self._screen.leave()

    @property
    def voice(self) -> "Voice | None":
        """The voice that speaks every line; None if there is none, or none any more."""
        return self.speech.voice

    @property
    def columns(self) -> int:
        """The width of the terminal; 80 if it is unknown."""
        with suppress(OSError, ValueError):
            return os.get_terminal_size(self._out.fileno()).columns or 80
        return 80

    @property
    def shows_unicode(self) -> bool:
        """Whether the output can encode box-drawing characters."""
        return (self._out.encoding or "").lower().replace("-", "") in ("utf8", "utf16")

    def say(self, *lines: str, aloud: bool = True, own: bool | None = None) -> None:
        """Print lines, each a complete fact; let the voice speak them if `aloud`.

        `own` is True for what a player did or must hear, which no key silences, and False for what
        others did, of which the lines that a key silences are counted in `speech.skipped`.
        """
        if (screen := self.screen()) is not None:
            screen.say(lines)
        else:
            for line in lines:
                self._out.write(f"{self._fit_line(line)}\n")
                if aloud:
                    self._speak(line, own=own)
        self._out.flush()
        if aloud and lines:
            self._last = lines[-1]
        self.speech.skips = self.speech.skips and own is False

    def sound(self, cue: "Cue", pieces: Sequence[Piece] = ()) -> None:
        """Begin to play a sound, that of these pieces for dice and tiles; nothing unless heard."""
        if self._sounds is not None:
            self._sounds.play(cue, pieces)

    def refuse(self, error: ShutboxError) -> None:
        """Play the sound of refusals, and say why something was refused, a line for each reason."""
        self.sound("refused")
        sentence = str(error)
        if isinstance(error, IllegalChoice) and error.choices:
            sentence = refusal_text(error.why, error.choices, "l")
        if isinstance(error, BadFormat) and error.where == "format":
            sentence = "\n".join(error.problems)  # nobody here has typed a format
        for line in sentence.split("\n"):
            # The lines about a variant begin with its name, which must not be capitalised.
            self.say(f"{line if isinstance(error, BadVariant) else capital(line)}.")

    def draw(self, pieces: Sequence[Piece], view: "View | None" = None) -> None:
        """Paint `view` if given and a `screen` has room; else print the pieces, if it `draws`."""
        if view is not None and (screen := self.screen()) is not None:
            if screen.draw(lambda *where: self._with_colours_wanted(view(*where))):
                return
            self.keep_in_place(False)
        if self.draws:
            rows = picture(pieces, self.columns, unicode=self.shows_unicode)
            self._out.writelines(f"{row}\n" for row in self._with_colours_wanted(rows))

    def _with_colours_wanted(self, rows: Sequence[str]) -> Sequence[str]:
        """Return the rows without their colours if the player wants none."""
        if self._colours:
            return rows
        return [re.sub("\x1b[^m]*m", "", row).rstrip() for row in rows]

    def ask(self, prompt: str, at_once: AtOnce | None = None, *, anew: bool = False) -> str:
        """Ask, and return a line without its end; what was typed before the question begins it.

        If the console takes single keys (`keys`), the line that `at_once` returns for the text
        typed so far is the answer, without Enter. A full stop alone repeats the last sentence, if
        there is one, and the question is asked again. With `anew`, drop what was typed before.
        Raises Stopped at the end of input, and at Ctrl-C twice in a row.
        """
        interrupted = False
        while True:
            try:
                self.speech.skips = False  # a question is spoken in any case
                self._speak(prompt)
                if anew:
                    self.wait_for_keys(0)
                    self._ahead.clear()
                answer = self._read(prompt, at_once)
                if answer.strip() != REPEATS or not self._last:
                    return answer
                interrupted = False
                self.say(self._last)
            except KeyboardInterrupt:
                self.speech.hush()
                self._out.write("\n")
                if interrupted:
                    raise Stopped from None
                interrupted = True
                self.say(gettext("Interrupted. Type end or press Ctrl-C again to stop."))

    def answer(
        self,
        prompt: str,
        *,
        back: bool = False,
        at_once: AtOnce | None = None,
        helps: Sequence[str] = (),
    ) -> str:
        """Ask; return the line stripped. Raises Stopped as `ask` does, and at a word such as quit.

        `at_once` is as in `ask`. With `back`, words such as q and end raise GoesBack instead. At
        `?`, say `helps`, if any, and ask again.
        """
        if back:
            helps = helps or [gettext("Answer the question. q or end leaves it.")]
        while typed_line(answer := self.ask(prompt, at_once).strip()) in HELP_WORDS and helps:
            self.say(*helps)
        word = typed_line(answer)
        if back and word in BACK_WORDS:
            raise GoesBack
        if word in ENDING_WORDS:
            raise Stopped
        return answer

    def read(self, prompt: str, read: Callable[[str], T], *helps: str) -> T | None:
        """Ask until `read` takes the answer, and return its result; None after Enter alone.

        At `?`, say `helps`. If `read` raises a ShutboxError, say why and ask again. Raises GoesBack
        and Stopped as `answer` does.
        """
        while answer := self.answer(prompt, back=True, helps=helps):
            try:
                return read(answer)
            except ShutboxError as error:
                self.refuse(error)
        return None

    def _read(self, prompt: str, at_once: AtOnce | None) -> str:
        """Show the prompt and return the next line, of what was typed before if that has one."""
        ahead, newline, rest = "".join(self._ahead).partition("\n")
        if self._keys is None:
            self._ahead = [*rest]
            if newline:
                self.say(f"{prompt} {ahead}", aloud=False)
                return replace_key(ahead)
        if (screen := self.screen()) is not None:
            return self._read_edited(screen.ask, visible(prompt), ahead)
        *above, last = self._fit_line(prompt).splitlines() or [""]
        self._out.writelines(f"{line}\n" for line in above)
        self._prompt = f"{last} "
        if self._keys is not None:
            take = partial(self._take_at_once, at_once)
            typed = self._keys.read_line(self._ask_again, self.speech.hush, take)
            if typed is None:
                self._end_of_input()
            return typed
        if self._edits:
            self._out.flush()
            return self._read_edited(input, self._prompt, ahead)
        return replace_key(ahead + self._read_unedited(ahead))

    def _read_unedited(self, ahead: str) -> str:
        """Show the prompt with what was typed before, and return the line typed after that."""
        self._prompt += ahead
        self._ask_again()
        line = ""
        with suppress(OSError):  # a terminal that hung up also ends the input
            line = self._in.readline(LONGEST_LINE)
        if not (rest := line):
            self._end_of_input()
        while len(rest) == LONGEST_LINE and not rest.endswith("\n"):
            rest = self._in.readline(LONGEST_LINE)
        if not _is_terminal(self._in):
            # A pipe echoes nothing: print the answer, so that the transcript reads as lines.
            self._out.write(replace_hidden(line.rstrip(), lambda _: "?") + "\n")
        return line.rstrip("\r\n")

    def _read_edited(self, read: Callable[[str], str], prompt: str, ahead: str) -> str:
        """Return the line that `read` returns for a prompt; readline edits it, `ahead` first."""
        import readline

        readline.set_startup_hook(partial(readline.insert_text, ahead))
        try:
            return replace_key(read(prompt))
        except (EOFError, OSError):  # a terminal that hung up also ends the input
            self._end_of_input()
        finally:
            readline.set_startup_hook(None)

    def _take_at_once(self, at_once: AtOnce | None, typed: str) -> str | None:
        """Return the line that typed keys mean without Enter, or None if they need it.

        That is a lone full stop, or if the console takes single keys, what `at_once` returns. If
        `at_once` is None, keys always need Enter: a full stop can begin the name of a file.
        """
        if at_once is None:
            return None
        if typed == REPEATS:
            return typed
        return at_once(typed) if self.takes_at_once else None

    def _speak(self, line: str, *, own: bool | None = None) -> None:
        """Speak a line; if the voice has died, say so once."""
        self._out.flush()
        if not self.speech.say(line, own=own):
            self.say(gettext("The voice has gone; the game goes on in writing."))

    def _key_comes(self, seconds: float) -> bool:
        """Wait up to so many seconds for a key, and keep what is typed for the next answer."""
        self.type_ahead(typed := self.wait_for_keys(seconds))
        return bool(typed)

    def _ask_again(self) -> None:
        """Print the question again, with the part of the answer that is already typed."""
        if self._screen is not None:
            self._screen.resume()
            return
        self._out.write(self._prompt + (self._keys.typed if self._keys is not None else ""))
        self._out.flush()

    def _end_of_input(self) -> NoReturn:
        self._out.write("\n")
        self._out.flush()
        raise Stopped

    def _fit_line(self, line: str) -> str:
        """Return the line, broken between words if the terminal would break it within one.

        Plain output stays whole: there a line is a fact, and a screen reader breaks it itself.
        """
        line, columns = visible(line), self.columns
        leaves_a_sign = self.interactive and len(line) % columns == 1  # alone on the next line
        breaks = len(line) >= columns and (self.draws or leaves_a_sign)
        return fit(line, columns - 1) if breaks else line


def _is_terminal(stream: TextIO) -> bool:
    with suppress(ValueError):  # the stream is closed
        return stream.isatty()
    return False
