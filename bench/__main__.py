"""`make bench`: every benchmark in one run, each as a ratio to a named baseline.

`make against REV=…` runs the benchmarks of another revision and of this tree in turn. Each tree
runs its own benchmark with the libraries installed here. Figures are matched by name, and the
medians are compared: 1.10 means that this tree takes 10 % longer.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tarfile
from collections import defaultdict
from collections.abc import Iterator
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

import bench

SLOWER = 1.15
"""A ratio above this is marked. Smaller differences mean little, since machines are noisy."""
MORE_IS_BETTER = "a second"
RUN = """
import runpy, sys
import bench
rounds = int(sys.argv.pop())
bench.times = lambda usual: min(usual, rounds)
runpy.run_module("bench", run_name="__main__")
"""
"""Runs the benchmark of any revision, even one without the option `--rounds`."""

Figures = dict[tuple[str, str], list[float]]


def checkout(revision: str) -> Path:
    """Write a revision into its own folder below `build`, and return the folder.

    If there is no such revision, raise SystemExit.
    """
    asked = ["git", "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}"]
    found = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    if not found:
        raise SystemExit(f"make against: there is no revision {revision}")
    folder = Path("build/against", found[:12])
    if not folder.exists():
        archive = subprocess.run(["git", "archive", found], capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as files:
            files.extractall(folder, filter="data")
    return folder


def run(tree: Path, rounds: int, figures: Figures) -> None:
    """Run the benchmark of a tree once, and add its figures."""
    command = [sys.executable, "-c", RUN, str(rounds)]
    setting = os.environ | {"PYTHONPATH": "src"}
    subprocess.run(command, cwd=tree, env=setting, stdout=subprocess.DEVNULL, check=True)
    newest = max((tree / "build/bench").glob("figures-*.json"))
    for figure in json.loads(newest.read_text(encoding="utf-8"))["figures"]:
        figures[figure["name"], figure["unit"]].append(figure["value"])


def compared(now: Figures, before: Figures) -> Iterator[str]:
    """Yield a line for each figure, with this tree's time as a ratio to the other's."""
    for (name, unit), values in now.items():
        ours, theirs = statistics.median(values), statistics.median(before.get((name, unit), [0.0]))
        if not theirs or not ours:
            yield f"    -  {name}: {ours:.4g} {unit}, with nothing to compare"
            continue
        ratio = theirs / ours if unit == MORE_IS_BETTER else ours / theirs
        mark = "  slower" if ratio > SLOWER else ""
        yield f"{ratio:5.2f}  {name}: {theirs:.4g} → {ours:.4g} {unit}{mark}"


def against(revision: str, repeated: int, rounds: int) -> None:
    """Run both trees in turn, and print the comparison."""
    there = checkout(revision)
    before: Figures = defaultdict(list)
    now: Figures = defaultdict(list)
    for number in range(1, repeated + 1):
        print(f"run {number} of {repeated}", flush=True)
        run(there, rounds, before)
        run(Path(), rounds, now)
    print(*compared(now, before), sep="\n")


def measure(rounds: int | None) -> None:
    """Run every benchmark whose packages are installed, and print its figures."""
    from bench import plays, terminal

    bench.rounds = rounds
    plays.matches()
    plays.records()
    plays.reviews()
    terminal.starts()
    terminal.questions()
    terminal.keys()
    terminal.voice()
    if find_spec("numpy") is None:
        print("NumPy is not installed, so simulated turns are left out: make tools")
    else:
        plays.turns()
    if find_spec("gymnasium") is None:
        print("gymnasium is not installed, so environments are left out: make tools")
    else:
        from bench import rl

        rl.environments()
    if find_spec("numba") is None:
        print("numba is not installed, so large boxes and matches of two are left out: make tools")
    else:
        from bench import solvers

        solvers.matches()
        solvers.boxes()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, metavar="N", help="time nothing more than N times")
    parser.add_argument("--once", action="store_true", help="time nothing twice, keep no figures")
    parser.add_argument("--against", metavar="REV", help="compare with a commit, tag or branch")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="run each tree N times")
    asked = parser.parse_args()
    if asked.against:
        against(asked.against, asked.times, asked.rounds or 5)
    else:
        measure(1 if asked.once else asked.rounds)
        if not asked.once:
            print(f"kept in {bench.keep(Path('build/bench'))}")
