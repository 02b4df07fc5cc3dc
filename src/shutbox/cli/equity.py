"""`shutbox equity` and `fair`: the share of the win at every standing, and of every seat.

A standing of a match of two is the totals of both players, or their difference, as a turn begins.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from shutbox.analysis.equity.fairness import Fair
from shutbox.analysis.equity.fairness import fair as compared
from shutbox.analysis.equity.match_value import Equity, ShareTable
from shutbox.analysis.wording import gained, precise
from shutbox.cli.output import ProgressLine, answer, print_csv
from shutbox.cli.parser import Parser, add_shared, add_switch
from shutbox.english import figure, number_word, percent
from shutbox.errors import NotUnderstood
from shutbox.lookup import find_any, match_of
from shutbox.match import Match
from shutbox.messages import gettext, ngettext
from shutbox.seats import unnamed

MOST_COLUMNS, MOST_ROWS = 12, 25  # of a table without --step; 12 columns fit into 80 characters
WIDTH = 6  # of a column
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)  # and these times 1000, and so on
DECIDED = 0.0005  # rows that are already decided (within 0.05 %) are omitted
COLUMNS = ("round", "second", "score", "shut", "mine", "theirs", "difference", "share")

ShareRows = list[list[float | None]]  # a list for each row; None for totals that cannot come up


def add_equity(parser: Parser) -> None:
    """Add the arguments of `shutbox equity`."""
    about = gettext("a match of two such as race-200, or a game, with --format")
    parser.add_argument("match", metavar="MATCH", help=about)
    add_shared(parser, "--format", "--anyway")
    turn = parser.add_argument_group(gettext("which turn of a round"))
    turn.add_argument("--round", type=int, metavar="N", help=gettext("this round only"))
    add_switch(turn, "--second", gettext("the second turn of a round, not the first"))
    about = gettext("what the first turn scored, where that decides who begins the next round")
    turn.add_argument("--score", type=int, metavar="SCORE", help=about)
    add_switch(turn, "--shut", gettext("the first turn shut the box, where that matters"))
    printed = parser.add_argument_group(gettext("how it is printed"))
    about = gettext("the points from one standing to the next (default: as many rows as fit)")
    printed.add_argument("--step", type=int, metavar="POINTS", help=about)
    add_switch(printed, "--csv", gettext("print the standings as CSV"))
    about = gettext("draw the shares into an SVG, PNG or PDF file")
    printed.add_argument("--plot", metavar="FILE", help=about)
    add_shared(printed, "--json")
    parser.runs(equity, "equity race-200 --csv > race.csv", "equity classic --format rounds=3")


def equity(arguments: argparse.Namespace) -> None:
    """Print the shares of the win at every standing as text, JSON or CSV; draw with `--plot`."""
    match = _match_of(arguments)
    if arguments.step is not None and arguments.step < 1:
        raise NotUnderstood("--step: {step} is not 1 or more", step=arguments.step)
    if arguments.csv and arguments.json:
        raise NotUnderstood("--csv or --json, not both")
    if arguments.plot is not None:
        from shutbox.cli.plot import check_plot, plot_shares  # imports matplotlib

        check_plot(arguments.plot)
    progress = ProgressLine(gettext("Solving {game}", game=match.name))
    solved = Equity(match, anyway=arguments.anyway, progress=progress)
    options = {"second": arguments.second, "score": arguments.score, "shut": arguments.shut}
    tables = solved.tables(arguments.round, **options)
    # A table of both totals fills the screen, so only one round is shown.
    seen = tables if tables[0].theirs is None else tables[-1:]
    if arguments.plot is not None:
        plot_shares(match.card().title, seen, arguments.plot)
    if arguments.csv:
        asked = arguments.round is not None or arguments.second
        rows = _rows(tables if asked else solved.every_table(), arguments.step or 1)
        print_csv(COLUMNS, rows)
        return
    answer(arguments, _lines(match, seen, arguments.step), lambda: _as_json(match, tables))


def _match_of(arguments: argparse.Namespace) -> "Match[Any, Any]":
    """Return the match that the arguments name. Raises NotUnderstood unless two play it."""
    if arguments.format is None:
        match = find_any(arguments.match)
    else:
        match = match_of(arguments.match, unnamed(2), arguments.format)
    if not isinstance(match, Match):
        raise NotUnderstood(
            "{game} is one turn; add how it is played by two, such as --format rounds=3",
            game=match.name,
        )
    if len(match.players) != 2:
        players = number_word(len(match.players))
        raise NotUnderstood(
            "{name}: the table is one of two players, not {players}",
            name=match.name,
            players=players,
        )
    return match


def _as_json(match: "Match[Any, Any]", tables: Sequence[ShareTable]) -> dict[str, Any]:
    values = [
        {
            "round": table.round,
            "second": table.second,
            "score": table.score,
            "shut": table.shut,
            "mine": list(table.mine),
            "theirs": None if table.theirs is None else list(table.theirs),
            "shares": table.shares,
        }
        for table in tables
    ]
    return {"game": match.name, "unit": "share", "tables": values, "rule": None}  # no rule of thumb


def _rows(tables: Iterable[ShareTable], step: int) -> Iterator[tuple[object, ...]]:
    """Yield a row of COLUMNS for each standing, with None where a column does not matter."""
    for table in tables:
        turn = table.round, int(table.second), table.score, int(table.shut)
        for mine in _multiples(table.mine, step):
            for theirs in [None] if table.theirs is None else _multiples(table.theirs, step):
                apart = mine if theirs is None and table.counts else None
                total = mine if theirs is not None else None
                yield *turn, total, theirs, apart, table.at(mine, theirs or 0)


# The table in text


def _lines(
    match: "Match[Any, Any]", tables: Sequence[ShareTable], step: int | None
) -> Iterator[str]:
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
        step = step or _step(max(len(table.mine), len(table.theirs)), MOST_COLUMNS)
        rows, columns = (_multiples(totals, step) for totals in (table.mine, table.theirs))
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
    rows = _multiples(open_range, step or _step(len(open_range), MOST_ROWS))
    return _grid(rows, [table.round or 1 for table in tables], [shares(d) for d in rows])


def _step(many: int, most: int) -> int:
    """Return the smallest step that shows at most `most` of `many` totals: see STEPS."""
    wanted, scale = -(-many // most), 1
    while wanted > STEPS[-1] * scale:
        scale *= 1000
    return next(step * scale for step in STEPS if step * scale >= wanted)


def _multiples(totals: range, step: int) -> list[int]:
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


def add_fair(parser: Parser) -> None:
    """Add the arguments of `shutbox fair`."""
    about = gettext("a game, or a match such as cargo-night")
    parser.add_argument("game", metavar="GAME", help=about)
    add_shared(parser, "--seats", "--format", "--anyway", "--json")
    parser.runs(fair, "fair cargo-night", "fair classic --seats 3")


def fair(arguments: argparse.Namespace) -> None:
    """Print each seat's share of the win, for each set of rules that is compared."""
    game, seats = arguments.game, arguments.seats
    progress = ProgressLine(gettext("Solving {game}", game=game))
    found = compared(game, seats, arguments.format, anyway=arguments.anyway, progress=progress)
    lines = chain.from_iterable(map(_seat_lines, found))
    values = [
        {"game": f.match, "shares": f.shares, "gains": f.gains, "payouts": f.payouts} for f in found
    ]
    answer(arguments, chain(lines, _fairest(found)), lambda: values)


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
