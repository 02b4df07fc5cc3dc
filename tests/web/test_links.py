"""Regenerated links: who loses access, from when, and who keeps it."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from people import Person
from serving import PATIENCE, Served
from shutbox.web.api import streams
from shutbox.web.server.services import Server

TWO = [{"who": "me", "name": "Ann"}, {"who": "link"}]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("links")) as served:
        yield served


def by(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_an_entering_that_is_asked_for_again_opens_nothing_once_the_link_is_new(
    person: Callable[[], Person],
) -> None:
    ann, mallory, bob = person(), person(), person()
    opened = ann.open(game="pub", seats=TWO)
    room = opened["view"]["room"]
    path = f"/api/rooms/{room}"
    enter = {"key": opened["keys"]["1"], "name": "Bob", "action": "sit-down-here"}
    seat_key = mallory.post(f"{path}/enter", **enter).json()["key"]
    assert mallory.post(f"{path}/enter", **enter).json()["key"] == seat_key
    assert bob.enter(room, seat_key).status_code == 200
    assert bob.post(f"{path}/renew", seat=1).status_code == 200
    for who in (mallory, person()):
        again = who.post(f"{path}/enter", **enter)
        assert (again.status_code, again.json()["error"]["code"]) == (403, "not-allowed")
        assert who.get(path).status_code == 403
        assert who.get(path, headers=by(seat_key)).status_code == 403
    assert bob.get(path).json()["you"]["seats"] == [1]


def test_a_visitor_with_a_link_does_not_wait_for_a_computer_player(
    person: Callable[[], Person], server: Server
) -> None:
    """A computer player holds the room's lock while it thinks; to look, nobody needs the lock."""
    ann, bob = person(), person()
    room = ann.open(game="pub", seats=TWO)["view"]["room"]
    live = server.rooms.cached_room(room)
    assert live is not None
    client: Any = ann.client
    client.portal.call(live.lock.acquire)
    free = threading.Timer(PATIENCE, client.portal.call, [live.lock.release])
    free.start()
    assert bob.get(f"/r/{room}").status_code == 200
    assert live.lock.locked()
    free.cancel()


def test_a_link_that_was_made_anew_by_its_own_key_is_told_once_more(
    person: Callable[[], Person],
) -> None:
    ann, bot = person(), person()
    opened = ann.open(game="pub", seats=TWO)
    room = opened["view"]["room"]
    path = f"/api/rooms/{room}"
    key = bot.enter(room, opened["keys"]["1"], "Robo").json()["key"]
    bot.client.cookies.clear()  # a program that has nothing but its key

    def renew(key: str, action: str) -> httpx2.Response:
        body = {"seat": 1, "action": action}
        response = bot.client.post(f"{path}/renew", json=body, headers=by(key))
        bot.client.cookies.clear()
        return response

    first = renew(key, "the-first-time")
    again = renew(key, "the-first-time")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json()["number"] == first.json()["number"]
    link = first.json()["you"]["links"]["seats"]["1"]
    assert again.json()["you"]["links"]["seats"]["1"] == link
    assert renew(key, "something-else").status_code == 403
    assert renew(link.partition("#")[2], "the-second-time").status_code == 200
    assert renew(key, "the-first-time").status_code == 403


def test_whoever_is_shut_out_while_the_body_comes_does_nothing_any_more(served: Served) -> None:
    with served.client() as client:
        ann = Person(client)
        opened = ann.open(game="classic", seats=TWO[:1])
        room, key = opened["view"]["room"], opened["keys"]["0"]
        act = {"game": 1, "version": 0, "seat": 0, "do": "throw", "action": "from-before"}
        body = json.dumps(act).encode()
        head = (
            f"POST /api/rooms/{room}/act HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
            f"Authorization: Bearer {key}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        ).encode()
        with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as slow:
            slow.sendall(head + body[:10])
            assert ann.post(f"/api/rooms/{room}/renew", seat=0).status_code == 200
            slow.sendall(body[10:])
            answer = b"".join(iter(lambda: slow.recv(65_536), b""))
        assert answer.startswith(b"HTTP/1.1 403 ")
        assert ann.table(room)["version"] == 0


def test_only_the_streams_of_whoever_is_shut_out_end(served: Served) -> None:
    live = served.url.replace("http", "ws")
    with served.client() as client:
        ann = Person(client)
        opened = ann.open(game="pub", seats=TWO)
        room, keys = opened["view"]["room"], opened["keys"]
        path = f"/api/rooms/{room}"
        key = ann.enter(room, keys["1"], "Bob").json()["key"]
        address = f"{live}{path}/live"
        with (
            connect(address, additional_headers=by(keys["0"])) as hers,
            connect(address, additional_headers=by(key)) as his,
        ):
            for stream in (hers, his):
                stream.recv(timeout=PATIENCE)
            renewed = client.post(
                f"{path}/renew", json={"seat": 1, "action": "shut-them-out"}, headers=by(key)
            )
            assert renewed.status_code == 200
            with pytest.raises(ConnectionClosed) as closed:
                list(his)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == streams.COME_BACK
            told = json.loads(hers.recv(timeout=PATIENCE))
            while told["type"] == "watching":
                told = json.loads(hers.recv(timeout=PATIENCE))
            assert told["happened"]["kind"] == "renew"
            ann.act(room, ann.table(room), "throw", seat=ann.table(room)["seat"])
            assert json.loads(hers.recv(timeout=PATIENCE))["type"] == "event"
        # Whoever comes with the old key hears why, and that it is for good.
        with connect(address, additional_headers=by(key)) as again:
            with pytest.raises(ConnectionClosed) as closed:
                again.recv(timeout=PATIENCE)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == streams.REFUSED


def test_a_server_that_stops_waits_for_no_body(tmp_path: Path) -> None:
    with Served(tmp_path) as served:
        head = (
            f"POST /api/rooms HTTP/1.1\r\nHost: 127.0.0.1:{served.port}\r\n"
            "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
        ).encode()
        with socket.create_connection(("127.0.0.1", served.port), PATIENCE) as slow:
            slow.sendall(head)
            assert served.get("/health").status_code == 200  # it has come by now
            served.stop()
            assert slow.recv(65_536).startswith(b"HTTP/1.1 503 ")
    assert "Traceback" not in served.log.read_text()
