"""A strategy for Cargo on one sheet of paper: what to accept, by the number of rolls left."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul
from typing import Any, NamedTuple

from shutbox.dice import Roll
from shutbox.english import number_word
from shutbox.game import Choose
from shutbox.games.cargo import Cargo
from shutbox.games.cargo.rules import (
    CREW,
    SIDES,
    Accept,
    CargoPosition,
    Choice,
    Hold,
    ThrowAgain,
    banked,
)
from shutbox.messages import gettext, ngettext
from shutbox.solver.solution import GraphSolution


class Row(NamedTuple):
    """The line of a sheet for one number of rolls left: what to accept, and what to throw again."""

    accept_from: int | None  # accept this score or a higher one; None: only `keep_from` decides
    keep_from: int
    """If the score is not accepted, the dice that show less are thrown again; if there are none,
    the cargo is accepted too."""

    def thrown(self, cargo: tuple[int, ...]) -> tuple[int, ...]:
        """Return the faces of a cargo's dice to throw again, in order; empty if it is accepted."""
        if self.accept_from is not None and sum(cargo) >= self.accept_from:
            return ()
        return tuple(face for face in cargo if face < self.keep_from)


@dataclass(frozen=True, slots=True)
class CargoSheet:
    """A strategy for Cargo that fits on one sheet of paper: a row for each number of rolls left."""

    cargo: Cargo
    rows: tuple[Row, ...]  # with one roll left, with two, and so on

    def pick(self, position: CargoPosition, choices: tuple[Choice, ...]) -> Choice:
        """Return the choice that the sheet prescribes where a roll lies; `choices` are ignored."""
        assert position.roll is not None  # a choice is only due while dice lie
        row = self.rows[position.left - 1]
        return _choice(self.cargo, row, banked(position.aboard, position.roll)[1])

    def places(self, solution: GraphSolution[Any, Any]) -> dict[int, int]:
        """Return, by node of the solution's graph, the index of the sheet's choice there."""
        return {
            node: _choices(self.cargo, left, pips).index(_choice(self.cargo, row, pips))
            for left, row in enumerate(self.rows, start=1)
            for pips, node in _nodes(self.cargo, solution, left).items()
        }

    @property
    def lines(self) -> tuple[str, ...]:
        """The strategy in sentences."""
        if not self.rows:
            return (gettext("There is nothing to choose."),)
        rows = reversed([*enumerate(self.rows, start=1)])
        return tuple(self._says(left, row) for left, row in rows)

    def _says(self, left: int, row: Row) -> str:
        number = number_word(left)
        facts = {"number": number, "score": row.accept_from, "face": row.keep_from}
        if row.keep_from == 1 or row.accept_from == self.cargo.rules.cargo:
            return ngettext(
                "With one throw left, accept.", "With {number} throws left, accept.", left, **facts
            )
        if row.keep_from > SIDES and row.accept_from is None:
            return ngettext(
                "With one throw left, throw again.",
                "With {number} throws left, throw again.",
                left,
                **facts,
            )
        if row.keep_from > SIDES:
            return ngettext(
                "With one throw left, accept {score} or more; if it is less, throw again.",
                "With {number} throws left, accept {score} or more; if it is less, throw again.",
                left,
                **facts,
            )
        if row.accept_from is None:
            return ngettext(
                "With one throw left, throw every die again that shows less than {face}, and "
                "accept if there is none.",
                "With {number} throws left, throw every die again that shows less than {face}, and "
                "accept if there is none.",
                left,
                **facts,
            )
        return ngettext(
            "With one throw left, accept {score} or more. If it is less, throw every die again "
            "that shows less than {face}, and accept if there is none.",
            "With {number} throws left, accept {score} or more. If it is less, throw every die "
            "again that shows less than {face}, and accept if there is none.",
            left,
            **facts,
        )


def fitted(cargo: Cargo, solution: GraphSolution[Any, Any]) -> CargoSheet:
    """Return the sheet for the solution's aim: each row loses least, given best play elsewhere."""
    values = solution.values
    root = solution.place(cargo.start())
    assert root is not None  # the graph begins there
    often = solution.policy_graph.reached(root)

    def row(left: int) -> Row:
        nodes = _nodes(cargo, solution, left)
        costs = {}
        for pips, node in nodes.items():
            lost = (abs(values[node] - values[child]) for child in solution.graph.children[node])
            costs[pips] = dict(zip(_choices(cargo, left, pips), lost, strict=True))
        # Best play may never come here. Then the rolls are weighted by the odds of the dice.
        weights = [often[node] for node in nodes.values()], [_orders(pips) for pips in nodes]

        def losses(rule: Row) -> list[int]:
            lost = [here[_choice(cargo, rule, pips)] for pips, here in costs.items()]
            return [sum(map(mul, lost, each)) for each in weights]

        return min(_rows(cargo), key=losses)

    return CargoSheet(cargo, tuple(row(left) for left in range(1, cargo.rules.rolls)))


def plain(cargo: Cargo) -> CargoSheet:
    """Return a sheet that needs no solution: every cargo is accepted."""
    return CargoSheet(cargo, (Row(accept_from=None, keep_from=1),) * (cargo.rules.rolls - 1))


def _rows(cargo: Cargo) -> list[Row]:
    """Return every `Row` that a sheet for these rules can have, the simplest first."""
    scores = range(cargo.rules.cargo, SIDES * cargo.rules.cargo + 1)
    if cargo.rules.hold is Hold.TOGETHER:
        return [Row(score, SIDES + 1) for score in (*scores, scores[-1] + 1)]
    return [Row(score, keep) for keep in range(1, SIDES + 2) for score in (None, *reversed(scores))]


def _nodes(cargo: Cargo, solved: GraphSolution[Any, Any], left: int) -> dict[tuple[int, ...], int]:
    """Return the node of each possible cargo, by its faces, with `left` rolls left."""
    cargoes = combinations_with_replacement(range(1, SIDES + 1), cargo.rules.cargo)
    nodes = ((pips, solved.place(_lies(left, pips))) for pips in cargoes)
    return {pips: node for pips, node in nodes if node is not None}


def _orders(pips: tuple[int, ...]) -> int:
    """Return in how many ways distinct dice can show these pips, in any order."""
    return factorial(len(pips)) // prod(factorial(pips.count(face)) for face in set(pips))


def _lies(left: int, pips: tuple[int, ...]) -> CargoPosition:
    return CargoPosition(len(CREW), left, Roll(pips))


def _choices(cargo: Cargo, left: int, pips: tuple[int, ...]) -> list[Choice]:
    awaited = cargo.awaits(_lies(left, pips))
    assert isinstance(awaited, Choose)  # the crew is complete, and a roll is left
    return list(awaited.choices)


def _choice(cargo: Cargo, row: Row, pips: tuple[int, ...]) -> Choice:
    thrown = row.thrown(pips)
    if not thrown:
        return Accept()
    return ThrowAgain(thrown if cargo.rules.hold is Hold.EACH else ())
