"""Moving games to another device with a link or a phrase: which games, to whom, for how long."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from people import Person
from shutbox.web import limits
from shutbox.web.rooms.access import hashed
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import handovers

Make = Callable[[], Person]


def link_of(person: Person) -> str:
    """A link that takes the games of this device along."""
    page = person.client.post("/games/link", data={})
    assert page.status_code == 200
    [link] = re.findall(r'value="([^"]+/games/take#[^"]+)"', page.text)
    assert link.partition("#")[0] == f"{page.url.scheme}://{page.url.netloc.decode()}/games/take"
    return unescape(link)


def test_only_a_hash_of_the_key_is_kept(person: Make, server: Server) -> None:
    old = person()
    old.open(game="classic")
    key = link_of(old).partition("#")[2]
    with server.database.reader.connect() as connection:
        [row] = connection.execute(select(handovers)).all()
    assert row.link == hashed(key)
    assert row.device == hashed(old.client.cookies["device"])
    assert len(key) == 24


def test_a_device_without_games_has_none_to_hand_over(person: Make) -> None:
    new = person()
    assert new.send_form("/games/take", {"key": "x" * 24}).status_code == 409
    assert new.client.cookies["device"]
    assert "No games yet" in new.client.post("/games/link", data={}).text


def test_links_are_bounded_for_an_address(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "KEYS_OF_ADDRESS", "60/day")  # a minute can pass meanwhile
    monkeypatch.setattr(limits, "HANDOVERS_OF_ADDRESS", "12/day")
    counted = Settings(database=settings.database)
    server = Server(counted, Database(counted.database))
    with TestClient(app_of(server), client=("192.0.2.1", 50000)) as client:
        Person(client).open(game="classic")
        most = int(limits.HANDOVERS_OF_ADDRESS.partition("/")[0])
        said = [client.post("/games/link", data={}).status_code for _ in range(most + 1)]
        assert said == [*[200] * most, 429]
        keys = [client.post("/games/take", data={"key": "x" * 24}).status_code for _ in range(61)]
        assert keys == [*[409] * 60, 429]
