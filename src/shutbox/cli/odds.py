"""The commands about what games, choices and standings are worth.

They are `shutbox odds`, `policy`, `advise`, `equity` and `fair`. A standing of a match of two is
the totals of both players, or their difference, as a turn begins.
"""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from shutbox.analysis.advice.adviser import advise as advised
from shutbox.analysis.advice.ranking import Advice, ranked_words
from shutbox.analysis.equity.fairness import fair as compared
from shutbox.analysis.equity.fairness import fair_lines
from shutbox.analysis.equity.last_round import match_lines
from shutbox.analysis.equity.match_value import Equity, answers_at, needs_whole
from shutbox.analysis.equity.share_table import ShareTable, draw_shares, multiples, share_lines
from shutbox.analysis.odds import draw_odds, draw_openings, odds_lines
from shutbox.analysis.odds import odds as odds_found
from shutbox.analysis.solvers.select import solve
from shutbox.analysis.wording import aim_words
from shutbox.cli.commands import Parser, add_shared, add_switch
from shutbox.cli.output import ProgressLine, answer, check_plot, plot, print_csv, write
from shutbox.english import number_word
from shutbox.errors import BadFormat, NotUnderstood, needing
from shutbox.game import Game, RuleCard, position_text
from shutbox.lookup import find_any, find_position, match_of
from shutbox.match import Match
from shutbox.messages import gettext
from shutbox.results import check_file
from shutbox.seats import MOST_SEATS, unnamed


def add_odds(parser: Parser) -> None:
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
    about = gettext("draw the odds into an SVG, PNG or PDF file")
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
    """Print the odds of a game, which `--plot` also draws, or the odds of all seats of a match."""
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
        # For very large boxes the scores are not computed.
        panels = [draw_odds] * bool(found.distribution) + [draw_openings] * bool(found.openings)
        plot(found.title, 7.5 if panels[1:] else 4.2, panels, found, arguments.plot)
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
    if arguments.plot is not None:
        raise NotUnderstood("--plot draws the odds of one player; this is a match")
    aim = "win" if arguments.aim is None else arguments.aim
    if aim not in ("win", "chips"):
        raise NotUnderstood("in a match everybody plays to win: --aim is win or chips")
    if aim == "chips" and not match.format.stake:
        raise NotUnderstood("--aim chips: nobody plays for chips here; add a stake to the format")
    progress = ProgressLine(gettext("Solving {game}", game=match.name))
    if arguments.exact and needs_whole(match, position):
        raise NotUnderstood("--exact: a match is solved in exact fractions in its last round only")
    answers = answers_at(match, position, aim, anyway=arguments.anyway, progress=progress)
    outlook = answers.outlook(position)
    value = {
        "game": match.name,
        "aim": aim,
        "position": position_text(match, position),
        "shares": outlook.shares,
        "chips": outlook.gains(match) if match.format.stake else None,
    }
    lines = match_lines(match, position, aim, outlook, exact=arguments.exact)
    answer(arguments, lines, lambda: value)


def add_policy(parser: Parser) -> None:
    """Add the arguments of `shutbox policy`."""
    add_shared(parser, "game", "--aim", "--anyway")
    about = gettext("the file to write, ending in .csv")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE", help=about)
    parser.runs(policy, "classic -o classic.csv", "full-house --aim shut -o shut.csv")


def policy(arguments: argparse.Namespace) -> None:
    """Write a row to `--output` for each position with a choice: the best; needs extra `fast`."""
    check_file(arguments.output)
    with needing("fast"):
        from shutbox.solver.policy import Policy
    line = ProgressLine(gettext("Solving {game}", game=arguments.game))
    solution = solve(arguments.game, None, arguments.aim, anyway=arguments.anyway, progress=line)
    write(arguments.output, Policy.COLUMNS, solution.policy().rows())


def add_advise(parser: Parser) -> None:
    """Add the arguments of `shutbox advise`."""
    about = gettext("such as classic:1-9/3+5 or classic 2 5 8 9 3+4, or one of a match")
    parser.add_argument("position", nargs="+", metavar="POSITION", help=about)
    add_shared(parser, "--aim", default=None)
    about = gettext("the best score so far")
    parser.add_argument("--to-beat", type=int, metavar="SCORE", help=about)
    about = gettext("how many players are still to come")
    parser.add_argument("--after", type=int, metavar="N", help=about)
    add_shared(parser, "--format", "--anyway", "--json")
    parser.runs(advise, "classic 2 5 8 9 3+4", "classic:1-9/3+5 --to-beat 8 --after 2")


def advise(arguments: argparse.Namespace) -> None:
    """Print every choice of a position, or of a turn in a match, best first, and say why."""
    game, position = find_position(position_of(*arguments.position))
    found = advised(
        game,
        position,
        arguments.aim,
        to_beat=arguments.to_beat,
        after=arguments.after or 0,
        format=arguments.format,
        anyway=arguments.anyway,
        progress=ProgressLine(gettext("Solving {game}", game=game.name)),
    )
    answer(arguments, _ranked_lines(found, game.card()), found.report)


def position_of(game: str, *seen: str) -> str:
    """Return the notation of a position from tiles and roll as words; without any, `game` itself.

    >>> position_of("classic", "2", "5,8", "9", "3+4")
    'classic:2.5.8.9/3+4'
    """
    words = " ".join(seen).replace(",", " ").split()
    if not words:
        return game
    is_roll = "+" in words[-1] or words[-1].startswith("/")  # the roll of one die is /3
    roll = f"/{words.pop().removeprefix('/')}" if is_roll else ""
    return f"{game}:{'.'.join(words)}{roll}"


def _ranked_lines(found: Advice, card: RuleCard) -> Iterator[str]:
    aim = aim_words(found.aim, card)
    yield gettext("{position}, played {aim}.", position=found.position, aim=aim)
    if found.aim == "win" and found.standing is not None:
        yield gettext("{standing}.", standing=found.standing.words())
    yield from (ranked_words(found.aim, ranked, card) for ranked in found.ranked)
    if found.why:
        yield found.why


STANDINGS = ("round", "second", "score", "shut", "mine", "theirs", "difference", "share")


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
    parser.runs(equity, "race-200 --csv > race.csv", "classic --format rounds=3")


def equity(arguments: argparse.Namespace) -> None:
    """Print the shares of the win at all standings as text, JSON or CSV; `--plot` draws them."""
    match = _match_of_two(arguments)
    if arguments.step is not None and arguments.step < 1:
        raise NotUnderstood("--step: {step} is not 1 or more", step=arguments.step)
    if arguments.csv and arguments.json:
        raise NotUnderstood("--csv or --json, not both")
    if arguments.plot is not None:
        check_plot(arguments.plot)
    progress = ProgressLine(gettext("Solving {game}", game=match.name))
    solved = Equity(match, anyway=arguments.anyway, progress=progress)
    options = {"second": arguments.second, "score": arguments.score, "shut": arguments.shut}
    tables = solved.tables(arguments.round, **options)
    # A table of both totals fills the screen, so only one round is shown.
    seen = tables if tables[0].theirs is None else tables[-1:]
    if arguments.plot is not None:
        plot(match.card().title, 6.5, [draw_shares], seen, arguments.plot)
    if arguments.csv:
        asked = arguments.round is not None or arguments.second
        rows = _rows(tables if asked else solved.every_table(), arguments.step or 1)
        print_csv(STANDINGS, rows)
        return
    value: dict[str, Any] = {"game": match.name, "unit": "share"}
    value |= {"tables": [table.report() for table in tables], "rule": None}  # no rule of thumb
    answer(arguments, share_lines(match, seen, arguments.step), lambda: value)


def _match_of_two(arguments: argparse.Namespace) -> "Match[Any, Any]":
    """Return the match that the arguments name. Raises NotUnderstood unless it has two players."""
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
        facts = {"name": match.name, "players": number_word(len(match.players))}
        raise NotUnderstood("{name}: the table is one of two players, not {players}", **facts)
    return match


def _rows(tables: Iterable[ShareTable], step: int) -> Iterator[tuple[object, ...]]:
    """Yield rows of the columns STANDINGS, `step` points apart; None where one does not matter."""
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
    parser.runs(fair, "cargo-night", "classic --seats 3")


def fair(arguments: argparse.Namespace) -> None:
    """Print each seat's share of the win in every format that `shutbox.fair` examines."""
    game, seats = arguments.game, arguments.seats
    progress = ProgressLine(gettext("Solving {game}", game=game))
    found = compared(game, seats, arguments.format, anyway=arguments.anyway, progress=progress)
    values = [
        {"game": f.match, "shares": f.shares, "gains": f.gains, "payouts": f.payouts} for f in found
    ]
    answer(arguments, fair_lines(found), lambda: values)
