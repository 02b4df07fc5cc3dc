"""The host's checks of a server: liveness, readiness and metrics."""

import asyncio
import math
import re
import resource
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient
from websockets.sync.client import connect

from kill_server.postgres import HOST, PORT, administrator, fresh_database
from people import Person
from serving import PATIENCE, Served
from shutbox.web.http.middleware import EveryRequest
from shutbox.web.server import services
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import Batch

TOKEN = "what prometheus shows"


def asked(client: httpx2.Client, path: str) -> tuple[int, str]:
    response = client.get(path)
    return response.status_code, response.text


@contextmanager
def client_of(
    folder: Path, token: str = "", near: str = "127.0.0.1"
) -> Iterator[tuple[TestClient, Server]]:
    """A server with this token, asked from an address."""
    database = f"sqlite:///{folder / 'health.db'}"
    server = Server(Settings(database=database, metrics_token=token), Database(database))
    with TestClient(app_of(server), client=(near, 50000)) as client:
        yield client, server


# Alive, and ready


def test_a_server_that_serves_says_so(ann: Person) -> None:
    assert asked(ann.client, "/health") == (200, "alive\n")
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_an_answer_about_life_is_neither_counted_nor_logged(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EveryRequest, "_count", None)
    assert asked(ann.client, "/health") == (200, "alive\n")
    assert ann.client.head("/health").status_code == 200


def test_all_who_ask_at_once_whether_it_is_ready_share_one_look(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on, looks = threading.Event(), threading.Event(), []

    def answers() -> None:
        looks.append(1)
        begun.set()
        assert go_on.wait(PATIENCE)

    monkeypatch.setattr(server.log.archive, "ping", answers)
    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(asked, ann.client, "/ready")
        assert begun.wait(PATIENCE)
        more = [pool.submit(asked, ann.client, "/ready") for _ in range(3)]
        client: Any = ann.client
        client.portal.call(asyncio.sleep, 0.1)  # so that they have come
        go_on.set()
        assert {one.result() for one in (first, *more)} == {(200, "ready\n")}
    assert len(looks) == 1


def test_a_server_whose_database_refuses_is_not_ready(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answers() -> bool:
        raise OperationalError("SELECT 1", {}, Exception("the disk is gone"))

    monkeypatch.setattr(server.log.archive, "ping", answers)
    assert asked(ann.client, "/ready") == (503, "no database\n")
    assert asked(ann.client, "/health") == (200, "alive\n")
    monkeypatch.undo()
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_server_whose_database_says_nothing_is_not_ready(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = threading.Event()
    monkeypatch.setattr(services, "_PATIENCE", 0.05)
    monkeypatch.setattr(server.log.archive, "ping", lambda: said.wait(PATIENCE))
    try:
        assert asked(ann.client, "/ready") == (503, "no database\n")
        assert asked(ann.client, "/health") == (200, "alive\n")
    finally:
        said.set()


@pytest.mark.slow
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
    commit = server.writer._commit

    def full(batches: Sequence[Batch]) -> None:
        raise OperationalError("INSERT", {}, Exception("database or disk is full"))

    monkeypatch.setattr(server.writer, "_commit", full)
    assert ann.client.post("/api/rooms", json={"action": "not-kept-1"}).status_code == 503
    assert asked(ann.client, "/ready") == (503, "nothing can be kept\n")
    monkeypatch.setattr(server.writer, "_commit", commit)
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_database_that_somebody_has_locked_is_not_ready(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "_PATIENCE", 0.2)
    path = server.database.url.database
    assert path is not None
    ann.open(game="classic")  # what the server writes when it starts was written before
    with closing(sqlite3.connect(path, isolation_level=None)) as somebody:
        somebody.execute("BEGIN IMMEDIATE")
        server.writer.committed_at = -math.inf
        assert asked(ann.client, "/ready") == (503, "nothing can be kept\n")
        somebody.execute("ROLLBACK")
    monkeypatch.setattr(services, "_PATIENCE", PATIENCE)
    assert asked(ann.client, "/ready") == (200, "ready\n")


def test_a_server_without_its_postgresql_is_alive_and_ready_once_that_is_back(
    tmp_path: Path,
) -> None:
    with fresh_database() as url, Served(tmp_path, database=url) as served:
        name = url.rpartition("/")[2]
        with administrator() as connection:
            connection.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS false")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name]
            )
            with pytest.raises(psycopg.OperationalError):
                psycopg.connect(host=HOST, port=PORT, dbname=name)
            with served.client() as client:
                assert asked(client, "/ready") == (503, "no database\n")
                assert asked(client, "/health") == (200, "alive\n")
                connection.execute(f"ALTER DATABASE {name} WITH ALLOW_CONNECTIONS true")
                assert asked(client, "/ready") == (200, "ready\n")


def test_a_server_that_is_stopping_is_not_ready(tmp_path: Path) -> None:
    with client_of(tmp_path) as (client, server):
        server.close_streams()
        assert asked(client, "/ready") == (503, "closing\n")
        assert asked(client, "/health") == (200, "alive\n")


# Who may read the numbers


def status(client: TestClient, **headers: str) -> int:
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    response = client.get("/metrics", headers=sent)
    assert ("shutbox_requests_total" in response.text) == (response.status_code == 200)
    return response.status_code


def test_the_numbers_are_for_whoever_has_the_token(tmp_path: Path) -> None:
    with client_of(tmp_path, TOKEN) as (client, _):
        assert status(client, authorization=f"Bearer {TOKEN}") == 200
        # Where there is a token, it is shown also from this machine, and through a proxy.
        forwarded = {"x_forwarded_for": "192.0.2.7"}
        assert status(client, authorization=f"Bearer {TOKEN}", **forwarded) == 200
        for wrong in ("Bearer", "Bearer x", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}"):
            assert status(client, authorization=wrong) == 403
        assert status(client) == 403
        odd = {b"authorization": b"Bearer \xff"}
        assert client.get("/metrics", headers=odd).status_code == 403
        for path in (f"/metrics?token={TOKEN}", f"/metrics/{TOKEN}"):
            assert client.get(path).status_code in (403, 404)


@pytest.mark.parametrize("near", ["192.0.2.7", "2001:db8::1", "10.0.0.1"])
def test_the_token_is_good_from_afar(tmp_path: Path, near: str) -> None:
    with client_of(tmp_path, TOKEN, near) as (client, _):
        assert status(client, authorization=f"Bearer {TOKEN}") == 200
        assert status(client) == 403


@pytest.mark.parametrize(("near", "wanted"), [("127.0.0.1", 200), ("::1", 200), ("10.0.0.1", 403)])
def test_without_a_token_the_numbers_are_for_this_machine(
    tmp_path: Path, near: str, wanted: int
) -> None:
    with client_of(tmp_path, near=near) as (client, _):
        assert status(client) == wanted
        assert status(client, authorization="Bearer ") == wanted
        # Whoever comes through a proxy of this machine is not this machine.
        assert status(client, x_forwarded_for="192.0.2.7") == 403
        assert status(client, x_forwarded_for="127.0.0.1") == 403


# What is counted


Numbers = Callable[[str], float]


@contextmanager
def counted(client: httpx2.Client) -> Iterator[Numbers]:
    """By how much numbers have grown meanwhile."""
    before = numbers(client)
    yield lambda name: numbers(client).get(name, 0.0) - before.get(name, 0.0)


def numbers(client: httpx2.Client) -> dict[str, float]:
    """What is counted, by name and labels."""
    text = client.get("/metrics").text
    found = re.findall(r"^(shutbox_[a-z_]+(?:\{.*\})?) (\S+)$", text, re.MULTILINE)
    return {name: float(number) for name, number in found}


def requests(method: str, route: str, status: int) -> str:
    return f'shutbox_requests_total{{method="{method}",route="{route}",status="{status}"}}'


def test_what_is_asked_is_counted_by_the_pattern_of_its_address(ann: Person) -> None:
    opened = ann.open(game="classic")
    room, table = opened["view"]["room"], opened["view"]["table"]
    about = "/api/rooms/{room}"
    with counted(ann.client) as more:
        for _ in range(3):
            ann.get(f"/api/rooms/{room}")
        ann.get("/api/rooms/nowhere")
        ann.act(room, table, "throw", action="throws-only-once")
        ann.act(room, table, "throw", action="throws-only-once")
        ann.act(room, table, "throw")
        ann.client.request("BREW", "/help")
        ann.get(f"/nothing/{room}")
        assert more(requests("GET", about, 200)) == 3
        assert more(requests("GET", about, 404)) == 1
        assert more(requests("POST", f"{about}/act", 200)) == 2
        assert more(requests("POST", f"{about}/act", 409)) == 1
        assert more(requests("OTHER", "/help", 405)) == 1
        assert more(requests("GET", "none", 404)) == 1
        assert more(f'shutbox_request_seconds_count{{route="{about}/act"}}') == 3
        assert more('shutbox_refusals_total{code="out-of-date"}') == 1
        assert more('shutbox_refusals_total{code="unknown-room"}') == 1
        assert more("shutbox_committed_together_count") == 1  # the seal and the throw
        assert more("shutbox_work_seconds_count") == 0
        assert ann.get(f"{about.format(room=room)}/hint").status_code == 200
        assert more("shutbox_work_seconds_count") == 1
        assert more("shutbox_work_waiting") == 0
    assert room not in ann.get("/metrics").text


def test_an_event_is_counted_once_whoever_acts(ann: Person) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "computer:fewest"}]
    opened = ann.open(game="classic", format="rounds=1,order=seats", seats=seats)
    room, table = opened["view"]["room"], opened["view"]["table"]
    with counted(ann.client) as more:
        for _ in range(2):
            ann.act(room, table, "throw", action="throws-only-once")
        assert more("shutbox_events_total") == 1
        while (table := ann.table(room))["seat"] == 0:
            ann.step(room, table)
        wait_for(lambda: ann.table(room)["does"] == "over")
        assert more("shutbox_events_total") == ann.table(room)["version"]


@pytest.mark.slow
def test_rooms_and_listeners_are_counted(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.client() as client:
        ann = Person(client)
        opened = [ann.open(game="classic") for _ in range(3)]
        wait_for(lambda: numbers(client)["shutbox_rooms"] == len(opened))
        assert numbers(client)["shutbox_listeners"] == 0
        room, key = opened[0]["view"]["room"], opened[0]["keys"]["0"]
        address = f"{served.url.replace('http', 'ws')}/api/rooms/{room}/live"
        bearer = {"Authorization": f"Bearer {key}"}
        with connect(address, additional_headers=bearer, close_timeout=0.5) as socket:
            socket.recv(timeout=PATIENCE)
            assert numbers(client)["shutbox_listeners"] == 1
        wait_for(lambda: numbers(client)["shutbox_listeners"] == 0)


def wait_for(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came about"
        time.sleep(0.02)


def test_a_page_that_is_refused_is_counted(ann: Person) -> None:
    with counted(ann.client) as more:
        assert ann.get("/r/nowhere").status_code == 404
        assert more(requests("GET", "/r/{room}", 404)) == 1
        assert more('shutbox_refusals_total{code="unknown-room"}') == 1
