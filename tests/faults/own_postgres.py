"""A PostgreSQL of the test's own, which it may stop."""

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
    """It listens on a port of its own, with its files in a folder that is its owner's."""

    def __init__(self, programs: Path, folder: Path, owner: str | None) -> None:
        self._programs, self._data, self._owner = programs, folder / "data", owner
        self._log = folder / "log"
        self._port = free_port()
        self.url = f"postgresql://shutbox@127.0.0.1:{self._port}/postgres"
        initdb = ("-U", "shutbox", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync")
        self._run("initdb", *initdb)

    def start(self) -> None:
        """Start it; it takes connections then."""
        listens = f"-p {self._port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
        # A host may have switched that off for all: what is told is on the disk all the same.
        options = f"{listens} -c synchronous_commit=off"
        self._run(
            "pg_ctl", "-w", "-t", f"{PATIENCE:.0f}", "-l", str(self._log), "-o", options, "start"
        )

    def stop(self, how: str) -> None:
        """Stop it: `fast` ends what runs; `immediate` is as a crash."""
        self._run("pg_ctl", "-w", "-t", f"{PATIENCE:.0f}", "-m", how, "stop")

    def _run(self, program: str, *options: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), "-D", str(self._data), *options],
            user=self._owner,
            cwd="/",
            # What it starts goes on, and would hold a pipe open.
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=2 * PATIENCE,
            check=False,
        )
        assert done.returncode == 0, f"{program} {' '.join(options)}: {done.returncode}"


@contextmanager
def cluster() -> Iterator[Cluster]:
    """One that runs; the test is skipped where its programs are missing."""
    if not _PROGRAMS:
        pytest.skip("the programs of PostgreSQL are not there to run a cluster of the test's own")
    owner = None
    # A folder that its owner can reach: those of pytest are closed to others.
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
