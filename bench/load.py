"""A load test of the server: many tables, many listeners, and actions acknowledged after they are
on disk.

`python -m bench.load` starts a server on this machine, opens the tables, connects three listeners
to each and plays all of them at a given rate. Each action is timed from sending it until the
response, and until all listeners of the table have received it. It does this three times with a
new server, and prints the median. Then it raises the rate step by step while the server is quick
enough, or lowers it until the server is. `--postgresql` uses two server processes on one
PostgreSQL, and spreads actions and listeners over both. The test ends by itself and connects to no
other machine.

`python -m bench.load --people 24` lets 24 people play without a pause instead, each at a table of
their own, and asks for `/ready` meanwhile.
"""

import argparse
import asyncio
import gc
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

import aiohttp
import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from bench import share
from bench.attack import COMMAND, People
from kill_server.postgres import fresh_database
from serving import Served, running

PATIENCE = 10.0
SLOWEST = 0.100
"""A rate counts as served if its p99 does not exceed this, in seconds."""
KEPT_UP = 0.95
"""A rate counts as served only if this share of it was reached."""
T = TypeVar("T")


class Heard(msgspec.Struct):
    """The number of an event message, or 0 for any other message."""

    number: int = 0


_heard = msgspec.json.Decoder(Heard)


class Died(Exception):
    """A listener has lost its connection."""


@dataclass
class Table:
    """A table, and the last event that each of its listeners has received."""

    room: str
    key: str
    heard: list[int]
    game: int = 1
    version: int = 0
    seat: int | None = 0
    does: str = "throw"
    choice: str = ""
    over: bool = False
    waiting: dict[int, "asyncio.Future[None]"] = field(default_factory=dict)
    busy: bool = False

    def hears(self, listener: int, number: int) -> None:
        """Note that a listener has received an event, and wake the actions waiting for it."""
        self.heard[listener] = number
        lowest = min(self.heard)
        for awaited in [n for n in self.waiting if n <= lowest]:
            future = self.waiting.pop(awaited)
            if not future.done():
                future.set_result(None)

    def take(self, view: dict[str, Any]) -> None:
        """Take over the state of the table from a view."""
        table = view["table"]
        self.game, self.version, self.seat = table["game"], table["version"], table["seat"]
        self.does, self.over = table["does"], table["does"] == "over"
        self.choice = table["offers"][0]["text"] if table["offers"] else ""


@dataclass
class Seen:
    """The times measured at one rate, in seconds."""

    rate: float
    acknowledged: list[float] = field(default_factory=list)
    shown: list[float] = field(default_factory=list)
    failed: int = 0
    skipped: int = 0
    """Actions skipped because the previous action of the table was still running."""
    seconds: float = 0.0
    processor: float = 0.0
    """Processor seconds that the servers used."""

    @property
    def cost(self) -> float:
        """Processor seconds for each action."""
        return self.processor / len(self.shown) if self.shown else 0.0

    @property
    def done(self) -> float:
        """Actions a second that all listeners have received."""
        return len(self.shown) / self.seconds if self.seconds else 0

    @property
    def served(self) -> bool:
        """Whether the rate was reached, quickly enough and without a failure."""
        kept_up = self.done >= KEPT_UP * self.rate
        return kept_up and not self.failed and share(self.shown, 0.99) <= SLOWEST

    def row(self) -> str:
        """Return the row of the printed table."""
        parts = [f"{self.rate:6.0f}", f"{self.done:6.0f}"]
        for times in (self.acknowledged, self.shown):
            parts += [f"{1000 * share(times, part):8.1f}" for part in (0.5, 0.99, 1)]
        return "  ".join(
            [*parts, f"{self.failed:6}", f"{self.skipped:7}", f"{1000 * self.cost:6.2f}"]
        )


HEAD = (
    "  rate    done "
    + "".join(
        f"{name:>10}" for name in ("ack p50", "ack p99", "ack max", "all p50", "all p99", "all max")
    )
    + "  failed  skipped  core/action"
)


class Load:
    """The tables and their listeners. Requests are spread over all servers in turn."""

    def __init__(self, servers: Sequence[Served], tables: int, listeners: int = 3) -> None:
        self.servers = servers
        self.number = tables
        self.listeners = listeners
        self.tables: list[Table] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.died = ""
        """The reason why a listener failed, if one has."""
        # Listeners need connections, too, so there is no limit.
        self.clients = cycle(
            [
                aiohttp.ClientSession(
                    base_url=server.url,
                    connector=aiohttp.TCPConnector(limit=0),
                    timeout=aiohttp.ClientTimeout(total=PATIENCE),
                )
                for server in servers
            ]
        )
        self._ids = 0

    def id(self) -> str:
        """Return a new action id."""
        self._ids += 1
        return f"load-{self._ids:010}"

    async def open(self) -> None:
        """Open the tables."""
        for start in range(0, self.number, 20):
            some = range(start, min(start + 20, self.number))
            self.tables += await asyncio.gather(*(self._open_one() for _ in some))

    async def listen(self) -> None:
        """Connect the listeners."""
        for start in range(0, len(self.tables), 20):
            await asyncio.gather(
                *(
                    self._listen(table, listener)
                    for table in self.tables[start : start + 20]
                    for listener in range(self.listeners)
                )
            )
        # Garbage collection in this process must not count as the server's time.
        gc.collect()
        gc.freeze()
        gc.disable()

    async def _open_one(self) -> Table:
        seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
        body = {"action": self.id(), "game": "pub", "seats": seats}
        async with next(self.clients).post("/api/rooms", json=body) as response:
            opened = await response.json()
        keys = opened["keys"]
        table = Table(opened["view"]["room"], f"{keys['0']},{keys['1']}", [0] * self.listeners)
        table.take(opened["view"])
        return table

    async def _listen(self, table: Table, listener: int) -> None:
        socket = await next(self.clients).ws_connect(
            f"/api/rooms/{table.room}/live",
            headers={"Authorization": f"Bearer {table.key}"},
            compress=0,
        )

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
        """Play all tables in turn, at `rate` actions a second. Raise Died if a listener fails."""
        seen, before = Seen(rate), self.processor()
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
        seen.processor = self.processor() - before
        return seen

    async def _act(self, table: Table, seen: Seen) -> None:
        table.busy = True
        begun = time.perf_counter()
        try:
            body: dict[str, Any] = {"action": self.id(), "game": table.game}
            if not table.over:
                body |= {"version": table.version, "seat": table.seat}
                body |= {"do": table.does, "choice": table.choice}
            async with next(self.clients).post(
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

    def processor(self) -> float:
        """Return the processor seconds that the servers have used so far."""
        return sum(map(_processor, self.servers))

    async def close(self) -> None:
        """Close all listeners and connections."""
        for task in self.tasks:
            task.cancel()
        for _ in self.servers:
            await next(self.clients).close()


def _processor(server: Served) -> float:
    if server.process is None:  # it has been stopped
        return 0.0
    parts = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def servers(*, postgresql: bool = False) -> Iterator[Sequence[Served]]:
    """Start a server on SQLite, or two on the local PostgreSQL."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not postgresql:
            with Served(folder, program=COMMAND) as served:
                yield [served]
            return
        with fresh_database() as url:
            two = [Served(folder, "--name", n, database=url, program=COMMAND) for n in "ab"]
            with running(two):
                yield two


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on uvloop, as the servers do, and return its result."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def measure(
    served: Sequence[Served], tables: int, rate: float, seconds: float, search: "Search | None"
) -> Seen:
    """Return the times measured at `rate`, and print a line for each rate tried.

    Raise Died if a listener fails.
    """
    load = Load(served, tables)
    try:
        await load.open()
        await load.listen()
        await load.play(rate, 3)  # warm-up
        first = await _tried(load, rate, seconds)
        if search is not None:
            await search.go(load, first, seconds)
    finally:
        await load.close()
    return first


class Search:
    """The search for the highest rate that is quick enough, in steps from the first rate."""

    def __init__(self, step: float, most: float) -> None:
        self.step = step
        self.most = most
        self.highest = 0.0

    async def go(self, load: Load, first: Seen, seconds: float) -> None:
        """Raise the rate while the server is quick enough, or lower it until it is."""
        seen = first
        way, self.highest = (self.step, first.rate) if first.served else (-self.step, 0.0)
        while seen.served is first.served and 0 < seen.rate + way <= self.most:
            seen = await _tried(load, seen.rate + way, seconds)
            self.highest = seen.rate if seen.served else self.highest


async def _tried(load: Load, rate: float, seconds: float) -> Seen:
    seen = await load.play(rate, seconds)
    print(seen.row(), flush=True)
    return seen


@dataclass
class Pressed:
    """The times measured while people play without a pause, in seconds."""

    seconds: float
    actions: list[float] = field(default_factory=list)
    ready: list[float] = field(default_factory=list)

    @property
    def rate(self) -> float:
        """Actions a second."""
        return len(self.actions) / self.seconds

    def row(self) -> str:
        """Return the line that is printed."""
        times = ", ".join(
            f"{what} {1000 * share(times, part):.1f} ms"
            for what, times, part in (
                ("p50", self.actions, 0.5),
                ("p99", self.actions, 0.99),
                ("/ready at most", self.ready, 1),
            )
        )
        return f"{self.rate:.0f} actions a second, {times}"


async def pressed(url: str, number: int, seconds: float) -> Pressed:
    """Let people play for some seconds, each at an own table and as fast as they are answered."""
    seen, everybody = Pressed(seconds), [People(url, "127.0.0.1") for _ in range(number + 1)]
    tables = [await people.opened_at_last(game="classic") for people in everybody[1:]]
    end = time.perf_counter() + seconds

    async def plays(people: People, table: dict[str, Any]) -> None:
        while (begun := time.perf_counter()) < end:
            await people.step(table)
            seen.actions.append(time.perf_counter() - begun)

    async def asks() -> None:
        while (begun := time.perf_counter()) < end:
            async with everybody[0].client.get("/ready") as response:
                response.raise_for_status()
            seen.ready.append(time.perf_counter() - begun)
            await asyncio.sleep(0.1)

    await asyncio.gather(asks(), *map(plays, everybody[1:], tables))
    for each in everybody:
        await each.client.close()
    return seen


def press(number: int, seconds: float, runs: int) -> None:
    """Let people play without a pause at new servers, and print a line for each."""
    for _ in range(runs):
        with servers() as (served,):
            seen = run(pressed(served.url, number, seconds))
        print(seen.row(), flush=True)


def main() -> None:
    """Run the load test and print its results."""
    parser = argparse.ArgumentParser(description="Load on a server of its own, on this machine.")
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=300.0, help="actions a second, to begin with")
    parser.add_argument("--step", type=float, default=50.0, help="from one rate to the next")
    parser.add_argument("--most", type=float, default=10_000.0, help="the highest that is tried")
    parser.add_argument("--seconds", type=float, default=15.0, help="for each rate")
    parser.add_argument("--runs", type=int, default=3, help="of the first rate, for the median")
    parser.add_argument("--postgresql", action="store_true", help="two processes on PostgreSQL")
    parser.add_argument("--people", type=int, help="play without a pause instead: so many")
    arguments = parser.parse_args()
    if arguments.people:
        press(arguments.people, arguments.seconds, arguments.runs)
        return
    kept = "two processes on PostgreSQL" if arguments.postgresql else "one process on SQLite"
    print(
        f"{kept}: {arguments.tables:,} tables, {3 * arguments.tables:,} listeners; times in ms "
        "from sending an action to its answer (ack), and until every listener of its table has it "
        "(all); processor time of the servers, in ms for an action"
    )
    print(HEAD)
    search, runs, peak = Search(arguments.step, arguments.most), [], 0
    for number in range(1, arguments.runs + 1):
        with servers(postgresql=arguments.postgresql) as served:
            last = search if number == arguments.runs else None
            how = arguments.tables, arguments.rate, arguments.seconds, last
            try:
                runs.append(run(measure(served, *how)))
            except Died as error:
                raise SystemExit(str(error)) from None
            peak = max(peak, *(_peak(one.pid) for one in served))

    def middle(what: Callable[[Seen], float]) -> str:
        return f"{1000 * median(map(what, runs)):.1f} ms"

    p50, p99 = middle(lambda seen: share(seen.shown, 0.5)), middle(lambda s: share(s.shown, 0.99))
    print(
        f"at {arguments.rate:.0f} a second, median of {len(runs)} runs, to every listener: "
        f"p50 {p50}, p99 {p99}; {middle(lambda seen: seen.cost)} of a core for an action"
    )
    found = f"{search.highest:.0f} a second" if search.highest else "none of these"
    print(f"highest rate with p99 to every listener within {1000 * SLOWEST:.0f} ms: {found}")
    print(f"peak memory of a server: {peak >> 20} MB")


def _peak(pid: int) -> int:
    """Return the peak memory of a process in bytes, or 0 if the system does not report it."""
    status = Path(f"/proc/{pid}/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


if __name__ == "__main__":
    main()
