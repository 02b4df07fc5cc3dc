"""The baseline of the environments: a turn of Classic as anybody writes it for gymnasium."""

from itertools import combinations
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

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
