"""What visitors who mean harm can do to the others: `make attack`.

A server of its own on this machine: eight people play `classic` at their tables, one asks for hints
and one opens a table now and then, all from 127.0.0.1. Meanwhile others, from 127.0.0.2 to
127.0.0.4, do within the limits whatever takes the most. For each attack, and for all together, it
says how long the eight waited for their actions, and the two for theirs, and how much memory the
processes of the server have between them (proportional set size). The baseline is the first line,
in which nobody attacks. Attackers have machines of their own: here they give way to the others on
the cores that all share. `--nginx` puts a real nginx before the server, set up as docs/hosting.md
says: then the attackers' addresses are told by it.
"""

import argparse
import asyncio
import base64
import os
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bench.tables import share

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from conftest import NOTHING_SKIPPED
from kill_server.postgres import fresh_database
from nginx import nginx
from serving import Served, free_port, running

COMMAND = ("-m", "shutbox", "serve")
PLAYERS = 8
BETWEEN = 0.15
"""Seconds between two actions of one of them."""
ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
LARGE = "classic(tiles=1-30,dice=12d18,cover=one)"
SLOW = "classic(tiles=1-24,dice=3d8)"
FRAMES = {"pings": (0x89, b""), "parts": (0x00, b""), "long pings": (0x89, b"x" * 125)}


@dataclass
class Seen:
    """The seconds that people waited."""

    actions: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    failed: int = 0
    memory: int = 0


class People:
    """Somebody's requests, from one address."""

    def __init__(self, url: str, address: str) -> None:
        self.client = aiohttp.ClientSession(
            base_url=url,
            connector=aiohttp.TCPConnector(limit=0, local_addr=(address, 0)),
            timeout=aiohttp.ClientTimeout(total=60),
        )
        self._ids = 0

    def id(self) -> str:
        self._ids += 1
        return f"attack-{os.getpid()}-{self._ids:06}"

    async def opened(self, **about: Any) -> dict[str, Any]:
        body = {"action": self.id(), "seats": [{"who": "me"}], **about}
        async with self.client.post("/api/rooms", json=body) as response:
            found: dict[str, Any] = await response.json()
        return found

    async def opened_at_last(self, **about: Any) -> dict[str, Any]:
        """The same, however often it is refused or not even heard."""
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                if "view" in (found := await self.opened(**about)):
                    return found
            await asyncio.sleep(0.05)

    async def step(self, opened: dict[str, Any]) -> None:
        """One throw, one choice, or another game; `opened` becomes what is there then."""
        table, room = opened["view"]["table"], opened["view"]["room"]
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        body = {"action": self.id(), "game": table["game"]}
        if table["does"] == "over":
            path = f"/api/rooms/{room}/rematch"
        else:
            path = f"/api/rooms/{room}/act"
            body |= {"seat": 0, "version": table["version"], "do": table["does"]}
            if table["does"] == "choose":
                body["choice"] = table["offers"][0]["text"]
        async with self.client.post(path, json=body, headers=headers) as response:
            response.raise_for_status()
            opened["view"] = (await response.json())["view"]

    async def hint(self, opened: dict[str, Any]) -> None:
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        path = f"/api/rooms/{opened['view']['room']}/hint"
        async with self.client.get(path, headers=headers) as response:
            response.raise_for_status()
            await response.read()


# Those who play


async def played(urls: list[str], seconds: float) -> Seen:
    """What people wait for who play meanwhile, at each process in turn."""
    seen, end = Seen(), time.monotonic() + seconds
    everybody = [People(url, "127.0.0.1") for url in urls]
    people = everybody[0]

    async def timed(times: list[float], does: Awaitable[Any]) -> None:
        begun = time.perf_counter()
        try:
            await does
            times.append(time.perf_counter() - begun)
        except (aiohttp.ClientError, TimeoutError):
            seen.failed += 1

    async def plays(number: int) -> None:
        people = everybody[number % len(everybody)]
        table = await people.opened(game="classic")
        await asyncio.sleep(BETWEEN * number / PLAYERS)
        while time.monotonic() < end:
            await timed(seen.actions, people.step(table))
            await asyncio.sleep(BETWEEN)

    async def asks() -> None:
        table = await people.opened(game="classic")
        await people.step(table)
        while time.monotonic() < end:
            await timed(seen.hints, people.hint(table))
            await asyncio.sleep(1)

    async def opens() -> None:
        while time.monotonic() < end:
            await timed(seen.openings, people.opened(game="pub", seats=[{"who": "me"}] * 2))
            await asyncio.sleep(1)

    await asyncio.gather(*map(plays, range(PLAYERS)), asks(), opens())
    for each in everybody:
        await each.client.close()
    return seen


def memory_of(pid: int) -> int:
    """The bytes of a process and of all that it has started, what they share counted once."""
    parts = 0
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            parts += 1024 * int(line.split()[1]) if line.startswith("Pss:") else 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            parts += sum(map(memory_of, map(int, (task / "children").read_text().split())))
    return parts


# Those who attack


async def floods(url: str, address: str, frame: tuple[int, bytes]) -> None:
    """Frames as fast as they go, by a stream that nobody reads; by another, once it is cut off."""
    people = People(url, address)
    room = (await people.opened_at_last(game="classic"))["view"]["room"]
    host, port = url.removeprefix("http://").split(":")
    opcode, data = frame
    sent = (struct.pack("!BB", opcode, 0x80 | len(data)) + bytes(4) + data) * 2000
    cookies = "; ".join(f"{c.key}={c.value}" for c in people.client.cookie_jar)
    key = base64.b64encode(os.urandom(16)).decode()
    head = (
        f"GET /api/rooms/{room}/live HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {cookies}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: {key}\r\n\r\n"
    ).encode()

    def flood() -> None:
        with suppress(OSError), socket.socket() as wire:
            wire.bind((address, 0))
            wire.settimeout(30)
            wire.connect((host, int(port)))
            wire.sendall(head)
            wire.recv(12)
            while True:
                wire.sendall(sent)

    while True:
        await asyncio.to_thread(flood)


async def opens(url: str, address: str) -> None:
    """Tables that take a computer player long to solve, six at a time."""
    people = People(url, address)
    seats = [{"who": "computer:perfect"}, {"who": "computer:careful"}]

    async def open_on() -> None:
        for game in (LARGE, SLOW):
            with suppress(aiohttp.ClientError, TimeoutError):
                await people.opened(game=game, seats=seats)

    await forever(open_on, 6)


async def asks(url: str, address: str) -> None:
    """Hints at tables that take long to solve, four at a time."""
    people = People(url, address)
    tables: list[dict[str, Any]] = []
    for game in (LARGE, SLOW):
        with suppress(aiohttp.ClientError, TimeoutError):
            tables.append(await people.opened(game=game))

    async def ask_on() -> None:
        for table in tables:
            with suppress(aiohttp.ClientError, TimeoutError, KeyError):
                if table["view"]["table"]["does"] == "throw":
                    await people.step(table)
                await people.hint(table)

    await forever(ask_on, 4)


async def uploads(url: str, address: str) -> None:
    """A long record to be played again, four at a time."""
    people = People(url, address)
    record = await asyncio.to_thread(long_record)

    async def upload() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            headers = {"Content-Type": "text/plain"}
            async with people.client.post("/api/records", data=record, headers=headers) as told:
                await told.read()

    await forever(upload, 4)


async def watches(url: str, address: str) -> None:
    """As many streams of one table as there may be, again and again."""
    people = People(url, address)
    opened = await people.opened_at_last(game="classic")
    headers = {"Authorization": f"Bearer {opened['keys']['watch']}"}

    async def watch() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            path = f"/api/rooms/{opened['view']['room']}/live"
            async with people.client.ws_connect(path, headers=headers) as stream:
                async for _ in stream:
                    pass

    await forever(watch, 200)


async def idles(url: str, address: str) -> None:
    """Connections on which nothing is asked."""
    host, port = url.removeprefix("http://").split(":")

    async def wait() -> None:
        with suppress(OSError):
            reader, _ = await asyncio.open_connection(host, int(port), local_addr=(address, 0))
            await reader.read()

    await forever(wait, 600)


async def forever(does: Callable[[], Awaitable[None]], times: int) -> None:
    """Do it again and again, so many at a time."""

    async def again() -> None:
        while True:
            await does()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(again() for _ in range(times)))


def long_record() -> bytes:
    """A sound record of about 150 kB."""
    from shutbox import SeededCup, Table
    from shutbox.lookup import header_of, match_of
    from shutbox.record import Source, written
    from shutbox.seats import Seat

    match = match_of("classic", ["Ann", "Bob"], "rounds=500")
    table = Table(match, SeededCup("attack"))
    while table.due is not None and table.version < 4_500:
        offers = table.scene.offers
        if offers:
            table.apply(table.prepare_choice(offers[0].text, seat=table.due))
        else:
            table.apply(table.prepare_throw(seat=table.due))
    seats = [Seat("Ann"), Seat("Bob")]
    source = Source("seed", "attack")
    header = header_of(match, seats, source, program="attack", begun="2026-11-22 12:00:00 UTC")
    return written(header, match, table.log)


ATTACKS: dict[str, Callable[[str, str], Awaitable[None]]] = {
    **{
        name: lambda url, address, frame=frame: floods(url, address, frame)  # type: ignore[misc]
        for name, frame in FRAMES.items()
    },
    "tables": opens,
    "hints": asks,
    "records": uploads,
    "watchers": watches,
    "idle": idles,
}
HEAD = "attack        act p50   act p99   act max  hint max  open max   MB now    failed"


def measured(processes: list[Served], urls: list[str], attacks: list[str], seconds: float) -> Seen:
    """What those who play wait for while others attack, each attack from an address in turn."""
    command = [sys.executable, "-m", "bench.attack"]
    attackers = [
        subprocess.Popen(
            [
                *(*command, "--against", urls[number % len(urls)]),
                *("--attack", attack, "--from", address),
            ],
            stderr=subprocess.DEVNULL,
        )
        for number, attack in enumerate(attacks)
        for address in ([ADDRESSES[number % 3]] if len(attacks) > 1 else ADDRESSES[:1])
    ]
    try:
        time.sleep(3 if attacks else 0)  # until they have begun
        seen = asyncio.run(played(urls, seconds))
        seen.memory = sum(memory_of(served.pid) for served in processes)
        if any(attacker.poll() is not None for attacker in attackers):
            sys.exit(f"an attacker has ended by himself: {', '.join(attacks)}")
    finally:
        for attacker in attackers:
            attacker.kill()
            attacker.wait()
    return seen


def row(name: str, seen: Seen) -> str:
    """The line of an attack, in milliseconds."""
    times = [*(share(seen.actions, part) for part in (0.5, 0.99, 1))]
    times += [max(seen.hints, default=0), max(seen.openings, default=0)]
    numbers = "".join(f"{1000 * each:10.1f}" for each in times)
    return f"{name:<11}{numbers}{seen.memory / 1e6:9.0f}{seen.failed:10}"


def main() -> None:
    """Every attack by itself, and all together."""
    rounds = {"nobody": [], **{name: [name] for name in ATTACKS}, "all": [*ATTACKS]}
    parser = argparse.ArgumentParser(prog="python -m bench.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="of each (default: 15)")
    parser.add_argument(
        "--postgresql",
        action="store_true",
        help="two processes on a new database of the PostgreSQL of this machine",
    )
    parser.add_argument("--nginx", action="store_true", help="behind a real nginx")
    parser.add_argument("--only", choices=rounds, help="one of them")
    parser.add_argument("--against", help=argparse.SUPPRESS)
    parser.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="address", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.against:
        os.nice(19)
        asyncio.run(ATTACKS[asked.attack](asked.against, asked.address))  # type: ignore[arg-type]
        return
    wanted = {name: attacks for name, attacks in rounds.items() if asked.only in (None, name)}
    where = "PostgreSQL, two processes" if asked.postgresql else "SQLite"
    print(f"{where}{', behind nginx' if asked.nginx else ''}\n{HEAD}")
    try:
        for name, attacks in wanted.items():
            with served_there(postgresql=asked.postgresql, behind=asked.nginx) as (processes, urls):
                print(row(name, measured(processes, urls, attacks, asked.seconds)), flush=True)
    except pytest.skip.Exception as missing:
        sys.exit(f"left out: {missing}") if os.environ.get(NOTHING_SKIPPED) else print(missing)


@contextmanager
def served_there(*, postgresql: bool, behind: bool) -> Iterator[tuple[list[Served], list[str]]]:
    """A new server, its processes, and the addresses at which people come."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as there:
        database = there.enter_context(fresh_database()) if postgresql else None
        port = free_port()
        options = ("--url", f"http://127.0.0.1:{port}") if behind else ()
        processes = [
            Served(Path(folder), *options, database=database, program=COMMAND)
            for _ in range(2 if postgresql else 1)
        ]
        there.enter_context(running(processes))
        urls = [served.url for served in processes]
        if behind:
            urls = [there.enter_context(nginx(port, [served.port for served in processes]))]
        yield processes, urls


if __name__ == "__main__":
    main()
