"""The commands `shutbox odds` and `policy`: what games are worth, and how to play them."""

import argparse
from pathlib import Path
from typing import Any

from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import ProgressLine, answer, check_plot, plot_scores, write
from shutbox.engine.errors import BadFormat, NotUnderstood, needing
from shutbox.engine.game import Game, position_text
from shutbox.engine.messages import gettext
from shutbox.engine.seats import MOST_SEATS, unnamed
from shutbox.match import Match
from shutbox.output.results import check_file
from shutbox.solving.odds import match_odds, odds_lines
from shutbox.solving.odds import odds as odds_found
from shutbox.solving.solvers import solve
from shutbox.table.lookup import find_any, find_position, match_of


def odds_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox odds`."""
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml; "
        "a match such as pub; or a position of either"
    )
    parser.add_argument("game", metavar="GAME", help=about)
    about = gettext(
        "mean, shut, worst-shut, or beat:T for a score to beat (default: mean); in a match "
        "win or chips"
    )
    parser.add_argument("--aim", metavar="AIM", help=about)
    about = gettext("from this position on, such as 1.5.9/2+2")
    parser.add_argument("--at", metavar="POSITION", help=about)
    add_shared(parser, "--seats", "--format", "--anyway")
    printed = parser.add_argument_group(gettext("how it is printed"))
    add_switch(printed, "--exact", gettext("exact fractions, nothing rounded"))
    about = gettext("draw the final scores into an SVG, PNG or PDF file")
    printed.add_argument("--plot", metavar="FILE", help=about)
    add_shared(printed, "--json")
    parser.runs(
        odds,
        "classic",
        "full-house --aim shut --exact",
        "classic --at 1.5.9/2+2",
        "pub --aim win --seats 3",
    )


def odds(arguments: argparse.Namespace) -> None:
    """Print the odds of a game, whose scores `--plot` draws, or those of all seats of a match."""
    game, position = _place_of(arguments)
    if isinstance(game, Match):
        _of_match(arguments, game, position)
        return
    if arguments.plot is not None:
        check_plot(arguments.plot)
    aim, exact = "mean" if arguments.aim is None else arguments.aim, arguments.exact
    progress = ProgressLine(gettext("Solving {game} for {aim}", game=game.name, aim=aim))
    found = odds_found(game, position, aim, exact=exact, anyway=arguments.anyway, progress=progress)
    if arguments.plot is not None:
        if not found.distribution:
            raise NotUnderstood("--plot: the scores of so large a box are not computed")
        plot_scores(found.title, found.distribution, arguments.plot)
    answer(arguments, odds_lines(found, exact=exact), found.report)


def _place_of(arguments: argparse.Namespace) -> tuple[Game[Any, Any], Any]:
    """Return the game or match, and the position of its odds. Refuse bad arguments."""
    if arguments.seats is None and arguments.format is None:
        game, position = find_position(arguments.game)
    else:
        seats = 2 if arguments.seats is None else arguments.seats
        if not 1 <= seats <= MOST_SEATS:
            facts = {"number": seats, "most": MOST_SEATS}
            raise BadFormat(
                "--seats", (gettext("{number} players; 1 to {most} can play", **facts),)
            )
        game = match_of(arguments.game, unnamed(seats), arguments.format or "")
        position = game.start()
    if arguments.at is not None:
        if position != game.start():
            raise NotUnderstood("--at: the game is given with a position already")
        name, colon, id = arguments.at.rpartition(":")
        if colon and find_any(name).name != game.name:
            here = game.name
            raise NotUnderstood("--at: {name} is another game than {game}", name=name, game=here)
        position = game.position_at(id)
    return game, position


def _of_match(arguments: argparse.Namespace, match: "Match[Any, Any]", position: Any) -> None:
    # Imported here, because the odds of a single turn do not need them.
    from shutbox.solving.equity.last_round import match_lines

    if arguments.plot is not None:
        raise NotUnderstood("--plot draws the odds of one player; this is a match")
    aim = "win" if arguments.aim is None else arguments.aim
    how = {"exact": arguments.exact, "anyway": arguments.anyway}
    progress = ProgressLine(gettext("Solving {game}", game=match.name))
    outlook = match_odds(match, position, aim, **how, progress=progress)
    value = {
        "game": match.name,
        "aim": aim,
        "position": position_text(match, position),
        "shares": outlook.shares,
        "chips": outlook.gains(match) if match.format.stake else None,
    }
    lines = match_lines(match, position, aim, outlook, exact=arguments.exact)
    answer(arguments, lines, lambda: value)


def policy_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox policy`."""
    add_shared(parser, "game", "--aim", "--anyway")
    about = gettext("the file to write, ending in .csv")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=about)
    parser.runs(policy, "classic -o classic.csv", "full-house --aim shut -o shut.csv")


def policy(arguments: argparse.Namespace) -> None:
    """Write a row to `--output` for each position with a choice: the best; needs extra `fast`."""
    check_file(arguments.output)
    with needing("fast"):
        from shutbox.solving.policy import Policy
    line = ProgressLine(gettext("Solving {game}", game=arguments.game))
    solution = solve(arguments.game, None, arguments.aim, anyway=arguments.anyway, progress=line)
    write(arguments.output, Policy.COLUMNS, solution.policy().rows())
