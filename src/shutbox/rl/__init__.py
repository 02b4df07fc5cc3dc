"""Environments for programs that learn: gymnasium, pettingzoo, open_spiel, and many at a time.

    import gymnasium
    import shutbox.rl

    env = gymnasium.make("shutbox/classic-v0", aim="shut")

What is offered here comes when it is asked for; without the extra `rl` that raises NotInstalled.
Where gymnasium is installed, importing this registers an environment for every game of the
catalogue that ends, and `shutbox/turn-v0` for any other, by its name.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from shutbox.errors import needing

if TYPE_CHECKING:
    from shutbox.rl.baseline_table import baselines
    from shutbox.rl.encoder import Encoder
    from shutbox.rl.match_env import MatchEnv
    from shutbox.rl.regrets import match_regret
    from shutbox.rl.spiel_game import load_spiel
    from shutbox.rl.turn_arrays import TurnArrays
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

with suppress(ImportError):
    from shutbox.rl.registration import register

    register()

if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        with needing("rl"):
            found = globals()[name] = _offered(name)
        return found


def _offered(name: str) -> Any:
    match name:
        case "baselines":
            from shutbox.rl.baseline_table import baselines

            return baselines
        case "Encoder":
            from shutbox.rl.encoder import Encoder

            return Encoder
        case "MatchEnv":
            from shutbox.rl.match_env import MatchEnv

            return MatchEnv
        case "load_spiel":
            from shutbox.rl.spiel_game import load_spiel

            return load_spiel
        case "match_regret":
            from shutbox.rl.regrets import match_regret

            return match_regret
        case "TurnArrays":
            from shutbox.rl.turn_arrays import TurnArrays

            return TurnArrays
        case "TurnBatch":
            from shutbox.rl.turn_batch import TurnBatch

            return TurnBatch
        case "TurnEnv":
            from shutbox.rl.turn_env import TurnEnv

            return TurnEnv
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
