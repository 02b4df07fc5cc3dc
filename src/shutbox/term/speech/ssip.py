"""speech-dispatcher through its socket, in SSIP: one command a line, and an answer to each.

SSIP is documented in the manual of speech-dispatcher, "Speech Synthesis Interface Protocol". The
queue outlives the connection, so the last sentence of a game is heard.
"""

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from getpass import getuser
from pathlib import Path

from shutbox.term.speech import FASTEST, SLOWEST, USUAL, spoken

PATIENCE = 3.0
"""Seconds without an answer after which speech-dispatcher counts as dead."""
SPAWNING = 5.0
"""Seconds that speech-dispatcher gets to start."""
_PROGRAM = "speech-dispatcher"
_EVENTS = b"7"
"""The first digit of events: lines about what is being spoken, which answer no command."""


class Ssip:
    """A connection to speech-dispatcher, which is started if it does not run.

    `rate` is in words a minute. Without it, or without the name of a voice, the settings of the
    user apply. Raises OSError if there is no speech-dispatcher.
    """

    def __init__(self, rate: int | None = None, name: str = "") -> None:
        self._socket = _connected(os.environ.get("SPEECHD_ADDRESS", ""))
        self._socket.settimeout(PATIENCE)
        self._answers = self._socket.makefile("rb")
        self.knows_name = True
        """Whether there is a voice of that name; true without a name."""
        try:
            self._set_up(rate, name)
        except OSError:
            self._hang_up()
            raise

    def say(self, sentence: str) -> None:
        """Queue a sentence. Raises OSError if the voice is dead."""
        if not (text := spoken(sentence)):
            return
        # Double a full stop at the start of the line, since a single one alone ends the text.
        stuffing = "." if text.startswith(".") else ""
        self._ask("SPEAK")
        self._ask(f"{stuffing}{text}\r\n.")

    def stop(self) -> None:
        """Stop speaking at once, and clear the queue. Raises OSError."""
        self._ask("CANCEL SELF")

    def close(self) -> None:
        """Close the connection; the queue is still spoken."""
        with suppress(OSError):
            self._ask("QUIT")
        self._hang_up()

    def _hang_up(self) -> None:
        self._answers.close()
        self._socket.close()

    def _set_up(self, rate: int | None, name: str) -> None:
        self._ask(f"SET SELF CLIENT_NAME {_user()}:shutbox:game")
        self._ask("SET SELF PRIORITY message")  # in order; `text` would cut off the sentence before
        if rate is not None:
            self._ask(f"SET SELF RATE {ssip_rate(rate)}")
        if name:
            self.knows_name = self._take(name)

    def _take(self, name: str) -> bool:
        """Select a voice by its name or language; return whether there is one. Raises OSError."""
        wanted = name.casefold()
        for line in self._ask("LIST SYNTHESIS_VOICES"):
            voice, _, rest = line.partition("\t")
            language = rest.partition("\t")[0]
            if wanted in (voice.casefold(), language.casefold()):
                self._ask(f"SET SELF LANGUAGE {language}")
                self._ask(f"SET SELF SYNTHESIS_VOICE {voice}")
                return True
        return False

    def _ask(self, command: str) -> list[str]:
        """Send a command and return the lines of its answer. Raises OSError if it is refused."""
        self._socket.sendall(command.encode("utf-8", "replace") + b"\r\n")
        lines = list(self._answered())
        if not lines[-1].startswith("2"):
            raise OSError(f"speech-dispatcher refuses {command!r}: {lines[-1]}")
        return [line[4:] for line in lines]

    def _answered(self) -> Iterator[str]:
        """Yield the lines of one answer; the last one has a space after its number."""
        while line := self._answers.readline():
            if line[:1] != _EVENTS:
                yield line.decode("utf-8", "replace").rstrip("\r\n")
                if line[3:4] == b" ":
                    return
        raise ConnectionError("speech-dispatcher has hung up")


def ssip_rate(words: int) -> int:
    """Convert words a minute to the scale of SSIP, where 0 is the usual rate.

    >>> [ssip_rate(words) for words in (80, 175, 450)]
    [-100, 0, 100]
    """
    width = FASTEST - USUAL if words > USUAL else USUAL - SLOWEST
    return round(100 * (words - USUAL) / width)


def socket_path(folder: str | None) -> str:
    """Return the path of the user's speech-dispatcher socket; `folder` is XDG_RUNTIME_DIR, if set.

    >>> socket_path("/run/user/1000")
    '/run/user/1000/speech-dispatcher/speechd.sock'
    """
    # Without XDG_RUNTIME_DIR, GLib uses the cache folder, and so does speech-dispatcher.
    base = Path(folder) if folder else Path.home() / ".cache"
    return str(base / "speech-dispatcher" / "speechd.sock")


def _connected(address: str) -> socket.socket:
    """Connect to `inet_socket:host:port`, `unix_socket:/path` or the usual path; spawn if dead."""
    kind, _, place = address.partition(":")
    if kind == "inet_socket":
        host, _, port = place.partition(":")
        number = int(port) if port.isdecimal() else 6560
        return socket.create_connection((host or "127.0.0.1", number), PATIENCE)
    path = place or socket_path(os.environ.get("XDG_RUNTIME_DIR"))
    try:
        return _opened(path)
    except OSError:
        _spawn(path)
        return _opened(path)


def _opened(path: str) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def _spawn(path: str) -> None:
    """Start speech-dispatcher as its own library does, unless the user has disabled that."""
    if (program := shutil.which(_PROGRAM)) is None:
        return
    with suppress(OSError, subprocess.SubprocessError):
        subprocess.run(
            [program, "--spawn", "--communication-method", "unix_socket", "--socket-path", path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SPAWNING,
            check=False,
        )


def _user() -> str:
    """Return the user's name for the list of clients, reduced to letters and digits."""
    try:
        name = getuser()
    except (KeyError, OSError):
        return "nobody"
    return "".join(sign for sign in name if sign.isalnum()) or "nobody"
