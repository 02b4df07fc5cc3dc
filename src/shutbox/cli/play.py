"""`shutbox play` and `shutbox resume`: games at the terminal, from the first screen to the end."""

import argparse
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from shutbox import __version__
from shutbox.cli import main
from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import ProgressLine, note
from shutbox.cli.records import AnyReading, earlier, find_record, local_time
from shutbox.cli.settings import OPTIONS, PlaySettings, add_console
from shutbox.engine.english import command, listed, typed_as
from shutbox.engine.errors import (
    BadRecord,
    InUse,
    NotInstalled,
    NotKept,
    ShutboxError,
    UnknownGame,
    UnknownRecord,
    blaming,
)
from shutbox.engine.game import Over
from shutbox.engine.messages import gettext, ngettext, pgettext
from shutbox.engine.play import Event
from shutbox.engine.seats import Seat
from shutbox.record import Header, Reading, Source, written
from shutbox.record.folder import Store, Which, find_envelope, named, named_first
from shutbox.table.bots import bots_of, read_players, set_progress, simpler
from shutbox.table.lookup import AnyGame, find_any, game_of, is_match
from shutbox.table.setup import UNNAMED, Sitting, Terms, evening_words, playable
from shutbox.table.terms import terms_typed
from shutbox.term import Console, GoesBack, Session, Stopped, Wish
from shutbox.term.menu import MenuItem, Picked, ask_game, first_screen, pick_game
from shutbox.term.saving import Saving

ALONE = (Seat("Player"),)  # the players if none are named
PLAYERS = "Player,computer:nell"  # the players of a match if Enter is the answer
MORE_PLAYERS = ",computer:hobbs,computer:pip"  # and those of a match for four
MOST_GAMES_CHECKED = 5  # games that the first screen checks for one that waits; each takes a moment
FRIENDS = "Player 1,Player 2"  # the players among friends if Enter is the answer


def play_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox play`."""
    add_shared(parser, "game", nargs="?")
    who = parser.add_argument_group(gettext("who plays, and for what"))
    about = gettext(
        "who plays: names with commas; a computer player is computer, or computer:KIND. The kinds "
        "are pip, nell, hobbs, odette and abacus; perfect, sheet, careful, fewest, most, highest, "
        "first, random and fixed. Or in words: me and two computers"
    )
    who.add_argument("--players", metavar="NAMES", help=about)
    about = gettext(
        "how turns become a match, such as rounds=5,begins=high-roll,stake=1. The atoms are "
        "rounds, wins, target, limit, until, turns, stuck, shut, order, begins, end, stake, bonus, "
        "pays, ties, purse. Or in words: best of 3, 2 chips, one throw each"
    )
    who.add_argument("--format", metavar="ATOMS", help=about)
    dice = parser.add_argument_group(
        pgettext("heading of options", "the dice")
    ).add_mutually_exclusive_group()
    about = gettext("the operating system's dice, or your own that you type in (default: system)")
    dice.add_argument("--dice", choices=("system", "hand"), default="system", help=about)
    about = gettext("the same text always gives the same dice")
    dice.add_argument("--seed", metavar="TEXT", help=about)
    add_console(parser)
    parser.runs(
        play,
        "classic",
        "pub --players Ann,Bob",
        "'classic(fewer=must-top)' --players Ann,computer:perfect --coach",
        "cargo --dice hand",
    )


def resume_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox resume`."""
    about = gettext(
        "the number of a game of your own, or a file; without it, the newest that is not over"
    )
    parser.add_argument("record", nargs="?", metavar="RECORD", help=about)
    add_console(parser)
    parser.runs(resume, "", "7")


def today_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox today`."""
    add_console(parser)
    parser.runs(today, "")


def today(arguments: argparse.Namespace) -> None:
    """Play the box of the day; if tried, continue, or say the result. Raises as `resume`."""
    evening = _Evening(arguments)
    evening.run(evening.today)


def play(arguments: argparse.Namespace) -> None:
    """Play the game named, or what is picked on the first screen, until the players stop."""
    terms, in_words = terms_typed(arguments.game, arguments.players, arguments.format or "")
    # Refuse impossible players and games before the first question.
    seats = terms.seats or ALONE
    bots_of(seats)
    if arguments.game is not None:
        playable(find_any(arguments.game, terms.format), seats)
    dice = Source(arguments.dice) if arguments.seed is None else Source("seed", arguments.seed)
    evening = _Evening(arguments, dice)
    if terms.game or in_words:
        evening.run(lambda: evening.play(terms, in_words=in_words))
    elif terms.seats or arguments.format:
        evening.run(lambda: evening.play(_with(terms, pick_game(evening.console))))
    else:
        evening.run(evening.from_menu)


def resume(arguments: argparse.Namespace) -> None:
    """Continue a game that is not over, and play on until the players stop. Raises as `_resume`."""
    which = find_record(arguments.record, Store(), unfinished=True)
    evening = _Evening(arguments)
    evening.run(lambda: evening.resume(which))


class _Evening:
    """What is played at a terminal, one game after the other, until the players stop."""

    def __init__(self, arguments: argparse.Namespace, dice: Source = Source()) -> None:  # noqa: B008
        self.settings = PlaySettings.of(arguments)
        self.settings.load_all()
        self.console = Console(plain=self.settings.plain)
        self.settings.configure(self.console)
        self.dice = dice  # of new games, unless the players throw their own
        self.ends_to = Wish.QUIT  # the wish that `end` means: once the first screen was shown, MENU

    def run(self, first: Callable[[], Wish]) -> None:
        """Do `first`, and then what is picked on the first screen, until the players stop."""
        try:
            after = first()
            while after is Wish.MENU:
                after = self.from_menu()
        except Stopped:
            self.console.say(pgettext("farewell", "Goodbye."))

    def from_menu(self) -> Wish:
        """Do what is picked on the first screen, say refusals, return the next wish. Or Stopped."""
        self.ends_to = Wish.MENU
        left = None
        with suppress(InUse, NotKept, UnknownRecord):
            left = Store().waiting(game_of, MOST_GAMES_CHECKED)
        picked = first_screen(self.console, "" if left is None else _waiting_game(left[1]))
        try:
            with blaming():
                if picked.item is MenuItem.RESUME and left is not None:
                    return self.resume(left[0])
                return self.do(picked)
        except ShutboxError as error:
            self.console.refuse(error)
        except GoesBack:
            pass
        return Wish.MENU

    def do(self, picked: Picked) -> Wish:
        """Do what is picked, except RESUME, and return the next wish.

        Raises Stopped, GoesBack and refusals.
        """
        console = self.console
        match picked.item:
            case MenuItem.MORE:
                terms = pick_game(console)
                return self.play(terms, in_words=bool(terms.seats))
            case MenuItem.DICE:
                from shutbox.term.real_box import ask_box

                terms, position = ask_box(console, _progress())
                advises, self.settings.advise = self.settings.advise, True  # it comes unasked
                try:
                    return self.begin(terms, position)
                finally:
                    self.settings.advise = advises
            case MenuItem.COMPUTER | MenuItem.FRIENDS:
                from shutbox.term.seating import ask_name, ask_players, ask_rivals, ask_terms

                terms = picked.terms or Terms()
                if picked.item is MenuItem.COMPUTER:
                    terms = picked.terms or ask_rivals(console)
                    if any(seat.name == UNNAMED for seat in terms.seats):
                        terms = ask_name(console, terms)
                elif not terms.seats:
                    usual = FRIENDS if picked.terms is None else PLAYERS
                    terms = ask_players(console, terms, usual)
                return self.begin(ask_terms(console, terms, _progress()))
            case MenuItem.TODAY:
                return self.today()
            case MenuItem.SETTINGS if picked.name:
                self.settings.change(console, picked.name)
            case MenuItem.SETTINGS:
                self.settings.ask(console)
            case MenuItem.MY_GAMES:
                from shutbox.cli.records import pick_own  # the first screen appears sooner so

                return self.resume(pick_own(console))
            case MenuItem.BROWSER:
                _serve()
            case MenuItem.PRACTICE:
                name = picked.name or ask_game(console)
                on = (f"--{key}" for key in ("plain", "speak") if getattr(self.settings, key))
                main.run_command(["practice", name, *on])
            case _:
                return self.play(Terms(game=picked.name))
        return Wish.MENU

    def play(self, terms: Terms, *, in_words: bool = False) -> Wish:
        """Ask who plays if a match has no players, and play. Return and raise as `do` does.

        Terms `in_words` are read back first. At a terminal, these and those of a race can be
        changed.
        """
        console = self.console
        if not terms.seats and (terms.atoms or is_match(terms.name)):
            from shutbox.term.seating import ask_players  # a solo game starts faster without it

            four = getattr(find_any(terms.name), "players", ())[3:]
            usual = PLAYERS + MORE_PLAYERS if four else PLAYERS
            asked = ask_players(console, terms, usual)
            in_words = in_words or asked.seats != read_players(usual)
            terms = asked
        terms = terms if terms.seats else replace(terms, seats=ALONE)
        if in_words or (console.interactive and terms.race is not None):
            from shutbox.term.seating import ask_terms, lines

            if console.interactive:
                terms = ask_terms(console, terms, _progress())
            else:
                console.say(*lines(terms))
        return self.begin(terms)

    def begin(self, terms: Terms, position: str = "") -> Wish:
        """Play a new game, from `position` if it is not empty, and return the next wish."""
        dice = Source("hand") if terms.by_hand else self.dice
        game = terms.playable()
        sitting = Sitting.begin(game, terms.seats, dice, position=position, **_now())
        if sitting.header.dice == Source():
            sitting = sitting.sealed()
        return self._play_series(Saving.begin(self.console, sitting, sitting.table()))

    def today(self) -> Wish:
        """Play the box of the day, or say the result of its try. Return and raise as `resume`."""
        from shutbox.table.today import KNOWN, dated, number_of

        box = dated(_now()["begun"].partition(" ")[0])
        game = find_any(box.game)
        about = {"number": number_of(box.day), "title": game.card().title}
        self.console.say(
            gettext("Today #{number}: {title}. One try, without hints.", **about), gettext(KNOWN)
        )
        which, tried = _tries().get(box.day, (0, None))
        if tried is None:
            sitting = Sitting.begin(game, ALONE, Source("date", day=box.day), **_now())
            return self._play_series(Saving.begin(self.console, sitting, sitting.table()))
        if tried.over is None:
            return self.resume(which)
        self.console.say(gettext("You have played it. The next box comes at midnight UTC."))
        self._say_try(tried.header, game, tried.play.log)
        return self.ends_to

    def _say_try(self, header: Header, game: AnyGame, log: Sequence[Event[Any]]) -> None:
        """Say the result of a try at the box of a day, and print the line to paste."""
        from shutbox.solving.known_dice import exact_play  # a game starts faster without these
        from shutbox.table import today

        box = today.dated(header.dice.day)
        finish, moves = today.finish_of(written(header, game, log))
        perfect = exact_play(game, box.rolls)
        played = [day for day, (_, tried) in _tries().items() if tried.over is not None]
        days = today.streak_of([*played, box.day], box.day).days
        number, skills = today.number_of(box.day), today.skills_of(moves)
        paste, spoken = today.shared(number, finish.score, skills, by_date=True)
        self.console.say(
            gettext("Perfect play with the same dice: {score}.", score=perfect.score),
            *[ngettext("{number} day in a row.", "{number} days in a row.", days)] * (days > 1),
            spoken,
        )
        self.console.say(*paste.splitlines(), aloud=False)

    def resume(self, which: Which) -> Wish:
        """Continue a recorded game, and return what the players want next.

        Raises UnknownRecord, also if it is over, BadRecord, InUse, NotKept and what `playable`
        raises.
        """
        reading, journal = Store().resume(which, game_of)
        header, record = reading.header, named(which)
        if journal.path is not None:
            self.settings.load(journal.path.with_suffix(OPTIONS))
        with journal:
            opened = find_envelope(Store().path(which).parent, header)
            if reading.over is not None or reading.opened is not None:
                if opened is not None and reading.opened is None:  # the program was killed before
                    journal.open_envelope(opened)
                raise UnknownRecord(
                    "{record} is over; {command} tells how it went",
                    record=record,
                    command=command(f"show {which}"),
                )
            playable(reading.game, header.players)
            if header.dice.seal is not None and reading.sealed_to is None and opened is None:
                journal.unseal()
            opened = None if reading.sealed_to is not None else opened
            sitting = Sitting(reading.game, header, opened)
            try:
                table = sitting.table(reading.play.log)
            except BadRecord as error:
                raise BadRecord("{record}: {reason}", record=record, reason=error) from None
            facts = {"record": named_first(which), "begun": local_time(header.begun)}
            self.console.say(gettext("{record}, begun {begun}.", **facts))
            if reading.fault is not None:
                self.console.say(
                    gettext("It is damaged at {place}.", place=reading.fault),
                    gettext("It stays as it is; what comes before that continues as a new game."),
                )
            return self._play_series(Saving(self.console, sitting, table, journal))

    def _play_series(self, saving: Saving) -> Wish:
        """Play a game, save it, and repeat it while the players wish. Return the next wish."""
        console, table = self.console, saving.table
        quietly = partial(console.say, aloud=False)
        show = quietly if console.interactive else lambda sentence: None  # a pipe just waits
        set_progress(table.bots, _progress(show))
        console.say(*simpler(table.bots, table.game, saving.sitting.header.names))
        while (after := self._play_once(saving, _progress(show))) is Wish.AGAIN:
            bots, position = saving.table.bots, saving.table.position
            sitting = saving.sitting.again(position, **_now())
            saving = Saving.begin(console, sitting, sitting.table(bots=bots))
        return after

    def _play_once(self, saving: Saving, progress: ProgressLine) -> Wish:
        """Play a game to its end, or until a player leaves, and close its record."""
        console, table, sitting = self.console, saving.table, saving.sitting
        saving.brief = self.settings.length == "brief"
        session = Session(
            table,
            console,
            save=saving.save,
            players=sitting.header.names,
            progress=progress,
            newcomer=not saving.has_records(),
            seal=None if sitting.header.dice.seal is None else saving,
            wins=sitting.games_won,
            afterwards=partial(_compared, saving),
            extra_commands=self.settings.words(),
            once=sitting.header.dice.kind == "date",
            ends_to=self.ends_to,
            **self.settings.session_fields(console, sitting.game),
        )
        try:
            console.in_place(True)
            return session.run()
        finally:
            console.in_place(False)
            over = False
            with suppress(Exception):  # a game that has raised an error can raise it here again
                over = isinstance(table.awaits, Over)
            if over:
                saving.open_envelope()
            if saving.journal is not None and (path := saving.journal.path) is not None:
                (PlaySettings() if over else self.settings).store(path.with_suffix(OPTIONS))
            saving.close(over=over)
            if over and sitting.header.dice.kind == "date":
                self._say_try(sitting.header, sitting.game, table.log)


def _tries() -> dict[str, tuple[Which, AnyReading]]:
    """Return the number and content of the user's try at the box of each day."""

    def game(header: Header) -> AnyGame:
        if header.dice.kind != "date":
            raise UnknownGame("this is not the box of a day")  # its events are not read
        return game_of(header)

    found = Store().each(Store().ids(), game)
    return {one.header.dice.day: (id, one) for id, one in found if isinstance(one, Reading)}


def _with(terms: Terms, picked: Terms) -> Terms:
    """Return the terms picked from the list, with what the command line says in their place."""
    atoms = {**picked.atoms, **terms.atoms}
    return replace(picked, seats=terms.seats or picked.seats, atoms=atoms)


def _serve() -> None:
    """Serve the game to browsers until Ctrl-C. Raises what `shutbox serve` raises."""
    try:
        with suppress(KeyboardInterrupt):  # it stops only the server
            main.run_command(["serve"])
    except NotInstalled as error:
        if not error.extra:
            raise
        raise NotInstalled(
            "the browser table is not installed here; to get it, quit and type {command}",
            command=typed_as.get("serve", f"pip install '.[{error.extra}]'"),
        ) from None


def _progress(show: Callable[[str], None] = note) -> ProgressLine:
    return ProgressLine(pgettext("progress", "Thinking"), show, counts=False)


def _compared(saving: Saving) -> Iterable[str]:
    """Return sentences on games won this evening, or a solo score beside earlier ones; or none."""
    table, header = saving.table, saving.sitting.header
    over, seats = table.awaits, header.players
    if seats[1:] and saving.sitting.wins:
        return (evening_words(header.names, saving.sitting.games_won(table.position)),)
    if not isinstance(over, Over) or len(seats) > 1 or table.start != table.game.start():
        return ()
    from shutbox.output.stats import compare_with_earlier  # a game starts faster without it

    own_id = None if saving.journal is None else saving.journal.id
    return compare_with_earlier(table.game, over.scores[0], seats[0].name, earlier(own_id))


def _waiting_game(reading: AnyReading) -> str:
    """Return a sentence for the first screen about the game that waits."""
    title, names = reading.game.card().title, reading.header.names
    if len(names) < 2:
        return gettext("Your game of {title} waits.", title=title)
    return gettext("A game of {title} waits: {names}.", title=title, names=listed(names))


def _now() -> dict[str, str]:
    """Return the fields of a record's header for the program and the time."""
    begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return {"program": f"shutbox {__version__}", "begun": begun}
