"""Load on the server: many tables, many listeners, actions that are acknowledged to the disk.

`python -m bench.load` starts a server of its own on this machine, opens the tables, lets three
listeners listen to each, and plays them all at a given rate. For each action it takes the time from
sending it to the answer, and to the moment when all listeners of the table have it. Then it goes up
from there, step by step, for as long as it is quick enough; or down, until it is. It stops by
itself, and speaks to no other machine.
"""

import argparse
import asyncio
import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import aiohttp
import msgspec

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from serving import Served

COMMAND = ("-m", "shutbox", "serve")
LISTENERS = 3
PATIENCE = 10.0
SLOWEST = 0.100
"""The p99 up to which a rate is held to be served."""
KEPT_UP = 0.95
"""The part of a rate that is to be done, or else it is not that rate."""


class Heard(msgspec.Struct):
    """What a listener has to know of a message; one that is no event has no number."""

    number: int = 0


_heard = msgspec.json.Decoder(Heard)


class Died(Exception):
    """A listener hears nothing any more."""


@dataclass
class Table:
    """One table, and what its listeners have heard."""

    room: str
    key: str
    game: int = 1
    version: int = 0
    seat: int | None = 0
    does: str = "throw"
    choice: str = ""
    over: bool = False
    heard: list[int] = field(default_factory=lambda: [0] * LISTENERS)
    waiting: dict[int, "asyncio.Future[None]"] = field(default_factory=dict)
    busy: bool = False

    def hears(self, listener: int, number: int) -> None:
        """A listener has an event."""
        self.heard[listener] = number
        lowest = min(self.heard)
        for awaited in [n for n in self.waiting if n <= lowest]:
            future = self.waiting.pop(awaited)
            if not future.done():
                future.set_result(None)

    def take(self, view: dict[str, Any]) -> None:
        """How the table stands."""
        table = view["table"]
        self.game, self.version, self.seat = table["game"], table["version"], table["seat"]
        self.does, self.over = table["does"], table["does"] == "over"
        self.choice = table["offers"][0]["text"] if table["offers"] else ""


@dataclass
class Seen:
    """The times of one rate, in seconds."""

    rate: float
    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    failed: int = 0
    skipped: int = 0
    """Actions that were due at a table whose last one was still under way."""
    seconds: float = 0.0

    @property
    def done(self) -> float:
        """Actions a second that everybody has seen."""
        return len(self.shown) / self.seconds if self.seconds else 0

    @property
    def served(self) -> bool:
        """Whether the rate was kept up, quickly enough, and nothing failed."""
        kept_up = self.done >= KEPT_UP * self.rate
        return kept_up and not self.failed and share(self.shown, 0.99) <= SLOWEST

    def row(self) -> str:
        """The line of the table."""
        parts = [f"{self.rate:6.0f}", f"{self.done:6.0f}"]
        for times in (self.acknowledged, self.shown):
            parts += [f"{1000 * share(times, part):8.1f}" for part in (0.5, 0.99, 1)]
        return "  ".join([*parts, f"{self.failed:6}", f"{self.skipped:6}"])


HEAD = "  rate    done   ack p50   ack p99   ack max   all p50   all p99   all max  failed  skipped"


def share(times: Sequence[float], part: float) -> float:
    """The time that such a part of them does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


class Load:
    """The tables and their listeners, at one server."""

    def __init__(self, url: str, tables: int) -> None:
        self.url = url
        self.number = tables
        self.tables: list[Table] = []
        self.sockets: list[aiohttp.ClientWebSocketResponse] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.died = ""
        """Why a listener died, if one has."""
        # Listeners are connections, too.
        self.client = aiohttp.ClientSession(
            base_url=url,
            connector=aiohttp.TCPConnector(limit=0),
            timeout=aiohttp.ClientTimeout(total=PATIENCE),
        )
        self._ids = 0

    def id(self) -> str:
        """The id of the next action."""
        self._ids += 1
        return f"load-{self._ids:010}"

    async def open(self) -> None:
        """Open the tables, and listen to them."""
        for start in range(0, self.number, 20):
            some = range(start, min(start + 20, self.number))
            self.tables += await asyncio.gather(*(self._open_one() for _ in some))
        for start in range(0, len(self.tables), 20):
            await asyncio.gather(
                *(
                    self._listen(table, listener)
                    for table in self.tables[start : start + 20]
                    for listener in range(LISTENERS)
                )
            )

    async def _open_one(self) -> Table:
        seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
        body = {"action": self.id(), "game": "pub", "seats": seats}
        async with self.client.post("/api/rooms", json=body) as response:
            opened = await response.json()
        keys = opened["keys"]
        table = Table(opened["view"]["room"], f"{keys['0']},{keys['1']}")
        table.take(opened["view"])
        return table

    async def _listen(self, table: Table, listener: int) -> None:
        socket = await self.client.ws_connect(
            f"/api/rooms/{table.room}/live",
            headers={"Authorization": f"Bearer {table.key}"},
            compress=0,
            timeout=aiohttp.ClientWSTimeout(ws_close=PATIENCE),
        )
        self.sockets.append(socket)

        async def hear() -> None:
            async for message in socket:
                if number := _heard.decode(message.data).number:
                    table.hears(listener, number)

        task = asyncio.create_task(hear())
        task.add_done_callback(self._ended)
        self.tasks.append(task)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled():
            self.died = repr(task.exception() or "its stream has ended")

    async def play(self, rate: float, seconds: float) -> Seen:
        """Play all tables in turn, so many actions a second. Raises Died."""
        seen = Seen(rate)
        acting: set[asyncio.Task[None]] = set()
        begun = time.perf_counter()
        due = begun
        for table in cycle(self.tables):
            if self.died:
                raise Died(f"a listener has died: {self.died}")
            now = time.perf_counter()
            if now - begun >= seconds:
                break
            if now < due:
                await asyncio.sleep(due - now)
            due += 1 / rate
            if table.busy:
                seen.skipped += 1
                continue
            task = asyncio.create_task(self._act(table, seen))
            acting.add(task)
            task.add_done_callback(acting.discard)
        if acting:
            await asyncio.wait(acting)
        seen.seconds = time.perf_counter() - begun
        return seen

    async def _act(self, table: Table, seen: Seen) -> None:
        table.busy = True
        begun = time.perf_counter()
        try:
            body: dict[str, Any] = {"action": self.id(), "game": table.game}
            if not table.over:
                body |= {"version": table.version, "seat": table.seat}
                body |= {"do": table.does, "choice": table.choice}
            async with self.client.post(
                f"/api/rooms/{table.room}/{'rematch' if table.over else 'act'}",
                json=body,
                headers={"Authorization": f"Bearer {table.key}"},
            ) as response:
                said = await response.read()
            seen.acknowledged.append(time.perf_counter() - begun)
            if response.status != 200:
                seen.failed += 1
                return
            answer = json.loads(said)
            table.take(answer["view"])
            number = answer["number"]
            if min(table.heard) < number:
                table.waiting[number] = asyncio.get_running_loop().create_future()
                await asyncio.wait_for(table.waiting[number], PATIENCE)
            seen.shown.append(time.perf_counter() - begun)
        except (aiohttp.ClientError, TimeoutError):
            seen.failed += 1
        finally:
            table.busy = False

    async def close(self) -> None:
        """Let go of everything."""
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*(socket.close() for socket in self.sockets), return_exceptions=True)
        await self.client.close()


async def measure(
    url: str, tables: int, rate: float, step: float, most: float, seconds: float
) -> Seen:
    """Print a line for each rate that is tried; the times of the first. Raises Died."""
    load = Load(url, tables)
    begun = time.perf_counter()
    try:
        await load.open()
        print(
            f"{tables} tables, {len(load.sockets)} listeners, open after "
            f"{time.perf_counter() - begun:.1f} s; times in ms from sending an action to its "
            "answer (ack), and until every listener of its table has it (all)",
            flush=True,
        )
        await load.play(rate, 3)  # warm
        print(HEAD)
        first = seen = await _tried(load, rate, seconds)
        way, highest = (step, rate) if first.served else (-step, 0.0)
        while seen.served is first.served and 0 < seen.rate + way <= most:
            seen = await _tried(load, seen.rate + way, seconds)
            highest = seen.rate if seen.served else highest
    finally:
        await load.close()
    found = f"{highest:.0f} a second" if highest else "none of these"
    print(f"highest rate with p99 to every listener within 100 ms: {found}")
    return first


async def _tried(load: Load, rate: float, seconds: float) -> Seen:
    seen = await load.play(rate, seconds)
    print(seen.row(), flush=True)
    return seen


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description="Load on a server of its own, on this machine.")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=300.0, help="actions a second, to begin with")
    parser.add_argument("--step", type=float, default=50.0, help="from one rate to the next")
    parser.add_argument("--most", type=float, default=10_000.0, help="the highest that is tried")
    parser.add_argument("--seconds", type=float, default=15.0, help="for each rate")
    parser.add_argument("--database", help="postgresql://...; otherwise SQLite in a new folder")
    arguments = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    how = (arguments.rate, arguments.step, arguments.most, arguments.seconds)
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder), database=arguments.database, program=COMMAND) as served,
    ):
        try:
            seen = asyncio.run(measure(served.url, arguments.tables, *how))
        except Died as error:
            raise SystemExit(str(error)) from None
        status = Path(f"/proc/{served.pid}/status")
        if status.exists():
            [peak] = [
                line.split()[1] for line in status.read_text().splitlines() if "VmHWM" in line
            ]
            print(f"peak memory of the server: {int(peak) // 1024} MB")
    p50, p99 = (1000 * share(seen.shown, part) for part in (0.5, 0.99))
    print(f"at {seen.rate:.0f} a second, to every listener: p50 {p50:.1f} ms, p99 {p99:.1f} ms")


if __name__ == "__main__":
    main()
