"""Named servers on one PostgreSQL behind nginx: each table is at one of them."""

import asyncio
import contextlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from hearing import Stream
from in_process import client_of, server_of
from kill_server.postgres import fresh_database, rows_of
from nginx import nginx
from people import Person, path_of, refusal
from serving import PATIENCE, ROOT, Served, free_port, running, until
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database

PUB = [{"who": "me", "name": "Ann"}, {"who": "link"}]


@pytest.fixture
def database() -> Iterator[str]:
    with fresh_database() as url:
        yield url


@pytest.fixture
def two(database: str, tmp_path: Path) -> Iterator[list[Served]]:
    """Two servers, started at once on an empty database."""
    servers = [Served(tmp_path, "--name", name, database=database) for name in "ab"]
    with running(servers):
        yield servers


@pytest.fixture
def proxy(two: list[Served]) -> Iterator[str]:
    """The address of both servers behind nginx."""
    ports = {name: [served.port] for name, served in zip("ab", two, strict=True)}
    with nginx(free_port(), ports, "127.0.0.1") as address:
        yield address


@contextlib.contextmanager
def visitor(proxy: str) -> Iterator[Person]:
    with httpx2.Client(base_url=proxy, timeout=PATIENCE, verify=False) as client:
        yield Person(client)


def opened_at(name: str, person: Person, **body: Any) -> dict[str, Any]:
    """A table at the server with this name; a proxy sends whoever opens one to any of them."""
    while True:
        opened = person.open(**{"game": "classic", **body})
        if opened["view"]["room"][0] == name:
            return opened


def test_each_server_has_its_own_tables(two: list[Served], proxy: str) -> None:
    with visitor(proxy) as ann:
        rooms = [opened_at(name, ann)["view"]["room"] for name in "ab"]
        for room in rooms:
            table = ann.table(room)
            for _ in range(4):
                table = ann.step(room, table)
            assert ann.get(f"/r/{room}").status_code == 200
        names = {row["room"] for row in ann.get("/games/export").json()["tables"]}
        assert names >= {*rooms}
        # A request that a proxy sends the wrong way is refused, and does no harm.
        before = ann.table(rooms[1])
        with two[0].client(cookies=ann.client.cookies) as wrong:
            lost = Person(wrong)
            for answer in (lost.get(path_of(rooms[1])), lost.act(rooms[1], before, before["does"])):
                assert refusal(answer) == (421, "other-server")
            assert lost.get(f"/r/{rooms[1]}").status_code == 421
        assert ann.table(rooms[1]) == before


def test_a_spare_server_takes_over_and_nobody_loses_a_move(
    two: list[Served], database: str, tmp_path: Path
) -> None:
    spare = Served(tmp_path, "--name", "b", "--spare", database=database)
    ports = {"a": [two[0].port], "b": [two[1].port, spare.port]}
    waiting = subprocess.Popen(command_of(spare), cwd=tmp_path, stderr=subprocess.DEVNULL)
    try:
        with nginx(free_port(), ports, "127.0.0.1") as proxy, visitor(proxy) as ann:
            opened = opened_at("b", ann)
            room, table = opened["view"]["room"], opened["view"]["table"]
            for _ in range(3):
                table = ann.step(room, table)
            stream = Stream(proxy, opened)
            stream.start()
            last = ann.get(path_of(room)).json()["view"]["number"]
            stream.until(last)
            two[1].kill()
            killed = time.monotonic()
            until(lambda: ann.get(path_of(room)).status_code == 200)
            again = Stream(proxy, opened)  # as a client does whose stream has ended
            again.start()
            again.until(last)
            print(f"streams are back after {time.monotonic() - killed:.1f} s")
            assert ann.table(room) == table
            table = ann.step(room, table)
            assert again.until(last + 1)[-1] == last + 1
            # The server that was killed does not start beside it.
            refused = subprocess.run(
                command_of(two[1]), cwd=tmp_path, capture_output=True, text=True, check=False
            )
            assert refused.returncode == 1
            assert "another server b is already running" in refused.stderr
            ann.step(room, table)
            numbers = [row.number for row in rows_of(database) if row.room == room]
            assert numbers == [*range(1, last + 3)]
    finally:
        waiting.send_signal(signal.SIGTERM)
        waiting.wait(timeout=PATIENCE)


def command_of(served: Served) -> list[str]:
    """The command with the options of a server that is started elsewhere."""
    run = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); "
    run += "from shutbox.cli.main import main; sys.exit(main(sys.argv[1:]))"
    return [sys.executable, "-c", run, "serve", *served.options]


def test_data_is_deleted_at_both(two: list[Served], proxy: str) -> None:
    with visitor(proxy) as ann, visitor(proxy) as bob:
        alone = [opened_at(name, ann)["view"]["room"] for name in "ab"]
        shared = [opened_at(name, ann, game="pub", seats=PUB) for name in "ab"]
        for opened in shared:
            room = opened["view"]["room"]
            assert bob.enter(room, opened["keys"]["1"], "Bob").status_code == 200
        device = dict(ann.client.cookies)
        assert ann.client.post("/games/delete", data={}).status_code == 200
        with two[0].client(cookies=device) as her, two[1].client(cookies=device) as hers:
            for name, client in zip("ab", (her, hers), strict=True):
                own = next(room for room in alone if room[0] == name)
                assert client.get(path_of(own)).status_code in (403, 404)
        for opened in shared:
            room = opened["view"]["room"]
            seats = bob.get(path_of(room)).json()["view"]["seats"]
            assert [seat["name"] for seat in seats] == ["Player 1", "Bob"]


def test_the_tables_of_both_come_to_another_device(proxy: str) -> None:
    with visitor(proxy) as ann, visitor(proxy) as phone:
        tables = [opened_at(name, ann) for name in "ab"]
        for opened in tables:  # at which the phone is known as a spectator
            watched = phone.enter(opened["view"]["room"], opened["keys"]["watch"]).json()
            assert watched["you"]["seats"] == []
        page = ann.client.post("/games/link", data={}).text
        key = page.partition("/games/take#")[2].partition('"')[0]
        assert phone.send_form("/games/take", {"key": key}).status_code == 303
        for opened in tables:
            you = phone.get(path_of(opened["view"]["room"])).json()["you"]
            assert you["seats"] == [0]


def test_a_name_is_held_once_and_freed_with_its_connection(database: str) -> None:
    with (
        contextlib.closing(Database(database)) as first,
        contextlib.closing(Database(database)) as second,
    ):
        assert first.claim("b")
        assert first.claim("b")
        assert not second.claim("b")
        assert second.claim("a")
        first.close()
        assert second.claim("a")
    with contextlib.closing(Database(database)) as third:
        assert third.claim("b")


def test_a_server_that_lost_its_name_writes_nothing_over_another(database: str) -> None:
    """Both believe that they have the name; the database lets only one be first."""
    servers = [server_of(Settings(database=database)) for _ in range(2)]
    here, there = (Person(client_of(server)) for server in servers)
    opened = here.open(game="classic")
    there.client.cookies = here.client.cookies
    room, table = opened["view"]["room"], opened["view"]["table"]
    assert there.table(room)["version"] == 0
    table = here.step(room, table)
    stale = there.act(room, {**table, "version": 0}, "throw")
    assert refusal(stale) == (409, "out-of-date")
    assert there.table(room) == table
    for server in servers:
        asyncio.run(server.close())
