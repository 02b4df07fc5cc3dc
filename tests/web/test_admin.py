"""`shutbox admin`: the host's commands beside a running server, on both databases."""

import json
import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from sqlalchemy import text
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from people import Person
from serving import PATIENCE, Served, until
from shutbox import __version__
from shutbox.cli.main import main
from shutbox.web import limits
from shutbox.web.admin import _PAUSE_SECONDS
from shutbox.web.api import streams
from shutbox.web.server import background
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database, create_tables
from shutbox.web.storage.group_commit import Batch, commit
from shutbox.web.storage.host import deleted

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]
PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
Admin = Callable[..., Any]


class Told:
    """What a command printed, and its exit code."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def admin(url: str, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """Runs `shutbox admin` on the database."""

    def run(*words: str, database: str = "") -> Told:
        capsys.readouterr()
        code = main(["admin", *words, "--database", database or url])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return Told(code, printed.out, printed.err)

    return run


@pytest.fixture
def asked(admin: Callable[..., Told]) -> Admin:
    """What `shutbox admin ... --json` answers."""

    def run(*words: str) -> Any:
        told = admin(*words, "--json")
        assert told.code == 0, told.err
        return json.loads(told.out)

    return run


@pytest.fixture
def server(url: str, monkeypatch: pytest.MonkeyPatch) -> Server:
    monkeypatch.setattr(background, "_LOOK_SECONDS", 0.05)
    settings = Settings(database=url, unlimited=frozenset({"127.0.0.1"}))
    return Server(settings, Database(url))


@pytest.fixture
def ann(server: Server) -> Iterator[Person]:
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
        yield Person(client)


def played(ann: Person, steps: int = 4, **body: Any) -> str:
    """A room in which something has happened."""
    opened = ann.open(**{"game": "classic", **body})["view"]
    table = opened["table"]
    for _ in range(steps):
        if table["does"] != "over":
            table = ann.step(opened["room"], table)
    room: str = opened["room"]
    return room


def change(server: Server, says: str) -> None:
    with server.database.writer.begin() as connection:
        assert connection.execute(text(says)).rowcount > 0


def test_what_is_kept_is_counted_and_listed(ann: Person, asked: Admin) -> None:
    long, free = played(ann, 6), ann.open(game="pub", seats=TWO)["view"]["room"]
    status = asked("status")
    assert (status["rooms"], status["events"], status["damaged"]) == (2, 12, [])
    assert sum(status["bytes"].values()) > 10_000
    rows = asked("rooms")
    assert [row["room"] for row in rows] == [free, long]
    assert [row["phase"] for row in rows] == ["waiting", "playing"]
    assert [row["seats"] for row in rows] == [["Ann", "Player 2"], ["Player"]]
    assert [row["events"] for row in rows] == [2, 10]
    assert rows[1]["bytes"] > rows[0]["bytes"] > 100
    assert [row["room"] for row in asked("rooms", "--sort", "size")] == [long, free]
    assert [row["room"] for row in asked("rooms", "--sort", "opened", "--limit", "1")] == [free]
    assert asked("rooms", "--idle", "1h") == []


def test_people_are_told_in_sentences(ann: Person, admin: Admin) -> None:
    room = played(ann)
    assert "Tables: 1; their events: 8.\n" in admin("status").out
    assert admin("rooms", "--idle", "30d").out == "No table has been idle for 30d.\n"
    assert admin("rooms").out.startswith(f"{room}: Classic, playing, Player; events 8, ")


def test_games_are_exported_as_they_are_downloaded(
    ann: Person, admin: Admin, tmp_path: Path
) -> None:
    room = played(ann, 100, game="six")
    ann.post(f"/api/rooms/{room}/rematch", game=1)
    ann.step(room, ann.table(room))
    assert admin("export", room, "--to", str(tmp_path)).code == 0
    for game in (1, 2):
        record = ann.get(f"/api/rooms/{room}/record?game={game}").content
        assert (tmp_path / f"shutbox-{room}-{game}.shutbox").read_bytes() == record
    again = admin("export", room, "--to", str(tmp_path))
    assert (again.code, "File exists" in again.err) == (1, True)
    lines = [json.loads(line) for line in admin("export", room, "--json").out.splitlines()]
    assert [line["number"] for line in lines] == [*range(1, len(lines) + 1)]
    assert [line["entry"]["type"] for line in lines][-4:] == ["begin", *2 * ["dice"], "happen"]


def test_what_is_whole_is_found_whole(ann: Person, admin: Admin) -> None:
    rooms = [played(ann) for _ in range(3)]
    told = admin("verify")
    assert (told.code, told.out) == (0, "3 tables checked; all is as it was stored.\n")
    assert admin("verify", rooms[0]).out.startswith("1 table ")


DAMAGE = {
    "a throw": "UPDATE events SET entry = replace(entry, 'throws', 'throw') WHERE number = 5",
    "the last event": "DELETE FROM events WHERE number = 8",
    "all events": "DELETE FROM events WHERE number > 0",
    "a seat": "UPDATE grants SET seat = 5 WHERE seat = -1",
}


@pytest.mark.parametrize("what", DAMAGE)
def test_damage_is_named(
    ann: Person, admin: Admin, server: Server, what: str, tmp_path: Path
) -> None:
    whole, damaged = played(ann), played(ann)
    change(server, f"{DAMAGE[what]} AND room = '{damaged}'")
    told = admin("verify")
    assert told.code == 1
    assert f"{damaged} is damaged: " in told.out
    assert f"{whole} is" not in told.out
    assert "Backup and restore" in told.out
    found = json.loads(admin("verify", "--json").out)
    assert [fault["room"] for fault in found["faults"]] == [damaged]
    assert (admin("verify", whole).code, admin("verify", damaged).code) == (0, 1)
    if what != "a seat":
        assert f"{damaged}: damaged; events 8, " in admin("rooms").out
        assert admin("export", damaged, "--to", str(tmp_path)).code == 1


def _of_another_schema(path: Path) -> None:
    with closing(Database(f"sqlite:///{path}")) as database:
        create_tables(database.writer)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE schema SET number = number + 1")
        connection.commit()
        connection.execute("PRAGMA journal_mode = DELETE")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "there is no database"),
        (lambda path: path.mkdir(), "there is no database"),
        (lambda path: path.write_bytes(b""), "this is not a database of shutbox"),
        (lambda path: path.write_text("a text\n" * 300), "the database cannot be read"),
        (_of_another_schema, "another version of shutbox made this database"),
    ],
)
def test_what_is_no_database_is_refused_and_left_as_it_is(
    make: Callable[[Path], None], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tables.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for words in (["status"], ["rooms"], ["verify"], ["export", "a"]):
        assert main(["admin", *words, "--database", f"sqlite:///{path}"]) == 1
        printed = capsys.readouterr()
        assert says in printed.err
        assert printed.err.startswith("shutbox: ")
        assert printed.err.count("\n") == 1
        assert printed.out == ""
    assert (path.read_bytes() if path.is_file() else None) == before


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_it_takes_the_lock_of_nobody(url: str, admin: Admin, tmp_path: Path) -> None:
    with closing(Database(url)) as database:
        create_tables(database.writer)
    assert admin("status").code == 0
    database = Database(url)  # no lock was left behind
    assert admin("status").code == 0
    database.close()
    copied = tmp_path / "copy" / "tables.db"
    copied.parent.mkdir()
    shutil.copy(tmp_path / "tables.db", copied)
    assert admin("status", database=f"sqlite:///{copied}").code == 0
    assert sorted(os.listdir(copied.parent)) == ["tables.db"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["rooms", "--idle", "soon"], "not a time such as"),
        (["rooms", "--limit", "0"], "at least 1, not 0"),
        (["export", "nobody"], "no table 'nobody'"),
        (["export", "\x00'; DROP TABLE rooms"], "no table"),
        (["verify", "nobody"], "no table 'nobody'"),
    ],
)
def test_odd_words_are_refused_in_a_sentence(
    ann: Person, admin: Admin, words: list[str], says: str
) -> None:
    told = admin(*words)
    assert (told.code, told.out) == (1, "")
    assert says in told.err


# What the host changes, beside a server that runs


def refusal(answer: httpx2.Response) -> str:
    code: str = answer.json()["error"]["code"]
    return code


def end_of(line: WebSocketTestSession) -> int:
    """The code with which a stream ends."""
    end = time.monotonic() + PATIENCE
    while (message := line.receive())["type"] != "websocket.close":
        assert time.monotonic() < end
    code: int = message["code"]
    return code


def listening(person: Person, room: str) -> WebSocketTestSession:
    client: Any = person.client
    line: WebSocketTestSession = client.websocket_connect(f"/api/rooms/{room}/live")
    return line


def phase(person: Person, room: str) -> str:
    found: str = person.get(f"/api/rooms/{room}").json()["view"]["phase"]
    return found


def test_a_closed_table_is_seen_and_nothing_is_done_there(
    ann: Person, admin: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = played(ann, 5, seats=PUB)
    monkeypatch.setattr(limits, "MOST_EVENTS", 7)  # a room that is full can be closed
    assert admin("close", room).out == f"Table {room} is closed.\n"
    until(lambda: phase(ann, room) == "ended")
    sight = ann.get(f"/api/rooms/{room}").json()
    assert sight["log"][-1]["says"] == ["The host of this server has closed this table."]
    assert not any(sight["you"]["may"].values())
    table = sight["view"]["table"]
    assert refusal(ann.act(room, table, "throw")) == "closed"
    assert ann.get(f"/api/rooms/{room}/record").status_code == 200
    page = ann.get(f"/r/{room}")
    assert (page.status_code, "has closed this table" in page.text) == (200, True)
    for command in ("close", "rotate-host"):
        again = admin(command, room)
        assert (again.code, "has closed this table" in again.err) == (1, True)


def test_a_deleted_table_is_gone_from_pages_and_from_the_disk(
    ann: Person, admin: Callable[..., Told], server: Server
) -> None:
    first, second, kept = (played(ann) for _ in range(3))
    change(server, f"DELETE FROM events WHERE room = '{second}' AND number = 2")  # damaged, too
    told = admin("delete", first)
    assert (told.code, "--yes" in told.err) == (1, True)
    assert ann.get(f"/api/rooms/{first}").status_code == 200
    with listening(ann, first) as line:
        line.receive_json()
        assert admin("delete", first, second, "--yes").code == 0
        assert end_of(line) == streams.COME_BACK  # and who comes back is told that it is gone
    gone = ann.get(f"/api/rooms/{first}")
    assert (gone.status_code, refusal(gone)) == (404, "unknown-room")
    assert ann.get(f"/api/rooms/{kept}").status_code == 200
    with server.database.reader.connect() as connection:
        for table in ("rooms", "events", "grants"):
            column = "id" if table == "rooms" else "room"
            rooms = connection.scalars(text(f"SELECT DISTINCT {column} FROM {table}")).all()
            assert rooms == [kept], table
    assert admin("verify").code == 0
    assert "no table" in admin("delete", first, "--yes").err


def test_a_deleted_table_is_gone_at_once(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks before the server has heard of it is not shown it from memory."""
    server = Server(Settings(database=url, unlimited=frozenset({"127.0.0.1"})), Database(url))

    async def unheard(id: str) -> None:
        """The news comes later."""

    monkeypatch.setattr(server.rooms, "on_room_deleted", unheard)
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
        ann = Person(client)
        looked_at, acted_in = (ann.open(game="classic")["view"]["room"] for _ in range(2))
        table = ann.table(acted_in)
        commit(
            server.database,
            [Batch(extra=tuple(partial(deleted, room=each) for each in (looked_at, acted_in)))],
        )
        for path in (f"/api/rooms/{looked_at}", f"/r/{looked_at}"):
            assert ann.get(path).status_code == 404
        assert refusal(ann.act(acted_in, table, "throw")) in ("unknown-room", "out-of-date")
        assert refusal(ann.act(acted_in, table, "throw")) == "unknown-room"


def test_new_secrets_make_every_link_void_and_nobody_leaves(
    ann: Person, admin: Callable[..., Told]
) -> None:
    opened = ann.open(game="pub", seats=TWO)
    room, old = opened["view"]["room"], opened["keys"]["1"]
    assert "--yes" in admin("rotate-secret").err
    assert admin("rotate-secret", "--yes").code == 0

    def link() -> str:
        found: str = ann.get(f"/api/rooms/{room}").json()["you"]["links"]["seats"]["1"]
        return found.partition("#")[2]

    until(lambda: link() != old)
    cookies = dict(ann.client.cookies)
    ann.client.cookies.clear()
    assert refusal(ann.enter(room, old, "Bob")) == "not-allowed"
    ann.client.cookies.update(cookies)
    new = link()
    ann.client.cookies.clear()
    assert ann.enter(room, new, "Bob").status_code == 200
    assert admin("verify").code == 0


def test_a_new_link_of_the_host_makes_the_old_one_void(
    ann: Person, admin: Callable[..., Told]
) -> None:
    opened = ann.open(game="pub", seats=TWO)
    room, old = opened["view"]["room"], opened["keys"]["host"]
    told = admin("rotate-host", room, "--url", "https://box.example/")
    assert told.out.startswith(f"https://box.example/r/{room}#")
    new = told.out.strip().partition("#")[2]
    until(lambda: not ann.get(f"/api/rooms/{room}").json()["you"]["host"])
    ann.client.cookies.clear()
    assert ann.enter(room, old).status_code == 403
    assert ann.enter(room, new).json()["you"]["host"]


@pytest.fixture
def bob(ann: Person) -> Person:
    """Somebody at another address."""
    client = TestClient(ann.client.app, client=("203.0.113.9", 50000))  # type: ignore[attr-defined]
    client.portal = ann.client.portal  # type: ignore[attr-defined]
    return Person(client)


def test_who_is_shut_out_gets_nothing_and_the_others_play_on(
    ann: Person, bob: Person, admin: Callable[..., Told], asked: Admin
) -> None:
    room = played(bob)
    with listening(bob, room) as line:
        line.receive_json()
        assert admin("ban", "::ffff:203.0.113.9").out == "203.0.113.9 is banned.\n"
        assert end_of(line) == streams.COME_BACK
    for path in ("/", f"/r/{room}", f"/api/rooms/{room}", "/static/base.css", "/api/games"):
        assert bob.get(path).status_code == 403, path
    answer = bob.get(f"/api/rooms/{room}")
    assert answer.json()["error"] == {
        "code": "banned",
        "message": "The host of this server has banned you.",
    }
    assert refusal(bob.post("/api/rooms")) == "banned"
    with pytest.raises(WebSocketDisconnect), listening(bob, room):
        pass
    for path in ("/health", "/ready"):
        assert bob.get(path).status_code == 200, path
    assert ann.get("/").status_code == 200
    assert asked("bans") == [{"network": "203.0.113.9", "until": None}]
    assert asked("status")["bans"] == 1
    assert admin("unban", "203.0.113.9").code == 0
    until(lambda: bob.get(f"/api/rooms/{room}").status_code == 200)
    again = admin("unban", "203.0.113.9")
    assert (again.code, "is not banned" in again.err) == (1, True)
    assert admin("bans").out == "Nobody is banned.\n"


def test_a_server_says_that_it_runs(url: str, tmp_path: Path, asked: Admin) -> None:
    with Served(tmp_path, database=url) as served:
        until(lambda: asked("status")["servers"])
        (found,) = asked("status")["servers"]
        assert (found["pid"], found["version"]) == (served.pid, __version__)
        assert found["address"].endswith(f":{served.port}")
        assert not found["closing"]
    assert asked("status")["servers"] == []  # it has said that it stops
    with Served(tmp_path, database=url) as killed:
        until(lambda: asked("status")["servers"])
        killed.kill()
    assert len(asked("status")["servers"]) == 1


def test_players_have_their_turn_while_tables_are_deleted(
    ann: Person, admin: Callable[..., Told], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("shutbox.web.admin.sleep", pauses.append)
    assert admin("delete", played(ann), played(ann), "--yes").code == 0
    assert pauses == ([] if server.database.is_shared else [_PAUSE_SECONDS] * 2)


def test_computer_players_of_a_deleted_table_stop(
    ann: Person, admin: Callable[..., Told], server: Server
) -> None:
    seats = [{"who": "computer:fewest", "name": name} for name in ("Robo", "Rita")]
    room = ann.open(game="classic", format="rounds=100", seats=seats)["view"]["room"]
    live = server.rooms.cached_room(room)
    assert live is not None
    until(lambda: live.driven and live.room.number > 5)
    assert admin("delete", room, "--yes").code == 0
    until(lambda: not live.driven)
    assert live.room.computer_due
