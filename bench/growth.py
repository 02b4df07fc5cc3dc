"""The cost of more tables: `python -m bench.growth`.

The benchmark starts a server for each of 100, 1,000 and 4,000 tables, with two listeners each. It
measures the memory of a table and of a listener, the cost of idle listeners, and the cost of an
action.
"""

import argparse
import asyncio
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bench.tables import Load, Seen, run, servers, share
from serving import Served

LISTENERS = 2
HEAD = (
    "tables  kB/table  kB/listener  idle core  actions  p99 ms  core ms/action"
    "  kB/action  bytes/event"
)


@dataclass
class Grown:
    """The cost of a number of tables."""

    tables: int
    table: float
    """Bytes of memory for each table."""
    listener: float
    """Bytes of memory for each listener."""
    idle: float
    """The share of a core that the server uses while nothing happens."""
    seen: Seen
    action: float
    """Bytes of memory that remain in use after an action."""
    event: float
    """Bytes of each event in the database."""

    def row(self) -> str:
        """Return the row of the printed table."""
        return (
            f"{self.tables:6}  {self.table / 1024:8.1f}  {self.listener / 1024:11.1f}  "
            f"{self.idle:9.3f}  {len(self.seen.shown):7}  "
            f"{1000 * share(self.seen.shown, 0.99):6.1f}  {1000 * self.seen.cost:14.2f}  "
            f"{self.action / 1024:9.1f}  {self.event:11.0f}"
        )


async def grow(served: Served, tables: int, rate: float, seconds: float) -> Grown:
    """Open tables, listen, wait and play, and measure the server after each step."""
    warm = Load([served], 20, LISTENERS)  # one-time imports and caches must not count as a table's
    await warm.open()
    await warm.play(100, 1)
    await warm.close()
    load = Load([served], tables, LISTENERS)
    try:
        empty = _memory(served)
        await load.open()
        opened = _memory(served)
        await load.listen()
        heard = _memory(served)
        idle, begun = load.processor(), time.perf_counter()
        await asyncio.sleep(seconds)
        idle = (load.processor() - idle) / (time.perf_counter() - begun)
        (events, size), before = _stored(served), _memory(served)
        seen = await load.play(rate, seconds)
        events_after, size_after = _stored(served)
        return Grown(
            tables,
            (opened - empty) / tables,
            (heard - opened) / (LISTENERS * tables),
            idle,
            seen,
            (_memory(served) - before) / (len(seen.shown) or 1),
            (size_after - size) / (events_after - events or 1),
        )
    finally:
        await load.close()


def _memory(served: Served) -> int:
    """Return the server's memory in bytes (proportional set size)."""
    lines = Path(f"/proc/{served.pid}/smaps_rollup").read_text().splitlines()
    return sum(1024 * int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _stored(served: Served) -> tuple[int, int]:
    """Return the events in the server's database, and its size in bytes, including its log."""
    with closing(sqlite3.connect(served.folder / "tables.db")) as connection:
        [[events]] = connection.execute("SELECT count(*) FROM events")
        [[pages]] = connection.execute("PRAGMA page_count")
        [[size]] = connection.execute("PRAGMA page_size")
    return events, pages * size


def main() -> None:
    """Measure each number of tables, and print a row for it."""
    parser = argparse.ArgumentParser(description="How the server grows with its tables.")
    parser.add_argument("--tables", type=int, nargs="+", default=[100, 1000, 4000])
    parser.add_argument("--rate", type=float, default=100.0, help="actions a second")
    parser.add_argument("--seconds", type=float, default=30.0, help="of waiting, and of playing")
    arguments = parser.parse_args()
    print(HEAD)
    for tables in arguments.tables:
        with servers() as (served,):
            grown = run(grow(served, tables, arguments.rate, arguments.seconds))
        print(grown.row(), flush=True)


if __name__ == "__main__":
    main()
