"""Tables of the shares of the win of two players by their totals: as values, a text and a chart."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from shutbox.english import percent
from shutbox.errors import NotUnderstood
from shutbox.match import Match
from shutbox.messages import gettext
from shutbox.results import Column, Result, Row
from shutbox.solver.score_plot import BAIZE, INK, WOOD

MOST_COLUMNS, MOST_ROWS = 12, 25  # of a table without --step; 12 columns fit into 80 characters
WIDTH = 6  # of a column
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)  # and these times 1000, and so on
DECIDED = 0.0005  # rows that are already decided (within 0.05 %) are omitted
MOST_CURVES = 10  # if there are more rounds, only some are drawn


@dataclass(frozen=True, slots=True, repr=False)
class ShareTable(Result):
    """A table for one kind of turn: the win share of the player who begins it, by both totals."""

    COLUMNS = (Column("mine", int), Column("theirs", int), Column("share", float))

    round: int | None  # from 1; None if rounds are not counted
    second: bool  # whether it is the second turn of its round, if that differs from the first
    score: int | None  # of the previous turn, if it matters apart from the total
    shut: bool  # whether the previous turn shut the box, if that matters
    mine: range  # the totals of the player; if `theirs` is None, the leads over the other player
    theirs: range | None  # of the other, with the previous turn; None if only the difference counts
    shares: tuple[tuple[float, ...], ...]  # rows: `mine`; columns: `theirs`, or just one

    @property
    def counts(self) -> bool:
        """Whether totals count at all; they do not if only a shut box decides."""
        return self.theirs is not None or self.round is not None

    def report(self) -> dict[str, Any]:
        """Return the table as a value for `json.dumps`."""
        names = ("round", "second", "score", "shut")
        theirs = None if self.theirs is None else list(self.theirs)
        totals = {"mine": list(self.mine), "theirs": theirs, "shares": self.shares}
        return {name: getattr(self, name) for name in names} | totals

    def _summary(self) -> str:
        turn = "second" if self.second else "first"
        return f"{turn} turn, round {self.round}, {len(self.mine)} x {len(self.shares[0])} shares"

    def _rows(self) -> Iterator[Row]:
        others = (None,) if self.theirs is None else self.theirs
        for mine in self.mine:
            yield from ((mine, theirs, self.at(mine, theirs or 0)) for theirs in others)

    def at(self, mine: int, theirs: int = 0) -> float | None:
        """Return the share at two totals, or at a lead (see the field `mine`); None if impossible.

        >>> import shutbox
        >>> [table] = shutbox.equity("race-200").tables()
        >>> table
        ShareTable(first turn, round None, 200 x 200 shares)
        >>> round(table.at(103, 132), 4), table.at(200, 0)
        (0.3077, None)
        """
        others = range(1) if self.theirs is None else self.theirs
        if mine not in self.mine or theirs not in others:
            return None
        return self.shares[self.mine.index(mine)][others.index(theirs)]


# In words


def share_lines(
    match: "Match[Any, Any]", tables: Sequence[ShareTable], step: int | None
) -> Iterator[str]:
    """Yield the last table in lines or, if only leads count, the leads of all rounds.

    Rows and columns are multiples of `step`; None takes steps that fit a screen.
    """
    table = tables[-1]
    yield gettext("{title}: {game}.", title=match.card().title, game=match.name)
    yield gettext("The share of the win of the player whose turn begins, in %.")
    if table.second:
        yield gettext("It is the second turn of a round; the first one is in the other's total.")
    if not table.counts:
        yield gettext("Totals do not matter: {share}.", share=percent(table.shares[0][0]))
        return
    if table.theirs is not None:
        yield gettext("Down: the player's total. Across: the other's.")
        if table.round is not None:
            most = match.format.most_rounds
            yield gettext("Round {round} of {most}.", round=table.round, most=most)
        if step is None:
            step = _step(max(len(table.mine), len(table.theirs)), MOST_COLUMNS)
        rows, columns = (multiples(totals, step) for totals in (table.mine, table.theirs))
        yield from _grid(rows, columns, [[table.at(m, t) for t in columns] for m in rows])
        return
    if match.scoring.low_is_good:
        yield gettext(
            "Down: how far the player's total is above the other's; low is good. Across: the round."
        )
    else:
        yield gettext("Down: how far the player's total is above the other's. Across: the round.")
    yield from _of_rounds(tables, step)


def _of_rounds(tables: Sequence[ShareTable], step: int | None) -> Iterator[str]:
    if len(tables) > MOST_COLUMNS:
        tables = tables[:: -_step(len(tables), MOST_COLUMNS)][::-1]
    widest = range(min(t.mine.start for t in tables), max(t.mine.stop for t in tables))

    def shares(apart: int) -> list[float | None]:
        return [table.at(apart) for table in tables]

    open_ = [d for d in widest if any(s and DECIDED <= s <= 1 - DECIDED for s in shares(d))] or [0]
    open_range = range(open_[0], open_[-1] + 1)
    shown = _step(len(open_range), MOST_ROWS) if step is None else step
    rows = multiples(open_range, shown)
    return _grid(rows, [table.round or 1 for table in tables], [shares(d) for d in rows])


def _step(many: int, most: int) -> int:
    """Return the smallest step (see STEPS) that shows no more than `most` of `many` totals."""
    wanted, scale = -(-many // most), 1
    while wanted > STEPS[-1] * scale:
        scale *= 1000
    return next(step * scale for step in STEPS if step * scale >= wanted)


def multiples(totals: range, step: int) -> list[int]:
    """Return the totals that are multiples of `step`, or the first total if none is."""
    return [total for total in totals if total % step == 0] or [totals.start]


def _grid(
    rows: Sequence[int], columns: Sequence[int], cells: list[list[float | None]]
) -> Iterator[str]:
    """Yield the lines of a table of `cells` (None: empty) with heads; a wide one in blocks."""
    head = max(len(str(row)) for row in rows)
    for begin in range(0, len(columns), MOST_COLUMNS):
        part = slice(begin, begin + MOST_COLUMNS)
        yield " " * head + "".join(f"{column:>{WIDTH}}" for column in columns[part])
        for row, shares in zip(rows, cells, strict=True):
            texts = ("" if share is None else f"{100 * share:.1f}" for share in shares[part])
            yield (f"{row:>{head}}" + "".join(each.rjust(WIDTH) for each in texts)).rstrip()


# In charts


def draw_shares(axis: Any, tables: Sequence[ShareTable]) -> None:
    """Draw the last table as a map; if only leads count, up to MOST_CURVES tables as curves."""
    if not tables[-1].counts:
        raise NotUnderstood("totals do not matter in this match, so there is nothing to draw")
    if tables[-1].theirs is None:
        _curves(axis, tables)
    else:
        _map(axis, tables[-1])


def _map(axis: Any, table: ShareTable) -> None:
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
