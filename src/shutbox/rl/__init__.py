"""Environments for reinforcement learning: gymnasium, pettingzoo, and batches.

    import gymnasium

    env = gymnasium.make("shutbox.rl:shutbox/classic-v0", aim="shut")

Names are imported on first use, which raises NotInstalled without the extra that they need: `gym`
or `fast`. With gymnasium, importing this module registers an environment for every game of the
catalogue that ends, and `shutbox/turn-v0` for any `game` given.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from shutbox.engine.errors import ShutboxError, needing
from shutbox.games.catalogue import catalogue, find

if TYPE_CHECKING:
    from shutbox.rl.encoder import Encoder
    from shutbox.rl.match_env import MatchEnv
    from shutbox.rl.regret import match_regret
    from shutbox.rl.turn_arrays import TurnArrays, baselines
    from shutbox.rl.turn_env import TurnBatch, TurnEnv

__all__ = [
    "Encoder", "MatchEnv", "TurnArrays", "TurnBatch", "TurnEnv", "baselines", "match_regret",
]  # fmt: skip

_LEARNS = ("MatchEnv", "TurnBatch", "TurnEnv")
"""The names that need the extra `gym`; all others need NumPy alone, which `fast` brings."""


def _register() -> None:
    """Register each game that ends, and `turn`, with gymnasium, once; ImportError without it."""
    import gymnasium

    named: dict[str, dict[str, str]] = {"turn": {}}
    for entry in catalogue():
        with suppress(ShutboxError):  # a plugin's game that does not work
            if find(entry.name).longest is not None:
                named[entry.name] = {"game": entry.name}
    for name, kwargs in named.items():
        if (id := f"shutbox/{name}-v0") not in gymnasium.registry:
            single, batch = (f"{__name__}.turn_env:{env}" for env in ("TurnEnv", "TurnBatch"))
            gymnasium.register(id, single, vector_entry_point=batch, kwargs=kwargs)


with suppress(ImportError):
    _register()


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        with needing("gym" if name in _LEARNS else "fast"):
            match name:
                case "Encoder":
                    from shutbox.rl import encoder as module
                case "MatchEnv":
                    from shutbox.rl import match_env as module
                case "match_regret":
                    from shutbox.rl import regret as module
                case "TurnArrays" | "baselines":
                    from shutbox.rl import turn_arrays as module
                case "TurnBatch" | "TurnEnv":
                    from shutbox.rl import turn_env as module
                case _:
                    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        member = globals()[name] = getattr(module, name)
        return member
