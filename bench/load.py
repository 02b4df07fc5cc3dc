"""A load test of the server: many tables, many listeners, and actions acknowledged after they are
on disk.

`python -m bench.load` starts a server on this machine, opens the tables, connects three listeners
to each and plays all of them at a given rate. It does this three times with a new server, and
prints the median. Then it raises the rate step by step while the server is quick enough, or lowers
it until the server is. `--postgresql` uses two server processes on one PostgreSQL, and spreads
actions and listeners over both. The test ends by itself and connects to no other machine.

`python -m bench.load --people 24` lets 24 people play without a pause instead, each at a table of
their own, and asks for `/ready` meanwhile. `--revision 3e8b064c` does the same with the server of
another revision in turn, and prints the ratio.

`python -m bench.load --start` lets ten people play and open pages, with pauses, as soon as a new
server is ready, and compares how long they wait in its first seconds and later.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from statistics import median
from typing import Any

from bench.against import checkout
from bench.attackers import People
from bench.tables import COMMAND, HEAD, SLOWEST, Died, Load, Seen, run, servers, share
from serving import Served

FIRST = 6.0
"""The first seconds of a server, in which players should wait at most twice as long as later."""
PAUSE = 0.1
PAGES = ("/", "/new", "/games", "/help")  # pages that need no worker


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

    def row(self, name: str) -> str:
        """Return the line that is printed about a tree."""
        times = ", ".join(
            f"{what} {1000 * share(times, part):.1f} ms"
            for what, times, part in (
                ("p50", self.actions, 0.5),
                ("p99", self.actions, 0.99),
                ("/ready at most", self.ready, 1),
            )
        )
        return f"{name}: {self.rate:.0f} actions a second, {times}"


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


def press(number: int, seconds: float, runs: int, revision: str) -> None:
    """Measure this tree, and another revision in turn if one is given. Print both and the ratio."""
    trees = {"this tree": Path()}
    if revision:
        trees[revision] = checkout(revision)
    rates: dict[str, list[float]] = {name: [] for name in trees}
    for _ in range(runs):
        for name, tree in trees.items():
            environment = {"PYTHONPATH": str(tree.resolve() / "src")}
            with (
                tempfile.TemporaryDirectory() as folder,
                Served(Path(folder), program=COMMAND, environment=environment) as served,
            ):
                seen = run(pressed(served.url, number, seconds))
            rates[name].append(seen.rate)
            print(seen.row(name), flush=True)
    if revision:
        ours, theirs = median(rates["this tree"]), median(rates[revision])
        print(f"{ours / theirs:.2f} times the actions of {revision}, by the median of {runs} runs")


async def waits(url: str, number: int) -> tuple[float, float]:
    """Return the p99 of what people wait in the first seconds of a server, and in as many later."""
    begun, people = time.perf_counter(), [People(url, "127.0.0.1") for _ in range(number)]
    first, later = list[float](), list[float]()

    async def timed(does: Awaitable[None]) -> None:
        before = time.perf_counter()
        await does
        now = time.perf_counter()
        (first if before < begun + FIRST else later).append(now - before)

    async def plays(one: People, at: int) -> None:
        await timed(one.page("/"))
        table = await one.opened_at_last(game="classic")
        pages = cycle((f"/r/{table['view']['room']}", PAGES[at % len(PAGES)]))
        while time.perf_counter() < begun + 2 * FIRST:
            for _ in range(5):
                await timed(one.step(table))
                await asyncio.sleep(PAUSE)
            await timed(one.page(next(pages)))

    await asyncio.gather(*map(plays, people, range(number)))
    for one in people:
        await one.client.close()
    return share(first, 0.99), share(later, 0.99)


def start(number: int, runs: int, revision: str) -> None:
    """Measure the first seconds of new servers, and print their ratio to later ones."""
    tree = checkout(revision) if revision else Path()
    environment, ratios = {"PYTHONPATH": str(tree.resolve() / "src")}, list[float]()
    for _ in range(runs):
        with (
            tempfile.TemporaryDirectory() as folder,
            Served(Path(folder), program=COMMAND, environment=environment) as served,
        ):
            first, later = run(waits(served.url, number))
        ratios.append(first / later)
        print(
            f"p99 {1000 * first:.0f} ms in the first {FIRST:.0f} seconds, {1000 * later:.0f} ms in "
            f"the next: {ratios[-1]:.2f} times as long",
            flush=True,
        )
    print(f"{median(ratios):.2f} times as long, by the median of {runs} runs")


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
    parser.add_argument("--revision", default="", help="compare that with another revision")
    parser.add_argument("--start", action="store_true", help="measure the first seconds instead")
    arguments = parser.parse_args()
    if arguments.start:
        start(10, arguments.runs, arguments.revision)
        return
    if arguments.people:
        press(arguments.people, arguments.seconds, arguments.runs, arguments.revision)
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
