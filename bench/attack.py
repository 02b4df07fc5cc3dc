"""Attacks on a server, and what they cost its players: `make attack`.

The benchmark starts a server on this machine. Eight players play `classic` at their tables, one
asks for hints and one opens a table now and then, each from an address of their own. At the same
time attackers do whatever costs the server most within its limits: each attack alone, then all
together. Real attackers use their own machines, so the attackers here only get what the others
leave of the shared cores (SCHED_IDLE).

There are three rounds: behind nginx with deploy/nginx.conf, attacked from one address and then
from fifty, and without a proxy, attacked from one address. A line says how long the eight waited
for their actions and the other two for theirs, the memory of all server processes (proportional set
size), and how many actions failed and how many tables had lost one that was answered. Without a
proxy, the eight play again five seconds after the attack. The command fails if one action in a
hundred took longer than 60 ms behind nginx, if a table lost something, or if the server without a
proxy needs more than 300 MB or is still slow after the attack.
"""

import argparse
import asyncio
import base64
import itertools
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import aiohttp
import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from bench import share
from conftest import NOTHING_SKIPPED
from nginx import nginx
from serving import Served, free_port

LARGE = "classic(tiles=1-30,dice=12d18,cover=one)"
SLOW = "classic(tiles=1-24,dice=3d8)"
FRAMES = {"pings": (0x89, b""), "parts": (0x00, b""), "long pings": (0x89, b"x" * 125)}
FIELDS = 6_000
"""The number of shortest possible fields that fill a request head."""
PAGES = ("/", "/new", "/games", "/help", "/today", "/practice", "/analysis", "/api/games")


class People:
    """A client that sends requests from one address."""

    def __init__(self, url: str, address: str) -> None:
        self.client = aiohttp.ClientSession(
            base_url=url,
            connector=aiohttp.TCPConnector(limit=0, local_addr=(address, 0)),
            cookie_jar=aiohttp.CookieJar(unsafe=True),  # for an address without a name
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
        """Open a room, and repeat until the server accepts it."""
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                if "view" in (found := await self.opened(**about)):
                    return found
            await asyncio.sleep(0.05)

    async def step(self, opened: dict[str, Any]) -> None:
        """Throw, choose, or start another game. Stores the new view in `opened`."""
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

    async def look(self, opened: dict[str, Any]) -> int:
        """Request the table, as a page does, and return the number of its last event."""
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        path = f"/api/rooms/{opened['view']['room']}"
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                async with self.client.get(path, headers=headers) as response:
                    response.raise_for_status()
                    number: int = (await response.json())["view"]["number"]
                    return number
            await asyncio.sleep(0.05)

    async def page(self, path: str) -> None:
        """Request a page, as a browser does, which has a cookie."""
        async with self.client.get(path) as response:
            response.raise_for_status()
            await response.read()

    async def hint(self, opened: dict[str, Any]) -> None:
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        path = f"/api/rooms/{opened['view']['room']}/hint"
        async with self.client.get(path, headers=headers) as response:
            response.raise_for_status()
            await response.read()


# Attacks through the API


async def opens(url: str, address: str) -> None:
    """Open tables that a computer player needs long to solve, six at a time."""
    people = People(url, address)
    seats = [{"who": "computer:perfect"}, {"who": "computer:careful"}]

    async def open_on() -> None:
        for game in (LARGE, SLOW):
            with suppress(aiohttp.ClientError, TimeoutError):
                await people.opened(game=game, seats=seats)

    await forever(open_on, 6)


async def asks(url: str, address: str) -> None:
    """Ask for hints at tables that take long to solve, four at a time."""
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
    """Upload a long record for replay, four at a time."""
    people = People(url, address)
    record = await asyncio.to_thread(long_record)

    async def upload() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            headers = {"Content-Type": "text/plain"}
            async with people.client.post("/api/records", data=record, headers=headers) as told:
                await told.read()

    await forever(upload, 4)


async def sends(url: str, address: str) -> None:
    """Send a form of 1 MB that holds no record to the page of replays, four at a time."""
    people = People(url, address)
    fields = b"text=" + b"x" * 1_000_000
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": url}

    async def send() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with people.client.post("/replay", data=fields, headers=headers) as page:
                await page.read()

    await forever(send, 4)


async def watches(url: str, address: str) -> None:
    """Open 200 event streams of a large table, and reopen each when it ends."""
    people = People(url, address)
    seats = [{"who": "me"}] * 12
    opened = await people.opened_at_last(game=LARGE, seats=seats, format="rounds=9")
    headers = {"Authorization": f"Bearer {opened['keys']['watch']}"}

    async def watch() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            path = f"/api/rooms/{opened['view']['room']}/live"
            async with people.client.ws_connect(path, headers=headers) as stream:
                async for _ in stream:
                    pass

    await forever(watch, 200)


async def computers(url: str, address: str) -> None:
    """Open tables with long games between computer players and listen to them, four at a time."""
    people = People(url, address)
    seats = [{"who": "computer:fewest"}] * 2

    async def play_on() -> None:
        opened = await people.opened_at_last(game="classic", seats=seats, format="rounds=500")
        headers = {"Authorization": f"Bearer {opened['keys']['watch']}"}
        path = f"/api/rooms/{opened['view']['room']}/live"
        with suppress(aiohttp.ClientError, TimeoutError):
            async with people.client.ws_connect(path, headers=headers) as stream:
                async for message in stream:
                    if b'"over"' in message.data.encode():
                        break

    await forever(play_on, 4)


async def plays(url: str, address: str) -> None:
    """Play at six tables at once, as fast as the server answers."""
    people = People(url, address)

    async def play() -> None:
        opened = await people.opened_at_last(game="classic")
        while True:
            try:
                await people.step(opened)
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(0.05)

    await forever(play, 6)


async def reads(url: str, address: str) -> None:
    """Request pages, eight at a time."""
    people = People(url, address)
    pages = itertools.cycle(PAGES)

    async def read() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with people.client.get(next(pages)) as page:
                await page.read()

    await forever(read, 8)


# Attacks on the protocol


async def floods(url: str, address: str, frame: tuple[int, bytes]) -> None:
    """Send WebSocket frames as fast as possible without reading any, and reconnect when cut off."""
    people = People(url, address)
    room = (await people.opened_at_last(game="classic"))["view"]["room"]
    opcode, data = frame
    cookies = "; ".join(f"{c.key}={c.value}" for c in people.client.cookie_jar)
    key = base64.b64encode(os.urandom(16)).decode()
    head = head_of(
        *(f"/api/rooms/{room}/live", url, f"Cookie: {cookies}", "Connection: Upgrade"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"),
    )
    frames = (struct.pack("!BB", opcode, 0x80 | len(data)) + bytes(4) + data) * 2000

    async def flood() -> None:
        await sent_on(url, address, head, frames, reads=False)

    await forever(flood, 1)


async def heads(url: str, address: str) -> None:
    """Send requests whose heads are full of fields, repeatedly on four connections."""
    head = head_of("/", url, *["a:"] * FIELDS)
    await forever(lambda: sent_on(url, address, head, head), 4)


async def healths(url: str, address: str) -> None:
    """Request `/health` repeatedly on four connections that stay open."""
    head = head_of("/health", url)
    await forever(lambda: sent_on(url, address, head, head * 100), 4)


async def connects(url: str, address: str) -> None:
    """Open a new connection for each request."""
    head = head_of("/health", url, "Connection: close")
    await forever(lambda: sent_on(url, address, head, b""), 20)


async def idles(url: str, address: str) -> None:
    """Open connections and send only the beginning of a request."""
    await forever(lambda: sent_on(url, address, b"GET / HT", b""), 600)


def head_of(path: str, url: str, *fields: str) -> bytes:
    """Return the head of a GET request."""
    host = url.removeprefix("http://")
    return "\r\n".join((f"GET {path} HTTP/1.1", f"Host: {host}", *fields, "", "")).encode()


async def sent_on(url: str, address: str, first: bytes, then: bytes, *, reads: bool = True) -> None:
    """Send `first`, and then `then` repeatedly, until the connection ends."""
    host, port = url.removeprefix("http://").split(":")
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(host, int(port), local_addr=(address, 0))

        async def send() -> None:
            writer.write(first)
            while then:
                writer.write(then)
                await writer.drain()

        sending = asyncio.create_task(send())
        try:
            while reads and await reader.read(65536):
                pass
            if not reads:
                await sending
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            writer.close()


async def forever(does: Callable[[], Awaitable[None]], times: int) -> None:
    """Call `does` repeatedly, in `times` tasks at once."""

    async def again() -> None:
        while True:
            await does()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(again() for _ in range(times)))


@cache
def long_record() -> bytes:
    """Return a valid record of about 150 kB."""
    from shutbox import Table
    from shutbox.engine.cups import SeededCup
    from shutbox.engine.seats import Seat
    from shutbox.record import Source, to_bytes
    from shutbox.table.lookup import match_of
    from shutbox.table.setup import Sitting

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
    facts = {"program": "attack", "begun": "2026-11-22 12:00:00 UTC"}
    return to_bytes(Sitting.begin(match, seats, source, **facts).header, match, table.log)


ATTACKS: dict[str, Callable[[str, str], Awaitable[None]]] = {
    **{
        name: lambda url, address, frame=frame: floods(url, address, frame)  # type: ignore[misc]
        for name, frame in FRAMES.items()
    },
    "heads": heads,
    "health": healths,
    "connect": connects,
    "idle": idles,
    "pages": reads,
    "plays": plays,
    "tables": opens,
    "computers": computers,
    "hints": asks,
    "records": uploads,
    "forms": sends,
    "watchers": watches,
}


async def attack(name: str, url: str, addresses: Sequence[str]) -> None:
    """Run an attack from all these addresses at once."""
    if name == "records":
        await asyncio.to_thread(long_record)
    await asyncio.gather(*(ATTACKS[name](url, address) for address in addresses))


# The measurement

COMMAND = ("-m", "shutbox", "serve")
PLAYERS = 8
BEGINS = 10
"""Seconds until the server has warmed up, and the first burst of an attack is over: nginx lets the
openings of all together go through within this time."""
BETWEEN = 0.3
"""Seconds between two actions of a player."""
AT_HOME = [f"127.0.2.{number}" for number in range(1, PLAYERS + 3)]
"""The addresses of the players."""
FIFTY = [f"127.0.1.{number}" for number in range(1, 51)]
ROUNDS = {
    "one": ("behind nginx, from one address", True, FIFTY[:1]),
    "fifty": ("behind nginx, from fifty addresses", True, FIFTY),
    "bare": ("without a proxy, from one address", False, FIFTY[:1]),
}
"""The title of each round, whether nginx stands before the server, and the attackers' addresses."""
ATTACKED = {"nobody": [], **{name: [name] for name in ATTACKS}, "all": [*ATTACKS]}
"""What a line is about, and the attacks that run meanwhile. The first is the baseline."""
SLOWEST = 0.060
"""The seconds that the eight may wait at p99 behind nginx."""
NOT_JUDGED = ("forms",)
"""Attacks that may make the eight wait for longer."""
MOST_MEMORY = 300e6
AFTER = 5
"""Seconds after an attack until the eight wait no longer than before it, give or take."""


@dataclass
class Seen:
    """The times that the players waited, in seconds."""

    actions: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    failed: int = 0
    lost: int = 0
    """Tables that do not show an action that was answered."""
    memory: int = 0
    after: list[float] = field(default_factory=list)
    """The times of the actions five seconds after the attack."""


# The players


class Crowd:
    """The players of a server. They have opened their tables before an attack begins."""

    def __init__(self, url: str) -> None:
        self.people = [People(url, home) for home in AT_HOME]
        self.tables: list[dict[str, Any]] = []

    async def open(self) -> None:
        """Open a table for each player."""
        opened = (people.opened_at_last(game="classic") for people in self.people)
        self.tables = await asyncio.gather(*opened)

    async def play(self, seconds: float) -> Seen:
        """Play for some seconds, and return how long the players waited."""
        seen, end = Seen(), time.monotonic() + seconds

        async def timed(times: list[float], does: Awaitable[Any]) -> None:
            begun = time.perf_counter()
            try:
                await does
                times.append(time.perf_counter() - begun)
            except (aiohttp.ClientError, TimeoutError):
                seen.failed += 1

        async def plays(number: int) -> None:
            people, table = self.people[number], self.tables[number]
            await asyncio.sleep(BETWEEN * number / PLAYERS)
            while time.monotonic() < end:
                await timed(seen.actions, people.step(table))
                await asyncio.sleep(BETWEEN)
            seen.lost += await people.look(table) < table["view"]["number"]

        async def asks() -> None:
            people, table = self.people[PLAYERS], self.tables[PLAYERS]
            await people.step(table)
            while time.monotonic() < end:
                await timed(seen.hints, people.hint(table))
                await asyncio.sleep(1)

        async def opens() -> None:
            people, about = self.people[PLAYERS + 1], {"seats": [{"who": "me"}] * 2}
            while time.monotonic() < end:
                await timed(seen.openings, people.opened(game="pub", **about))
                await asyncio.sleep(1)

        await asyncio.gather(*map(plays, range(PLAYERS)), asks(), opens())
        return seen

    async def close(self) -> None:
        """Close the connections of all players."""
        for people in self.people:
            await people.client.close()


def memory_of(pid: int) -> int:
    """Return the memory of a process and its descendants in bytes, counting shared memory once."""
    parts = 0
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            parts += 1024 * int(line.split()[1]) if line.startswith("Pss:") else 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            parts += sum(map(memory_of, map(int, (task / "children").read_text().split())))
    return parts


# The measurement


@contextmanager
def served_there(*, proxy: bool) -> Iterator[tuple[Served, str]]:
    """Yield a new server, and the address to which players connect."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as there:
        port = free_port()
        options = ("--url", f"http://127.0.0.1:{port}") if proxy else ()
        served = there.enter_context(Served(Path(folder), *options, program=COMMAND))
        yield (
            served,
            there.enter_context(nginx(port, {"a": [served.port]})) if proxy else served.url,
        )


@asynccontextmanager
async def attacked(
    url: str, attacks: Sequence[str], addresses: Sequence[str]
) -> AsyncIterator[None]:
    """Run attacks, each from all these addresses, until the block ends."""
    command = [sys.executable, "-m", "bench.attack", "--against", url, "--from", *addresses]
    attackers = [
        subprocess.Popen([*command, "--attack", name], stderr=subprocess.DEVNULL)
        for name in attacks
    ]
    try:
        await asyncio.sleep(BEGINS)
        yield
        if any(attacker.poll() is not None for attacker in attackers):
            sys.exit(f"an attacker has ended by himself: {', '.join(attacks)}")
    finally:
        for attacker in attackers:
            attacker.kill()
            attacker.wait()


async def measured(round: str, attacks: Sequence[str], seconds: float) -> Seen:
    """Return how long the players of a new server wait during these attacks."""
    _, proxy, addresses = ROUNDS[round]
    with served_there(proxy=proxy) as (served, url):
        crowd = Crowd(url)
        try:
            await crowd.open()
            async with attacked(url, attacks, addresses):
                seen = await crowd.play(seconds)
                seen.memory = memory_of(served.pid)
            if attacks and not proxy:
                await asyncio.sleep(AFTER)
                later = await crowd.play(seconds)
                seen.after, seen.lost = later.actions, seen.lost + later.lost
        finally:
            await crowd.close()
    return seen


HEAD = (
    "attack        act p50   act p99   act max  hint max  open max  p99 after       MB"
    "  failed  lost"
)


def row(name: str, seen: Seen) -> str:
    """Return the table row of an attack, in milliseconds."""
    times = [*(share(seen.actions, part) for part in (0.5, 0.99, 1))]
    times += [max(seen.hints, default=0), max(seen.openings, default=0)]
    numbers = "".join(f"{1000 * each:10.1f}" for each in times)
    after = f"{1000 * share(seen.after, 0.99):.1f}" if seen.after else "-"
    memory = f"{seen.memory / 1e6:.0f}"
    return f"{name:<11}{numbers}{after:>11}{memory:>9}{seen.failed:8}{seen.lost:6}"


def faults(round: str, name: str, seen: Seen, before: float) -> Iterator[str]:
    """Yield what is not as it must be; `before` is p99 without an attack."""
    title, proxy, _ = ROUNDS[round]
    where, slow = f"{name} {title}", share(seen.actions, 0.99)
    if seen.lost:
        yield f"{where}: {seen.lost} tables have lost an action"
    if proxy and slow > SLOWEST and name not in NOT_JUDGED:
        yield f"{where}: p99 is {1000 * slow:.1f} ms"
    if not proxy and seen.memory > MOST_MEMORY:
        yield f"{where}: {seen.memory / 1e6:.0f} MB"
    if (after := share(seen.after, 0.99)) > max(2 * before, SLOWEST):
        yield f"{where}: p99 after the attack is {1000 * after:.1f} ms"


def main() -> None:
    """Run every attack alone, and then all together, in each round."""
    parser = argparse.ArgumentParser(prog="python -m bench.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8, help="of each line (default: 8)")
    parser.add_argument("--rounds", choices=ROUNDS, nargs="+", default=ROUNDS, help="some of them")
    parser.add_argument("--only", choices=ATTACKED, nargs="+", default=ATTACKED, help="some lines")
    parser.add_argument("--once", action="store_true", help="only see that it runs, in 25 s")
    parser.add_argument("--against", help=argparse.SUPPRESS)
    parser.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="addresses", nargs="+", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.against:
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        asyncio.run(attack(asked.attack, asked.against, asked.addresses))
        return
    if asked.once:
        asked.seconds, asked.rounds, asked.only = 1, ["fifty"], ["nobody", "plays"]
    wrong: list[str] = []
    for round in asked.rounds:
        print(f"{ROUNDS[round][0]}, load {os.getloadavg()[0]:.1f}\n{HEAD}", flush=True)
        before = 0.0
        for name in asked.only:
            try:
                seen = asyncio.run(measured(round, ATTACKED[name], asked.seconds))
            except pytest.skip.Exception as missing:
                print(f"left out: {missing}")
                if os.environ.get(NOTHING_SKIPPED):
                    sys.exit(1)
                break
            print(row(name, seen), flush=True)
            before = before or share(seen.actions, 0.99)
            wrong += faults(round, name, seen, before)
    if wrong and not asked.once:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
