"""`shutbox compare`: strategies against best play, computed exactly."""

import argparse

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import ProgressLine, print_answer
from shutbox.engine.messages import gettext
from shutbox.match import full_title
from shutbox.solving.comparison import compare as compared
from shutbox.solving.comparison import comparison_lines
from shutbox.solving.strategy.following import sheet as sheet_made
from shutbox.table.lookup import find_any


def compare_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox compare`."""
    add_shared(parser, "game", "--aim")
    text = gettext(
        "compare this player instead of all fixed ways to play; can be given several times. It is "
        "one of perfect, fewest, most, highest, first, careful, sheet, random and fixed. The "
        "characters pip, nell, hobbs, odette and abacus are players, too"
    )
    parser.add_argument("--player", action="append", default=[], metavar="PLAYER", help=text)
    add_shared(parser, "--anyway", "--json")
    parser.set_run(compare, "classic", "full-house --player most --player sheet")


def compare(arguments: argparse.Namespace) -> None:
    """Print the values of strategies, or of each `--player`, best first. Raises as `compare`."""
    game = find_any(arguments.game)
    # The spelling of `play --players` is understood, too: computer:fewest.
    names = [text.removeprefix("computer:") for text in arguments.player]
    progress = ProgressLine(gettext("Comparing strategies for {game}", game=full_title(game)))
    comparison = compared(
        *(game, arguments.aim),
        players={name: name for name in names} or None,
        anyway=arguments.anyway,
        progress=progress,
    )
    print_answer(arguments, comparison_lines(comparison, game.card()), comparison.report)


def sheet_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox sheet`."""
    add_shared(parser, "game", "--aim")
    parser.set_run(sheet, "classic", "full-house --aim shut")


def sheet(arguments: argparse.Namespace) -> None:
    """Print a strategy that fits on one sheet of paper. Raises as `shutbox.sheet`."""
    game = find_any(arguments.game)
    title = gettext("{title}.", title=game.card().title)
    print_answer(arguments, [title, *sheet_made(game, arguments.aim).lines])
