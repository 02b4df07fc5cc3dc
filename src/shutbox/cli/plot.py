"""Plots as files: the odds of a game, shares of the win, and reviews."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shutbox.analysis.equity.match_value import ShareTable
from shutbox.analysis.odds import Odds
from shutbox.analysis.plots import draw_odds, draw_openings, draw_review, draw_shares
from shutbox.analysis.review.report import Review
from shutbox.english import listed, shown
from shutbox.errors import NotUnderstood, needing
from shutbox.solver.score_plot import INK

KINDS = (".svg", ".png", ".pdf")


def check_plot(file: str) -> None:
    """Raise NotUnderstood for an unknown suffix, or NotInstalled, before anything is solved."""
    if Path(file).suffix.lower() not in KINDS:
        kinds = listed(KINDS, last="or")
        raise NotUnderstood("--plot: {file} does not end in {kinds}", file=shown(file), kinds=kinds)
    with needing("plot"):
        import matplotlib.figure  # noqa: F401 - and its dependencies


def plot_odds(found: Odds, file: str) -> None:
    """Draw the odds into a file. Raises NotUnderstood if it cannot be written."""
    # For very large boxes the scores are not computed.
    panels = [draw_odds] * bool(found.distribution) + [draw_openings] * bool(found.openings)
    figure_ = _figure(found.title, 7.5 if panels[1:] else 4.2)
    axes: Any = figure_.subplots(len(panels), squeeze=False)[:, 0]
    for panel, axis in zip(panels, axes, strict=True):
        panel(axis, found)
    _save(figure_, axes, file)


def plot_shares(title: str, tables: Sequence[ShareTable], file: str) -> None:
    """Draw shares of the win into a file: a map of both totals, or a curve for each table.

    Raises NotUnderstood if totals do not matter, and if the file cannot be written.
    """
    if not tables[0].counts:
        raise NotUnderstood("--plot: totals do not matter in this match, so nothing is to draw")
    figure_ = _figure(title, 6.5)
    axis: Any = figure_.subplots()
    draw_shares(axis, tables)
    _save(figure_, [axis], file)


def plot_review(found: Review, file: str) -> None:
    """Draw every seat's expected result by event into a file, and mark the costliest choices.

    Raises NotUnderstood if the file cannot be written.
    """
    figure_ = _figure(found.game.card().title, 4.5)
    axis: Any = figure_.subplots()
    draw_review(axis, found)
    _save(figure_, [axis], file)


def _figure(title: str, height: float) -> Any:
    from matplotlib import rcParams
    from matplotlib.figure import Figure

    rcParams["svg.hashsalt"] = "shutbox"  # the same numbers make the same file
    rcParams["svg.fonttype"] = "none"  # text stays text, which can be searched and read aloud
    figure_ = Figure(figsize=(8, height), layout="constrained")
    figure_.patch.set_facecolor("white")
    figure_.suptitle(title, color=INK, fontsize=14)
    return figure_


def _save(figure_: Any, axes: Sequence[Any], file: str) -> None:
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
