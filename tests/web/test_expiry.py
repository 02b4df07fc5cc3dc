"""Idle tables expire if the host wants it, and no others do."""

import asyncio
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from people import Person
from shutbox.cli.main import main
from shutbox.engine.errors import ShutboxError
from shutbox.web import limits
from shutbox.web.errors import NoAnswer
from shutbox.web.server import background
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import DAY, Settings
from shutbox.web.storage.engine import Database


@pytest.fixture
def server(url: str, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(background, "_PAUSE_SECONDS", 0.0)
    settings = Settings(
        database=url,
        expire=30 * DAY,
        unlimited=frozenset({"127.0.0.1"}),
    )
    return Server(settings, Database(url))


@pytest.fixture
def ann(server: Server) -> Iterator[Person]:
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
        yield Person(client)


def played(ann: Person, server: Server, days_ago: float, steps: int = 100, **body: Any) -> str:
    """A room in which something has happened so many days ago."""
    server.rooms.now = lambda: time.time() - days_ago * DAY
    view = ann.open(**{"game": "six", **body})["view"]
    table = view["table"]
    for _ in range(steps):
        if table["does"] != "over":
            table = ann.step(view["room"], table)
    server.rooms.now = lambda: time.time() - days_ago * DAY + limits.TAKE_BACK_SECONDS
    client: Any = ann.client
    client.portal.call(server.rooms.open_ended)
    server.rooms.now = time.time
    room: str = view["room"]
    return room


def expired(ann: Person, server: Server) -> int:
    client: Any = ann.client
    gone: int = client.portal.call(background.expire, server)
    return gone


def is_there(ann: Person, *rooms: str) -> list[bool]:
    return [ann.get(f"/api/rooms/{room}").status_code == 200 for room in rooms]


def test_old_tables_go(ann: Person, server: Server) -> None:
    over = played(ann, server, 40)
    ann.post(f"/api/rooms/{over}/rematch", game=1)
    again = played(ann, server, 40)
    begun = played(ann, server, 40, steps=2)
    young, new = played(ann, server, 20), played(ann, server, 0.1)
    assert expired(ann, server) == 2
    # A rematch today, and 20 days, are not long ago.
    assert is_there(ann, over, again, begun, young, new) == [True, False, False, True, True]
    with server.database.reader.connect() as connection:
        for table in ("events", "grants"):
            left = set(connection.scalars(text(f"SELECT room FROM {table}")))
            assert left == {over, young, new}
    assert expired(ann, server) == 0


def test_a_table_that_fails_keeps_no_other_table(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent, old = (played(ann, server, days) for days in (42, 40))
    played(ann, server, 0.1)
    stored = server.log.stored

    async def reads(room: str) -> Any:
        if room == silent:
            raise NoAnswer(OSError("timeout"))
        return await stored(room)

    with monkeypatch.context() as fails:
        fails.setattr(server.log, "stored", reads)
        assert expired(ann, server) == 1
    assert is_there(ann, silent, old) == [True, False]
    assert expired(ann, server) == 1


def test_who_looks_at_an_old_table_keeps_it(ann: Person, server: Server) -> None:
    old, _ = played(ann, server, 40), played(ann, server, 0.1)
    client: Any = ann.client
    live = client.portal.call(server.rooms.find, old)  # a room not asked for long is held no more
    viewer = client.portal.call(server.rooms.access.viewer, live, client.cookies["device"], ())
    listener = live.listen(None, viewer)
    assert expired(ann, server) == 0
    live.leave(listener)
    assert expired(ann, server) == 1


@pytest.mark.parametrize(
    "says",
    [
        "UPDATE events SET entry = replace(entry, 'throws', 'throw') WHERE number = 5",
        "UPDATE rooms SET at = 1.0 WHERE true",  # what is sealed counts
    ],
)
def test_what_is_damaged_stays(ann: Person, server: Server, says: str) -> None:
    old = played(ann, server, 40 if "throws" in says else 0.1)
    played(ann, server, 0.1)
    with server.database.writer.begin() as connection:
        column = "id" if "rooms" in says else "room"
        connection.execute(text(f"{says} AND {column} = '{old}'"))
    assert expired(ann, server) == 0
    with server.database.reader.connect() as connection:
        assert old in connection.scalars(text("SELECT id FROM rooms")).all()


def test_who_plays_again_meanwhile_keeps_the_table(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, _ = played(ann, server, 40), played(ann, server, 0.1)
    stored = server.log.stored

    async def plays(room: str) -> Any:
        found = await stored(room)
        with server.database.writer.begin() as connection:
            longer = text(f"UPDATE rooms SET length = length + 1 WHERE id = '{old}'")
            connection.execute(longer)
        return found

    monkeypatch.setattr(server.log, "stored", plays)
    assert expired(ann, server) == 0
    with server.database.reader.connect() as connection:
        assert old in connection.scalars(text("SELECT id FROM rooms")).all()


@pytest.mark.parametrize(("hours", "goes"), [(1, True), (-3, False)])
def test_a_clock_that_is_behind_expires_nothing(
    ann: Person, server: Server, hours: float, goes: bool
) -> None:
    played(ann, server, 40)
    played(ann, server, 0.1)
    server.rooms.now = lambda: time.time() + hours * 3600
    assert expired(ann, server) == goes


def test_nothing_expires_in_the_first_day_of_a_server(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clock may be years ahead, and people play by the same clock."""
    slept, expired = list[float](), list[Server]()

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        raise asyncio.CancelledError

    async def begin() -> None:
        await asyncio.gather(*background.jobs_of(server), return_exceptions=True)
        await server.close()

    with monkeypatch.context() as fails:
        fails.setattr(asyncio, "sleep", sleep)
        fails.setattr(background, "expire", expired.append)
        asyncio.run(begin())
    assert DAY in slept
    assert not expired


def test_nothing_expires_unasked() -> None:
    assert Settings().expire == 0.0
    with pytest.raises(ShutboxError):
        Settings(expire=DAY / 2)


@pytest.mark.parametrize("time_", ["12h", "0d", "soon", "-1d", "400"])
def test_a_time_that_is_none_is_refused(
    time_: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = f"sqlite:///{tmp_path / 'tables.db'}"
    assert main(["serve", f"--expire={time_}", "--database", database]) == 1
    said = capsys.readouterr().err
    assert "400d" in said
    assert json.dumps(said).count("\\n") == 1
    assert list(tmp_path.iterdir()) == []
