"""A box solved in whole fractions once, and read from its book by everybody after that.

What advice asks of a position (its value, the chance to shut the box, and the chance that the next
throw ends the turn) is a row of the book, in whole numbers: nothing is rounded, so the answers are
those of the solver to the last digit. The book is mapped into memory and only read, so processes
share it.

What follows from the best choices (`chances`) is not in it: for that the box is solved again.
Other games than boxes have few positions, and are solved anew.
"""

import json
from array import array
from bisect import bisect_left
from fractions import Fraction
from functools import cached_property
from typing import Any

from shutbox.analysis.report_cache import LONG, VERSION
from shutbox.analysis.solvers.select import BY_GRAPH, cost_of, solve
from shutbox.boxes.graph import BoxGraph
from shutbox.game import Game
from shutbox.games.box.position import BoxPosition
from shutbox.games.traits import traits_of
from shutbox.solver import tablebase
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import AIMS, MEAN, Aim
from shutbox.solver.solution import Chances, GraphSolution, Number, Solution

_DICE = 32  # a number of dice is less, so a position is its tiles times this, and its dice
_WORD = 8  # bytes: a number takes as many words as the largest
_VALUE, _SHUT, _ENDS = range(3)  # what stands in a row


class BookSolution(Solution[Any, Any]):
    """The solution of a box as its book has it.

    `head` says how many rows there are, how many words a number takes, and by what the numbers of
    each column are divided; `words` are the positions in order, and then their rows.
    """

    def __init__(
        self, game: Game[Any, Any], aim: Aim, head: dict[str, Any], words: "memoryview | bytes"
    ) -> None:
        super().__init__(game, aim, game.start().up)
        self._head = head
        self._words = memoryview(words).cast("B")
        self._rows_at = _WORD * head["rows"]
        self._positions = self._words[: self._rows_at].cast("Q")
        self._size = _WORD * head["words"]

    def __reduce__(self) -> tuple[object, ...]:
        return BookSolution, (self.game, self.aim, self._head, bytes(self._words))

    @property
    def size(self) -> int:
        """The number of rows."""
        return int(self._head["rows"])

    def place(self, position: BoxPosition) -> int | None:
        """The row of a position."""
        return None if position.roll else self._row(position.up, position.dice or 0)

    def holds(self, position: BoxPosition) -> bool:
        """Whether its tiles can be what is left up."""
        return self._row(position.up, 0) is not None

    def value_at(self, place: int) -> Fraction:
        """The value, exactly."""
        return self._number(place, _VALUE)

    def shut_at(self, place: int) -> Fraction:
        """The chance, exactly."""
        return self._number(place, _SHUT)

    def ends_at(self, place: int) -> Fraction:
        """The chance, exactly."""
        return self._number(place, _ENDS)

    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """The chances, by solving the box after all."""
        up, dice = divmod(self._positions[place], _DICE)
        return self._solved.chances(BoxPosition(up, dice or None))

    @cached_property
    def _solved(self) -> Solution[Any, Any]:
        return solve(self.game, aim=self.aim)

    def _row(self, up: int, dice: int) -> int | None:
        wanted = up * _DICE + dice
        row = bisect_left(self._positions, wanted)
        return row if row < len(self._positions) and self._positions[row] == wanted else None

    def _number(self, row: int, column: int) -> Fraction:
        first = self._rows_at + (3 * row + column) * self._size
        number = int.from_bytes(self._words[first : first + self._size], "little", signed=True)
        return Fraction(number, self._head["divisors"][column])


def solve_once(
    game: Game[Any, Any], aim: Aim = MEAN, progress: Progress = unheard
) -> Solution[Any, Any]:
    """A game solved for an aim from its start, by its book where there is one.

    Raises TooLarge as `solve` does.
    """
    if not _is_kept_in_books(game, aim):
        return solve(game, aim=aim, progress=progress)
    identity, name = _identity(game, aim)
    if (found := _read(game, aim)) is None:
        turns = BoxGraph(traits_of(game).packed(game.start()), progress)  # type: ignore[misc]
        solved = GraphSolution(game, aim, turns)
        if not tablebase.write(identity, *_content(solved, turns), name=name):
            return solved
        # What it took is let go of: the book is much smaller.
        found = _read(game, aim) or solved
    return found


def is_kept(game: Game[Any, Any], aim: Aim = MEAN) -> bool:
    """Whether there is a book, as far as can be seen without opening it."""
    identity, name = _identity(game, aim)
    return tablebase.exists(identity, name=name)


def _is_kept_in_books(game: Game[Any, Any], aim: Aim) -> bool:
    """Whether solving the game is worth a book, and nothing but its name says its rules."""
    traits = traits_of(game)
    if traits.packed is None or not traits.lasting or AIMS.get(aim.name) != aim:
        return False
    return LONG <= cost_of(game, game.start()).seconds <= BY_GRAPH


def _identity(game: Game[Any, Any], aim: Aim) -> tuple[str, str]:
    """What a book is asked for by: all that it depends on, and a name to recognise it by."""
    asked = ["solution", VERSION, game.name, game.card().options, aim.name]
    return json.dumps(asked, separators=(",", ":")), f"solution-{game.name.partition('(')[0]}"


def _read(game: Game[Any, Any], aim: Aim) -> Solution[Any, Any] | None:
    identity, name = _identity(game, aim)
    book = tablebase.read(identity, name=name)
    if book is None:
        return None
    with book:
        try:
            return BookSolution(game, aim, book.answers, book.values().cast("B"))
        except tablebase.Damaged:
            return None


def _content(
    solved: GraphSolution[Any, Any], turns: BoxGraph
) -> tuple[dict[str, Any], "array[float]"]:
    """The head of a book, and its words."""
    graph = solved.graph
    places = sorted((up * _DICE + dice, node) for (up, dice), node in turns.places.items())
    numbers = [
        number
        for _, node in places
        for number in (
            solved.values[node],
            int(solved.shut_at(node) * graph.scale),
            int(solved.ends_at(node) * graph.ways),
        )
    ]
    size = _WORD * (max(number.bit_length() for number in numbers) // (8 * _WORD) + 1)
    words = array("d")
    words.frombytes(b"".join(place.to_bytes(_WORD, "little") for place, _ in places))
    words.frombytes(b"".join(number.to_bytes(size, "little", signed=True) for number in numbers))
    divisors = [solved.unit * graph.scale, graph.scale, graph.ways]
    return {"rows": len(places), "words": size // _WORD, "divisors": divisors}, words
