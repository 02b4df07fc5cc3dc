"""`shutbox equity` and `fair`: the share of the win at every standing, and of every seat.

A standing of a match of two is the totals of both players, or their difference, as a turn begins.
"""

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from shutbox.analysis.equity.fairness import fair as compared
from shutbox.analysis.equity.match_value import Equity, ShareTable
from shutbox.analysis.equity.wording import fair_lines, multiples, share_lines
from shutbox.cli.output import ProgressLine, answer, print_csv
from shutbox.cli.parser import Parser, add_shared, add_switch
from shutbox.english import number_word
from shutbox.errors import NotUnderstood
from shutbox.lookup import find_any, match_of
from shutbox.match import Match
from shutbox.messages import gettext
from shutbox.seats import unnamed

COLUMNS = ("round", "second", "score", "shut", "mine", "theirs", "difference", "share")


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
    value: dict[str, Any] = {"game": match.name, "unit": "share"}
    value |= {"tables": [table.report() for table in tables], "rule": None}  # no rule of thumb
    answer(arguments, share_lines(match, seen, arguments.step), lambda: value)


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


def _rows(tables: Iterable[ShareTable], step: int) -> Iterator[tuple[object, ...]]:
    """Yield a row of COLUMNS for each standing, with None where a column does not matter."""
    for table in tables:
        turn = table.round, int(table.second), table.score, int(table.shut)
        for mine in multiples(table.mine, step):
            for theirs in [None] if table.theirs is None else multiples(table.theirs, step):
                apart = mine if theirs is None and table.counts else None
                total = mine if theirs is not None else None
                yield *turn, total, theirs, apart, table.at(mine, theirs or 0)


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
    values = [
        {"game": f.match, "shares": f.shares, "gains": f.gains, "payouts": f.payouts} for f in found
    ]
    answer(arguments, fair_lines(found), lambda: values)
