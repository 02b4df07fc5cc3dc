"""Deep Q-learning (double DQN) of a turn: a network estimates the result of each action.

Turns are played in parallel, and their steps are stored in a ring. After each step of all turns the
network learns from random stored steps.
"""

import numpy as np
from numpy.typing import NDArray

from learning.networks import HIDDEN, Network, features, greedy
from shutbox.rl import TurnArrays, TurnBatch

LANES = 32  # turns in parallel
STORED = 50_000  # steps in the ring
BATCH, TIMES = 256, 2  # steps that are learned from at once; how often after each step of all turns
COPIED = 250  # calls after which the network that gives the targets is replaced
RATE = 1e-3


def learn(turns: TurnArrays, steps: int, seed: int) -> NDArray[np.intp]:
    """Return int[S], the greedy policy after this many steps in all turns together."""
    chance = np.random.default_rng(seed)
    inputs, masks = features(turns), turns.masks
    scale = float(np.abs(turns.payoffs).max()) or 1.0
    sizes = [inputs.shape[1], HIDDEN, HIDDEN, masks.shape[1]]
    network, target = (Network(sizes, chance, RATE) for _ in range(2))
    network.copy_to(target)
    batch = TurnBatch(turns, LANES, observe="state")
    here, infos = batch.reset(seed=seed)
    ring = np.zeros(
        (4, STORED)
    )  # the state, the action, the reward, and the next state, -1 at ends
    calls = steps // LANES
    for call in range(calls):
        left = 1 - call / calls
        explores = chance.random(LANES) < max(0.05, 1 - 3 * (1 - left))
        any_open = (chance.random(LANES) * np.maximum(infos["counts"], 1)).astype(np.intp)
        best = greedy(network(inputs[here]), masks[here])
        taken = np.where(explores, any_open, best)
        there, rewards, over, _, infos = batch.step(taken)
        at = np.arange(call * LANES, (call + 1) * LANES) % STORED
        ring[:, at] = here, taken, rewards / scale, np.where(over, -1, there)
        here = there
        network.rate = RATE * max(left, 0.05)
        for _ in range(TIMES):
            drawn = ring[:, chance.integers(min((call + 1) * LANES, STORED), size=BATCH)]
            states, actions, gains, after = drawn[0].astype(int), drawn[1].astype(int), *drawn[2:]
            nexts = after.astype(int)
            chosen = greedy(network(inputs[nexts]), masks[nexts])
            future = target(inputs[nexts])[np.arange(BATCH), chosen]
            wanted = gains + np.where(nexts < 0, 0, future)
            guessed = network(inputs[states])
            slope = np.zeros_like(guessed)
            slope[np.arange(BATCH), actions] = guessed[np.arange(BATCH), actions] - wanted
            network.learn((slope / BATCH).astype(np.float32))
        if call % COPIED == 0:
            network.copy_to(target)
    return greedy(network(inputs), masks)
