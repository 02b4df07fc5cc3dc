"""`shutbox admin`: the host's commands beside a running server, on both databases."""

import json
import os
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
from sqlalchemy import text

from commands import Ran, ran
from in_process import client_of, server_of
from people import Person, path_of, refusal
from serving import until
from shutbox.engine.errors import NotKept
from shutbox.web import limits
from shutbox.web.api import streams
from shutbox.web.server import background
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database, create_tables

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]
PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


Admin = Callable[..., Ran]


@pytest.fixture
def admin(url: str) -> Admin:
    """Return a function that runs `shutbox admin` on the database."""
    return lambda *words, database=url: ran("admin", *words, "--database", database)


@pytest.fixture
def settings(url: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setattr(background, "_ORDERS_SECONDS", 0.05)
    return Settings(database=url, unlimited=frozenset({"127.0.0.1"}))


def change(server: Server, says: str) -> None:
    with server.database.writer.begin() as connection:
        assert connection.execute(text(says)).rowcount > 0


def test_tables_are_listed(ann: Person, admin: Admin, server: Server) -> None:
    assert admin("list").out == "There are no tables.\n"
    long, free = ann.played(6), ann.open(game="pub", seats=TWO)["view"]["room"]
    rows = json.loads(admin("list", "--json").out)
    told = [(row["room"], row["phase"], row["seats"], row["events"]) for row in rows]
    assert told == [
        (free, "waiting", ["Ann", "Player 2"], 2),
        (long, "playing", ["Player"], 10),
    ]
    first = admin("list", "--limit", "1").out
    assert first.startswith(f"{free}: Pub Game, waiting for players, Ann and Player 2; events 2, ")
    change(server, f"DELETE FROM events WHERE number = 8 AND room = '{long}'")
    assert f"{long}: damaged; events 10, " in admin("list").out
    assert admin("export", long).code == 1


def test_games_are_exported_as_they_are_downloaded(
    ann: Person, admin: Admin, tmp_path: Path
) -> None:
    room = ann.played(100, game="six")
    ann.post(path_of(room, "rematch"), game=1)
    ann.step(room, ann.table(room))
    files = json.loads(admin("export", room, "--to", str(tmp_path), "--json").out)
    assert files == [str(tmp_path / f"shutbox-{room}-{game}.shutbox") for game in (1, 2)]
    for game, file in enumerate(files, 1):
        record = ann.get(f"{path_of(room, 'record')}?game={game}").content
        assert Path(file).read_bytes() == record
    again = admin("export", room, "--to", str(tmp_path))
    assert (again.code, "File exists" in again.err) == (1, True)


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
def test_what_is_no_database_is_refused_and_left_as_it_is(admin: Admin, tmp_path: Path) -> None:
    nothing, folder, empty, text = (tmp_path / name for name in ("none", "folder", "empty", "text"))
    folder.mkdir()
    empty.write_bytes(b"")
    text.write_text("a text\n" * 300)
    for path, says in (
        (nothing, "there is no database"),
        (folder, "there is no database"),
        (empty, "this is not a database of shutbox"),
        (text, "the database cannot be used"),
    ):
        before = path.read_bytes() if path.is_file() else None
        for words in (["list"], ["close", "a"], ["export", "a"]):
            told = admin(*words, database=f"sqlite:///{path}")
            assert (told.code, told.out, told.err.count("\n")) == (1, "", 1)
            assert told.err.startswith("shutbox: ")
            assert says in told.err
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


def test_odd_words_are_refused_in_a_sentence(ann: Person, admin: Admin) -> None:
    for words, says in (
        (["list", "--limit", "0"], "at least 1, not 0"),
        (["export", "nobody"], "no table 'nobody'"),
        (["export", "\x00'; DROP TABLE rooms"], "no table"),
        (["close", "nobody"], "no table 'nobody'"),
        (["link", "nobody"], "no table 'nobody'"),
    ):
        told = admin(*words)
        assert (told.code, told.out) == (1, "")
        assert says in told.err


def test_a_closed_table_says_so(ann: Person, admin: Admin, monkeypatch: pytest.MonkeyPatch) -> None:
    room = ann.played(5, seats=PUB)
    monkeypatch.setattr(limits, "MOST_EVENTS", 7)  # a room that is full can be closed
    assert admin("close", room).out == f"Table {room} is closed.\n"
    found = ann.get(path_of(room)).json()
    assert found["view"]["phase"] == "ended"
    assert found["log"][-1]["says"] == ["The host of this server has closed this table."]
    page = ann.get(f"/r/{room}")
    assert (page.status_code, "has closed this table" in page.text) == (200, True)
    for command in ("close", "link"):
        again = admin(command, room)
        assert (again.code, "has closed this table" in again.err) == (1, True)


# What the host changes, beside a server that runs


def test_a_deleted_table_is_gone_from_pages_and_from_the_disk(
    ann: Person, admin: Admin, server: Server
) -> None:
    first, second, kept = (ann.played() for _ in range(3))
    change(server, f"DELETE FROM events WHERE room = '{second}' AND number = 2")  # damaged, too
    told = admin("delete", first)
    assert (told.code, "--yes" in told.err) == (1, True)
    assert ann.get(path_of(first)).status_code == 200
    client: Any = ann.client
    with client.websocket_connect(path_of(first, "live")) as stream:
        stream.receive_json()
        assert admin("delete", first, second, "--yes").code == 0
        while (message := stream.receive())["type"] != "websocket.close":
            pass
        assert message["code"] == streams.COME_BACK  # and who comes back is told that it is gone
    assert refusal(ann.get(path_of(first))) == (404, "unknown-room")
    assert ann.get(path_of(kept)).status_code == 200
    with server.database.reader.connect() as connection:
        for table in ("rooms", "events", "grants"):
            column = "id" if table == "rooms" else "room"
            rooms = connection.scalars(text(f"SELECT DISTINCT {column} FROM {table}")).all()
            assert rooms == [kept], table
    assert "no table" in admin("delete", first, "--yes").err


def test_a_new_link_of_the_host_makes_the_old_one_void(ann: Person, admin: Admin) -> None:
    opened = ann.open(game="pub", seats=TWO)
    room, old = opened["view"]["room"], opened["keys"]["host"]
    told = admin("link", room, "--url", "https://box.example/")
    assert told.out.startswith(f"https://box.example/r/{room}#")
    new = told.out.strip().partition("#")[2]
    assert not ann.get(path_of(room)).json()["you"]["host"]
    ann.client.cookies.clear()
    assert ann.enter(room, old).status_code == 403
    assert ann.enter(room, new).json()["you"]["host"]


def test_without_a_server_an_order_waits_for_it(
    settings: Settings, admin: Admin, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.admin._PATIENCE", 0.0)
    with client_of(server_of(settings)) as client:
        room, device = Person(client).played(), client.cookies["device"]
    told = admin("close", room)
    assert (told.code, "as soon as the server runs" in told.err) == (1, True)
    with client_of(server_of(settings)) as client:
        client.cookies.set("device", device)
        until(lambda: client.get(path_of(room)).json()["view"]["phase"] == "ended")


def test_an_order_waits_until_the_database_can_be_written(
    ann: Person, admin: Admin, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutbox.web.admin._PATIENCE", 0.0)
    room, other = ann.played(), ann.played()
    with monkeypatch.context() as full:
        full.setattr(server.log, "write", AsyncMock(side_effect=NotKept("the disk is full")))
        assert admin("delete", room, "--yes").code == 1
        assert ann.get(path_of(room)).status_code == 503
        assert ann.get(path_of(other)).status_code == 200
    until(lambda: ann.get(path_of(room)).status_code == 404)


def test_computer_players_of_a_deleted_table_stop(
    ann: Person, admin: Admin, server: Server
) -> None:
    seats = [{"who": "computer:fewest", "name": name} for name in ("Robo", "Rita")]
    room = ann.open(game="classic", format="rounds=100", seats=seats)["view"]["room"]
    live = server.rooms.loaded_room(room)
    assert live is not None
    until(lambda: live.bots_running and live.room.event_count > 5)
    assert admin("delete", room, "--yes").code == 0
    until(lambda: not live.bots_running)
    assert live.room.computer_due
