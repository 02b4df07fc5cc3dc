"""`shutbox policy`: the best choice of every position of a game, in a file."""

import argparse
from pathlib import Path

from shutbox.analysis.solvers.select import solve
from shutbox.cli.options import add_aim, add_anyway, add_game
from shutbox.cli.output import Told, write
from shutbox.cli.parser import Parser
from shutbox.data_file import check_file
from shutbox.errors import needing
from shutbox.messages import gettext


def add_policy(parser: Parser) -> None:
    """Add the arguments of `shutbox policy`."""
    add_game(parser)
    add_aim(parser)
    add_anyway(parser)
    about = gettext("the file to write, ending in .csv, .jsonl or .parquet")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=about)
    parser.runs(
        policy, "policy classic -o classic.csv", "policy full-house --aim shut -o shut.parquet"
    )


def policy(arguments: argparse.Namespace) -> None:
    """Solve the game, and write a row for each position at which a choice is due."""
    check_file(arguments.output)
    with needing("fast"):
        from shutbox.solver.policy import COLUMNS
    told = Told(gettext("Solving {game}", game=arguments.game))
    solution = solve(arguments.game, None, arguments.aim, anyway=arguments.anyway, progress=told)
    write(arguments.output, COLUMNS, solution.policy().rows())
