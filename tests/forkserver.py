"""Programs that start ten times faster, as forks of a process that has imported all modules.

`python -m shutbox` takes a third of a second for its imports, and a server takes one and a half.
Here one process imports the modules, runs none of them, and waits. Each program that a test starts
is a fork of it. A fork is a normal process with its own terminal or pipes, environment, folder,
signals and exit code. It only shares the seed of `hash` with other forks, and that differs in each
test run.

Dice without a seed are derived from the test's name and the number of the fork in the test, so a
test that passes once passes again.

Settings that Python reads before its first import, such as the locale, cannot affect a fork. Tests
that set them start a whole program, and so do the tests of the shell.
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
from threading import RLock
from types import SimpleNamespace
from typing import Any

_SOURCE = str(Path(__file__).parents[1] / "src")
_MOST = 1 << 16
_WEB = "shutbox.web"
_LEFT_OUT = ("shutbox.__main__", "shutbox.rl")
"""Modules that are imported only on demand, also those that need an extra."""
_EXTRA = re.compile(r"^(?:import|from) (?:gymnasium|numba|numpy|pettingzoo)\b", re.MULTILINE)
_WITH_THE_SERVER = (
    "sqlalchemy.dialects.postgresql.psycopg",
    "sqlalchemy.dialects.sqlite",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.protocols.websockets.websockets_sansio_impl",
)
"""Modules that the server imports when it runs."""

_FORKS = Counter[str]()
"""The number of forks in each test."""


class Fork:
    """shutbox in a forked process, with the parts of `subprocess.Popen` that tests need.

    Three files become its input, output and errors. A single file is a terminal, used for all
    three. A `script` runs instead of shutbox; it uses the server.
    """

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        *files: int,
        script: str = "",
    ) -> None:
        self._parent = _forkserver("web" if script or arguments[:1] == ["serve"] else "core")
        asked: dict[str, Any] = {"arguments": arguments, "environment": dict(environment)}
        asked |= {"folder": os.getcwd(), "script": script}
        test = os.environ.get("PYTEST_CURRENT_TEST", "")
        _FORKS[test] += 1
        asked["dice"] = f"{test} {_FORKS[test]}"
        self.pid = self._parent.ask(asked, *files) or 0
        self.returncode: int | None = None
        """The exit code, if known. Negative: the signal that ended it."""

    def poll(self) -> int | None:
        """Return the exit code, or None while it runs."""
        if self.returncode is None:
            self.returncode = self._parent.ask({"ended": self.pid})
        return self.returncode

    def wait(self, timeout: float) -> int:
        """Wait for the end, and return the exit code. Raise TimeoutError after `timeout`."""
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
    """The process that forks, as seen by the owners of its forks."""

    def __init__(self, kind: str) -> None:
        ours, its = socket.socketpair()
        settings = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
        # Reentrant: while the lock is held, the garbage collector may close a terminal, which asks
        # whether its program has ended.
        self._socket, self._lock = ours, RLock()
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
        """End the process."""
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:  # another process holds our end of the socket
            self._process.kill()

    def ask(self, asked: dict[str, Any], *files: int) -> int | None:
        """Send a request and return the reply."""
        message = json.dumps(asked).encode() + b"\n"
        with self._lock:
            socket.send_fds(self._socket, [message], files)
            reply = self._socket.recv(_MOST)
        answer: int | None = json.loads(reply)
        return answer


@cache
def _forkserver(kind: str) -> _ForkServer:
    """Return the fork server of this test run. It starts with the first program."""
    return _ForkServer(kind)


def _serve(server: socket.socket) -> dict[str, Any] | None:
    """Answer requests. Return the request in each fork, and None when the tests end."""
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
    """Become the requested program, up to its first line."""
    if len(asked["files"]) == 1:
        os.login_tty(asked["files"][0])
    else:
        for number, file in enumerate(asked["files"]):
            os.dup2(file, number)
            os.close(file)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.argv = [asked["script"] or "shutbox", *asked["arguments"]]
    luck = Random(asked["dice"])
    setattr(import_module("shutbox.engine.cups"), "os", SimpleNamespace(urandom=luck.randbytes))  # noqa: B010
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
    if kind == "web":
        for name in _WITH_THE_SERVER:
            import_module(name)
        import_module("shutbox.web.pages.templates").compile_templates()
        # Workers start slowly on a busy machine, and work slowly.
        vars(import_module("shutbox.web.limits")).update(WAIT_SECONDS=60.0, WORK_SECONDS=60.0)


if __name__ == "__main__":
    _import_all(sys.argv[1])
    gc.freeze()
    _asked = _serve(socket.socket(fileno=int(sys.argv[2])))
    if _asked is not None:
        _become(_asked)
        if _asked["script"]:
            runpy.run_path(_asked["script"], run_name="__main__")
        else:
            runpy.run_module("shutbox", run_name="__main__", alter_sys=True)
