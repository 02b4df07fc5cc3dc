"""Environment steps a second on one core, compared with a plain environment of forty lines.

Every side plays at random or takes the first action, and all are timed in turn. Work done before
the first step is not timed. Batched turns are 16,384 in parallel.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from bench import note
from bench.plain_env import PlainTurn
from bench.turns import timed
from shutbox.rl import MatchEnv, TurnArrays, TurnBatch, TurnEnv

STEPS = 20_000
LANES = 16_384
CALLS = 50


def main() -> None:
    """Print steps a second and ratios."""
    turn = TurnEnv("classic")
    turn.reset(seed=7)
    stepped(turn, 3 * STEPS)  # positions met once are cached
    match = MatchEnv("classic[seats=2,rounds=5]")
    match.reset(seed=7)
    matched(match, 3 * STEPS)
    batch = TurnBatch(TurnArrays.of("classic"), LANES)
    batch.reset(seed=7)
    baseline = PlainTurn()
    baseline.reset(seed=7)
    ways: list[tuple[str, int, Callable[[], object]]] = [
        ("plain", STEPS, partial(stepped, baseline, STEPS)),
        ("pettingzoo", STEPS // 4, partial(matched, match, STEPS // 4)),
        ("gymnasium", STEPS, partial(stepped, turn, STEPS)),
    ]
    print("steps of classic per second on one core; baseline: a plain environment")
    rates = [(name, steps / timed(play)) for name, steps, play in ways]
    batched(batch, 1)
    rates.append(("compiled", CALLS * LANES / timed(partial(batched, batch, CALLS))))
    for name, rate in rates:
        print(f"{name:>16} {rate:>12,.0f} {rate / rates[0][1]:>9,.1f} times")
        note(f"steps of an environment, {name}", rate, "a second", rates[0][1])


def stepped(env: "TurnEnv | PlainTurn", steps: int) -> None:
    """Take the first action in every step of an environment of one agent."""
    for _ in range(steps):
        if env.step(0)[2]:
            env.reset()


def matched(env: MatchEnv, steps: int) -> None:
    """Take the first action in every step of a match environment."""
    for _ in range(steps):
        if env.terminations[env.agent_selection]:
            env.reset()
        env.step(0)


def batched(batch: TurnBatch, calls: int) -> None:
    """Take the first action in every turn of a batch."""
    actions = np.zeros(LANES, np.int64)
    for _ in range(calls):
        batch.step(actions)


if __name__ == "__main__":
    main()
