"""A PostgreSQL for one test, which may stop it."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from serving import PATIENCE, free_port

_PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)


class Cluster:
    """A PostgreSQL on its own port, with its files in a folder of its owner."""

    def __init__(self, programs: Path, folder: Path, owner: str | None) -> None:
        self._programs, self._data, self._owner = programs, folder / "data", owner
        self._log = folder / "log"
        self._port = free_port()
        self.url = f"postgresql://shutbox@127.0.0.1:{self._port}/postgres"
        initdb = ("-U", "shutbox", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._run("initdb", *initdb)

    def start(self) -> None:
        """Start it, and wait until it accepts connections."""
        listens = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        # A host may have turned this off globally. Acknowledged data must be on disk all the same.
        options = f"{listens} -c synchronous_commit=off"
        self._run(
            "pg_ctl", "-w", "-t", f"{PATIENCE:.0f}", "-l", str(self._log), "-o", options, "start"
        )

    def stop(self, how: str) -> None:
        """Stop it: `fast` ends running work; `immediate` is like a crash."""
        self._run("pg_ctl", "-w", "-t", f"{PATIENCE:.0f}", "-m", how, "stop")

    def _run(self, program: str, *options: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), "-D", str(self._data), *options],
            user=self._owner,
            cwd="/",
            # The started server keeps running and would hold a pipe open.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=2 * PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{program} {' '.join(options)}: {done.returncode}"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """Run a cluster. Skip the test if PostgreSQL is not installed."""
    if not _PROGRAMS:
        pytest.skip("the programs of PostgreSQL are not there to run a cluster of the test's own")
    owner = None
    # A folder that its owner can access; pytest's folders are closed to other users.
    folder = Path(tempfile.mkdtemp(prefix="shutbox-postgresql-"))
    if os.geteuid() == 0:  # PostgreSQL does not run as root
        owner = "postgres"
        os.chown(folder, pwd.getpwnam(owner).pw_uid, -1)
    try:
        found = Cluster(_PROGRAMS[-1], folder, owner)
        found.start()
        try:
            yield found
        finally:
            found.stop("immediate")
    finally:
        shutil.rmtree(folder)
