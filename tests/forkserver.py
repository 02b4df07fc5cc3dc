"""Programs that start in a tenth of the time: forked off one that has imported everything.

`python -m shutbox` spends a third of a second on imports before it does anything, and a server one
and a half. Here one process imports the modules, runs none of them, and waits; each program that a
test asks for is a fork of it. A fork is a process of its own like any other: with its own terminal
or pipes, its environment and folder, its signals, its exit code and Python's own end. All it shares
with the others is the seed of `hash`, which is another one in each run of the tests.

Dice without a seed fall as the test's name and the fork's number in it say: what passes once passes
again.

What Python reads before its first import, such as the locale, comes too late for a fork: tests that
set it start a whole program, and so do those of the shell and of transcripts.
"""

import atexit
import gc
import json
import os
import pkgutil
import re
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from random import Random
from threading import Lock
from types import SimpleNamespace
from typing import Any

_SOURCE = str(Path(__file__).parents[1] / "src")
_MOST = 1 << 16
_WEB = "shutbox.web"
_LEFT_OUT = ("shutbox.__main__", "shutbox.rl", "shutbox.web.storage.migrations")
"""What is imported when it is asked for, and no sooner; as is what needs an extra."""
_EXTRA = re.compile(
    r"^(?:import|from) (?:gymnasium|numba|numpy|pettingzoo|pyspiel)\b", re.MULTILINE
)
_WITH_THE_SERVER = (
    "redis.asyncio",
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""What the server's own modules import once it runs."""

_FORKS = Counter[str]()
"""How many there were in each test."""


class Fork:
    """shutbox in a process of its own, with as much of `subprocess.Popen` as tests need.

    Three files become its input, output and errors; one is a terminal, and all three.
    """

    def __init__(
        self, arguments: Sequence[str], environment: Mapping[str, str], *files: int
    ) -> None:
        self._parent = _forkserver("web" if arguments[:1] == ["serve"] else "core")
        asked = {"arguments": arguments, "environment": dict(environment), "folder": os.getcwd()}
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        _FORKS[test] += 1
        asked["dice"] = f"{test} {_FORKS[test]}"
        self.pid = self._parent.ask(asked, *files) or 0
        self.returncode: int | None = None
        """Its exit code, once it is known; negative: the signal that ended it."""

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""
        if self.returncode is None:
            self.returncode = self._parent.ask({"ended": self.pid})
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Its exit code, once it has ended; TimeoutError after so many seconds."""
        end = time.monotonic() + timeout
        while (code := self.poll()) is None:
            if time.monotonic() > end:
                raise TimeoutError(f"process {self.pid} does not end")
            time.sleep(0.002)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill it, unless it has ended."""
        self.send_signal(signal.SIGKILL)


class _ForkServer:
    """The process that waits, as its forks' owners see it."""

    def __init__(self, kind: str) -> None:
        ours, its = socket.socketpair()
        settings = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
        self._socket, self._lock = ours, Lock()
        self._process = subprocess.Popen(
            [sys.executable, __file__, kind, str(its.fileno())],
            env={**settings, "PYTHONPATH": _SOURCE, "LC_ALL": "C.UTF-8"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(its.fileno(),),
        )
        its.close()
        atexit.register(self.close)

    def close(self) -> None:
        """Let it end."""
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:  # somebody else holds our end of the socket
            self._process.kill()

    def ask(self, asked: dict[str, Any], *files: int) -> int | None:
        """One question, one answer."""
        with self._lock:
            socket.send_fds(self._socket, [json.dumps(asked).encode() + b"\n"], files)
            answer: int | None = json.loads(self._socket.recv(_MOST))
            return answer


@cache
def _forkserver(kind: str) -> _ForkServer:
    """The one of this run of the tests; it starts with the first program."""
    return _ForkServer(kind)


def _serve(server: socket.socket) -> dict[str, Any] | None:
    """Answer what is asked; comes back in each fork, and with None at the end of the tests."""
    while True:
        message, files = b"", list[int]()
        while not message.endswith(b"\n"):
            part, more, _, _ = socket.recv_fds(server, _MOST, 3)
            if not part:
                return None
            message, files = message + part, [*files, *more]
        asked: dict[str, Any] = json.loads(message)
        if "ended" in asked:
            pid, status = os.waitpid(asked["ended"], os.WNOHANG)
            answer = os.waitstatus_to_exitcode(status) if pid else None
        else:
            answer = os.fork()
            if answer == 0:
                server.close()
                return {**asked, "files": files}
            for file in files:
                os.close(file)
        server.sendall(json.dumps(answer).encode())


def _become(asked: dict[str, Any]) -> None:
    """Be the program that was asked for, up to its first line."""
    if len(asked["files"]) == 1:
        os.login_tty(asked["files"][0])
    else:
        for number, file in enumerate(asked["files"]):
            os.dup2(file, number)
            os.close(file)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = ["shutbox", *asked["arguments"]]
    luck = Random(asked["dice"])
    setattr(import_module("shutbox.cups"), "os", SimpleNamespace(urandom=luck.randbytes))  # noqa: B010
    wanted = os.environ.get("PYTHONIOENCODING", "").split(":")
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old = getattr(sys, name)
        errors = wanted[1] if wanted[1:] and name != "stderr" else old.errors
        kind: dict[str, Any] = {"encoding": wanted[0] or old.encoding, "errors": errors}
        new = open(  # noqa: SIM115
            number, "w" if number else "r", closefd=False, newline="\n", **kind
        )
        setattr(sys, name, new)
        setattr(sys, f"__{name}__", new)


def _text_of(module: str) -> str:
    path = Path(_SOURCE, *module.split("."))
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).read_text("utf-8")


def _import_all(kind: str) -> None:
    import shutbox

    left_out = _LEFT_OUT if kind == "web" else (*_LEFT_OUT, _WEB)
    for module in pkgutil.walk_packages(shutbox.__path__, "shutbox."):
        if not module.name.startswith(left_out) and not _EXTRA.search(_text_of(module.name)):
            import_module(module.name)
    for name in _WITH_THE_SERVER if kind == "web" else ():
        import_module(name)


if __name__ == "__main__":
    _import_all(sys.argv[1])
    gc.freeze()
    _asked = _serve(socket.socket(fileno=int(sys.argv[2])))
    if _asked is not None:
        _become(_asked)
        runpy.run_module("shutbox", run_name="__main__", alter_sys=True)
