"""The names under which gymnasium makes environments."""

import gymnasium

from shutbox.games.catalogue import catalogue, find

ANY = "shutbox/turn-v0"  # any game, by its name: `game="classic(fewer=must-top)"`
TURN = "shutbox.rl.turn_env:TurnEnv"
BATCH = "shutbox.rl.turn_batch:TurnBatch"  # many side by side


def environment_id(name: str) -> str:
    """The name of the environment of a game of the catalogue.

    >>> environment_id("two-dice")
    'shutbox/two-dice-v0'
    """
    return f"shutbox/{name}-v0"


def register() -> None:
    """Register them all; once more changes nothing."""
    if ANY in gymnasium.registry:
        return
    gymnasium.register(ANY, TURN, vector_entry_point=BATCH)
    for entry in catalogue():
        if find(entry.name).longest is not None:
            kwargs = {"game": entry.name}
            id = environment_id(entry.name)
            gymnasium.register(id, TURN, vector_entry_point=BATCH, kwargs=kwargs)
