"""A turn as an environment of gymnasium: the dice are chance, the covers are actions.

`TurnEnv` plays one turn of any game by its rules. `TurnBatch` plays many side by side: it computes
all positions of the game when it is made, so a step only looks up arrays.
"""

from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from shutbox.engine.dice import Cup
from shutbox.engine.english import Word, shown
from shutbox.engine.errors import IllegalChoice, NotUnderstood
from shutbox.engine.game import Game, Over, position_text
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import check_type, one_of
from shutbox.rl.encoder import Encoder, Numbers
from shutbox.rl.turn_arrays import Places, TurnArrays
from shutbox.rl.walk import GeneratorCup, Node, Walk, cup_from_options
from shutbox.solving import compiled
from shutbox.solving.objectives import MEAN, Aim, aim_named
from shutbox.solving.solvers import solve
from shutbox.table.solver_input import turn_meant


class Reward(Word):
    """The kind of reward that a step gives. More is better, whichever scores are good."""

    END = "end"
    """The payoff of the end under the aim, in the last step; negated if the aim minimises it."""
    SHAPED = "shaped"
    """The change of the exact value in the step. The rewards of a turn sum to the payoff of its end
    minus the value of the first position observed, which is after the first throw."""
    REGRET = "regret"
    """Minus the exact loss of the choice against the best: 0 or less, and free of luck."""


class TurnEnv(gymnasium.Env[Numbers, np.int64]):
    """An environment of gymnasium: one turn of a game.

    `game` is a game or its name. An observation is int64[F], see `shutbox.rl.Encoder`; an action is
    the index of a choice in canonical order. `info["action_mask"]`, int8[most_choices], marks the
    legal actions; `action_masks()` returns it as bool. `aim` is `mean` for the score, `shut`,
    `worst-shut`, or `beat:8` for the share of the win against a score of 8. For `reward` see
    `Reward`. `options={"cup": cup}` of `reset` takes the dice from a cup, such as
    `SeededCup("pub")`, instead of the seed.

    >>> env = TurnEnv("six", reward="regret")
    >>> here, info = env.reset(seed=1)
    >>> here.tolist(), info["action_mask"].tolist()
    ([1, 1, 1, 1, 1, 1, 0, 3], [1, 1, 0, 0])
    >>> env.step(1)[1]
    -3.75

    An illegal action ends the turn with the worst payoff, minus the value of the position for
    rewards other than `end`, and `info` has `illegal`. If the first throw itself ends the turn, no
    action is legal, and any action ends it then. After the end, and before the first `reset`,
    `step` raises gymnasium's ResetNeeded. The constructor raises TooLarge for a game that has no
    encoding, or that cannot be solved if the reward needs it; NotUnderstood for a match, an unknown
    aim or word; and what `find` raises.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: Game[Any, Any] | str = "classic",
        *,
        aim: Aim | str = MEAN,
        reward: Reward | str = Reward.END,
        render_mode: str | None = None,
    ) -> None:
        self.game = turn_meant(game)
        self.aim = aim_named(aim, self.game)
        self.reward = one_of(Reward)(reward)
        self.render_mode = render_mode
        self.encoder = Encoder(self.game)
        self.observation_space = spaces.Box(self.encoder.low, self.encoder.high, dtype=np.int64)
        self.action_space = spaces.Discrete(self.encoder.most_choices)
        scoring = self.game.scoring
        assert scoring is not None  # a game without scores has no aim
        self._sign = 1 if self.aim.more_is_better(scoring, 0) else -1
        ends = Over((scoring.worst,)), Over((scoring.best,), shut=True)
        self._worst = min(float(self._sign * self.aim.payoff(end)) for end in ends)
        self._solution = None if self.reward is Reward.END else solve(self.game, self.aim)
        self._values: dict[Any, float] = {}
        self._walk = Walk(self.encoder)
        self._dice = GeneratorCup(self.np_random)
        self._cup: Cup = self._dice
        self._node = self._walk.start()
        self._is_over = True

    def __repr__(self) -> str:
        words = f"aim={self.aim.name!r}, reward={self.reward.value!r}"
        return f"TurnEnv({self.game.name!r}, {words})"

    __str__ = __repr__  # in place of gymnasium's

    @property
    def position(self) -> Any:
        """The current position of the turn."""
        return self._node.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin a turn, and throw until a choice is due or it is over; `options`: see `TurnEnv`."""
        super().reset(seed=seed)
        if self._dice.generator is not self.np_random:
            self._dice = GeneratorCup(self.np_random)
        self._cup = cup_from_options(options, self._dice)
        self._node = self._walk.throw_to_choice(self._walk.start(), self._cup)
        self._is_over = False
        return self._node.numbers.copy(), {"action_mask": self._node.mask}

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Make choice `action`, and throw to the next one or the end of the turn; see `TurnEnv`."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded(gettext("the turn is over; call reset"))
        node = self._node
        if node.over is not None:
            self._is_over = True
            reward = self._reward(node, node, node)
            return node.numbers.copy(), reward, True, False, {"action_mask": node.mask}
        if node.refusal(action) is not None:
            self._is_over = True  # with the worst payoff
            info = {"action_mask": self.encoder.mask_of(0), "illegal": True}
            lost = 0.0 if self.reward is Reward.END else self._sign * self._value(node)
            return node.numbers.copy(), self._worst - lost, True, False, info
        chosen = self._walk.chosen(node, int(action))
        after = self._node = self._walk.throw_to_choice(chosen, self._cup)
        over = self._is_over = after.over is not None
        info = {"action_mask": after.mask}
        return after.numbers.copy(), self._reward(node, chosen, after), over, False, info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return bool[most_choices], the legal actions; libraries with masking call it."""
        return self._node.mask.astype(np.bool_)

    def render(self) -> str:
        """Return the position as full text, such as `six:1.2.6/3`."""
        return position_text(self.game, self.position)

    def _reward(self, before: Node, chosen: Node, after: Node) -> float:
        match self.reward:
            case Reward.END:
                over = after.over
                return 0.0 if over is None else float(self._sign * self.aim.payoff(over))
            case Reward.SHAPED:
                return self._sign * (self._value(after) - self._value(before))
            case Reward.REGRET:
                return min(0.0, self._sign * (self._value(chosen) - self._value(before)))

    def _value(self, node: Node) -> float:
        if (known := self._values.get(node.position)) is None:
            assert self._solution is not None  # solved for every reward that needs values
            known = self._values[node.position] = float(self._solution.value(node.position))
        return known


# Many turns side by side


MOST_ENVS = 1 << 24  # turns in a batch


class Observe(Word):
    """The form of the observations of a `TurnBatch`."""

    NUMBERS = "numbers"  # int64[F]: the position, see `shutbox.rl.Encoder`
    STATE = "state"  # the number of the state, for tabular methods: its index in `turns.positions`


class TurnBatch(VectorEnv[NDArray[Any], NDArray[Any], NDArray[Any]]):
    """A batch of `num_envs` turns, each of which restarts in the step in which it ends.

    Arguments are as in `TurnEnv`. `game` can also be a `TurnArrays`, to make it only once; its aim
    then replaces `aim`. With B turns and K actions, `infos` has `action_mask`, int8[B, K], and
    `counts`, int32[B], the number of legal actions. After an end the observation is that of the
    next turn. `step` raises IllegalChoice for an illegal action and changes nothing. Raises what
    `TurnArrays.of` raises, such as TooLarge for a game with too many positions, which `TurnEnv` can
    play, and NotUnderstood for an unknown `reward` or `observe`.

    >>> batch = TurnBatch("six", num_envs=3)
    >>> here, infos = batch.reset(seed=1)
    >>> here.shape, infos["counts"].shape
    ((3, 8), (3,))
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
        check_type(num_envs, int)
        if not 0 < num_envs <= MOST_ENVS:
            facts = {"number": shown(num_envs), "most": MOST_ENVS}
            raise NotUnderstood("num_envs: {number} is not a number from 1 to {most:,}", **facts)
        self.num_envs = int(num_envs)
        self.reward, self.observe = one_of(Reward)(reward), one_of(Observe)(observe)
        encoder, (states, actions) = self.turns.encoder, self.turns.leads.shape
        self.single_observation_space: spaces.Space[Any] = spaces.Discrete(states)
        if self.observe is Observe.NUMBERS:
            self.single_observation_space = spaces.Box(encoder.low, encoder.high, dtype=np.int64)
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._table = self.turns.leads, self.turns.outcomes, self.turns.start, *self._rewards()
        self._states: Places = np.zeros(num_envs, np.int32)
        self._streams = np.zeros(num_envs, np.uint64)
        self._begun = False

    def __repr__(self) -> str:
        words = f"reward={self.reward.value!r}, observe={self.observe.value!r}"
        aimed = f"aim={self.turns.aim.name!r}, {words}"
        return f"TurnBatch({self.turns.game.name!r}, {self.num_envs}, {aimed})"

    @property
    def states(self) -> Places:
        """int32[B]: the state that each turn is in now, an index in `turns.positions`."""
        return self._states.copy()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin every turn. A `seed` begins new dice; else the last go on. `options` do nothing."""
        turns = self.turns
        if seed is not None or not self._begun:
            generator, _ = seeding.np_random(seed)
            words = generator.integers(0, 1 << 64, self.num_envs, np.uint64, endpoint=False)
            self._streams = words * compiled.turn_kernel().GOLDEN
            self._begun = True
        states = len(turns.positions)
        written = self._states, self._streams
        with np.errstate(over="ignore"):  # without numba, NumPy warns where numbers wrap around
            compiled.turn_kernel().begin(turns.start, states, turns.outcomes, *written)
        return self._seen()

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Make one choice in each turn, int[B]; a turn that ends begins again in the same step.

        Raises IllegalChoice, and gymnasium's ResetNeeded before the first `reset`.
        """
        if not self._begun:
            raise gymnasium.error.ResetNeeded(gettext("the turns have not begun; call reset"))
        try:
            taken = np.asarray(actions, np.int64).reshape(self.num_envs)
        except (TypeError, ValueError, OverflowError):
            facts = {"actions": shown(actions), "number": self.num_envs}
            raise NotUnderstood(
                "{actions} are not actions; write {number} whole numbers, one a turn", **facts
            ) from None
        self._check(taken)
        rewards, over = np.empty(self.num_envs), np.empty(self.num_envs, np.bool_)
        written = self._states, taken, self._streams, rewards, over
        with np.errstate(over="ignore"):
            compiled.turn_kernel().steps(*self._table, *written)
        observations, infos = self._seen()
        return observations, rewards, over, np.zeros(self.num_envs, np.bool_), infos

    def _check(self, actions: NDArray[np.int64]) -> None:
        counts = self.turns.counts[self._states]
        # In a state without legal actions any action of the space ends the turn.
        most = np.where(counts, counts, self.turns.leads.shape[1])
        wrong = np.flatnonzero((actions < 0) | (actions >= most))
        if len(wrong):
            env = int(wrong[0])
            raise IllegalChoice(
                "action {action} of turn {lane} is not open; there are {number} choices, "
                "counted from 0",
                self.turns.positions[self._states[env]],
                action=int(actions[env]),
                lane=env,
                number=int(counts[env]),
            )

    def _seen(self) -> tuple[NDArray[Any], dict[str, Any]]:
        turns, states = self.turns, self._states
        infos = {"action_mask": turns.masks[states], "counts": turns.counts[states]}
        numbers = turns.numbers
        seen = states.astype(np.int64) if self.observe is Observe.STATE else numbers[states]
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
