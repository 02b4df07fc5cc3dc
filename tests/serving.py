"""A server in a separate process, for tests that restart or kill it."""

import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from forkserver import Fork

ROOT = Path(__file__).parents[1]
DEALING = str(Path(__file__).parent / "browser" / "dealing.py")
PATIENCE = 30.0


# Ports below those that systems give to connections, which take one between its choice and its use.
_ports = itertools.cycle(range(20_000, 32_000))
for _ in range(os.getpid() * 61 % 12_000):
    next(_ports)


def free_port() -> int:
    """Return a free port that no other process of the tests is given while this one runs.

    Its number is held by a UDP socket, which leaves it free for TCP.
    """
    while True:
        port = next(_ports)
        held = socket.socket(type=socket.SOCK_DGRAM)
        with socket.socket() as probe:
            try:
                held.bind(("127.0.0.1", port))
                probe.bind(("", port))
            except OSError:
                held.close()
                continue
        held.detach()
        return port


def until(holds: Callable[[], object]) -> None:
    """Wait until something is true."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.01)


class Served:
    """`shutbox serve` on a free port; `with` stops it at the end.

    `program` runs instead of a fork of the command, with the same arguments, such as a script with
    a deliberate bug. `deals` gives it fixed dice, those of a seed; see `browser/dealing.py`.
    `environment` adds variables to those of the test.
    """

    def __init__(
        self,
        folder: Path,
        *options: str,
        database: str | None = None,
        port: int | None = None,
        program: tuple[str, ...] = (),
        deals: str | None = None,
        limited: bool = False,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"server-{self.port}.log"
        self.database = database or f"sqlite:///{folder / 'tables.db'}"
        self._program, self._seed = program, deals
        self._rolls = folder / "rolls"
        if deals is not None:
            self.deal("")
        self._environment = environment or {}
        self.options = [
            *("--port", str(self.port)),
            *("--database", self.database),
            *(() if limited else ("--unlimited", "127.0.0.1")),
            *options,
        ]
        self.process: subprocess.Popen[bytes] | Fork | None = None

    def __enter__(self) -> "Served":
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def deal(self, rolls: str) -> None:
        """Let each game that begins from now on throw these rolls first, such as `4+5 1+1`."""
        self._rolls.write_text(rolls, encoding="utf-8")

    @property
    def pid(self) -> int:
        """The id of the serving process."""
        assert self.process is not None
        return self.process.pid

    def client(self, **options: Any) -> httpx2.Client:
        """Return a patient client, since the machine can be busy.

        It loads no certificates, which takes long: no test here uses TLS.
        """
        return httpx2.Client(base_url=self.url, timeout=PATIENCE, verify=False, **options)

    def get(self, path: str, headers: Mapping[str, str] | None = None) -> httpx2.Response:
        """Return the response to a client that it has never seen."""
        with self.client(headers=headers) as client:
            return client.get(path)

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **self._environment}
        with self.log.open("ab") as log, open(os.devnull, "rb") as nothing:
            if self._program:
                command = [sys.executable, *self._program, *self.options]
                self.process = subprocess.Popen(
                    command, stdin=nothing, stdout=log, stderr=log, env=environment
                )
            else:
                files = [each.fileno() for each in (nothing, log, log)]
                begins, script = ["serve"], ""
                if self._seed is not None:
                    begins, script = [self._seed, str(self._rolls)], DEALING
                arguments = [*begins, *self.options]
                self.process = Fork(arguments, environment, *files, script=script)
        self.wait()

    def wait(self) -> None:
        """Wait until it is ready."""
        end = time.monotonic() + PATIENCE
        with httpx2.Client(timeout=1.0, verify=False) as client:
            while time.monotonic() < end:
                assert self.process is not None
                if self.process.poll() is not None:
                    raise AssertionError(f"the server stopped:\n{self.log.read_text()}")
                try:
                    if client.get(f"{self.url}/ready").status_code == 200:
                        return
                except httpx2.HTTPError:
                    time.sleep(0.02)
        raise AssertionError(f"the server is not ready:\n{self.log.read_text()}")

    def kill(self) -> None:
        """Kill it, as in a power cut."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Tell it to stop, and wait."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is None:
            return
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(timeout=PATIENCE)
        self.process = None

    def restart(self) -> None:
        """Stop it and start it again, on the same port and database."""
        self.stop()
        self.start()


@contextmanager
def running(processes: list[Served]) -> Iterator[list[Served]]:
    """Run several servers, started in parallel."""
    try:
        with ThreadPoolExecutor(len(processes)) as pool:
            list(pool.map(Served.start, processes))
        yield processes
    finally:
        for process in processes:
            process.stop()
