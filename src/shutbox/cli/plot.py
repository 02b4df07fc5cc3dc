"""Plots: the scores of a turn and the effect of the next throw, shares of the win, and reviews."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from shutbox.analysis.equity.shares import ShareTable
from shutbox.analysis.odds import Odds
from shutbox.analysis.review.grades import Unit
from shutbox.analysis.review.report import Review
from shutbox.analysis.wording import aim_words, value_words
from shutbox.english import figure, listed, percent, shown
from shutbox.errors import NotUnderstood, needing
from shutbox.game import RuleCard
from shutbox.messages import gettext
from shutbox.solver.score_plot import BAIZE, INK, WOOD, draw_scores

KINDS = (".svg", ".png", ".pdf")
MOST_CURVES = 10  # of more rounds, only some are drawn


def check_plot(file: str) -> None:
    """Raise NotUnderstood for an unknown suffix, or NotInstalled, before anything is solved."""
    if Path(file).suffix.lower() not in KINDS:
        kinds = listed(KINDS, last="or")
        raise NotUnderstood("--plot: {file} does not end in {kinds}", file=shown(file), kinds=kinds)
    with needing("plot"):
        import matplotlib.figure  # noqa: F401 - and its dependencies


def plot_odds(found: Odds, card: RuleCard, file: str) -> None:
    """Draw the odds into a file. Raises NotUnderstood if it cannot be written."""
    title = gettext("{title}, played {aim}", title=card.title, aim=aim_words(found.aim, card))
    # For very large boxes the scores are not computed.
    panels = [_scores] * bool(found.distribution) + [_openings] * bool(found.openings)
    figure_ = _figure(title, 7.5 if panels[1:] else 4.2)
    axes: Any = figure_.subplots(len(panels), squeeze=False)[:, 0]
    for panel, axis in zip(panels, axes, strict=True):
        panel(axis, found, card)
    _save(figure_, axes, file)


def plot_shares(title: str, tables: Sequence[ShareTable], file: str) -> None:
    """Draw shares of the win into a file: a map of both totals, or a curve for each table.

    Raises NotUnderstood if totals do not matter, and if the file cannot be written.
    """
    if not tables[0].counts:
        raise NotUnderstood("--plot: totals do not matter in this match, so nothing is to draw")
    figure_ = _figure(title, 6.5)
    axis: Any = figure_.subplots()
    if tables[0].theirs is None:
        _curves(axis, tables)
    else:
        _map(figure_, axis, tables[0])
    _save(figure_, [axis], file)


def plot_review(found: Review, file: str) -> None:
    """Draw every seat's expected result by event into a file, and mark the costliest choices.

    Raises NotUnderstood if the file cannot be written.
    """
    share = found.unit is Unit.SHARE
    figure_ = _figure(found.game.card().title, 4.5)
    axis: Any = figure_.subplots()
    numbers = [0, *(event.number for event in found.events)]
    by_seat = [[float(value) for value in course] for course in zip(*found.course, strict=True)]
    for seat, values in zip(found.seats, by_seat, strict=True):
        drawn = [100 * value for value in values] if share else values
        axis.plot(numbers, drawn, "o-" if len(numbers) == 1 else "-", label=seat.name)
        for choice in found.costliest():
            if found.seats[choice.seat] is seat:
                place = numbers.index(choice.number)
                axis.plot(choice.number, drawn[place], "v", color=INK, markersize=9)
                says = {"xytext": (0, 9), "textcoords": "offset points", "ha": "center"}
                axis.annotate(choice.choice, (choice.number, drawn[place]), **says, color=INK)
    axis.legend()
    told = gettext("event; marked: what cost most (grades of table {table})", table=found.version)
    axis.set_xlabel(told, color=INK)
    called = gettext("share of the win in %") if share else gettext("expected score")
    axis.set_ylabel(called, color=INK)
    _save(figure_, [axis], file)


def _map(figure_: Any, axis: Any, table: ShareTable) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    mine, theirs = table.mine, table.theirs or range(1)
    shares = [[100 * share for share in row] for row in table.shares]
    edges = (theirs.start - 0.5, theirs.stop - 0.5, mine.start - 0.5, mine.stop - 0.5)
    colours = LinearSegmentedColormap.from_list("shares", [WOOD, "white", BAIZE])
    drawn = axis.imshow(
        shares, cmap=colours, vmin=0, vmax=100, origin="lower", aspect="auto", extent=edges
    )
    if len(mine) > 1 and len(theirs) > 1:
        lines = axis.contour(theirs, mine, shares, levels=range(10, 100, 10), colors=INK)
        lines.set_linewidth([2 if level == 50 else 0.7 for level in lines.levels])
        axis.clabel(lines, fontsize=8, fmt="%d")
    figure_.colorbar(drawn, label=gettext("share of the win in %"))
    axis.set_xlabel(gettext("total of the other"), color=INK)
    axis.set_ylabel(gettext("total of the player whose turn begins"), color=INK)


def _curves(axis: Any, tables: Sequence[ShareTable]) -> None:
    step = -(-len(tables) // MOST_CURVES)
    for table in tables[::-step][::-1]:
        shares = [100 * share for (share,) in table.shares]
        mark = "o" if len(shares) == 1 else ""
        axis.plot(table.mine, shares, mark + "-", label=gettext("round {round}", round=table.round))
    axis.axhline(50, color=WOOD, linewidth=1)
    axis.legend()
    axis.set_xlabel(gettext("total of the player whose turn begins, less the other's"), color=INK)
    axis.set_ylabel(gettext("share of the win in %"), color=INK)


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


def _scores(axis: Any, found: Odds, card: RuleCard) -> None:
    assert found.throws is not None
    assert found.mean is not None
    assert found.shut is not None
    draw_scores(axis, found.distribution)
    told = gettext(
        "expected score {score}\n{shuts} {chance}\n{throws} throws",
        score=figure(found.mean),
        shuts=card.shuts,
        chance=percent(found.shut),
        throws=f"{float(found.throws):.2f}",
    )
    corner = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
    axis.annotate(told, (0.98, 0.95), **corner, color=INK)


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
