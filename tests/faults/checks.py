"""Checks for every fault: no acknowledged action is lost, clients get a reason, play resumes."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import httpx2

from kill_server.load import Load
from kill_server.plants import planted
from kill_server.told import Row, faults, rows_of
from serving import Served

READY_SECONDS = 15.0
"""The longest a server may take to be ready again. On a quiet machine it takes up to five."""
_SENTENCE = re.compile(r"[A-Z][^\n<>{}]+\.")


def check_sentence(said: str) -> None:
    """Check that a refusal is in sentences, a line each, without technical terms."""
    assert all(map(_SENTENCE.fullmatch, said.splitlines())), said
    assert "Traceback" not in said


def check_load(load: Load, rows: Sequence[Row]) -> None:
    """Check that replies match the log, and that every refusal gave its reason."""
    assert load.failed == []
    assert faults(rows, load.told) == []
    for said in set(load.told.not_now):
        check_sentence(said)


def ready(served: Served) -> tuple[int, str]:
    """Return the status and text of the server's readiness check."""
    response = served.get("/ready")
    return response.status_code, response.text


def until_ready(served: Sequence[Served], says: tuple[int, str] = (200, "ready\n")) -> float:
    """Wait until each server answers this, and return the seconds."""
    begun = time.monotonic()
    for each in served:
        said: object = None
        while said != says:
            assert time.monotonic() - begun < READY_SECONDS, f"{said} instead of {says}"
            try:
                said = ready(each)
            except httpx2.HTTPError as error:
                said = error
            time.sleep(0.02)
    return time.monotonic() - begun


@contextmanager
def played(folder: Path, plant: str) -> Iterator[tuple[Served, Load]]:
    """Run a changed server under load, and check at the end that nothing was lost."""
    served = Served(folder, program=(planted(folder, plant),))
    load = Load(served.url)
    with served:
        with load.playing():
            load.wait(20)
            yield served, load
            load.wait(20)
        check_load(load, rows_of(folder / "tables.db"))
        assert not load.told.not_now
        assert ready(served) == (200, "ready\n")
    assert "broken" not in served.log.read_text()
