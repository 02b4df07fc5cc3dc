"""The number of positions and lines of play of a game by depth, like perft in chess.

A wrong rule anywhere in the tree changes a count. The counts are data, in `data/counts.toml`. For
seven games they are also computed here from the rulebook alone, with plain sets of tile numbers and
without the engine.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import combinations, product
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


# The same once more, from the rulebook. A state of a box: tiles up, dice taken up, roll.

Tiles = frozenset[int]
Rolled = tuple[int, ...]


def rolls(number: int) -> set[Rolled]:
    return {tuple(sorted(pips)) for pips in product(range(1, 7), repeat=number)}


def adding_up(up: Tiles, roll: Rolled) -> Iterator[Tiles]:
    for size in range(1, len(up) + 1):
        yield from (frozenset(some) for some in combinations(up, size) if sum(some) == sum(roll))


def one_tile(up: Tiles, roll: Rolled) -> Iterator[Tiles]:
    yield from (frozenset({tile}) for tile in up if tile in roll or tile == sum(roll))


def both_or_total(up: Tiles, roll: Rolled) -> Iterator[Tiles]:
    if sum(roll) in up:
        yield frozenset({sum(roll)})
    if len(set(roll)) == 2 and up.issuperset(roll):
        yield frozenset(roll)


def always_two(up: Tiles) -> list[int]:
    return [2]


def always_one(up: Tiles) -> list[int]:
    return [1]


def one_if_none_above_six(up: Tiles) -> list[int]:
    return [1, 2] if max(up) <= 6 else [2]


def one_at_six_in_all(up: Tiles) -> list[int]:
    return [1] if sum(up) <= 6 else [2]


BOXES: dict[str, tuple[Iterable[int], Callable[[Tiles], list[int]], Any]] = {
    "six": (range(1, 7), always_one, adding_up),
    "two-dice": (range(1, 10), always_two, adding_up),
    "continental": (range(1, 10), one_at_six_in_all, adding_up),
    "against-all-odds": (range(1, 10, 2), one_if_none_above_six, adding_up),
    "thai-style": (range(1, 10), always_two, one_tile),
    "markers": (range(1, 10), one_if_none_above_six, both_or_total),
}


def written(name: str) -> dict[str, Any]:
    return next(entry for entry in GAMES if entry["name"] == name)


@pytest.mark.parametrize("name", BOXES)
def test_a_box_counted_from_the_rulebook(name: str) -> None:
    tiles, dice_open, covers = BOXES[name]

    def following(state: State) -> Iterator[State]:
        up, dice, roll = state
        if roll is not None:
            yield from ((up - cover, None, None) for cover in covers(up, roll))
        elif up and dice is None and len(dice_open(up)) > 1:
            yield from ((up, number, None) for number in dice_open(up))
        elif up:
            yield from ((up, None, fallen) for fallen in rolls(dice or dice_open(up)[0]))

    entry = written(name)
    positions, lines = counted((frozenset(tiles), None, None), following, 100)
    assert entry["whole"]
    assert (positions, lines) == (entry["positions"], entry["lines"])


def test_ship_captain_crew_counted_from_the_rulebook() -> None:
    """A state: what was banked before, the faces that lie there, the rolls left."""

    def bank(banked: str, faces: Rolled) -> tuple[str, Rolled]:
        lying = list(faces)
        for wanted in "654"[len(banked) :]:
            if int(wanted) not in lying:
                break
            lying.remove(int(wanted))
            banked += wanted
        return banked, tuple(lying)

    def following(state: State) -> Iterator[State]:
        banked, faces, left = state
        after, lying = bank(banked, faces) if faces else (banked, ())
        if not left:
            return
        if faces and after == "654":
            yield after, lying, 0
            yield after, (), left
        else:
            yield from ((after, roll, left - 1) for roll in rolls(5 - len(after)))

    entry = written("ship-captain-crew")
    positions, lines = counted(("", (), 3), following, 100)
    assert entry["whole"]
    assert (positions, lines) == (entry["positions"], entry["lines"])
