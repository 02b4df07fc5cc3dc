"""Many turns of a game side by side, as a vector environment of gymnasium.

The environment computes all positions of the game at first, so a step only looks up arrays.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from shutbox.english import Word
from shutbox.errors import IllegalChoice
from shutbox.game import Game
from shutbox.rl.turn_arrays import Places, TurnArrays
from shutbox.rl.turn_env import HasTurnSpec, Reward, word_of
from shutbox.solver import compiled
from shutbox.solver.objectives import MEAN, Aim


class Observe(Word):
    """The form of an observation."""

    NUMBERS = "numbers"
    """int64[F]: the position, see `shutbox.rl.Encoder`."""
    STATE = "state"
    """The number of the state, for tabular methods: its index in `turns.positions`."""


class TurnBatch(HasTurnSpec, VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """A batch of `num_envs` turns, each of which restarts in the step in which it ends.

    Arguments are as in `TurnEnv`. `game` can also be a `TurnArrays`, to make it only once; its aim
    then replaces `aim`. `infos` has `action_mask`, int8[B, K], and `counts`, int32[B], the number
    of legal actions. After an end the observation is that of the next turn. `step` raises
    IllegalChoice for an illegal action and changes nothing.

    >>> batch = TurnBatch("six", num_envs=3)
    >>> here, infos = batch.reset(seed=1)
    >>> here.shape, infos["counts"].shape
    ((3, 8), (3,))

    Raises TooLarge for a game with too many positions; use `TurnEnv` for it.
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(
        self,
        game: TurnArrays | Game[Any, Any] | str = "classic",
        num_envs: int = 1,
        *,
        aim: Aim | str = MEAN,
        reward: Reward | str = Reward.END,
        observe: Observe | str = Observe.NUMBERS,
    ) -> None:
        self.turns = game if isinstance(game, TurnArrays) else TurnArrays.of(game, aim)
        self.num_envs = num_envs
        self.reward: Reward = word_of(Reward, reward)
        self.observe: Observe = word_of(Observe, observe)
        encoder, (states, actions) = self.turns.encoder, self.turns.leads.shape
        self.single_observation_space: spaces.Space[Any] = spaces.Discrete(states)
        if self.observe is Observe.NUMBERS:
            self.single_observation_space = spaces.Box(encoder.low, encoder.high, dtype=np.int64)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._table = self.turns.leads, self.turns.outcomes, self.turns.start, *self._rewards()
        self._here: Places = np.zeros(num_envs, np.int32)
        self._streams = np.zeros(num_envs, np.uint64)
        self._begun = False

    @property
    def states(self) -> Places:
        """int32[B]: the state of each turn, an index in `turns.positions`."""
        return self._here.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin every turn with dice from the seed; without one the streams go on."""
        turns = self.turns
        if seed is not None or not self._begun:
            generator, _ = seeding.np_random(seed)
            words = generator.integers(0, 1 << 64, self.num_envs, np.uint64, endpoint=False)
            self._streams = words * _kernel().GOLDEN
            self._begun = True
        states = len(turns.positions)
        compiled.with_recompile(
            _kernel().begin, turns.start, states, turns.outcomes, self._here, self._streams
        )
        return self._seen()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make one choice in each turn, `actions` being int[B]; turns that end begin again."""
        taken = np.asarray(actions, np.int64)
        self._check(taken)
        rewards, over = np.empty(self.num_envs), np.empty(self.num_envs, np.bool_)
        written = self._here, taken, self._streams, rewards, over
        compiled.with_recompile(_kernel().steps, *self._table, *written)
        here, infos = self._seen()
        return here, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _check(self, actions: NDArray[np.int64]) -> None:
        counts = self.turns.counts[self._here]
        # In a state without legal actions any action of the space ends the turn.
        most = np.where(counts, counts, self.turns.leads.shape[1])
        wrong = np.flatnonzero((actions < 0) | (actions >= most))
        if len(wrong):
            env = int(wrong[0])
            raise IllegalChoice(
                "action {action} of turn {lane} is not open; there are {number} choices, "
                "counted from 0",
                self.turns.positions[self._here[env]],
                action=int(actions[env]),
                lane=env,
                number=int(counts[env]),
            )

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        turns, here = self.turns, self._here
        infos = {"action_mask": turns.masks[here], "counts": turns.counts[here]}
        seen = here.astype(np.int64) if self.observe is Observe.STATE else turns.numbers[here]
        return seen, infos

    def _rewards(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the addends of a reward: by end, by state and action, and by the state reached."""
        turns = self.turns
        no_before, no_after = np.zeros(turns.leads.shape), np.zeros(len(turns.positions))
        match self.reward:
            case Reward.END:
                return turns.payoffs, no_before, no_after
            case Reward.SHAPED:
                return turns.payoffs, no_before - turns.values[:, None], turns.values
            case Reward.REGRET:
                return np.zeros(len(turns.payoffs)), -turns.costs, no_after


def _kernel() -> Any:
    compiled.simulation()  # loaded first, because it sets the folder for compiled code
    from shutbox.rl import batch_kernel

    return batch_kernel
