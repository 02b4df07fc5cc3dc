"""Many turns side by side: arrays of numbers in and out, compiled.

The arrays of a turn are those of `shutbox.rl.turn_arrays`, which says what a place is. Each lane
has a stream of its own of SplitMix64, as `shutbox.solver.simulation` describes it: `streams` holds
the counter of each, which a draw moves on by GOLDEN. So a lane plays the same turns, however many
lanes there are.

Nothing is checked here: an action that is not open leads to where the last open one does.
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
    """Where the dice lead from a place: a state, or an end."""
    while place >= states:
        row = place - states
        streams[lane] += GOLDEN
        ways = np.uint64(outcomes[row])
        place = outcomes[row + 1 + np.int64(share_of(streams[lane], ways) >> HALF)]
    return place


@jit.compiled
def begin(start: int, states: int, outcomes: Places, here: Places, streams: Words) -> None:
    """Begin a turn in each lane; `here` and `streams` are written."""
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
    """One step in each lane; `here`, `streams`, `rewards` and `over` are written.

    A reward is `before` of the action that is taken, and `after` of the state where it leads, or
    the worth of the end; then the next turn begins.
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
