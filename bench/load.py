"""A load test of the server: many tables, many listeners, and actions acknowledged after they are
on disk.

`python -m bench.load` starts a server on this machine, opens the tables, connects three listeners
to each and plays all of them at a given rate. It does this three times with a new server, and
prints the median. Then it raises the rate step by step while the server is quick enough, or lowers
it until the server is. `--postgresql` uses two server processes on one PostgreSQL, and spreads
actions and listeners over both. The test ends by itself and connects to no other machine.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from bench.tables import HEAD, SLOWEST, Died, Load, Seen, run, servers, share
from serving import Served


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
    arguments = parser.parse_args()
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
