"""`shutbox admin`: the host's commands beside a running server, on both databases."""

import json
import os
import shutil
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient, WebSocketTestSession

from people import Person, refusal
from serving import PATIENCE, until
from shutbox.cli.main import main
from shutbox.engine.errors import NotKept
from shutbox.web import limits
from shutbox.web.api import streams
from shutbox.web.server import background
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database, create_tables

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
def settings(url: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(background, "_LOOK_SECONDS", 0.05)
    return Settings(database=url, unlimited=frozenset({"127.0.0.1"}))


def change(server: Server, says: str) -> None:
    with server.database.writer.begin() as connection:
        assert connection.execute(text(says)).rowcount > 0


def test_tables_are_listed(ann: Person, admin: Admin, asked: Admin, server: Server) -> None:
    assert admin("list").out == "There are no tables.\n"
    long, free = ann.played(6), ann.open(game="pub", seats=TWO)["view"]["room"]
    rows = asked("list")
    assert [row["room"] for row in rows] == [free, long]
    assert [row["phase"] for row in rows] == ["waiting", "playing"]
    assert [row["seats"] for row in rows] == [["Ann", "Player 2"], ["Player"]]
    assert [row["events"] for row in rows] == [2, 10]
    first = admin("list", "--limit", "1").out
    assert first.startswith(f"{free}: Pub Game, waiting for players, Ann and Player 2; events 2, ")
    change(server, f"DELETE FROM events WHERE number = 8 AND room = '{long}'")
    assert f"{long}: damaged; events 10, " in admin("list").out
    assert admin("export", long).code == 1


def test_games_are_exported_as_they_are_downloaded(
    ann: Person, admin: Admin, asked: Admin, tmp_path: Path
) -> None:
    room = ann.played(100, game="six")
    ann.post(f"/api/rooms/{room}/rematch", game=1)
    ann.step(room, ann.table(room))
    files = asked("export", room, "--to", str(tmp_path))
    assert files == [str(tmp_path / f"shutbox-{room}-{game}.shutbox") for game in (1, 2)]
    for game, file in enumerate(files, 1):
        record = ann.get(f"/api/rooms/{room}/record?game={game}").content
        assert Path(file).read_bytes() == record
    again = admin("export", room, "--to", str(tmp_path))
    assert (again.code, "File exists" in again.err) == (1, True)


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "there is no database"),
        (lambda path: path.mkdir(), "there is no database"),
        (lambda path: path.write_bytes(b""), "this is not a database of shutbox"),
        (lambda path: path.write_text("a text\n" * 300), "the database cannot be used"),
    ],
)
def test_what_is_no_database_is_refused_and_left_as_it_is(
    make: Callable[[Path], None], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "tables.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    for words in (["list"], ["close", "a"], ["export", "a"]):
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
    assert admin("list").code == 0
    database = Database(url)  # no lock was left behind
    assert admin("list").code == 0
    database.close()
    copied = tmp_path / "copy" / "tables.db"
    copied.parent.mkdir()
    shutil.copy(tmp_path / "tables.db", copied)
    assert admin("list", database=f"sqlite:///{copied}").code == 0
    assert sorted(os.listdir(copied.parent)) == ["tables.db"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["list", "--limit", "0"], "at least 1, not 0"),
        (["export", "nobody"], "no table 'nobody'"),
        (["export", "\x00'; DROP TABLE rooms"], "no table"),
        (["close", "nobody"], "no table 'nobody'"),
        (["link", "nobody"], "no table 'nobody'"),
    ],
)
def test_odd_words_are_refused_in_a_sentence(
    ann: Person, admin: Admin, words: list[str], says: str
) -> None:
    told = admin(*words)
    assert (told.code, told.out) == (1, "")
    assert says in told.err


# What the host changes, beside a server that runs


def end_of(line: WebSocketTestSession) -> int:
    """The code with which a stream ends."""
    end = time.monotonic() + PATIENCE
    while (message := line.receive())["type"] != "websocket.close":
        assert time.monotonic() < end
    return int(message["code"])


def listening(person: Person, room: str) -> WebSocketTestSession:
    client: Any = person.client
    line: WebSocketTestSession = client.websocket_connect(f"/api/rooms/{room}/live")
    return line


def phase(person: Person, room: str) -> str:
    return str(person.get(f"/api/rooms/{room}").json()["view"]["phase"])


def test_a_closed_table_is_seen_and_nothing_is_done_there(
    ann: Person, admin: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = ann.played(5, seats=PUB)
    monkeypatch.setattr(limits, "MOST_EVENTS", 7)  # a room that is full can be closed
    assert admin("close", room).out == f"Table {room} is closed.\n"
    assert phase(ann, room) == "ended"
    sight = ann.get(f"/api/rooms/{room}").json()
    assert sight["log"][-1]["says"] == ["The host of this server has closed this table."]
    assert not any(sight["you"]["may"].values())
    table = sight["view"]["table"]
    assert refusal(ann.act(room, table, "throw"))[1] == "closed"
    assert ann.get(f"/api/rooms/{room}/record").status_code == 200
    page = ann.get(f"/r/{room}")
    assert (page.status_code, "has closed this table" in page.text) == (200, True)
    for command in ("close", "link"):
        again = admin(command, room)
        assert (again.code, "has closed this table" in again.err) == (1, True)


def test_a_deleted_table_is_gone_from_pages_and_from_the_disk(
    ann: Person, admin: Callable[..., Told], server: Server
) -> None:
    first, second, kept = (ann.played() for _ in range(3))
    change(server, f"DELETE FROM events WHERE room = '{second}' AND number = 2")  # damaged, too
    told = admin("delete", first)
    assert (told.code, "--yes" in told.err) == (1, True)
    assert ann.get(f"/api/rooms/{first}").status_code == 200
    with listening(ann, first) as line:
        line.receive_json()
        assert admin("delete", first, second, "--yes").code == 0
        assert end_of(line) == streams.COME_BACK  # and who comes back is told that it is gone
    gone = ann.get(f"/api/rooms/{first}")
    assert refusal(gone) == (404, "unknown-room")
    assert ann.get(f"/api/rooms/{kept}").status_code == 200
    with server.database.reader.connect() as connection:
        for table in ("rooms", "events", "grants"):
            column = "id" if table == "rooms" else "room"
            rooms = connection.scalars(text(f"SELECT DISTINCT {column} FROM {table}")).all()
            assert rooms == [kept], table
    assert "no table" in admin("delete", first, "--yes").err


def test_a_new_link_of_the_host_makes_the_old_one_void(
    ann: Person, admin: Callable[..., Told]
) -> None:
    opened = ann.open(game="pub", seats=TWO)
    room, old = opened["view"]["room"], opened["keys"]["host"]
    told = admin("link", room, "--url", "https://box.example/")
    assert told.out.startswith(f"https://box.example/r/{room}#")
    new = told.out.strip().partition("#")[2]
    assert not ann.get(f"/api/rooms/{room}").json()["you"]["host"]
    ann.client.cookies.clear()
    assert ann.enter(room, old).status_code == 403
    assert ann.enter(room, new).json()["you"]["host"]


def test_without_a_server_an_order_waits_for_it(
    settings: Settings, admin: Callable[..., Told], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.admin._PATIENCE", 0.0)
    with TestClient(app_of(Server(settings, Database(settings.database)))) as client:
        room, device = Person(client).played(), client.cookies["device"]
    told = admin("close", room)
    assert (told.code, "as soon as the server runs" in told.err) == (1, True)
    with TestClient(app_of(Server(settings, Database(settings.database)))) as client:
        client.cookies.set("device", device)
        until(lambda: phase(Person(client), room) == "ended")


def test_an_order_waits_until_the_database_can_be_written(
    ann: Person, admin: Callable[..., Told], server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.admin._PATIENCE", 0.0)
    room, other = ann.played(), ann.played()
    with monkeypatch.context() as full:

        async def refused(*writes: object) -> None:
            raise NotKept("the disk is full")

        full.setattr(server.log, "write", refused)
        assert admin("delete", room, "--yes").code == 1
        assert ann.get(f"/api/rooms/{room}").status_code == 503
        assert ann.get(f"/api/rooms/{other}").status_code == 200
    until(lambda: ann.get(f"/api/rooms/{room}").status_code == 404)


def test_computer_players_of_a_deleted_table_stop(
    ann: Person, admin: Callable[..., Told], server: Server
) -> None:
    seats = [{"who": "computer:fewest", "name": name} for name in ("Robo", "Rita")]
    room = ann.open(game="classic", format="rounds=100", seats=seats)["view"]["room"]
    live = server.rooms.loaded_room(room)
    assert live is not None
    until(lambda: live.bots_running and live.room.event_count > 5)
    assert admin("delete", room, "--yes").code == 0
    until(lambda: not live.bots_running)
    assert live.room.computer_due
