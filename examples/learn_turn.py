"""A program that learns to play a turn from nothing, and is compared with perfect play.

It uses tabular Q-learning, with many turns in parallel: the value of each action is learned from
the results of taking it. From time to time the exact regret of its greedy policy is computed: how
many points it loses on average in a turn. Run it as `python examples/learn_turn.py classic`.
"""

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from shutbox.rl import TurnArrays, TurnBatch

LANES = 512  # turns in parallel
EXPLORE = 0.2  # the share of random actions


def learn(
    turns: TurnArrays, steps: int, *, seed: int, parts: int = 8
) -> Iterator[tuple[int, NDArray[np.float64]]]:
    """Yield the number of steps so far and the learned values, float64[S, K], `parts` times."""
    chance = np.random.default_rng(seed)
    batch = TurnBatch(turns, LANES, observe="state")
    here, infos = batch.reset(seed=seed)
    actions = turns.leads.shape[1]
    values = np.zeros(turns.leads.shape)  # the estimated value of each action in each state
    often = np.zeros(turns.leads.shape)  # how often each action was taken
    closed = np.where(turns.masks, 0.0, -np.inf)
    closed[turns.counts == 0] = 0.0
    calls = steps // LANES
    for call in range(1, calls + 1):
        greedy = (values + closed).argmax(axis=1)
        any_open = (chance.random(LANES) * np.maximum(infos["counts"], 1)).astype(np.int64)
        taken = np.where(chance.random(LANES) < EXPLORE, any_open, greedy[here])
        there, rewards, over, _, infos = batch.step(taken)
        best = (values + closed).max(axis=1)
        targets = rewards + np.where(over, 0.0, best[there])
        # Turns in the same state that took the same action count as one sample, their mean.
        cells = here * actions + taken
        times = np.bincount(cells, minlength=values.size).reshape(values.shape)
        sums = np.bincount(cells, targets, minlength=values.size).reshape(values.shape)
        often += times
        seen = times > 0
        rate = np.minimum(1.0, times[seen] / often[seen] ** 0.8)
        values[seen] += rate * (sums[seen] / times[seen] - values[seen])
        here = there
        if call * parts // calls != (call - 1) * parts // calls:
            yield call * LANES, values + closed


if __name__ == "__main__":
    game = TurnArrays.of(sys.argv[1] if len(sys.argv) > 1 else "classic")
    print("the exact regret of its greedy policy, in points a turn:")
    for steps, known in learn(game, 4_000_000, seed=1):
        regret = game.regret(known.argmax(axis=1)).total
        print(f"{steps:>10,} steps  {regret:.4f}")
