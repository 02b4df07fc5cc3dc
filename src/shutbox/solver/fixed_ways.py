"""A way of playing followed through all positions of a large box: arrays of numbers in and out.

A state is a number whose set bits are the tiles still up, and a cover leads to a smaller one, as in
`kernel`, whose arrays are taken as they are. So one pass downwards from the state with all tiles
up carries how often each state is reached to the states after it, and collects the ends.

Covers are tried in the order in which they stand. A way that ranks them has them put in order
before, and takes the first that is legal.

Nothing is checked here: arrays that break their description are read and written out of bounds.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

FIRST, EVENLY, LEAST_RISK, BEST = range(4)
"""Takes the first legal cover and the fewest dice; each choice as often as the others; the choice
after which the next throw ends the turn least often; the choice of the highest value."""
SLACK = 1e-12  # values that differ by no more, absolutely or relatively, are ties, as in `kernel`


class BoxTurn(NamedTuple):
    """A box of `n` tiles, see `kernel.Packed` for the arrays that have the same names there."""

    cover: Integers
    need: Integers
    first: Integers
    outcome_first: Integers
    points: Integers
    weight: Integers
    """int64[O]: how often each outcome falls out of `ways`."""
    ways: int
    """What the weights of each number of dice sum to."""
    needed: NDArray[np.uint8]
    """uint8[2**n]: the fewest dice that may be thrown at each state."""
    may: bool
    shut: bool
    """Whether state 0 is an end; otherwise the turn goes on there, until it is stuck."""


class WayEnds(NamedTuple):
    """What comes of a way of playing."""

    stuck: Floats
    """float64[sum of points + 1]: the probability to end stuck, by the sum of the tiles up."""
    shut: float  # the probability to end at state 0
    throws: float  # the expected number of throws
    decisions: float  # the expected number of choices between at least two things


def needed(tiles: int, lowest: Integers, few: Integers, fewest: Integers) -> NDArray[np.uint8]:
    """The fewest dice at each state, from `lowest`, `few` and `few_needed` of `kernel.Packed`."""
    found = np.full(1 << tiles, lowest[tiles], np.uint8)
    for bit in range(tiles):
        found[1 << bit :: 2 << bit] = lowest[bit]
    found[few] = fewest
    return found


def follow(turn: BoxTurn, way: int, values: Floats, stuck: Floats) -> WayEnds:
    """What comes of a way from the state with all tiles up.

    `values` of all states and what it is worth to be `stuck`, by the sum of the tiles up, are those
    of `kernel`; BEST alone looks at them, and others may be handed empty arrays.
    """
    risk = _risks(turn) if way == LEAST_RISK else np.zeros(0, np.int64)
    return WayEnds(*_follow(turn, way, values, stuck, risk))


@jit.compiled
def _most(turn: BoxTurn, state: int) -> int:
    """The most dice that may be thrown at a state."""
    return len(turn.outcome_first) - 2 if turn.may else int(turn.needed[state])


@jit.compiled
def _risk(turn: BoxTurn, state: int, number: int) -> int:
    """How often, out of `ways`, so many dice end the turn."""
    found = 0
    for outcome in range(turn.outcome_first[number], turn.outcome_first[number + 1]):
        legal = False
        for place in range(turn.first[outcome], turn.first[outcome + 1]):
            if state & turn.need[place] == turn.cover[place]:
                legal = True
                break
        if not legal:
            found += turn.weight[outcome]
    return found


@jit.compiled
def _risks(turn: BoxTurn) -> Integers:
    """The least risk at each state; -1 at the end that shuts the box."""
    risks = np.empty(len(turn.needed), np.int64)
    for state in range(len(risks)):
        least = turn.ways
        for number in range(turn.needed[state], _most(turn, state) + 1):
            least = min(least, _risk(turn, state, number))
        risks[state] = least
    if turn.shut:
        risks[0] = -1
    return risks


@jit.compiled
def _points(turn: BoxTurn, state: int) -> int:
    total = 0
    for bit in range(len(turn.points)):
        if state >> bit & 1:
            total += turn.points[bit]
    return total


@jit.compiled
def _mean(turn: BoxTurn, state: int, number: int, values: Floats, stuck: float) -> float:
    """The value of throwing so many dice."""
    total = 0.0
    for outcome in range(turn.outcome_first[number], turn.outcome_first[number + 1]):
        best = -np.inf
        for place in range(turn.first[outcome], turn.first[outcome + 1]):
            if state & turn.need[place] == turn.cover[place]:
                best = max(best, values[state ^ turn.cover[place]])
        total += turn.weight[outcome] * (stuck if best == -np.inf else best)
    return total / turn.ways


@jit.compiled
def _dice(turn: BoxTurn, state: int, way: int, values: Floats, stuck: float) -> int:
    """The number of dice that a way throws, of equally good ones the fewest."""
    fewest, most = int(turn.needed[state]), _most(turn, state)
    picked = fewest
    if way == LEAST_RISK and most > fewest:
        least = _risk(turn, state, fewest)
        for number in range(fewest + 1, most + 1):
            here = _risk(turn, state, number)
            if here < least:
                picked, least = number, here
    elif way == BEST and most > fewest:
        best = _mean(turn, state, fewest, values, stuck)
        for number in range(fewest + 1, most + 1):
            mean = _mean(turn, state, number, values, stuck)
            if mean - best > SLACK * max(1.0, abs(best)):
                picked, best = number, mean
    return picked


@jit.compiled
def _follow(
    turn: BoxTurn, way: int, values: Floats, stuck: Floats, risk: Integers
) -> tuple[Floats, float, float, float]:
    often = np.zeros(len(turn.needed))
    often[-1] = 1.0
    ends = np.zeros(turn.points.sum() + 1)
    throws = decisions = 0.0
    for state in range(len(often) - 1, -1, -1):
        reached = often[state]
        if reached == 0.0 or (state == 0 and turn.shut):
            continue
        total = _points(turn, state)
        begin = end = int(turn.needed[state])
        if _most(turn, state) > begin:
            decisions += reached
            if way == EVENLY:
                end = _most(turn, state)
            else:
                begin = end = _dice(turn, state, way, values, stuck[total] if way == BEST else 0.0)
        share = reached / (end - begin + 1)
        throws += reached
        for number in range(begin, end + 1):
            for outcome in range(turn.outcome_first[number], turn.outcome_first[number + 1]):
                falls = share * turn.weight[outcome] / turn.ways
                legal, picked, least, best = 0, 0, 0, 0.0
                for place in range(turn.first[outcome], turn.first[outcome + 1]):
                    if state & turn.need[place] != turn.cover[place]:
                        continue
                    after = state ^ turn.cover[place]
                    legal += 1
                    if legal == 1:
                        picked = after
                        if way == LEAST_RISK:
                            least = risk[after]
                        elif way == BEST:
                            best = values[after]
                    elif way == LEAST_RISK and risk[after] < least:
                        picked, least = after, risk[after]
                    elif way == BEST and values[after] - best > SLACK * max(1.0, abs(best)):
                        picked, best = after, values[after]
                    elif way == FIRST:
                        break  # it is a decision, and more need not be known
                if legal == 0:
                    ends[total] += falls
                    continue
                if legal > 1:
                    decisions += falls
                if way != EVENLY:
                    often[picked] += falls
                    continue
                for place in range(turn.first[outcome], turn.first[outcome + 1]):
                    if state & turn.need[place] == turn.cover[place]:
                        often[state ^ turn.cover[place]] += falls / legal
    return ends, often[0] if turn.shut else 0.0, throws, decisions
