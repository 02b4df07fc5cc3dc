"""`shutbox play` and `shutbox resume`: games at the terminal, from the first screen to the end."""

import argparse
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from shutbox import __version__
from shutbox.bots import bots_of, players_text, read_back, read_players, tell_progress
from shutbox.cli.consoles import add_telling, console_of, keep_options, with_kept_options
from shutbox.cli.output import ProgressLine
from shutbox.cli.parser import Parser
from shutbox.cli.records import AnyReading, find_record, waiting
from shutbox.english import capital, listed, shown
from shutbox.errors import BadRecord, InUse, NotInstalled, NotKept, ShutboxError, UnknownRecord
from shutbox.game import Game, Over
from shutbox.games.traits import traits_of
from shutbox.lookup import find_any, game_of, is_match
from shutbox.match import Match
from shutbox.messages import gettext, gettext_noop
from shutbox.narrator import Length
from shutbox.play import Prepared
from shutbox.record import Source
from shutbox.seats import COMPUTER, Seat
from shutbox.store import Journal, Store, Which, named
from shutbox.table import Table
from shutbox.table.setup import Sitting, game_for, playable
from shutbox.term import Console, Session, Stopped, Wish
from shutbox.term.keys import Pauses
from shutbox.term.menu import Picked, Thing, first_screen, pick_game

RESUME = "SHUTBOX_RESUME"  # variable: the command to suggest for resuming a game
NOT_KEPT = gettext_noop("Play on; this game is not being saved.")
ALONE = (Seat("Player"),)  # the players if none are named
PLAYERS = "Player,computer:nell"  # the players of a match if Enter is the answer
LOOKED_AT = 5  # games that the first screen checks for one that waits; each takes a moment
COMPARED = 100  # newest games to compare a score with; each takes a moment
SERVE = "SHUTBOX_SERVE"  # variable: the command to suggest for installing and starting the server
FRIENDS = "Player 1,Player 2"  # the players among friends if Enter is the answer


def add_play(parser: Parser) -> None:
    """Add the arguments of `shutbox play`."""
    about = gettext(
        "a name such as classic or 'classic(fewer=must-top)', or a file such as ./mine.toml, "
        "or a match such as pub; without it, the first screen"
    )
    parser.add_argument("game", nargs="?", metavar="GAME", help=about)
    who = parser.add_argument_group(gettext("who plays, and for what"))
    about = gettext(
        "who plays: names with commas; a computer player is computer, or computer:KIND. The kinds "
        "are pip, nell, hobbs, odette and abacus; perfect, sheet, careful, fewest, most, highest, "
        "first, random and fixed"
    )
    who.add_argument("--players", metavar="NAMES", help=about)
    about = gettext(
        "how turns become a match, such as rounds=5,begins=high-roll,stake=1; the atoms are "
        "rounds, target, limit, until, shut, order, begins, end, stake, bonus, ties, purse"
    )
    who.add_argument("--format", metavar="ATOMS", help=about)
    dice = parser.add_argument_group(gettext("the dice")).add_mutually_exclusive_group()
    about = gettext("the operating system's dice, or your own that you type in (default: system)")
    dice.add_argument("--dice", choices=("system", "hand"), default="system", help=about)
    about = gettext("the same text always gives the same dice")
    dice.add_argument("--seed", metavar="TEXT", help=about)
    add_telling(parser)
    parser.runs(
        play,
        "play classic",
        "play pub --players Ann,Bob",
        "play 'classic(fewer=must-top)' --players Ann,computer:perfect --coach",
        "play cargo --dice hand",
    )


def add_resume(parser: Parser) -> None:
    """Add the arguments of `shutbox resume`."""
    about = gettext(
        "the number of a game of your own, or a file; without it, the newest that is not over"
    )
    parser.add_argument("record", nargs="?", metavar="RECORD", help=about)
    add_telling(parser)
    parser.runs(resume, "resume", "resume 7")


def play(arguments: argparse.Namespace) -> None:
    """Play games until the players stop."""
    typed, seats = arguments.players, None
    if typed is not None:
        players = players_text(typed)
        seats = read_players(players)
    # Refuse impossible players and games before the first question.
    bots_of(seats or ALONE)
    name = arguments.game
    if name is not None:
        playable(find_any(name, arguments.format or ""), seats or ALONE)
    console = console_of(arguments)
    if seats and players != typed:  # the typed names were interpreted, so say how
        console.say(read_back(seats))
    try:
        if name is None and (seats or arguments.format):
            name = pick_game(console)
        after = Wish.MENU if name is None else _play(console, arguments, name, seats)
        while after is Wish.MENU:
            after = _from_menu(console, arguments)
    except Stopped:
        console.say(gettext("Goodbye."))


def resume(arguments: argparse.Namespace) -> None:
    """Continue a game that is not over, and play on until the players stop."""
    which = find_record(arguments.record, Store(), unfinished=True)
    console = console_of(arguments)
    try:
        after = _resume(console, arguments, which)
        while after is Wish.MENU:
            after = _from_menu(console, arguments)
    except Stopped:
        console.say(gettext("Goodbye."))


def _from_menu(console: Console, arguments: argparse.Namespace) -> Wish:
    """Show the first screen and do what is picked; return what the players want next.

    A refusal is printed. Raises Stopped.
    """
    left = None
    with suppress(InUse, NotKept, UnknownRecord):
        left = waiting(Store(), LOOKED_AT)
    picked = first_screen(console, "" if left is None else _told(left[1]))
    try:
        if picked.thing is Thing.RESUME and left is not None:
            return _resume(console, arguments, left[0])
        return _do(console, arguments, picked)
    except ShutboxError as error:
        console.refuse(error)
        return Wish.MENU


def _do(console: Console, arguments: argparse.Namespace, picked: Picked) -> Wish:
    """Do what is picked, except resuming a game; return what the players want next.

    Raises Stopped, and any refusal.
    """
    match picked.thing:
        case Thing.MORE:
            name = pick_game(console)
            return Wish.MENU if name is None else _play(console, arguments, name, None)
        case Thing.DICE:
            return _begin(console, arguments, find_any(picked.name), ALONE, Source("hand"))
        case Thing.COMPUTER | Thing.FRIENDS:
            from shutbox.term.seating import ask_name, ask_players, ask_rival, ask_terms

            if picked.thing is Thing.COMPUTER:
                rival = f"{COMPUTER}:{picked.rival}" if picked.rival else ask_rival(console)
                seats = read_players(f"{ask_name(console)},{rival}")
            else:
                _, seats = ask_players(console, picked.name, None, FRIENDS)
            return _begin(console, arguments, ask_terms(console, seats), seats)
        case Thing.BROWSER | Thing.PRACTICE:
            from shutbox.cli.main import run_command  # here, because it imports this module

            if picked.thing is Thing.BROWSER:
                try:
                    with suppress(KeyboardInterrupt):  # Ctrl-C stops only the server
                        run_command(["serve"])
                except NotInstalled as error:
                    if not error.extra:
                        raise
                    command = os.environ.get(SERVE, f"pip install 'shutbox[{error.extra}]'")
                    raise NotInstalled(
                        "the browser table is not installed here; to get it, quit and type "
                        "{command}",
                        command=command,
                    ) from None
                return Wish.MENU
            run_command(["practice", picked.name, *["--plain"] * arguments.plain])
            return Wish.QUIT
    return _play(console, arguments, picked.name, None)


def _play(
    console: Console, arguments: argparse.Namespace, name: str, seats: Sequence[Seat] | None
) -> Wish:
    """Play the game `name`; if it is a match and `seats` is None, ask who plays. Raises Stopped."""
    if seats is None and (arguments.format is not None or is_match(name)):
        from shutbox.term.seating import ask_players  # a solo game starts faster without it

        game, seats = ask_players(console, name, arguments.format, PLAYERS)
    else:
        seats = seats or ALONE
        game = game_for(name, seats, arguments.format)
    return _begin(console, arguments, game, seats)


def _begin(
    console: Console,
    arguments: argparse.Namespace,
    game: Game[Any, Any],
    seats: Sequence[Seat],
    dice: Source | None = None,
) -> Wish:
    """Play a new game, with the dice of the command line unless others are given."""
    if dice is None and arguments.seed is not None:
        dice = Source("seed", arguments.seed)
    sitting = Sitting.begin(game, seats, dice or Source(arguments.dice), **_now())
    return _evening(sitting, sitting.table(), _Keeping.begin(console, sitting), arguments)


def _resume(console: Console, arguments: argparse.Namespace, which: Which) -> Wish:
    """Continue a record. Raises UnknownRecord if its game is over, and BadRecord."""
    reading, journal = Store().resume(which, game_of)
    header, record = reading.header, named(which)
    if journal.path is not None:
        arguments = with_kept_options(journal.path, arguments)
    with journal:
        if reading.over is not None:
            raise UnknownRecord("{record} is over; shutbox show tells how it went", record=record)
        playable(reading.game, header.players)
        sitting = Sitting(reading.game, header)
        try:
            table = sitting.table(reading.play.log)
        except BadRecord as error:
            raise BadRecord("{record}: {reason}", record=record, reason=error) from None
        console.say(gettext("{record}, begun {begun}.", record=capital(record), begun=header.begun))
        if reading.fault is not None:
            console.say(
                gettext("It is damaged at {place}.", place=reading.fault),
                gettext("It stays as it is; what comes before that continues as a new game."),
            )
        return _evening(sitting, table, _Keeping(console, journal), arguments)


class _Keeping:
    """The storage of a running game. If there is none from the start, it is played unsaved.

    If a later write fails, the player is asked, so that no saved game is lost unnoticed.
    """

    def __init__(self, console: Console, journal: Journal | None) -> None:
        self.console = console
        self.journal = journal

    @classmethod
    def begin(cls, console: Console, sitting: Sitting) -> "_Keeping":
        """Begin to save a new game; if that fails, say so and play it unsaved."""
        try:
            return cls(console, Store().begin(sitting.header, sitting.game))
        except NotKept as error:
            console.refuse(error)
            console.say(gettext(NOT_KEPT))
            return cls(console, None)

    def keep(self, prepared: Prepared[Any, Any]) -> None:
        """Save an event before it is applied; if that fails, ask. Raises Stopped for "end".

        If there is no record yet, it does not ask, but says that the game is played unsaved.
        """
        while (journal := self.journal) is not None:
            try:
                journal.keep(prepared.number, prepared.seat, prepared.event)
                return
            except NotKept as error:
                self.console.refuse(error)
            if journal.path is None:
                self.console.say(gettext(NOT_KEPT))
                self.journal = None
                return
            ask = gettext("Enter tries again, no goes on without saving, end stops:")
            while answer := self.console.answer(ask):
                if answer.lower() == "no":
                    self.close(over=False)
                    return
                self.console.say(gettext("{text} is not understood.", text=shown(answer)))

    def close(self, *, over: bool) -> None:
        """Close the record; if the game is not over, say how to continue it."""
        journal, self.journal = self.journal, None
        if journal is not None:
            journal.close()
        if over or journal is None or journal.path is None:
            return
        which = named(journal.path if journal.id is None else journal.id)
        if not journal.path.exists():
            self.console.say(gettext("{record} is no longer on the disk.", record=capital(which)))
            return
        again = os.environ.get(RESUME, f"shutbox resume {journal.id or journal.path}")
        facts = {"record": which, "command": again}
        self.console.say(gettext("Saved as {record}; {command} continues it.", **facts))


def _evening(
    sitting: Sitting, table: Table[Any, Any], keeping: _Keeping, arguments: argparse.Namespace
) -> Wish:
    """Play a game, and repeat it while the players wish. Return what they want next."""
    tell_progress(table.bots, ProgressLine(gettext("Working it out")))
    while True:
        session = Session(
            table,
            keeping.console,
            keep=keeping.keep,
            throws=_throws(arguments.throw, keeping.console, sitting.game),
            players=sitting.header.names,
            hints=arguments.hints,
            coach=arguments.coach,
            length=Length(arguments.length),
            progress=ProgressLine(gettext("Working it out")),
            pauses=Pauses.at(arguments.pace) if keeping.console.interactive else Pauses(0),
            afterwards=partial(_beside_others, sitting, table, keeping),
        )
        try:
            after = session.run()
        finally:
            over = isinstance(table.awaits, Over)
            if keeping.journal is not None and (path := keeping.journal.path) is not None:
                keep_options(path, None if over else arguments)
            keeping.close(over=over)
        if after is not Wish.AGAIN:
            return after
        sitting = sitting.again(table.position, **_now())
        keeping = _Keeping.begin(keeping.console, sitting)
        table = sitting.table(bots=table.bots)


def _beside_others(sitting: Sitting, table: Table[Any, Any], keeping: _Keeping) -> Iterable[str]:
    """Return sentences that compare a solo score with the player's earlier ones, or nothing."""
    over, seats = table.awaits, sitting.header.players
    if not isinstance(over, Over) or len(seats) > 1 or table.start != table.game.start():
        return ()
    from shutbox.stats.wording import beside_earlier  # a game starts faster without it

    this = None if keeping.journal is None else keeping.journal.id
    return beside_earlier(table.game, over.scores[0], seats[0].name, _earlier(this))


def _earlier(this: int | None) -> Iterator[AnyReading]:
    """Yield the newest records except number `this`; unreadable ones are silently skipped."""
    with suppress(ShutboxError):
        store = Store()
        for id in [id for id in store.ids() if id != this][-COMPARED:]:
            with suppress(ShutboxError):
                yield store.read(id, game_of)


def _told(reading: AnyReading) -> str:
    """Return a sentence for the first screen about the game that waits."""
    title, names = reading.game.card().title, reading.header.names
    if len(names) < 2:
        return gettext("Your game of {title} waits.", title=title)
    return gettext("A game of {title} waits: {names}.", title=title, names=listed(names))


def _throws(asked: str | None, console: Console, game: Game[Any, Any]) -> bool:
    """Whether dice are thrown without Enter; `asked` is the value of `--throw`.

    If it is None they are, except at a terminal in a game whose traits say that rolls wait.
    """
    if asked is not None:
        return asked == "auto"
    turn = game.game if isinstance(game, Match) else game
    return not (console.interactive and traits_of(turn).waits)


def _now() -> dict[str, str]:
    """Return the fields of a record's header for the program and the time."""
    begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return {"program": f"shutbox {__version__}", "begun": begun}
