"""Front ends elsewhere: a host allows their origins, and they act with keys alone."""

from dataclasses import replace

import pytest
from starlette.testclient import TestClient

from people import Person
from shutbox.web.errors import BadRequest
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database

APP, OTHER = "https://app.example", "https://other.example"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, origins=(APP,))


def test_a_front_end_elsewhere_plays_with_its_keys(ann: Person) -> None:
    asked = ann.client.options("/api/rooms", headers={"Origin": APP})
    assert asked.status_code == 204
    assert asked.headers["access-control-allow-origin"] == APP
    assert "Authorization" in asked.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in asked.headers
    ann.client.headers["Origin"] = APP
    opened = ann.open(game="six")
    room, key = opened["view"]["room"], opened["keys"]["0"]
    assert ann.act(room, {"game": 1, "version": 0, "seat": 0}, "throw").status_code == 403
    ann.client.headers["Authorization"] = f"Bearer {key}"
    done = ann.act(room, ann.table(room), "throw")
    assert done.status_code == 200
    assert done.headers["access-control-allow-origin"] == APP
    assert "Origin" in done.headers["vary"]


def test_a_cookie_is_neither_read_nor_set_for_it(ann: Person) -> None:
    room = ann.open(game="six")["view"]["room"]
    assert ann.client.cookies
    assert ann.get(f"/api/rooms/{room}").status_code == 200
    refused = ann.get(f"/api/rooms/{room}", headers={"Origin": APP})
    assert refused.status_code == 403
    assert refused.headers["access-control-allow-origin"] == APP
    ann.client.cookies.clear()
    opened = ann.client.post(
        "/api/rooms", json={"action": "action-elsewhere", "game": "six"}, headers={"Origin": APP}
    )
    assert opened.status_code == 201
    assert "set-cookie" not in opened.headers
    assert not ann.client.cookies


@pytest.mark.parametrize("origin", [OTHER, "null", f"{APP}.evil.example", "http://app.example"])
def test_other_origins_are_refused_as_before(ann: Person, origin: str) -> None:
    ann.client.headers["Origin"] = origin
    refused = ann.post("/api/rooms", game="six")
    assert refused.status_code == 403
    assert "access-control-allow-origin" not in refused.headers
    assert ann.client.options("/api/rooms").status_code == 405


def test_pages_and_their_forms_are_not_for_others(ann: Person) -> None:
    assert "access-control-allow-origin" not in ann.get("/", headers={"Origin": APP}).headers
    assert ann.client.post("/new", headers={"Origin": APP}).status_code in (403, 404, 405)


def test_without_the_option_no_other_origin_acts(settings: Settings) -> None:
    plain = replace(settings, origins=())
    with TestClient(app_of(Server(plain, Database(plain.database)))) as client:
        sent = client.post("/api/rooms", json={"action": "action-1"}, headers={"Origin": APP})
        assert sent.status_code == 403


@pytest.mark.parametrize(
    "origin", ["*", "app.example", "https://app.example/", "https://A.example"]
)
def test_what_is_no_origin_is_refused_at_the_start(settings: Settings, origin: str) -> None:
    with pytest.raises(BadRequest, match="is not an origin such as"):
        replace(settings, origins=(origin,))
