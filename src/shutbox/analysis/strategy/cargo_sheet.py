"""A strategy for Cargo that fits on one sheet of paper: what to accept with so many rolls left."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any

from shutbox.dice import Roll
from shutbox.english import number_word
from shutbox.game import Choose
from shutbox.games.cargo import Cargo
from shutbox.games.cargo.position import Accept, CargoPosition, Choice, ThrowAgain, banked
from shutbox.games.cargo.rules import CREW, SIDES, Hold
from shutbox.messages import gettext, ngettext
from shutbox.solver.solution import GraphSolution


@dataclass(frozen=True, slots=True)
class Row:
    """What to do with so many rolls left."""

    accept_from: int | None
    """Scores from this on are accepted; None: by the dice alone."""
    keep_from: int
    """Of every other cargo the dice that show less are thrown again; where there are none, it is
    accepted, too."""

    def thrown(self, cargo: tuple[int, ...]) -> tuple[int, ...]:
        """The dice of a cargo that are thrown again, ascending; none: it is accepted.

        >>> Row(accept_from=14, keep_from=5).thrown((2, 5, 6))
        (2,)
        """
        if self.accept_from is not None and sum(cargo) >= self.accept_from:
            return ()
        return tuple(face for face in cargo if face < self.keep_from)


@dataclass(frozen=True, slots=True)
class CargoSheet:
    """The strategy of one sheet."""

    cargo: Cargo
    rows: tuple[Row, ...]
    """With one roll left, with two, and so on."""

    def pick(self, position: CargoPosition, choices: tuple[Choice, ...]) -> Choice:
        """The choice by the sheet."""
        assert position.roll is not None  # a choice is only asked for where dice lie
        return self._choice(position.left, banked(position.aboard, position.roll)[1])

    def _choice(self, left: int, cargo: tuple[int, ...]) -> Choice:
        thrown = self.rows[left - 1].thrown(cargo)
        if not thrown:
            return Accept()
        return ThrowAgain(thrown if self.cargo.rules.hold is Hold.EACH else ())

    def places(self, solution: GraphSolution[Any, Any]) -> dict[int, int]:
        """The place of its choice at every node of the game's graph where one is due."""
        found = {}
        for left in range(1, len(self.rows) + 1):
            for cargo in _cargoes(self.cargo):
                node = solution.place(_lies(left, cargo))
                if node is not None:
                    choices = _choices(self.cargo, left, cargo)
                    found[node] = choices.index(self._choice(left, cargo))
        return found

    @property
    def lines(self) -> tuple[str, ...]:
        """The strategy in sentences."""
        if not self.rows:
            return (gettext("There is nothing to choose."),)
        return tuple(
            self._says(
                row, {"rolls": _rolls(left), "score": row.accept_from, "face": row.keep_from}
            )
            for left, row in reversed(list(enumerate(self.rows, start=1)))
        )

    def _says(self, row: Row, facts: dict[str, object]) -> str:
        if row.keep_from == 1 or row.accept_from == self.cargo.rules.cargo:
            return gettext("With {rolls} left accept.", **facts)
        if row.keep_from > SIDES and row.accept_from is None:
            return gettext("With {rolls} left throw again.", **facts)
        if row.keep_from > SIDES:
            return gettext(
                "With {rolls} left accept {score} or more; if it is less throw again.", **facts
            )
        if row.accept_from is None:
            return gettext(
                "With {rolls} left throw every die again that shows less than {face}, and accept "
                "if there is none.",
                **facts,
            )
        return gettext(
            "With {rolls} left accept {score} or more; if it is less throw every die again that "
            "shows less than {face}, and accept if there is none.",
            **facts,
        )


def _rolls(left: int) -> str:
    return ngettext("{count} roll", "{count} rolls", left, count=number_word(left))


def fitted(cargo: Cargo, solution: GraphSolution[Any, Any]) -> CargoSheet:
    """The sheet whose rows lose least, each for itself and with best play after it.

    >>> from shutbox.analysis.solvers.select import turns_of
    >>> from shutbox.games.catalogue import find
    >>> from shutbox.solver import MEAN
    >>> cargo = find("ship-captain-crew")
    >>> fitted(cargo, GraphSolution(cargo, MEAN, turns_of(cargo, cargo.start()))).lines
    ('With two rolls left accept 8 or more; if it is less throw again.', \
'With one roll left accept 7 or more; if it is less throw again.')
    """
    graph, values = solution.graph, solution.values
    root = solution.place(cargo.start())
    assert root is not None  # the graph begins there
    often = solution.followed.reached(root)

    def row(left: int) -> Row:
        losses = [(0, 0) for _ in rows]
        for pips in _cargoes(cargo):
            node = solution.place(_lies(left, pips))
            if node is None:
                continue
            choices = _choices(cargo, left, pips)
            costs = [abs(values[node] - values[child]) for child in graph.children[node]]
            # Best play may never come here; then all that can fall counts.
            weights = often[node], _ways(pips)
            for index, rule in enumerate(rows):
                cost = costs[choices.index(CargoSheet(cargo, (rule,) * left)._choice(left, pips))]
                a, b = losses[index]
                losses[index] = a + weights[0] * cost, b + weights[1] * cost
        return rows[losses.index(min(losses))]

    rows = _rows(cargo)
    return CargoSheet(cargo, tuple(row(left) for left in range(1, cargo.rules.rolls)))


def plain(cargo: Cargo) -> CargoSheet:
    """A sheet that nothing is solved for: whatever lies there is accepted."""
    accept = Row(accept_from=None, keep_from=1)
    return CargoSheet(cargo, (accept,) * (cargo.rules.rolls - 1))


def _rows(cargo: Cargo) -> list[Row]:
    """Every row there can be, the plainest first."""
    scores = range(cargo.rules.cargo, SIDES * cargo.rules.cargo + 1)
    if cargo.rules.hold is Hold.TOGETHER:
        return [Row(score, SIDES + 1) for score in (*scores, scores[-1] + 1)]
    return [Row(score, keep) for keep in range(1, SIDES + 2) for score in (None, *reversed(scores))]


def _cargoes(cargo: Cargo) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(1, SIDES + 1), cargo.rules.cargo))


def _ways(pips: tuple[int, ...]) -> int:
    """How many ways these dice fall, if they are told apart."""
    return factorial(len(pips)) // prod(factorial(pips.count(face)) for face in set(pips))


def _lies(left: int, pips: tuple[int, ...]) -> CargoPosition:
    return CargoPosition(len(CREW), left, Roll(pips))


def _choices(cargo: Cargo, left: int, pips: tuple[int, ...]) -> list[Choice]:
    awaited = cargo.awaits(_lies(left, pips))
    assert isinstance(awaited, Choose)  # the crew is complete, and a roll is left
    return list(awaited.choices)
