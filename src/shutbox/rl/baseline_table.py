"""What well-known ways to play lose against perfect play: something to hold a learner against."""

from shutbox.bots import bot
from shutbox.rl.turn_arrays import Regret, TurnArrays

KINDS = ("fewest", "sheet")
"""Computer players, as `shutbox.bot` knows them."""


def baselines(turns: TurnArrays) -> dict[str, Regret]:
    """The exact regret of a random player, of fewest tiles, of a sheet of paper, of perfect play.

    >>> found = baselines(TurnArrays.of("six", "shut"))
    >>> {name: round(regret.total, 4) for name, regret in found.items()}
    {'random': 0.0361, 'fewest': 0.0, 'sheet': 0.0, 'perfect': 0.0}
    """
    found = {"random": turns.regret(turns.uniform)}
    for kind in KINDS:
        found[kind] = turns.regret(turns.policy(bot(kind)))
    return {**found, "perfect": turns.regret(turns.best)}
