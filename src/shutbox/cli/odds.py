"""The commands `shutbox odds` and `policy`: what games are worth, and how to play them."""

import argparse
from pathlib import Path
from typing import Any

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import check_plot, plot_scores, print_answer, solving_progress, write_csv
from shutbox.engine.errors import NotUnderstood, needing
from shutbox.engine.game import Game, position_text
from shutbox.engine.messages import gettext
from shutbox.match import Match
from shutbox.output.results import check_csv_name
from shutbox.solving.odds import odds as odds_found
from shutbox.solving.odds import odds_lines
from shutbox.solving.solvers import solve
from shutbox.table.lookup import find_any, find_position, match_of


def odds_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox odds`."""
    add_shared(parser, "game")
    add_shared(parser, "--aim", default=None)
    text = gettext("from this position on, such as 1.5.9/2+2")
    parser.add_argument("--at", metavar="POSITION", help=text)
    add_shared(parser, "--seats", "--format", "--anyway")
    printed = parser.add_argument_group(gettext("how it is printed"))
    add_switch(printed, "--exact", gettext("exact fractions, nothing rounded"))
    text = gettext("draw the final scores into an SVG, PNG or PDF file")
    printed.add_argument("--plot", metavar="FILE", help=text)
    add_shared(printed, "--json")
    parser.set_run(
        odds,
        "classic",
        "full-house --aim shut --exact",
        "classic --at 1.5.9/2+2",
        "pub --aim win --seats 3",
    )


def odds(arguments: argparse.Namespace) -> None:
    """Print the odds of a game, whose scores `--plot` draws, or those of all seats of a match."""
    game, position = _place_of(arguments)
    exact, plot, is_match = arguments.exact, arguments.plot, isinstance(game, Match)
    if plot is not None:
        if is_match:
            raise NotUnderstood("--plot draws the odds of one player; this is a match")
        check_plot(plot)
    aim = arguments.aim or ("win" if is_match else "mean")
    how = {"exact": exact, "anyway": arguments.anyway, "progress": solving_progress(game)}
    result: Any = odds_found(game, position, aim, **how)
    if isinstance(game, Match):
        from shutbox.solving.equity.last_round import match_lines  # one turn does not need it

        value = {
            "game": game.name,
            "aim": aim,
            "position": position_text(game, position),
            "shares": result.shares,
            "chips": result.gains(game) if game.format.stake else None,
        }
        print_answer(
            arguments, match_lines(game, position, aim, result, exact=exact), lambda: value
        )
        return
    if plot is not None:
        if not result.distribution:
            raise NotUnderstood("--plot: the scores of so large a box are not computed")
        plot_scores(result.title, result.distribution, plot)
    print_answer(arguments, odds_lines(result, exact=exact), result.report)


def _place_of(arguments: argparse.Namespace) -> tuple[Game[Any, Any], Any]:
    """Return the game or match, and the position of its odds. Refuse bad arguments."""
    place = arguments.game
    if arguments.seats is not None or arguments.format is not None:
        seats = 2 if arguments.seats is None else arguments.seats
        place = match_of(place, seats, arguments.format or "")
    game, position = find_position(place)
    if arguments.at is None:
        return game, position
    if position != game.start():
        raise NotUnderstood("--at: the game is given with a position already")
    return find_position(game, arguments.at)


def policy_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox policy`."""
    add_shared(parser, "game", "--aim", "--anyway")
    text = gettext("the file to write, ending in .csv")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=text)
    parser.set_run(policy, "classic -o classic.csv", "full-house --aim shut -o shut.csv")


def policy(arguments: argparse.Namespace) -> None:
    """Write a row to `--output` for each position with a choice: the best; needs extra `fast`."""
    check_csv_name(arguments.output)
    with needing("fast"):
        from shutbox.solving.policy import Policy
    game = find_any(arguments.game)
    solution = solve(
        game, None, arguments.aim, anyway=arguments.anyway, progress=solving_progress(game)
    )
    write_csv(arguments.output, Policy.COLUMNS, solution.policy().rows())
