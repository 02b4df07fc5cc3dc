"""Many turns side by side: arrays of numbers in and out, compiled or by NumPy.

The arrays of a turn are those of `shutbox.rl.turn_arrays`, which says what a place is. Each lane
has a stream of its own of SplitMix64, as `shutbox.solver.simulation` describes it: `streams` holds
the counter of each, which a draw moves on by GOLDEN. So the turns of a seed are the same, compiled
and by NumPy, however many lanes there are.

Nothing is checked here: an action that is not open leads to where the last open one does.
"""

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit
from shutbox.solver.simulation import GOLDEN, HALF, share_of, shares

Places = NDArray[np.int32]
Floats = NDArray[np.float64]
Words = NDArray[np.uint64]

COMPILED = jit.COMPILED


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
def steps_compiled(
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
    """The same by NumPy."""
    states = len(leads)
    places = leads[here, actions]
    rewards[:] = before[here, actions]
    throw_all(places, states, outcomes, streams)
    over[:] = places < 0
    ended = np.flatnonzero(over)
    rewards[ended] += worths[~places[ended]]
    # Where a turn is over the next one begins; nothing is added for it.
    there = np.where(over, 0, places)
    rewards += np.where(over, 0.0, after[there])
    begin_all(places, ended, start, states, outcomes, streams)
    here[:] = places


def throw_all(places: Places, states: int, outcomes: Places, streams: Words) -> None:
    """Throw in all lanes until each is at a state or an end; `places` and `streams` are written."""
    lanes = np.flatnonzero(places >= states)
    while len(lanes):
        rows = places[lanes] - states
        counters = streams[lanes] + GOLDEN
        streams[lanes] = counters
        ways = outcomes[rows].astype(np.uint64)
        there = outcomes[rows + 1 + (shares(counters, ways) >> HALF).view(np.int64)]
        places[lanes] = there
        lanes = lanes[there >= states]


def begin_all(
    places: Places,
    lanes: NDArray[np.int64],
    start: int,
    states: int,
    outcomes: Places,
    streams: Words,
) -> None:
    """Begin a turn in some lanes; `places` and `streams` are written."""
    found, own = np.full(len(lanes), start, np.int32), streams[lanes]
    throw_all(found, states, outcomes, own)
    places[lanes], streams[lanes] = found, own
