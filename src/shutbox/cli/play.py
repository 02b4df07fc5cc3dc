"""`shutbox play` and `shutbox resume`."""

import argparse
import re
import time
from collections.abc import Sequence
from typing import Any

from shutbox import __version__
from shutbox.bots import bots_of, check_bots, tell_progress
from shutbox.catalogue import find
from shutbox.cli.keeping import NOT_KEPT, Keeping
from shutbox.cli.progress import Told
from shutbox.cli.which import find_record, named
from shutbox.cups import follow
from shutbox.errors import BadRecord, NotKept, ShutboxError, TooLarge, UnknownRecord
from shutbox.game import Game, Over
from shutbox.match import Match
from shutbox.matches import cup_of, find_any, game_of, header_of, is_match, match_of
from shutbox.record import Header, Source
from shutbox.record.source import LONGEST_SEED
from shutbox.seats import Seat, read_seats
from shutbox.store import Journal, Store
from shutbox.table import Table
from shutbox.term import Console, Session, Stopped, pick_game
from shutbox.words import capital

ALONE = (Seat("Player"),)
"""Who plays where nobody was named."""
PLAYERS = "Player,computer"
"""Who plays a match where Enter is the answer."""


def play(arguments: argparse.Namespace) -> None:
    """Play until the players have had enough."""
    seats = None if arguments.players is None else read_seats(arguments.players)
    # What cannot be is refused before anything is asked.
    bots_of(seats or ALONE)
    if arguments.game is not None:
        _playable(find_any(arguments.game, arguments.format or ""), seats or ALONE)
    console = Console(plain=arguments.plain)
    try:
        name = pick_game(console) if arguments.game is None else arguments.game
        if seats is None and (arguments.format is not None or is_match(name)):
            game, seats = _ask_players(console, name, arguments.format)
        else:
            seats = seats or ALONE
            game = _game(name, seats, arguments.format)
        source = (
            Source(arguments.dice) if arguments.seed is None else Source("seed", arguments.seed)
        )
        header = _header(game, seats, source)
        keeping = Keeping(console, _journal(console, header, game))
        table = Table(game, cup_of(source), bots=bots_of(seats), keep=keeping.keep)
        _evening(table, header, console, keeping, arguments)
    except Stopped:
        console.say("Goodbye.")


def resume(arguments: argparse.Namespace) -> None:
    """Go on with a game that was left."""
    store = Store()
    which = find_record(arguments.record, store, unfinished=True)
    reading, journal = store.resume(which, game_of)
    header, game, log = reading.header, reading.game, reading.play.log
    with journal:
        if reading.over is not None:
            raise UnknownRecord(f"{named(which)} is over; shutbox show tells how it went")
        _playable(game, header.players)
        cup, bots = cup_of(header.dice), bots_of(header.players)
        if header.dice.kind == "seed" and (number := follow(cup, game, log)) is not None:
            raise BadRecord(f"{named(which)}: the dice of event {number} are not those of its seed")
        console = Console(plain=arguments.plain)
        console.say(f"{capital(named(which))}, begun {header.begun}.")
        if reading.fault is not None:
            console.say(
                f"It is damaged at {reading.fault}.",
                "It is left as it is; what is before that goes on as a new game.",
            )
        keeping = Keeping(console, journal)
        table = Table(game, cup, log, bots=bots, keep=keeping.keep)
        _evening(table, header, console, keeping, arguments)


def _evening(
    table: Table[Any, Any],
    header: Header,
    console: Console,
    keeping: Keeping,
    arguments: argparse.Namespace,
) -> None:
    """Play one game, and the same again as long as the players like."""
    tell_progress(table.bots, Told("Working it out"))
    players = [seat.name for seat in header.players]
    while _sit_down(table, console, keeping, players, arguments):
        game = table.game.rematch(table.position) if isinstance(table.game, Match) else table.game
        header = _header(game, header.players, _next(header.dice))
        keeping = Keeping(console, _journal(console, header, game))
        table = Table(game, cup_of(header.dice), bots=table.bots, keep=keeping.keep)


def _sit_down(
    table: Table[Any, Any],
    console: Console,
    keeping: Keeping,
    players: list[str],
    arguments: argparse.Namespace,
) -> bool:
    """Play one game; whether another is wanted."""
    session = Session(
        table,
        console,
        throws=arguments.throw == "auto",
        players=players,
        hints=arguments.hints,
        coach=arguments.coach,
        progress=Told("Working it out"),
    )
    try:
        return session.run()
    finally:
        keeping.close(over=isinstance(table.awaits, Over))


def _next(source: Source) -> Source:
    """Where the dice of the next game come from: a seed counts on, from `pub` to `pub 2`.

    So what a record says of its dice is true of it alone.
    """
    if source.kind != "seed":
        return source
    counted = re.fullmatch(r"(.*) ([1-9][0-9]{0,8})", source.seed, re.DOTALL)
    text, number = (counted[1], int(counted[2])) if counted else (source.seed, 1)
    ending = f" {number + 1}"
    return Source("seed", text[: LONGEST_SEED - len(ending)] + ending)


def _ask_players(
    console: Console, name: str, format: str | None
) -> tuple[Game[Any, Any], tuple[Seat, ...]]:
    """The match and who plays it, asked until they can. Raises Stopped."""
    while True:
        answer = console.ask(
            "Who plays? Names with commas between them, computer for a computer player; "
            f"Enter takes {PLAYERS}:"
        ).strip()
        if answer.lower() in ("end", "quit", "exit"):
            raise Stopped
        try:
            seats = read_seats(answer or PLAYERS)
            bots_of(seats)
            return _game(name, seats, format), seats
        except ShutboxError as error:
            console.refuse(error)


def _game(name: str, seats: Sequence[Seat], format: str | None) -> Game[Any, Any]:
    """A match where there is a format or a second player, or else the game alone."""
    if format is None and len(seats) == 1 and not is_match(name):
        return _playable(find(name), seats)
    return _playable(match_of(name, [seat.name for seat in seats], format or ""), seats)


def _playable(game: Game[Any, Any], seats: Sequence[Seat]) -> Game[Any, Any]:
    """The game, unless nobody is there to end it, or a computer player cannot solve it.

    Raises TooLarge.
    """
    check_bots(bots_of(seats), game)
    if game.longest is None and all(seat.computer for seat in seats):
        raise TooLarge(f"{game.name} need never end, so no computer player plays it alone")
    return game


def _journal(console: Console, header: Header, game: Game[Any, Any]) -> Journal | None:
    """Where the game will be kept; None for a user who has no place for it."""
    try:
        return Store().begin(header, game)
    except NotKept as error:
        console.refuse(error)
        console.say(NOT_KEPT)
        return None


def _header(game: Game[Any, Any], seats: Sequence[Seat], source: Source) -> Header:
    begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return header_of(game, seats, source, program=f"shutbox {__version__}", begun=begun)
