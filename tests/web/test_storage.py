"""Storage: the tables, the writer, and a server that restarts."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from unittest.mock import Mock

import pytest
from sqlalchemy import Connection, Engine, select, text, update
from sqlalchemy.exc import OperationalError

from people import Person
from serving import PATIENCE, Served, free_port
from shutbox.engine.errors import NotKept, OutOfDate
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage import group_commit
from shutbox.web.storage.database import Database, Write, create_tables
from shutbox.web.storage.group_commit import GroupCommit
from shutbox.web.storage.log import add_events, events_of, grant_seat, seal_events, secret_of
from shutbox.web.storage.schema import SCHEMA, StoredEvent, grants, rooms, schema
from terminal.pipe import piped


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
        with database.writer.begin() as connection:
            connection.execute(update(schema).values(number=SCHEMA + 1))
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


def granted(room: str, seat: int, device: str) -> Write:
    return partial(grant_seat, room=room, seat=seat, device=device)


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


def devices(database: Database) -> set[str]:
    return {row.device for row in database.rows(select(grants.c.device))}


def opening(room: str) -> Added:
    return Added(room, "", seal_events("", [entry(room, 1)]), (granted(room, 0, "device"),))


def after(before: Added, event: StoredEvent, *writes: Write) -> Added:
    """An event that comes after others."""
    last = before.events[-1].seal
    return Added(before.room, last, seal_events(last, [event]), writes)


def keep(database: Database, *added: Added) -> tuple[list[BaseException | None], list[int]]:
    """What came of these, which are committed together, and how many writes were each time."""
    sizes: list[int] = []
    waiting, all_there = threading.Event(), threading.Event()

    class Held(Database):
        def write(self, *writes: Write) -> None:
            database.write(*writes)
            sizes.append(len(writes))
            waiting.set()
            assert all_there.wait(PATIENCE)

    async def run() -> list[BaseException | None]:
        writer = GroupCommit(Held.__new__(Held))
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
    first = after(a, entry("a", 2, "first"))
    next = after(b, entry("b", 2))
    found, _ = keep(
        database,
        next,
        first,
        after(a if second.number == 2 else first, second, granted("a", 1, "late")),
        after(next, entry("b", 3)),
    )
    assert [type(error) for error in found] == [type(None), type(None), OutOfDate, type(None)]
    assert [row.number for row in events_of(database, "a")] == [1, 2]
    assert [row.number for row in events_of(database, "b")] == [1, 2, 3]
    assert "late" not in devices(database)


def test_a_batch_that_breaks_the_driver_is_refused_and_nothing_else(database: Database) -> None:
    a = opening("a")
    keep(database, a)
    broken = StoredEvent("a", 2, 0.0, None, None, None, "half a pair: \ud800")
    found, _ = keep(database, after(a, broken), after(a, entry("a", 2)))
    assert [type(error) for error in found] == [NotKept, type(None)]


def test_a_locked_database_is_tried_once_for_all_who_wait(database: Database) -> None:
    tries = []

    def locked(connection: Connection) -> None:
        tries.append(connection)
        raise OperationalError("", {}, Exception("database is locked"))

    a = opening("a")
    keep(database, a)
    played = after(a, entry("a", 2), locked)
    found, _ = keep(database, opening("b"), played, opening("c"))
    assert ([type(error) for error in found], len(tries)) == ([NotKept] * 3, 1)


def test_nobody_is_let_in_by_what_a_room_is_no_more(database: Database) -> None:
    a, b = opening("a"), opening("b")
    keep(database, a, b)
    on = after(a, entry("a", 2), grants.delete().where(grants.c.room == "a", grants.c.seat == 1))
    keep(database, on)
    found, _ = keep(
        database,
        Added("a", a.events[-1].seal, more=(granted("a", 1, "late"),)),
        Added("b", b.events[-1].seal, more=(granted("b", 1, "in time"),)),
    )
    assert [type(error) for error in found] == [OutOfDate, type(None)]
    assert {"late", "in time"} & devices(database) == {"in time"}
    with database.reader.connect() as connection:
        found_at = connection.execute(select(rooms.c.id, rooms.c.at).order_by(rooms.c.id)).all()
    assert [tuple(row) for row in found_at] == [("a", on.events[-1].at), ("b", b.events[-1].at)]


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


@contextmanager
def client_of(served: Served) -> Iterator[Person]:
    with served.client() as client:
        yield Person(client)


def refused(*options: str, most: int = 1) -> str:
    """What a server says that does not start."""
    ended = piped("serve", *options)
    assert ended.code == 1, ended
    assert "Traceback" not in ended.refusal
    said = ended.refusal.splitlines()
    assert len(said) <= most, said
    return said[-1]


def test_a_link_to_its_file_lets_no_second_process_in(tmp_path: Path) -> None:
    with Served(tmp_path) as served, client_of(served) as ann:
        linked = tmp_path / "elsewhere" / "linked.db"
        linked.parent.mkdir()
        linked.hardlink_to(tmp_path / "tables.db")
        symbolic = tmp_path / "other.db"
        symbolic.symlink_to(tmp_path / "tables.db")
        for file in (linked, symbolic):
            said = refused("--port", str(free_port()), "--database", f"sqlite:///{file}")
            assert "a server is already running on" in said
        opened = ann.open(game="classic")
        ann.step(opened["view"]["room"], opened["view"]["table"])


def test_a_database_that_cannot_be_used_is_refused_in_a_sentence(tmp_path: Path) -> None:
    no_database, others = tmp_path / "no.db", tmp_path / "others.db"
    no_database.write_bytes(b"This is no database, and never was one. " * 200)
    with closing(sqlite3.connect(others)) as connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
    nobody = f"postgresql://127.0.0.1:{free_port()}/nothing"
    assert "cannot be" in refused("--port", str(free_port()), "--database", nobody)
    for url, says in (
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
