"""A picture of the odds: what a turn scores, and what the next throw makes of it."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from shutbox.analysis.odds import Odds
from shutbox.analysis.wording import aim_words, value_words
from shutbox.english import figure, listed, percent, shown
from shutbox.errors import NotInstalled, NotUnderstood
from shutbox.game import RuleCard
from shutbox.messages import gettext

KINDS = (".svg", ".png", ".pdf")
INK, WOOD, BAIZE = "#2b2320", "#b07a3c", "#1f6b4a"
MOST_BARS = 60  # more scores are drawn in bins


def check_plot(file: str) -> None:
    """Raise NotUnderstood for a file of no kind, and NotInstalled, before anything is solved."""
    if Path(file).suffix.lower() not in KINDS:
        kinds = listed(KINDS, last="or")
        raise NotUnderstood("--plot: {file} does not end in {kinds}", file=shown(file), kinds=kinds)
    if find_spec("matplotlib") is None:
        raise NotInstalled(
            "--plot draws with matplotlib, which is not installed; "
            "pip install 'shutbox[plot]' installs it"
        )


def plot(found: Odds, card: RuleCard, file: str) -> None:
    """Draw the odds into a file. Raises NotUnderstood for one that cannot be written."""
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "shutbox"  # the same odds make the same file
    rcParams["svg.fonttype"] = "none"  # text stays text, which can be searched and read aloud
    figure_ = Figure(figsize=(8, 7.5 if found.openings else 4.2), layout="constrained")
    figure_.patch.set_facecolor("white")
    axes: Any = figure_.subplots(2 if found.openings else 1, squeeze=False)[:, 0]
    title = gettext("{title}, played {aim}", title=card.title, aim=aim_words(found.aim, card))
    figure_.suptitle(title, color=INK, fontsize=14)
    _scores(axes[0], found, card)
    if found.openings:
        _openings(axes[1], found, card)
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(colors=INK)
    path = Path(file)
    try:
        figure_.savefig(path, metadata={"Date": None} if path.suffix.lower() == ".svg" else None)
    except OSError as error:
        raise NotUnderstood(
            "--plot: {file} cannot be written: {reason}", file=shown(file), reason=error.strerror
        ) from None


def _scores(axis: Any, found: Odds, card: RuleCard) -> None:
    scores = [(float(score), float(chance)) for score, chance in found.distribution.items()]
    low, high = scores[0][0], scores[-1][0]
    width = max(1.0, (high - low + 1) / MOST_BARS)
    bars: dict[float, float] = {}
    for score, chance in scores:
        left = low + width * int((score - low) / width)
        bars[left] = bars.get(left, 0.0) + 100 * chance
    middles = [left + (width - 1) / 2 for left in bars]
    axis.bar(middles, list(bars.values()), width=0.85 * width, color=BAIZE)
    axis.axvline(float(found.mean), color=WOOD, linewidth=2)
    told = gettext(
        "expected score {score}\n{shuts} {chance}\n{throws} throws",
        score=figure(found.mean),
        shuts=card.shuts,
        chance=percent(found.shut),
        throws=f"{float(found.throws):.2f}",
    )
    corner = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
    axis.annotate(told, (0.98, 0.95), **corner, color=INK)
    axis.set_xlabel(gettext("final score"), color=INK)
    axis.set_ylabel(gettext("chance in %"), color=INK)


def _openings(axis: Any, found: Odds, card: RuleCard) -> None:
    openings, base = found.openings, float(found.value)
    places, values = range(len(openings)), [float(opening.value) for opening in openings]
    axis.plot(places, values, "o", color=BAIZE, markersize=8)
    axis.vlines(places, base, values, color=BAIZE)
    axis.axhline(base, color=WOOD, linewidth=2)
    step = max(1, len(openings) // 30)
    axis.set_xticks(list(places)[::step], [o.roll for o in openings][::step])
    axis.set_xlabel(gettext("next throw, and its best cover"), color=INK)
    axis.set_ylabel(value_words(found.aim, card), color=INK)
    if len(openings) <= 24:
        written = {"textcoords": "offset points", "ha": "center", "fontsize": 8, "color": INK}
        for place, value, opening in zip(places, values, openings, strict=True):
            beyond = (0, 8 if value >= base else -16)
            axis.annotate(opening.best, (place, value), xytext=beyond, **written)
    axis.margins(y=0.15)
