"""The benchmarks: a small load, listeners that lose their connection, faults and kept figures."""

import asyncio
import json
import os
import platform
import re
import shlex
import subprocess
import sys
from pathlib import Path

import bench
import pytest
from bench import terminal
from bench.__main__ import compared
from bench.attack import Seen, faults
from bench.load import Died, Load

from serving import ROOT, Served

MICRO = ROOT / "bench" / "test_micro.py"
NUMBERS = re.compile(r" *\d+( +\d+)( +\d+\.\d){6} +(?P<failed>\d+) +\d+ +\d+\.\d+")


def told(bench: str, *words: str) -> list[str]:
    """The lines that a benchmark prints."""
    ran = subprocess.run(
        [sys.executable, "-m", f"bench.{bench}", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def test_a_small_load_is_carried_and_told() -> None:
    small = ("--tables", "4", "--rate", "10", "--step", "10", "--most", "10", "--seconds", "1")
    said = told("load", *small)
    assert said[0].startswith("one process on SQLite: 4 tables, 12 listeners")
    rows = [row for line in said if (row := NUMBERS.fullmatch(line))]
    assert rows, said
    assert {row["failed"] for row in rows} == {"0"}
    assert re.fullmatch(
        r"at 10 a second, median of 3 runs, to every listener: "
        r"p50 [\d.]+ ms, p99 [\d.]+ ms; [\d.]+ ms of a core for an action",
        said[-3],
    )


def test_an_attack_is_judged_by_what_the_players_waited_and_lost() -> None:
    quick, slow = Seen(actions=[0.01] * 100), Seen(actions=[0.1] * 100, lost=1)
    assert [*faults("fifty", "heads", quick, 0.01)] == []
    where = "heads behind nginx, from fifty addresses"
    wrong = [f"{where}: 1 tables have lost an action", f"{where}: p99 is 100.0 ms"]
    assert [*faults("fifty", "heads", slow, 0.01)] == wrong
    large = Seen(actions=[0.1], memory=400_000_000, after=[0.2])
    where = "idle without a proxy, from one address"
    wrong = [f"{where}: 400 MB", f"{where}: p99 after the attack is 200.0 ms"]
    assert [*faults("bare", "idle", large, 0.01)] == wrong


def test_a_listener_that_dies_ends_the_run(tmp_path: Path) -> None:
    async def played(served: Served) -> None:
        load = Load([served], 2)
        try:
            await load.open()
            await load.listen()
            await asyncio.to_thread(served.kill)
            await load.play(10, 60)
        finally:
            await load.close()

    with Served(tmp_path) as served, pytest.raises(Died):
        asyncio.run(played(served))


def test_a_benchmark_runs_with_no_run_before_it_and_then_beside_one_of_another_machine(
    tmp_path: Path,
) -> None:
    pytest.importorskip("pytest_benchmark", reason="pytest-benchmark is not installed: make bench")
    shown = ["make", "--dry-run", "--no-print-directory", "bench", "ROUNDS=1"]
    told = subprocess.run(shown, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    told = told.replace("\\\n", " ").replace("bench/test_micro.py", shlex.quote(str(MICRO)))
    _, *words = next(words for words in map(shlex.split, told.splitlines()) if str(MICRO) in words)
    # Among workers of pytest it would time nothing.
    alone = {name: value for name, value in os.environ.items() if name[:6] != "PYTEST"}
    for has_earlier_run in (False, True):
        ran = subprocess.run(
            [sys.executable, *words, "-k", "test_text"],
            cwd=tmp_path,  # which build/bench is below, too
            env=alone,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout + ran.stderr
        assert ("(0001_" in ran.stdout) is has_earlier_run
        for kept in tmp_path.glob("build/bench/*/0001_*.json"):
            run = json.loads(kept.read_text(encoding="utf-8"))
            run["machine_info"]["cpu"] = {"count": 1000}
            kept.write_text(json.dumps(run), encoding="utf-8")


def test_figures_of_two_trees_are_compared() -> None:
    now = {("a", "ms"): [2.0, 1.0, 3.0], ("b", "a second"): [10.0], ("new", "ms"): [1.0]}
    before = {("a", "ms"): [1.0], ("b", "a second"): [11.0], ("gone", "ms"): [1.0]}
    assert [*compared(now, before)] == [
        " 2.00  a: 1 → 2 ms  slower",
        " 1.10  b: 11 → 10 a second",
        "    -  new: 1 ms, with nothing to compare",
    ]


def test_the_figures_of_a_run_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bench, "rounds", 1)
    monkeypatch.setattr(bench, "figures", [])
    terminal.starts()
    _, _, *rows = capsys.readouterr().out.splitlines()
    run = json.loads(bench.keep(tmp_path / "new").read_text(encoding="utf-8"))
    assert run["python"] == platform.python_version()
    assert bool(run["commit"]) == (ROOT / ".git").exists()
    figures = run["figures"]
    told = [f"{one['name']} {one['value']:.0f} {one['baseline']:.0f}" for one in figures]
    assert told == [" ".join(row.split()[:-1]) for row in rows]
    assert {one["unit"] for one in figures} == {"ms"}
    assert all(one["ratio"] == one["value"] / one["baseline"] for one in figures)
