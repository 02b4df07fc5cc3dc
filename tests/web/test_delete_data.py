"""Delete my data: what is gone afterwards, and what others keep."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Table, select

from people import Person, cookies_of, path_of
from push_service import Browser
from shutbox.web import limits
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import metadata

Make = Callable[[], Person]


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
    assert ann.client.post("/games/link", data={}).status_code == 200
    found = Browser().subscribed("https://updates.push.services.mozilla.com/wpush/v2/ann")
    keys = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
    assert ann.post("/api/push", **keys).status_code == 200
    theirs = bob.open(game="classic")["view"]["room"]
    device = hashed(ann.client.cookies["device"])
    assert tables_with(server, device) == {
        *("grants", "tries", "handovers", "subscriptions"),
    }
    assert "Your data is deleted" in delete(ann)
    assert tables_with(server, device) == set()
    with server.database.reader.connect() as connection:
        for table in metadata.sorted_tables:
            if "room" in table.c:
                left = set(connection.scalars(select(table.c.room)))
                assert left <= {theirs, None}, table.name
    assert not {room, today} & set(asyncio.run(server.log.rooms_of(device, 9)))
    assert bob.get(f"/api/rooms/{theirs}").status_code == 200


def test_the_cookie_of_before_opens_no_seat(person: Make) -> None:
    ann, bob = person(), person()
    opened = ann.open(game="classic", seats=[{"who": "me", "name": "Ann"}, {"who": "link"}])
    path = path_of(opened["view"]["room"])
    bob.enter(opened["view"]["room"], opened["keys"]["1"], "Bob")
    cookies = cookies_of(ann.client)
    assert ann.get(path).json()["you"]["seats"] == [0]
    delete(ann)
    assert ann.get(path, headers=cookies).status_code == 403
    assert bob.get(path).status_code == 200


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
