"""Seals of stored data: data that was changed is neither shown nor played on."""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from nightly import EVERY, one_in
from people import Person
from shutbox.engine.errors import ShutboxError
from shutbox.web.errors import DAMAGED
from shutbox.web.rooms.events import checksum, json_text
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database
from shutbox.web.storage.log import events_of, is_whole, sealed
from shutbox.web.storage.schema import StoredEvent, events, rooms

REFUSALS = ("damaged", "not-allowed", "unknown-room", "not-kept")
PUB = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]


def event(number: int, **changed: Any) -> StoredEvent:
    made = StoredEvent("a", number, 0.5, f"id {number}", "by", None, f"{number}")
    return made._replace(**changed)


LOG = sealed("", [event(number) for number in range(1, 5)])
CHANGES: dict[str, Any] = {
    **dict.fromkeys(("room", "action", "by", "answer", "entry", "seal"), "changed"),
    **dict.fromkeys(("number",), 7),
    "at": 0.25,
}


@pytest.mark.parametrize("name", StoredEvent._fields)
def test_whatever_is_changed_of_an_event_breaks_the_chain(name: str) -> None:
    assert is_whole("", LOG)
    for place in range(len(LOG)):
        for value in (CHANGES[name], None, b"bytes"):
            if value != getattr(LOG[place], name):
                changed: list[Any] = [*LOG]
                changed[place] = StoredEvent(**{**LOG[place]._asdict(), name: value})
                assert not is_whole("", changed), (name, place, value)


def test_an_event_cannot_go_come_or_change_places() -> None:
    first, second, third, fourth = LOG
    for broken in (
        [second, third, fourth],
        [first, third, fourth],
        [first, third, second, fourth],
        [first, first, second],
        [*LOG, event(5)],
    ):
        assert not is_whole("", broken)
    assert is_whole(second.seal, [third, fourth])
    assert not is_whole(first.seal, [third, fourth])


def test_a_seal_is_for_ever() -> None:
    assert checksum("room", 1, None, 0.1, "\xe9", "\ud800") == "6430fb6bd66e895fcd8fe2e865c73c57"
    assert [e.seal[:8] for e in LOG] == ["f398dc62", "d94c3d3d", "c2307710", "14037d97"]


def played(ann: Person, games: int = 1) -> list[str]:
    """Rooms in which something has happened."""
    rooms = []
    for _ in range(games):
        opened = ann.open(game="pub", seats=PUB)["view"]
        table = opened["table"]
        for _ in range(6):
            table = ann.step(opened["room"], table)
        rooms.append(opened["room"])
    return rooms


def change(server: Server, says: str) -> None:
    with server.database.writer.begin() as connection:
        assert connection.exec_driver_sql(says).rowcount > 0


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM events WHERE number = (SELECT max(number) FROM events) AND room = '{room}'",
        "DELETE FROM events WHERE room = '{room}'",
        "UPDATE rooms SET seal = 'no' WHERE id = '{room}'",
        "UPDATE rooms SET length = length - 1 WHERE id = '{room}'",
        "UPDATE rooms SET length = 0 WHERE id = '{room}'",
        "UPDATE events SET at = at + 1 WHERE number = 3 AND room = '{room}'",
        "UPDATE events SET entry = x'ff00' WHERE number = 3 AND room = '{room}'",
        "UPDATE events SET entry = cast(x'ff00' AS text) WHERE number = 3 AND room = '{room}'",
        "UPDATE events SET number = number + 100 WHERE room = '{room}' AND number = 8",
    ],
)
def test_a_damaged_room_says_so_and_others_go_on(
    damage: str, ann: Person, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    room, other = played(ann, 2)
    change(server, damage.format(room=room))
    server.rooms._loaded.clear()
    for path in ("", "/events", "/record"):
        answer = ann.get(f"/api/rooms/{room}{path}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged")
    page = ann.get(f"/r/{room}")
    assert page.status_code == 500
    assert DAMAGED[1:] in page.text
    assert ann.post(f"/api/rooms/{room}/leave", seat=0).status_code == 500
    assert "damaged room" in caplog.text
    ann.step(other, ann.table(other))


FIRST = (
    {"leaver": "vote"},
    {"seats": [{"name": "Ann", "computer": "wizard", "by_link": False}] * 2},
    {"format": 7},
)
LAST = ({"deed": "juggles 3+5"}, {"seat": 7}, {"type": "vote"}, {"why": "a field"})


@pytest.mark.parametrize(
    ("place", "entry"), [*((0, entry) for entry in FIRST), *((-1, entry) for entry in LAST)]
)
def test_what_is_whole_and_not_understood_is_refused_as_damaged(
    place: int, entry: dict[str, Any], ann: Person, server: Server
) -> None:
    (room,) = played(ann)
    rows = [*events_of(server.database, room)]
    told = {**json.loads(rows[place].entry), **entry}
    rows[place] = rows[place]._replace(entry=json_text(told))
    last = rows[-1]
    kept = sealed("", rows)
    with server.database.writer.begin() as connection:
        for row in kept:
            where = (events.c.room == room) & (events.c.number == row.number)
            connection.execute(update(events).where(where).values(row._asdict()))
        ends = {"seal": kept[-1].seal, "length": last.number}
        connection.execute(update(rooms).where(rooms.c.id == room).values(ends))
    server.rooms._loaded.clear()
    answer = ann.get(f"/api/rooms/{room}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged"), answer.text
    assert server.rooms.cached_room(room) is None


# A file of which one page is damaged


@contextmanager
def serving(file: Path) -> Iterator[tuple[Server, Person]]:
    url = f"sqlite:///{file}"
    with closing(Database(url)) as database:
        server = Server(Settings(database=url, unlimited=frozenset({"127.0.0.1"})), database)
        try:
            with TestClient(app_of(server), client=("127.0.0.1", 50000)) as client:
                yield server, Person(client)
        finally:
            server.release()


def sound(folder: Path) -> tuple[Path, str, dict[str, Any]]:
    """A database with rooms, who played there, and what was shown of them."""
    file = folder / "tables.db"
    with serving(file) as (_, ann):
        rooms = played(ann, 12)
        shown = {room: ann.get(f"/api/rooms/{room}").json()["view"] for room in rooms}
        device = ann.client.cookies["device"]
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file, device, shown


def noise(page: bytes, chance: random.Random) -> bytes:
    return chance.randbytes(len(page))


def nothing(page: bytes, chance: random.Random) -> bytes:
    return bytes(len(page))


def a_byte(page: bytes, chance: random.Random) -> bytes:
    """The same with another byte, where there are some."""
    place = chance.choice([n for n, byte in enumerate(page) if byte] or [0])
    return page[:place] + bytes([page[place] ^ chance.randrange(1, 256)]) + page[place + 1 :]


@pytest.mark.parametrize(
    "damage", one_in(3, [a_byte, noise, nothing]), ids=lambda damage: damage.__name__
)
def test_with_a_damaged_page_nothing_damaged_is_shown(
    damage: Callable[[bytes, random.Random], bytes], tmp_path: Path
) -> None:
    file, device, shown = sound(tmp_path)
    whole, size = file.read_bytes(), 4096
    assert len(whole) // size > 20
    started = refused = went_on = 0
    says: set[str] = set()
    for place in range(0, len(whole), size if EVERY else 3 * size):
        chance = random.Random(f"{damage.__name__} {place}")
        broken = damage(whole[place : place + size], chance)
        copy = tmp_path / "copy.db"
        for old in tmp_path.glob("copy.db*"):
            old.unlink()
        copy.write_bytes(whole[:place] + broken + whole[place + size :])
        try:
            with serving(copy) as (_, ann):
                started += 1
                ann.client.cookies.set("device", device)
                for room, view in shown.items():
                    answer = ann.get(f"/api/rooms/{room}")
                    if answer.status_code == 200:
                        assert answer.json()["view"] == view, (place, room)
                        table = view["table"]
                        acted = ann.act(room, table, table["does"], choice=first(table))
                        assert acted.status_code in (200, 403, 500, 503), acted.text
                        went_on += acted.status_code == 200
                    else:
                        refused += 1
                        # Or else who may see it is not known any more.
                        assert answer.json()["error"]["code"] in REFUSALS
        except ShutboxError as error:
            says.add(str(error))
    assert started
    # The number of its schema may be another one, or gone.
    known = ("restore", "another version", "not a database of shutbox")
    assert all(any(word in sentence for word in known) for sentence in says), says
    assert went_on > len(shown)
    if damage is not a_byte:
        assert refused


def first(table: dict[str, Any]) -> str:
    return table["offers"][0]["text"] if table["offers"] else ""
