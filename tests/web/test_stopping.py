"""A stopping server: which requests it still serves, and for how long."""

import json
import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from people import Person
from serving import PATIENCE, Served, until
from shutbox.web.api.streams import COME_BACK

LONG = "double-shutter"  # it takes seconds to work out


def ended(served: Served) -> bool:
    assert served.process is not None
    return served.process.poll() is not None


def signalled(served: Served) -> None:
    assert served.process is not None
    served.process.send_signal(signal.SIGTERM)


@contextmanager
def heard(served: Served, opened: dict[str, Any]) -> Iterator[ClientConnection]:
    address = f"{served.url.replace('http', 'ws')}/api/rooms/{opened['view']['room']}/live"
    bearer = {"Authorization": f"Bearer {opened['keys']['0']}"}
    with connect(address, additional_headers=bearer) as socket:
        socket.recv(timeout=PATIENCE)
        yield socket


def hear_all(socket: ClientConnection) -> None:
    """Receive messages, such as that of the table's seal, until the line ends."""
    while True:
        socket.recv(timeout=PATIENCE)


def test_a_server_that_stops_tells_its_listeners_to_come_back(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.client() as client:
        with heard(served, Person(client).open(game="classic")) as socket:
            signalled(served)
            with pytest.raises(ConnectionClosed) as closed:
                hear_all(socket)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == COME_BACK
        until(lambda: ended(served))


def test_work_that_waits_is_refused_as_soon_as_the_server_stops(tmp_path: Path) -> None:
    with Served(tmp_path) as served, served.client() as client:
        ann = Person(client)
        opened = ann.open(game=LONG)
        room = opened["view"]["room"]
        ann.step(room, opened["view"]["table"])
        robots = [{"who": "computer:perfect"}, {"who": "computer:first"}]
        ann.open(game=LONG, format="rounds=1,order=seats", seats=robots)
        cookies = dict(client.cookies)

        def hint(_: int) -> httpx2.Response:
            with served.client(cookies=cookies) as other:
                return other.get(f"/api/rooms/{room}/hint")

        with ThreadPoolExecutor(3) as pool:
            answers = pool.map(hint, range(3))
            time.sleep(2.0)  # one is worked out, and two wait
            signalled(served)
            said = [answer.json()["error"]["message"] for answer in answers]
        assert said == ["The server is stopping; try again in 3 seconds."] * 3
        until(lambda: ended(served))
    lines = [json.loads(line) for line in served.log.read_text().splitlines()]
    assert [line for line in lines if line["level"] == "error"] == []
