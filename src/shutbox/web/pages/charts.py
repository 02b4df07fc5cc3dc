"""Charts as SVG, drawn by the server; figures.css gives their classes colours.

Each is drawn twice, for a wide page and for a phone, and one of the two is shown. Words and numbers
beside a chart say what it shows.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from shutbox.solver.options import Number
from shutbox.web.actions.reviews import Bar, ReviewStep
from shutbox.web.pages.templates import environment

MOST_BARS = 60  # of a distribution; with more scores, several share a bar
_WIDE, _NARROW = "chart wide-only", "chart narrow-only"


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Return up to `most` round numbers between two bounds; only `low` if `high` is no higher.

    >>> ticks(0, 45), ticks(0.2, 0.62)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [0.2, 0.3, 0.4, 0.5, 0.6])
    """
    span = high - low
    if span <= 0:
        return [low]
    size = 10.0**-9
    while True:
        for step in (size, 2 * size, 5 * size):
            first = -(-(low - 1e-9 * span) // step)
            number = int((high + 1e-9 * span) // step - first) + 1
            if number <= most:
                return [round((first + i) * step, 9) for i in range(number)]
        size *= 10


def distribution(scores: Sequence[tuple[int, Number]], shut: int | None) -> Markup:
    """Draw the chance of each score as a bar; the bar with the score `shut` is golden.

    `scores` ascend. If they span more than MOST_BARS, several share a bar.

    >>> "hb gold" in distribution([(0, 0.25), (7, 0.75)], 0)
    True
    """
    if not scores:
        return Markup("")
    return Markup(
        "".join(
            f'<svg class="{kind}" viewBox="0 0 {width} 196" aria-hidden="true">'
            f"{''.join(_bars(scores, shut, width))}</svg>"
            for kind, width in ((_WIDE, 560), (_NARROW, 330))
        )
    )


def _bars(scores: Sequence[tuple[int, Number]], shut: int | None, width: int) -> Iterator[str]:
    low, high = min(0, scores[0][0]), scores[-1][0]
    each = -(-(high - low + 1) // MOST_BARS)
    number = -(-(high - low + 1) // each)
    shares = [0.0] * number
    for score, chance in scores:
        shares[(score - low) // each] += float(chance)
    most, step = max(shares), width / number
    golden = None if shut is None else (shut - low) // each
    for place, share in enumerate(shares):
        height = max(1.0, 160 * share / most) if share else 0.5
        look = "hb gold" if place == golden else "hb" if share else "hb none"
        yield (
            f'<rect class="{look}" x="{place * step + 1:.1f}" y="{168 - height:.1f}" '
            f'width="{max(1.0, step - 2):.1f}" height="{height:.1f}" rx="1"/>'
        )
    for tick in ticks(low, high, 6 if width > 400 else 5):
        x = (int(tick) - low) // each * step + step / 2
        anchor = "start" if x < 12 else "end" if x > width - 16 else "middle"
        x = 1 if anchor == "start" else width - 1 if anchor == "end" else x
        yield f'<text x="{x:.1f}" y="188" text-anchor="{anchor}">{int(tick)}</text>'


def parts(costs: Sequence[Number]) -> list[float]:
    """Return the length of the bar for each cost: 1 for no cost, a fifth for the greatest.

    >>> parts([0.0, 2.0]), parts([0.0])
    ([1.0, 0.19999999999999996], [1.0])
    """
    worst = max(costs, default=0)
    return [1.0 - 0.8 * float(cost / worst) if worst else 1.0 for cost in costs]


@dataclass(frozen=True, slots=True)
class Waterfall:
    """A chart of the expected result over the throws of a turn: luck, and the cost of choices.

    It runs from left to right on a wide page, downwards on a phone. Each throw is a link to its
    step. The table of moves has the same links and all the numbers, so screen readers skip this.
    """

    steps: Sequence[ReviewStep]
    now: int
    """The number of the current step."""
    covers: Sequence[str]
    """Short texts for what was covered, one for each step."""
    written: Callable[[float], str]
    """Returns an expected result as text; `signed` returns a change of the result as text."""
    signed: Callable[[float], str]
    address: Callable[[int], str]
    """Returns the address of a step by its number."""
    from_zero: bool
    """Whether the scale begins at 0, unless all values are far above it."""

    letter = 7.6
    """The greatest width of a letter in a label."""

    def drawn(self) -> Markup:
        """Draw both forms, the wide and the narrow one; nothing if there are no steps."""
        template = environment().get_template("_waterfall.html")
        return Markup(template.render(chart=self) if self.steps else "")

    def rows(self) -> Iterator[tuple[ReviewStep, str, list[Bar]]]:
        """Yield each step with the text of its cover and its bars."""
        for step, cover in zip(self.steps, self.covers, strict=True):
            yield step, cover, [bar for bar in step.bars if bar.kind != "free"]

    def range(self) -> tuple[float, float]:
        """Return the ends of the scale."""
        levels = [self.steps[0].start]
        for step in self.steps:
            for bar in step.bars:
                levels.append(levels[-1] + bar.delta)
        low, high = min(levels), max(levels)
        span = (high - low) or abs(high) or 1.0
        low = 0.0 if self.from_zero and 0 <= low < 0.75 * high else low - 0.08 * span
        return low, high + 0.06 * span

    def ticks(self, most: int) -> list[tuple[float, str]]:
        """Return up to `most` round numbers on the scale, each with its label."""
        found = ticks(*self.range(), most)
        return [(tick, re.sub(r"\.0(?!\d)", "", self.written(tick))) for tick in found]

    def label(self, bar: Bar) -> str:
        """Return a change as text, with a mark if it was a mistake."""
        return self.signed(bar.delta) + (" !!" if bar.mistake else "")

    def longest(self) -> float:
        """Return the width of the longest label."""
        labels = [self.label(bar) for step in self.steps for bar in step.bars]
        return self.letter * max(map(len, labels), default=0)
