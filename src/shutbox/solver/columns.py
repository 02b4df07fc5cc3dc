"""A turn solved for many standings side by side: arrays of numbers in and out.

A standing says what each end of a turn is worth. The turn is the same for all of them, so each of
its nodes holds a row of values, one *lane* for each standing, and one pass over the nodes settles
the rows. Three things make the pass fast.

- Nodes that lead to the same are one node, and so is a choice that is none.
- A row is let go of once nothing leads to it any more, and the next node takes its place, so the
  rows of LANES standings stay in the cache.
- Compiled, two or four rows are taken up at a time: fewer stores, and vectors throughout.

Without numba the same is done by NumPy alone, ten times as slowly and more. Threads are Python's
own, see `kernel`, which says too why this is one file.

Nothing is checked here: arrays that break their description are read and written out of bounds.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

COMPILED = jit.COMPILED
LANES = 64  # standings side by side: 512 bytes a row
FEWER_LANES = 32  # with slopes, of which there are two for each value
VECTOR = 8  # fewer standings are not faster
CHUNK = 4096  # the most standings side by side where NumPy works alone


class Flat(NamedTuple):
    """A turn of `N` nodes that are no ends, `E` ends and `C` edges, see `flattened`."""

    rows: int
    """How many rows of values are needed at a time; those of the ends are the first, in order."""
    ends: int
    first: Integers
    """int64[N + 1]: the edges of node `n` are those from `first[n]` to before `first[n + 1]`."""
    child: Integers
    """int64[C]: the row that an edge leads to; never the row of its own node."""
    weight: Floats
    """float64[C]: the probability of the edge of a throw; 0 for that of a choice."""
    into: Integers
    """int64[N]: the row of each node. The last node is the root; where there is none, row 0 is."""
    throw: NDArray[np.bool_]
    """bool[N]: whether the node is a throw; else it is a choice, which goes for more."""


def flattened(
    children: Sequence[Sequence[int]],
    weights: Sequence[Sequence[int]],
    ends: Sequence[int],
    root: int,
) -> Flat:
    """The turn from node `root` of a graph on, its ends in the order of `ends`.

    `children` and `weights` are those of `solver.graph.Graph`: children come before their parents,
    and a node with weights is a throw.

    >>> flat = flattened([(), (), (0, 1), (0, 1), (2, 3)], [(), (), (1, 1), (1, 3), ()], [0, 1], 4)
    >>> values(flat, np.array([[0.0, 1.0], [1.0, 0.0]])).tolist()
    [0.75, 0.5]
    """
    nodes = _merged(children, weights, ends, root)
    count = len(ends)
    last = list(range(len(nodes)))  # the last node that leads to each
    for number, (_, edges) in enumerate(nodes):
        for child, _ in edges:
            last[child] = number
    row, free, rows = list(range(count)), list[int](), count
    first, child_rows, weight, into = [0], list[int](), list[float](), list[int]()
    for number, (total, edges) in enumerate(nodes[count:], count):
        if not free:
            heappush(free, rows)
            rows += 1
        row.append(heappop(free))  # taken before the rows of its children are free
        into.append(row[number])
        child_rows += [row[child] for child, _ in edges]
        weight += [share / total if total else 0.0 for _, share in edges]
        first.append(len(child_rows))
        for child, _ in edges:
            if last[child] == number and child >= count:
                heappush(free, row[child])
    return Flat(
        rows,
        count,
        np.array(first, np.int64),
        np.array(child_rows, np.int64),
        np.array(weight, np.float64),
        np.array(into, np.int64),
        np.array([total > 0 for total, _ in nodes[count:]], np.bool_),
    )


_Node = tuple[int, tuple[tuple[int, int], ...]]
"""What the weights sum to, 0 for a choice, and the edges: (child, weight)."""


def _merged(
    children: Sequence[Sequence[int]],
    weights: Sequence[Sequence[int]],
    ends: Sequence[int],
    root: int,
) -> list[_Node]:
    """The nodes that the root leads to, alike ones once, the ends first and the root last."""
    reached = {root}
    for node in range(root, -1, -1):
        if node in reached:
            reached.update(children[node])
    nodes: list[_Node] = [(0, ())] * len(ends)
    known: dict[_Node, int] = {}
    new = {end: number for number, end in enumerate(ends)}
    for node in sorted(reached - new.keys()):
        edges = dict[int, int]()
        falls = weights[node] or [0] * len(children[node])
        for child, share in zip(children[node], falls, strict=True):
            edges[new[child]] = edges.get(new[child], 0) + share
        if len(edges) == 1:
            [new[node]] = edges
            continue
        # The order of choices is kept: of equally good ones the first is taken.
        alike = (
            sum(edges.values()),
            tuple(sorted(edges.items()) if weights[node] else edges.items()),
        )
        if alike not in known:
            known[alike] = len(nodes)
            nodes.append(alike)
        new[node] = known[alike]
    if new[root] < len(ends):  # nothing is left to happen but one end
        nodes.append((0, ((new[root], 0),)))
    return nodes


def values(flat: Flat, worths: Floats) -> Floats:
    """The value of the root for every standing: float64[B], in the unit of the worths.

    `worths` is float64[E, B]: what each end is worth in each standing; more is better.
    """
    found = np.empty(worths.shape[1])
    if COMPILED:
        _shared(lambda begin, stop: _settle(flat, worths, found, begin, stop), len(found))
    else:
        for begin in range(0, len(found), CHUNK):
            found[begin : begin + CHUNK] = _plain(flat, worths[:, begin : begin + CHUNK])
    return found


def values_and_slopes(flat: Flat, worths: Floats, slopes: Floats) -> tuple[Floats, Floats]:
    """The same, and what two more worths come to under the same choices: float64[2, B].

    `slopes` is float64[2, E, B]. If a worth depends on an unknown, and its slope is by how much,
    the slope of the root is by how much the value depends on it as long as the choices stay.
    """
    found, slope = np.empty(worths.shape[1]), np.empty((2, worths.shape[1]))
    if COMPILED:
        _shared(
            lambda begin, stop: _settle_two(flat, worths, slopes, found, slope, begin, stop),
            len(found),
        )
    else:
        for begin in range(0, len(found), CHUNK):
            part = slice(begin, begin + CHUNK)
            found[part], slope[:, part] = _plain_two(flat, worths[:, part], slopes[:, :, part])
    return found, slope


def followed(flat: Flat, worths: Floats, others: Floats, near: float) -> Floats:
    """The value of the root for every standing, and what others get of it: float64[1 + Q, B].

    `others` is float64[Q, E, B]: what the ends are worth to Q others, who have no choice. A choice
    that is worth at most `near` less than the best is as good; the first such one is taken, in the
    order of the graph.

    >>> flat = flattened([(), (), (), (0, 1), (2, 3)], [(), (), (), (), (1, 1)], [0, 1, 2], 4)
    >>> worths, others = np.array([[1.0], [1.0], [0.0]]), np.array([[[0.2], [0.4], [1.0]]])
    >>> followed(flat, worths, others, 1e-11).tolist()
    [[0.5], [0.6]]
    """
    found = np.empty((1 + len(others), worths.shape[1]))
    if COMPILED:
        _shared(
            lambda begin, stop: _follow(flat, worths, others, near, found, begin, stop),
            worths.shape[1],
        )
    else:
        for begin in range(0, worths.shape[1], CHUNK):
            part = slice(begin, begin + CHUNK)
            found[:, part] = _plain_follow(flat, worths[:, part], others[:, :, part], near)
    return found


def _plain(flat: Flat, worths: Floats) -> Floats:
    room = np.empty((flat.rows, worths.shape[1]))
    room[: flat.ends] = worths
    to = 0
    for node, to in enumerate(flat.into):
        edges = slice(flat.first[node], flat.first[node + 1])
        rows = room[flat.child[edges]]
        room[to] = flat.weight[edges] @ rows if flat.throw[node] else rows.max(axis=0)
    return cast(Floats, room[to])


def _plain_two(flat: Flat, worths: Floats, slopes: Floats) -> tuple[Floats, Floats]:
    found = _plain_follow(flat, worths, slopes, 0.0)
    return found[0], found[1:]


def _plain_follow(flat: Flat, worths: Floats, others: Floats, near: float) -> Floats:
    room = np.empty((1 + len(others), flat.rows, worths.shape[1]))
    room[0, : flat.ends], room[1:, : flat.ends] = worths, others
    to = 0
    for node, to in enumerate(flat.into):
        edges = slice(flat.first[node], flat.first[node + 1])
        rows = room[:, flat.child[edges]]
        if flat.throw[node]:
            room[:, to] = flat.weight[edges] @ rows
        else:
            first = (rows[0] >= rows[0].max(axis=0) - near).argmax(axis=0)[None, None]
            room[:, to] = np.take_along_axis(rows, first, axis=1)[:, 0]
    return room[:, to]


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(cores())


if hasattr(os, "register_at_fork"):  # a child has the pool, and none of its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shared(settle: Callable[[int, int], None], size: int) -> None:
    """Settle all lanes, whole blocks of them for each core."""
    blocks = -(-size // LANES)
    each = -(-blocks // cores()) * LANES
    others = [
        _pool().submit(settle, begin, min(begin + each, size)) for begin in range(each, size, each)
    ]
    settle(0, min(each, size))
    for other in others:
        other.result()


@jit.compiled
def _settle(flat: Flat, worths: Floats, found: Floats, begin: int, stop: int) -> None:
    """The values of the standings from `begin` to before `stop`."""
    first, child, weight, into, throw = flat.first, flat.child, flat.weight, flat.into, flat.throw
    room = np.zeros(flat.rows * LANES)
    for base in range(begin, stop, LANES):
        there = min(LANES, stop - base)
        # An offset that cannot be negative is not counted from the end, which no vector can do.
        lanes = np.uint64(-(-there // VECTOR) * VECTOR)
        for end in range(flat.ends):
            for lane in range(there):
                room[end * LANES + lane] = worths[end, base + lane]
        to = np.uint64(0)
        for node in range(len(into)):
            edge, after = first[node], first[node + 1]
            to = np.uint64(into[node] * LANES)
            if throw[node]:
                for i in range(lanes):
                    room[to + i] = 0.0
                while edge + 3 < after:
                    a, b = np.uint64(child[edge] * LANES), np.uint64(child[edge + 1] * LANES)
                    c, d = np.uint64(child[edge + 2] * LANES), np.uint64(child[edge + 3] * LANES)
                    p, q, r, s = weight[edge], weight[edge + 1], weight[edge + 2], weight[edge + 3]
                    for i in range(lanes):
                        room[to + i] += (p * room[a + i] + q * room[b + i]) + (
                            r * room[c + i] + s * room[d + i]
                        )
                    edge += 4
                while edge < after:
                    a, p = np.uint64(child[edge] * LANES), weight[edge]
                    for i in range(lanes):
                        room[to + i] += p * room[a + i]
                    edge += 1
                continue
            a, b = np.uint64(child[edge] * LANES), np.uint64(child[after - 1] * LANES)
            for i in range(lanes):
                x, y = room[a + i], room[b + i]
                room[to + i] = x if x > y else y
            edge += 1
            while edge + 1 < after:
                a, b = np.uint64(child[edge] * LANES), np.uint64(child[edge + 1] * LANES)
                for i in range(lanes):
                    x, y, z = room[a + i], room[b + i], room[to + i]
                    x = x if x > y else y
                    room[to + i] = x if x > z else z
                edge += 2
        for lane in range(there):
            found[base + lane] = room[to + np.uint64(lane)]


@jit.compiled
def _settle_two(
    flat: Flat, worths: Floats, slopes: Floats, found: Floats, slope: Floats, begin: int, stop: int
) -> None:
    """The same with two slopes."""
    first, child, weight, into, throw = flat.first, flat.child, flat.weight, flat.into, flat.throw
    room = np.zeros(flat.rows * FEWER_LANES)
    one, two = np.zeros(flat.rows * FEWER_LANES), np.zeros(flat.rows * FEWER_LANES)
    gain = np.zeros(FEWER_LANES)  # of one child over those before it
    for base in range(begin, stop, FEWER_LANES):
        there = min(FEWER_LANES, stop - base)
        lanes = np.uint64(-(-there // VECTOR) * VECTOR)
        for end in range(flat.ends):
            for lane in range(there):
                room[end * FEWER_LANES + lane] = worths[end, base + lane]
                one[end * FEWER_LANES + lane] = slopes[0, end, base + lane]
                two[end * FEWER_LANES + lane] = slopes[1, end, base + lane]
        to = np.uint64(0)
        for node in range(len(into)):
            edge, after = first[node], first[node + 1]
            to = np.uint64(into[node] * FEWER_LANES)
            a, p = np.uint64(child[edge] * FEWER_LANES), weight[edge]
            # A loop for each row: with more of them in one no vectors are used.
            if throw[node]:
                for row in (room, one, two):
                    for i in range(lanes):
                        row[to + i] = p * row[a + i]
                for more in range(edge + 1, after):
                    a, p = np.uint64(child[more] * FEWER_LANES), weight[more]
                    for row in (room, one, two):
                        for i in range(lanes):
                            row[to + i] += p * row[a + i]
                continue
            for row in (room, one, two):
                for i in range(lanes):
                    row[to + i] = row[a + i]
            for more in range(edge + 1, after):
                a = np.uint64(child[more] * FEWER_LANES)
                for i in range(lanes):
                    x, y = room[a + i], room[to + i]
                    gain[i] = x - y
                    room[to + i] = (x if x > y else y) + 0.0
                for row in (one, two):
                    for i in range(lanes):
                        x, y = row[a + i], row[to + i]
                        row[to + i] = (x if gain[i] > 0.0 else y) + 0.0
        for lane in range(there):
            last = to + np.uint64(lane)
            found[base + lane] = room[last]
            slope[0, base + lane], slope[1, base + lane] = one[last], two[last]


@jit.compiled
def _follow(
    flat: Flat, worths: Floats, others: Floats, near: float, found: Floats, begin: int, stop: int
) -> None:
    """The values of the standings, and what others get, see `followed`."""
    first, child, weight, into, throw = flat.first, flat.child, flat.weight, flat.into, flat.throw
    count = 1 + len(others)
    rooms = np.zeros((count, flat.rows * FEWER_LANES))
    enough = np.zeros(FEWER_LANES)  # what a choice must be worth to be as good as the best
    for base in range(begin, stop, FEWER_LANES):
        there = min(FEWER_LANES, stop - base)
        lanes = np.uint64(-(-there // VECTOR) * VECTOR)
        for end in range(flat.ends):
            for lane in range(there):
                rooms[0, end * FEWER_LANES + lane] = worths[end, base + lane]
            for other in range(1, count):
                for lane in range(there):
                    rooms[other, end * FEWER_LANES + lane] = others[other - 1, end, base + lane]
        to = np.uint64(0)
        mine = rooms[0]
        for node in range(len(into)):
            edge, after = first[node], first[node + 1]
            to = np.uint64(into[node] * FEWER_LANES)
            if throw[node]:
                for who in range(count):
                    _mean(rooms[who], to, lanes, child, weight, edge, after)
                continue
            a = np.uint64(child[after - 1] * FEWER_LANES)
            for i in range(lanes):
                enough[i] = mine[a + i]
            for more in range(edge, after - 1):
                b = np.uint64(child[more] * FEWER_LANES)
                for i in range(lanes):
                    x, y = mine[b + i], enough[i]
                    enough[i] = x if x > y else y
            for i in range(lanes):
                enough[i] -= near
            for who in range(count):
                row = rooms[who]
                for i in range(lanes):
                    row[to + i] = row[a + i]
                for more in range(after - 2, edge - 1, -1):  # so the first of them comes last
                    b = np.uint64(child[more] * FEWER_LANES)
                    for i in range(lanes):
                        x, y = row[b + i], row[to + i]
                        row[to + i] = (x if mine[b + i] >= enough[i] else y) + 0.0
        for who in range(count):
            for lane in range(there):
                found[who, base + lane] = rooms[who, to + np.uint64(lane)]


@jit.compiled
def _mean(
    row: Floats,
    to: np.uint64,
    lanes: np.uint64,
    child: Integers,
    weight: Floats,
    edge: int,
    after: int,
) -> None:
    """The mean over the edges of a throw, in FEWER_LANES; the first one is there."""
    a, p = np.uint64(child[edge] * FEWER_LANES), weight[edge]
    for i in range(lanes):
        row[to + i] = p * row[a + i]
    edge += 1
    while edge + 1 < after:
        a, b = np.uint64(child[edge] * FEWER_LANES), np.uint64(child[edge + 1] * FEWER_LANES)
        p, q = weight[edge], weight[edge + 1]
        for i in range(lanes):
            row[to + i] += p * row[a + i] + q * row[b + i]
        edge += 2
    if edge < after:
        a, p = np.uint64(child[edge] * FEWER_LANES), weight[edge]
        for i in range(lanes):
            row[to + i] += p * row[a + i]
