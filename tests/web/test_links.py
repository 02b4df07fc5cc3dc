"""Links for other devices: QR codes, previews in a chat, device links; and deleting one's data."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import pytest
import segno
from sqlalchemy import Table, select

from people import Person, cookies_of, path_of
from push_service import Browser
from shutbox.web import limits
from shutbox.web.pages.links import picture
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import metadata

Make = Callable[[], Person]
SEATS = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]


@pytest.fixture
def opened(person: Make) -> tuple[Person, dict[str, Any]]:
    ann = person()
    return ann, ann.open(game="classic", seats=SEATS)


def test_the_code_of_each_link_is_that_of_its_address(opened: tuple[Person, Any]) -> None:
    ann, table = opened
    room, links = table["view"]["room"], table["you"]["links"]
    seen = {}
    for seat, link in (("", links["watch"]), ("?seat=1", links["seats"]["1"])):
        answer = ann.get(f"/r/{room}/qr{seat}")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == picture(link)
        assert link.partition("#")[2] not in answer.text + str(answer.url)
        seen[seat] = answer.content
    assert len(set(seen.values())) == 2


def test_the_picture_has_every_dark_square_of_the_code() -> None:
    code = segno.make("https://box.example/r/abc#key", error="m", micro=False)
    [line] = re.findall(r'd="(M[^"]+)"', picture("https://box.example/r/abc#key").decode())[1:]
    drawn = sum(int(run) for run in re.findall(r"h(\d+)", line))
    assert drawn == sum(sum(row) for row in code.matrix)


def test_a_chat_shows_a_link_without_its_secret_and_only_who_invites(person: Make) -> None:
    ann = person()
    table = ann.open(game="classic", seats=[*SEATS, {"who": "link", "name": "Cleo"}])
    room = table["view"]["room"]
    person().enter(room, table["keys"]["1"], "Bob")
    page = person().get(f"/r/{room}")
    assert page.status_code == 200
    about = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert about.keys() >= {"title", "description", "image"}
    assert re.fullmatch(r"http://testserver/static/icons/full\.png\?v=\w+", about["image"])
    assert person().get(about["image"]).status_code == 200
    assert about["title"] == "Ann invites you to Shut the Box"
    assert about["description"].startswith("Classic: One round. A chair is free.")
    for secret in (*table["keys"].values(), "Bob", "Cleo"):
        assert secret not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    cut, gone = (person().get(f"/r/{id}") for id in (room[:9], room[:-1] + "0"))
    assert cut.status_code == gone.status_code == 404
    assert "This link is missing its end." in cut.text
    assert "There is no such table." in gone.text
    ann.post(path_of(room, "stand-in"), seat=2)
    assert "Ann" not in person().get(f"/r/{room}").text, "nobody is invited any more"


# A device link


def test_a_device_without_games_has_none_to_hand_over(person: Make) -> None:
    new = person()
    assert new.send_form("/games/take", {"key": "x" * 24}).status_code == 409
    assert new.client.cookies["device"]
    assert "No games yet" in new.client.post("/games/link", data={}).text


# Deleting one's data


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
