"""Environments for programs that learn: gymnasium, pettingzoo, open_spiel, and many at a time.

    import gymnasium
    import shutbox.rl

    env = gymnasium.make("shutbox/classic-v0", aim="shut")

What is offered here comes when it is asked for; without the extra `rl` that raises NotInstalled.
Where gymnasium is installed, importing this registers an environment for every game of the
catalogue that ends, and `shutbox/turn-v0` for any other, by its name.
"""

from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

from shutbox.errors import needing

if TYPE_CHECKING:
    from shutbox.rl.encoder import Encoder
    from shutbox.rl.match_env import MatchEnv
    from shutbox.rl.regrets import match_regret
    from shutbox.rl.spiel_game import load_spiel
    from shutbox.rl.turn_arrays import TurnArrays, baselines
    from shutbox.rl.turn_batch import TurnBatch
    from shutbox.rl.turn_env import TurnEnv

__all__ = [
    "Encoder",
    "MatchEnv",
    "TurnArrays",
    "TurnBatch",
    "TurnEnv",
    "baselines",
    "load_spiel",
    "match_regret",
]

_MODULES = {
    "Encoder": "encoder",
    "MatchEnv": "match_env",
    "load_spiel": "spiel_game",
    "match_regret": "regrets",
    **dict.fromkeys(("TurnArrays", "baselines"), "turn_arrays"),
    "TurnBatch": "turn_batch",
    "TurnEnv": "turn_env",
}
"""Where each stands that is offered."""

with suppress(ImportError):
    from shutbox.rl.registration import register

    register()

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        with needing("rl"):
            module = import_module(f"{__name__}.{_MODULES[name]}")
        found = globals()[name] = getattr(module, name)
        return found
