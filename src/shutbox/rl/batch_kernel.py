"""Compiled steps of many turns side by side, on arrays of numbers.

`shutbox.rl.turn_arrays` describes the arrays of a turn and defines a place. Each environment has
its own stream of SplitMix64, as in `shutbox.solver.simulation`: `streams` holds its counter, which
each draw advances by GOLDEN. So an environment plays the same turns, however many there are.

Inputs are not checked: an illegal action leads to where the last legal one does.
"""

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit
from shutbox.solver.simulation import GOLDEN, HALF, share_of

Places = NDArray[np.int32]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]


@jit.compiled
def thrown(place: int, states: int, outcomes: Places, streams: Words, env: int) -> int:
    """Throw dice for environment `env` from a place on; return the state or end reached.

    A place below 0 is an end, one below `states` a state; any other is a row of `outcomes`. Each
    throw advances the environment's counter in `streams`.
    """
    while place >= states:
        row = place - states
        streams[env] += GOLDEN
        count = np.uint64(outcomes[row])
        place = outcomes[row + 1 + np.int64(share_of(streams[env], count) >> HALF)]
    return place


@jit.compiled
def begin(start: int, states: int, outcomes: Places, here: Places, streams: Words) -> None:
    """Begin a turn at `start` in each environment, and write to `here` the first state or end."""
    for env in range(len(here)):
        here[env] = thrown(start, states, outcomes, streams, env)


@jit.compiled
def steps(
    leads: Places,
    outcomes: Places,
    start: int,
    payoffs: Floats,
    before: Floats,
    after: Floats,
    here: Places,
    actions: NDArray[np.int64],
    streams: Words,
    rewards: Floats,
    over: NDArray[np.bool_],
) -> None:
    """Take one step in each environment; write `here`, `streams`, `rewards` and `over`.

    The reward is `before` of the action, plus `after` of the state that it leads to. If the turn
    ends, it is `before` plus the payoff of the end, and the next turn begins.
    """
    states = len(leads)
    for env in range(len(here)):
        state, action = here[env], actions[env]
        place = thrown(leads[state, action], states, outcomes, streams, env)
        reward = before[state, action]
        over[env] = place < 0
        if place < 0:
            reward += payoffs[~place]
            place = thrown(start, states, outcomes, streams, env)
        else:
            reward += after[place]
        rewards[env] = reward
        here[env] = place
