"""Fuzz tests of the server: forms, sockets, and bytes that are not requests.

Each response must be an intended one, the room must not change, and the next request must be
answered. Forms are damaged in their fields and their encoding, and sent by clients without
permission.
"""

import contextlib
import random
import socket
from collections.abc import Iterator
from urllib.parse import quote_from_bytes, urlencode

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidURI
from websockets.sync.client import connect

from people import Person
from serving import Served
from shutbox.web.limits import LARGEST_BODY
from shutbox.web.server.app import PAGES

PATIENCE = 20
ROOM = "/api/rooms/{room}"
FORM = "application/x-www-form-urlencoded"
NAMES = (
    *("action", "game", "version", "seat", "do", "choice", "roll", "tile", "what", "computer"),
    *("key", "name", "who", "overrides", "preset", "format", "dice", "hints", "coach", "leaver"),
    *("position", "tile", "die0", "of", "aim", "score", "tally", "lately", "at", "step", "data"),
    *("record", "room", "", "\x00", "game[]", "__proto__", "n" * 300),
)
VALUES = (
    *("", "0", "1", "-1", "-2", "2", "11", "12", "99999999999999999999", "1.5", "1e9", "\u0661"),
    *("throw", "choose", "take-back", "correct", "leave", "come-back", "stand-in", "end", "renew"),
    *("rematch", "on", "off", "me", "here", "link", "computer", "computer:fixed:", "pub", "any"),
    *("classic", "classic(tiles=1-30,dice=12d6)", "classic(", "./x.toml", "rounds=1", "rounds=x"),
    *("1 7", "one die", "3+5", "7+7", "\x00", "a\x00b", "\U0001f600", "\u202e", "\ufeff", "\ufffd"),
    *("<b>", "{{ 7 * 7 }}", "${7}", "%s%n", "' OR 1=1 --", "x" * 401, "x" * 3000, "#", "\r\nX: y"),
)
POSITIONS = (
    *("classic", "classic:1.5.9/2+2", "classic:1.5.9/2+2.svg", "classic:9.9", "nothing:1", ":"),
    *("classic(tiles=1-30,dice=12d6).svg", "cargo", "pub", "the-300.png", "..", "x" * 401, "%00"),
    *("%F0%9F%98%80", "%ED%A0%80", "classic:%3Cb%3E", "classic:1%2F..%2F..%2Fetc", "::"),
)
DAYS = (
    *("2026-11-22", "1970-01-01", "9999-12-31", "2026-13-01", "today", "-1", "%00"),
    "%F0%9F%98%80",
)
RAW = (
    *(b"%ED%A0%80", b"%00", b"%", b"%zz", b"\xff\xfe", b"\xed\xa0\x80", b"+", b"%F0%9F%98%80"),
    b";",
)
KINDS = (
    *(FORM, f"{FORM}; charset=utf-16", "application/json", "text/plain", "multipart/form-data", ""),
    *("multipart/form-data; boundary=x", "multipart/form-data; boundary=", "APPLICATION/X"),
    "x" * 99,
)
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
    return path.format(room=room, text=chance.choice(POSITIONS), day=chance.choice(DAYS))


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
            kind = FORM if chance.random() < 0.8 else chance.choice(KINDS)
            if chance.random() < 0.04:
                body = body + b"&pad=" + b"x" * chance.choice((LARGEST_BODY, 2_000_000))
            content = in_chunks(body) if chance.random() < 0.3 else body
            response = client.post(where, content=content, headers={"content-type": kind})
        assert response.status_code in SAFE, (told, response.text[:300])
        seen.add(response.status_code)
    assert target.is_unhurt()
    assert seen >= {200, 400, 403, 404}


# Sockets


def test_sockets(target: Target, inputs: int, chance: random.Random) -> None:
    base = target.served.url.replace("http:", "ws:") + ROOM.format(room=target.room) + "/live"
    frames: tuple[str | bytes, ...] = (
        *("", "x", "{}", '{"do": "throw"}', "\U0001f600" * 100, "x" * 4000),
        *(b"", b"\x00" * 100, b"\xff" * 4000),
    )
    come_in = 0
    for _ in range(max(40, inputs // 2)):
        query = chance.choice(
            ("", "", "?since=0", "?since=2", "?since=-1", "?since=x", "?since=%00")
        )
        key = chance.choice(
            (target.keys["watch"], target.keys["0"], target.keys["0"], "x", "x" * 5000)
        )
        headers = {"Authorization": f"Bearer {key}"}
        if chance.random() < 0.3:
            headers["Origin"] = chance.choice(
                ("null", "http://evil.example", target.served.url, "x")
            )
        try:
            with connect(
                base + query, additional_headers=headers, open_timeout=PATIENCE, close_timeout=1
            ) as one:
                come_in += 1
                with contextlib.suppress(ConnectionClosed):
                    for _ in range(chance.randint(0, 4)):
                        one.send(chance.choice(frames))
                    if chance.random() < 0.1:
                        one.send("x" * 200_000)
                    if not query and chance.random() < 0.5:
                        one.recv(timeout=PATIENCE)
                if chance.random() < 0.4:  # as if the line were cut
                    with contextlib.suppress(OSError):
                        one.socket.shutdown(socket.SHUT_RDWR)
        except (InvalidHandshake, InvalidURI, ConnectionClosed, EOFError):
            continue
    assert come_in > 5
    assert target.is_unhurt()


GOOD = b"GET /api/games HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
ODD_REQUESTS = (
    b"",
    b"\r\n" * 1000,
    b"GET\r\n\r\n",
    b"GET / HTTP/9.9\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 20_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: \xff\xfe\r\nCookie: \xff=\x80; device=\xe9\r\n\r\n",
    b"GET /r/\xff\xfe%ff%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /play HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n"
    b"0\r\n\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    b"POST /play HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nabc",
    b"POST /play HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 99999999\r\n\r\n",
    b"POST /api/records HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf of it",
    b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
    b"GET /static/../../app.py HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /static/%2e%2e/app.py HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /static//etc/passwd HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /static/icon.svg%00.js HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /static/" + b"x" * 5000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /api/rooms/x/live HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\n\r\n",
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


@pytest.mark.parametrize("request_", ODD_REQUESTS, ids=lambda request: ascii(request[:30]))
def test_bytes_that_are_no_good_request(target: Target, request_: bytes) -> None:
    check_raw(raw(target.served, request_), request_)
    assert raw(target.served, GOOD).startswith(b"HTTP/1.1 200 ")
    assert target.is_unhurt()


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
