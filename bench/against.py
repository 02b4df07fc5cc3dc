"""`make against REV=…`: the benchmarks of another revision and of this tree, compared as ratios.

The two trees run in turn. Each runs its own benchmark with the libraries installed here. Figures
are matched by name, and the medians are compared: 1.10 means that this tree takes 10 % longer.
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
from io import BytesIO
from pathlib import Path

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


def main() -> None:
    """Run both trees in turn, and print the comparison."""
    parser = argparse.ArgumentParser(prog="python -m bench.against", description=__doc__)
    parser.add_argument("revision", help="what this tree is compared with: a commit, tag or branch")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="run each tree N times")
    parser.add_argument("--rounds", type=int, default=5, metavar="N", help="as of make bench")
    asked = parser.parse_args()
    there = checkout(asked.revision)
    before: Figures = defaultdict(list)
    now: Figures = defaultdict(list)
    for turn in range(1, asked.times + 1):
        print(f"run {turn} of {asked.times}", flush=True)
        run(there, asked.rounds, before)
        run(Path(), asked.rounds, now)
    print(*compared(now, before), sep="\n")


if __name__ == "__main__":
    main()
