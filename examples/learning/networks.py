"""A small neural network in NumPy, and the batches of turns that it learns from.

It has two hidden layers with ReLU, is trained with Adam, and needs no other library.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shutbox.rl import TurnArrays

Floats = NDArray[np.float32]
HIDDEN = 128


def features(turns: TurnArrays) -> Floats:
    """Return float32[S, G]: the numbers of every state, one-hot by feature and value."""
    columns = []
    for values in turns.numbers.T:
        columns += [values == value for value in np.unique(values)]
    return np.array(columns, np.float32).T


class Network:
    """A function from float32[B, inputs] to float32[B, outputs], and its gradient."""

    def __init__(self, sizes: Sequence[int], chance: np.random.Generator, rate: float) -> None:
        self.rate, self.steps = rate, 0
        self.weights: list[Floats] = []
        for inputs, outputs in pairwise(sizes):
            scale = np.sqrt(2 / inputs) if outputs != sizes[-1] else 0.01
            self.weights.append(scale * chance.standard_normal((inputs, outputs), np.float32))
            self.weights.append(np.zeros(outputs, np.float32))
        self.moments = [np.zeros_like(one) for one in self.weights * 2]

    def __call__(self, inputs: Floats) -> Floats:
        """Return the outputs, and remember each layer for `learn`."""
        self.layers = [inputs]
        for at in range(0, len(self.weights), 2):
            outputs = self.layers[-1] @ self.weights[at] + self.weights[at + 1]
            self.layers.append(outputs if at + 2 == len(self.weights) else np.maximum(outputs, 0))
        return self.layers[-1]

    def learn(self, slope: Floats) -> None:
        """Take a step of Adam down this slope, that of the loss by the outputs of the last call."""
        slopes: list[Floats] = []
        for at in range(len(self.weights) - 2, -1, -2):
            below = self.layers[at // 2]
            slopes[:0] = [below.T @ slope, slope.sum(axis=0)]
            slope = (slope @ self.weights[at].T) * (below > 0)
        self.steps += 1
        count = len(self.weights)
        norm = np.sqrt(sum(float((one**2).sum()) for one in slopes))
        for at, gradient in enumerate(slopes):
            gradient *= min(1.0, 10.0 / (norm + 1e-9))  # one odd batch must not undo the others
            first, second = self.moments[at], self.moments[at + count]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            mean, square = first / (1 - 0.9**self.steps), second / (1 - 0.999**self.steps)
            self.weights[at] -= (self.rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)

    def copy_to(self, other: "Network") -> None:
        """Set the weights of a network of the same sizes to those of this one."""
        for there, here in zip(other.weights, self.weights, strict=True):
            there[:] = here


def masked(values: NDArray[Any], masks: NDArray[Any]) -> NDArray[Any]:
    """Return the values, and minus infinity for actions that are not legal.

    A state without legal actions is an end; there every action counts as legal.
    """
    return np.where((masks == 0) & masks.any(axis=1, keepdims=True), -np.inf, values)


def greedy(values: NDArray[Any], masks: NDArray[Any]) -> NDArray[np.intp]:
    """Return the legal action of the highest value in each row; of equal ones, the first."""
    return np.asarray(masked(values, masks).argmax(axis=1), np.intp)
