"""A voice for the terminal: every line is also spoken, if the computer has a voice.

The standard library is enough. On Linux the voice is speech-dispatcher through its socket, which
blind users have set up as they like it, or else espeak-ng; on macOS `say`; on Windows SAPI.

A voice speaks sentences one after another while the program goes on. Once the voice is dead, `say`
raises OSError, `stop` can, and `close` does not. None of them waits for sound. A voice has spoken a
sentence once it `is_over`, or after the seconds that its `letters_per_second` take.
"""

import math
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

from shutbox.engine.english import replace_hidden, shown
from shutbox.engine.messages import gettext, gettext_noop, language

FASTEST, USUAL, SLOWEST = 450, 175, 80
"""Words a minute, as espeak-ng counts them; the scales of other voices are mapped to these."""
QUIET: Any = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
"""Keywords of `subprocess.run` for a program without input and output."""

_DIRECTIONS = dict.fromkeys(map(ord, "\u061c\u200e\u200f"))
_DIRECTIONS |= dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""A translation table that removes the marks of the direction of writing."""

PATIENCE = 3.0  # seconds without an answer after which speech-dispatcher counts as dead
SPAWNING = 5.0  # seconds that speech-dispatcher gets to start
_EVENTS = b"7"  # the first digit of events: lines about what is spoken, which answer no command
_ENDS = (b"702", b"703")  # the events of a sentence that was spoken, or cut
LOOKUP = 10.0  # seconds after which a program that only looks up a voice counts as dead

BEFORE_EACH = 'while IFS= read -r line; do printf "%s\\n" "$line" | "$@" || exit; done'
"""For `sh -c`: runs, once for each line, a program that speaks only after all of its input."""

SAPI = """
Add-Type -AssemblyName System.Speech
[Console]::InputEncoding = New-Object System.Text.UTF8Encoding $false
$voice = New-Object System.Speech.Synthesis.SpeechSynthesizer
$voice.Rate = [int]$env:SHUTBOX_SAPI_RATE
$name = $env:SHUTBOX_SAPI_VOICE
if ($name) { try { $voice.SelectVoice($name) } catch {
    try { $voice.SelectVoiceByHints('NotSet', 'NotSet', 0, [cultureinfo]$name) } catch { exit 1 }
} }
while ($null -ne ($line = [Console]::In.ReadLine())) {
    if ($line) { [void]$voice.SpeakAsync($line) } else { $voice.SpeakAsyncCancelAll() }
}
while ($voice.State -ne 'Ready') { Start-Sleep -Milliseconds 50 }
"""
"""For PowerShell, which starts slowly and so keeps running; it fails for a voice that is not there.
An empty line silences the voice."""


def speakable(text: str) -> str:
    r"""Return text on one line, without anything that a voice or its socket would interpret.

    >>> speakable("Ann\x1b[2J\r\n.\r\nQUIT: 7.")
    'Ann [2J . QUIT: 7.'
    >>> speakable("\N{RIGHT-TO-LEFT ISOLATE}Ann\N{POP DIRECTIONAL ISOLATE}: 7.")
    'Ann: 7.'

    `[[` begins a command of macOS voices. Marks of writing direction, read as pauses, are left out.
    """
    text = text.translate(_DIRECTIONS)
    printable = replace_hidden(text, lambda _: " ")
    return " ".join(printable.replace("[[", "[ [").split())


class ProcessVoice:
    """A program that speaks each line of its input.

    To silence it, it is killed, and the next sentence starts it again. If `silence` is given,
    these bytes are written to it instead. `settings` are added to its environment. Raises OSError
    if it cannot be started.
    """

    letters_per_second, is_over = 15.0, False

    def __init__(
        self,
        command: Sequence[str],
        settings: Mapping[str, str] | None = None,
        silence: bytes = b"",
        knows_name: bool = True,
    ) -> None:
        self.knows_name = knows_name  # whether there is a voice of the name that was wanted
        self._command = tuple(command)
        self._settings = dict(settings or {})
        self._silence = silence
        self._process: subprocess.Popen[bytes] | None = self._start()

    def say(self, sentence: str) -> None:
        """Queue a sentence; start a silenced voice again. Raises OSError if it is dead or stuck."""
        if not (text := speakable(sentence)):
            return
        if self._process is None:
            self._process = self._start()
        self._write(self._process, text.encode("utf-8", "replace") + b"\n")

    def stop(self) -> None:
        """Stop speaking at once, and clear the queue. Raises OSError if the program is stuck."""
        process = self._process
        if process is None or process.poll() is not None:  # it died: the next sentence reports that
            return
        if self._silence:
            self._write(process, self._silence)
            return
        self._process = None
        with suppress(OSError), process:  # closes its input, and waits for its end
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)  # and what it has started

    def close(self) -> None:
        """Close the input of the program, which ends once it has spoken everything in it."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            with suppress(OSError):
                process.stdin.close()

    def _start(self) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **self._settings},
            bufsize=0,
            start_new_session=True,  # Ctrl-C and Ctrl-Z are meant for the game
        )
        if sys.platform != "win32" and process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)  # a hung voice must not block the game
        return process

    def _write(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        if process.stdin is None or process.poll() is not None:
            raise OSError(f"{self._command[0]} has ended")
        if process.stdin.write(line) != len(line):
            raise OSError(f"{self._command[0]} does not listen")


class Ssip:
    """A voice through a connection to speech-dispatcher, which is started if it does not run.

    `rate` is in words a minute. Without it, or without the name of a voice, the settings of the
    user apply. Raises OSError if there is no speech-dispatcher.
    """

    letters_per_second = 5.0  # slow speech: it tells when a sentence is over

    def __init__(self, rate: int | None = None, name: str = "") -> None:
        self._socket = _connect(os.environ.get("SPEECHD_ADDRESS", ""))
        self._socket.settimeout(PATIENCE)
        self._answers = self._socket.makefile("rb")
        self._last = ""  # the number of the last sentence; empty once that is over
        self.knows_name = True  # whether there is a voice of that name; true without a name
        try:
            self._ask("SET SELF CLIENT_NAME player:shutbox:game")
            # In order; `text` would cut off the sentence before.
            self._ask("SET SELF PRIORITY message")
            self._ask("SET SELF NOTIFICATION ALL on")
            if rate is not None:  # on the scale of SSIP 0 is USUAL, 100 FASTEST and -100 SLOWEST
                width = FASTEST - USUAL if rate > USUAL else USUAL - SLOWEST
                self._ask(f"SET SELF RATE {round(100 * (rate - USUAL) / width)}")
            if name:
                self.knows_name = self._select_voice(name)
        except OSError:
            self._hang_up()
            raise

    def say(self, sentence: str) -> None:
        """Queue a sentence. Raises OSError if the voice is dead."""
        if not (text := speakable(sentence)):
            return
        # Double a full stop at the start of the line, since a single one alone ends the text.
        stuffing = "." if text.startswith(".") else ""
        self._ask("SPEAK")
        self._last, *_ = self._ask(f"{stuffing}{text}\r\n.")

    @property
    def is_over(self) -> bool:
        """Whether the last sentence was spoken or cut, or the voice is dead."""
        with suppress(OSError):
            self._ask("SET SELF PRIORITY message")  # events come before the answer
            return not self._last
        return True

    def stop(self) -> None:
        """Stop speaking at once, and clear the queue. Raises OSError if the voice is dead."""
        self._ask("CANCEL SELF")

    def close(self) -> None:
        """Close the connection; the queue is still spoken."""
        with suppress(OSError):
            self._ask("QUIT")
        self._hang_up()

    def _hang_up(self) -> None:
        self._answers.close()
        self._socket.close()

    def _select_voice(self, name: str) -> bool:
        """Select a voice by its name or language; return whether there is one. Raises OSError."""
        wanted = name.casefold()
        for line in self._ask("LIST SYNTHESIS_VOICES"):
            voice, _, rest = line.partition("\t")
            tag = rest.partition("\t")[0]
            if wanted in (voice.casefold(), tag.casefold(), tag.casefold().partition("-")[0]):
                self._ask(f"SET SELF LANGUAGE {tag}")
                self._ask(f"SET SELF SYNTHESIS_VOICE {voice}")
                return True
        return False

    def _ask(self, command: str) -> list[str]:
        """Send a command; return its answer in lines. Raises OSError if refused or unanswered."""
        self._socket.sendall(command.encode("utf-8", "replace") + b"\r\n")
        lines = list(self._read_answer())
        if not lines[-1].startswith("2"):
            raise OSError(f"speech-dispatcher refuses {command!r}: {lines[-1]}")
        return [line[4:] for line in lines]

    def _read_answer(self) -> Iterator[str]:
        """Yield an answer's lines, the last with a space after its number. OSError at the end."""
        while line := self._answers.readline():
            if line[:1] != _EVENTS:
                yield line.decode("utf-8", "replace").rstrip("\r\n")
                if line[3:4] == b" ":
                    return
            elif line[:3] in _ENDS and line[4:].decode().strip() == self._last:
                self._last = ""
        raise ConnectionError("speech-dispatcher has hung up")


def _connect(address: str) -> socket.socket:
    """Return a connection to `inet_socket:host:port` or `unix_socket:/path`. Raises OSError.

    An empty address means the usual path. If no speech-dispatcher answers on a path, start one.
    """
    kind, _, place = address.partition(":")
    if kind == "inet_socket":
        host, _, port = place.partition(":")
        number = int(port) if port.isdecimal() else 6560
        return socket.create_connection((host or "127.0.0.1", number), PATIENCE)
    # Without XDG_RUNTIME_DIR, GLib uses the cache folder, and so does speech-dispatcher.
    base = Path(os.environ.get("XDG_RUNTIME_DIR") or Path.home() / ".cache")
    path = place or str(base / "speech-dispatcher" / "speechd.sock")
    try:
        return _open_socket(path)
    except OSError:
        _spawn(path)
        return _open_socket(path)


def _open_socket(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def _spawn(path: str) -> None:
    """Start speech-dispatcher, if installed, as its library does: unless the user disabled it."""
    if (program := shutil.which("speech-dispatcher")) is None:
        return
    command = [program, "--spawn", "--communication-method", "unix_socket", "--socket-path", path]
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(command, **QUIET, timeout=SPAWNING, check=False)


Voice: TypeAlias = Ssip | ProcessVoice

_Search = Callable[[int | None, str], Voice]
"""Raises OSError if there is no such voice, and TimeoutExpired if it hangs."""


def find_voice(
    rate: int | None = None, name: str = "", platform: str = sys.platform
) -> tuple[Voice | None, tuple[str, ...]]:
    """Return a voice of this computer, started, or None; and sentences about what went wrong.

    `rate` is in words a minute, and `name` is one that the program of the voice lists, or a
    language; without it, a voice of the language in use is wanted. Without them in English, or if
    there is no such voice, the settings of that program apply.
    """
    wanted = name or ("" if language() == "en" else language())
    for search in _SEARCHES.get(platform, _ON_LINUX):
        with suppress(OSError, subprocess.TimeoutExpired):
            voice = search(rate, wanted)
            voice.letters_per_second *= (rate or USUAL) / USUAL
            if voice.knows_name:
                return voice, ()
            template = gettext_noop("There is no voice for this language; you hear the usual one.")
            if name:
                template = gettext_noop("There is no voice named {name}; you hear the usual one.")
            return voice, (gettext(template, name=shown(name)),)
    if platform in _SEARCHES:
        # Translators: no program speaks, so all is written.
        return None, (gettext("No voice was found, so you read the game."),)
    problem = gettext(
        "No voice was found, so you read the game; to hear it, install speech-dispatcher or "
        "espeak-ng."
    )
    return None, (problem,)


def _start_espeak(rate: int | None, name: str) -> Voice:
    program = _find_program("espeak-ng")
    # With text on its command line the program speaks it and ends; without, it reads its input.
    known = not name or _succeeds([program, f"-v{name}", "-q", "."])
    options = [f"-v{name}"] if name and known else []
    options += [] if rate is None else [f"-s{rate}"]
    return ProcessVoice([program, *options], knows_name=known)


def _start_say(rate: int | None, name: str) -> Voice:
    program = _find_program("say")
    # Given an empty file it ends at once, and its exit code says whether the voice exists.
    known = not name or _succeeds([program, "-v", name, "-f", "/dev/null"])
    if not known and (voice := _mac_voice_of(program, name)):
        name, known = voice, True
    options = ["-v", name] if name and known else []
    options += [] if rate is None else ["-r", str(rate)]
    command = [program, *options, "-f", "-"]
    return ProcessVoice(["/bin/sh", "-c", BEFORE_EACH, "say", *command], knows_name=known)


def _mac_voice_of(program: str, language: str) -> str:
    """Return a voice of macOS for a language, such as `Anna` for `de`; "" if there is none."""
    pipes: Any = {**QUIET, "stdout": subprocess.PIPE}
    listed = subprocess.run([program, "-v", "?"], **pipes, timeout=LOOKUP, check=False)
    voices = re.findall(
        r"(?m)^(\S.*?) +([a-z]{2,3})[_-]\w+ +#", listed.stdout.decode(errors="replace")
    )
    return next((voice for voice, of in voices if of == language), "")


def _start_sapi(rate: int | None, name: str) -> Voice:
    shell = [_find_program("powershell"), "-NoProfile", "-NonInteractive", "-Command", SAPI]
    # On the scale of SAPI 0 is USUAL, and 10 more is three times as fast.
    speed = round(10 * math.log((rate or USUAL) / USUAL, 3))
    settings = {"SHUTBOX_SAPI_RATE": str(speed), "SHUTBOX_SAPI_VOICE": name}
    # Without input it ends at once, and its exit code says whether the voice exists.
    known = not name or _succeeds(shell, settings)
    if not known:
        settings["SHUTBOX_SAPI_VOICE"] = ""
    return ProcessVoice(shell, settings, silence=b"\n", knows_name=known)


def _find_program(name: str) -> str:
    """Return the path of a program. Raises FileNotFoundError."""
    if (path := shutil.which(name)) is None:
        raise FileNotFoundError(name)
    return path


def _succeeds(command: list[str], settings: Mapping[str, str] | None = None) -> bool:
    """Run a command without output; return whether it succeeds. TimeoutExpired if it hangs."""
    env = {**os.environ, **(settings or {})}
    return not subprocess.run(command, **QUIET, env=env, timeout=LOOKUP, check=False).returncode


_ON_LINUX: tuple[_Search, ...] = (Ssip, _start_espeak)
_SEARCHES: dict[str, tuple[_Search, ...]] = {"darwin": (_start_say,), "win32": (_start_sapi,)}
