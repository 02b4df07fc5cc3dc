"""Databases of earlier releases, saved as data: this release must read each as its own did.

`tests/data/databases/0001.sql` has the rows of a database at revision 0001, as plain INSERTs, and
`0001.json` has what its release showed of them. After a new migration, the database of the new
revision is written once, by playing, and never changed:

    PYTHONPATH=src:tests .venv/bin/python tests/web/test_releases.py

If words have changed on purpose, write the shown texts again from the existing rows:

    PYTHONPATH=src:tests .venv/bin/python tests/web/test_releases.py --shown
"""

import json
import re
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import text
from starlette.testclient import TestClient

from people import Person
from push_service import Browser
from serving import PATIENCE, ROOT
from shutbox.web import admin
from shutbox.web.errors import DamagedStore
from shutbox.web.rooms.access import Keyring
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database, migrate
from shutbox.web.storage.log import Archive

FOLDER = ROOT / "tests" / "data" / "databases"
COLUMNS = {
    "rooms": ("id", "opened", "length", "at", "seal"),
    "entries": (
        *("room", "number", "game", "version", "at"),
        *("action", "by", "answer", "entry", "seal"),
    ),
    # Their ids are given anew, in this order.
    "passes": ("room", "seat", "device", "seal"),
    "secrets": ("name", "value", "seal"),
    "days": ("day", "game", "seed"),
    "seeds": ("gid", "room", "seed"),
    "tries": ("day", "device", "room", "score", "shut", "loss", "moves"),
    "subscriptions": ("device", "endpoint", "key", "auth", "at"),
    "recoveries": ("phrase", "device"),
    # Links between devices are over within minutes: no release reads those of another.
}
ORDER = {
    "rooms": "opened",
    "entries": "room, number",
    "passes": "id",
    "secrets": "name",
    "days": "day",
    "seeds": "gid",
    "tries": "day, device",
    "subscriptions": "device",
    "recoveries": "phrase",
}
TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]
DEVICES = ("ann", "bob")


def releases() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("*.sql"))


def newest() -> str:
    """The newest revision there is."""
    folder = Path(migrate.__code__.co_filename).with_name("migrations")
    found = ScriptDirectory(str(folder)).get_current_head()
    assert found is not None
    return found


# Reading


@contextmanager
def loaded(release: str, url: str) -> Iterator[Server]:
    """A server of this release on the database of another."""
    database = Database(url)
    try:
        migrate(database.writer, release)
        with database.writer.begin() as connection:
            cursor = connection.connection.cursor()
            for row in (FOLDER / f"{release}.sql").read_text(encoding="utf-8").splitlines():
                cursor.execute(row)
        server = Server(Settings(database=url, unlimited=frozenset({"127.0.0.1"})), database)
    except BaseException:
        database.close()
        raise
    # Nobody has been away for long.
    last = max(entry.at for room in rooms_of(server) for entry in server.log.archive.events(room))
    server.rooms.now = lambda: last + 1.0
    yield server


def rooms_of(server: Server) -> list[str]:
    with server.database.reader.connect() as connection:
        return list(connection.scalars(text("SELECT id FROM rooms ORDER BY opened")))


@contextmanager
def people(server: Server, devices: Mapping[str, str]) -> Iterator[dict[str, Person]]:
    """Whoever played there, with the cookies that they had then."""
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as first:
        found = {}
        for name in DEVICES:
            client = TestClient(first.app, client=("127.0.0.1", 50000))
            client.portal = first.portal
            if name in devices:
                client.cookies.set("device", devices[name])
            found[name] = Person(client)
        yield found


def shown(server: Server, devices: Mapping[str, str]) -> dict[str, Any]:
    """All that is shown of every room, to everybody who played there, and the records."""
    with people(server, devices) as there:
        return {room: shown_of(there, room) for room in rooms_of(server)}


ADDED = {
    "pieces": {"number"},
    "offers": {"kind", "count"},
    "answers": {"seats", "number"},
}
"""What later releases show besides, of each thing on a table."""


def without(shown: dict[str, Any], added: set[str]) -> dict[str, Any]:
    """The same without these, which are there."""
    assert added <= shown.keys()
    return {key: value for key, value in shown.items() if key not in added}


def as_it_was(view: dict[str, Any]) -> dict[str, Any]:
    """A view without what is shown of it besides."""
    view = {**view, "seats": [without(seat, {"face"}) for seat in view["seats"]]}
    if view["table"] is None:
        return view
    table = dict(view["table"])
    assert bool(table.pop("ask_alone")) == bool(table["ask"])
    table["pieces"] = table.pop("left") or table["pieces"]
    table.pop("rolls_left")
    for part, added in ADDED.items():
        table[part] = [without(one, added) for one in table[part]]
    return {**view, "table": table}


def shown_of(there: Mapping[str, Person], room: str) -> dict[str, Any]:
    path = f"/api/rooms/{room}"
    seen = {name: person.get(path) for name, person in there.items()}
    inside = {name: answer.json() for name, answer in seen.items() if answer.status_code == 200}
    ann = inside["ann"]
    games = (ann["view"]["table"] or {"game": 0})["game"]
    records = [there["ann"].get(f"{path}/record?game={n}").text for n in range(1, games + 1)]
    return {
        "view": as_it_was(ann["view"]),
        "log": [without(line, {"kind", "seat", "move", "brief"}) for line in ann["log"]],
        "you": {name: answer["you"] for name, answer in inside.items()},
        "records": records,
    }


@pytest.fixture(params=releases())
def release(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def kept(release: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / f"{release}.json").read_text(encoding="utf-8"))
    return found


def test_there_is_a_database_of_every_revision() -> None:
    assert newest() in releases()


def test_a_database_holds_everything_that_happens(release: str, tmp_path: Path) -> None:
    with loaded(release, f"sqlite:///{tmp_path / 'tables.db'}") as server:
        with server.database.reader.connect() as connection:
            entries = [json.loads(e) for e in connection.scalars(text("SELECT entry FROM entries"))]
        server.release()
    since = {"close": "0002", "dice": "0007"}
    assert {entry["type"] for entry in entries} == {
        *("open", "enter", "begin", "happen", "leave", "come-back", "stand-in", "end", "renew"),
        *(word for word, first in since.items() if release >= first),
    }
    deeds = " ".join(entry.get("deed", "") for entry in entries)
    for deed in ("throws", "chooses", "reads", "takes back", "corrects"):
        assert deed in deeds


def test_what_was_kept_is_shown_as_it_was(release: str, kept: dict[str, Any], url: str) -> None:
    with loaded(release, url) as server:
        found = shown(server, kept["devices"])
    assert set(found) == set(kept["shown"])
    for room, expected in kept["shown"].items():
        for part, value in expected.items():
            assert as_then(found[room][part], value) == value, (room, part)


def as_then(now: Any, then: Any) -> Any:
    """What is told now, without the fields that are new."""
    if isinstance(now, dict) and isinstance(then, dict):
        return {name: as_then(value, then[name]) for name, value in now.items() if name in then}
    if isinstance(now, list) and isinstance(then, list) and len(now) == len(then):
        return [as_then(one, other) for one, other in zip(now, then, strict=True)]
    return now


def test_what_was_begun_is_played_on(release: str, kept: dict[str, Any], url: str) -> None:
    played = 0
    with loaded(release, url) as server, people(server, kept["devices"]) as there:
        for room, expected in kept["shown"].items():
            table = expected["view"]["table"]
            if expected["view"]["phase"] != "playing":
                continue
            seated = [
                name for name, you in expected["you"].items() if table["seat"] in you["seats"]
            ]
            by_hand = expected["view"]["settings"]["dice"] == "hand"
            done_there = there[seated[0]].act(
                room,
                table,
                table["does"],
                roll="4+2" if by_hand and table["does"] == "throw" else "",
                choice=table["offers"][0]["text"] if table["offers"] else "",
                action=f"goes-on-{room}",  # those of then are used
            )
            assert done_there.status_code == 200, done_there.text
            played += 1
        # What was asked for then is known to have been done.
        again = kept["again"]
        answer = there["ann"].client.post(f"/api/rooms/{again['room']}/act", json=again["body"])
        assert (answer.status_code, answer.json()["number"]) == (200, again["number"])
        # And a link that was handed on opens its seat.
        waiting = kept["free"]
        body = {"key": waiting["key"], "name": "Bob", "action": "enters-later"}
        entered = there["bob"].post(f"/api/rooms/{waiting['room']}/enter", **body)
        assert (entered.status_code, entered.json()["seat"]) == (200, 1)
        if phrase := kept.get("phrase"):
            body = {"key": phrase}
            came = there["bob"].client.post("/games/take", data=body, follow_redirects=False)
            assert came.headers.get("location", came.text).startswith("/games?came=")
    assert played > 3


@pytest.mark.parametrize("what", ["an entry", "a pass", "the secret"])
def test_what_is_read_otherwise_is_noticed(
    release: str, kept: dict[str, Any], tmp_path: Path, what: str
) -> None:
    changes = {
        "an entry": "UPDATE entries SET entry = replace(entry, 'chooses', 'picks')",
        "a pass": "UPDATE passes SET seat = seat + 1 WHERE seat = 0",
        "the secret": "UPDATE secrets SET value = 'ff' || substr(value, 3)",
    }
    with loaded(release, f"sqlite:///{tmp_path / 'tables.db'}") as server:
        with server.database.writer.begin() as connection:
            connection.exec_driver_sql(changes[what])
        try:
            server.rooms.access.keyring = Keyring(server.log.archive.secret())
            found = shown(server, kept["devices"])
        except (KeyError, DamagedStore):  # it is not shown at all
            return
    assert found != kept["shown"]


# Writing


def until_a_person_is_due(person: Person, room: str) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        view = person.get(f"/api/rooms/{room}").json()["view"]
        if not any(seat["due"] and seat["computer"] for seat in view["seats"]):
            table: dict[str, Any] = view["table"]
            return table
        time.sleep(0.01)
    raise AssertionError("the computer players do not stop")


def done(person: Person, room: str, what: str, **body: Any) -> None:
    answer = person.post(f"/api/rooms/{room}/{what}", **body)
    assert answer.status_code == 200, answer.text


def play(ann: Person, bob: Person, archive: Archive) -> dict[str, Any]:
    """Everything that can happen in a room; what is to be asked again later."""

    def at_two(**more: Any) -> str:
        opened = ann.open(**{"game": "pub", "format": "order=seats", "seats": TWO, **more})
        room: str = opened["view"]["room"]
        assert bob.enter(room, opened["keys"]["1"], "Zo\xeb").status_code == 200
        return room

    def plays(room: str, most: int = 1000) -> None:
        for _ in range(most):
            table = until_a_person_is_due(ann, room)
            if table["does"] == "over":
                return
            seats = ann.get(f"/api/rooms/{room}").json()["you"]["seats"]
            (ann if table["seat"] in seats else bob).step(room, table)

    plays(at_two(format="order=rotate,rounds=2"))  # a pub match that is over
    plays(at_two(game="markers-five", coach=True), 9)

    classic = ann.open(game="classic", coach=True)["view"]["room"]
    table = ann.step(classic, ann.step(classic, ann.table(classic)))
    body = {"action": "taken-back-then", "game": 1, "version": 2, "seat": 0, "do": "take-back"}
    number = ann.client.post(f"/api/rooms/{classic}/act", json=body).json()["number"]
    again = {"room": classic, "body": body, "number": number}
    plays(classic, 1)

    hand = ann.open(game="two-dice", dice="hand")["view"]["room"]
    table = ann.table(hand)
    for do, more in (
        ("throw", {"roll": "3+5"}),
        ("correct", {"roll": "6+1"}),
        ("choose", {"choice": "7"}),
    ):
        acted = ann.act(hand, table, do, seat=0, **more)
        assert acted.status_code == 200, acted.text
        table = acted.json()["view"]["table"]

    left = at_two(seats=[*TWO, {"who": "computer:fewest", "name": "Robo"}])
    plays(left, 6)
    done(bob, left, "leave", seat=1)
    done(ann, left, "stand-in", seat=1, computer="fewest")
    plays(left, 4)
    done(bob, left, "come-back", seat=1)
    done(bob, left, "renew", seat=1)
    done(ann, left, "renew", seat=-1)
    done(bob, left, "leave", seat=1)
    until_a_person_is_due(ann, left)

    found = Browser().subscribed("https://updates.push.services.mozilla.com/wpush/v2/ann")
    keys = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
    assert ann.post("/api/push", **keys).status_code == 200

    plays(ann.open(game="cargo")["view"]["room"], 7)
    plays(ann.open(game="double-shutter")["view"]["room"], 4)
    plays(ann.open(game="tray(dice=3d8)")["view"]["room"], 1)
    plays(ann.open(game="classic(tiles=1-5,score=digits)", format="rounds=2")["view"]["room"], 5)

    again_and_again = ann.open(game="six")["view"]["room"]
    plays(again_and_again)
    done(ann, again_and_again, "rematch", game=1)
    plays(again_and_again, 2)

    ended = at_two()
    plays(ended, 2)
    done(bob, ended, "leave", seat=1)
    done(ann, ended, "end")

    closed = at_two()
    plays(closed, 3)
    admin.close(archive, closed)
    admin.rotate_host(archive, left)

    for person, most in ((bob, 1000), (ann, 1)):  # today's box: over, and begun
        today = person.post("/api/today").json()
        room, table = today["view"]["room"], today["view"]["table"]
        assert ann.enter(room, today["keys"]["watch"]).status_code == 200
        for _ in range(most):
            if table["does"] != "over":
                table = person.step(room, table)
    assert bob.get("/api/today").json()["mine"]

    page = ann.client.post("/games/phrase", data={}).text
    [phrase] = re.findall(r"<textarea[^>]*>([^<]+)</textarea>", page)
    free = ann.open(game="pub", seats=TWO)
    waiting = {"room": free["view"]["room"], "key": free["keys"]["1"]}
    return {"again": again, "free": waiting, "phrase": phrase}


def literal(column: str, value: object) -> str:
    """A value of a column as both databases read it."""
    match value:
        case int() if column == "shut":  # SQLite has no truth
            return str(bool(value))
        case None:
            return "NULL"
        case str():
            assert "\n" not in value
            return "'" + value.replace("'", "''") + "'"
        case _:
            return repr(value)


def write() -> None:
    """Play, and keep the rows and what is shown of them."""
    release = newest()
    if (FOLDER / f"{release}.sql").exists():
        sys.exit(f"the database of {release} is kept already; it is never changed")
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/tables.db"
        server = Server(Settings(database=url, unlimited=frozenset({"127.0.0.1"})), Database(url))
        with people(server, {}) as there:
            ann, bob = (there[name] for name in DEVICES)
            kept = play(ann, bob, server.log.archive)
            devices = {name: there[name].client.cookies["device"] for name in DEVICES}
            with server.database.reader.connect() as connection:
                rows = [
                    f"INSERT INTO {table} ({', '.join(columns)}) VALUES "
                    f"({', '.join(map(literal, columns, row))});"
                    for table, columns in COLUMNS.items()
                    for row in connection.execute(
                        text(f"SELECT {', '.join(columns)} FROM {table} ORDER BY {ORDER[table]}")
                    )
                ]
    (FOLDER / f"{release}.sql").write_text("\n".join([*rows, ""]), encoding="utf-8")
    write_shown(release, {"devices": devices, **kept})


def write_shown(release: str, kept: dict[str, Any]) -> None:
    """Keep what this release shows of the rows that there are, in the fields of then."""
    with (
        tempfile.TemporaryDirectory() as folder,
        loaded(release, f"sqlite:///{folder}/tables.db") as server,
    ):
        found = shown(server, kept["devices"])
    kept["shown"] = as_then(found, kept.get("shown", found))
    data = msgspec.json.format(msgspec.json.encode(kept), indent=1)
    (FOLDER / f"{release}.json").write_bytes(data + b"\n")


if __name__ == "__main__":
    if sys.argv[1:] == ["--shown"]:
        for known in releases():
            write_shown(known, json.loads((FOLDER / f"{known}.json").read_bytes()))
    else:
        write()
