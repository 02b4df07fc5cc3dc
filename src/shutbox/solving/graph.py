"""A turn as a graph in whole numbers: all that a solver needs of a game.

A node is an end, a choice between nodes, or a throw that leads to nodes with integer weights.
Children come before their parents, so one forward pass over the lists solves a graph, and one
backward pass evaluates a strategy. Values are integers too: the value of a node times
`total ** depth` is always whole, so nothing is rounded and equally good choices have equal values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm
from operator import mul
from typing import Any

Ending = tuple[int, bool]  # a turn's score, and whether it shut the box or completed the crew
Taken = tuple[int, ...]  # the numbers of the tiles that a choice takes; 0 for an unnumbered piece


@dataclass(frozen=True, slots=True)
class Graph:
    """The graph of a turn, its nodes by number."""

    children: list[tuple[int, ...]]  # the successors of each node; an end has none
    weights: list[tuple[int, ...]]
    """How many of `total` outcomes of a throw lead to each child; empty for a choice or end."""
    ends: dict[int, Ending]  # the nodes that are ends
    labels: dict[int, Any]
    """By node, what the maker of the graph knows a choice by, such as a position or its covers."""
    taken: Callable[[Any], Sequence[Taken]]
    """The function from a label to what each child takes. It can be slow, so it is only called for
    strategies that look at tiles, and once for choices with equal labels."""
    total: int  # the sum of every throw's weights
    depth: int  # the most throws on any path

    @property
    def scale(self) -> int:
        """`total ** depth`: every value times this is whole, if the payoffs are."""
        return int(self.total**self.depth)

    def choice_nodes(self) -> Iterator[int]:
        """Yield every node that is a choice between two children or more, children first."""
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if len(children) > 1 and not weights:
                yield node

    def node_values(self, payoffs: Mapping[int, int], *, more: bool) -> list[int]:
        """Return the value of every node, times `scale`, in the unit of `payoffs`, by end.

        Choices maximise it if `more`, else minimise it.
        """
        total, scale, pick = self.total, self.scale, _pick_of(more)
        values = [0] * len(self.children)
        value_of = values.__getitem__  # `map` needs no frame for each child: a solver lives here
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if weights:  # exact: below a throw, every value is a multiple of `total`
                values[node] = sum(map(mul, weights, map(value_of, children))) // total
            elif children:
                values[node] = pick(map(value_of, children))
            else:
                values[node] = payoffs[node] * scale
        return values

    def values_and_divisor(
        self, payoffs: Mapping[int, Fraction], *, more: bool
    ) -> tuple[list[int], int]:
        """Return the value of every node times a divisor, in whole numbers, and the divisor.

        As `node_values`, but `payoffs` can be fractions.
        """
        unit = lcm(*(payoff.denominator for payoff in payoffs.values()))
        whole = {node: int(payoff * unit) for node, payoff in payoffs.items()}
        return self.node_values(whole, more=more), unit * self.scale

    def best_children(self, values: list[int], *, more: bool, near: int = 0) -> dict[int, int]:
        """Return, by choice, the index of its first child whose value is within `near` of the best.

        `values` are by node, from `node_values` or `values_and_divisor`, and `near` is scaled so.
        """
        pick, indices = _pick_of(more), {}
        for node, (children, weights) in enumerate(zip(self.children, self.weights, strict=True)):
            if children and not weights:
                options = [values[child] for child in children]
                best = pick(options)
                indices[node] = next(i for i, v in enumerate(options) if abs(v - best) <= near)
        return indices

    def with_choices(self, indices: Mapping[int, int]) -> "Graph":
        """Return the graph in which each node in `indices` leads only to its child at that index.

        The other choices stay open.
        """
        children = list(self.children)
        for node, index in indices.items():
            children[node] = (children[node][index],)
        return replace(self, children=children)

    def at_random(self) -> "Graph":
        """Return the graph with every choice, also of one child, made a uniform throw."""
        nodes = list(zip(self.children, self.weights, strict=True))
        factor = lcm(*(len(children) for children, weights in nodes if children and not weights))
        total = self.total * factor
        scaled = list[tuple[int, ...]]()
        for children, weights in nodes:
            if weights:
                scaled.append(tuple(weight * factor for weight in weights))
            else:  # a choice; an end has no children, and so no weights
                scaled.append(tuple(total // len(children) for _ in children))
        return replace(self, weights=scaled, total=total, depth=_depth(self.children, scaled))

    def scaled_chances(self, root: int) -> list[int]:
        """Return, for each node up to `root`, the chance that `root` leads to it, times `scale`.

        Raises ValueError if it leads to a choice between several children.
        """
        chances = [0] * (root + 1)
        chances[root] = self.scale
        for node in range(root, -1, -1):
            if not (chance := chances[node]):
                continue
            children = self.children[node]
            if weights := self.weights[node]:
                each = chance // self.total
                for child, weight in zip(children, weights, strict=True):
                    chances[child] += each * weight
            elif len(children) == 1:
                chances[children[0]] += chance
            elif children:
                raise ValueError(f"the choice at node {node} is open")
        return chances


def _pick_of(more: bool) -> Callable[[Iterable[int]], int]:
    return max if more else min


def _depth(children: Sequence[tuple[int, ...]], weights: Sequence[tuple[int, ...]]) -> int:
    """Return the most throws on any path."""
    depths = [0] * len(children)
    for node, its_children in enumerate(children):
        if its_children:
            depths[node] = max(depths[child] for child in its_children) + bool(weights[node])
    return max(depths, default=0)


class Builder:
    """A builder of a graph, from its ends upward.

    >>> builder = Builder()
    >>> shut, stuck = builder.end(0, True), builder.end(2, False)
    >>> root = builder.throw([(shut, 1), (stuck, 2), (stuck, 3)])
    >>> graph = builder.graph()
    >>> values = graph.node_values({shut: 1, stuck: 0}, more=True)
    >>> values[root], graph.scale
    (1, 6)
    """

    def __init__(self, taken: Callable[[Any], Sequence[Taken]] = tuple) -> None:
        self._children: list[tuple[int, ...]] = []
        self._weights: list[tuple[int, ...]] = []
        self._ends: dict[Ending, int] = {}
        self._labels: dict[int, Any] = {}
        self._taken = taken  # see `Graph`; without labels never called, so the default is any

    def _add(self, children: tuple[int, ...], weights: tuple[int, ...]) -> int:
        self._children.append(children)
        self._weights.append(weights)
        return len(self._children) - 1

    def end(self, score: int, shut: bool) -> int:
        """Return the node of an end, added if it is new; equal ends share one."""
        if (score, shut) not in self._ends:
            self._ends[score, shut] = self._add((), ())
        return self._ends[score, shut]

    def choice(self, children: tuple[int, ...], label: object = None, *, keep: bool = False) -> int:
        """Add a choice between nodes in canonical order, with a label, and return its node.

        A single child that is not an end is returned instead, unless `keep`: for callers that find
        positions by their nodes. Before an end a choice always gets a node, so an end directly
        after a throw is one that the throw itself caused.
        """
        if len(children) == 1 and self._children[children[0]] and not keep:
            return children[0]
        node = self._add(children, ())
        if label is not None:
            self._labels[node] = label
        return node

    def throw(self, outcomes: Iterable[tuple[int, int]]) -> int:
        """Add a throw, given as (child, weight) for each outcome, and return its node."""
        by_child: dict[int, int] = {}
        for child, weight in outcomes:
            by_child[child] = by_child.get(child, 0) + weight
        return self._add(tuple(by_child), tuple(by_child.values()))

    def graph(self) -> Graph:
        """Return the graph, with the weights of all throws scaled to the same sum."""
        sums = [sum(weights) for weights in self._weights]  # 0 for a choice or an end
        total = lcm(*filter(None, sums))
        scaled = [
            weights if own in (0, total) else tuple(weight * (total // own) for weight in weights)
            for weights, own in zip(self._weights, sums, strict=True)
        ]
        return Graph(
            children=self._children,
            weights=scaled,
            ends={node: ending for ending, node in self._ends.items()},
            labels=self._labels,
            taken=self._taken,
            total=total,
            depth=_depth(self._children, scaled),
        )
