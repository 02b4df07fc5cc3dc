"""The specs of the environments as gymnasium registers them, with the exact optimum of each."""

from contextlib import suppress
from dataclasses import fields
from math import inf
from typing import Any

from gymnasium.envs.registration import EnvSpec

from shutbox.engine.errors import TooLarge
from shutbox.solving.objectives import MEAN, aim_named
from shutbox.solving.solvers import check_solvable, solve
from shutbox.table.solver_input import turn_meant


class HasTurnSpec:
    """A mixin of environments, which stores the `spec` that gymnasium sets as a TurnSpec."""

    _spec: EnvSpec | None = None

    @property
    def spec(self) -> EnvSpec | None:
        """The spec from which gymnasium made the environment; None if a caller made it directly."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        named = [field.name for field in fields(EnvSpec) if field.init]
        if spec is not None and spec.namespace == "shutbox":
            named.remove("reward_threshold")  # that of the default arguments
        self._spec = spec and TurnSpec(**{name: getattr(spec, name) for name in named})


class TurnSpec(EnvSpec):
    """A spec of gymnasium that solves its game when `reward_threshold`, the optimum, is read."""

    most_seconds = inf  # no game is solved that takes longer by an estimate
    _given: float | None = None
    _solved: tuple[dict[str, Any], float | None] | None = None  # the arguments, and their optimum

    @property
    def reward_threshold(self) -> float | None:
        """The mean return of best play for the game, the aim and the reward of the environment.

        It is computed when first read, unless it was set; None for a game too large to solve.
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
        with suppress(TooLarge):
            game = turn_meant(self.kwargs.get("game", "classic"))
            aim = aim_named(self.kwargs.get("aim", MEAN), game)
            if check_solvable(game).seconds > self.most_seconds:
                return None
            assert game.scoring is not None  # a game with an aim has scores
            value = float(solve(game, aim).value())
            return value if aim.more_is_better(game.scoring, 0) else -value
        return None
