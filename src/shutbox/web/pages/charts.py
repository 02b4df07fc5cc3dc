"""Charts as SVG, drawn by the server with classes: colours are those of figures.css.

Each is drawn twice, for a wide page and for a phone; one of the two is shown. What a chart shows is
told in words and numbers beside it.
"""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

MOST_BARS = 60  # of a distribution; of more scores several share a bar
_WIDE, _NARROW = "chart wide-only", "chart narrow-only"


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers between two, at most so many.

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


def distribution(scores: Sequence[tuple[int, float]], shut: int | None) -> Markup:
    """The chance of each score as a bar; `shut` is the one that is golden.

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


def _bars(scores: Sequence[tuple[int, float]], shut: int | None, width: int) -> Iterator[str]:
    low, high = min(0, scores[0][0]), scores[-1][0]
    each = -(-(high - low + 1) // MOST_BARS)
    number = -(-(high - low + 1) // each)
    shares = [0.0] * number
    for score, chance in scores:
        shares[(score - low) // each] += chance
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


def bar_of(cost: float, worst: float) -> float:
    """How long the bar of a choice is: 1 for the best, a fifth for the one that costs most.

    >>> bar_of(0.0, 2.0), round(bar_of(2.0, 2.0), 9), bar_of(0.0, 0.0)
    (1.0, 0.2, 1.0)
    """
    return 1.0 - 0.8 * cost / worst if worst else 1.0


def bar(part: float) -> Markup:
    """How good a choice is among the others, as a bar.

    >>> print(bar(0.5)[-38:])
    <rect width="50.0" height="10"/></svg>
    """
    width = f"{100 * min(1.0, max(0.0, part)):.1f}"
    return Markup(
        '<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{}" height="10"/></svg>'
    ).format(width)
