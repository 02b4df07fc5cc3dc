"""The solver for large boxes: in floats by the compiled kernel; its results are kept in files."""

import json
import math
from array import array
from collections.abc import Callable
from functools import cached_property, lru_cache
from itertools import accumulate
from operator import or_
from typing import TYPE_CHECKING, Any
from zlib import crc32

from shutbox.engine.game import Over
from shutbox.games.box import BOXES, Box
from shutbox.games.box.packed_rules import PackedRules
from shutbox.games.box.rule_tables import FEWER
from shutbox.games.box.rules import BoxPosition
from shutbox.games.box.tile_sets import places
from shutbox.games.traits import Cost
from shutbox.solving import compiled
from shutbox.solving.cache import read_or_make
from shutbox.solving.objectives import SHUT, WORST_SHUT, Aim
from shutbox.solving.options import Number, apart
from shutbox.solving.progress import Progress, no_progress
from shutbox.solving.solution import Solution, TurnEnds

if TYPE_CHECKING:
    from shutbox.solving import kernel

VERSION = 2  # raised whenever the kernel can give other values for the same rules
PER_COVER, PER_THROW, PER_POSITION = 0.75e-9, 1e-9, 15e-9
"""Seconds on one core, measured with 20 to 30 tiles: for each legal cover at a position, for each
throw there that has other covers than the rest, and for the position itself."""
PER_BYTE = 6e-9  # seconds to allocate a byte and to write it to a file with a checksum
ROW_BITS, PART_BITS = 5, 10  # as in the kernel: the low bits within a row and within a part
OWN_MEMORY = 200 << 20  # bytes that the libraries take
MOST_REACHED = 1 << 26
"""The most positions for which a second table, of how often each is reached, is made by default. A
larger box only has room for the table of values."""
MOST_POINTS = 1 << 18  # of all tiles together: a table has a payoff for each sum


class Layout:
    """The layout of a box for the kernel: positions as numbers, and the score in points.

    A number has a bit for each tile that can go down, set if the tile is up. Bit 0 is the highest
    tile, which few covers take, so neighbouring numbers are similar positions.
    """

    def __init__(self, packed: PackedRules) -> None:
        self.packed = packed
        rules = self.rules = packed.rules
        free = places(packed.movable)
        self.places = sorted(free, key=lambda place: (-rules.tiles[place].number, place))
        """The place of each bit's tile."""
        self._bit = {place: 1 << bit for bit, place in enumerate(self.places)}
        both = packed.movable & packed.movable >> rules.front if rules.variant.behind else 0
        self.hiding = places(both & rules.front_row)
        """The places of tiles with one behind them, if both can go down."""
        fixed = packed.fixed
        self.base = rules.score(fixed)
        steps = [rules.score(fixed | 1 << place) - self.base for place in self.places]
        self.sign = -1 if any(step < 0 for step in steps) else 1
        self.points = [self.sign * step for step in steps]  # of each tile that is up
        self.first_differs = bool(rules.variant.first or rules.variant.stop_first)
        """Whether the first throw of a turn has special rules."""

    @property
    def can_be_solved(self) -> bool:
        """Whether the kernel can solve the box.

        A row of tiles must be movable, and the score a fixed amount plus or minus the points of the
        tiles up, at most MOST_POINTS in all. The box must be shut only by covering every tile. If
        the first throw has special rules, the start must be the position that the box is solved
        from, or one that cannot come up later.
        """
        packed, start, score = self.packed, self.rules.start, self.rules.score
        starts_above = self.first_differs and start != packed.up and not start & ~packed.up
        # Check with one tile more at a time: `points` were found with each tile alone.
        ups = accumulate((1 << place for place in self.places), or_, initial=packed.fixed)
        totals = accumulate(self.points, initial=0)
        return (
            len(self.places) >= ROW_BITS
            and not starts_above
            and not self.rules.variant.shut_at
            and min(self.points) >= 0
            and sum(self.points) <= MOST_POINTS
            and all(score(up) == self.score(total) for up, total in zip(ups, totals, strict=True))
        )

    def number(self, up: int) -> int:
        """Return the number of the position with these tiles up, given as bits by place."""
        return sum([bit for place, bit in self._bit.items() if up >> place & 1])

    def up(self, number: int) -> int:
        """Return the tiles up, as bits by place, at the position of a number."""
        free = (1 << place for bit, place in enumerate(self.places) if number >> bit & 1)
        return self.packed.fixed | sum(free)

    def is_possible(self, up: int) -> bool:
        """Whether the tiles up are possible: none of them hides a tile that is down."""
        front = self.rules.front
        return all(up >> place + front & 1 for place in self.hiding if up >> place & 1)

    def score(self, total: int) -> int:
        """Return the score of a turn that is stuck with this sum of points."""
        return self.base + self.sign * total

    def identity(self, aim: Aim, sign: int, payoffs: "SignedPayoffs") -> str:
        """Return a text of all that the values depend on, for `read_or_make`."""
        stuck, shut = payoffs
        # Tells payoffs of the same aim apart.
        mark = f"{crc32(stuck):08x} {shut!r} {stuck[0]!r} {stuck[-1]!r}"
        rules = BOXES.options(self.rules.variant), self.packed.up
        return json.dumps(["solver", VERSION, *rules, aim.name, sign, mark])

    def _fewest_by_highest_tile(self) -> list[int]:
        """Return the fewest dice allowed, by the lowest bit set in a number: the highest tile up.

        The last item is for no bit set. If the rule goes by the sum, all dice are thrown here, and
        `_fewest_at_small_sums` has the positions with fewer.
        """
        fixed, rules = self.packed.fixed, self.rules
        most = len(rules.dice)
        if FEWER[rules.variant.fewer].only_small_sums:
            return [most] * (len(self.places) + 1)
        alone = [rules.dice_open(fixed | 1 << place).start for place in self.places]
        return [*alone, rules.dice_open(fixed).start if fixed else most]

    def _fewest_at_small_sums(self) -> dict[int, int]:
        """Return the fewest dice that can be thrown, by the number of a position.

        Only for positions whose tiles add up to so little that the rules allow fewer than all dice;
        empty unless the rule goes by the sum.
        """
        rules, fixed = self.rules, self.packed.fixed
        if not FEWER[rules.variant.fewer].only_small_sums:
            return {}
        # Tiles in front first: then one more tile never makes the sum of those seen smaller.
        order = sorted(self.places, key=lambda place: place >= rules.front)
        fewest, waiting = dict[int, int](), [(fixed, 0)]
        while waiting:
            up, first = waiting.pop()
            if up and (needed := rules.dice_open(up).start) == len(rules.dice):
                continue
            if up:
                fewest[self.number(up)] = needed
            waiting += [(up | 1 << order[at], at + 1) for at in range(first, len(order))]
        return fewest

    def to_arrays(self, module: Any) -> "kernel.Packed":
        """Return the box as arrays for the kernel; `module` is `shutbox.solving.kernel`."""
        falls = [fall for falls in self.packed.falls.values() for fall in falls]
        totals = {n: sum(f.weight for f in falls) for n, falls in self.packed.falls.items()}
        few, np = dict(sorted(self._fewest_at_small_sums().items())), module.np
        integers = {
            "cover": [self.number(tiles) for fall in falls for tiles, _ in fall.covers],
            "need": [self.number(need) for fall in falls for _, need in fall.covers],
            "first": [0, *accumulate(len(fall.covers) for fall in falls)],
            "outcome_first": [0, 0, *accumulate(len(fs) for fs in self.packed.falls.values())],
            "lowest": self._fewest_by_highest_tile(),
            "few": [*few],
            "few_needed": [*few.values()],
            "front": [self._bit[place] for place in self.hiding],
            "back": [self._bit[place + self.rules.front] for place in self.hiding],
            "points": self.points,
        }
        weight = [f.weight / totals[n] for n, fs in self.packed.falls.items() for f in fs]
        packed: kernel.Packed = module.Packed(
            weight=np.array(weight, np.float64),
            more_dice=FEWER[self.rules.variant.fewer].more_dice,
            **{name: np.array(numbers, np.int64) for name, numbers in integers.items()},
        )
        return packed

    def payoffs(self, aim: Aim, sign: int) -> "SignedPayoffs":
        """Return an aim's payoffs for a stuck turn, by the points up, and for a shut box.

        All are times `sign`, so that more is better; the last is NaN if the box cannot be shut.
        """
        ends = (Over((self.score(total),)) for total in range(sum(self.points) + 1))
        stuck = array("d", (float(sign * aim.payoff(over)) for over in ends))
        shut = float(sign * aim.payoff(Over((self.rules.score(0),), shut=True)))
        # The box cannot be shut if a tile never goes down.
        return stuck, math.nan if self.packed.fixed else shut


layout_of = lru_cache(maxsize=4)(Layout)  # used for the cost first, and then to solve
SignedPayoffs = tuple["array[float]", float]
"""The payoffs of being stuck, by the sum of the points, and of the box shut, NaN if it cannot be.
They are those of the aim, times -1 if it minimises them: the kernel maximises."""


def cost_in_floats(packed: PackedRules) -> Cost | None:
    """Return the cost of solving a box in floats, or None if the kernel cannot solve it."""
    layout = layout_of(packed)
    if not layout.can_be_solved:
        return None
    positions = 1 << len(layout.places)
    falls = [fall for number in packed.numbers_open for fall in packed.falls[number]]
    needs = (layout.number(need) >> ROW_BITS for fall in falls for _, need in fall.covers)
    legal = sum(2.0 ** -need.bit_count() for need in needs)
    each = legal * PER_COVER + len(falls) * PER_THROW + PER_POSITION
    # Only three of the four states of a tile and the one behind it come up. The kernel skips the
    # fourth if neither tile is among the low bits of a part.
    rows = ([layout.number(1 << p) for p in (f, f + layout.rules.front)] for f in layout.hiding)
    each *= 0.75 ** sum(min(pair) >> PART_BITS > 0 for pair in rows)
    each += 8 * PER_BYTE
    tables = 2 if positions <= MOST_REACHED else 1
    return Cost(positions, 0.5 + positions * each, OWN_MEMORY + positions * 8 * tables)


SLACK = 1e-12  # values that differ by no more, absolutely or relatively, are ties; as in the kernel


class FastSolution(Solution[Any, Any]):
    """The solution of a large box in floats; its tables are read from files, or made and kept."""

    def __init__(
        self,
        game: Box,
        packed: PackedRules,
        aim: Aim,
        progress: Progress = no_progress,
        start: BoxPosition | None = None,
    ) -> None:
        super().__init__(game, aim, packed.up, start)
        self._chosen = game.chosen_unchecked  # checks are slow in a large box
        self._layout = layout_of(packed)
        self._sign = 1 if self.more else -1
        self._payoffs = self._layout.payoffs(aim, self._sign)
        self._progress = progress
        # Values by the number of the position, as a buffer of float64.
        self._tables: dict[str, Any] = {}
        self._table("value")

    def __getstate__(self) -> dict[str, Any]:
        # Memory that a file is mapped to cannot be pickled, but an array can.
        return self.__dict__ | {"_tables": {"value": self._whole()}, "_progress": no_progress}

    def _table(self, kind: str) -> Any:
        """Return the table "value" or "shut"."""
        if kind not in self._tables:
            _, values = self._cached(kind, lambda: (None, self._solve(kind)))
            self._tables[kind] = values.cast("d")
        return self._tables[kind]

    def _cached(self, kind: str, make: Callable[[], Any]) -> Any:
        """Return the result "value", "shut" or, for a position's number, "chances-7"."""
        name = f"{self.game.name.partition('(')[0]}-{self.aim.name}"
        return read_or_make(name, f"{kind} {self._cache_key}", make)

    @cached_property
    def _cache_key(self) -> str:
        return self._layout.identity(self.aim, self._sign, self._payoffs)

    def _solve(self, kind: str) -> Any:
        if kind == "value":
            return self._run_kernel("values", self._progress)
        shut = _kernel_payoffs(self._layout.payoffs(SHUT, 1))
        return self._run_kernel("evaluate_policy", self._whole(), shut, self._progress)

    def _run_kernel(self, function: str, *arguments: Any) -> Any:
        """Call a function of the kernel for the box and the aim, and return its result."""
        return getattr(compiled.kernel(), function)(*self._box_and_payoffs, *arguments)

    @cached_property
    def _box_and_payoffs(self) -> "tuple[kernel.Packed, kernel.Payoffs]":
        return self._layout.to_arrays(compiled.kernel()), _kernel_payoffs(self._payoffs)

    def _read(self, kind: str, number: int) -> float:
        return float(self._table(kind)[number])

    def _whole(self) -> Any:
        """Return the whole table of values as a NumPy array."""
        return compiled.kernel().np.frombuffer(self._table("value"))

    @property
    def tells_chances(self) -> bool:
        """Whether there is room, by MOST_REACHED, for the second table that `chances` needs."""
        return 1 << len(self._layout.places) <= MOST_REACHED

    # The interface of `Solution`.

    @property
    def size(self) -> int:
        """The number of sets of movable tiles."""
        return 1 << len(self._layout.places)

    def _counted(self) -> str:
        return f"{self.size:,} boxes"

    def place(self, position: BoxPosition) -> int | None:
        """Return the number of the tiles up, or None if the table has no value for the position.

        It has none once dice are chosen or thrown, before a special first throw, or if not `holds`.
        """
        layout, up = self._layout, position.up
        lies = position.roll is not None or position.dice is not None
        first = layout.first_differs and layout.rules.is_first(up)
        return None if lies or first or not self._holds(position) else layout.number(up)

    def _holds(self, position: BoxPosition) -> bool:
        """Whether the tiles up are possible from `start` on; dice and rolls are ignored."""
        packed, up = self._layout.packed, position.up
        inside = not up & ~packed.up and not packed.fixed & ~up
        return inside and self._layout.is_possible(up)

    def value_at(self, place: int) -> float:
        """Return the value at a place (see `place`), in the unit of the aim."""
        return self._sign * self._read("value", place)

    def shut_at(self, place: int) -> float:
        """Return the chance to shut the box, playing for the aim; may solve a second table."""
        if self.aim.name in (SHUT.name, WORST_SHUT.name):
            return self.value_at(place)
        return self._read("shut", place)

    def turn_ends_at(self, place: int) -> TurnEnds:
        """Return the chance of each end and the expected throws, which a file caches."""
        data, _ = self._cached(f"chances-{place}", lambda: (self._reach_ends(place), b""))
        return TurnEnds({(score, shut): p for score, shut, p in data["chances"]}, data["throws"])

    def _reach_ends(self, place: int) -> dict[str, Any]:
        ends = self._run_kernel("reach", self._whole(), place, self._progress)
        stuck = enumerate(ends.stuck.tolist())
        chances = [[self._layout.score(total), False, chance] for total, chance in stuck if chance]
        if ends.shut:
            chances.append([self._layout.rules.score(0), True, ends.shut])
        return {"chances": chances, "throws": ends.throws}

    def ending_chance(self, place: int) -> float:
        """Return the chance to be stuck on the next throw from a place, with the best dice."""
        up = self._layout.up(place)
        if not up:
            return 0.0
        number = max(self._layout.rules.dice_open(up), key=lambda n: (self._mean(up, n), -n))
        falls = list(self._layout.packed.falls_at(up, number))
        stuck = sum(weight for weight, covers in falls if not covers)
        return stuck / sum(weight for weight, _ in falls)

    def _mean(self, up: int, number: int) -> float:
        """Return the mean value of `number` dice thrown, to 12 digits for ties; more is better."""
        layout, (stuck, _), value, total = self._layout, self._payoffs, 0.0, 0
        points = layout.sign * (layout.rules.score(up) - layout.base)
        for weight, covers in layout.packed.falls_at(up, number):
            after = [self._read("value", layout.number(up ^ tiles)) for tiles in covers]
            best = max(after) if after else stuck[points]
            value += weight * float(best)
            total += weight
        return float(f"{value / total:.12g}")

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether the values tie: they differ by at most SLACK, absolutely or relatively."""
        return apart(value, best) <= SLACK * max(1.0, abs(float(best)))


def _kernel_payoffs(payoffs: SignedPayoffs) -> "kernel.Payoffs":
    module = compiled.kernel()
    result: kernel.Payoffs = module.Payoffs(module.np.array(payoffs[0]), payoffs[1])
    return result
