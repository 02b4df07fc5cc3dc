"""`make bench`: every benchmark in one run, each as a ratio to a named baseline."""

import argparse
from importlib.util import find_spec
from pathlib import Path

import bench
from bench import matches, odds, review, screen, sealed, speech, startup

if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, metavar="N", help="time nothing more than N times")
    parser.add_argument("--once", action="store_true", help="time nothing twice, keep no figures")
    asked = parser.parse_args()
    bench.rounds = 1 if asked.once else asked.rounds
    matches.main()
    startup.main()
    screen.main()
    speech.main()
    sealed.main()
    odds.main()
    review.main()
    if find_spec("numpy") is None:
        print("NumPy is not installed, so simulated turns are left out: make tools")
    else:
        from bench import turns

        turns.main()
    if find_spec("gymnasium") is None:
        print("gymnasium is not installed, so environments are left out: make tools")
    else:
        from bench import rl

        rl.main()
    if find_spec("numba") is None:
        print("numba is not installed, so large boxes and matches of two are left out: make tools")
    else:
        from bench import kernel, standings

        standings.main()
        kernel.main()
    if not asked.once:
        print(f"kept in {bench.keep(Path('build/bench'))}")
