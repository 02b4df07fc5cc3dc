"""A small disk that becomes full, and gets free space again."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from faults.checks import check_load
from kill_server.load import Load
from kill_server.told import rows_of
from serving import Served

MEGABYTES = 6


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A disk of a few megabytes; the test is skipped where none can be mounted."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={MEGABYTES}m", "tmpfs", str(folder)]
    done = subprocess.run(mount, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small disk can be mounted: {done.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(disk: Path) -> Path:
    """Fill it to the last byte; the file that does."""
    filler = disk / "filler"
    with filler.open("ab", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    return filler


def test_a_full_disk_keeps_what_was_told_and_is_played_on_once_it_is_freed(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        served = Served(tmp_path, database=f"sqlite:///{disk / 'tables.db'}")
        load = Load(served.url)
        with served, load.playing():
            load.wait(60)
            filler = fill(disk)
            while not load.told.not_now:
                assert not load.stopping.wait(0.02), load.failed
            with served.client(follow_redirects=True) as client:
                response = client.post("/play", data={"game": "classic"})
                assert response.status_code == 503
                assert "Traceback" not in response.text
            assert served.get("/health").text == "alive\n"
            filler.unlink()
            load.wait(60)
        print(f"{len(load.told.acknowledged)} actions")
        check_load(load, rows_of(disk / "tables.db"))
    assert "broken" not in served.log.read_text()
