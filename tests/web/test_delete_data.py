"""Delete my data: what is gone afterwards, and what others keep."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Table, select, update

from people import Person
from push_service import Browser
from shutbox.web import limits
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import events, metadata

Make = Callable[[], Person]
TWO = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]
ORDER = {"game": "classic", "seats": TWO, "format": "rounds=1,order=seats"}


def delete(person: Person) -> str:
    """What the page says once the data is deleted; the cookie is gone with it."""
    assert 'action="/games/delete"' in person.get("/games/delete").text
    answer = person.client.post("/games/delete", data={})
    assert answer.status_code == 200
    assert "device" not in person.client.cookies
    return str(answer.text)


def tables_with(server: Server, device: str) -> set[str]:
    """The names of the database's tables with a row about this device."""
    found = set()
    with server.database.reader.connect() as connection:
        for table in metadata.sorted_tables:
            if "device" in table.c and connection.execute(about(table, device)).first():
                found.add(table.name)
    return found


def about(table: Table, device: str) -> Any:
    return select(table).where(table.c.device == device)


def test_nothing_about_the_device_is_left(person: Make, server: Server) -> None:
    ann, bob = person(), person()
    room = ann.open(game="classic")["view"]["room"]
    today = ann.post("/api/today").json()["view"]["room"]
    for path in ("/games/link", "/games/phrase"):
        assert ann.client.post(path, data={}).status_code == 200
    found = Browser().subscribed("https://updates.push.services.mozilla.com/wpush/v2/ann")
    keys = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
    assert ann.post("/api/push", **keys).status_code == 200
    theirs = bob.open(game="classic")["view"]["room"]
    device = hashed(ann.client.cookies["device"])
    assert tables_with(server, device) == {
        *("grants", "tries", "handovers", "recoveries", "subscriptions"),
    }
    assert "Your data is deleted" in delete(ann)
    assert tables_with(server, device) == set()
    with server.database.reader.connect() as connection:
        for table in metadata.sorted_tables:
            if "room" in table.c and table.name != "notices":
                left = set(connection.scalars(select(table.c.room)))
                assert left <= {theirs, None}, table.name
    assert not {room, today} & set(asyncio.run(server.log.rooms_of(device, 9)))
    assert bob.get(f"/api/rooms/{theirs}").status_code == 200


def test_a_player_of_others_leaves_without_a_name_and_they_play_on(
    person: Make, server: Server
) -> None:
    ann, bob = person(), person()
    opened = ann.open(**ORDER)
    room, at = opened["view"]["room"], f"/api/rooms/{opened['view']['room']}"
    bob.enter(room, opened["keys"]["1"], "Bob")
    assert ann.act(room, ann.table(room), "throw").status_code == 200
    delete(ann)
    view = bob.get(at).json()["view"]
    assert [seat["name"] for seat in view["seats"]] == ["Player 1", "Bob"]
    assert view["seats"][0]["state"] == "left"
    assert "Ann" not in bob.get(f"{at}/record").text
    assert ann.get(at).status_code == 403
    assert bob.post(f"{at}/stand-in", seat=0).status_code == 200
    delete(bob)  # the last one takes the table with them
    assert server.log.archive.events(room) == []


def test_a_guest_that_is_a_program_and_has_no_cookie_plays_on(person: Make) -> None:
    ann, program = person(), person()
    opened = ann.open(**ORDER)
    room, key = opened["view"]["room"], opened["keys"]["1"]
    program.client.headers["authorization"] = f"Bearer {key}"
    key = program.enter(room, key, "Robo").json()["key"]
    program.client.headers["authorization"] = f"Bearer {key}"
    delete(ann)
    assert program.get(f"/api/rooms/{room}").json()["you"]["seats"] == [1]


def test_a_table_that_cannot_be_read_is_left_to_those_who_may_play_there(
    person: Make, server: Server
) -> None:
    ann, program = person(), person()
    opened = ann.open(**ORDER)
    room, key = opened["view"]["room"], opened["keys"]["1"]
    program.client.headers["authorization"] = f"Bearer {key}"
    assert program.enter(room, key, "Robo").status_code == 200
    with server.database.writer.begin() as connection:
        connection.execute(update(events).where(events.c.number == 1).values(at=0.0))
    server.rooms.forget(-1)
    delete(ann)
    assert server.log.archive.length(room)


def test_a_table_that_another_device_has_stays_there(person: Make) -> None:
    old, new = person(), person()
    room = old.open(game="classic")["view"]["room"]
    key = old.client.post("/games/link", data={}).text.partition("/games/take#")[2][:24]
    new.client.post("/games/take", data={"key": key})
    delete(old)
    assert new.get(f"/api/rooms/{room}").json()["you"]["seats"] == [0]
    assert old.get(f"/api/rooms/{room}").status_code == 403


def test_more_tables_than_are_listed_are_deleted(
    person: Make, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LISTED_TABLES", 2)
    ann = person()
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(5)]
    delete(ann)
    assert [server.log.archive.length(room) for room in rooms] == [0] * 5


def test_without_a_device_there_is_nothing_to_delete(person: Make) -> None:
    assert "Your data is deleted" in delete(person())


def test_the_newest_tables_are_deleted_up_to_a_bound(
    person: Make, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LISTED_TABLES", 1)
    monkeypatch.setattr(limits, "MOST_FORGOTTEN", 2)
    ann = person()
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    device = hashed(ann.client.cookies["device"])
    delete(ann)
    assert asyncio.run(server.log.rooms_of(device, 9)) == [rooms[0]]
