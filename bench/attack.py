"""Attacks on a server, and what they cost its players: `make attack`.

The benchmark starts a server on this machine. Eight players play `classic` at their tables, one
asks for hints and one opens a table now and then, each from an address of their own. At the same
time attackers do whatever costs the server most within its limits: each attack of
`bench.attackers` alone, then all together. Real attackers use their own machines, so the attackers
here only get what the others leave of the shared cores (SCHED_IDLE).

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
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bench.attackers import ATTACKS, People, attack
from bench.tables import share

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from conftest import NOTHING_SKIPPED
from nginx import nginx
from serving import Served, free_port

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
