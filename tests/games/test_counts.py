"""The number of positions and lines of play of a game by depth, like perft in chess.

A wrong rule anywhere in the tree changes a count. The counts are data, in `data/counts.toml`, and
were once computed from the rulebook alone.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import shutbox
from nightly import one_in
from shutbox import Choose, Throw

GAMES: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "data" / "counts.toml").read_text(encoding="utf-8")
)["game"]

LARGE = {"cargo", "cargo(hold=each)", "cargo(rolls=2,hold=each)"}
"""Games that alone take half of the time of all."""
EACH = [
    *one_in(3, [entry for entry in GAMES if entry["name"] not in LARGE]),
    *(pytest.param(e, marks=pytest.mark.nightly("cases")) for e in GAMES if e["name"] in LARGE),
]
State = Any
"""A position: anything hashable."""


def counted(
    start: State, following: Callable[[State], Iterable[State]], depth: int
) -> tuple[list[int], list[int]]:
    """Positions and lines by depth, to a depth or until nothing follows."""
    ways = Counter({start: 1})
    positions: list[int] = []
    lines: list[int] = []
    while ways and len(positions) < depth:
        positions.append(len(ways))
        lines.append(ways.total())
        after: Counter[State] = Counter()
        for state, number in ways.items():
            for follower in following(state):
                after[follower] += number
        ways = after
    return positions, lines


@pytest.mark.parametrize("entry", EACH, ids=lambda entry: entry["name"])
def test_the_engine_counts_what_is_written_down(entry: dict[str, Any]) -> None:
    game = shutbox.find(entry["name"])

    def following(position: Any) -> Iterator[Any]:
        awaited = game.awaits(position)
        if isinstance(awaited, Throw):
            yield from (game.rolled(position, roll) for roll, _ in awaited.dice.outcomes())
        elif isinstance(awaited, Choose):
            yield from (game.chosen(position, choice) for choice in awaited.choices)

    depth = len(entry["positions"]) + bool(entry.get("whole"))
    positions, lines = counted(game.start(), following, depth)
    assert positions == entry["positions"]
    assert lines == entry["lines"]
    assert game.longest is not None
    assert not entry.get("whole") or len(positions) <= game.longest + 1
