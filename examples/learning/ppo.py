"""Proximal policy optimisation of a turn: one network chooses, another estimates the result.

Turns are played in parallel for some steps. Then both networks learn from these steps, several
times, but the policy must not move far from the one that played.
"""

import numpy as np
from numpy.typing import NDArray

from learning.networks import HIDDEN, Network, features, greedy, masked
from shutbox.rl import TurnArrays, TurnBatch

LANES, LENGTH = 32, 64  # turns in parallel, and the steps of each between two updates
EPOCHS, PARTS = 4, 8  # how often an update uses each step; the parts that it takes one by one
CLIP, SMOOTH, ENTROPY = 0.2, 0.95, 0.01
RATE = 1e-3


def learn(turns: TurnArrays, steps: int, seed: int) -> NDArray[np.intp]:
    """Return int[S], the most likely action of each state after so many steps of all turns."""
    chance = np.random.default_rng(seed)
    inputs, masks = features(turns), turns.masks
    scale = float(np.abs(turns.payoffs).max()) or 1.0
    actor = Network([inputs.shape[1], HIDDEN, HIDDEN, masks.shape[1]], chance, RATE)
    critic = Network([inputs.shape[1], HIDDEN, HIDDEN, 1], chance, RATE)
    batch = TurnBatch(turns, LANES, observe="state")
    here, _ = batch.reset(seed=seed)
    updates = steps // (LANES * LENGTH)
    for update in range(updates):
        states, taken = (np.zeros((LENGTH, LANES), int) for _ in range(2))
        gains, ended = np.zeros((LENGTH, LANES)), np.zeros((LENGTH, LANES), bool)
        for at in range(LENGTH):
            chances = _chances(actor(inputs[here]), masks[here])
            draws = chance.random((LANES, 1)) * chances.sum(axis=1, keepdims=True)
            states[at], taken[at] = here, (chances.cumsum(axis=1) <= draws).sum(axis=1)
            here, rewards, ended[at], _, _ = batch.step(taken[at])
            gains[at] = rewards / scale
        values = critic(inputs[states.ravel()])[:, 0].reshape(states.shape)
        following, ahead = critic(inputs[here])[:, 0], np.zeros(LANES)
        edges = np.zeros(states.shape)  # how much better than expected each action turned out
        for at in reversed(range(LENGTH)):
            surprise = gains[at] + np.where(ended[at], 0, following) - values[at]
            edges[at] = ahead = surprise + np.where(ended[at], 0, SMOOTH * ahead)
            following = values[at]
        flat, actions, returns = states.ravel(), taken.ravel(), (edges + values).ravel()
        edge = ((edges - edges.mean()) / (edges.std() + 1e-8)).ravel()
        old = _chances(actor(inputs[flat]), masks[flat])[np.arange(len(flat)), actions]
        left = 1 - update / updates
        actor.rate = critic.rate = RATE * max(left, 0.05)
        for _ in range(EPOCHS):
            for part in np.array_split(chance.permutation(len(flat)), PARTS):
                rows, seen = np.arange(len(part)), inputs[flat[part]]
                chances = _chances(actor(seen), masks[flat[part]])
                ratio = chances[rows, actions[part]] / old[part]
                free = np.where(edge[part] > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
                push = (free * ratio * edge[part])[:, None]
                slope = push * chances  # of minus the clipped gain, by the outputs of the actor
                slope[rows, actions[part]] -= push[:, 0]
                logs = np.log(np.maximum(chances, 1e-12))
                spread = -(chances * logs).sum(axis=1, keepdims=True)
                slope += ENTROPY * left * chances * (logs + spread)
                actor.learn((slope / len(part)).astype(np.float32))
                missed = critic(seen)[:, 0] - returns[part]
                critic.learn((missed / len(part)).astype(np.float32)[:, None])
    return greedy(actor(inputs), masks)


def _chances(outputs: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return the probability of each action: the softmax over the legal ones."""
    found = masked(outputs.astype(np.float64), masks)
    found = np.exp(found - found.max(axis=1, keepdims=True))
    return np.asarray(found / found.sum(axis=1, keepdims=True))
