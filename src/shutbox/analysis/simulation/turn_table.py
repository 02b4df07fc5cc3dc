"""A strategy as a table: where each equally likely outcome of each throw leads, choices made.

The table is for `shutbox.solver.simulation`, which says how it is read. What plays it here is the
same in plain Python, for few turns, and where the extra `fast` is not installed.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from math import gcd

from shutbox.analysis.strategy.following import Followed
from shutbox.errors import TooLarge
from shutbox.solver import compiled
from shutbox.solver.graph import Ending

MOST_ENTRIES = 1 << 26  # of a table; a larger one is refused
FEW = 20_000  # so many turns are played before the compiled code would have been loaded
WORD = (1 << 64) - 1
GOLDEN, ONE, TWO = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


@dataclass(frozen=True)
class TurnTable:
    """The table of a turn in which every choice is made."""

    entries: "array[int]"
    """int32: the rows, one for each node at which something is drawn."""
    root: int
    """Where the turn begins: the place of a row, or the complement of the number of an end."""
    ends: tuple[Ending, ...]
    """The ends that can come up, by number."""
    most: int
    """No turn draws more often; at least 1."""

    @classmethod
    def of(cls, followed: Followed) -> "TurnTable":
        """The table of a graph without choices. Raises TooLarge beyond MOST_ENTRIES."""
        graph, often = followed.graph, followed.often
        entries = array("i")
        ends: list[Ending] = []
        leads: dict[int, int] = {}  # what an entry says of each node
        draws: dict[int, int] = {}  # how often is drawn from each node on, at most
        reached = (falls for falls, count in zip(graph.weights, often, strict=False) if count)
        size = sum(map(_ways, reached))
        if size > MOST_ENTRIES:
            raise TooLarge(
                "a table of {entries:,} outcomes is too large; {most:,} are held",
                entries=size,
                most=MOST_ENTRIES,
            )
        # Children come before their parents, so what a node leads to is known.
        for node, count in enumerate(often):
            if not count:
                continue
            children, weights = graph.children[node], graph.weights[node]
            drawn = len(children) > 1  # what always falls the same is not drawn
            draws[node] = max((draws[child] for child in children), default=0) + drawn
            if drawn:
                leads[node] = len(entries)
                share = gcd(*weights)
                entries.append(_ways(weights))
                for child, weight in zip(children, weights, strict=True):
                    entries.extend([leads[child]] * (weight // share))
            elif children:
                leads[node] = leads[children[0]]
            else:
                leads[node] = ~len(ends)
                ends.append(graph.ends[node])
        return cls(entries, leads[followed.root], tuple(ends), max(1, draws[followed.root]))

    def counts(self, key: int, first: int, turns: int) -> list[int]:
        """How often turns number `first` and those after it end at each of the ends."""
        arrays = compiled.simulation() if turns > FEW else None
        if arrays is None:
            return self._plainly(key, first, turns)
        table = arrays.np.frombuffer(self.entries, arrays.np.int32)
        call = partial(arrays.counts, table, self.root, len(self.ends), self.most)
        found: list[int] = compiled.called(call, key, first, turns).tolist()
        return found

    def _plainly(self, key: int, first: int, turns: int) -> list[int]:
        entries = self.entries
        found = [0] * len(self.ends)
        for turn in range(first, first + turns):
            here, counter = self.root, key + turn * self.most * GOLDEN
            while here >= 0:
                counter += GOLDEN
                here = entries[here + 1 + outcome(counter & WORD, entries[here])]
            found[~here] += 1
        return found


def outcome(counter: int, ways: int) -> int:
    """The outcome that a draw has, 0 to before `ways`, by the number of the draw.

    >>> [outcome(number * GOLDEN & WORD, 6) for number in range(1, 9)]
    [5, 2, 0, 5, 0, 1, 1, 4]
    """
    draw = mixed(counter)
    share = (draw >> 32) * ways
    if share & 0xFFFFFFFF < ways:
        while share & 0xFFFFFFFF < (1 << 32) % ways:
            draw = mixed((draw + GOLDEN) & WORD)
            share = (draw >> 32) * ways
    return share >> 32


def mixed(word: int) -> int:
    """The output function of SplitMix64.

    >>> hex(mixed(GOLDEN))
    '0xe220a8397b1dcdaf'
    """
    word = (word ^ word >> 30) * ONE & WORD
    word = (word ^ word >> 27) * TWO & WORD
    return word ^ word >> 31


def _ways(weights: Iterable[int]) -> int:
    """How many equally likely outcomes a throw has; 0 for what is none."""
    weights = tuple(weights)
    return sum(weights) // gcd(*weights) if weights else 0
