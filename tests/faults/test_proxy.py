"""A real nginx, configured as in the docs: clients are identified and share its connections."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import takewhile
from pathlib import Path

import httpx2
import pytest
from websockets.sync.client import connect

from faults.checks import check_load
from faults.test_wire import SLOW_HEAD, connected
from kill_server.load import Load
from kill_server.told import rows_of
from nginx import nginx
from people import Person
from serving import PATIENCE, Served, free_port
from shutbox.web import limits

SLOW = 1500
"""More than the nginx of a system holds at once, unless it is told to."""
AT_ONCE = limits.CONNECTIONS_AT_ONCE
OPENINGS = int(limits.OPENINGS_OF_ADDRESS.partition("/")[0])


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """The address of a proxy with a server behind it; 127.0.0.1 asks as often as it likes."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with Served(tmp_path, "--url", url) as served, nginx(port, [served.port], "127.0.0.1"):
        yield url


def test_slow_headers_leave_room_for_players(site: str, tmp_path: Path) -> None:
    load = Load(site)
    with ExitStack() as open_ones:
        for _ in range(SLOW):
            slow = open_ones.enter_context(connected(int(site.rpartition(":")[2])))
            slow.sendall(SLOW_HEAD)
        with load.playing():
            load.wait(100)
    check_load(load, rows_of(tmp_path / "tables.db"))
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

    assert tries("127.0.0.8") == tries("127.0.0.9") == [422] * OPENINGS + [429]


def test_an_address_that_asks_too_much_is_refused_by_the_proxy(site: str) -> None:
    def answered(address: str, most: int) -> int:
        wire = httpx2.HTTPTransport(local_address=address)
        with httpx2.Client(base_url=site, transport=wire, timeout=PATIENCE) as client:
            asked = (client.get("/no-such-page").status_code for _ in range(most))
            return sum(1 for _ in takewhile(lambda status: status == 404, asked))

    assert AT_ONCE <= answered("127.0.0.8", 20 * AT_ONCE) < 20 * AT_ONCE
    assert answered("127.0.0.9", AT_ONCE) == AT_ONCE
    assert answered("127.0.0.1", 2 * AT_ONCE) == 2 * AT_ONCE


def test_a_page_hears_through_it_and_nobody_reads_the_numbers(site: str) -> None:
    with httpx2.Client(base_url=site, timeout=PATIENCE) as client:
        assert client.get("/metrics").status_code == 404
        ann = Person(client)
        opened = ann.open(game="classic", seats=[{"who": "me"}])
        room = opened["view"]["room"]
        address = f"{site.replace('http', 'ws')}/api/rooms/{room}/live"
        cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        headers = {"Cookie": cookies, "Origin": site}
        with connect(address, additional_headers=headers, close_timeout=0.5) as page:
            ann.step(room, opened["view"]["table"])
            while json.loads(page.recv(PATIENCE))["number"] <= opened["view"]["number"]:
                pass
