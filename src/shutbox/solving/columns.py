"""A turn solved for many standings side by side, on arrays of numbers.

A standing sets the payoff of each end of a turn. The turn is the same for all of them, so each of
its nodes has a row of values with one *column* for each standing, and one pass over the nodes
computes all rows. The same rows have the values for the other players. Three things make it fast.

- Equal nodes are merged, and a choice with only one successor is replaced by it.
- A row is freed once no later node needs it, and the next node reuses it. So the rows of a few
  standings stay in the CPU cache.
- Compiled code adds up two or four rows at a time: fewer stores, and vectors throughout.

Without numba NumPy does the same, at least ten times as slowly. The threads are Python's own;
`kernel` explains why, and also why this is one file.

Inputs are not checked: arrays that break their description are read and written out of bounds.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from heapq import heappop, heappush
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solving import jit

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Lists = Sequence[Sequence[int]]  # a list of nodes, or of weights, for each node of a graph

COMPILED = jit.COMPILED
WIDTH = 64  # numbers of a row: 512 bytes
VECTOR = 8  # columns are padded to a multiple of this, so fewer standings are not faster
CHUNK = 4096  # the most standings in one pass without numba


class Flat(NamedTuple):
    """The graph of a turn as arrays: `N` inner nodes, `E` ends and `C` edges, see `flatten`."""

    rows: int
    """The most rows of values in use at a time; the ends have the first ones, in order."""
    ends: int  # `E`
    first: Integers  # int64[N + 1]: node `n` has the edges from `first[n]` to before `first[n + 1]`
    child: Integers  # int64[C]: the row that an edge leads to; never the row of its own node
    weight: Floats  # float64[C]: the probability of a throw's edge; 0 for a choice's edge
    into: Integers
    """int64[N]: the row of each node. The last node is the root; there is at least one."""
    throw: NDArray[np.bool_]
    """bool[N]: whether the node is a throw; otherwise it is a choice, which takes the maximum."""


def flatten(children: Lists, weights: Lists, ends: Sequence[int], root: int) -> Flat:
    """Return as arrays the turn from node `root` of a graph, its end nodes in the order of `ends`.

    `children` and `weights` are those of `solving.graph.Graph`: children come before their parents,
    and a node with weights is a throw.

    >>> flat = flatten([(), (), (0, 1), (0, 1), (2, 3)], [(), (), (1, 1), (1, 3), ()], [0, 1], 4)
    >>> evaluate(flat, np.array([[[0.0, 1.0], [1.0, 0.0]]]), 0.0).tolist()
    [[0.75, 0.5]]
    """
    nodes = _merge_nodes(children, weights, ends, root)
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
        row.append(heappop(free))  # taken before the children's rows are freed
        into.append(row[number])
        child_rows += [row[child] for child, _ in edges]
        weight += [share / total if total else 0.0 for _, share in edges]
        first.append(len(child_rows))
        for child, _ in edges:
            if last[child] == number and child >= count:
                heappush(free, row[child])
    return Flat(
        rows=rows,
        ends=count,
        first=np.array(first, np.int64),
        child=np.array(child_rows, np.int64),
        weight=np.array(weight, np.float64),
        into=np.array(into, np.int64),
        throw=np.array([total > 0 for total, _ in nodes[count:]], np.bool_),
    )


_Node = tuple[int, tuple[tuple[int, int], ...]]
"""The sum of the weights, 0 for a choice, and the edges as (child, weight)."""


def _merge_nodes(children: Lists, weights: Lists, ends: Sequence[int], root: int) -> list[_Node]:
    """Return the nodes that the root leads to, equal ones merged, ends first and the root last."""
    reached = {root}
    for node in range(root, -1, -1):
        if node in reached:
            reached.update(children[node])
    nodes: list[_Node] = [(0, ())] * len(ends)
    known: dict[_Node, int] = {}
    new = {end: number for number, end in enumerate(ends)}
    for node in sorted(reached - new.keys()):
        edges = dict[int, int]()
        shares = weights[node] or [0] * len(children[node])
        for child, share in zip(children[node], shares, strict=True):
            edges[new[child]] = edges.get(new[child], 0) + share
        if len(edges) == 1:
            [new[node]] = edges
            continue
        # Choices stay in order, because the first of equally good ones is taken.
        pairs = sorted(edges.items()) if weights[node] else edges.items()
        canonical = sum(edges.values()), tuple(pairs)
        if canonical not in known:
            known[canonical] = len(nodes)
            nodes.append(canonical)
        new[node] = known[canonical]
    if new[root] < len(ends):  # the turn can only end in one way
        nodes.append((0, ((new[root], 0),)))
    return nodes


def evaluate(flat: Flat, payoffs: Floats, near: float) -> Floats:
    """Return the value of the root to each player in each standing: float64[Q, B].

    `payoffs` is float64[Q, E, B]: the payoffs to Q players of each end in B standings. The first
    player maximises; the others have no choice. For them a choice has the value of its earliest
    successor, in the order of the graph, whose value to the first is at most `near` below the best.

    >>> flat = flatten([(), (), (), (0, 1), (2, 3)], [(), (), (), (), (1, 1)], [0, 1, 2], 4)
    >>> payoffs = np.array([[[1.0], [1.0], [0.0]], [[0.2], [0.4], [1.0]]])
    >>> evaluate(flat, payoffs, 1e-11).tolist()
    [[0.5], [0.6]]
    """
    count, _, size = payoffs.shape
    values = np.empty((count, size))
    if COMPILED:
        in_columns = partial(_evaluate, flat, payoffs, near, values)
        _run_in_threads(in_columns, size)
    else:
        for begin in range(0, size, CHUNK):
            part = slice(begin, begin + CHUNK)
            values[:, part] = _evaluate_plainly(flat, payoffs[:, :, part], near)
    return values


def _evaluate_plainly(flat: Flat, payoffs: Floats, near: float) -> Floats:
    """Return the values of the root as `evaluate` does, with NumPy alone: float64[Q, B]."""
    room: Floats = np.empty((flat.rows, len(payoffs), payoffs.shape[2]))
    room[: flat.ends] = payoffs.swapaxes(0, 1)
    wide = room.reshape(flat.rows, -1)
    to = 0
    for node, to in enumerate(flat.into):
        edges = slice(flat.first[node], flat.first[node + 1])
        if flat.throw[node]:
            wide[to] = flat.weight[edges] @ wide[flat.child[edges]]
            continue
        rows = room[flat.child[edges]]
        best = rows[:, 0].max(axis=0)
        if len(payoffs) > 1:
            first = (rows[:, 0] >= best - near).argmax(axis=0)
            room[to] = np.take_along_axis(rows, first[None, None], axis=0)[0]
        room[to, 0] = best
    return np.asarray(room[to], np.float64)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(jit.cores())


if hasattr(os, "register_at_fork"):  # a child process inherits the pool without its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def _run_in_threads(settle: Callable[[int, int], None], size: int) -> None:
    """Call `settle(begin, stop)` in threads for parts of `size` columns, at most one per core."""
    blocks = -(-size // WIDTH)
    each = -(-blocks // jit.cores()) * WIDTH
    others = [
        _pool().submit(settle, begin, min(begin + each, size)) for begin in range(each, size, each)
    ]
    settle(0, min(each, size))
    for other in others:
        other.result()


@jit.compiled
def _evaluate(
    flat: Flat, payoffs: Floats, near: float, values: Floats, begin: int, stop: int
) -> None:
    """Write to `values` what `evaluate` returns, for the standings in `range(begin, stop)`."""
    first, into, throw = flat.first, flat.into, flat.throw
    count = len(payoffs)
    block = max(1, WIDTH // (count * VECTOR)) * VECTOR
    room = np.zeros(flat.rows * count * block)
    enough = np.zeros(block)  # the least value of a choice that ties with the best
    for base in range(begin, stop, block):
        size = min(block, stop - base)
        # Unsigned offsets: numba tests signed ones for negative values, which prevents vectors.
        columns = np.uint64(-(-size // VECTOR) * VECTOR)
        width = np.uint64(count) * columns
        for player in range(count):
            for end in range(flat.ends):
                to = np.uint64(end) * width + np.uint64(player) * columns
                for column in range(size):
                    room[to + np.uint64(column)] = payoffs[player, end, base + column]
        to = np.uint64(0)
        for node in range(len(into)):
            edge, after = first[node], first[node + 1]
            to = np.uint64(into[node]) * width
            if throw[node]:
                _write_mean(flat, room, to, width, edge, after)
            else:
                _write_best(flat, room, to, columns, width, edge, after)
                if count > 1:
                    for i in range(columns):
                        enough[i] = room[to + i] - near
                    _copy_others(flat, room, to, columns, width, enough, edge, after)
        for player in range(count):
            for column in range(size):
                values[player, base + column] = room[
                    to + np.uint64(player) * columns + np.uint64(column)
                ]


@jit.compiled
def _write_mean(
    flat: Flat, room: Floats, to: np.uint64, width: np.uint64, edge: int, after: int
) -> None:
    """Write to `room` at `to` the mean over a throw's edges, from `edge` to before `after`."""
    child, weight = flat.child, flat.weight
    a, p = np.uint64(child[edge]) * width, weight[edge]
    for i in range(width):
        room[to + i] = p * room[a + i]
    edge += 1
    while edge + 3 < after:
        a, b = np.uint64(child[edge]) * width, np.uint64(child[edge + 1]) * width
        c, d = np.uint64(child[edge + 2]) * width, np.uint64(child[edge + 3]) * width
        p, q, r, s = weight[edge], weight[edge + 1], weight[edge + 2], weight[edge + 3]
        for i in range(width):
            room[to + i] += (p * room[a + i] + q * room[b + i]) + (
                r * room[c + i] + s * room[d + i]
            )
        edge += 4
    while edge < after:
        a, p = np.uint64(child[edge]) * width, weight[edge]
        for i in range(width):
            room[to + i] += p * room[a + i]
        edge += 1


@jit.compiled
def _write_best(
    flat: Flat,
    room: Floats,
    to: np.uint64,
    columns: np.uint64,
    width: np.uint64,
    edge: int,
    after: int,
) -> None:
    """Write the first player's value of the best choice, of each column, to `room` from `to` on.

    The choices are the edges from `edge` to before `after`, at least one.
    """
    child = flat.child
    a, b = np.uint64(child[edge]) * width, np.uint64(child[after - 1]) * width
    for i in range(columns):
        x, y = room[a + i], room[b + i]
        room[to + i] = x if x > y else y
    edge += 1
    while edge + 1 < after:
        a, b = np.uint64(child[edge]) * width, np.uint64(child[edge + 1]) * width
        for i in range(columns):
            x, y, z = room[a + i], room[b + i], room[to + i]
            x = x if x > y else y
            room[to + i] = x if x > z else z
        edge += 2


@jit.compiled
def _copy_others(
    flat: Flat,
    room: Floats,
    to: np.uint64,
    columns: np.uint64,
    width: np.uint64,
    enough: Floats,
    edge: int,
    after: int,
) -> None:
    """Copy, by column, the others' values of the first choice that is `enough` for player 0."""
    child = flat.child
    a = np.uint64(child[after - 1]) * width
    for i in range(columns, width):
        room[to + i] = room[a + i]
    for more in range(after - 2, edge - 1, -1):  # backwards, so that the first one is written last
        a = np.uint64(child[more]) * width
        for row in range(columns, width, columns):
            for i in range(columns):
                x, y = room[a + row + i], room[to + row + i]
                room[to + row + i] = (x if room[a + i] >= enough[i] else y) + 0.0
