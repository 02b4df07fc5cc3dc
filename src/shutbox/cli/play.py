"""`shutbox play` and `shutbox resume`."""

import argparse
import time
from typing import Any

from shutbox import __version__
from shutbox.bots import CHARACTERS, bots_of, read_players, tell_progress
from shutbox.cli.autosave import NOT_KEPT, Keeping
from shutbox.cli.progress import Told
from shutbox.cli.records import find_record
from shutbox.english import capital, listed
from shutbox.errors import BadRecord, NotKept, ShutboxError, UnknownRecord
from shutbox.game import Game, Over
from shutbox.lookup import find_any, game_of, is_match
from shutbox.messages import gettext
from shutbox.record import Source
from shutbox.seats import Seat
from shutbox.store import Store, named
from shutbox.table import Table
from shutbox.table.setup import Sitting, game_for, playable
from shutbox.term import Console, Session, Stopped, pick_game
from shutbox.typed_text import ENDING_WORDS

ALONE = (Seat("Player"),)  # who plays where nobody was named
PLAYERS = "Player,computer:nell"  # who plays a match where Enter is the answer


def play(arguments: argparse.Namespace) -> None:
    """Play until the players have had enough."""
    seats = None if arguments.players is None else read_players(arguments.players)
    # What cannot be is refused before anything is asked.
    bots_of(seats or ALONE)
    if arguments.game is not None:
        playable(find_any(arguments.game, arguments.format or ""), seats or ALONE)
    console = Console(plain=arguments.plain)
    try:
        name = pick_game(console) if arguments.game is None else arguments.game
        if seats is None and (arguments.format is not None or is_match(name)):
            game, seats = _ask_players(console, name, arguments.format)
        else:
            seats = seats or ALONE
            game = game_for(name, seats, arguments.format)
        dice = Source(arguments.dice) if arguments.seed is None else Source("seed", arguments.seed)
        sitting = Sitting.begin(game, seats, dice, **_now())
        _evening(sitting, sitting.table(), _keeping(console, sitting), arguments)
    except Stopped:
        console.say(gettext("Goodbye."))


def resume(arguments: argparse.Namespace) -> None:
    """Go on with a game that was left."""
    store = Store()
    which = find_record(arguments.record, store, unfinished=True)
    reading, journal = store.resume(which, game_of)
    header, record = reading.header, named(which)
    with journal:
        if reading.over is not None:
            raise UnknownRecord("{record} is over; shutbox show tells how it went", record=record)
        playable(reading.game, header.players)
        sitting = Sitting(reading.game, header)
        try:
            table = sitting.table(reading.play.log)
        except BadRecord as error:
            raise BadRecord("{record}: {reason}", record=record, reason=error) from None
        console = Console(plain=arguments.plain)
        console.say(gettext("{record}, begun {begun}.", record=capital(record), begun=header.begun))
        if reading.fault is not None:
            console.say(
                gettext("It is damaged at {place}.", place=reading.fault),
                gettext("It is left as it is; what is before that goes on as a new game."),
            )
        _evening(sitting, table, Keeping(console, journal), arguments)


def _evening(
    sitting: Sitting, table: Table[Any, Any], keeping: Keeping, arguments: argparse.Namespace
) -> None:
    """Play one game, and the same again as long as the players like."""
    tell_progress(table.bots, Told(gettext("Working it out")))
    while True:
        session = Session(
            table,
            keeping.console,
            keep=keeping.keep,
            throws=arguments.throw == "auto",
            players=sitting.header.names,
            hints=arguments.hints,
            coach=arguments.coach,
            progress=Told(gettext("Working it out")),
        )
        try:
            if not session.run():
                return
        finally:
            keeping.close(over=isinstance(table.awaits, Over))
        sitting = sitting.again(table.position, **_now())
        keeping = _keeping(keeping.console, sitting)
        table = sitting.table(bots=table.bots)


def _ask_players(
    console: Console, name: str, format: str | None
) -> tuple[Game[Any, Any], tuple[Seat, ...]]:
    """The match and who plays it, asked until they can. Raises Stopped."""
    each = (
        gettext("{name} ({strength})", name=one.name, strength=one.strength) for one in CHARACTERS
    )
    console.say(gettext("Computer players: {players}.", players=listed(each)))
    ask = gettext(
        "Who plays? Names with commas between them, computer:hobbs for Hobbs; "
        "Enter takes {players}:",
        players=PLAYERS,
    )
    while True:
        answer = console.ask(ask).strip()
        if answer.lower() in ENDING_WORDS:
            raise Stopped
        try:
            seats = read_players(answer or PLAYERS)
            bots_of(seats)
            return game_for(name, seats, format), seats
        except ShutboxError as error:
            console.refuse(error)


def _keeping(console: Console, sitting: Sitting) -> Keeping:
    """Keep the game, unless the user has no place for it."""
    try:
        return Keeping(console, Store().begin(sitting.header, sitting.game))
    except NotKept as error:
        console.refuse(error)
        console.say(gettext(NOT_KEPT))
        return Keeping(console, None)


def _now() -> dict[str, str]:
    """What a header says of the program and the time."""
    begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return {"program": f"shutbox {__version__}", "begun": begun}
