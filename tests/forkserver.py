"""Programs that start in a tenth of the time: forked off one that has imported everything.

`python -m shutbox` spends a third of a second on imports before it does anything. Here one process
imports the modules of the core, runs none of them, and waits; each program that a test asks for is
a fork of it. A fork is a process of its own like any other: with its own terminal or pipes, its
environment and folder, its signals, its exit code and Python's own end. All it shares with the
others is the seed of `hash`, which is another one in each run of the tests.

What Python reads before its first import, such as the locale, comes too late for a fork: tests that
set it start a whole program, and so do those of the shell and of transcripts.
"""

import atexit
import gc
import json
import os
import pkgutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

_SOURCE = str(Path(__file__).parents[1] / "src")
_LEFT_OUT = ("shutbox.web", "shutbox.__main__", "shutbox.solver.arrays", "shutbox.solver.kernel")
"""What a program in the terminal imports when it is asked for, and no sooner."""
_MOST = 1 << 16


class ForkServer:
    """The process that waits, as a test sees it."""

    def __init__(self) -> None:
        ours, its = socket.socketpair()
        settings = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
        self._socket = ours
        self._process = subprocess.Popen(
            [sys.executable, __file__, str(its.fileno())],
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
        self._process.wait()

    def start(self, arguments: list[str], environment: Mapping[str, str], *files: int) -> int:
        """Start shutbox with these arguments in this folder; the id of its process.

        Three files become its input, output and errors; one is a terminal, and all three.
        """
        asked = {"arguments": arguments, "environment": dict(environment), "folder": os.getcwd()}
        return self._ask(asked, *files) or 0

    def wait(self, pid: int, *, ended: bool = False) -> int | None:
        """Its exit code, negative for the signal that ended it; None while it runs.

        With `ended` it waits for the end.
        """
        return self._ask({"wait": pid, "how": 0 if ended else os.WNOHANG})

    def _ask(self, asked: dict[str, Any], *files: int) -> int | None:
        socket.send_fds(self._socket, [json.dumps(asked).encode() + b"\n"], files)
        answer: int | None = json.loads(self._socket.recv(_MOST))
        return answer


@cache
def forkserver() -> ForkServer:
    """The one of this run of the tests; it starts with the first program."""
    return ForkServer()


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
        if "wait" in asked:
            pid, status = os.waitpid(asked["wait"], asked["how"])
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


def _import_the_core() -> None:
    import shutbox

    for module in pkgutil.walk_packages(shutbox.__path__, "shutbox."):
        if not module.name.startswith(_LEFT_OUT):
            import_module(module.name)


if __name__ == "__main__":
    _import_the_core()
    gc.freeze()
    _asked = _serve(socket.socket(fileno=int(sys.argv[1])))
    if _asked is not None:
        from shutbox.cli.main import main

        _become(_asked)
        sys.exit(main())
