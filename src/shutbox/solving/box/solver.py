"""The solvers for boxes: by their graph, in floats, or in exact fractions from a file of the cache.

A row of the file of a solved box has the value of a position, the chance to shut the box, and the
chance that the next throw ends the turn. They are whole numbers and not rounded, so they equal
those of the graph. The chances of the ends are only there for the position solved from; for any
other one the box is solved again. Processes share the file, mapped into memory to be read.
"""

import json
from array import array
from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from heapq import heappop, heappush
from typing import Any

from shutbox.games.box import Box
from shutbox.games.box.rules import BoxPosition, PackedRules
from shutbox.solving.cache import cached, is_cached
from shutbox.solving.graph import Builder, Progress, no_progress
from shutbox.solving.objectives import Aim
from shutbox.solving.options import Number
from shutbox.solving.solution import Chances, GraphSolution, Solution

Moves = dict[int, list[tuple[int, tuple[int, ...]]]]
"""For each number of dice that can be thrown: (weight, tiles of each legal cover)."""


class BoxGraph:
    """The graph of all turns of a box, for solving it; it begins with the tiles `packed.up`."""

    def __init__(self, packed: PackedRules, progress: Progress = no_progress) -> None:
        self._packed = packed
        self.root = packed.up  # the tiles up where the graph begins
        self._at: dict[int, int] = {}
        self._throws: dict[tuple[int, int], int] = {}
        self._builder = Builder(taken=self._taken)
        moves = self._moves(progress)
        # A subset is a smaller number, so successors are added first.
        for here in sorted(moves):
            self._add(here, moves.pop(here))
        self.graph = self._builder.graph()

    @property
    def places(self) -> dict[tuple[int, int], int]:
        """The node by (tiles up, dice to be thrown); the dice are 0 before a number is chosen."""
        return {**{(up, 0): node for up, node in self._at.items()}, **self._throws}

    @property
    def boxes(self) -> int:
        """An upper bound on how many sets of tiles can be up, see `PackedRules.positions`."""
        return self._packed.positions

    def find(self, position: BoxPosition) -> int | None:
        """Return the node of a position; None if it has a roll or the root does not lead to it."""
        if position.roll:
            return None
        if position.dice is None:
            return self._at.get(position.up)
        return self._throws.get((position.up, position.dice))

    def holds(self, position: BoxPosition) -> bool:
        """Whether the tiles up can be reached from the root; the dice are not checked."""
        return position.up in self._at

    def _moves(self, progress: Progress) -> dict[int, Moves]:
        """Return the moves by the tiles up, for all that can be reached; a shut box has none."""
        packed = self._packed
        moves: dict[int, Moves] = {}
        seen, waiting = {packed.up}, [-packed.up]
        while waiting:
            up = -heappop(waiting)
            numbers = () if packed.rules.is_shut(up) else packed.rules.dice_open(up)
            here = moves[up] = {number: list(packed.falls_at(up, number)) for number in numbers}
            covers = {tiles for falls in here.values() for _, cs in falls for tiles in cs}
            for after in {up ^ tiles for tiles in covers} - seen:
                seen.add(after)
                heappush(waiting, -after)
            if len(moves) % 1024 == 0:
                progress(len(moves), 2 * packed.positions)
        return moves

    def _taken(self, covers: tuple[int, ...]) -> list[tuple[int, ...]]:
        numbers = self._packed.rules.numbers
        return [tuple(numbers(tiles)) for tiles in covers]

    def _add(self, up: int, moves: Moves) -> None:
        builder, at = self._builder, self._at
        if self._packed.rules.is_shut(up):
            at[up] = builder.end(self._packed.rules.score(up), True)
            return
        stuck = None
        for number, falls in moves.items():
            children = []
            for weight, covers in falls:
                if covers:
                    child = builder.choice(tuple([at[up ^ tiles] for tiles in covers]), covers)
                else:
                    if stuck is None:
                        stuck = builder.end(self._packed.rules.score(up), False)
                    child = stuck
                children.append((child, weight))
            self._throws[up, number] = builder.throw(children)
        at[up] = builder.choice(tuple(self._throws[up, number] for number in moves))


VERSION = 4  # raised whenever files of the same key can have other content
_DICE = 32  # above any number of dice: a position is stored as its tiles times this plus its dice
_WORD = 8  # bytes; every number takes as many words as the largest one needs
_VALUE, _SHUT, _ENDS = range(3)  # the columns of a row


def turns(game: Box, position: BoxPosition, progress: Progress = no_progress) -> BoxGraph:
    """Return the graph of all turns from the tiles up at a position; its dice are ignored."""
    return BoxGraph(game.packed(position), progress)


def stored(
    game: Box, position: BoxPosition, aim: Aim, progress: Progress = no_progress
) -> Solution[Any, Any]:
    """Return the exact solution from a position, from its file, or solved and kept."""

    def make() -> tuple[dict[str, Any], "array[float]"]:
        graph = turns(game, position, progress)
        return _content(GraphSolution(game, aim, graph, position), graph)

    head, words = cached(*_name_and_key(game, position, aim), make)
    return StoredSolution(game, position, aim, head, words)


def has_stored(game: Box, position: BoxPosition, aim: Aim) -> bool:
    """Whether the file that `stored` would read exists; it is not opened."""
    return is_cached(*_name_and_key(game, position, aim))


class StoredSolution(Solution[Any, Any]):
    """The exact solution of a box as numbers in rows, which `stored` keeps in a file.

    `head` has the number of rows, the 8-byte words of a number, the divisor of each column, and the
    chances of the ends of turns from `start`. `words` are the positions in order, then their rows.
    """

    def __init__(
        self,
        game: Box,
        start: BoxPosition,
        aim: Aim,
        head: dict[str, Any],
        words: "memoryview | bytes",
    ) -> None:
        super().__init__(game, aim, start.up, start)
        self._chosen = game.unchecked  # checks are slow in a large box
        self._box = game
        self._head = head
        self._words = memoryview(words).cast("B")
        self._rows_at = _WORD * head["rows"]
        self._positions = self._words[: self._rows_at].cast("Q")
        self._size = _WORD * head["words"]

    def __reduce__(self) -> tuple[object, ...]:
        return StoredSolution, (self.game, self.start, self.aim, self._head, bytes(self._words))

    @property
    def size(self) -> int:
        """The number of rows: one for each set of tiles up, and another for each number of dice."""
        return int(self._head["rows"])

    def _counted(self) -> str:
        return f"{self._box.packed(self.start).positions:,} boxes"

    def place(self, position: BoxPosition) -> int | None:
        """Return the row of a position, or None if it has a roll or is not in the file."""
        return None if position.roll else self._row(position.up, position.dice or 0)

    def _holds(self, position: BoxPosition) -> bool:
        """Whether the tiles up can be reached from `start`; the dice are not checked."""
        return self._row(position.up, 0) is not None

    def value_at(self, place: int) -> Fraction:
        """Return the exact value in the row `place`, in the unit of the aim."""
        return self._number(place, _VALUE)

    def shut_at(self, place: int) -> Fraction:
        """Return the exact chance to shut the box, from the row `place`."""
        return self._number(place, _SHUT)

    def ends_at(self, place: int) -> Fraction:
        """Return the exact chance that the next throw ends the turn, from the row `place`."""
        return self._number(place, _ENDS)

    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """Return the exact chances of ends and the expected throws; re-solve unless at `start`."""
        if self._positions[place] != self._head["from"]:
            up, dice = divmod(self._positions[place], _DICE)
            return self._solved.chances(BoxPosition(up, dice or None))
        scale = self._head["divisors"][_SHUT]
        chances: Chances = {
            (score, shut): Fraction(often, scale) for score, shut, often in self._head["chances"]
        }
        return chances, Fraction(self._head["throws"], scale)

    @cached_property
    def _solved(self) -> Solution[Any, Any]:
        return GraphSolution(self.game, self.aim, turns(self._box, self.start), self.start)

    def _row(self, up: int, dice: int) -> int | None:
        wanted = up * _DICE + dice
        row = bisect_left(self._positions, wanted)
        return row if row < len(self._positions) and self._positions[row] == wanted else None

    def _number(self, row: int, column: int) -> Fraction:
        first = self._rows_at + (3 * row + column) * self._size
        number = int.from_bytes(self._words[first : first + self._size], "little", signed=True)
        return Fraction(number, self._head["divisors"][column])


def _name_and_key(game: Box, position: BoxPosition, aim: Aim) -> tuple[str, str]:
    asked = game.name, game.card().options, game.position_id(position), aim.name
    return f"solution-{game.name.partition('(')[0]}", json.dumps(["solution", VERSION, *asked])


def _content(
    solved: GraphSolution[Any, Any], turns: BoxGraph
) -> tuple[dict[str, Any], "array[float]"]:
    """Return the head and the numbers, as 8-byte words, of a `StoredSolution`."""
    graph = solved.graph
    places = sorted((up * _DICE + dice, node) for (up, dice), node in turns.places.items())
    numbers = [
        number
        for _, node in places
        for number in (solved.values[node], solved.shuts[node], solved.ending(node))
    ]
    size = _WORD * (max(number.bit_length() for number in numbers) // (8 * _WORD) + 1)
    words = array("d")
    words.frombytes(b"".join(place.to_bytes(_WORD, "little") for place, _ in places))
    words.frombytes(b"".join(number.to_bytes(size, "little", signed=True) for number in numbers))
    here = solved.played(solved.start)
    chances, throws = solved.chances(here)
    return {
        "rows": len(places),
        "words": size // _WORD,
        "divisors": [solved.divisor, graph.scale, graph.total],
        "from": here.up * _DICE + (here.dice or 0),
        "chances": [[*end, int(chance * graph.scale)] for end, chance in chances.items()],
        "throws": int(throws * graph.scale),
    }, words
