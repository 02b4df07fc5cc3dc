"""A bar chart of the scores of a turn, on matplotlib axes."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from shutbox.engine.english import figure, localized
from shutbox.engine.errors import needing
from shutbox.engine.messages import gettext, pgettext

INK, WOOD, BAIZE = "#2b2320", "#b07a3c", "#1f6b4a"
MOST_BARS = 60  # more scores than this are grouped in bins


def draw_scores(axes: Any, title: str, distribution: Mapping[int, Fraction | float]) -> Any:
    """Draw the percentages of scores, in up to MOST_BARS bars, and a line at the mean.

    Return the axes, which are new ones if `axes` is None. New ones raise NotInstalled without
    matplotlib.
    """
    if axes is None:
        with needing("plot"):
            from matplotlib import pyplot
        _, axes = pyplot.subplots(layout="constrained")
    scores = [(float(score), float(chance)) for score, chance in sorted(distribution.items())]
    low, high = scores[0][0], scores[-1][0]
    width = max(1.0, (high - low + 1) / MOST_BARS)
    bars: dict[float, float] = {}
    for score, chance in scores:
        left = low + width * int((score - low) / width)
        bars[left] = bars.get(left, 0.0) + 100 * chance
    middles = [left + (width - 1) / 2 for left in bars]
    axes.bar(middles, list(bars.values()), width=0.85 * width, color=BAIZE)
    mean = sum(score * chance for score, chance in scores)
    label = gettext("expected score {score}", score=localized(figure(mean)))
    axes.axvline(mean, color=WOOD, linewidth=2, label=label)
    axes.set_title(title, color=INK)
    axes.set_xlabel(pgettext("axis of a plot", "final score"), color=INK)
    axes.set_ylabel(gettext("chance in %"), color=INK)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend()
    return axes
