"""speech-dispatcher by its socket, in SSIP: a command a line, and an answer that ends in a number.

SSIP is documented in the manual of speech-dispatcher, "Speech Synthesis Interface Protocol". What
is queued stays queued when the connection is closed, so the last sentence of a game is heard.
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
"""Answers that begin so tell what is being spoken, and answer no command."""


class Ssip:
    """A connection to speech-dispatcher; it is started where it does not run.

    `rate` in words a minute; without it, and without the name of a voice, as its user has set it
    up. Raises OSError where there is none.
    """

    def __init__(self, rate: int | None = None, name: str = "") -> None:
        self._socket = _connected(os.environ.get("SPEECHD_ADDRESS", ""))
        self._socket.settimeout(PATIENCE)
        self._answers = self._socket.makefile("rb")
        self.knows_name = True
        """Whether there is a voice of that name."""
        try:
            self._set_up(rate, name)
        except OSError:
            self._hang_up()
            raise

    def say(self, sentence: str) -> None:
        """Speak a sentence after those that are still to be spoken."""
        if not (text := spoken(sentence)):
            return
        # A line that begins with a full stop gets one more: one that stands alone ends the text.
        stuffing = "." if text.startswith(".") else ""
        self._ask("SPEAK")
        self._ask(f"{stuffing}{text}\r\n.")

    def stop(self) -> None:
        """Be silent at once, and forget what was still to be spoken."""
        self._ask("CANCEL SELF")

    def close(self) -> None:
        """There is nothing more to say."""
        with suppress(OSError):
            self._ask("QUIT")
        self._hang_up()

    def _hang_up(self) -> None:
        self._answers.close()
        self._socket.close()

    def _set_up(self, rate: int | None, name: str) -> None:
        self._ask(f"SET SELF CLIENT_NAME {_user()}:shutbox:game")
        self._ask("SET SELF PRIORITY message")  # one after another; `text` would cut the one before
        if rate is not None:
            self._ask(f"SET SELF RATE {ssip_rate(rate)}")
        if name:
            self.knows_name = self._take(name)

    def _take(self, name: str) -> bool:
        """Speak with the voice of this name, or with one of this language, if there is one."""
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
        """Send a command; the lines of its answer. Raises OSError where it is refused."""
        self._socket.sendall(command.encode("utf-8", "replace") + b"\r\n")
        lines = list(self._answered())
        if not lines[-1].startswith("2"):
            raise OSError(f"speech-dispatcher refuses {command!r}: {lines[-1]}")
        return [line[4:] for line in lines]

    def _answered(self) -> Iterator[str]:
        """The lines of one answer; the last one has a space after its number."""
        while line := self._answers.readline():
            if line[:1] != _EVENTS:
                yield line.decode("utf-8", "replace").rstrip("\r\n")
                if line[3:4] == b" ":
                    return
        raise ConnectionError("speech-dispatcher has hung up")


def ssip_rate(words: int) -> int:
    """Words a minute on the scale of SSIP, where 0 is the usual rate.

    >>> [ssip_rate(words) for words in (80, 175, 450)]
    [-100, 0, 100]
    """
    width = FASTEST - USUAL if words > USUAL else USUAL - SLOWEST
    return round(100 * (words - USUAL) / width)


def socket_path(folder: str | None) -> str:
    """Where speech-dispatcher listens for this user, by the folder `XDG_RUNTIME_DIR`.

    >>> socket_path("/run/user/1000")
    '/run/user/1000/speech-dispatcher/speechd.sock'
    """
    # Without the folder it is where GLib keeps what a user needs while he is logged in.
    base = Path(folder) if folder else Path.home() / ".cache"
    return str(base / "speech-dispatcher" / "speechd.sock")


def _connected(address: str) -> socket.socket:
    """A connection to `unix_socket:/path`, `inet_socket:host:port`, or where it usually is."""
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
    """Start speech-dispatcher as its own library does, unless its user wants that not."""
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
    """The user's name, as speech-dispatcher lists its clients; in letters that it reads."""
    try:
        name = getuser()
    except (KeyError, OSError):
        return "nobody"
    return "".join(sign for sign in name if sign.isalnum()) or "nobody"
