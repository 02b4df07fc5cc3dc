"""One turn, solved: what its positions are worth, and what each choice there costs.

Positions come up again and again, in one record and from record to record, so what was asked once
is kept.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from shutbox.game import Choose, Over
from shutbox.solver.graph import Ending
from shutbox.solver.options import Options, Vector, options_of
from shutbox.solver.solution import GraphSolution, Number, Solution


class SolvedTurn:
    """A solution of a turn, whose answers are kept.

    >>> from shutbox.analysis.solvers.select import solve
    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> turn = SolvedTurn(solve(six))
    >>> options = turn.options(six.position_at("1-6/5"))
    >>> [(round(float(value), 3), round(float(cost), 3)) for value, cost in
    ...     zip(options.values, options.costs, strict=True)]
    [(6.698, 0.0), (11.269, 4.57), (11.028, 4.329)]
    """

    def __init__(self, solution: Solution[Any, Any]) -> None:
        self.solution = solution
        self._values: dict[Any, Number] = {}
        self._options: dict[Any, Options] = {}

    def value(self, at: Any) -> Number:
        """The value of a position under best play."""
        if (known := self._values.get(at)) is None:
            known = self._values[at] = self._value(at)
        return known

    def _value(self, at: Any) -> Number:
        if not isinstance(self.solution.game.awaits(at), Choose):
            return self.solution.value(at)
        values = self.options(at).values
        return max(values) if self.solution.more else min(values)

    def options(self, at: Any) -> Options:
        """What the choices of a position are worth."""
        if (known := self._options.get(at)) is None:
            game, solution = self.solution.game, self.solution
            awaited = game.awaits(at)
            assert isinstance(awaited, Choose)  # the caller has seen that a choice is due
            values = [self.value(solution.after(at, choice)) for choice in awaited.choices]
            known = options_of(values, solution)
            self._options[at] = known
        return known


class SharedTurn(SolvedTurn):
    """A turn of a match solved for its own seat, and what it is worth to every seat.

    `after` has what every seat may hope for after each end of the turn.
    """

    def __init__(
        self, solution: GraphSolution[Any, Any], seat: int, after: Mapping[Ending, Vector]
    ) -> None:
        super().__init__(solution)
        self.graph = solution
        self.seat = seat
        self._after = after
        self._seats = range(len(next(iter(after.values()))))
        self._columns: dict[int, tuple[list[int], int]] = {}
        self._vectors: dict[Any, Vector] = {}

    def vector(self, at: Any) -> Vector:
        """Each seat's share at a position."""
        if (known := self._vectors.get(at)) is None:
            known = self._vectors[at] = self._vector(at)
        return known

    def _vector(self, at: Any) -> Vector:
        if len(self._seats) == 2:
            mine = self.value(at)
            return (mine, 1 - mine) if self.seat == 0 else (1 - mine, mine)
        here = self.solution.played(at)
        awaited = self.solution.game.awaits(here)
        if isinstance(awaited, Over):
            return self._after[awaited.scores[0], awaited.shut]
        place = self.solution.place(here)
        assert place is not None  # dice are due, and the graph has all those positions
        return tuple(
            Fraction(values[place], unit) for values, unit in map(self._column, self._seats)
        )

    def _column(self, seat: int) -> tuple[list[int], int]:
        """The values of all places to a seat, and what they are multiplied by."""
        if seat not in self._columns:
            ends = self.graph.graph.ends
            worths = {node: Fraction(self._after[end][seat]) for node, end in ends.items()}
            self._columns[seat] = self.graph.followed.valued(worths, more=True)
        return self._columns[seat]
