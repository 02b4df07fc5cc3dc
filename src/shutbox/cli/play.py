"""`shutbox play` and `shutbox resume`: games at the terminal."""

import argparse
from dataclasses import replace

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.evening import ALONE, Evening
from shutbox.cli.records import find_record
from shutbox.cli.settings import PlaySettings, add_console_options
from shutbox.engine.messages import gettext, pgettext
from shutbox.record import Source
from shutbox.record.folder import Store
from shutbox.table.bots import bots_of
from shutbox.table.lookup import find_any
from shutbox.table.setup import check_playable
from shutbox.table.terms import read_typed_terms
from shutbox.term.menu import pick_game


def play_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox play`."""
    add_shared(parser, "game", nargs="?")
    # Translators: heading of the options on players and on stakes.
    seating = parser.add_argument_group(gettext("who plays, and for what"))
    text = gettext(
        "who plays: names with commas; a computer player is computer, or computer:KIND. The kinds "
        "are pip, nell, hobbs, odette and abacus; perfect, sheet, careful, fewest, most, highest, "
        "first, random and fixed. Or in words: me and two computers"
    )
    seating.add_argument("--players", metavar="NAMES", help=text)
    text = gettext(
        "how turns become a match, such as rounds=5,begins=high-roll,stake=1. The atoms are "
        "rounds, wins, target, limit, until, turns, stuck, shut, order, begins, end, stake, bonus, "
        "pays, ties, purse. Or in words: best of 3, 2 chips, one throw each"
    )
    seating.add_argument("--format", metavar="ATOMS", help=text)
    dice = parser.add_argument_group(
        pgettext("heading of options", "the dice")
    ).add_mutually_exclusive_group()
    text = gettext("the operating system's dice, or your own that you type in (default: system)")
    dice.add_argument("--dice", choices=("system", "hand"), default="system", help=text)
    text = gettext("the same text always gives the same dice")
    dice.add_argument("--seed", metavar="TEXT", help=text)
    add_console_options(parser)
    parser.set_run(
        play,
        "classic",
        "pub --players Ann,Bob",
        "'classic(fewer=must-top)' --players Ann,computer:perfect --coach",
        "cargo --dice hand",
    )


def resume_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox resume`."""
    text = gettext(
        "the number of a game of your own, or a file; without it, the newest that is not over"
    )
    parser.add_argument("record", nargs="?", metavar="RECORD", help=text)
    add_console_options(parser)
    parser.set_run(resume, "", "7")


def today_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox today`."""
    add_console_options(parser)
    parser.set_run(today, "")


def play(arguments: argparse.Namespace) -> None:
    """Play the game named, or what is picked on the first screen, until the players stop."""
    terms, in_words = read_typed_terms(arguments.game, arguments.players, arguments.format or "")
    # Refuse impossible players and games before the first question.
    seats = terms.seats or ALONE
    bots_of(seats)
    if arguments.game is not None:
        check_playable(find_any(arguments.game, terms.format), seats)
    dice = Source(arguments.dice) if arguments.seed is None else Source("seed", arguments.seed)
    evening = Evening(PlaySettings.of(arguments), dice)
    if terms.game or in_words:
        evening.run(lambda: evening.play(terms, in_words=in_words))
    elif terms.seats or arguments.format:
        evening.run(lambda: evening.play(replace(terms, game=pick_game(evening.console))))
    else:
        evening.run(evening.play_from_menu)


def resume(arguments: argparse.Namespace) -> None:
    """Continue a game that is not over, and play on until the players stop.

    Raises as `Evening.resume`.
    """
    which = find_record(arguments.record, Store(), unfinished=True)
    evening = Evening(PlaySettings.of(arguments))
    evening.run(lambda: evening.resume(which))


def today(arguments: argparse.Namespace) -> None:
    """Play the box of the day; if tried, continue, or say the result. Raises as `resume`."""
    evening = Evening(PlaySettings.of(arguments))
    evening.run(evening.play_today)
