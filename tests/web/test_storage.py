"""Storage: the tables, the writer, and a server that restarts."""

import asyncio
import json
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import Engine, select, text, update

from kill_server.told import replayed, rows_of, shown_by
from people import Person
from serving import PATIENCE, Served, free_port
from shutbox.engine.errors import InUse, NotKept, OutOfDate
from shutbox.web.errors import DamagedStore
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database, create_tables
from shutbox.web.storage.group_commit import Batch, GroupCommit
from shutbox.web.storage.log import Archive, sealed
from shutbox.web.storage.schema import SCHEMA, Grant, StoredEvent, rooms, schema
from terminal.pipe import piped

PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


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
        secret = Archive(database).secret()
        keep(database, opening("room"))
        create_tables(database.writer)
        assert Archive(database).secret() == secret
        assert [row.number for row in Archive(database).events("room")] == [1]


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
        assert [row.number for row in Archive(database).events("room")] == [1]


# The writer


def entry(
    room: str, number: int, version: int | None = None, action: str | None = None
) -> StoredEvent:
    game = None if version is None else 1
    return StoredEvent(
        room, number, game, version, 0.5 + number, action, "me", None, f"{room} {number}"
    )


def opening(room: str) -> Batch:
    grants = (Grant(room, 0, "device"),)
    return Batch(sealed("", [entry(room, 1)]), opens=(room, 0.0), grants=grants)


def after(before: Batch, event: StoredEvent, **more: Any) -> Batch:
    """An event that comes after others."""
    last = before.events[-1].seal
    return Batch(sealed(last, [event]), last, **more)


def keep(database: Database, *batches: Batch) -> tuple[list[BaseException | None], list[int]]:
    """What came of these batches, which are committed together, and how many were each time."""
    sizes: list[int] = []
    waiting, all_there = threading.Event(), threading.Event()

    class Held(GroupCommit):
        def _commit(self, batches: Sequence[Batch]) -> None:
            super()._commit(batches)
            sizes.append(len(batches))
            waiting.set()
            assert all_there.wait(PATIENCE)

    async def run() -> list[BaseException | None]:
        writer = Held(database)
        first = asyncio.create_task(writer.store(Batch()))
        await asyncio.to_thread(waiting.wait, PATIENCE)
        rest = [asyncio.create_task(writer.store(batch)) for batch in batches]
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


def test_what_waits_is_committed_together(database: Database) -> None:
    found, sizes = keep(database, *(opening(f"room{number}") for number in range(20)))
    assert found == [None] * 20
    assert sizes == [20]


@pytest.mark.parametrize(
    "second",
    [entry("a", 2), entry("a", 3, version=1), entry("a", 3, action="first")],
    ids=["number", "version", "action"],
)
def test_a_conflict_spoils_nothing_else(database: Database, second: StoredEvent) -> None:
    a, b = opening("a"), opening("b")
    keep(database, a, b)
    first = after(a, entry("a", 2, version=1, action="first"))
    next = after(b, entry("b", 2))
    found, _ = keep(
        database,
        next,
        first,
        after(a if second.number == 2 else first, second, grants=(Grant("a", 1, "late"),)),
        after(next, entry("b", 3)),
    )
    assert [type(error) for error in found] == [type(None), type(None), OutOfDate, type(None)]
    archive = Archive(database)
    assert [row.number for row in archive.events("a")] == [1, 2]
    assert [row.number for row in archive.events("b")] == [1, 2, 3]
    assert archive.seats_of("a", "late") == frozenset()


def test_a_batch_that_breaks_the_driver_is_refused_and_nothing_else(database: Database) -> None:
    a = opening("a")
    keep(database, a)
    broken = StoredEvent("a", 2, None, None, 0.0, None, None, None, "half a pair: \ud800")
    found, _ = keep(database, after(a, broken), after(a, entry("a", 2)))
    assert [type(error) for error in found] == [NotKept, type(None)]


def test_devices_of_a_seat_are_let_go_when_there_are_too_many(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.storage.group_commit.MOST_DEVICES", 3)
    room = opening("a")
    keep(database, room)
    devices = tuple(Grant("a", 1, f"device {n}") for n in range(5))
    keep(database, Batch(seal=room.events[-1].seal, grants=devices))
    seats = [bool(Archive(database).seats_of("a", f"device {n}")) for n in range(5)]
    assert seats == [False, False, True, True, True]
    keep(database, Batch(revokes=(("a", 1),)))
    assert not Archive(database).seats_of("a", "device 4")


def test_nobody_is_let_in_by_what_a_room_is_no_more(database: Database) -> None:
    a, b = opening("a"), opening("b")
    keep(database, a, b)
    on = after(a, entry("a", 2), revokes=(("a", 1),))
    keep(database, on)
    found, _ = keep(
        database,
        Batch(seal=a.events[-1].seal, grants=(Grant("a", 1, "late"),)),
        Batch(seal=b.events[-1].seal, grants=(Grant("b", 1, "in time"),)),
    )
    assert [type(error) for error in found] == [OutOfDate, type(None)]
    assert not Archive(database).seats_of("a", "late")
    assert Archive(database).seats_of("b", "in time")
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


def test_a_database_without_room_refuses_and_goes_on_later(ann: Person, server: Server) -> None:
    opened = ann.open(game="pub", seats=PUB)
    room, table = opened["view"]["room"], opened["view"]["table"]

    def pages(number: int) -> None:
        with server.database.writer.connect() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count = {number}")

    pages(1)  # as many as there are now
    while (last := act(ann, room, table)).status_code == 200:
        table = last.json()["view"]["table"]
    assert (last.status_code, last.json()["error"]["code"]) == (503, "not-kept")
    assert ann.table(room) == table
    path, again = last.request.url.path, json.loads(last.request.content)
    assert ann.client.post(path, json=again).status_code == 503
    assert ann.post("/api/rooms", game="classic").status_code == 503
    pages(1_000_000)
    done = ann.client.post(path, json=again)
    assert done.status_code == 200
    now = done.json()["view"]["table"]
    assert (now["game"], now["version"]) in (
        (table["game"], table["version"] + 1),
        (table["game"] + 1, 0),
    )
    assert done.json()["number"] == done.json()["view"]["number"]


def act(person: Person, room: str, table: dict[str, Any]) -> httpx2.Response:
    """What is due at a table, or another game."""
    if table["does"] == "over":
        return person.post(f"/api/rooms/{room}/rematch", game=table["game"])
    if table["does"] == "throw":
        return person.act(room, table, "throw")
    return person.act(room, table, "choose", choice=table["offers"][0]["text"])


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


def test_a_second_process_on_one_file_is_refused(tmp_path: Path) -> None:
    link = tmp_path / "other.db"
    link.symlink_to(tmp_path / "tables.db")
    with Served(tmp_path) as served:
        with pytest.raises(InUse):
            Database(f"sqlite:///{link}")
        said = refused("--port", str(free_port()), "--database", served.database)
        assert "a server is already running on" in said
        assert served.get("/ready").status_code == 200


def test_a_hard_link_lets_no_second_process_in(tmp_path: Path) -> None:
    with Served(tmp_path) as served, client_of(served) as ann:
        linked = tmp_path / "elsewhere" / "linked.db"
        linked.parent.mkdir()
        linked.hardlink_to(tmp_path / "tables.db")
        for file in (linked, tmp_path / "tables.db"):
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
        ("sqlite://", "in memory"),
        ("mysql://host/name", "not supported"),
    ):
        with pytest.raises((NotKept, DamagedStore), match=says):
            start(url)


def start(url: str) -> None:
    """Start a server in this process, as far as its database goes."""
    database = Database(url)
    try:
        Server(Settings(database=url), database)
    finally:
        database.close()


def test_a_port_that_is_taken_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        other = f"sqlite:///{tmp_path / 'other.db'}"
        said = refused("--port", str(served.port), "--database", other)
        assert f"port {served.port} is in use" in said


# Starting again


def a_long_evening(person: Person) -> dict[str, tuple[str, str]]:
    """Rooms in which everything has happened that can; their keys."""
    rooms: dict[str, tuple[str, str]] = {}

    def open(**body: Any) -> tuple[str, dict[str, Any]]:
        opened = person.open(**body)
        room = opened["view"]["room"]
        rooms[room] = opened["keys"]["host"], opened["keys"]["watch"]
        return room, opened

    match, about = open(game="pub", seats=[*PUB, {"who": "computer:random"}, {"who": "link"}])
    address = person.client.base_url
    stranger = Person(httpx2.Client(base_url=address, timeout=PATIENCE, verify=False))
    assert stranger.enter(match, about["keys"]["3"], "Zo\xeb \U0001f3b2").status_code == 200
    devices = [person, stranger]
    for _ in range(12):
        play_on(devices, match)
    assert stranger.post(f"/api/rooms/{match}/leave", seat=3).status_code == 200
    stood_in = person.post(f"/api/rooms/{match}/stand-in", seat=3, computer="fewest")
    assert stood_in.status_code == 200, stood_in.text
    assert stranger.post(f"/api/rooms/{match}/come-back", seat=3).status_code == 200
    for _ in range(6):
        play_on(devices, match)
    for seat in (-1, 1):
        assert person.post(f"/api/rooms/{match}/renew", seat=seat).status_code == 200

    hand, about = open(game="classic", dice="hand")
    table = about["view"]["table"]
    table = person.act(hand, table, "throw", roll="3+5").json()["view"]["table"]
    table = person.act(hand, table, "correct", roll="6+1").json()["view"]["table"]
    choice = table["offers"][0]["text"]
    table = person.act(hand, table, "choose", choice=choice).json()["view"]["table"]
    seat = table["taker_back"]
    assert seat is not None
    done = person.act(hand, table, "take-back", seat=seat)
    assert done.status_code == 200, done.text

    again, _ = open(game="classic")
    person.play_out(again)
    assert person.post(f"/api/rooms/{again}/rematch", game=1).status_code == 200
    person.step(again, person.table(again))

    ended, _ = open(game="pub", seats=PUB)
    assert person.post(f"/api/rooms/{ended}/leave", seat=1).status_code == 200
    host = {"Authorization": f"Bearer {rooms[ended][0]}"}
    path = f"/api/rooms/{ended}/end"
    body = {"action": "ends-here-01"}
    base = str(person.client.base_url).rstrip("/")
    gone = httpx2.post(f"{base}{path}", json=body, headers=host, timeout=PATIENCE)
    assert gone.status_code == 200, gone.text
    assert person.post(f"/api/rooms/{ended}/rematch", game=1).status_code == 200

    waiting, _ = open(game="pub", seats=[{"who": "me"}, {"who": "link"}])
    assert person.post(f"/api/rooms/{waiting}/renew", seat=1).status_code == 200
    stranger.client.close()
    return rooms


def play_on(devices: list[Person], room: str) -> None:
    """One more step of whoever is due, once no computer player is."""
    for _ in range(1000):
        table = devices[0].table(room)
        for person in devices:
            answer = act(person, room, table)
            if answer.status_code == 200:
                return
            assert answer.status_code in (403, 409), answer.text
        threading.Event().wait(0.01)
    raise AssertionError("nobody gets to play")


def shown(served: Served, rooms: dict[str, tuple[str, str]]) -> dict[str, Any]:
    """All that the server shows of some rooms, to whoever opened them."""
    found = {}
    for room, (host, _) in rooms.items():
        headers = {"Authorization": f"Bearer {host}"}
        answer = served.get(f"/api/rooms/{room}", headers=headers).json()
        found[room] = {**answer, "view": {**answer["view"], "watching": 0}}
    return found


def test_a_server_that_starts_again_shows_the_same(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        with client_of(served) as ann:
            rooms = a_long_evening(ann)
        wait_for_computers(served, rooms)
        before = shown(served, rooms)
        # Dice here fall as they will: a game may be over so soon.
        assert {room["view"]["phase"] for room in before.values()} >= {"playing", "waiting"}
        served.restart()
        assert shown(served, rooms) == before
        served.kill()
        served.start()
        assert shown(served, rooms) == before
    by_hand = {id: shown_by(room) for id, room in replayed(rows_of(tmp_path / "tables.db")).items()}
    assert by_hand == {id: room["view"] for id, room in before.items()}


def wait_for_computers(served: Served, rooms: dict[str, tuple[str, str]]) -> None:
    """Until no computer player is due."""
    for _ in range(1000):
        seats = [seat for room in shown(served, rooms).values() for seat in room["view"]["seats"]]
        if not any(seat["due"] and seat["computer"] for seat in seats):
            return
        threading.Event().wait(0.01)
    raise AssertionError("the computer players do not stop")


def test_who_was_being_looked_up_while_a_link_was_made_anew_is_shut_out(
    person: Callable[[], Person], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="pub", seats=[{"who": "me"}, {"who": "link"}])
    room = opened["view"]["room"]
    assert bob.enter(room, opened["keys"]["1"], "Bob").status_code == 200
    archive = server.log.archive
    seats_of, asked, renewed = archive.seats_of, threading.Event(), threading.Event()

    def slow(room: str, device: str) -> frozenset[int]:
        found = seats_of(room, device)
        if found == {1}:
            asked.set()
            assert renewed.wait(PATIENCE)
        return found

    monkeypatch.setattr(archive, "seats_of", slow)
    server.rooms.loaded_rooms[0].forget_devices()
    looking = threading.Thread(target=bob.get, args=(f"/api/rooms/{room}",))
    looking.start()
    assert asked.wait(PATIENCE)
    key = server.rooms.access.key(server.rooms.loaded_rooms[0].room, 1)
    host = {"Authorization": f"Bearer {key}"}
    body = {"action": "renew-the-link", "seat": 1}
    path = f"/api/rooms/{room}/renew"
    assert ann.client.post(path, json=body, headers=host).status_code == 200
    renewed.set()
    looking.join()
    assert bob.get(f"/api/rooms/{room}").status_code == 403


# An older copy


def test_a_database_that_was_put_back_loses_nothing_that_is_acknowledged(
    person: Callable[[], Person], server: Server
) -> None:
    ann = person()
    opened = ann.open(game="classic")["view"]
    room, table = opened["room"], opened["table"]
    for _ in range(3):
        table = ann.step(room, table)
    with server.database.writer.begin() as connection:
        connection.exec_driver_sql(f"DELETE FROM events WHERE room = '{room}' AND number > 5")
        last = f"SELECT seal FROM events WHERE room = '{room}' AND number = 5"
        connection.exec_driver_sql(f"UPDATE rooms SET length = 5, seal = ({last})")
    lost = ann.act(
        room, table, table["does"], choice=(table["offers"] or [{"text": ""}])[0]["text"]
    )
    assert lost.status_code == 409
    # It is read again as it is kept, and goes on from there.
    again = ann.table(room)
    assert again["version"] == 1
    assert ann.step(room, again)["version"] == 2
