"""The solver for large boxes: in floats by the compiled kernel, with results stored in books."""

from array import array
from functools import cached_property
from typing import TYPE_CHECKING, Any

from shutbox.boxes.layout import MOST_REACHED, SignedPayoffs, layout_of
from shutbox.games.box import Box
from shutbox.games.box.rules import BoxPosition, Choice, PackedRules
from shutbox.solver import compiled, tablebase
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import SHUT, WORST_SHUT, Aim
from shutbox.solver.options import Number, apart
from shutbox.solver.solution import Chances, Solution

if TYPE_CHECKING:
    from shutbox.solver import kernel

Table = Any  # values by the number of the position: a NumPy array, or a book

SLACK = 1e-12  # values that differ by no more, absolutely or relatively, are ties; as in the kernel


class FastSolution(Solution[Any, Any]):
    """The solution of a large box in floats: read from its book, a file, or solved and written."""

    def __init__(
        self,
        game: Box,
        packed: PackedRules,
        aim: Aim,
        progress: Progress = unheard,
        start: BoxPosition | None = None,
    ) -> None:
        super().__init__(game, aim, packed.up, start)
        self._box = game
        self._layout = layout_of(packed)
        self._sign = 1 if self.more else -1
        self._payoffs = self._layout.payoffs(aim, self._sign)
        self._progress = progress
        self._tables: dict[str, Table] = {}
        self._table("value")

    def __getstate__(self) -> dict[str, Any]:
        # A book is a file on this machine, but its values can be pickled.
        return self.__dict__ | {"_tables": {"value": self._whole()}, "_progress": unheard}

    def _table(self, kind: str) -> Table:
        """Return the table "value" or "shut", read from its book, or solved and written to it."""
        if kind not in self._tables:
            title = self._title(kind)
            table: Table = tablebase.read(**title)
            if table is None:
                table = self._solve(kind)
                tablebase.write(answers={}, values=table, **title)
            self._tables[kind] = table
        return self._tables[kind]

    def _title(self, kind: str) -> tablebase.Title:
        """Return the title of the book "value", "shut" or, for a position's number, "chances-7"."""
        name = f"{self.game.name.partition('(')[0]}-{self.aim.name}"
        return {"identity": f"{kind} {self._rules}", "name": name}

    @cached_property
    def _rules(self) -> str:
        return self._layout.identity(self._payoffs)

    def _solve(self, kind: str) -> Table:
        if kind == "value":
            return self._run_kernel("values", self._progress)
        shut = _kernel_payoffs(self._layout.payoffs(SHUT, 1))
        return self._run_kernel("evaluate_policy", self._whole(), shut, self._progress)

    def _run_kernel(self, function: str, *arguments: Any) -> Any:
        """Call a function of the kernel for the box and the aim, and return its result."""
        return compiled.with_recompile(getattr(_kernel(), function), *self._asked, *arguments)

    @cached_property
    def _asked(self) -> "tuple[kernel.Packed, kernel.Payoffs]":
        return self._layout.packed_for(_kernel()), _kernel_payoffs(self._payoffs)

    def _read(self, kind: str, number: int) -> float:
        try:
            return float(self._table(kind)[number])
        except tablebase.Damaged:
            self._tables.pop(kind, None)  # so that it is solved again
            return float(self._table(kind)[number])

    def _whole(self) -> Any:
        """Return the whole table of values as a NumPy array; solve again if its book is damaged."""
        try:
            values = self._table("value")
            lent = isinstance(values, tablebase.Tablebase)
            return _kernel().np.frombuffer(values.values()) if lent else values
        except tablebase.Damaged:
            self._tables.pop("value", None)
            return self._whole()

    @property
    def tells_chances(self) -> bool:
        """Whether there is room, by MOST_REACHED, for the second table that `chances` needs."""
        return 1 << len(self._layout.places) <= MOST_REACHED

    # The interface of a solver.

    @property
    def size(self) -> int:
        """The number of sets of movable tiles."""
        return 1 << len(self._layout.places)

    def _counted(self) -> str:
        return f"{self.size:,} boxes"

    def place(self, position: BoxPosition) -> int | None:
        """Return the number of the tiles up, or None if the solver has no values of the position.

        It has none if dice are chosen or lie, before a special first throw, and if not `holds`.
        """
        layout, up = self._layout, position.up
        lies = position.roll is not None or position.dice is not None
        first = layout.first_differs and layout.rules.is_first(up)
        return None if lies or first or not self.holds(position) else layout.number(up)

    def holds(self, position: BoxPosition) -> bool:
        """Whether all fixed tiles are up, and none that is up hides one that is down.

        It is not checked whether throws can lead there.
        """
        packed, up = self._layout.packed, position.up
        inside = not up & ~packed.up and not packed.fixed & ~up
        return inside and self._layout.comes_up(up)

    def after(self, position: BoxPosition, choice: Choice) -> BoxPosition:
        """Return the position after a choice, unchecked, since checks are slow in a large box."""
        return self._box.unchecked(position, choice)

    def value_at(self, place: int) -> float:
        """Return the value at a place (see `place`), in the unit of the aim."""
        return self._sign * self._read("value", place)

    def shut_at(self, place: int) -> float:
        """Return the chance to shut the box from a place.

        Unless this is the aim, it is in a second table, which is solved and written if missing.
        """
        if self.aim.name in (SHUT.name, WORST_SHUT.name):
            return self.value_at(place)
        return self._read("shut", place)

    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """Return the chance of each end (score, shut), and how many throws are expected.

        They are read from their own book, or computed and written to it.
        """
        title = self._title(f"chances-{place}")
        book = tablebase.read(**title)
        if book is None:
            answers = self._reach(place)
            tablebase.write(answers=answers, values=array("d"), **title)
        else:
            with book:
                answers = book.answers
        return {(score, shut): p for score, shut, p in answers["chances"]}, answers["throws"]

    def _reach(self, place: int) -> dict[str, Any]:
        ends = self._run_kernel("reach", self._whole(), place, self._progress)
        stuck = enumerate(ends.stuck.tolist())
        chances = [[self._layout.score(total), False, chance] for total, chance in stuck if chance]
        if ends.shut:
            chances.append([self._layout.rules.score(0), True, ends.shut])
        return {"chances": chances, "throws": ends.throws}

    def ends_at(self, place: int) -> float:
        """Return the chance that no tile can be covered after the best next throw from a place."""
        up = self._layout.up(place)
        if not up:
            return 0.0
        number = max(self._layout.rules.dice_open(up), key=lambda n: (self._mean(up, n), -n))
        falls = list(self._layout.packed.falls_at(up, number))
        stuck = sum(weight for weight, covers in falls if not covers)
        return stuck / sum(weight for weight, _ in falls)

    def _mean(self, up: int, number: int) -> float:
        """Return the mean value of a throw of `number` dice; more is better for every aim.

        It is rounded to 12 digits, so that ties are equal.
        """
        layout, value, total = self._layout, 0.0, 0
        points = layout.sign * (layout.rules.score(up) - layout.base)
        for weight, covers in layout.packed.falls_at(up, number):
            after = [self._read("value", layout.number(up ^ tiles)) for tiles in covers]
            here = max(after) if after else self._payoffs.stuck[points]
            value += weight * float(here)
            total += weight
        return float(f"{value / total:.12g}")

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether the values differ by no more than the slack of the kernel."""
        return apart(value, best) <= SLACK * max(1.0, abs(float(best)))


def _kernel() -> Any:
    found = compiled.kernel()
    assert found is not None  # a FastSolution is only made if the kernel is there
    return found


def _kernel_payoffs(payoffs: SignedPayoffs) -> "kernel.Payoffs":
    found: kernel.Payoffs = _kernel().Payoffs(_kernel().np.array(payoffs.stuck), payoffs.shut)
    return found
