"""Stand-ins for voices: a socket that answers like speech-dispatcher, and programs."""

import html
import os
import re
import shlex
import signal
import socket
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Self

PATIENCE = 20
SLOWLY = ("--speak", "--rate", "80")  # so slowly that a game does not estimate the end of a line
NOWHERE = "unix_socket:/nowhere/at/all"
_TAG = re.compile(r"<[^>]*>")
VOICES = (("English", "en", "none"), ("German+Anna", "de", "Anna"))


class Line:
    """What a program gave to a voice to say, and what became of it.

    `how` is `waits`, `speaks`, `whole`, `cut`, or `never` if it was dropped before its first word.
    Times are those of `time.monotonic`; `begun` is 0 until it is spoken.
    """

    def __init__(self, text: str, owner: "_Client | None", number: int) -> None:
        self.text, self.owner, self.number = text, owner, number
        self.came, self.begun, self.ended, self.how = time.monotonic(), 0.0, 0.0, "waits"


class FakeDispatcher:
    """A socket that answers SSIP commands as speech-dispatcher does, and records them.

    It says so many letters a second (`speed`), one line after the other, and reports when a line
    begins, ends or is cancelled. Without a speed, each line is said at once. With `deaf`, it takes
    commands and never answers.
    """

    def __init__(self, path: Path, *, deaf: bool = False, speed: float = 0.0) -> None:
        self.address = f"unix_socket:{path}"
        self.commands: list[str] = []  # and each text in quotation marks, in order
        self.lines: list[Line] = []  # all that was to be said, in order
        self.cancels: list[list[Line]] = []  # what was not said to its end, by silencing
        self.news = threading.Condition()  # notified at each command, and for each line twice
        self._deaf, self._speed, self._over = deaf, speed, False
        self._open: list[_Client] = []
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._threads = [
            threading.Thread(target=work, daemon=True) for work in (self._accept, self._speak)
        ]
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.die()
        for thread in self._threads:
            thread.join(PATIENCE)

    @property
    def spoken(self) -> list[str]:
        """The texts to speak, in order."""
        return [command[1:-1] for command in self.commands if command[:1] == '"']

    @property
    def is_silent(self) -> bool:
        """Whether nothing is being said, and nothing waits."""
        return all(line.how not in ("waits", "speaks") for line in self.lines[-50:])

    def die(self) -> None:
        """Hang up, and stop listening."""
        with self.news:
            self._over = True
            self.news.notify_all()
        for each in (self._server, *(client.socket for client in self._open)):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def wait_for(self, command: str, number: int = 1) -> None:
        """Wait until it has received this command so many times."""
        with self.news:
            told = self.news.wait_for(lambda: self.commands.count(command) >= number, PATIENCE)
        assert told, f"{command} did not come: {self.commands}"

    # Speech

    def _speak(self) -> None:
        """Say one line after the other, until all is over."""
        while True:
            with self.news:
                self.news.wait_for(lambda: self._over or self._next() is not None)
                line = self._next()
                if self._over or line is None:
                    return
                line.how, line.begun = "speaks", time.monotonic()
                self._tell(line, "701", "BEGIN")
                self.news.notify_all()
                end = line.begun + (len(line.text) / self._speed if self._speed else 0.0)
                while line.how == "speaks" and not self._over:
                    if (left := end - time.monotonic()) <= 0:
                        self._end(line, "whole")
                        break
                    self.news.wait(left)

    def _next(self) -> Line | None:
        return next((line for line in self.lines[-1000:] if line.how == "waits"), None)

    def _end(self, line: Line, how: str) -> None:
        line.how, line.ended = how, time.monotonic()
        self._tell(line, *(("702", "END") if how == "whole" else ("703", "CANCELED")))
        self.news.notify_all()

    def _tell(self, line: Line, code: str, event: str) -> None:
        if line.owner is not None and line.owner.listens:
            place = f"{code}-{line.number}\r\n{code}-{line.owner.number}\r\n"
            line.owner.send(f"{place}{code} {event}")

    def _say(self, text: str, owner: "_Client") -> str:
        """Take a line, and return the answer."""
        plain = html.unescape(_TAG.sub("", text))
        self.lines.append(line := Line(plain, owner, len(self.lines) + 1))
        return f"225-{line.number}\r\n225 OK MESSAGE QUEUED"

    def _cancel(self) -> None:
        lines = [line for line in self.lines[-1000:] if line.how in ("waits", "speaks")]
        self.cancels.append(lines)
        for line in lines:
            self._end(line, "cut" if line.how == "speaks" else "never")

    # Clients

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._server.accept()
            except OSError:
                return
            self._open.append(client := _Client(connection, len(self._open) + 1))
            thread = threading.Thread(target=self._answer, args=[client], daemon=True)
            self._threads.append(thread)
            thread.start()

    def _answer(self, client: "_Client") -> None:
        text: list[str] | None = None  # the lines of a message that has begun
        with suppress(OSError), client.socket.makefile("rb") as lines:
            for line in lines:
                command = line.decode().removesuffix("\n").removesuffix("\r")
                with self.news:
                    if text is not None and command != ".":
                        text.append(command.removeprefix(".") if command[:2] == ".." else command)
                        self._note(f'"{command}"')
                        continue
                    if text is not None:
                        answer, text = self._say("\n".join(text), client), None
                    else:
                        self._note(command)
                        text = [] if command == "SPEAK" else None
                        answer = self._to(command, client)
                    if not self._deaf:
                        client.send(answer)
                    self.news.notify_all()

    def _to(self, command: str, client: "_Client") -> str:
        if command.startswith("LIST"):
            voices = "".join(f"249-{'	'.join(voice)}\r\n" for voice in VOICES)
            return f"{voices}249 OK VOICE LIST SENT"
        word, _, rest = command.partition(" ")
        if word in ("CHAR", "KEY"):
            return self._say(rest, client)
        if word in ("CANCEL", "STOP"):
            self._cancel()
        elif command == "HISTORY GET CLIENT_ID":
            return f"245-{client.number}\r\n245 OK CLIENT ID SENT"
        elif "NOTIFICATION" in command.upper():
            client.listens = command.lower().endswith(" on")
        elif word == "GET":
            return "251-0\r\n251 OK GET RETURNED"
        return "230 OK RECEIVING DATA" if command == "SPEAK" else "208 OK"

    def _note(self, command: str) -> None:
        self.commands.append(command)
        self.news.notify_all()


class Stepped(FakeDispatcher):
    """A dispatcher that speaks each line until `end` is called."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, speed=1e-6)
        self.number = 0

    def speaking(self) -> str:
        """Return the line that is being spoken, once it is, even if a key has cut it by now."""
        with self.news:
            lines = self.lines
            assert self.news.wait_for(
                lambda: lines[self.number :] and lines[self.number].how != "waits", PATIENCE
            ), f"nothing more is said: {self.spoken}"
        return lines[self.number].text

    def end(self) -> str:
        """End the line that is being spoken, and return the next."""
        self.end_last()
        return self.after_a_cut()

    def end_last(self) -> None:
        """End the line that is being spoken."""
        self.speaking()
        with self.news:
            self._end(self.lines[self.number], "whole")

    def heeds_keys(self, looks: int = 2) -> None:
        """Wait until the program has looked for keys, which it does between two looks at this."""
        look = "SET SELF PRIORITY message"
        self.wait_for(look, self.commands.count(look) + looks + 1)

    def after_a_cut(self) -> str:
        """Return the line after the one that was spoken."""
        self.number += 1
        return self.speaking()


class _Client:
    """A program that has connected. With `listens`, it is told what becomes of its lines."""

    def __init__(self, connection: socket.socket, number: int) -> None:
        self.socket, self.number, self.listens = connection, number, False

    def send(self, answer: str) -> None:
        """Send an answer or an event, unless the program has gone."""
        with suppress(OSError):
            self.socket.sendall(f"{answer}\r\n".encode())


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
    if "nonsense" in " ".join((*sys.argv, *set_up)):
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
