"""Two servers behind nginx with deploy/nginx.conf: https outside, http inside."""

import contextlib
import json
import socket
from collections.abc import Callable, Iterator
from itertools import count, filterfalse
from typing import Any

import httpx2
import pytest
from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

from kill_server.plants import planted
from kill_server.postgres import fresh_database
from nginx import nginx, trusting
from people import Person, path_of
from serving import PATIENCE, Served, free_port, running

SITE = "https://box.example"
ROOMS = 4
"""Rooms that an address may open here in an hour, at one process."""
_addresses, _actions = count(2), count(1)


@contextlib.contextmanager
def proxy(processes: list[Served]) -> Iterator[int]:
    """Yield the port of an nginx before these processes, which refuses nobody here."""
    port = free_port()
    ports = {name: [process.port] for name, process in zip("ab", processes, strict=False)}
    with nginx(port, ports, "127.0.0.0/8", tls=True):
        yield port


class Visitor(Person):
    """Somebody with an address of this machine, for whom the site is at this port."""

    def __init__(self, port: int) -> None:
        self.address = f"127.0.0.{next(_addresses)}"
        self._port = port
        transport = _Through(self.address, port)
        client = httpx2.Client(
            base_url=SITE, transport=transport, timeout=PATIENCE, follow_redirects=True
        )
        super().__init__(client)

    def socket(self, path: str, origin: str = SITE) -> ClientConnection:
        """A WebSocket, with the cookies of this visitor."""
        there = ("127.0.0.1", self._port)
        line = socket.create_connection(there, PATIENCE, source_address=(self.address, 0))
        line.settimeout(None)
        cookies = "; ".join(f"{k}={v}" for k, v in self.client.cookies.items())
        return connect(
            f"wss://box.example{path}",
            sock=line,
            ssl=trusting(),
            additional_headers={"Cookie": cookies, "Origin": origin},
            close_timeout=0.5,
        )


class _Through(httpx2.BaseTransport):
    """Asks the proxy instead of the host of the address."""

    def __init__(self, address: str, port: int) -> None:
        self._inner = httpx2.HTTPTransport(verify=False, local_address=address)
        self._port = port

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        inside = httpx2.Request(
            request.method,
            request.url.copy_with(host="127.0.0.1", port=self._port),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        return self._inner.handle_request(inside)

    def close(self) -> None:
        self._inner.close()


@pytest.fixture(scope="module")
def processes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Served]]:
    """Two of them, each with its own name."""
    folder = tmp_path_factory.mktemp("proxied")
    plant = planted(
        folder, f"from shutbox.web import limits\nlimits.ROOMS_OF_ADDRESS = '{ROOMS}/hour'\n"
    )
    with fresh_database() as url:
        options = {"database": url, "program": (plant,), "limited": True}
        two = [Served(folder, "--url", SITE, "--name", name, **options) for name in "ab"]  # type: ignore[arg-type]
        with running(two):
            yield two


@pytest.fixture(scope="module")
def port(processes: list[Served]) -> Iterator[int]:
    with proxy(processes) as port:
        yield port


@pytest.fixture
def visitor(port: int) -> Iterator[Callable[[], Visitor]]:
    with contextlib.ExitStack() as clients:

        def another() -> Visitor:
            found = Visitor(port)
            clients.enter_context(found.client)
            return found

        yield another


def test_pages_pass_with_their_cookies_and_links(visitor: Callable[[], Visitor]) -> None:
    ann = visitor()
    origin = {"origin": SITE}
    begun = ann.client.post("/play", data={"game": "classic"}, headers=origin)
    assert begun.status_code == 200, begun.text
    room = begun.url.path.rpartition("/")[2]
    [cookie] = [c for c in begun.history[0].headers.get_list("set-cookie") if "device" in c]
    assert cookie.startswith("__Host-device=")
    assert {"secure", "httponly", "path=/"} <= {p.strip().lower() for p in cookie.split(";")}
    assert begun.headers["strict-transport-security"]
    # Its server knows the device again, and makes links of the address that people use.
    for _ in range(2):
        seen = ann.get(path_of(room)).json()
        assert seen["you"]["seats"] == [0]
        assert seen["you"]["links"]["watch"].startswith(f"{SITE}/r/{room}#")
    assert ann.get("/static/pages/table.js").status_code == 200
    for other in ("http://box.example", "https://box.example:8443", "https://evil.example"):
        refused = ann.client.post("/play", data={"game": "classic"}, headers={"origin": other})
        assert refused.status_code == 403
    assert ann.get("/", headers={"host": "evil.example"}).status_code == 421


def heard(line: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(line.recv(timeout=PATIENCE))
    return message


def moved(line: ClientConnection) -> dict[str, Any]:
    """Return the next message that is not about the seal of the dice."""
    while is_of_seal(message := heard(line)):
        pass
    return message


def is_of_seal(message: dict[str, Any]) -> bool:
    """Whether a message is about the seal of the dice, which comes by itself."""
    return message["type"] == "event" and bool(message["happened"]["kind"] == "dice")


def test_streams_pass_from_either_process(visitor: Callable[[], Visitor]) -> None:
    ann = visitor()
    opened = ann.open(game="classic")
    room, path = opened["view"]["room"], path_of(opened["view"]["room"], "events")
    with contextlib.ExitStack() as lines:
        sockets = [lines.enter_context(ann.socket(path_of(room, "live"))) for _ in range(2)]
        streams = [lines.enter_context(ann.client.stream("GET", path)) for _ in range(2)]
        events = [filterfalse(is_of_seal, told(stream)) for stream in streams]
        firsts = [*map(moved, sockets), *map(next, events)]
        assert {first["type"] for first in firsts} == {"picture"}
        table = ann.table(room)
        for _ in range(3):
            table = ann.step(room, table)
            messages = [*map(moved, sockets), *map(next, events)]
            assert {one["view"]["table"]["version"] for one in messages} == {table["version"]}


def told(stream: httpx2.Response) -> Iterator[dict[str, Any]]:
    for line in stream.iter_lines():
        if line.startswith("data: "):
            yield json.loads(line.removeprefix("data: "))


def test_a_page_of_another_site_gets_no_socket(visitor: Callable[[], Visitor]) -> None:
    ann = visitor()
    room = ann.open(game="classic")["view"]["room"]
    with ann.socket(path_of(room, "live")) as line:
        heard(line)
    for origin in ("http://box.example", "https://evil.example"):
        with (
            pytest.raises(WebSocketException),
            ann.socket(path_of(room, "live"), origin=origin) as line,
        ):
            heard(line)


# Who is counted


def test_rates_are_of_whoever_asks_and_not_of_the_proxy(processes: list[Served]) -> None:
    with proxy(processes[:1]) as port:
        ann, bob = Visitor(port), Visitor(port)
        with ann.client, bob.client:
            for _ in range(ROOMS):
                ann.open(game="classic")
            forged = [{}, *({"x-forwarded-for": said} for said in ("192.0.2.1", "127.0.0.1", "x"))]
            for headers in forged:
                body = {"game": "classic", "action": "one-room-too-many"}
                refused = ann.client.post("/api/rooms", json=body, headers=headers)
                assert (refused.status_code, refused.json()["error"]["code"]) == (429, "full")
            assert ann.get("/").status_code == 200
            bob.open(game="classic")
            # What is asked without a proxy is asked by this machine, which has opened nothing.
            inside = Person(processes[0].client(headers={"host": "box.example"}))
            with inside.client:
                inside.open(game="classic")
