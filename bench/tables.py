"""Many tables with listeners, played at a rate, for `bench.load` and `bench.growth`.

For each action it takes the time from sending it to the answer, and to the moment when all
listeners of the table have it. It speaks to servers on this machine alone.
"""

import asyncio
import gc
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import msgspec
import uvloop

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from kill_server.postgres import fresh_database
from serving import Served, running

COMMAND = ("-m", "shutbox", "serve")
PATIENCE = 10.0
SLOWEST = 0.100
"""The p99 up to which a rate is held to be served."""
KEPT_UP = 0.95
"""The part of a rate that is to be done, or else it is not that rate."""
T = TypeVar("T")


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
    processor: float = 0.0
    """Seconds of a core that the servers took meanwhile."""

    @property
    def cost(self) -> float:
        """Seconds of a core for an action."""
        return self.processor / len(self.shown) if self.shown else 0.0

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


def share(times: Sequence[float], part: float) -> float:
    """The time that such a part of them does not exceed."""
    ordered = sorted(times)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else 0.0


class Load:
    """The tables and their listeners. What happens at a table is asked of all servers in turn."""

    def __init__(self, servers: Sequence[Served], tables: int, listeners: int = 3) -> None:
        self.servers = servers
        self.number = tables
        self.listeners = listeners
        self.tables: list[Table] = []
        self.tasks: list[asyncio.Task[None]] = []
        self.died = ""
        """Why a listener died, if one has."""
        # Listeners are connections, too.
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
        """The id of the next action."""
        self._ids += 1
        return f"load-{self._ids:010}"

    async def open(self) -> None:
        """Open the tables."""
        for start in range(0, self.number, 20):
            some = range(start, min(start + 20, self.number))
            self.tables += await asyncio.gather(*(self._open_one() for _ in some))

    async def listen(self) -> None:
        """Listen to them."""
        for start in range(0, len(self.tables), 20):
            await asyncio.gather(
                *(
                    self._listen(table, listener)
                    for table in self.tables[start : start + 20]
                    for listener in range(self.listeners)
                )
            )
        # The pauses of this process are not those of the server.
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
        """Play all tables in turn, so many actions a second. Raises Died."""
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
        """Seconds of a core that the servers have taken."""
        return sum(map(_processor, self.servers))

    async def close(self) -> None:
        """Let go of everything."""
        for task in self.tasks:
            task.cancel()
        for _ in self.servers:
            await next(self.clients).close()


def _processor(server: Served) -> float:
    if server.process is None:  # it was stopped meanwhile
        return 0.0
    parts = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def servers(*, postgresql: bool = False) -> Iterator[Sequence[Served]]:
    """A server of one's own on SQLite; or two, on a PostgreSQL that listens here."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if not postgresql:
            with Served(folder, program=COMMAND) as served:
                yield [served]
            return
        with fresh_database() as url:
            two = [Served(folder, database=url, program=COMMAND) for _ in range(2)]
            with running(two):
                yield two


def run(work: Coroutine[Any, Any, T]) -> T:
    """What comes of it, on the loop that servers use."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)
