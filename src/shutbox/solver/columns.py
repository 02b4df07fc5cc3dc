"""A turn solved for many standings side by side: arrays of numbers in and out.

A standing says what each end of a turn is worth. The turn is the same for all of them, so each of
its nodes holds a row of values, one *column* for each standing, and one pass over the nodes settles
the rows. What the turn is worth to others is carried along in the same rows. Three things make the
pass fast.

- Nodes that lead to the same are one node, and so is a choice that is none.
- A row is let go of once nothing leads to it any more, and the next node takes its place, so the
  rows of a few standings stay in the cache.
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
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from shutbox.solver import jit

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

COMPILED = jit.COMPILED
WIDTH = 64  # numbers of a row: 512 bytes
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
    >>> evaluate(flat, np.array([[[0.0, 1.0], [1.0, 0.0]]]), 0.0).tolist()
    [[0.75, 0.5]]
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


def evaluate(flat: Flat, worths: Floats, near: float) -> Floats:
    """Return what the root is worth in every standing: float64[Q, B].

    `worths` is float64[Q, E, B]: what each end is worth in each standing, first to the player, who
    goes for more, and then to others, who have no choice. To them a choice is worth what follows
    from the first of those that are worth at most `near` less than the best to the player, in the
    order of the graph.

    >>> flat = flattened([(), (), (), (0, 1), (2, 3)], [(), (), (), (), (1, 1)], [0, 1, 2], 4)
    >>> worths = np.array([[[1.0], [1.0], [0.0]], [[0.2], [0.4], [1.0]]])
    >>> evaluate(flat, worths, 1e-11).tolist()
    [[0.5], [0.6]]
    """
    count, _, size = worths.shape
    found = np.empty((count, size))
    if COMPILED:
        _shared(lambda begin, stop: _evaluate(flat, worths, near, found, begin, stop), size)
    else:
        for begin in range(0, size, CHUNK):
            part = slice(begin, begin + CHUNK)
            found[:, part] = _plain(flat, worths[:, :, part], near)
    return found


def _plain(flat: Flat, worths: Floats, near: float) -> Floats:
    """Do the same by NumPy alone."""
    room: Floats = np.empty((flat.rows, len(worths), worths.shape[2]))
    room[: flat.ends] = worths.swapaxes(0, 1)
    wide = room.reshape(flat.rows, -1)
    to = 0
    for node, to in enumerate(flat.into):
        edges = slice(flat.first[node], flat.first[node + 1])
        if flat.throw[node]:
            wide[to] = flat.weight[edges] @ wide[flat.child[edges]]
            continue
        rows = room[flat.child[edges]]
        best = rows[:, 0].max(axis=0)
        if len(worths) > 1:
            first = (rows[:, 0] >= best - near).argmax(axis=0)
            room[to] = np.take_along_axis(rows, first[None, None], axis=0)[0]
        room[to, 0] = best
    found: Floats = room[to]
    return found


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(jit.cores())


if hasattr(os, "register_at_fork"):  # a child has the pool, and none of its threads
    os.register_at_fork(after_in_child=_pool.cache_clear)


def _shared(settle: Callable[[int, int], None], size: int) -> None:
    """Settle all columns, whole blocks of them for each core."""
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
    flat: Flat, worths: Floats, near: float, found: Floats, begin: int, stop: int
) -> None:
    """Evaluate the standings from `begin` to before `stop`, see `evaluate`."""
    first, into, throw = flat.first, flat.into, flat.throw
    count = len(worths)
    block = max(1, WIDTH // (count * VECTOR)) * VECTOR
    room = np.zeros(flat.rows * count * block)
    enough = np.zeros(block)  # what a choice must be worth to be as good as the best
    for base in range(begin, stop, block):
        there = min(block, stop - base)
        # An offset that cannot be negative is not counted from the end, which no vector can do.
        columns = np.uint64(-(-there // VECTOR) * VECTOR)
        width = np.uint64(count) * columns
        for who in range(count):
            for end in range(flat.ends):
                to = np.uint64(end) * width + np.uint64(who) * columns
                for column in range(there):
                    room[to + np.uint64(column)] = worths[who, end, base + column]
        to = np.uint64(0)
        for node in range(len(into)):
            edge, after = first[node], first[node + 1]
            to = np.uint64(into[node]) * width
            if throw[node]:
                _mean(flat, room, to, width, edge, after)
            else:
                _best(flat, room, to, columns, width, edge, after)
                if count > 1:
                    for i in range(columns):
                        enough[i] = room[to + i] - near
                    _others(flat, room, to, columns, width, enough, edge, after)
        for who in range(count):
            for column in range(there):
                found[who, base + column] = room[to + np.uint64(who) * columns + np.uint64(column)]


@jit.compiled
def _mean(flat: Flat, room: Floats, to: np.uint64, width: np.uint64, edge: int, after: int) -> None:
    """Write the mean over the edges of a throw."""
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
def _best(
    flat: Flat,
    room: Floats,
    to: np.uint64,
    columns: np.uint64,
    width: np.uint64,
    edge: int,
    after: int,
) -> None:
    """Write what the best choice is worth to the player."""
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
def _others(
    flat: Flat,
    room: Floats,
    to: np.uint64,
    columns: np.uint64,
    width: np.uint64,
    enough: Floats,
    edge: int,
    after: int,
) -> None:
    """Write what the first of the choices that are worth `enough` is worth to the others."""
    child = flat.child
    a = np.uint64(child[after - 1]) * width
    for i in range(columns, width):
        room[to + i] = room[a + i]
    for more in range(after - 2, edge - 1, -1):  # so the first of them comes last
        a = np.uint64(child[more]) * width
        for who in range(columns, width, columns):
            for i in range(columns):
                x, y = room[a + who + i], room[to + who + i]
                room[to + who + i] = (x if room[a + i] >= enough[i] else y) + 0.0
