"""Stand-ins for voices: a socket that answers like speech-dispatcher, and programs."""

import os
import shlex
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType

PATIENCE = 20
NOWHERE = "unix_socket:/nowhere/at/all"
VOICES = (("English", "en", "none"), ("German+Anna", "de", "Anna"))


class FakeDispatcher:
    """A socket that answers SSIP commands and records them.

    With `deaf`, it takes commands and never answers.
    """

    def __init__(self, path: Path, *, deaf: bool = False) -> None:
        self.address = f"unix_socket:{path}"
        self.commands: list[str] = []
        """Every command, and each text in quotation marks, in order."""
        self._deaf = deaf
        self._news = threading.Condition()
        self._open: list[socket.socket] = []
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def __enter__(self) -> "FakeDispatcher":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.die()
        for thread in self._threads:
            thread.join(PATIENCE)

    @property
    def spoken(self) -> list[str]:
        """The texts to speak, in order."""
        return [command[1:-1] for command in self.commands if command[:1] == '"']

    def die(self) -> None:
        """Hang up, and stop listening."""
        for each in (self._server, *self._open):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def wait_for(self, command: str, number: int = 1) -> None:
        """Wait until it has received this command so many times."""
        with self._news:
            told = self._news.wait_for(lambda: self.commands.count(command) >= number, PATIENCE)
        assert told, f"{command} did not come: {self.commands}"

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self._open.append(connection)
            thread = threading.Thread(target=self._answer, args=[connection], daemon=True)
            self._threads.append(thread)
            thread.start()

    def _answer(self, connection: socket.socket) -> None:
        speaks = False
        try:
            with connection.makefile("rb") as lines:
                for line in lines:
                    text = line.decode().removesuffix("\r\n")
                    if speaks and text == ".":
                        speaks = False
                        answer = "225-1\r\n225 OK MESSAGE QUEUED\r\n701-1\r\n701-1\r\n701 BEGIN"
                    elif speaks:
                        self._note(f'"{text}"')
                        continue
                    else:
                        self._note(text)
                        speaks = text == "SPEAK"
                        answer = self._to(text)
                    if not self._deaf:
                        connection.sendall(f"{answer}\r\n".encode())
        except OSError:
            return

    def _to(self, command: str) -> str:
        if command.startswith("LIST"):
            voices = "".join(f"249-{'	'.join(voice)}\r\n" for voice in VOICES)
            return f"{voices}249 OK VOICE LIST SENT"
        return "230 OK RECEIVING DATA" if command == "SPEAK" else "208 OK"

    def _note(self, command: str) -> None:
        with self._news:
            self.commands.append(command)
            self._news.notify_all()


class FakeProgram:
    """A program that records its arguments and each line of its input.

    It exits with an error if it is asked for the voice `nonsense`.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.notes = folder / f"{name}.txt"
        self._number = folder / f"{name}.pid"
        script = f"""import os, sys
with open({str(self.notes)!r}, "a", buffering=1, encoding="utf-8") as notes:
    set_up = [f"{{key}}={{os.environ[key]}}" for key in sorted(os.environ) if "SAPI" in key]
    words = [word for word in sys.argv[1:] if "\\n" not in word]
    with open({str(self._number)!r}, "w") as number:
        number.write(str(os.getpid()))
    notes.write(" ".join(["begins:", *words, *set_up]) + "\\n")
    if "nonsense" in " ".join(sys.argv):
        sys.exit(1)
    if "-q" not in sys.argv:
        sys.stdin.reconfigure(encoding="utf-8")
        for line in sys.stdin:
            notes.write(line)
"""
        path, code = folder / name, folder / f"{name}.py"
        code.write_text(script, encoding="utf-8")
        # The interpreter's path after `#!` ends at the first space, and its length is limited.
        words = shlex.join((sys.executable, str(code)))
        path.write_text(f'#!/bin/sh\nexec {words} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
        self.path = f"{folder}{os.pathsep}{os.environ['PATH']}"

    def kill(self) -> None:
        """Kill the running program, and wait until it is dead."""
        self.lines(2)
        process = int(self._number.read_text())
        os.kill(process, signal.SIGKILL)
        state, end = Path(f"/proc/{process}/stat"), time.monotonic() + PATIENCE
        while state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z":
            assert time.monotonic() < end
            time.sleep(0.002)

    def lines(self, number: int) -> list[str]:
        """Return the recorded lines, once there are so many."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            noted = self.notes.read_text("utf-8").splitlines() if self.notes.exists() else []
            if len(noted) >= number:
                return noted
            time.sleep(0.002)
        raise AssertionError(f"{number} lines did not come: {noted}")
