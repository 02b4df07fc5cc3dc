"""Players are told by Web Push when it is their turn and no page of theirs is open."""

import asyncio
import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from in_process import client_of, server_of, settings_in
from people import Person
from push_service import Browser, PushService, check_signature, decoded, serving
from sealed_tables import at_two
from serving import PATIENCE, until
from shutbox.web import push
from shutbox.web.push import WebPush, new_key
from shutbox.web.rooms.access import Viewer
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.schema import subscriptions


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushService]:
    with serving(tmp_path_factory.mktemp("push")) as found:
        yield found


@pytest.fixture(autouse=True)
def fresh(service: PushService) -> None:
    service.received.clear()
    service.status, service.location = 201, ""


@pytest.fixture
def settings(tmp_path: Path, service: PushService) -> Settings:
    return settings_in(tmp_path, push=(service.host,))


@pytest.fixture
def server(server: Server, service: PushService) -> Server:
    server.push.tls = service.tls
    server.notices.seconds = 0.0
    return server


@pytest.fixture
def room(ann: Person, bob: Person) -> str:
    """A table at which Ann begins, and at which Bob's turn comes next."""
    return at_two(ann, bob, game="six", format="rounds=1,order=seats")


def subscribe(who: Person, browser: Browser, endpoint: str) -> int:
    found = browser.subscribed(endpoint)
    body = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
    return who.post("/api/push", **body).status_code


def play_turn(ann: Person, room: str) -> None:
    while (table := ann.table(room))["seat"] == 0:
        ann.step(room, table)


def test_a_player_whose_page_is_closed_is_told_of_the_turn(
    ann: Person, bob: Person, room: str, service: PushService
) -> None:
    browser, key = Browser(), bob.get("/api/push").json()["key"]
    assert subscribe(bob, browser, f"{service.url}/bob?x=1") == 200
    play_turn(ann, room)
    until(lambda: len(service.received) == 1)
    [(path, headers, body)] = service.received
    assert path == "/bob?x=1"
    check_signature(headers["Authorization"], key, service.url)
    about = json.loads(browser.reads(body))
    assert about == {"path": f"/r/{room}", "title": "Six"}  # nobody's name
    assert (headers["Topic"], headers["Content-Encoding"]) == (room, "aes128gcm")
    assert int(headers["TTL"]) > 24 * 3600  # it works over days


@pytest.mark.parametrize("stops", [False, True], ids=["has the page open", "has stopped"])
def test_who_needs_no_message_gets_none(
    stops: bool, ann: Person, bob: Person, room: str, service: PushService, server: Server
) -> None:
    assert subscribe(bob, Browser(), f"{service.url}/bob") == 200
    live = server.rooms.loaded_room(room)
    assert live is not None
    if stops:
        assert bob.post("/api/push/stop").status_code == 200
    else:
        live.listen(None, Viewer(frozenset({1})))
    play_turn(ann, room)
    until(lambda: not server.notices._tasks)
    assert service.received == []


@pytest.mark.parametrize("status", [404, 410, 500])
def test_only_an_expired_subscription_is_deleted(
    ann: Person,
    bob: Person,
    room: str,
    service: PushService,
    server: Server,
    status: int,
) -> None:
    assert subscribe(bob, Browser(), f"{service.url}/bob") == 200
    service.status = status
    play_turn(ann, room)
    until(lambda: bool(service.received) and not server.notices._tasks)
    assert len(server.database.rows(select(subscriptions))) == int(status == 500)


def test_a_redirect_is_not_followed_and_a_slow_service_delays_nobody_for_long(
    service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def sent(host: str) -> None:
        """Send a message, which does not say that the subscription has expired."""
        sender = WebPush(new_key(), "https://box.example", (host,))
        sender.tls = service.tls
        sending = sender.send(Browser().subscribed(f"https://{host}/x"), {}, "room")
        assert await asyncio.wait_for(sending, PATIENCE)

    service.status, service.location = 307, f"{service.url}/elsewhere"
    asyncio.run(sent(service.host))
    assert [path for path, _, _ in service.received] == ["/x"]
    monkeypatch.setattr(push, "_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        asyncio.run(sent(f"localhost:{silent.getsockname()[1]}"))


def test_a_subscription_that_is_none_is_refused(ann: Person, service: PushService) -> None:
    for end in ("\r\nX: y", "\n", " HTTP/1.1"):
        assert subscribe(ann, Browser(), f"{service.url}/x{end}") == 400
    assert subscribe(ann, Browser(auth="AAAA"), f"{service.url}/x") == 400


def test_the_private_key_is_stored_and_without_the_extra_it_is_off(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert server._push().key == server.push.key
    assert len(decoded(server.push.key)) == 65
    monkeypatch.setitem(sys.modules, "py_vapid", None)
    assert server._push().key == ""
    asyncio.run(server.close())


def test_a_host_can_turn_it_off(tmp_path: Path) -> None:
    with client_of(server_of(settings_in(tmp_path, push=("off",)))) as client:
        assert client.get("/api/push").json() == {"key": ""}
        someone = Person(client)
        someone.open(game="classic")
        assert subscribe(someone, Browser(), "https://fcm.googleapis.com/x") == 422
