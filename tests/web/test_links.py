"""Links for other devices: QR codes, previews in a chat, device links; and deleting one's data."""

import asyncio
import re
from collections.abc import Callable

import pytest
import segno
from sqlalchemy import select

from people import Person, cookies_of, path_of
from push_service import Browser
from sealed_tables import at_two
from shutbox.web import limits
from shutbox.web.pages.links import picture
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import metadata

SEATS = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]


def test_the_code_of_each_link_is_that_of_its_address(ann: Person) -> None:
    table = ann.open(game="classic", seats=SEATS)
    room, links = table["view"]["room"], table["you"]["links"]
    for seat, link in (("", links["watch"]), ("?seat=1", links["seats"]["1"])):
        answer = ann.get(f"/r/{room}/qr{seat}")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == picture(link)
        assert link.partition("#")[2] not in answer.text + str(answer.url)
    # The picture has every dark square of the code.
    code = segno.make("https://box.example/r/abc#key", error="m", micro=False)
    [line] = re.findall(r'd="(M[^"]+)"', picture("https://box.example/r/abc#key").decode())[1:]
    drawn = sum(int(run) for run in re.findall(r"h(\d+)", line))
    assert drawn == sum(sum(row) for row in code.matrix)


def test_a_chat_shows_a_link_without_its_secret_and_only_who_invites(
    ann: Person, bob: Person, person: Callable[[], Person]
) -> None:
    table = ann.open(game="classic", seats=[*SEATS, {"who": "link", "name": "Cleo"}])
    room, stranger = table["view"]["room"], person()
    bob.enter(room, table["keys"]["1"], "Bob")
    page = stranger.get(f"/r/{room}")
    assert page.status_code == 200
    about = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert about.keys() >= {"title", "description", "image"}
    assert re.fullmatch(r"http://testserver/static/icons/full\.png\?v=\w+", about["image"])
    assert stranger.get(about["image"]).status_code == 200
    assert about["title"] == "Ann invites you to Shut the Box"
    assert about["description"].startswith("Classic: One round. A chair is free.")
    for secret in (*table["keys"].values(), "Bob", "Cleo"):
        assert secret not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    for id, says in (
        (room[:9], "This link is missing its end."),
        (room[:-1] + "0", "There is no such table."),
    ):
        answer = stranger.get(f"/r/{id}")
        assert (answer.status_code, says in answer.text) == (404, True)
    ann.post(path_of(room, "stand-in"), seat=2)
    assert "Ann" not in stranger.get(f"/r/{room}").text, "nobody is invited any more"


def delete(person: Person) -> str:
    """What the page says once the data is deleted; the cookie is gone with it."""
    assert 'action="/games/delete"' in person.get("/games/delete").text
    answer = person.client.post("/games/delete", data={})
    assert answer.status_code == 200
    assert "device" not in person.client.cookies
    return str(answer.text)


def test_nothing_about_the_device_is_left(ann: Person, bob: Person, server: Server) -> None:
    room = ann.open(game="classic")["view"]["room"]
    today = ann.post("/api/today").json()["view"]["room"]
    assert ann.client.post("/games/link", data={}).status_code == 200
    found = Browser().subscribed("https://updates.push.services.mozilla.com/wpush/v2/ann")
    keys = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
    assert ann.post("/api/push", **keys).status_code == 200
    theirs, shared = bob.open(game="classic")["view"]["room"], at_two(ann, bob)
    cookies, device = cookies_of(ann.client), hashed(ann.client.cookies["device"])

    def tables_with_it() -> set[str]:
        """The tables of the database with a row about this device."""
        tables = [table for table in metadata.sorted_tables if "device" in table.c]
        rows = server.database.rows
        return {t.name for t in tables if rows(select(t).where(t.c.device == device))}

    assert tables_with_it() == {"grants", "tries", "handovers", "subscriptions"}
    assert "Your data is deleted" in delete(ann)
    assert tables_with_it() == set()
    for table in metadata.sorted_tables:
        if "room" in table.c:
            left = {row.room for row in server.database.rows(select(table.c.room))}
            assert left <= {theirs, shared, None}, table.name
    assert not {room, today} & set(asyncio.run(server.log.rooms_of(device, 9)))
    for path in (path_of(theirs), path_of(shared)):
        assert bob.get(path).status_code == 200
    assert ann.get(path_of(shared), headers=cookies).status_code == 403, "the cookie of before"
    assert "No games yet" in ann.client.post("/games/link", data={}).text


def test_the_newest_tables_are_deleted_up_to_a_bound(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LISTED_TABLES", 1)
    monkeypatch.setattr(limits, "MOST_FORGOTTEN", 2)
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    device = hashed(ann.client.cookies["device"])
    delete(ann)
    assert asyncio.run(server.log.rooms_of(device, 9)) == [rooms[0]]
