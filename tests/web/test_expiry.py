"""Idle tables expire if the host wants it, and no others do."""

import asyncio
import time
from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import text

from people import Person
from shutbox.engine.errors import ShutboxError
from shutbox.web import limits
from shutbox.web.errors import NoAnswer
from shutbox.web.live.room_dice import open_due_envelopes
from shutbox.web.server import background
from shutbox.web.server.background import DAY
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings


@pytest.fixture
def settings(url: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(background, "_EXPIRY_PAUSE_SECONDS", 0.0)
    return Settings(database=url, expire=30, unlimited=frozenset({"127.0.0.1"}))


def played(ann: Person, server: Server, days_ago: float, steps: int = 100, **body: Any) -> str:
    """A room in which something has happened so many days ago."""
    server.rooms.now = lambda: time.time() - days_ago * DAY
    room = ann.played(steps, **{"game": "six", **body})
    server.rooms.now = lambda: time.time() - days_ago * DAY + limits.TAKE_BACK_SECONDS
    client: Any = ann.client
    client.portal.call(open_due_envelopes, server.rooms)
    server.rooms.now = time.time
    return room


def expired(ann: Person, server: Server) -> int:
    client: Any = ann.client
    return int(client.portal.call(background.expire, server))


def stored(server: Server, table: str = "rooms", column: str = "id") -> set[str]:
    with server.database.reader.connect() as connection:
        return set(connection.scalars(text(f"SELECT {column} FROM {table}")))


def test_old_tables_go(ann: Person, server: Server) -> None:
    over = played(ann, server, 40)
    ann.post(f"/api/rooms/{over}/rematch", game=1)
    played(ann, server, 40)
    played(ann, server, 40, steps=2)
    young, new = played(ann, server, 20), played(ann, server, 0.1)
    assert expired(ann, server) == 2
    # A rematch today, and 20 days, are not long ago.
    assert stored(server) == {over, young, new}
    for table in ("events", "grants"):
        assert stored(server, table, "room") == {over, young, new}
    assert expired(ann, server) == 0


def test_a_table_that_fails_keeps_no_other_table(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent, _ = (played(ann, server, days) for days in (42, 40))
    new, read = played(ann, server, 0.1), server.log.stored_events

    async def reads(room: str) -> Any:
        if room == silent:
            raise NoAnswer(OSError("timeout"))
        return await read(room)

    with monkeypatch.context() as fails:
        fails.setattr(server.log, "stored_events", reads)
        assert expired(ann, server) == 1
    assert stored(server) == {silent, new}
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
    column = "id" if "rooms" in says else "room"
    server.database.write(text(f"{says} AND {column} = '{old}'"))
    assert expired(ann, server) == 0
    assert old in stored(server)


def test_who_plays_again_meanwhile_keeps_the_table(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, _ = played(ann, server, 40), played(ann, server, 0.1)
    read = server.log.stored_events

    async def plays(room: str) -> Any:
        found = await read(room)
        server.database.write(text(f"UPDATE rooms SET length = length + 1 WHERE id = '{old}'"))
        return found

    monkeypatch.setattr(server.log, "stored_events", plays)
    assert expired(ann, server) == 0
    assert old in stored(server)


def test_a_clock_that_is_behind_expires_nothing(ann: Person, server: Server) -> None:
    for days in (40, 0.1):
        played(ann, server, days)
    ahead = [-3 * 3600.0]
    server.rooms.now = lambda: time.time() + ahead[0]
    assert expired(ann, server) == 0
    ahead[0] = 3600.0
    assert expired(ann, server) == 1


def test_nothing_expires_in_the_first_day_of_a_server_or_unasked(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its clock may be years ahead, and people play by the same clock."""
    sleep = AsyncMock(side_effect=asyncio.CancelledError)
    expire = AsyncMock()

    async def begin() -> None:
        await asyncio.gather(*background.jobs_of(server), return_exceptions=True)
        await server.close()

    with monkeypatch.context() as fails:
        fails.setattr(asyncio, "sleep", sleep)
        fails.setattr(background, "expire", expire)
        asyncio.run(begin())
    sleep.assert_any_await(DAY)
    expire.assert_not_called()
    assert Settings().expire == 0
    with pytest.raises(ShutboxError, match="a number of days"):
        Settings(expire=-1)
