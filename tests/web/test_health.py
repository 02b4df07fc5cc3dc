"""The host's checks of a server: liveness and readiness."""

import resource
import threading
import time
from pathlib import Path

import httpx2
import pytest
from sqlalchemy.exc import OperationalError

from people import Person
from serving import PATIENCE, Served
from shutbox.web.server import services
from shutbox.web.server.services import Server


def asked(client: httpx2.Client, path: str) -> tuple[int, str]:
    response = client.get(path)
    return response.status_code, response.text


# Alive, and ready


def test_a_server_that_serves_says_so(ann: Person) -> None:
    assert asked(ann.client, "/health") == (200, "alive\n")
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_server_whose_database_refuses_is_not_ready(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers(query: object) -> object:
        raise OperationalError("SELECT 1", {}, Exception("the disk is gone"))

    monkeypatch.setattr(server.database, "rows", answers)
    assert asked(ann.client, "/ready") == (503, "no database\n")
    assert asked(ann.client, "/health") == (200, "alive\n")
    monkeypatch.undo()
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_server_whose_database_says_nothing_is_not_ready(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = threading.Event()
    monkeypatch.setattr(services, "_PATIENCE", 0.05)
    monkeypatch.setattr(server.database, "rows", lambda query: said.wait(PATIENCE))
    try:
        assert asked(ann.client, "/ready") == (503, "no database\n")
        assert asked(ann.client, "/health") == (200, "alive\n")
    finally:
        said.set()


def test_a_server_that_can_keep_nothing_is_not_ready(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.client() as client:
        ann = Person(client)
        opened = ann.open(game="classic")
        size = (tmp_path / "tables.db-wal").stat().st_size
        most = resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (size, -1))
        # Nobody does anything, and it is noticed all the same.
        end = time.monotonic() + PATIENCE
        while asked(client, "/ready") == (200, "ready\n") and time.monotonic() < end:
            time.sleep(0.1)
        assert asked(client, "/ready") == (503, "nothing can be kept\n")
        assert asked(client, "/health") == (200, "alive\n")
        resource.prlimit(served.pid, resource.RLIMIT_FSIZE, most)
        assert asked(client, "/ready") == (200, "ready\n")
        ann.step(opened["view"]["room"], opened["view"]["table"])


def test_a_server_is_not_ready_once_something_was_not_kept(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert asked(ann.client, "/ready") == (200, "ready\n")

    def full(*writes: object) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(server.database, "write", full)
    assert ann.client.post("/api/rooms", json={"action": "not-kept-1"}).status_code == 503
    assert asked(ann.client, "/ready") == (503, "nothing can be kept\n")
    monkeypatch.undo()
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_server_that_is_stopping_is_not_ready(ann: Person, server: Server) -> None:
    server.close_streams()
    assert asked(ann.client, "/ready") == (503, "closing\n")
    assert asked(ann.client, "/health") == (200, "alive\n")
