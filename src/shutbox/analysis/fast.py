"""Large boxes: solved in floats by the compiled kernel, and kept in a book.

The kernel is in the extra `fast`; without it nothing here is used. A position is a number in it:
bit 0 is the highest of the tiles that can go down, so hardly any cover uses the low bits, and
neighbouring positions are alike.
"""

import json
import math
import os
from collections.abc import Callable
from functools import cached_property
from itertools import accumulate, combinations, product
from typing import TYPE_CHECKING, Any

from shutbox.analysis.boxes import Packed
from shutbox.box import Box
from shutbox.box.atoms import FEWER, Looks
from shutbox.box.position import Position
from shutbox.box.sets import places
from shutbox.game import Over
from shutbox.solve import book
from shutbox.solve.aims import SHUT, WORST_SHUT, Aim
from shutbox.solve.graph import Progress, unheard
from shutbox.solve.solution import Chances, Number, Solution, apart

if TYPE_CHECKING:
    from shutbox.solve import kernel

Table = Any
"""Values by the number of the position: an array of NumPy, or a book."""

VERSION = 1
"""Counted up whenever the kernel may find other values for the same rules."""
PER_COVER = 1.4e-10
"""Seconds for one cover at one position."""
OWN_MEMORY = 200 << 20
"""Bytes of the libraries."""
MOST_COLUMNS = 4
"""Tiles that total at most SMALL_SUM stand in at most so many places of a row: 1, 2 and 1, 2."""
MOST_POINTS = 1 << 18
"""The most points of all tiles together: a table has a worth for each sum."""
SLACK = 1e-12
"""Values that differ by less, absolutely or relatively, are ties."""


def installed() -> bool:
    """Whether the kernel can be had."""
    return _compiled() is not None


def _compiled() -> tuple[Any, Any] | None:
    """The kernel, and what makes its arrays; None where they are not installed."""
    # What is compiled is kept for all programs of this user.
    folder = book.book_folder()
    if folder is not None:
        os.environ.setdefault("NUMBA_CACHE_DIR", str(folder / "compiled"))
    try:
        from shutbox.solve import arrays, kernel
    except ImportError:
        return None
    return kernel, arrays


class Laid:
    """A box laid out for the kernel: its tiles in the order of the bits, its score in points."""

    def __init__(self, box: Box, up: int) -> None:
        self.packed = Packed(box, up)
        rules = self.rules = box.rules
        free = places(self.packed.movable)
        self.places = sorted(free, key=lambda place: (-rules.tiles[place].number, place))
        """The place of the tile of each bit."""
        self._bit = {place: 1 << bit for bit, place in enumerate(self.places)}
        fixed = self.packed.fixed
        self.base = rules.score(fixed)
        steps = [rules.score(fixed | 1 << place) - self.base for place in self.places]
        self.sign = -1 if any(step < 0 for step in steps) else 1
        self.points = [self.sign * step for step in steps]
        """What each tile up adds to the sum."""

    @property
    def adds_up(self) -> bool:
        """Whether a score is the sum of what its tiles count, as the kernel needs it."""
        score, fixed = self.rules.score, self.packed.fixed
        return (
            min(self.points, default=0) >= 0
            and sum(self.points) <= MOST_POINTS
            and all(
                score(fixed | 1 << a | 1 << b) + self.base
                == score(fixed | 1 << a) + score(fixed | 1 << b)
                for a, b in combinations(self.places, 2)
            )
        )

    @property
    def starts_above(self) -> bool:
        """Whether a turn can begin below the first position, with rules for its first throw."""
        start, variant = self.rules.start, self.rules.variant
        special = bool(variant.first or variant.stop_first)
        return special and start != self.packed.up and not start & ~self.packed.up

    def number(self, up: int) -> int:
        """The number of the position with these tiles up."""
        return sum(self._bit[place] for place in places(up & self.packed.movable))

    def up(self, number: int) -> int:
        """The tiles up at the position of a number."""
        free = (1 << place for bit, place in enumerate(self.places) if number >> bit & 1)
        return self.packed.fixed | sum(free)

    def is_special(self, up: int) -> bool:
        """Whether the first throw of a turn is due there, and has rules of its own."""
        variant = self.rules.variant
        return bool(variant.first or variant.stop_first) and self.rules.is_first(up)

    def points_of(self, up: int) -> int:
        """The sum of the points of the tiles up."""
        number = self.number(up)
        return sum(points for bit, points in enumerate(self.points) if number >> bit & 1)

    def score(self, total: int) -> int:
        """The score of a sum of points."""
        return self.base + self.sign * total

    def identity(self, aim: Aim) -> str:
        """What the values depend on, all of it."""
        rules = self.rules
        start = rules.start if rules.start & ~self.packed.up == 0 else None
        parts = [
            ("solver", VERSION),
            ("aim", aim.name),
            ("places", self.places),
            ("fixed", self.packed.fixed),
            ("points", [self.base, self.sign, self.points]),
            ("first", [start, rules.variant.first, rules.variant.stop_first]),
            ("may", FEWER[rules.variant.fewer].may),
            ("needed", [self._lowest(), sorted(self._small().items())]),
            (
                "falls",
                [[(fall.weight, fall.covers) for fall in f] for f in self.packed.falls.values()],
            ),
        ]
        return json.dumps(parts, separators=(",", ":"))

    def _lowest(self) -> list[int]:
        """The fewest dice by the lowest bit that is set, so by the highest tile that is up."""
        fixed, rules = self.packed.fixed, self.rules
        everything = len(rules.dice)
        if FEWER[rules.variant.fewer].looks is Looks.SMALL:
            return [everything] * (len(self.places) + 1)
        alone = [rules.dice_open(fixed | 1 << place).start for place in self.places]
        return [*alone, rules.dice_open(fixed).start if fixed else everything]

    def _small(self) -> dict[int, int]:
        """The positions at which fewer dice are needed since only few tiles are up."""
        rules, fixed = self.rules, self.packed.fixed
        if FEWER[rules.variant.fewer].looks is not Looks.SMALL:
            return {}
        columns: dict[int, list[int]] = {}
        for place in self.places:
            columns.setdefault(place % rules.front, []).append(place)
        stands = {
            column: [sum(1 << p for p in some) for n in (1, 2) for some in combinations(tiles, n)]
            for column, tiles in columns.items()
        }
        found = {}
        for number in range(MOST_COLUMNS + 1):
            for chosen in combinations(stands, number):
                for sets in product(*(stands[column] for column in chosen)):
                    up = fixed | sum(sets)
                    if up and (needed := rules.dice_open(up).start) < len(rules.dice):
                        found[self.number(up)] = needed
        return found

    def packed_for(self, arrays: Any) -> "kernel.Packed":
        """The box as the kernel wants it."""
        falls = [fall for falls in self.packed.falls.values() for fall in falls]
        totals = {n: sum(f.weight for f in falls) for n, falls in self.packed.falls.items()}
        packed: kernel.Packed = arrays.packed(
            cover=[self.number(tiles) for fall in falls for tiles, _ in fall.covers],
            need=[self.number(need) for fall in falls for _, need in fall.covers],
            first=[0, *accumulate(len(fall.covers) for fall in falls)],
            weight=[f.weight / totals[n] for n, fs in self.packed.falls.items() for f in fs],
            outcome_first=[0, 0, *accumulate(len(fs) for fs in self.packed.falls.values())],
            lowest=self._lowest(),
            few=self._small(),
            may=FEWER[self.rules.variant.fewer].may,
            points=self.points,
        )
        return packed

    def worth(self, aim: Aim, sign: int, arrays: Any) -> "kernel.Worth":
        """What the ends are worth; the kernel goes for more."""
        totals = range(sum(self.points) + 1)
        stuck = [float(sign * aim.worth(Over((self.score(total),)))) for total in totals]
        shut = float(sign * aim.worth(Over((self.rules.score(0),), shut=True)))
        if self.packed.fixed:  # then nobody shuts it
            shut = math.nan
        worth: kernel.Worth = arrays.worth(stuck, shut)
        return worth


def cost_of(box: Box, position: Any) -> tuple[int, float, int] | None:
    """Positions, seconds and bytes for a box in floats; None for one the kernel cannot solve."""
    laid = Laid(box, position.up)
    if not laid.places or not laid.adds_up or laid.starts_above:
        return None
    positions = 1 << len(laid.places)
    packed = laid.packed
    covers = sum(
        1 + len(fall.covers) for number in packed.numbers_open for fall in packed.falls[number]
    )
    return positions, 0.5 + positions * covers * PER_COVER, OWN_MEMORY + positions * 17


class FastSolution(Solution[Any, Any]):
    """The solution of a large box in floats; the values come from a book if there is one."""

    def __init__(self, box: Box, position: Any, aim: Aim, progress: Progress = unheard) -> None:
        super().__init__(box, aim)
        compiled = _compiled()
        assert compiled is not None  # whoever asks for this has seen that it is installed
        self._kernel, self._arrays = compiled
        self._laid = Laid(box, position.up)
        self._sign = 1 if self.more else -1
        self._progress = progress
        self._values: Table = self._kept("value", self._solve)
        self._shut: Table | None = None

    # The tables, each from its book or made and kept in one.

    def _kept(self, what: str, make: "Callable[[], Any]") -> "Table":
        identity = f"{what} {self._laid.identity(self.aim)}"
        name = f"{self.game.name.partition('(')[0]}-{self.aim.name}"
        found = book.read(identity, name=name)
        if found is not None:
            return found
        made = make()
        book.write(identity, {}, made, name=name)
        return made

    @cached_property
    def _packed(self) -> "kernel.Packed":
        return self._laid.packed_for(self._arrays)

    @cached_property
    def _worth(self) -> "kernel.Worth":
        return self._laid.worth(self.aim, self._sign, self._arrays)

    def _solve(self) -> Any:
        return self._kernel.values(self._packed, self._worth, self._progress)

    def _follow(self) -> Any:
        shut = self._laid.worth(SHUT, 1, self._arrays)
        table = self._whole()
        return self._kernel.follow(self._packed, self._worth, table, shut, self._progress)

    def _whole(self) -> Any:
        """The values as an array."""
        if isinstance(self._values, book.Book):
            try:
                return self._arrays.table(self._values.values())
            except book.Damaged:
                self._values = self._solve()
        return self._values

    def _value(self, number: int) -> float:
        """The value in the direction of the kernel, which goes for more."""
        try:
            return float(self._values[number])
        except book.Damaged:
            self._values = self._kept("value", self._solve)
            return float(self._values[number])

    # What a solver knows.

    def place(self, position: Position) -> int | None:
        """The number of a position, but where the first throw of a turn has rules of its own."""
        laid, up = self._laid, position.up
        if position.roll is not None or position.dice is not None:
            return None
        if not self.holds(position) or laid.is_special(up):
            return None
        return laid.number(up)

    def holds(self, position: Position) -> bool:
        """Whether it has no tile up that the first position has not."""
        packed = self._laid.packed
        return not position.up & ~packed.up and not packed.fixed & ~position.up

    def value_at(self, place: int) -> float:
        """The value."""
        return self._sign * self._value(place)

    def shut_at(self, place: int) -> float:
        """The chance to shut the box."""
        if self.aim.name in (SHUT.name, WORST_SHUT.name):
            return self.value_at(place)
        if self._shut is None:
            self._shut = self._kept("shut", self._follow)
        try:
            return float(self._shut[place])
        except book.Damaged:
            self._shut = self._kept("shut", self._follow)
            return float(self._shut[place])

    def chances_at(self, place: int) -> tuple[Chances, Number]:
        """The chances, found by following the best choices from there."""
        ends = self._kernel.reach(self._packed, self._worth, self._whole(), place, self._progress)
        chances: Chances = {
            (self._laid.score(total), False): chance
            for total, chance in enumerate(ends.stuck.tolist())
            if chance
        }
        if ends.shut:
            chances[self._laid.rules.score(0), True] = ends.shut
        return chances, ends.throws

    def ends_at(self, place: int) -> float:
        """The chance, by asking every roll."""
        up = self._laid.up(place)
        if not up:
            return 0.0
        number = max(self._laid.rules.dice_open(up), key=lambda n: (self._mean(up, n), -n))
        falls = list(self._laid.packed.falls_at(up, number))
        stuck = sum(weight for weight, covers in falls if not covers)
        return stuck / sum(weight for weight, _ in falls)

    def _mean(self, up: int, number: int) -> float:
        """The value of throwing so many dice, rounded so that ties are ties."""
        laid, value, total = self._laid, 0.0, 0
        for weight, covers in laid.packed.falls_at(up, number):
            after = [self._value(laid.number(up ^ tiles)) for tiles in covers]
            here = max(after) if after else self._worth.stuck[laid.points_of(up)]
            value += weight * float(here)
            total += weight
        return float(f"{value / total:.12g}")

    def as_good(self, value: Number, best: Number) -> bool:
        """Within the slack of the kernel."""
        return apart(value, best) <= SLACK * max(1.0, abs(float(best)))
