"""Attacks on a server, and what they cost its players: `make attack`.

The benchmark starts a server on this machine. Eight players play `classic` at their tables, one
asks for hints and one opens a table now and then, all from 127.0.0.1. At the same time attackers,
from 127.0.0.2 to 127.0.0.4, do whatever costs the server most within its limits. For each attack,
and for all together, it prints how long the eight players waited for their actions and the other
two for theirs, and the memory of all server processes (proportional set size). The first line is
the baseline, without an attack. Real attackers use their own machines, so the attackers here run at
low priority (`nice 19`) on the shared cores. `--nginx` puts a real nginx in front of the server,
configured as in docs/hosting.md. The server then gets the attackers' addresses from nginx.

With `--addresses 50`, each attack comes from 50 addresses at once, starting at 127.0.1.1, and each
player has an address of their own. `--most 150` exits with an error if the eight players waited
longer than 150 ms at p99, in any attack of any of the `--times`.
"""

import argparse
import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bench.attackers import ATTACKS, People, attack
from bench.tables import share

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from conftest import NOTHING_SKIPPED
from kill_server.postgres import fresh_database
from nginx import nginx
from serving import Served, free_port, running

COMMAND = ("-m", "shutbox", "serve")
PLAYERS = 8
BETWEEN = 0.15
"""Seconds between two actions of a player."""
ADDRESSES = ("127.0.0.2", "127.0.0.3", "127.0.0.4")
"""The addresses of the attackers, unless `--addresses` asks for more."""
AT_HOME = [f"127.0.2.{number}" for number in range(1, PLAYERS + 3)]
"""The players' addresses if each has one of their own."""


@dataclass
class Seen:
    """The times that the players waited, in seconds."""

    actions: list[float] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    openings: list[float] = field(default_factory=list)
    failed: int = 0
    memory: int = 0


# The players


async def played(urls: list[str], homes: Sequence[str], seconds: float) -> Seen:
    """Play for some seconds, and return how long the players waited.

    Players are spread over the server processes at `urls` and over the addresses in `homes`.
    """
    seen, end = Seen(), time.monotonic() + seconds
    everybody = [
        People(urls[number % len(urls)], homes[number % len(homes)])
        for number in range(PLAYERS + 2)
    ]

    async def timed(times: list[float], does: Awaitable[Any]) -> None:
        begun = time.perf_counter()
        try:
            await does
            times.append(time.perf_counter() - begun)
        except (aiohttp.ClientError, TimeoutError):
            seen.failed += 1

    async def plays(number: int) -> None:
        people = everybody[number]
        table = await people.opened_at_last(game="classic")
        await people.look(table)
        await asyncio.sleep(BETWEEN * number / PLAYERS)
        while time.monotonic() < end:
            await timed(seen.actions, people.step(table))
            await asyncio.sleep(BETWEEN)

    async def asks() -> None:
        people = everybody[PLAYERS]
        table = await people.opened_at_last(game="classic")
        await people.step(table)
        while time.monotonic() < end:
            await timed(seen.hints, people.hint(table))
            await asyncio.sleep(1)

    async def opens() -> None:
        people = everybody[PLAYERS + 1]
        while time.monotonic() < end:
            await timed(seen.openings, people.opened(game="pub", seats=[{"who": "me"}] * 2))
            await asyncio.sleep(1)

    await asyncio.gather(*map(plays, range(PLAYERS)), asks(), opens())
    for each in everybody:
        await each.client.close()
    return seen


def memory_of(pid: int) -> int:
    """Return the memory of a process and its descendants in bytes, counting shared memory once."""
    parts = 0
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            parts += 1024 * int(line.split()[1]) if line.startswith("Pss:") else 0
        for task in Path(f"/proc/{pid}/task").iterdir():
            parts += sum(map(memory_of, map(int, (task / "children").read_text().split())))
    return parts


HEAD = "attack        act p50   act p99   act max  hint max  open max   MB now    failed"


def measured(
    processes: list[Served], urls: list[str], attacks: list[str], asked: argparse.Namespace
) -> Seen:
    """Return how long the players wait during these attacks.

    Attacks take turns over the addresses. With `--addresses`, each attack uses all of them.
    """
    command = [sys.executable, "-m", "bench.attack"]
    many = [f"127.0.1.{number}" for number in range(1, asked.addresses + 1)]
    attackers = []
    for number, name in enumerate(attacks):
        addresses = many or [ADDRESSES[number % len(ADDRESSES) if len(attacks) > 1 else 0]]
        where = ["--against", urls[number % len(urls)], "--from", ",".join(addresses)]
        attackers.append(
            subprocess.Popen([*command, *where, "--attack", name], stderr=subprocess.DEVNULL)
        )
    try:
        time.sleep(3 if attacks else 0)  # wait until the attacks have begun
        seen = asyncio.run(played(urls, AT_HOME if many else ["127.0.0.1"], asked.seconds))
        seen.memory = sum(memory_of(served.pid) for served in processes)
        if any(attacker.poll() is not None for attacker in attackers):
            sys.exit(f"an attacker has ended by himself: {', '.join(attacks)}")
    finally:
        for attacker in attackers:
            attacker.kill()
            attacker.wait()
    return seen


def row(name: str, seen: Seen) -> str:
    """Return the table row of an attack, in milliseconds."""
    times = [*(share(seen.actions, part) for part in (0.5, 0.99, 1))]
    times += [max(seen.hints, default=0), max(seen.openings, default=0)]
    numbers = "".join(f"{1000 * each:10.1f}" for each in times)
    return f"{name:<11}{numbers}{seen.memory / 1e6:9.0f}{seen.failed:10}"


def main() -> None:
    """Run every attack alone, and then all together."""
    rounds = {"nobody": [], **{name: [name] for name in ATTACKS}, "all": [*ATTACKS]}
    parser = argparse.ArgumentParser(prog="python -m bench.attack", description=__doc__)
    parser.add_argument("--seconds", type=float, default=15, help="of each (default: 15)")
    parser.add_argument("--addresses", type=int, default=0, help="so many attack at once")
    parser.add_argument("--most", type=float, help="milliseconds that the eight may wait at p99")
    parser.add_argument("--times", type=int, default=1, help="measure so often (default: 1)")
    parser.add_argument(
        "--postgresql",
        action="store_true",
        help="two processes on a new database of the PostgreSQL of this machine",
    )
    parser.add_argument("--nginx", action="store_true", help="behind a real nginx")
    parser.add_argument("--only", choices=rounds, nargs="+", help="some of them")
    parser.add_argument("--against", help=argparse.SUPPRESS)
    parser.add_argument("--attack", choices=ATTACKS, help=argparse.SUPPRESS)
    parser.add_argument("--from", dest="origins", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.against:
        os.nice(19)
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        asyncio.run(attack(asked.attack, asked.against, asked.origins.split(",")))
        return
    wanted = {name: rounds[name] for name in asked.only or rounds}
    where = "PostgreSQL, two processes" if asked.postgresql else "SQLite"
    of = f", {asked.addresses} addresses" if asked.addresses else ""
    slow = []
    for _ in range(asked.times):
        load = f"load {os.getloadavg()[0]:.1f}"
        print(f"{where}{', behind nginx' if asked.nginx else ''}{of}, {load}\n{HEAD}")
        try:
            for name, attacks in wanted.items():
                with served_there(postgresql=asked.postgresql, behind=asked.nginx) as (there, urls):
                    seen = measured(there, urls, attacks, asked)
                print(row(name, seen), flush=True)
                if asked.most is not None and 1000 * share(seen.actions, 0.99) > asked.most:
                    slow.append(name)
        except pytest.skip.Exception as missing:
            sys.exit(f"left out: {missing}") if os.environ.get(NOTHING_SKIPPED) else print(missing)
    if slow:
        sys.exit(f"over {asked.most:g} ms: {', '.join(slow)}")


@contextmanager
def served_there(*, postgresql: bool, behind: bool) -> Iterator[tuple[list[Served], list[str]]]:
    """Yield the processes of a new server, and the addresses to which players connect."""
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
