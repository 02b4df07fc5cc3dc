"""Compiled simulation of turns: by the table of a strategy, or step by step by given actions.

A row of the table is a node with a random draw. It holds `count`, the number of equally likely
outcomes, and then the target of each outcome: the index at which another row begins or, if
negative, the complement (~) of an end's number. `solving.simulation.TurnTable` makes it.

The draws come from SplitMix64, by their number: draw `k` of turn `i` is

    mix(key + (i * most + k + 1) * GOLDEN)    modulo 2**64

where `k` is below `most`. The upper 32 bits of a draw are multiplied by `count`: the upper 32 bits
of the product are the outcome, from 0. If its lower 32 bits are below `2**32 % count`, the draw is
replaced by `mix(draw + GOLDEN)`, so that all outcomes are equally likely (Lemire).

No draw depends on another turn. So a seed gives the same turns in any order, whether they are
compiled here or played by `TurnTable` in plain Python.

Sources: Steele, Lea, Flood, Fast splittable pseudorandom number generators, 2014; Lemire, Fast
random integer generation in an interval, 2019.

The steps of `shutbox.rl.TurnBatch` are on the arrays that `shutbox.rl.turn_arrays` describes. Each
environment has its own stream: `streams` holds its counter, which each draw advances by GOLDEN. So
an environment plays the same turns, whatever the number of environments.

Inputs are not checked: a table that breaks its description is read out of bounds, and an illegal
action leads to where the last legal one does.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solving import jit

Integers: TypeAlias = NDArray[np.int64]
Table: TypeAlias = NDArray[np.int32]
Floats: TypeAlias = NDArray[np.float64]
Words: TypeAlias = NDArray[np.uint64]

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
ONE, TWO = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, HALF = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
LOWER = np.uint64(0xFFFFFFFF)
RANGE = np.uint64(1 << 32)


def count_ends(
    table: Table, root: int, ends: int, most: int, key: int, first: int, turns: int
) -> Integers:
    """Play the `turns` turns from number `first` on; return how many end at each end: int64[ends].

    Each begins at `root`, a target as in the table. `most` is the number of draws reserved for a
    turn; `key` is as in the module text.

    >>> coin = np.array([2, -1, -2], np.int32)
    >>> count_ends(coin, 0, 2, 1, key=7, first=0, turns=1000).tolist()
    [525, 475]
    """
    reached = _count_ends(table, root, ends, most, np.uint64(key), first, turns)
    return np.asarray(reached, np.int64)


@jit.compiled
def _count_ends(
    table: Table, root: int, ends: int, most: int, key: np.uint64, first: int, turns: int
) -> Integers:
    reached = np.zeros(ends, np.int64)
    for turn in range(first, first + turns):
        entry = root
        counter = key + np.uint64(turn) * np.uint64(most) * GOLDEN
        while entry >= 0:
            counter += GOLDEN
            count = np.uint64(table[entry])
            entry = table[entry + 1 + np.int64(draw_product(counter, count) >> HALF)]
        reached[~entry] += 1
    return reached


@jit.compiled
def draw_product(counter: Any, count: Any) -> Any:
    """Return a 64-bit product for a counter: its upper half is the outcome, 0 to below `count`."""
    draw = mix(counter)
    share = (draw >> HALF) * count
    # The remainder is computed only where it can matter, which is rare.
    if share & LOWER < count:
        limit = RANGE % count
        while share & LOWER < limit:
            draw = mix(draw + GOLDEN)
            share = (draw >> HALF) * count
    return share


@jit.compiled
def mix(word: Any) -> Any:
    """Return the output of SplitMix64 for a counter."""
    word = (word ^ (word >> S30)) * ONE
    word = (word ^ (word >> S27)) * TWO
    return word ^ (word >> S31)


# Steps of many turns side by side, by given actions


@jit.compiled
def throw_to_state(place: int, states: int, outcomes: Table, streams: Words, env: int) -> int:
    """Throw from a place on until a state or an end, and return it; advance `streams[env]`.

    `states` is the number of states, S: the places below it.
    """
    while place >= states:
        row = place - states
        streams[env] += GOLDEN
        count = np.uint64(outcomes[row])
        place = outcomes[row + 1 + np.int64(draw_product(streams[env], count) >> HALF)]
    return place


@jit.compiled
def begin(start: int, states: int, outcomes: Table, places: Table, streams: Words) -> None:
    """Begin a turn at `start` in each of B environments: write its first state or end to `places`.

    `places` is int32[B] and `streams` uint64[B]; `states` is as in `throw_to_state`.
    """
    for env in range(len(places)):
        places[env] = throw_to_state(start, states, outcomes, streams, env)


@jit.compiled
def steps(
    leads: Table,
    outcomes: Table,
    start: int,
    payoffs: Floats,
    before: Floats,
    after: Floats,
    places: Table,
    actions: Integers,
    streams: Words,
    rewards: Floats,
    over: NDArray[np.bool_],
) -> None:
    """Take one step in each of B environments; write `places`, `streams`, `rewards` and `over`.

    These are int32, uint64, float64 and bool, and `actions` is int64, all [B]. The reward is
    `before`, float64[S, K], of the action, plus `after`, float64[S], of the state that it leads to.
    If the turn ends, it is `before` plus the payoff of the end, and the next turn begins.
    """
    states = len(leads)
    for env in range(len(places)):
        state, action = places[env], actions[env]
        place = throw_to_state(leads[state, action], states, outcomes, streams, env)
        reward = before[state, action]
        over[env] = place < 0
        if place < 0:
            reward += payoffs[~place]
            place = throw_to_state(start, states, outcomes, streams, env)
        else:
            reward += after[place]
        rewards[env] = reward
        places[env] = place
