"""One turn as an environment of gymnasium: the dice are chance, the covers are actions."""

from contextlib import suppress
from dataclasses import fields
from typing import Any, ClassVar, TypeVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import solve
from shutbox.cups import GeneratorCup
from shutbox.dice import Cup
from shutbox.english import Word, shown
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Game, Over, position_text
from shutbox.messages import gettext
from shutbox.rl.encoder import Encoder, Numbers
from shutbox.rl.walk import Node, Walk
from shutbox.solver.objectives import MEAN, Aim


class HasTurnSpec:
    """An environment whose `spec` is a TurnSpec."""

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """The spec with which the environment was made; None if its class was called."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        facts = spec and {one.name: getattr(spec, one.name) for one in fields(spec) if one.init}
        self._spec = None if facts is None else TurnSpec(**facts)


class TurnSpec(EnvSpec):
    """A spec that has the exact optimum of its game as `reward_threshold`."""

    _given: float | None = None
    _solved: tuple[dict[str, Any], float | None] | None = None  # the arguments, and their optimum

    @property
    def reward_threshold(self) -> float | None:
        """The mean return of best play for the game, the aim and the reward of the environment.

        It is solved when it is first read, since gymnasium reads that of every registered spec;
        None for a game that is too large to solve.
        """
        if self._given is None and (self._solved is None or self._solved[0] != self.kwargs):
            self._solved = {**self.kwargs}, self._optimum()
        return self._given if self._solved is None else self._solved[1]

    @reward_threshold.setter
    def reward_threshold(self, value: float | None) -> None:
        self._given, self._solved = value, None

    def _optimum(self) -> float | None:
        if self.kwargs.get("reward", "end") != "end":
            return 0.0  # these rewards are differences from best play
        game = turn_named(self.kwargs.get("game", "classic"))
        aim = aim_named(self.kwargs.get("aim", MEAN), game)
        assert game.scoring is not None  # a game with an aim has scores
        with suppress(TooLarge):
            value = float(solve(game, aim).value())
            return value if aim.more_is_better(game.scoring, 0) else -value
        return None


W = TypeVar("W", bound=Word)


class Reward(Word):
    """The reward of a step. More is better, whichever scores are good."""

    END = "end"
    """The payoff of the end under the aim, in the last step; a score is negated if low is good."""
    SHAPED = "shaped"
    """The change of the exact value in the step. The rewards of a turn sum to the payoff of its end
    minus the value of the first position observed, which is after the first throw."""
    REGRET = "regret"
    """Minus the exact loss of the choice against the best: 0 or less, and free of luck."""


class Illegal(Word):
    """The treatment of an illegal action."""

    ENDS = "ends"
    """The turn or the match ends with the worst payoff, minus the value of the position for rewards
    other than `end`, and `info` has `illegal`. In a match the other seats get 0."""
    REFUSED = "refused"
    """IllegalChoice is raised, and nothing changes."""


def word_of(kind: type[W], word: Word | str) -> W:
    """Return the member of an enumeration for a word, or the member itself.

    >>> from shutbox.match import Until
    >>> word_of(Until, "shut")
    Until.SHUT

    Raises NotUnderstood, which lists all words.
    """
    for one in kind:
        if word in (one, one.value):
            return one
    raise NotUnderstood(
        "{word} means nothing here; write {words}",
        word=shown(str(word)),
        words=" / ".join(str(one.value) for one in kind),
    )


class TurnEnv(HasTurnSpec, gymnasium.Env[Numbers, np.int64]):
    """A turn of a game, until it is over.

    `game` is a game or its name. An observation is int64[F], see `shutbox.rl.Encoder`; an action is
    the index of a choice in canonical order. `info["action_mask"]`, int8[most_choices], marks the
    legal actions; `action_masks()` returns it as bool. `aim` is `mean` for the score, `shut`, or
    `beat:8` for the share against a score of 8. For `reward` and `illegal` see `Reward`
    and `Illegal`. `options={"cup": cup}` of `reset` takes the dice from a cup, such as
    `SeededCup("pub")`, instead of the seed.

    >>> env = TurnEnv("six", reward="regret")
    >>> here, info = env.reset(seed=1)
    >>> here.tolist(), info["action_mask"].tolist()
    ([1, 1, 1, 1, 1, 1, 0, 3], [1, 1, 0, 0])
    >>> env.step(1)[1]
    -3.75

    If the first throw itself ends the turn, no action is legal, and any action ends it then. After
    the end, and before the first `reset`, `step` raises gymnasium's ResetNeeded. The constructor
    raises TooLarge for a game that has no encoding, or that cannot be solved if the reward needs
    it; NotUnderstood for a match, and for an unknown aim or word.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: Game[Any, Any] | str = "classic",
        *,
        aim: Aim | str = MEAN,
        reward: Reward | str = Reward.END,
        illegal: Illegal | str = Illegal.ENDS,
        render_mode: str | None = None,
    ) -> None:
        self.game = turn_named(game)
        self.aim = aim_named(aim, self.game)
        self.reward: Reward = word_of(Reward, reward)
        self.illegal: Illegal = word_of(Illegal, illegal)
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
        self._cup: Cup = GeneratorCup(self.np_random)
        self._here = self._walk.start()
        self._is_over = True

    @property
    def position(self) -> Any:
        """The current position of the turn."""
        return self._here.position

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begin a turn, and throw until a choice is due or the turn is over."""
        super().reset(seed=seed)
        cup = (options or {}).get("cup")
        self._cup = GeneratorCup(self.np_random) if cup is None else cup
        self._here = self._walk.thrown(self._walk.start(), self._cup)
        self._is_over = False
        return self._here.numbers, {"action_mask": self._here.mask}

    def step(self, action: np.int64 | int) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Make a choice, and throw until the next one is due or the turn is over."""
        if self._is_over:
            raise gymnasium.error.ResetNeeded(gettext("the turn is over; call reset"))
        here, place = self._here, int(action)
        if here.over is not None:
            self._is_over = True
            reward = self._reward(here, here, here)
            return here.numbers, reward, True, False, {"action_mask": here.mask}
        if (refusal := here.refusal(place)) is not None:
            if self.illegal is Illegal.REFUSED:
                raise refusal
            self._is_over = True  # with the worst payoff
            info = {"action_mask": self.encoder.mask_of(0), "illegal": True}
            lost = 0.0 if self.reward is Reward.END else self._sign * self._value(here)
            return here.numbers, self._worst - lost, True, False, info
        chosen = self._walk.chosen(here, place)
        after = self._here = self._walk.thrown(chosen, self._cup)
        over = self._is_over = after.over is not None
        info = {"action_mask": after.mask}
        return after.numbers, self._reward(here, chosen, after), over, False, info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return bool[most_choices], the legal actions; libraries with masking call it."""
        return self._here.mask.astype(np.bool_)

    def render(self) -> str:
        """Return the position as full text, such as `six:1.2.6/3`."""
        return position_text(self.game, self.position)

    def _reward(self, here: Node, chosen: Node, after: Node) -> float:
        match self.reward:
            case Reward.END:
                over = after.over
                return 0.0 if over is None else float(self._sign * self.aim.payoff(over))
            case Reward.SHAPED:
                return self._sign * (self._value(after) - self._value(here))
            case Reward.REGRET:
                return min(0.0, self._sign * (self._value(chosen) - self._value(here)))

    def _value(self, node: Node) -> float:
        if (known := self._values.get(node.position)) is None:
            assert self._solution is not None  # solved for every reward that needs values
            known = self._values[node.position] = float(self._solution.value(node.position))
        return known
