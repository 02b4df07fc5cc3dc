"""Rate limits shared by several processes in Redis, and their behaviour without it."""

import contextlib
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from kill_server.plants import planted
from people import Person
from serving import PATIENCE, Served, free_port

ROOMS = 4
SMALL = f"""
from shutbox.web import limits
from shutbox.web.http import rates
limits.ROOMS_OF_ADDRESS = "{ROOMS}/hour"
rates._SILENT_SECONDS = 0.2
"""
"""Few rooms for an address; and Redis is asked again soon after it did not answer."""


class Redis:
    """A Redis of our own, which keeps nothing on the disk."""

    def __init__(self, program: str, folder: Path) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}"
        bound = ["--port", str(self.port), "--bind", "127.0.0.1"]
        self._command = [program, *bound, "--save", "", "--dir", str(folder)]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE
        while not self._answers():
            assert time.monotonic() < end, "Redis does not start"
            time.sleep(0.02)

    def _answers(self) -> bool:
        with (
            contextlib.suppress(OSError),
            socket.create_connection(("127.0.0.1", self.port), 1.0) as line,
        ):
            line.sendall(b"PING\r\n")
            return line.recv(100).startswith(b"+PONG")
        return False

    def send(self, what: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(what)

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(PATIENCE)
            self._process = None


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed")
    found = Redis(program, tmp_path)
    found.start()
    yield found
    found.stop()


@pytest.fixture
def people(redis: Redis, tmp_path: Path) -> Iterator[tuple[Person, Person]]:
    """Two people of one address, each at a process of its own that counts in this Redis."""
    script = planted(tmp_path, SMALL)
    with contextlib.ExitStack() as running:
        found = []
        for name in ("one", "other"):
            folder = tmp_path / name
            folder.mkdir()
            options = ("--rates", redis.url)
            served = running.enter_context(
                Served(folder, *options, program=(script,), limited=True)
            )
            client = served.client()
            found.append(Person(running.enter_context(client)))
        yield found[0], found[1]


def opens(person: Person) -> httpx2.Response:
    return person.post("/api/rooms", game="classic")


def check_too_often(response: httpx2.Response) -> None:
    assert (response.status_code, response.json()["error"]["code"]) == (429, "full")
    assert 1 <= int(response.headers["retry-after"]) <= 3600


def test_two_processes_count_together(people: tuple[Person, Person]) -> None:
    ann, bob = people
    for number in range(ROOMS):
        assert opens(people[number % 2]).status_code == 201
    for who in (ann, bob, ann):
        check_too_often(opens(who))
    # What is counted is one thing, and not another.
    assert ann.get("/").status_code == 200
    assert bob.post("/api/rooms/nowhere/act").status_code in (400, 404)


def test_without_redis_play_goes_on(people: tuple[Person, Person], redis: Redis) -> None:
    begun = [who.open(game="classic")["view"] for who in people]
    tables = [
        who.step(view["room"], view["table"]) for who, view in zip(people, begun, strict=True)
    ]
    redis.send(signal.SIGSTOP)
    for _ in range(4):
        for number, (who, view) in enumerate(zip(people, begun, strict=True)):
            if tables[number]["does"] == "over":
                again = who.post(f"/api/rooms/{view['room']}/rematch", game=tables[number]["game"])
                tables[number] = again.json()["view"]["table"]
            else:
                tables[number] = who.step(view["room"], tables[number])
    # Nobody is kept from a table, either.
    for _ in range(ROOMS):
        for who in people:
            assert opens(who).status_code == 201
    redis.send(signal.SIGCONT)
    # Once it is back, it counts.
    for who in people:
        end = time.monotonic() + PATIENCE
        while (last := opens(who)).status_code == 201:
            assert time.monotonic() < end, "rates are not counted again"
            time.sleep(0.05)
        check_too_often(last)
