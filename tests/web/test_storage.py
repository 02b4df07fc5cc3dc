"""Storage: the tables, the writer, and seals, without which data is neither shown nor played on."""

import asyncio
import json
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from sqlalchemy import Connection, Engine, insert, select, text, update
from sqlalchemy.exc import OperationalError

from people import Person
from serving import PATIENCE, free_port
from shutbox.engine.errors import NotKept, OutOfDate
from shutbox.web.errors import DAMAGED
from shutbox.web.rooms.shapes import json_text
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage import group_commit
from shutbox.web.storage.database import Database, Write, create_tables
from shutbox.web.storage.group_commit import GroupCommit
from shutbox.web.storage.log import (
    add_events,
    are_seals_right,
    events_of,
    grant_seat,
    seal_events,
    secret_of,
)
from shutbox.web.storage.schema import SCHEMA, StoredEvent, events, grants, orders, rooms, schema


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    try:
        yield database
    finally:
        database.close()


# The schema


def test_tables_that_are_there_are_left_as_they_are(url: str) -> None:
    with opened(url) as database:
        create_tables(database.writer)
        secret = secret_of(database)
        keep(database, opening("room"))
        create_tables(database.writer)
        assert secret_of(database) == secret
        assert [row.number for row in events_of(database, "room")] == [1]


def test_a_secret_that_is_lost_before_it_is_read_is_made_again_in_the_same_way() -> None:
    database = Mock(**{"rows.side_effect": [[], [], [("own",)]]})
    assert secret_of(database, "push", lambda: "own") == "own"
    stored = [call.args[0].compile().params["value"] for call in database.write.mock_calls]
    assert stored == ["own", "own"]


def test_a_database_of_another_schema_is_refused_and_left_as_it_is(url: str) -> None:
    with opened(url) as database:
        create_tables(database.writer)
        keep(database, opening("room"))
        database.write(update(schema).values(number=SCHEMA + 1))
    with pytest.raises(NotKept) as refusal:
        start(url)
    assert str(refusal.value) == (
        "another version of shutbox made this database; "
        "open it with that one, or name another database with --database"
    )
    with opened(url) as database:
        assert [tuple(row) for row in database.rows(select(schema))] == [(SCHEMA + 1,)]
        assert [row.number for row in events_of(database, "room")] == [1]


# The writer


def entry(room: str, number: int, action: str | None = None) -> StoredEvent:
    return StoredEvent(room, number, 0.5 + number, action, "me", None, f"{room} {number}")


@dataclass
class Added:
    """Events that are added to a room, and further writes with them."""

    room: str
    seal: str  # of the event before
    events: tuple[StoredEvent, ...] = ()
    more: tuple[Write, ...] = ()

    @property
    def writes(self) -> tuple[Write, ...]:
        add = partial(add_events, room=self.room, seal=self.seal, added=self.events)
        return add, *self.more

    def then(self, event: StoredEvent | None, *writes: Write) -> "Added":
        """Return what comes after this: an event, or writes alone."""
        last = self.events[-1].seal
        return Added(self.room, last, seal_events(last, [event]) if event else (), writes)


def opening(room: str) -> Added:
    grant = partial(grant_seat, room=room, seat=0, device="device")
    return Added(room, "", seal_events("", [entry(room, 1)]), (grant,))


def keep(database: Database, *added: Added) -> tuple[list[BaseException | None], list[int]]:
    """What came of these, which are committed together, and how many writes were each time."""
    sizes: list[int] = []
    waiting, all_there = threading.Event(), threading.Event()

    def write(*writes: Write) -> None:
        database.write(*writes)
        sizes.append(len(writes))
        waiting.set()
        assert all_there.wait(PATIENCE)

    async def run() -> list[BaseException | None]:
        writer = GroupCommit(Mock(write=write))
        first = asyncio.create_task(writer.store())
        await asyncio.to_thread(waiting.wait, PATIENCE)
        rest = [asyncio.create_task(writer.store(*one.writes, room=one.room)) for one in added]
        await asyncio.sleep(0)
        all_there.set()
        found = await asyncio.gather(first, *rest, return_exceptions=True)
        await asyncio.to_thread(writer.close)
        return found[1:]

    return asyncio.run(run()), sizes[1:]


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with opened(url) as database:
        create_tables(database.writer)
        yield database


def test_what_waits_is_committed_together(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(group_commit, "MOST_TOGETHER", 16)
    found, sizes = keep(database, *(opening(f"room{number}") for number in range(20)))
    assert found == [None] * 20
    assert sizes == [2 * 16, 2 * 4]


@pytest.mark.parametrize("second", [entry("a", 2), entry("a", 3, "first")])
def test_a_conflict_spoils_nothing_else(database: Database, second: StoredEvent) -> None:
    a, b = opening("a"), opening("b")
    keep(database, a, b)
    first, next = a.then(entry("a", 2, "first")), b.then(entry("b", 2))
    late = partial(grant_seat, room="a", seat=1, device="late")
    wrong = (a if second.number == 2 else first).then(second, late)
    found, _ = keep(database, next, first, wrong, next.then(entry("b", 3)))
    assert [type(error) for error in found] == [type(None), type(None), OutOfDate, type(None)]
    assert [row.number for row in events_of(database, "a")] == [1, 2]
    assert [row.number for row in events_of(database, "b")] == [1, 2, 3]
    assert not database.rows(select(grants).where(grants.c.device == "late"))


def test_a_batch_that_breaks_the_driver_is_refused_and_nothing_else(database: Database) -> None:
    a = opening("a")
    keep(database, a)
    broken = StoredEvent("a", 2, 0.0, None, None, None, "half a pair: \ud800")
    found, _ = keep(database, a.then(broken), a.then(entry("a", 2)))
    assert [type(error) for error in found] == [NotKept, type(None)]


def test_a_value_that_is_missing_is_no_conflict(database: Database) -> None:
    a, no_kind = opening("a"), insert(orders).values(server="a", room="a", device="")
    keep(database, a)
    found, _ = keep(database, a.then(None, no_kind), a.then(entry("a", 2)))
    assert [type(error) for error in found] == [NotKept, type(None)]


def test_a_locked_database_is_tried_once_for_all_who_wait(database: Database) -> None:
    tries = []

    def locked(connection: Connection) -> None:
        tries.append(connection)
        raise OperationalError("", {}, Exception("database is locked"))

    a = opening("a")
    keep(database, a)
    found, _ = keep(database, opening("b"), a.then(entry("a", 2), locked), opening("c"))
    assert ([type(error) for error in found], len(tries)) == ([NotKept] * 3, 1)


def test_nobody_is_let_in_by_what_a_room_is_no_more(database: Database) -> None:
    a, b = opening("a"), opening("b")
    keep(database, a, b)
    on = a.then(entry("a", 2))
    keep(database, on)
    late, early = (
        opened.then(None, partial(grant_seat, room=opened.room, seat=1, device="friend"))
        for opened in (a, b)
    )
    found, _ = keep(database, late, early)
    assert [type(error) for error in found] == [OutOfDate, type(None)]
    let_in = database.rows(select(grants.c.room).where(grants.c.device == "friend"))
    assert [row.room for row in let_in] == ["b"]
    last = database.rows(select(rooms.c.id, rooms.c.at).order_by(rooms.c.id))
    assert [(*row,) for row in last] == [("a", on.events[-1].at), ("b", b.events[-1].at)]


def test_sqlite_forces_every_commit_to_the_disk(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path / 'tables.db'}") as database:
        create_tables(database.writer)

        def asked(engine: Engine, name: str) -> object:
            with engine.connect() as connection:
                return connection.scalar(text(f"PRAGMA {name}"))

        full = 2
        assert asked(database.writer, "journal_mode") == "wal"
        assert asked(database.writer, "synchronous") == full
        assert asked(database.writer, "foreign_keys") == 1
        assert asked(database.writer, "mmap_size") in (0, None)
        assert asked(database.reader, "query_only") == 1
        assert asked(database.reader, "wal_autocheckpoint") == 0


# A database that refuses


def test_a_database_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    no_database, others = tmp_path / "no.db", tmp_path / "others.db"
    no_database.write_bytes(b"This is no database, and never was one. " * 200)
    with closing(sqlite3.connect(others)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    for url, says in (
        (f"postgresql://127.0.0.1:{free_port()}/nothing", "cannot be"),
        (f"sqlite:///{no_database}", "not a database"),
        (f"sqlite:///{no_database}/tables.db", "cannot be opened"),
        (f"sqlite:///{others}", "this is not a database of shutbox; name another one"),
    ):
        with pytest.raises(NotKept, match=says):
            start(url)


def start(url: str) -> None:
    """Start a server in this process, as far as its database goes."""
    database = Database(url)
    try:
        Server(Settings(database=url), database)
    finally:
        database.close()


PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


def event(number: int, **changed: Any) -> StoredEvent:
    made = StoredEvent("a", number, 0.5, f"id {number}", "by", None, f"{number}")
    return made._replace(**changed)


LOG = seal_events("", [event(number) for number in range(1, 5)])
CHANGES: dict[str, Any] = {
    **dict.fromkeys(("room", "action", "by", "answer", "entry", "seal"), "changed"),
    **dict.fromkeys(("number",), 7),
    "at": 0.25,
}


def test_whatever_is_changed_of_an_event_breaks_the_chain() -> None:
    assert are_seals_right("", LOG)
    for name, place in product(StoredEvent._fields, range(len(LOG))):
        for value in (CHANGES[name], None, b"bytes"):
            if value != getattr(LOG[place], name):
                changed: list[Any] = [*LOG]
                changed[place] = StoredEvent(**{**LOG[place]._asdict(), name: value})
                assert not are_seals_right("", changed), (name, place, value)


DAMAGE = (
    "DELETE FROM events WHERE number = (SELECT max(number) FROM events) AND room = '{room}'",
    "DELETE FROM events WHERE room = '{room}'",
    "UPDATE rooms SET seal = 'no' WHERE id = '{room}'",
    "UPDATE rooms SET length = length - 1 WHERE id = '{room}'",
    "UPDATE rooms SET length = 0 WHERE id = '{room}'",
    "UPDATE events SET at = at + 1 WHERE number = 3 AND room = '{room}'",
    "UPDATE events SET entry = x'ff00' WHERE number = 3 AND room = '{room}'",
    "UPDATE events SET number = number + 100 WHERE room = '{room}' AND number = 8",
)


def check_is_damaged(ann: Person, room: str, path: str = "") -> None:
    answer = ann.get(f"/api/rooms/{room}{path}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged"), answer.text


def test_an_event_cannot_go_come_or_change_places() -> None:
    first, second, third, fourth = LOG
    for broken in (
        [second, third, fourth],
        [first, third, fourth],
        [first, third, second, fourth],
        [first, first, second],
        [*LOG, event(5)],
    ):
        assert not are_seals_right("", broken)
    assert are_seals_right(second.seal, [third, fourth])
    assert not are_seals_right(first.seal, [third, fourth])


def test_a_damaged_room_says_so_and_others_go_on(
    ann: Person, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    other = ann.played(6, game="pub", seats=PUB)
    for damage in DAMAGE:
        room = ann.played(6, game="pub", seats=PUB)
        with server.database.writer.begin() as connection:
            assert connection.exec_driver_sql(damage.format(room=room)).rowcount > 0
        server.rooms._loaded.clear()
        caplog.clear()
        for path in ("", "/events", "/record"):
            check_is_damaged(ann, room, path)
        page = ann.get(f"/r/{room}")
        assert page.status_code == 500
        assert DAMAGED[1:] in page.text
        assert ann.post(f"/api/rooms/{room}/leave", seat=0).status_code == 500
        assert "damaged room" in caplog.text
        ann.step(other, ann.table(other))


def test_what_is_whole_and_not_understood_is_refused_as_damaged(
    ann: Person, server: Server
) -> None:
    wizard = {"name": "Ann", "computer": "wizard", "by_link": False}
    for place, entry in (
        (0, {"leaver": "vote"}),
        (0, {"seats": [wizard] * 2}),
        (-1, {"deed": "x"}),
    ):
        room = ann.played(6, game="pub", seats=PUB)
        rewrite(server, room, place, entry)
        check_is_damaged(ann, room, "/record")
        if "leaver" in entry:  # an event that cannot be read drops a room from memory
            assert server.rooms.loaded_room(room) is None
        server.rooms._loaded.clear()
        check_is_damaged(ann, room)


def rewrite(server: Server, room: str, place: int, entry: dict[str, Any]) -> None:
    """Change fields of a stored event, and make all seals of its room right again."""
    rows = [*events_of(server.database, room)]
    told = {**json.loads(rows[place].entry), **entry}
    rows[place] = rows[place]._replace(entry=json_text(told))
    kept = seal_events("", rows)
    ends = {"seal": kept[-1].seal, "length": kept[-1].number}
    mine = update(events).where(events.c.room == room)
    server.database.write(
        *(mine.where(events.c.number == row.number).values(row._asdict()) for row in kept),
        update(rooms).where(rooms.c.id == room).values(ends),
    )
