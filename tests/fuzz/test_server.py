"""Fuzz tests of the server: forms, and bytes that are not requests.

Each response must be an intended one, the room must not change, and the next request must be
answered. Forms are damaged in their fields and their encoding, and sent by clients without
permission.
"""

import contextlib
import random
import socket
import tomllib
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote_from_bytes, urlencode

import httpx2
import pytest

from people import Person
from serving import Served
from shutbox.web.limits import LARGEST_BODY
from shutbox.web.server.app import PAGES

PATIENCE = 20
ROOM = "/api/rooms/{room}"
FORM = "application/x-www-form-urlencoded"
DATA: dict[str, list[str]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "fuzz.toml").read_text(encoding="utf-8")
)["server"]
NAMES = (*DATA["names"], "n" * 300)
VALUES = (*DATA["values"], "x" * 401, "x" * 3000)
POSITIONS = (*DATA["positions"], "x" * 401)
RAW = [text.encode("latin-1") for text in DATA["raw"]]
SAFE = (200, 303, 307, 400, 403, 404, 405, 409, 422)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with Served(tmp_path_factory.mktemp("fuzzed")) as served:
        yield served
    lines = served.log.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if '"broken"' in line or "Traceback" in line] == []


class Target:
    """A room that nothing of this may change, and those who try."""

    def __init__(self, served: Served, ann: httpx2.Client, watcher: httpx2.Client) -> None:
        self.served = served
        self.ann, self.watcher = Person(ann), Person(watcher)
        seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
        opened = self.ann.open(game="pub", format="order=seats", seats=seats)
        self.room, self.keys = opened["view"]["room"], opened["keys"]
        assert self.watcher.enter(self.room, self.keys["watch"]).status_code == 200
        self.before = self.picture()

    def picture(self) -> object:
        found = self.ann.get(ROOM.format(room=self.room)).json()
        return found["view"], found["log"]

    def is_unhurt(self) -> bool:
        """It answers, and nothing has happened."""
        return self.picture() == self.before


@pytest.fixture
def target(served: Served) -> Iterator[Target]:
    with served.client() as ann, served.client() as watcher:
        yield Target(served, ann, watcher)


@pytest.fixture
def inputs(request: pytest.FixtureRequest) -> int:
    number: int = request.config.getoption("--fuzz")
    return number


@pytest.fixture
def chance(inputs: int) -> random.Random:
    return random.Random() if inputs >= 1000 else random.Random(1)


def somewhere(path: str, chance: random.Random, room: str) -> str:
    """An address of a page: of this room, of any position, of any day."""
    path = path.replace(":path}", "}")
    return path.format(room=room, text=chance.choice(POSITIONS), day=chance.choice(DATA["days"]))


def fields(chance: random.Random, path: str) -> bytes:
    """Fields that are missing, doubled, odd, or spoilt in their coding."""
    pairs = [(chance.choice(NAMES), chance.choice(VALUES)) for _ in range(chance.randint(0, 9))]
    if chance.random() < 0.7:  # most of what a form of a table has
        pairs += [("game", "1"), ("version", chance.choice("0123")), ("seat", chance.choice("012"))]
        pairs += [("do", chance.choice(["throw", "choose", "take-back", "correct"]))]
        pairs += [("what", chance.choice(["leave", "renew", "stand-in", "end", "rematch", ""]))]
    if path.endswith("/enter"):
        pairs += [("key", chance.choice(VALUES)), ("name", chance.choice(VALUES))]
    if chance.random() < 0.05:
        pairs += [("x", "")] * 150
    chance.shuffle(pairs)
    coded = [urlencode([pair]).encode() for pair in pairs]
    for place in range(len(coded)):
        if chance.random() < 0.1:
            coded[place] = coded[place].partition(b"=")[0] + b"=" + chance.choice(RAW)
    body = b"&".join(coded)
    for _ in range(chance.choice((0, 0, 0, 1, 3))):
        at = chance.randint(0, len(body))
        body = body[:at] + chance.choice(RAW) + body[at + chance.randint(0, 2) :]
    return body


def in_chunks(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), 4096):
        yield body[start : start + 4096]


def test_forms(target: Target, inputs: int, chance: random.Random) -> None:
    seen = set()
    for _ in range(inputs * 4):
        method, path, _handler = chance.choice(PAGES)
        room = chance.choice((*[target.room] * 3, "nowhere", "%00", "%F0%9F%98%80"))
        where, body = somewhere(path, chance, room), fields(chance, path)
        if path in ("/new", "/play") and b"tiles" not in body and chance.random() < 0.8:
            where = "/r/" + target.room + "/do"  # tables are opened seldom
        client = target.watcher.client
        told = (method, where, body)
        if method == "GET":
            query = body.decode("latin-1")
            response = client.get(f"{where}?{quote_from_bytes(query.encode(), safe='&=%+')}")
        else:
            kind = FORM if chance.random() < 0.8 else chance.choice(DATA["kinds"])
            if chance.random() < 0.04:
                body = body + b"&pad=" + b"x" * chance.choice((LARGEST_BODY, 2_000_000))
            content = in_chunks(body) if chance.random() < 0.3 else body
            response = client.post(where, content=content, headers={"content-type": kind})
        assert response.status_code in SAFE, (told, response.text[:300])
        seen.add(response.status_code)
    assert target.is_unhurt()
    assert seen >= {200, 400, 403, 404}


# Bytes


GOOD = b"GET /api/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
ODD_REQUESTS = (
    *(text.encode("latin-1") for text in DATA["requests"]),
    b"\r\n" * 1000,
    b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
    b"GET /static/" + b"x" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + b"a," * 5000 + b"\r\n\r\n",
)


def raw(served: Served, request: bytes) -> bytes:
    """What comes back when these bytes are all that is said.

    A good request says itself that it is the last. After any other the line is shut: nobody waits
    for the rest. Who shuts it may be gone before the turn of a request comes.
    """
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as line:
        parts = []
        with contextlib.suppress(OSError):
            line.sendall(request)
            if request != GOOD:
                line.shutdown(socket.SHUT_WR)
        with contextlib.suppress(ConnectionError):
            while part := line.recv(65536):
                parts.append(part)
        return b"".join(parts)


def check_raw(answer: bytes, request: bytes) -> None:
    if answer:
        assert answer.startswith(b"HTTP/1.1 "), answer[:100]
        assert answer[9:10] in b"1234", (request[:200], answer[:200])
    assert b"root:" not in answer
    assert b"import " not in answer


def test_bytes(target: Target, inputs: int, chance: random.Random) -> None:
    room = target.room.encode()
    good = (
        GOOD,
        b"GET /r/"
        + room
        + b" HTTP/1.1\r\nHost: x\r\nCookie: device=abc\r\nConnection: close\r\n\r\n",
        b"POST /r/" + room + b"/act HTTP/1.1\r\nHost: x\r\nContent-Type: " + FORM.encode() + b"\r\n"
        b"Content-Length: 20\r\nConnection: close\r\n\r\ngame=1&version=0&x=1",
        b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        b"5\r\nabcde\r\n0\r\n\r\n",
    )
    for request in ODD_REQUESTS:
        check_raw(raw(target.served, request), request)
        assert raw(target.served, GOOD).startswith(b"HTTP/1.1 200 "), request[:99]
    for _ in range(inputs):
        request = chance.choice(good)
        for _ in range(chance.randint(1, 5)):
            at = chance.randrange(len(request))
            middle = chance.choice(
                (b"", b"\r\n", b"\x00", b" ", b":", b"\xff", chance.randbytes(3))
            )
            request = request[:at] + middle + request[at + chance.randint(0, 3) :]
        check_raw(raw(target.served, request), request)
    assert raw(target.served, GOOD).startswith(b"HTTP/1.1 200 ")
    assert target.is_unhurt()
