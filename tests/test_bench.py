"""The load on the server: a small one, and listeners that hear nothing for a while, or no more."""

import asyncio
import re
import subprocess
import sys
from pathlib import Path

import pytest
from bench.load import Died, Load, Seen

from serving import ROOT, Served

QUIET = """
import sys
from shutbox.cli.main import main
from shutbox.web import limits
limits.ALIVE_SECONDS = 0.1
sys.exit(main(["serve", *sys.argv[1:]]))
"""
pytestmark = pytest.mark.slow
NUMBERS = re.compile(r" *\d+( +\d+)( +\d+\.\d){6} +(?P<failed>\d+) +\d+")


def test_a_small_load_is_carried_and_told() -> None:
    small = ("--tables", "4", "--rate", "10", "--step", "10", "--most", "20", "--seconds", "2")
    ran = subprocess.run(
        [sys.executable, "-m", "bench.load", *small],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    said = ran.stdout.splitlines()
    assert said[0].startswith("4 tables, 12 listeners")
    rows = [row for line in said if (row := NUMBERS.fullmatch(line))]
    assert rows, ran.stdout
    assert {row["failed"] for row in rows} == {"0"}
    assert re.fullmatch(r"at 10 a second, .*: p50 [\d.]+ ms, p99 [\d.]+ ms", said[-1])


def test_who_hears_that_nothing_happens_listens_on(tmp_path: Path) -> None:
    async def played(url: str) -> Seen:
        load = Load(url, 2)
        try:
            await load.open()
            await asyncio.sleep(1)  # which is ten times as long as nothing may be said
            return await load.play(10, 1)
        finally:
            await load.close()

    with Served(tmp_path, program=("-c", QUIET)) as served:
        seen = asyncio.run(played(served.url))
    assert seen.shown
    assert not seen.failed


def test_a_listener_that_dies_ends_the_run(tmp_path: Path) -> None:
    async def played(served: Served) -> None:
        load = Load(served.url, 2)
        try:
            await load.open()
            await asyncio.to_thread(served.kill)
            await load.play(10, 60)
        finally:
            await load.close()

    with Served(tmp_path) as served, pytest.raises(Died):
        asyncio.run(played(served))
