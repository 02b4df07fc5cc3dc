"""`shutbox fair`: the rules that are fair to every seat."""

import argparse

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import ProgressLine, print_answer
from shutbox.engine.messages import gettext
from shutbox.solving.equity.fairness import fair as compared
from shutbox.solving.equity.fairness import fair_lines


def fair_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox fair`."""
    add_shared(parser, "game", "--seats", "--format", "--anyway", "--json")
    parser.set_run(fair, "cargo-night", "classic --seats 3")


def fair(arguments: argparse.Namespace) -> None:
    """Print the shares of the win in each format that `shutbox.fair` returns. Raises as that."""
    game, seats = arguments.game, arguments.seats
    progress = ProgressLine(gettext("Solving {game}", game=game))
    formats = compared(game, seats, arguments.format, anyway=arguments.anyway, progress=progress)
    values = [
        {"game": f.match, "shares": f.shares, "gains": f.gains, "payouts": f.payouts}
        for f in formats
    ]
    print_answer(arguments, fair_lines(formats), lambda: values)
