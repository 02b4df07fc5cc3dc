"""A turn as a graph in whole numbers: all that a solver needs of a game.

A node is an end, a choice between nodes, or a throw that leads to nodes with integer weights.
Children come before their parents, so one forward pass over the lists solves a graph, and one
backward pass evaluates a strategy. Values are integers too: the value of a node times
`total ** depth` is always whole, so nothing is rounded and equally good choices have equal values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any, NamedTuple

from shutbox.engine.english import shown
from shutbox.engine.errors import NotUnderstood

Progress = Callable[[int, int], None]  # called now and then: work done, total (0: unknown)


def no_progress(done: int, total: int) -> None:
    """Do nothing: the callback for long work whose caller wants no progress."""


def or_silent(progress: Progress | None) -> Progress:
    """Return the callback that a caller gave, or one that ignores the progress."""
    if progress is not None and not callable(progress):
        raise NotUnderstood("{progress} is no function for progress", progress=shown(progress))
    return no_progress if progress is None else progress


Ending = tuple[int, bool]  # a turn's score, and whether it shut the box or completed the crew
Taken = tuple[int, ...]  # the numbers of the tiles that a choice takes; 0 for an unnumbered piece


class Graph(NamedTuple):
    """The graph of a turn, its nodes by number; `values` are by node, from `solved` or `valued`."""

    children: list[tuple[int, ...]]  # the successors of each node; an end has none
    weights: list[tuple[int, ...]]
    """How many of `total` outcomes of a throw lead to each child; empty for a choice or end."""
    ends: dict[int, Ending]  # the nodes that are ends
    labels: dict[int, Any]  # by node, of choices; those with equal labels take the same tiles
    taken: "Callable[[Any], Sequence[Taken]]"  # from a label to what each child takes
    total: int  # the sum of every throw's weights
    depth: int  # the most throws on any path

    @property
    def scale(self) -> int:
        """The factor that makes all values whole, if the payoffs are."""
        scale: int = self.total**self.depth
        return scale

    def choices(self) -> Iterator[int]:
        """Return the numbers of the nodes that are choices between at least two children."""
        nodes = enumerate(zip(self.children, self.weights, strict=True))
        return (node for node, (children, falls) in nodes if len(children) > 1 and not falls)

    def solved(self, payoffs: dict[int, int], *, more: bool) -> list[int]:
        """Return the value of every node, times `scale`, in the unit of `payoffs`, by end.

        Choices maximise it if `more`, else minimise it.
        """
        total, scale = self.total, self.scale
        pick: Callable[[Iterable[int]], int] = max if more else min
        values = [0] * len(self.children)
        at = values.__getitem__
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if weights:
                values[node] = sum(map(mul, weights, map(at, children))) // total
            elif children:
                values[node] = pick(map(at, children))
            else:
                values[node] = payoffs[node] * scale
        return values

    def valued(self, payoffs: Mapping[int, Fraction], *, more: bool) -> tuple[list[int], int]:
        """Return every node's value as whole numbers, and the divisor they are to be divided by.

        As `solved`, but `payoffs` can be fractions. The unit is that of the payoffs.
        """
        unit = lcm(*(payoff.denominator for payoff in payoffs.values()))
        whole = {node: int(payoff * unit) for node, payoff in payoffs.items()}
        return self.solved(whole, more=more), unit * self.scale

    def best(self, values: list[int], *, more: bool, near: int = 0) -> dict[int, int]:
        """Return, by node, the index of each choice's first child within `near` of the best one."""
        pick: Callable[[Iterable[int]], int] = max if more else min
        places = {}
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if children and not weights:
                options = [values[child] for child in children]
                best = pick(options)
                if near:
                    best = next(value for value in options if abs(value - best) <= near)
                places[node] = options.index(best)
        return places

    def with_choices(self, places: dict[int, int]) -> "Graph":
        """Return the graph in which each node in `places` leads only to its child at that index."""
        children = list(self.children)
        for node, place in places.items():
            children[node] = (children[node][place],)
        return self._replace(children=children)

    def at_random(self) -> "Graph":
        """Return the graph with every choice replaced by a uniform throw over its children."""
        nodes = zip(self.children, self.weights, strict=True)
        counts = {len(children) for children, falls in nodes if children and not falls}
        factor = lcm(*counts)
        total = self.total * factor
        weights = [
            tuple(weight * factor for weight in falls)
            or tuple(total // len(children) for _ in children)
            for children, falls in zip(self.children, self.weights, strict=True)
        ]
        depth = _depth(self.children, weights)
        return self._replace(weights=weights, total=total, depth=depth)

    def reached(self, root: int) -> list[int]:
        """Return, for each node up to `root`, the chance that `root` leads to it, times `scale`.

        Raises ValueError if it leads to a choice between several children.
        """
        total = self.total
        often = [0] * (root + 1)
        often[root] = self.scale
        for node in range(root, -1, -1):
            here = often[node]
            if not here:
                continue
            children = self.children[node]
            if weights := self.weights[node]:
                each = here // total
                for child, weight in zip(children, weights, strict=True):
                    often[child] += each * weight
            elif len(children) == 1:
                often[children[0]] += here
            elif children:
                raise ValueError(f"the choice at node {node} is open")
        return often


def _depth(children: Sequence[tuple[int, ...]], weights: Sequence[tuple[int, ...]]) -> int:
    depths = [0] * len(children)
    for node, kids in enumerate(children):
        if kids:
            depths[node] = max(depths[kid] for kid in kids) + bool(weights[node])
    return max(depths, default=0)


class Builder:
    """A builder of a graph, from its ends upward.

    >>> builder = Builder()
    >>> shut, stuck = builder.end(0, True), builder.end(2, False)
    >>> root = builder.throw([(shut, 1), (stuck, 2), (stuck, 3)])
    >>> graph = builder.graph()
    >>> values = graph.solved({shut: 1, stuck: 0}, more=True)
    >>> values[root], graph.scale
    (1, 6)
    """

    def __init__(self, taken: Callable[[Any], Sequence[Taken]] = tuple) -> None:
        self._children: list[tuple[int, ...]] = []
        self._weights: list[tuple[int, ...]] = []
        self._ends: dict[Ending, int] = {}
        self._labels: dict[int, Any] = {}
        self._taken = taken  # see `Graph`; without labels never called

    def _add(self, children: tuple[int, ...], weights: tuple[int, ...]) -> int:
        self._children.append(children)
        self._weights.append(weights)
        return len(self._children) - 1

    def end(self, score: int, shut: bool) -> int:
        """Return the node of an end, added if it is new; equal ends share one."""
        if (score, shut) not in self._ends:
            self._ends[score, shut] = self._add((), ())
        return self._ends[score, shut]

    def choice(self, children: tuple[int, ...], label: object = None) -> int:
        """Add a choice between nodes in canonical order, with a label, and return its node.

        A single child that is not an end is returned instead. Before an end the choice is added, so
        an end directly after a throw is always one that the throw itself causes.
        """
        if len(children) == 1 and self._children[children[0]]:
            return children[0]
        node = self._add(children, ())
        if label is not None:
            self._labels[node] = label
        return node

    def stop(self, children: tuple[int, ...]) -> int:
        """Add a choice that gets a node of its own, even with one child, and return that node.

        `choice` would return the child; this is for callers that must find each position again.
        """
        return self._add(children, ())

    def throw(self, falls: Iterable[tuple[int, int]]) -> int:
        """Add a throw, given as (child, weight) for each outcome, and return its node."""
        weights: dict[int, int] = {}
        for child, weight in falls:
            weights[child] = weights.get(child, 0) + weight
        return self._add(tuple(weights), tuple(weights.values()))

    def graph(self) -> Graph:
        """Return the graph, with the weights of all throws scaled to the same sum."""
        totals = [sum(weights) for weights in self._weights]
        common = lcm(*(total for total in totals if total))
        weights = [
            falls if total in (0, common) else tuple(weight * (common // total) for weight in falls)
            for falls, total in zip(self._weights, totals, strict=True)
        ]
        ends = {node: ending for ending, node in self._ends.items()}
        depth = _depth(self._children, weights)
        return Graph(self._children, weights, ends, self._labels, self._taken, common, depth)
