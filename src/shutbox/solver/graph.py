"""A turn as a graph in whole numbers: what it takes to solve a game, and nothing else of it.

A node is an end, a choice between nodes, or a throw that leads to nodes by whole-number weights.
Children come before their parents, so one walk along the lists solves a graph, and one walk back
follows a way of playing it. Values are whole numbers too: the value of a node, times
`ways ** depth`, is always whole, so nothing is rounded and equally good choices are equal.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import lcm
from operator import mul

Progress = Callable[[int, int], None]  # told now and then how much is done, of how much


def unheard(done: int, total: int) -> None:
    """Nobody wants to know."""


Ending = tuple[int, bool]  # how a turn ended: its score, and whether it did what a turn is for
Taken = tuple[int, ...]  # what a choice takes: the numbers of its tiles; 0 for a piece without one


@dataclass(frozen=True, slots=True)
class Graph:
    """The nodes of a turn, by number.

    `values` are the numbers that `solved` returns; dividing one by `scale` gives the value.
    """

    children: list[tuple[int, ...]]  # the nodes that a node leads to; none from an end
    weights: list[tuple[int, ...]]
    """Of a throw, how often each child falls out of `ways`; empty for a choice or an end."""
    ends: dict[int, Ending]  # the nodes that are ends
    labels: dict[int, tuple[int, ...]]  # of each choice, what each child takes, where that is known
    taken: dict[int, Taken]  # what a label stands for
    ways: int  # what the weights of every throw sum to
    depth: int  # the most throws on any way through it

    @property
    def scale(self) -> int:
        """What values are multiplied by to be whole."""
        scale: int = self.ways**self.depth
        return scale

    def choices(self) -> Iterator[int]:
        """The nodes at which there is a choice between at least two things."""
        nodes = enumerate(zip(self.children, self.weights, strict=True))
        return (node for node, (children, falls) in nodes if len(children) > 1 and not falls)

    def solved(self, worths: dict[int, int], *, more: bool) -> list[int]:
        """The value of every node, times `scale`, if every choice goes for more, or for less.

        `worths` has a whole number for each end.
        """
        ways, scale = self.ways, self.scale
        pick: Callable[[Iterable[int]], int] = max if more else min
        values = [0] * len(self.children)
        at = values.__getitem__
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if weights:
                values[node] = sum(map(mul, weights, map(at, children))) // ways
            elif children:
                values[node] = pick(map(at, children))
            else:
                values[node] = worths[node] * scale
        return values

    def valued(self, worths: Mapping[int, Fraction], *, more: bool) -> tuple[list[int], int]:
        """The value of every node as a whole number, and what all of them are divided by."""
        unit = lcm(*(worth.denominator for worth in worths.values()))
        whole = {node: int(worth * unit) for node, worth in worths.items()}
        return self.solved(whole, more=more), unit * self.scale

    def best(self, values: list[int], *, more: bool, near: int = 0) -> dict[int, int]:
        """The place of the best child of each choice; of those at most so near the first."""
        pick: Callable[[Iterable[int]], int] = max if more else min
        places = {}
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if children and not weights:
                worth = [values[child] for child in children]
                best = pick(worth)
                if near:
                    best = next(value for value in worth if abs(value - best) <= near)
                places[node] = worth.index(best)
        return places

    def follow(self, places: dict[int, int]) -> "Graph":
        """The graph in which the choices are made: each leads to the child in that place only.

        Its nodes have the same numbers.
        """
        children = list(self.children)
        for node, place in places.items():
            children[node] = (children[node][place],)
        return replace(self, children=children)

    def at_random(self) -> "Graph":
        """The graph in which every choice is a throw that shows each of its children as often."""
        nodes = zip(self.children, self.weights, strict=True)
        counts = {len(children) for children, falls in nodes if children and not falls}
        factor = lcm(*counts)
        ways = self.ways * factor
        weights = [
            tuple(weight * factor for weight in falls)
            or tuple(ways // len(children) for _ in children)
            for children, falls in zip(self.children, self.weights, strict=True)
        ]
        depth = _depth(self.children, weights)
        return replace(self, weights=weights, ways=ways, depth=depth)

    def reached(self, root: int) -> list[int]:
        """How often each node is reached from `root`, out of `scale`; no choice may be open.

        Raises ValueError where one is.
        """
        ways = self.ways
        often = [0] * (root + 1)
        often[root] = self.scale
        for node in range(root, -1, -1):
            here = often[node]
            if not here:
                continue
            children = self.children[node]
            if weights := self.weights[node]:
                each = here // ways
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


@dataclass
class Builder:
    """Builds a graph from its ends upward.

    >>> builder = Builder()
    >>> shut, stuck = builder.end(0, True), builder.end(2, False)
    >>> root = builder.throw([(shut, 1), (stuck, 2), (stuck, 3)])
    >>> graph = builder.graph()
    >>> values = graph.solved({shut: 1, stuck: 0}, more=True)
    >>> values[root], graph.scale
    (1, 6)
    """

    _children: list[tuple[int, ...]] = field(default_factory=list)
    _weights: list[tuple[int, ...]] = field(default_factory=list)
    _ends: dict[Ending, int] = field(default_factory=dict)
    _labels: dict[int, tuple[int, ...]] = field(default_factory=dict)
    taken: dict[int, Taken] = field(default_factory=dict)  # what the labels stand for

    def _add(self, children: tuple[int, ...], weights: tuple[int, ...]) -> int:
        self._children.append(children)
        self._weights.append(weights)
        return len(self._children) - 1

    def end(self, score: int, shut: bool) -> int:
        """The node of an end; the same for equal ends."""
        if (score, shut) not in self._ends:
            self._ends[score, shut] = self._add((), ())
        return self._ends[score, shut]

    def choice(self, children: tuple[int, ...], labels: tuple[int, ...] = ()) -> int:
        """A choice between nodes, in canonical order; where there is only one, that node.

        Only an end stays behind its choice, so that what a throw itself ends can be told.
        """
        if len(children) == 1 and self._children[children[0]]:
            return children[0]
        node = self._add(children, ())
        if labels:
            self._labels[node] = labels
        return node

    def stop(self, children: tuple[int, ...]) -> int:
        """A choice that is a node of its own, also where it leads to one node only."""
        return self._add(children, ())

    def throw(self, falls: Iterable[tuple[int, int]]) -> int:
        """A throw: (child, weight) for each way it falls."""
        weights: dict[int, int] = {}
        for child, weight in falls:
            weights[child] = weights.get(child, 0) + weight
        return self._add(tuple(weights), tuple(weights.values()))

    def graph(self) -> Graph:
        """The graph, the weights of all its throws brought to one sum."""
        totals = [sum(weights) for weights in self._weights]
        ways = lcm(*(total for total in totals if total))
        weights = [
            falls if total in (0, ways) else tuple(weight * (ways // total) for weight in falls)
            for falls, total in zip(self._weights, totals, strict=True)
        ]
        ends = {node: ending for ending, node in self._ends.items()}
        depth = _depth(self._children, weights)
        return Graph(self._children, weights, ends, self._labels, self.taken, ways, depth)
