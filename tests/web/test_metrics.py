"""Metrics of a server, and the alerts and the dashboard that use them."""

import asyncio
import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from kill_server.postgres import fresh_database
from people import Person
from serving import PATIENCE, Served
from shutbox.web import limits
from shutbox.web.compute.pool import Pool
from shutbox.web.http import middleware
from shutbox.web.server import background
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database
from shutbox.web.storage.group_commit import Batch, probe
from web.test_health import counted, numbers, wait_for

MONITORING = Path(__file__).parents[2] / "docs" / "monitoring"


def refusal(code: str) -> str:
    return f'shutbox_refusals_total{{code="{code}"}}'


def limit(rule: str) -> str:
    return f'shutbox_limits_reached_total{{rule="{rule}"}}'


def size(part: str) -> str:
    return f'shutbox_database_bytes{{part="{part}"}}'


# Commits


def test_a_commit_is_counted_and_so_is_one_that_fails(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    with counted(ann.client) as more:
        ann.open(game="classic")
        assert more("shutbox_commit_seconds_count") >= 1  # the process keeps that it runs, too
        assert more("shutbox_commit_seconds_sum") > 0

        def full(batches: Sequence[Batch]) -> None:
            raise OperationalError("INSERT", {}, Exception("database or disk is full"))

        monkeypatch.setattr(server.writer, "_commit", full)
        kept = more("shutbox_commit_seconds_count")
        assert ann.post("/api/rooms", action="not-kept-1").status_code == 503
        assert more("shutbox_commit_failures_total") >= 1
        assert more("shutbox_commit_seconds_count") == kept
        assert more(refusal("not-kept")) == 1


def test_what_waits_for_the_writer_is_counted(ann: Person, server: Server) -> None:
    begun, goes_on = threading.Event(), threading.Event()
    commit = server.writer._commit

    def slow(batches: Sequence[Batch]) -> None:
        begun.set()
        goes_on.wait(PATIENCE)
        commit(batches)

    server.writer._commit = slow  # type: ignore[method-assign]

    async def three() -> None:
        first = asyncio.create_task(server.writer.store(Batch(extra=(probe,))))
        await asyncio.to_thread(begun.wait, PATIENCE)
        others = [asyncio.create_task(server.writer.store(Batch(extra=(probe,)))) for _ in range(2)]
        await asyncio.sleep(0)
        waiting.append(numbers_of(server)["shutbox_commits_waiting"])
        goes_on.set()
        await asyncio.gather(first, *others)
        while numbers_of(server)["shutbox_commits_waiting"]:
            await asyncio.sleep(0.01)

    waiting: list[float] = []
    asyncio.run(three())
    assert waiting[0] in (2, 3)  # the server may say meanwhile that it runs


def numbers_of(server: Server) -> dict[str, float]:
    """What a server has counted, asked for directly."""
    rows = server.metrics.text().decode().splitlines()
    return {name: float(number) for name, number in (r.rsplit(" ", 1) for r in rows if r[0] != "#")}


# What can be read at any time


@contextmanager
def watched_often(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(background, "_READY_SECONDS", 0.01)
        yield


def test_whether_it_is_ready_is_a_number(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(settings, Database(settings.database))
    with watched_often(monkeypatch), TestClient(app_of(server)) as client:
        wait_for(lambda: numbers_of(server)["shutbox_ready"] == 1)

        def gone() -> bool:
            raise OperationalError("SELECT 1", {}, Exception("the disk is gone"))

        with monkeypatch.context() as patch:
            patch.setattr(server.log.archive, "ping", gone)
            wait_for(lambda: numbers_of(server)["shutbox_ready"] == 0)
            assert client.get("/ready").status_code == 503
        wait_for(lambda: numbers_of(server)["shutbox_ready"] == 1)


def test_the_size_of_the_database_is_measured(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = Server(settings, Database(settings.database))
    path = Path(server.database.url.database or "")
    wal = path.with_name(f"{path.name}-wal")
    with watched_often(monkeypatch), TestClient(app_of(server)) as client:
        Person(client).open(game="classic")
        for part, file in (("data", path), ("wal", wal)):
            assert file.stat().st_size > 0
            wait_for(lambda p=part, f=file: numbers_of(server).get(size(p)) == f.stat().st_size)  # type: ignore[misc]


def test_the_size_of_a_postgresql_database_is_measured(tmp_path: Path) -> None:
    with (
        fresh_database() as url,
        Served(tmp_path, database=url) as served,
        served.client() as client,
    ):
        wait_for(lambda: numbers(client).get(size("data"), 0) > 1_000_000)
        assert size("wal") not in numbers(client)


def test_a_damaged_room_is_counted_once(ann: Person, server: Server) -> None:
    room = ann.open(game="classic")["view"]["room"]
    with server.database.writer.begin() as connection:
        connection.execute(text("UPDATE rooms SET length = length + 1"))
    server.rooms._loaded.clear()
    assert numbers(ann.client)["shutbox_damaged_rooms"] == 0
    for _ in range(2):
        assert ann.get(f"/api/rooms/{room}").status_code == 500
        assert numbers(ann.client)["shutbox_damaged_rooms"] == 1


def test_a_loop_that_is_held_up_comes_late(ann: Person) -> None:
    late = "shutbox_loop_lag_seconds_sum"
    portal = ann.client.portal  # type: ignore[attr-defined]
    before = numbers(ann.client)[late]
    # A timer that is due within a tenth of it cannot come before its end.
    portal.call(time.sleep, 10 * background._LAG_SECONDS)
    wait_for(lambda: numbers(ann.client)[late] - before >= 9 * background._LAG_SECONDS)


def test_nobody_waits_for_the_numbers(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    read_in: list[threading.Thread] = []

    def said() -> bytes:
        read_in.append(threading.current_thread())
        return b""

    monkeypatch.setattr(server.metrics, "text", said)
    assert ann.get("/metrics").status_code == 200
    portal = ann.client.portal  # type: ignore[attr-defined]
    assert read_in != [portal.call(threading.current_thread)]
    assert len(read_in) == 1


# Workers


def test_workers_are_counted_and_those_that_are_replaced(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server.pool, "warm", partial(Pool.warm, server.pool))
    assert numbers(ann.client)["shutbox_workers"] == 0
    assert numbers(ann.client)["shutbox_workers_resident_memory_bytes"] == 0
    with counted(ann.client) as more:
        room = ann.open(game="classic")["view"]["room"]  # which starts the first of them
        assert server.pool._warming is not None
        wait_for(server.pool._warming.done)
        ann.get(f"/api/rooms/{room}/hint")
        assert more("shutbox_workers") == 1
        assert more("shutbox_workers_resident_memory_bytes") > 1_000_000
        assert more("shutbox_worker_restarts_total") == 0
        [pid] = server.pool.pids
        os.kill(pid, signal.SIGKILL)
        wait_for(lambda: more("shutbox_workers") == 0)
        assert more("shutbox_worker_restarts_total") == 0
        ann.get(f"/api/rooms/{room}/hint")
        assert more("shutbox_worker_restarts_total") == 1
        assert more("shutbox_workers") == 1


def test_work_waits_in_lanes() -> None:
    async def run() -> tuple[dict[str, int], dict[str, int]]:
        pool = Pool()
        pool._free.clear()
        ways: tuple[dict[str, Any], ...] = ({"quick": True}, {}, {}, {"patient": True})
        waiting = [
            asyncio.create_task(pool.do(str(who), int, **way)) for who, way in enumerate(ways)
        ]
        await asyncio.sleep(0)
        before = pool.waiting
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        after = pool.waiting
        pool.close()
        return before, after

    none = {"quick": 0, "ordinary": 0, "patient": 0}
    assert asyncio.run(run()) == ({"quick": 1, "ordinary": 2, "patient": 1}, none)


# Refusals


def test_what_comes_too_often_is_counted_by_the_rate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'rates.db'}"
    server = Server(Settings(database=url), Database(url))
    monkeypatch.setattr(middleware, "READS_OF_ADDRESS", "1/hour")
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
        assert [client.get("/api/games").status_code for _ in range(3)] == [200, 429, 429]
        assert numbers(client)[limit("looks")] == 2
        assert numbers(client)[refusal("full")] == 2


Does = Callable[[Person, str, dict[str, str]], object]


def steps(ann: Person, room: str, keys: dict[str, str]) -> None:
    assert ann.act(room, ann.table(room), "throw").status_code == 429


def streams(ann: Person, room: str, keys: dict[str, str]) -> None:
    bearer = {"Authorization": f"Bearer {keys['watch']}"}
    assert ann.get(f"/api/rooms/{room}/events", headers=bearer).status_code == 429


def opens_a_socket(ann: Person, room: str, keys: dict[str, str]) -> None:
    bearer = {"Authorization": f"Bearer {keys['watch']}"}
    address = f"/api/rooms/{room}/live"
    live = ann.client.websocket_connect(address, headers=bearer)  # type: ignore[attr-defined]
    with suppress(WebSocketDisconnect), live as socket:
        socket.receive_text()


@pytest.mark.parametrize(
    ("does", "bound", "rule"),
    [
        (steps, "MOST_EVENTS", "events"),
        (streams, "MOST_LISTENERS", "listeners"),
        (opens_a_socket, "MOST_LISTENERS", "listeners"),
    ],
)
def test_a_limit_that_is_reached_is_counted_by_its_name(
    ann: Person,
    person: Callable[[], Person],
    monkeypatch: pytest.MonkeyPatch,
    does: Does,
    bound: str,
    rule: str,
) -> None:
    opened = ann.open(game="classic")
    monkeypatch.setattr(limits, bound, 0)
    who = ann if rule == "events" else person()
    with counted(ann.client) as more:
        does(who, opened["view"]["room"], opened["keys"])
        assert more(limit(rule)) == 1
        assert more(refusal("full")) == 1


def test_a_link_without_a_name_is_counted(ann: Person, person: Callable[[], Person]) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "link"}]
    opened = ann.open(game="pub", seats=seats)
    room, key = opened["view"]["room"], opened["you"]["links"]["seats"]["1"].rpartition("#")[2]
    with counted(ann.client) as more:
        assert person().enter(room, key).status_code == 422
        assert more(refusal("name-needed")) == 1
        person().client.post(f"/r/{room}/enter", data={"key": key})
        assert more(refusal("name-needed")) == 2


def test_a_form_that_is_refused_is_counted(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    with counted(ann.client) as more:
        ann.client.post(f"/r/{room}/do", data={"what": "nothing"})
        assert more(refusal("bad-request")) == 1
        ann.client.post("/new", data={"game": "nothing"})
        assert more(refusal("bad-request")) == 2


# Alerts and the dashboard

_NO_METRICS = re.compile(r'"[^"]*"|\{[^}]*\}|\[[^\]]*\]|\b(?:by|without|on|ignoring)\s*\([^)]*\)')
_NAME = re.compile(r"\b[a-z_:][a-z0-9_:]*\b(?!\s*\()")
_WORDS = {"and", "or", "unless", "bool", "offset"}
_PROMETHEUS = {"up"}
"""What Prometheus says itself."""


def metrics_in(expression: str) -> set[str]:
    """The metrics of an expression in PromQL."""
    return set(_NAME.findall(_NO_METRICS.sub(" ", expression))) - _WORDS


def test_metrics_are_found_in_expressions() -> None:
    found = metrics_in('histogram_quantile(0.9, sum by (le) (rate(a_bucket{x="y_z"}[5m]))) > 1.5e9')
    assert found == {"a_bucket"}
    assert metrics_in("b_total + on (c) group_left() d_bytes and e") == {"b_total", "d_bytes", "e"}


def played_a_little(ann: Person, monkeypatch: pytest.MonkeyPatch) -> str:
    """The numbers of a server where everything has been counted once."""
    room = ann.open(game="classic")["view"]["room"]
    with monkeypatch.context() as patch:
        patch.setattr(limits, "MOST_EVENTS", 0)
        ann.act(room, ann.table(room), "throw")
    ann.step(room, ann.table(room))
    wait_for(lambda: size("wal") in numbers(ann.client))
    return str(ann.get("/metrics").text)


def dashboard() -> set[str]:
    """The metrics of the dashboard."""
    board = json.loads((MONITORING / "dashboard.json").read_text())
    expressions = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    return set().union(*map(metrics_in, expressions))


def test_the_dashboard_shows_every_number_of_ours(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    told, shown = played_a_little(ann, monkeypatch), dashboard()
    assert shown <= set(re.findall(r"^([a-z_]+)[{ ]", told, re.MULTILINE))
    families = set(re.findall(r"^# TYPE (shutbox_[a-z_]+) ", told, re.MULTILINE))
    of_histograms = {re.sub(r"_(bucket|count|sum)$", "", name) for name in shown}
    assert families <= shown | of_histograms


def test_the_panels_of_the_dashboard_do_not_cover_one_another() -> None:
    board = json.loads((MONITORING / "dashboard.json").read_text())
    cells = [
        (x, y)
        for place in (panel["gridPos"] for panel in board["panels"])
        for x in range(place["x"], place["x"] + place["w"])
        for y in range(place["y"], place["y"] + place["h"])
    ]
    assert len(cells) == len(set(cells))
    assert max(x for x, _ in cells) < 24


@pytest.mark.slow  # since YAML is read by what comes with the browser
def test_every_alert_reads_numbers_that_there_are(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    yaml = pytest.importorskip("yaml")
    told = played_a_little(ann, monkeypatch)
    there = set(re.findall(r"^([a-z_]+)[{ ]", told, re.MULTILINE)) | _PROMETHEUS
    [group] = yaml.safe_load((MONITORING / "alerts.yml").read_text())["groups"]
    names = [rule["alert"] for rule in group["rules"]]
    assert len(names) == len(set(names))
    for rule in group["rules"]:
        assert set(rule) == {"alert", "expr", "for", "labels", "annotations"}
        assert metrics_in(rule["expr"]) <= there, rule["alert"]
        assert re.fullmatch("[0-9]+[mh]", rule["for"])
        assert rule["labels"]["severity"] in ("critical", "warning")
        assert rule["annotations"]["summary"].endswith((".", "?"))
