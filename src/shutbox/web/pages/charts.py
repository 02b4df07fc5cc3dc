"""Charts as SVG, drawn by the server with classes: colours are those of figures.css.

Each is drawn twice, for a wide page and for a phone; one of the two is shown. What a chart shows is
told in words and numbers beside it.
"""

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from shutbox.solver.solution import Number

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


def distribution(scores: Sequence[tuple[int, Number]], shut: int | None) -> Markup:
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
    """How long the bar of each choice is: 1 for the best, a fifth for the one that costs most.

    >>> parts([0.0, 2.0]), parts([0.0])
    ([1.0, 0.19999999999999996], [1.0])
    """
    worst = max(costs, default=0)
    return [1.0 - 0.8 * float(cost / worst) if worst else 1.0 for cost in costs]
