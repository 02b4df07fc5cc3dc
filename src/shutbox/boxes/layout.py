"""The layout of a box for the compiled kernel: its positions as numbers, its score in points.

Bit 0 of a number is the highest of the tiles that can go down. So hardly any cover uses the low
bits, and neighbouring numbers are similar positions.
"""

import json
import math
from array import array
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, combinations, product
from operator import or_
from typing import TYPE_CHECKING, Any
from zlib import crc32

from shutbox.game import Over
from shutbox.games.box.atoms import FEWER, Looks
from shutbox.games.box.rules import PackedRules
from shutbox.games.box.tile_sets import places
from shutbox.games.traits import Cost
from shutbox.solver.objectives import Aim

if TYPE_CHECKING:
    from shutbox.solver import kernel

VERSION = 1  # raised whenever the kernel can give other values for the same rules
PER_COVER, PER_THROW, PER_POSITION = 0.75e-9, 1e-9, 15e-9
"""Seconds on one core, measured with 20 to 30 tiles: for each legal cover at a position, for each
throw there that has other covers than the rest, and for the position itself."""
PER_BYTE = 6e-9  # seconds to allocate a byte and to write it to a book with checksums
ROW_BITS, PART_BITS = 5, 10  # as in the kernel: the low bits within a row and within a part
OWN_MEMORY = 200 << 20  # bytes that the libraries take
MOST_COLUMNS = 4
"""The most columns (a tile and the one behind it) whose tiles up total at most SMALL_SUM: two with
1 and 2 in front, and two with 1 and 2 behind."""
MOST_REACHED = 1 << 26
"""The most positions for which a second table, of how often each is reached, is made by default. A
larger box only has room for the table of values."""
MOST_POINTS = 1 << 18  # of all tiles together: a table has a payoff for each sum


class Layout:
    """The layout of a box for the kernel: tiles in the order of the bits, the score in points."""

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

        Some tile must be movable, and the score a fixed amount plus or minus the points of the
        tiles up. The kernel supports only one end that shuts the box, with no tile up. If a first
        throw has special rules, its position can only be the one that the box is solved from.
        """
        packed, start, score = self.packed, self.rules.start, self.rules.score
        starts_above = self.first_differs and start != packed.up and not start & ~packed.up
        # Check with one tile more at a time: `points` were found with each tile alone.
        ups = accumulate((1 << place for place in self.places), or_, initial=packed.fixed)
        totals = accumulate(self.points, initial=0)
        return (
            bool(self.places)
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

    def comes_up(self, up: int) -> bool:
        """Whether the tiles up are possible: none of them hides a tile that is down."""
        front = self.rules.front
        return all(up >> place + front & 1 for place in self.hiding if up >> place & 1)

    def score(self, total: int) -> int:
        """Return the score of a turn that is stuck with this sum of points."""
        return self.base + self.sign * total

    def identity(self, payoffs: "SignedPayoffs") -> str:
        """Return the identity of the book of the values: a text of all that they depend on."""
        rules = self.rules
        start = rules.start if rules.start & ~self.packed.up == 0 else None
        stuck = payoffs.stuck
        # Tells payoffs of the same aim apart.
        mark = f"{crc32(stuck):08x} {payoffs.shut!r} {stuck[0]!r} {stuck[-1]!r}"
        falls = [[(fall.weight, fall.covers) for fall in f] for f in self.packed.falls.values()]
        parts = [
            ("solver", VERSION),
            ("worths", [payoffs.aim, payoffs.sign, mark]),
            ("places", self.places),
            ("fixed", self.packed.fixed),
            ("points", [self.base, self.sign, self.points]),
            ("first", [start, rules.variant.first, rules.variant.stop_first]),
            ("may", FEWER[rules.variant.fewer].more_dice),
            ("needed", [self._lowest(), sorted(self._small().items())]),
            ("falls", falls),
        ]
        return json.dumps(parts, separators=(",", ":"))

    def _lowest(self) -> list[int]:
        """Return the fewest dice for each bit that can be the lowest one set: the highest tile up.

        The last number is for no bit set. Rules of small sums need all dice here (see `_small`).
        """
        fixed, rules = self.packed.fixed, self.rules
        most = len(rules.dice)
        if FEWER[rules.variant.fewer].looks is Looks.SMALL:
            return [most] * (len(self.places) + 1)
        alone = [rules.dice_open(fixed | 1 << place).start for place in self.places]
        return [*alone, rules.dice_open(fixed).start if fixed else most]

    def _small(self) -> dict[int, int]:
        """Return the fewest dice for each position at which a rule of small sums allows fewer.

        The keys are the numbers of the positions; empty under other rules.
        """
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

    def packed_for(self, module: Any) -> "kernel.Packed":
        """Return the box as arrays for the kernel; `module` is `shutbox.solver.kernel`."""
        falls = [fall for falls in self.packed.falls.values() for fall in falls]
        totals = {n: sum(f.weight for f in falls) for n, falls in self.packed.falls.items()}
        packed: kernel.Packed = module.packed(
            cover=[self.number(tiles) for fall in falls for tiles, _ in fall.covers],
            need=[self.number(need) for fall in falls for _, need in fall.covers],
            first=[0, *accumulate(len(fall.covers) for fall in falls)],
            weight=[f.weight / totals[n] for n, fs in self.packed.falls.items() for f in fs],
            outcome_first=[0, 0, *accumulate(len(fs) for fs in self.packed.falls.values())],
            lowest=self._lowest(),
            few=self._small(),
            more_dice=FEWER[self.rules.variant.fewer].more_dice,
            front=[self._bit[place] for place in self.hiding],
            back=[self._bit[place + self.rules.front] for place in self.hiding],
            points=self.points,
        )
        return packed

    def payoffs(self, aim: Aim, sign: int) -> "SignedPayoffs":
        """Return the payoffs of the ends for an aim, times `sign` so that more is better."""
        ends = (Over((self.score(total),)) for total in range(sum(self.points) + 1))
        stuck = array("d", (float(sign * aim.payoff(over)) for over in ends))
        shut = float(sign * aim.payoff(Over((self.rules.score(0),), shut=True)))
        # The box cannot be shut if a tile never goes down.
        return SignedPayoffs(aim.name, sign, stuck, math.nan if self.packed.fixed else shut)


layout_of = lru_cache(maxsize=4)(Layout)  # used for the cost first, and then to solve


@dataclass(frozen=True, slots=True)
class SignedPayoffs:
    """The payoffs of the ends of a turn, signed for the kernel, which maximises them."""

    aim: str
    sign: int  # the payoffs are those of the aim times this, -1 if it minimises them
    stuck: "array[float]"  # by the sum of the points
    shut: float  # NaN if the box cannot be shut


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
