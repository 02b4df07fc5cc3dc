"""The benchmarks: what is judged, compared and kept. `make nightly` runs them all."""

import asyncio
import json
import platform
from pathlib import Path

import bench
import pytest
from bench import terminal
from bench.__main__ import compared
from bench.attack import Seen, faults
from bench.load import Died, Load

from serving import ROOT, Served


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
