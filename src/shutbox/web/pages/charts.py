"""Charts as SVG, drawn by the server; figures.css gives their classes colours.

Each is drawn twice, for a wide page and for a phone, and one of the two is shown. Words and numbers
beside a chart say what it shows.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from shutbox.picture import PIPS
from shutbox.solver.options import Number
from shutbox.web.actions.reviews import Bar, ReviewStep

MOST_BARS = 60  # of a distribution; with more scores, several share a bar
_WIDE, _NARROW = "chart wide-only", "chart narrow-only"

_TOP, _BOTTOM, _LEFT = 52, 262, 46
_NARROWEST = 58  # least width of a throw; more throws make the chart wider
_LETTER = 7.6  # greatest width of a letter in a label
_DRAWN_DICE = 2
_FACES = 6


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

    def drawn(self) -> Markup:
        """Draw both forms, the wide and the narrow one; nothing if there are no steps."""
        if not self.steps:
            return Markup("")
        return Markup(f"{self._across()}{self._down()}")

    def _range(self) -> tuple[float, float]:
        levels = [self.steps[0].start]
        for step in self.steps:
            for bar in step.bars:
                levels.append(levels[-1] + bar.delta)
        low, high = min(levels), max(levels)
        span = (high - low) or abs(high) or 1.0
        low = 0.0 if self.from_zero and 0 <= low < 0.75 * high else low - 0.08 * span
        return low, high + 0.06 * span

    def _group(self, step: ReviewStep, inner: str) -> str:
        now = ' aria-current="step"' if step.number == self.now else ""
        address = escape(self.address(step.number))
        return f'<a href="{address}" tabindex="-1" data-step="{step.number}"{now}>{inner}</a>'

    def _label(self, bar: Bar) -> str:
        return self.signed(bar.delta) + (" !!" if bar.mistake else "")

    def _longest(self) -> float:
        """Return the width of the longest label."""
        labels = [self._label(bar) for step in self.steps for bar in step.bars]
        return _LETTER * max(map(len, labels), default=0)

    # From left to right

    def _across(self) -> str:
        low, high = self._range()
        at_ticks = [(tick, self._tick(tick)) for tick in ticks(low, high, 5)]
        edge = max(_LEFT, 10 + _LETTER * max(len(label) for _, label in at_ticks))
        narrowest = max(_NARROWEST, self._longest())
        each = max(narrowest, 698 / len(self.steps))
        width = edge + each * len(self.steps) + 16

        def y(value: float) -> float:
            return _BOTTOM - (value - low) / (high - low) * (_BOTTOM - _TOP)

        level = self.steps[0].start
        groups, lines = [], []
        for number, step in enumerate(self.steps):
            left = edge + number * each
            parts = [_rect("back", left + 4, 8, each - 8, 316, 10)]
            parts += [_rung(left, y(tick), f"h{each:.1f}") for tick, _ in at_ticks]
            at = left
            bars = [bar for bar in step.bars if bar.kind != "free"]
            gap = max(4.0, min(24.0, (each - 20 * len(bars)) / (len(bars) + 1)))
            begin = left + (each - 20 * len(bars) - gap * (len(bars) - 1)) / 2
            for place, bar in enumerate(bars):
                x = begin + place * (20 + gap)
                parts.append(_line(at, y(level), x, y(level)))
                parts.append(self._bar_up(bar, x, y(level), y(level + bar.delta)))
                level, at = level + bar.delta, x + 20
            level = step.end
            parts.append(_line(at, y(level), left + each, y(level)))
            parts.append(self._feet(step, left + each / 2, number))
            groups.append(self._group(step, "".join(parts)))
        for tick, label in at_ticks:
            lines.append(_text("tick", edge - 10, y(tick) + 4, label, "end"))
        begun = self.steps[0].start
        # The label goes where the first bar does not.
        rises = self.steps[0].bars[0].delta > 0 if self.steps[0].bars else False
        start = _text("big", edge + 3, y(begun) + (18 if rises else -8), self.written(begun))
        ended = _text("big", width - 4, y(level) - 8, self.written(level), "end")
        kind = "chart wide-only" if each > narrowest else "chart wide-only long"
        return (
            f'<svg class="{kind}" viewBox="0 0 {width:.0f} 330" width="{width:.0f}" height="330" '
            f'aria-hidden="true">{"".join(lines)}{"".join(groups)}{start}{ended}</svg>'
        )

    def _tick(self, tick: float) -> str:
        return re.sub(r"\.0(?!\d)", "", self.written(tick))

    def _bar_up(self, bar: Bar, x: float, before: float, after: float) -> str:
        if bar.kind == "best":
            return f'<circle class="ok" cx="{x + 10:.1f}" cy="{before:.1f}" r="6"/>'
        top, height = min(before, after), max(2.0, abs(after - before))
        place = top + height + 16 if bar.delta < 0 else top - 7
        drawn = _rect(f"{bar.kind}bar", x, top, 20, height, 3)
        if bar.mistake and height > 15:
            at = ((x + dx, top) for dx in (6.5, 13.5))
            marks = (f"M{left:.1f} {y + 5:.1f}v5M{left:.1f} {y + 13:.1f}v.5" for left, y in at)
            drawn += f'<path class="bang" d="{"".join(marks)}"/>'
        label = self.signed(bar.delta)
        return drawn + _text(f"{bar.kind}text", x + 10, place, label, "middle")

    def _feet(self, step: ReviewStep, middle: float, number: int) -> str:
        cover = _text("cov", middle, 316, self.covers[number], "middle")
        return _dice(step, middle, 274, centred=True) + cover

    # Downwards

    def _down(self) -> str:
        low, high = self._range()
        across = min(188, 330 - 118 - 6 - self._longest())  # the labels are on the right

        def x(value: float) -> float:
            return 118 + (value - low) / (high - low) * across

        at_ticks = ticks(low, high, 4 if across > 160 else 3)
        level, y = self.steps[0].start, 38.0
        groups = []
        for number, step in enumerate(self.steps):
            bars = [bar for bar in step.bars if bar.kind != "free"]
            height = max(46.0, 8 + 20.0 * len(bars))
            parts = [_rect("back", 0, y - 4, 330, height - 2, 8)]
            parts += [_rung(x(tick), y - 4, f"v{height:.1f}") for tick in at_ticks]
            parts.append(_dice(step, 2, y + 2, centred=False))
            # A long cover gets its own line.
            short = len(step.faces) <= _DRAWN_DICE and len(self.covers[number]) < 6
            where = (58, y + 19) if short else (2, y + 38)
            parts.append(_text("cov", *where, self.covers[number]))
            at = y - 4
            for place, bar in enumerate(bars):
                top = y + 4 + 20 * place
                parts.append(_line(x(level), at, x(level), top))
                parts.append(self._bar_across(bar, top, x(level), x(level + bar.delta)))
                level, at = level + bar.delta, top + 13
            level = step.end
            parts.append(_line(x(level), at, x(level), y + height - 4))
            groups.append(self._group(step, "".join(parts)))
            y += height
        lines = [_text("tick", x(tick), 13, self._tick(tick), "middle") for tick in at_ticks]
        begun = self.steps[0].start
        start = _text("big", x(begun) - 6, 31, self.written(begun), "end")
        ended = _text("big", x(level), y + 14, self.written(level), "middle")
        return (
            f'<svg class="chart narrow-only" viewBox="0 0 330 {y + 22:.0f}" aria-hidden="true">'
            f"{''.join(lines)}{''.join(groups)}{start}{ended}</svg>"
        )

    def _bar_across(self, bar: Bar, top: float, before: float, after: float) -> str:
        if bar.kind == "best":
            return f'<circle class="ok" cx="{before:.1f}" cy="{top + 6:.1f}" r="5.5"/>'
        left, width = min(before, after), max(2.0, abs(after - before))
        text = _text(f"{bar.kind}text", left + width + 4, top + 11, self._label(bar))
        return _rect(f"{bar.kind}bar", left, top, width, 13, 3) + text


def _rung(x: float, y: float, along: str) -> str:
    return f'<path class="grid" d="M{x:.1f} {y:.1f}{along}"/>'


def _rect(look: str, x: float, y: float, width: float, height: float, rx: float) -> str:
    size = f'width="{width:.1f}" height="{height:.1f}" rx="{rx:g}"'
    return f'<rect class="{look}" x="{x:.1f}" y="{y:.1f}" {size}/>'


def _text(look: str, x: float, y: float, label: str, anchor: str = "start") -> str:
    at = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{look}" {at}>{escape(label)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<path class="join" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'


def _dice(step: ReviewStep, x: float, y: float, *, centred: bool) -> str:
    """Draw the dice of a step, or write their numbers if they are many or not six-sided."""
    faces = step.faces
    if not faces:
        return ""
    six = len(step.sides) == len(faces) and all(sides == 6 for sides in step.sides)
    if len(faces) > _DRAWN_DICE or not six or max(faces) > _FACES:
        anchor = "middle" if centred else "start"
        return _text("tick", x, y + 16, "+".join(map(str, faces)), anchor)
    left = x - (26 * len(faces) - 3) / 2 if centred else x
    return "".join(_die(face, left + 26 * i, y) for i, face in enumerate(faces))


def _die(face: int, x: float, y: float) -> str:
    at = ((x + 11.5 + 5.6 * dx, y + 11.5 + 5.6 * dy) for dx, dy in PIPS[face])
    pips = (f'<circle class="pip" cx="{cx:.1f}" cy="{cy:.1f}" r="2.3"/>' for cx, cy in at)
    return _rect("cube", x, y, 23, 23, 5) + "".join(pips)
