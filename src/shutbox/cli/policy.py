"""`shutbox policy`: the best choice of every position of a game, in a file."""

import argparse
from pathlib import Path

from shutbox.analysis.solvers.select import solve
from shutbox.cli.output import write
from shutbox.cli.progress import Told
from shutbox.data_file import check_file
from shutbox.errors import needing
from shutbox.messages import gettext


def policy(arguments: argparse.Namespace) -> None:
    """Solve the game, and write a row for each position at which a choice is due."""
    file = Path(arguments.output)
    check_file(file)
    with needing("fast"):
        from shutbox.solver.policy import COLUMNS
    told = Told(gettext("Solving {game}", game=arguments.game))
    solution = solve(arguments.game, None, arguments.aim, anyway=arguments.anyway, progress=told)
    write(file, COLUMNS, solution.policy().rows())
