"""Compiled steps of many turns side by side, on arrays of numbers.

`shutbox.rl.turn_arrays` describes the arrays of a turn and defines a place. A lane is one of the
environments. Each has its own stream of SplitMix64, as in `shutbox.solver.simulation`: `streams`
holds its counter, which each draw advances by GOLDEN. So a lane plays the same turns, however many
lanes there are.

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
def thrown(place: int, states: int, outcomes: Places, streams: Words, lane: int) -> int:
    """Throw the dice of a lane until a state or an end is reached, and return its place."""
    while place >= states:
        row = place - states
        streams[lane] += GOLDEN
        ways = np.uint64(outcomes[row])
        place = outcomes[row + 1 + np.int64(share_of(streams[lane], ways) >> HALF)]
    return place


@jit.compiled
def begin(start: int, states: int, outcomes: Places, here: Places, streams: Words) -> None:
    """Begin a turn in each lane at the place `start`; write `here` and `streams`."""
    for lane in range(len(here)):
        here[lane] = thrown(start, states, outcomes, streams, lane)


@jit.compiled
def steps(
    leads: Places,
    outcomes: Places,
    start: int,
    worths: Floats,
    before: Floats,
    after: Floats,
    here: Places,
    actions: NDArray[np.int64],
    streams: Words,
    rewards: Floats,
    over: NDArray[np.bool_],
) -> None:
    """Take one step in each lane; write `here`, `streams`, `rewards` and `over`.

    The reward is `before` of the action, plus `after` of the state that it leads to. If the turn
    ends, it is `before` plus the payoff of the end, and the next turn begins.
    """
    states = len(leads)
    for lane in range(len(here)):
        state, action = here[lane], actions[lane]
        place = thrown(leads[state, action], states, outcomes, streams, lane)
        reward = before[state, action]
        over[lane] = place < 0
        if place < 0:
            reward += worths[~place]
            place = thrown(start, states, outcomes, streams, lane)
        else:
            reward += after[place]
        rewards[lane] = reward
        here[lane] = place
