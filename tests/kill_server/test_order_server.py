"""Saved before acknowledged: the order of the server's system calls, traced with strace."""

import re
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import chain, count
from pathlib import Path
from typing import Any

import httpx2
import pytest
from websockets.sync.client import connect

from kill_server.calls import FORCING, TRACED, Place, faults
from kill_server.plants import EARLY, planted
from people import Person
from serving import PATIENCE, Served
from system_calls import Moment, read_moments

ROOMS = 2
RACERS = 2
"""Clients at each of these rooms."""
LAST = 30
"""The number at which they stop."""
PUB = {"game": "pub", "seats": [{"who": "me"}, {"who": "here"}]}
PLAIN = {"Accept-Encoding": "identity"}
"""So that what is sent can be read."""

strace = pytest.mark.skipif(
    shutil.which("strace") is None, reason="strace is not there to see the system calls of a server"
)

TRACER = """
import os, sys
strace, trace, calls, *program = sys.argv[1:]
options = ["-D", "-f", "-s", "1000000", "-e", "trace=" + calls, "-o", trace]
os.execv(strace, [strace, *options, sys.executable, *program])
"""
"""Becomes a tracer, which traces the process that it was."""


def traced(folder: Path, *program: str) -> tuple[Served, Path]:
    """A server that is going to be traced, and the path of the trace."""
    script, trace = folder / "tracer.py", folder / "trace"
    script.write_text(TRACER, encoding="utf-8")
    found = shutil.which("strace") or ""
    return Served(
        folder, program=(str(script), found, str(trace), ",".join(TRACED), *program)
    ), trace


class Listener(threading.Thread):
    """Listens to a room until it has heard the last number that there is to be."""

    def __init__(self, listen: Callable[[str, str], Iterator[str]], url: str, keys: str) -> None:
        super().__init__()
        self._messages = listen(url, keys)
        self.begun = threading.Event()
        self.numbers: set[int] = set()

    def run(self) -> None:
        for text in self._messages:
            self.numbers |= {int(number) for number in re.findall(r'"number":(\d+)', text)}
            self.begun.set()
            if LAST in self.numbers:
                return


def events(url: str, keys: str) -> Iterator[str]:
    """What a program hears."""
    headers = {"Authorization": f"Bearer {keys}", "Accept-Encoding": "identity"}
    with httpx2.stream("GET", f"{url}/events", headers=headers, timeout=PATIENCE) as response:
        yield from (line for line in response.iter_lines() if line.startswith("data: "))


def messages(url: str, keys: str) -> Iterator[str]:
    """What a page hears."""
    headers = {"Authorization": f"Bearer {keys}"}
    where = f"{url.replace('http', 'ws')}/live"
    with connect(where, additional_headers=headers, compression=None) as socket:
        while True:
            yield str(socket.recv(timeout=PATIENCE))


def play(served: Served) -> dict[Place, str]:
    """Let clients race at a table, with listeners; the actions by what was answered to them."""
    actions: dict[Place, str] = {}
    with served.client(headers=PLAIN) as client:
        opened = Person(client).open(**PUB)
    room, keys = opened["view"]["room"], ",".join(opened["keys"].values())
    actions[room, opened["number"]] = room  # nobody is told of it before
    url = f"{served.url}/api/rooms/{room}"
    listeners = [Listener(listen, url, keys) for listen in (events, messages)]
    for listener in listeners:
        listener.start()
        assert listener.begun.wait(PATIENCE)

    def race(number: int) -> None:
        headers = {**PLAIN, "Authorization": f"Bearer {keys}"}
        with served.client(headers=headers) as client:
            view: dict[str, Any] = opened["view"]
            for tries in count():
                if view["number"] >= LAST:
                    return
                action = f"{room}-{number}-{tries:06}"
                answer = act(client, room, action, view["table"]).json()
                view = answer["view"]
                if "number" in answer and "error" not in answer:
                    actions[room, answer["number"]] = action

    with ThreadPoolExecutor(RACERS) as pool:
        list(pool.map(race, range(RACERS)))
    for listener in listeners:
        listener.join()
        assert listener.numbers >= set(range(opened["number"], LAST + 1))
    return actions


def act(client: httpx2.Client, room: str, action: str, table: dict[str, Any]) -> httpx2.Response:
    """What is due at a table, or another game; the answer, or that somebody else was first."""
    if table["does"] == "over":
        return client.post(
            f"/api/rooms/{room}/rematch", json={"action": action, "game": table["game"]}
        )
    about = {key: table[key] for key in ("game", "version", "seat")}
    do = {"do": "throw"}
    if table["does"] == "choose":
        do = {"do": "choose", "choice": table["offers"][0]["text"]}
    response = client.post(f"/api/rooms/{room}/act", json={"action": action, **about, **do})
    assert response.status_code in (200, 409), response.text
    return response


def moments_of(trace: Path) -> list[Moment]:
    """The calls of a server that has stopped, once the tracer has written them all."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        lines = trace.read_text(encoding="utf-8").splitlines()
        if lines and lines[-1].endswith("+++") and lines[-1].split()[0] == lines[0].split()[0]:
            return list(read_moments(lines))
        time.sleep(0.02)
    raise AssertionError(f"the trace has no end: {trace.read_text(encoding='utf-8')[-200:]}")


def order(folder: Path, *program: str) -> tuple[list[str], int]:
    """What is wrong with the order of a server's calls, and how often it forced something."""
    served, trace = traced(folder, *program)
    with served, ThreadPoolExecutor(ROOMS) as pool:
        actions = dict(chain.from_iterable(r.items() for r in pool.map(play, [served] * ROOMS)))
    moments = moments_of(trace)
    forced = sum(moment.name in FORCING and moment.result == 0 for moment in moments)
    found = faults(moments, f"{folder / 'tables.db'}-wal", actions)
    # What is about the seal of the dice comes by itself, and a rematch begins with its envelope.
    with closing(sqlite3.connect(folder / "tables.db")) as stored:
        own = stored.execute(
            "SELECT room, number FROM events "
            """WHERE entry LIKE '{"type":"dice%' OR entry LIKE '{"type":"begin%'"""
        )
        known = {f"{place} was told and nobody was answered so" for place in own}
    return [fault for fault in found if fault not in known], forced


@strace
def test_every_number_is_on_the_disk_before_it_is_told(tmp_path: Path) -> None:
    found, forced = order(tmp_path, "-m", "shutbox", "serve")
    assert found == []
    assert forced > LAST


@strace
def test_a_planted_early_answer_is_found(tmp_path: Path) -> None:
    found, _ = order(tmp_path, planted(tmp_path, EARLY))
    assert any("was told before it was on the disk" in fault for fault in found), found
