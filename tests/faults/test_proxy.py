"""A real nginx with deploy/nginx.conf identifies clients, counts them, and leaves room for all."""

import json
import select
import socket
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from faults.checks import check_load
from faults.test_wire import SLOW_HEAD, connected
from kill_server.load import Load
from kill_server.plants import planted
from kill_server.told import rows_of
from nginx import nginx, trusting
from people import Person
from serving import PATIENCE, Served, free_port

SLOW = 1500
"""More than the nginx of a system holds at once, unless it is told to."""
OPENINGS = 9


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the server behind the proxy."""
    return tmp_path_factory.mktemp("proxy")


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """The address of a proxy with a server behind it; 127.0.0.1 asks as often as it likes.

    All tests have the same, each with clients of its own addresses.
    """
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    rate = f"from shutbox.web import limits\nlimits.OPENINGS_OF_ADDRESS = '{OPENINGS}/day'\n"
    with (
        Served(folder, "--url", url, program=(planted(folder, rate),)) as served,
        nginx(port, {"a": [served.port]}, "127.0.0.1"),
    ):
        yield url


def test_slow_headers_leave_room_for_players(site: str, folder: Path) -> None:
    load = Load(site)
    with ExitStack() as open_ones:
        for _ in range(SLOW):
            slow = open_ones.enter_context(connected(int(site.rpartition(":")[2])))
            slow.sendall(SLOW_HEAD)
        with load.playing():
            load.wait(100)
    check_load(load, rows_of(folder / "tables.db"))
    assert load.told.heard
    assert not load.told.not_now


def test_each_visitor_is_known_by_the_address_they_come_from(site: str) -> None:
    def tries(address: str) -> list[int]:
        believed = {"X-Forwarded-For": "127.0.0.1"}  # if it were, nothing would be counted
        wire = httpx2.HTTPTransport(local_address=address)
        with httpx2.Client(
            base_url=site, transport=wire, headers=believed, timeout=PATIENCE
        ) as client:
            return [
                Person(client).post("/api/rooms", game="no-such-game").status_code
                for _ in range(OPENINGS + 1)
            ]

    assert tries("127.0.0.18") == tries("127.0.0.19") == [422] * OPENINGS + [429]


def test_an_address_that_asks_too_much_is_delayed_and_then_refused(site: str) -> None:
    port = int(site.rpartition(":")[2])

    def answered(address: str, path: str, number: int, least: int) -> Counter[int]:
        """Send so many requests at once; return the statuses once `least` have arrived."""
        head = f"GET {path} HTTP/1.1\r\nHost: {site.removeprefix('http://')}\r\n\r\n"
        with ExitStack() as open_ones:
            wires = []
            for _ in range(number):
                wire = socket.create_connection(("127.0.0.1", port), PATIENCE, (address, 0))
                wires.append(open_ones.enter_context(wire))
                wire.sendall(head.encode())
            there: list[socket.socket] = []
            end = time.monotonic() + PATIENCE
            while len(there) < least and time.monotonic() < end:
                time.sleep(0.05)
                there, _, _ = select.select(wires, [], [], 0)
            return Counter(int(wire.recv(4096).split()[1]) for wire in there)

    for path, at_once, burst in (
        ("/no-such-page", 20, 60),
        ("/r/no-such-room", 8, 120),
        ("/api/rooms/no-such-room/live", 15, 100),
    ):
        asked = burst + 40
        found = answered("127.0.0.28", path, asked, at_once + 45)
        assert set(found) == {404, 429}
        assert found.total() < asked - 10  # the others are delayed
        assert answered("127.0.0.29", path, at_once, at_once) == {404: at_once}
        assert answered("127.0.0.1", path, asked, asked) == {404: asked}
    assert answered("127.0.0.28", "/static/base.css", 200, 200) == {200: 200}


def test_over_https_pages_pass_with_cookies_links_and_streams(tmp_path: Path) -> None:
    port, origin = free_port(), "https://box.example"
    with (
        Served(tmp_path, "--url", origin) as served,
        nginx(port, {"a": [served.port]}, "127.0.0.1", tls=True) as site,
        httpx2.Client(
            base_url=site, headers={"host": "box.example"}, verify=False, timeout=PATIENCE
        ) as client,
    ):
        asked = client.post("/play", data={"game": "classic"}, headers={"origin": origin})
        [cookie] = [c for c in asked.headers.get_list("set-cookie") if "device" in c]
        assert cookie.startswith("__Host-device=")
        assert {"secure", "httponly", "path=/"} <= {p.strip().lower() for p in cookie.split(";")}
        assert asked.headers["strict-transport-security"]
        sent = {"game": "classic", "action": "behind-a-proxy"}
        room = client.post("/api/rooms", json=sent, headers={"origin": origin}).json()
        path = f"/api/rooms/{room['view']['room']}"
        # The server knows the device again, and makes links of the address that people use.
        you = client.get(path).json()["you"]
        assert you["seats"] == [0]
        assert you["links"]["watch"].startswith(f"{origin}/r/{room['view']['room']}#")
        for other in ("http://box.example", "https://box.example:8443", "https://evil.example"):
            refused = client.post("/play", data={"game": "classic"}, headers={"origin": other})
            assert refused.status_code == 403
        assert client.get("/", headers={"host": "evil.example"}).status_code == 421

        def first_message(origin: str) -> str:
            cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            with connect(
                f"wss://box.example{path}/live",
                sock=socket.create_connection(("127.0.0.1", port), PATIENCE),
                ssl=trusting(),
                additional_headers={"Cookie": cookies, "Origin": origin},
                close_timeout=0.5,
            ) as page:
                return str(json.loads(page.recv(PATIENCE))["type"])

        assert first_message(origin) == "picture"
        with pytest.raises(WebSocketException):
            first_message("https://evil.example")
