"""Fixtures of the server tests: a server in this process, and its clients."""

import os
import random
import sys
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from in_process import beside, client_of, server_of, settings_in
from kill_server.postgres import fresh_database
from people import Person
from serving import Served
from shutbox.engine import messages
from shutbox.web import limits
from shutbox.web.compute.pool import Worker
from shutbox.web.device.device import draw_for_site
from shutbox.web.pages.templates import environment
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings


@pytest.fixture(autouse=True)
def dice(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the dice in this process the same in every run, so that failures repeat.

    Real ids and keys do not come from here: `secrets` has its own generator.
    """
    chance = random.Random(request.node.nodeid)
    monkeypatch.setattr(os, "urandom", chance.randbytes)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give coach and workers as much time as they need on a busy machine; wait for no words."""
    monkeypatch.setattr(limits, "JUDGE_SECONDS", 60.0)
    monkeypatch.setattr(limits, "WAIT_SECONDS", 60.0)
    monkeypatch.setattr(limits, "WORK_SECONDS", 60.0)
    monkeypatch.setattr(limits, "HOME_SECONDS", 60.0)
    monkeypatch.setattr(limits, "WORD_SECONDS", 0.0)


@pytest.fixture(
    params=["sqlite", pytest.param("postgresql", marks=pytest.mark.nightly("postgresql"))]
)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Yield the URL of an empty database of either kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'tables.db'}"
        return
    with fresh_database() as fresh:
        yield fresh


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return settings_in(tmp_path)


class KeptWorker(Worker):
    """A worker that one test after the other has: it starts once, and what it has solved it knows.

    It starts again for another language or other modules, and if a test leaves it at work.
    """

    def __init__(self, niceness: int) -> None:
        super().__init__(niceness)
        self._at_work = threading.Lock()
        self._started_with: tuple[object, ...] = ()

    def do(self, *work: Any, **more: Any) -> Any:
        with self._at_work:
            return super().do(*work, **more)

    def begin(self) -> Connection:
        told = (messages.language(), messages.folder(), limits.WORKER_MEMORY, *sys.path)
        if told != self._started_with:
            self.stop()
            self._started_with = told
        return super().begin()

    def stop(self, *, for_good: bool = False) -> int | None:
        return None if for_good and not self._at_work.locked() else super().stop()


@pytest.fixture(scope="session")
def workers() -> Iterator[list[KeptWorker]]:
    """Yield the workers of all servers in this process."""
    workers = [KeptWorker(niceness) for niceness in (5, 10, 10)]
    yield workers[: limits.WORKERS]
    for worker in workers:
        Worker.stop(worker, for_good=True)


@pytest.fixture
def server(
    settings: Settings, workers: list[KeptWorker], monkeypatch: pytest.MonkeyPatch
) -> Server:
    """Return a server that starts its workers when they are first needed, if none is left."""
    server = server_of(settings)
    monkeypatch.setattr(server.pool, "warm", lambda: None)
    monkeypatch.setattr(server.pool, "_workers", workers)
    return server


@pytest.fixture
def person(server: Server) -> Iterator[Callable[[], Person]]:
    """Yield a function that makes clients of one server, each with its own device."""
    with client_of(server) as first:
        yield lambda: Person(beside(first))


@pytest.fixture
def ann(person: Callable[[], Person]) -> Person:
    return person()


@pytest.fixture
def bob(person: Callable[[], Person]) -> Person:
    return person()


@pytest.fixture(scope="package")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Yield a server in a process of its own, which tests leave as it is."""
    with Served(tmp_path_factory.mktemp("served")) as served:
        yield served


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages as the static site has them, in this test only."""
    for name in ("engine", "root", "static"):
        monkeypatch.setitem(environment().globals, name, environment().globals[name])
    draw_for_site()
