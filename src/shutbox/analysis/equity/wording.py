"""The shares of the win, and the fairness of rules, in words: tables and sentences."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from shutbox.analysis.equity.fairness import Fair
from shutbox.analysis.equity.match_value import ShareTable
from shutbox.analysis.wording import gained, precise
from shutbox.english import figure, percent
from shutbox.lookup import find_any
from shutbox.match import Match
from shutbox.messages import gettext, ngettext

MOST_COLUMNS, MOST_ROWS = 12, 25  # of a table without --step; 12 columns fit into 80 characters
WIDTH = 6  # of a column
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)  # and these times 1000, and so on
DECIDED = 0.0005  # rows that are already decided (within 0.05 %) are omitted

ShareRows = list[list[float | None]]  # a list for each row; None for totals that cannot come up


def share_lines(
    match: "Match[Any, Any]", tables: Sequence[ShareTable], step: int | None
) -> Iterator[str]:
    """Yield the shares of the win as a table in text, with rows and columns `step` points apart.

    Without a step, it has as many rows and columns as fit on a screen.
    """
    table = tables[-1]
    yield gettext("{title}: {game}.", title=match.card().title, game=match.name)
    yield gettext("The share of the win of the player whose turn begins, in %.")
    if table.second:
        yield gettext("It is the second turn of a round; the first one is in the other's total.")
    if not table.counts:
        yield gettext("Totals do not matter: {share}.", share=percent(table.shares[0][0]))
        return
    low = match.scoring.low_is_good
    if table.theirs is not None:
        yield gettext("Down: the player's total. Across: the other's.")
        if table.round is not None:
            most = match.format.most_rounds
            yield gettext("Round {round} of {most}.", round=table.round, most=most)
        if step is None:
            step = _step(max(len(table.mine), len(table.theirs)), MOST_COLUMNS)
        rows, columns = (multiples(totals, step) for totals in (table.mine, table.theirs))
        yield from _grid(rows, columns, [[table.at(m, t) for t in columns] for m in rows])
    else:
        if low:
            yield gettext(
                "Down: how far the player's total is above the other's; low is good. "
                "Across: the round."
            )
        else:
            yield gettext(
                "Down: how far the player's total is above the other's. Across: the round."
            )
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
    """Return the smallest step that shows at most `most` of `many` totals: see STEPS."""
    wanted, scale = -(-many // most), 1
    while wanted > STEPS[-1] * scale:
        scale *= 1000
    return next(step * scale for step in STEPS if step * scale >= wanted)


def multiples(totals: range, step: int) -> list[int]:
    """Return the totals of a table with this step; at least one."""
    return [total for total in totals if total % step == 0] or [totals.start]


def _grid(rows: Sequence[int], columns: Sequence[int], cells: ShareRows) -> Iterator[str]:
    """Yield the lines of a table, with `rows` and `columns` as its heads; wide ones in blocks."""
    head = max(len(str(row)) for row in rows)
    for begin in range(0, len(columns), MOST_COLUMNS):
        part = slice(begin, begin + MOST_COLUMNS)
        yield " " * head + "".join(f"{column:>{WIDTH}}" for column in columns[part])
        for row, shares in zip(rows, cells, strict=True):
            texts = ("" if share is None else f"{100 * share:.1f}" for share in shares[part])
            yield (f"{row:>{head}}" + "".join(each.rjust(WIDTH) for each in texts)).rstrip()


def fair_lines(found: Sequence[Fair]) -> Iterator[str]:
    """Yield each seat's share and gain under each set of rules, and which order is fairest."""
    return chain(chain.from_iterable(map(_seat_lines, found)), _fairest(found))


def _seat_lines(fair: Fair) -> Iterator[str]:
    yield f"{fair.match}:"
    card = find_any(fair.match).card()
    for seat, (share, gain) in enumerate(zip(fair.shares, fair.gains, strict=True)):
        facts = {"seat": seat + 1, "share": precise(share), "gain": gained(gain)}
        if not fair.payouts:
            yield gettext("Player {seat}: wins {share}, {gain} stakes a match.", **facts)
            continue
        even = _even(gain, fair.payouts[seat], card.shuts)
        says = gettext("Player {seat}: wins {share}, {gain} stakes a round.", **facts)
        yield f"{says} {even}"


def _fairest(found: Sequence[Fair]) -> Iterator[str]:
    """Yield a sentence about the fairest of several orders without a throw for the start."""
    orders = [fair for fair in found if not fair.payouts and fair.apart]
    if len(orders) > 1:
        best = min(orders, key=lambda fair: fair.apart)
        yield gettext(
            "Fairest without a throw for the start: {match}. Its shares are at most {points} "
            "percentage points apart.",
            match=best.match,
            points=figure(100 * best.apart),
        )


def _even(gain: Fraction, payout: Fraction | None, shuts: str) -> str:
    if not gain:
        return gettext("That is even.")
    if payout is None:
        return gettext("No payout to the player who {shuts} makes that even.", shuts=shuts)
    stakes = 1 if abs(payout) == 1 else 2
    facts = {"number": figure(abs(payout)), "shuts": shuts}
    if payout > 0:
        return ngettext(
            "It is even if each of the others pays {number} stake to the player who {shuts}.",
            "It is even if each of the others pays {number} stakes to the player who {shuts}.",
            stakes,
            **facts,
        )
    return ngettext(
        "It is even if the player who {shuts} pays {number} stake to each of the others.",
        "It is even if the player who {shuts} pays {number} stakes to each of the others.",
        stakes,
        **facts,
    )
