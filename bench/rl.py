"""Environment steps a second on one core, compared with a plain environment of forty lines.

The plain one is a turn of Classic as anybody writes it for gymnasium. Every side takes the first
action, and all are timed in turn. Work done before the first step is not timed. Batched turns are
16,384 in parallel.
"""

import statistics
from collections.abc import Callable
from functools import partial
from itertools import combinations
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bench import note, seconds, times
from shutbox.rl import MatchEnv, TurnArrays, TurnBatch, TurnEnv

Seen = tuple[NDArray[np.int64], dict[str, Any]]

COVERS = {
    total: [
        tiles
        for number in range(1, 5)
        for tiles in combinations(range(1, 10), number)
        if sum(tiles) == total
    ]
    for total in range(1, 13)
}
STEPS = 20_000
LANES = 16_384
CALLS = 50
ROUNDS = 7
"""All sides are timed in turn this many times; medians of rates and of ratios are reported."""


class PlainTurn(gymnasium.Env[NDArray[np.int64], np.int64]):  # type: ignore[misc]
    """A turn with the observations, actions and rewards of `TurnEnv("classic")`, two dice first."""

    def __init__(self) -> None:
        self.observation_space = spaces.Box(0, 6, (12,), np.int64)
        self.action_space = spaces.Discrete(12)

    def _throw(self) -> None:
        dice = range(2 if sum(self.up) > 6 else 1)
        self.dice = sorted(int(self.np_random.integers(1, 7)) for _ in dice)
        covers = COVERS[sum(self.dice)]
        self.covers = [tiles for tiles in covers if self.up.issuperset(tiles)]

    def _seen(self) -> Seen:
        seen, mask = np.zeros(12, np.int64), np.zeros(12, np.int8)
        seen[[tile - 1 for tile in self.up]] = 1
        seen[10 : 10 + len(self.dice)] = self.dice
        mask[: len(self.covers)] = 1
        return seen, {"action_mask": mask}

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Seen:
        """Begin a turn and throw."""
        super().reset(seed=seed)
        self.up = set(range(1, 10))
        self._throw()
        return self._seen()

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.int64], float, bool, bool, dict[str, Any]]:
        """Cover the tiles of a choice, and throw again."""
        self.up -= set(self.covers[int(action)])
        if self.up:
            self._throw()
        over = not self.up or not self.covers
        seen, info = self._seen()
        return seen, -float(sum(self.up)) if over else 0.0, over, False, info


def environments() -> None:
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
    batched(batch, 1)
    sides: dict[str, tuple[int, Callable[[], object]]] = {
        "plain": (STEPS, partial(stepped, baseline, STEPS)),
        "pettingzoo": (STEPS // 4, partial(matched, match, STEPS // 4)),
        "gymnasium": (STEPS, partial(stepped, turn, STEPS)),
        "compiled": (CALLS * LANES, partial(batched, batch, CALLS)),
    }
    print("steps of classic per second on one core; baseline: a plain environment")
    rounds = [
        {name: steps / seconds(play) for name, (steps, play) in sides.items()}
        for _ in range(times(ROUNDS))
    ]
    for name in sides:
        rate = statistics.median(rates[name] for rates in rounds)
        ratio = statistics.median(rates[name] / rates["plain"] for rates in rounds)
        print(f"{name:>16} {rate:>12,.0f} {ratio:>9,.2f} times")
        note(f"steps of an environment, {name}", rate, "a second", rate / ratio, ratio)


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
    environments()
