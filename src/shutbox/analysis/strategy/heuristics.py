"""Fixed strategies: how they rank choices, and how they turn a graph into one without choices.

Computer players and strategies on a graph use the same rankings, so that both choose alike.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache

from shutbox.messages import gettext_noop
from shutbox.solver.graph import Graph

Rank = Callable[[tuple[int, ...]], list[int]]
"""The rank of a choice by the tiles it takes (0 for a piece without a number); highest is best."""


def most_tiles(taken: tuple[int, ...]) -> list[int]:
    """Return the rank of a choice by the number of pieces it takes: more rank higher."""
    return [len(taken)]


def fewest_tiles(taken: tuple[int, ...]) -> list[int]:
    """Return the rank of a choice by the number of pieces it takes: fewer rank higher."""
    return [-len(taken)]


def highest_tile(taken: tuple[int, ...]) -> list[int]:
    """Return the rank of a choice by the highest tile it takes, then the next highest."""
    return sorted(taken, reverse=True)


@dataclass(frozen=True, slots=True)
class Strategy:
    """A fixed strategy: what it does in words, and the function that makes its choices."""

    says: str  # what it does at a choice, a clause to follow its name
    played: Callable[[Graph], Graph]  # makes every choice of a graph


def by_rank(rank: Rank) -> Callable[[Graph], Graph]:
    """Return a function that makes every choice of a graph: the first with the highest rank.

    Of numbers of dice, it takes the first, which is the fewest dice.
    """

    def played(graph: Graph) -> Graph:
        @cache
        def place(label: Hashable) -> int:
            ranks = list(map(rank, graph.taken(label)))
            return ranks.index(max(ranks))

        places = {node: place(label) for node, label in graph.labels.items()}
        return graph.with_choices(dict.fromkeys(graph.choices(), 0) | places)

    return played


def safest(graph: Graph) -> Graph:
    """Return the graph with choices after which the next throw is least likely to lose the turn."""
    lost = {node for node, (_, shut) in graph.ends.items() if not shut}
    risks: list[int] = []  # out of `total`; -1 if nothing can be lost any more
    for node, (children, weights) in enumerate(zip(graph.children, graph.weights, strict=True)):
        if weights:
            falls = zip(children, weights, strict=True)
            risks.append(sum(weight for child, weight in falls if child in lost))
        elif children:
            risks.append(min(risks[child] for child in children))
        else:
            risks.append(graph.total if node in lost else -1)
    places = {}
    for node in graph.choices():
        here = [risks[child] for child in graph.children[node]]
        places[node] = here.index(min(here))
    return graph.with_choices(places)


STRATEGIES: dict[str, Strategy] = {
    "fewest": Strategy(
        gettext_noop("covers the fewest tiles, and of these the highest: Butler's rule of thumb"),
        by_rank(fewest_tiles),
    ),
    "most": Strategy(gettext_noop("covers the most tiles"), by_rank(most_tiles)),
    "highest": Strategy(
        gettext_noop("covers the highest tile, then the next highest"), by_rank(highest_tile)
    ),
    "first": Strategy(gettext_noop("takes the first choice that is listed"), by_rank(lambda _: [])),
    "careful": Strategy(gettext_noop("goes by the chance to be stuck on the next throw"), safest),
    "random": Strategy(gettext_noop("takes each choice as often as the others"), Graph.at_random),
}
"""The strategies that work in every game, by name; computer players have the same names."""
