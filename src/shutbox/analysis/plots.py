"""Charts of odds, of shares of the win and of reviews, drawn on matplotlib axes."""

from collections.abc import Sequence
from typing import Any

from shutbox.analysis.wording import value_words
from shutbox.english import figure, percent
from shutbox.messages import gettext, pgettext
from shutbox.solver.score_plot import BAIZE, INK, WOOD, draw_scores

MOST_CURVES = 10  # of more rounds, only some are drawn


def draw_shares(axis: Any, tables: Sequence[Any]) -> None:
    """Draw the first ShareTable as a map of both totals, or all as up to MOST_CURVES curves."""
    if tables[0].theirs is None:
        _curves(axis, tables)
    else:
        _map(axis, tables[0])


def draw_review(axis: Any, found: Any) -> None:
    """Draw every seat's expected result by event in a Review, and mark the costliest choices."""
    share = found.unit.value == "share"
    numbers = [0, *(event.number for event in found.events)]
    by_seat = [[float(value) for value in course] for course in zip(*found.course, strict=True)]
    for seat, values in zip(found.seats, by_seat, strict=True):
        drawn = [100 * value for value in values] if share else values
        axis.plot(numbers, drawn, "o-" if len(numbers) == 1 else "-", label=seat.name)
        for choice in found.costliest():
            if found.seats[choice.seat] is seat:
                place = numbers.index(choice.number)
                axis.plot(choice.number, drawn[place], "v", color=INK, markersize=9)
                style = {"xytext": (0, 9), "textcoords": "offset points", "ha": "center"}
                axis.annotate(choice.choice, (choice.number, drawn[place]), **style, color=INK)
    axis.legend()
    told = gettext("event; marked: what cost most (grades of table {table})", table=found.version)
    axis.set_xlabel(told, color=INK)
    called = (
        gettext("share of the win in %") if share else pgettext("axis of a plot", "expected score")
    )
    axis.set_ylabel(called, color=INK)


def _map(axis: Any, table: Any) -> None:
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
    axis.figure.colorbar(drawn, ax=axis, label=gettext("share of the win in %"))
    axis.set_xlabel(gettext("total of the other"), color=INK)
    axis.set_ylabel(gettext("total of the player whose turn begins"), color=INK)


def _curves(axis: Any, tables: Sequence[Any]) -> None:
    step = -(-len(tables) // MOST_CURVES)
    for table in tables[::-step][::-1]:
        shares = [100 * share for (share,) in table.shares]
        mark = "o" if len(shares) == 1 else ""
        axis.plot(table.mine, shares, mark + "-", label=gettext("round {round}", round=table.round))
    axis.axhline(50, color=WOOD, linewidth=1)
    axis.legend()
    axis.set_xlabel(gettext("total of the player whose turn begins, less the other's"), color=INK)
    axis.set_ylabel(gettext("share of the win in %"), color=INK)


def draw_odds(axis: Any, found: Any) -> None:
    """Draw the distribution of scores in Odds, which must have `chances`, and its other figures."""
    draw_scores(axis, found.distribution)
    label = gettext(
        "expected score {score}\n{shuts} {chance}\n{throws} throws",
        score=figure(found.mean),
        shuts=found.card.shuts,
        chance=percent(found.shut),
        throws=f"{float(found.throws):.2f}",
    )
    corner = {"xycoords": "axes fraction", "ha": "right", "va": "top"}
    axis.annotate(label, (0.98, 0.95), **corner, color=INK)


def draw_openings(axis: Any, found: Any) -> None:
    """Draw the value after each next throw of Odds, and before it."""
    openings, base = found.openings, float(found.value)
    places, values = range(len(openings)), [float(opening.value) for opening in openings]
    axis.plot(places, values, "o", color=BAIZE, markersize=8)
    axis.vlines(places, base, values, color=BAIZE)
    label = gettext("before the throw {value}", value=figure(base))
    axis.axhline(base, color=WOOD, linewidth=2, label=label)
    step = max(1, len(openings) // 30)
    axis.set_xticks(list(places)[::step], [o.roll for o in openings][::step])
    axis.set_xlabel(gettext("next throw, and its best cover"), color=INK)
    axis.set_ylabel(value_words(found.aim, found.card), color=INK)
    if len(openings) <= 24:
        written = {"textcoords": "offset points", "ha": "center", "fontsize": 8, "color": INK}
        for place, value, opening in zip(places, values, openings, strict=True):
            beyond = (0, 8 if value >= base else -16)
            axis.annotate(opening.best, (place, value), xytext=beyond, **written)
    axis.margins(y=0.15)
