"""The spec of an environment of one turn in gymnasium, with its exact optimum.

gymnasium reads the threshold of a registered spec whenever it makes an environment. Solving every
game then would be slow, so the optimum is in the spec of the environment that was made, and is
computed once it is read.
"""

from contextlib import suppress
from dataclasses import fields
from typing import Any

from gymnasium.envs.registration import EnvSpec

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import solve
from shutbox.errors import TooLarge
from shutbox.solver.objectives import MEAN


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

        It is solved when it is first read; None for a game that is too large to solve.
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
