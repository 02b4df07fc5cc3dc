"""A table of the exact regret of learners and of well-known strategies, with their machine time.

    python -m learning.table runs.jsonl                # from the folder `examples`
    python -m learning.table runs.jsonl --steps 20000  # shorter

Each finished run is a line of the file. If the program is stopped and started again, it makes only
the runs that are missing, and then prints the table of docs/rl.md.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import mean, stdev
from time import process_time
from typing import Any

import numpy as np
from learn_turn import learn as learn_table
from numpy.typing import NDArray

from learning import dqn, ppo
from shutbox.rl import TurnArrays, baselines

GAMES = ("six", "classic")
SEEDS = (1, 2, 3)
STEPS = 300_000


def tabular(turns: TurnArrays, steps: int, seed: int) -> NDArray[np.intp]:
    """Return the greedy policy of tabular Q-learning, as examples/learn_turn.py learns it."""
    *_, (_, values) = learn_table(turns, steps, seed=seed, parts=1)
    return np.asarray(values.argmax(axis=1), np.intp)


LEARNERS: dict[str, Callable[[TurnArrays, int, int], NDArray[np.intp]]] = {
    "tabular Q": tabular,
    "DQN": dqn.learn,
    "PPO": ppo.learn,
}
arrays = cache(TurnArrays.of)


def missing(file: Path, steps: int) -> Iterator[tuple[str, str, int]]:
    """Yield the game, the learner and the seed of each run of so many steps not in the file."""
    done = {(run["game"], run["learner"], run["seed"]) for run in read(file, steps)}
    for game in GAMES:
        for learner in LEARNERS:
            yield from ((game, learner, one) for one in SEEDS if (game, learner, one) not in done)


def read(file: Path, steps: int) -> list[dict[str, Any]]:
    """Return the finished runs of so many steps."""
    runs = [json.loads(line) for line in finished(file)]
    return [run for run in runs if run["steps"] == steps]


def finished(file: Path) -> list[str]:
    """Return the lines of the file, without a last line that is cut off."""
    text = file.read_text("utf-8") if file.exists() else ""
    return [line for line in text.splitlines(keepends=True) if line.endswith("\n")]


def store(file: Path, run: dict[str, Any]) -> None:
    """Add a finished run to the file."""
    file.write_text("".join([*finished(file), f"{json.dumps(run)}\n"]), "utf-8")


def run(game: str, learner: str, seed: int, steps: int) -> dict[str, Any]:
    """Learn, and return the exact regret in points a turn and the seconds of processor time."""
    turns = arrays(game)
    LEARNERS["tabular Q"](turns, 1024, 0)  # compiles what the steps need
    before = process_time()
    policy = LEARNERS[learner](turns, steps, seed)
    seconds = process_time() - before
    about = {"game": game, "learner": learner, "seed": seed, "steps": steps}
    return {**about, "regret": turns.regret(policy).total, "seconds": seconds}


def table(file: Path, steps: int) -> Iterator[str]:
    """Yield the rows of the table, in Markdown."""
    yield "| policy |" + "".join(f" `{game}` | seconds |" for game in GAMES)
    yield "|---|" + "---|---|" * len(GAMES)
    fixed = {game: baselines(arrays(game)) for game in GAMES}
    for name in fixed[GAMES[0]]:
        yield f"| {name} |" + "".join(f" {fixed[game][name].total:.4f} | |" for game in GAMES)
    for learner in LEARNERS:
        cells = ""
        for game in GAMES:
            runs = [r for r in read(file, steps) if (r["game"], r["learner"]) == (game, learner)]
            regrets = [one["regret"] for one in runs]
            spent = mean(one["seconds"] for one in runs)
            cells += f" {mean(regrets):.4f} ± {stdev(regrets):.4f} | {spent:.1f} |"
        yield f"| {learner} |{cells}"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--steps", type=int, default=STEPS)
    typed = parser.parse_args()
    for job in missing(typed.file, typed.steps):
        store(typed.file, found := run(*job, typed.steps))
        print(found, flush=True)
    print(*table(typed.file, typed.steps), sep="\n")
