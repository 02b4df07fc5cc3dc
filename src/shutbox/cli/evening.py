"""The games that are played at a terminal, one after the other, from the first screen on."""

import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from shutbox import __version__
from shutbox.cli import main
from shutbox.cli.output import ProgressLine
from shutbox.cli.records import AnyReading, local_time, read_earlier
from shutbox.cli.settings import PlaySettings
from shutbox.engine.english import command, listed, typed_as
from shutbox.engine.errors import (
    BadRecord,
    InUse,
    NotInstalled,
    NotKept,
    ShutboxError,
    UnknownRecord,
    blaming,
)
from shutbox.engine.game import Over
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.seats import Seat
from shutbox.record import Source
from shutbox.record.folder import Store, Which, find_envelope, record_words, record_words_first
from shutbox.table.bots import set_progress, simpler_play
from shutbox.table.characters import read_players
from shutbox.table.lookup import find_any, game_of, is_match
from shutbox.table.setup import UNNAMED, Sitting, Terms, check_playable, wins_sentence
from shutbox.term import Console, GoesBack, Session, Stopped, Wish
from shutbox.term.menu import MenuItem, Picked, ask_game, first_screen, pick_game
from shutbox.term.saving import Saving

ALONE = (Seat(UNNAMED),)  # the players if none are named
PLAYERS = "Player,computer:nell"  # the players of a match if Enter is the answer
MORE_PLAYERS = ",computer:hobbs,computer:pip"  # and those of a match for four
MOST_GAMES_CHECKED = 5  # games that the first screen checks for one that waits; each takes a moment
FRIENDS = "Player 1,Player 2"  # the players among friends if Enter is the answer


class Evening:
    """The games that are played at a terminal, one after the other, until the players stop."""

    def __init__(self, settings: PlaySettings, dice: Source = Source()) -> None:  # noqa: B008
        self.settings = settings
        self.settings.load()
        self.console = Console(plain=self.settings.plain)
        self.settings.configure(self.console)
        self.dice = dice  # of new games, unless the players throw their own
        self.ends_to = Wish.QUIT  # the wish that `end` means: once the first screen was shown, MENU

    def run(self, first: Callable[[], Wish]) -> None:
        """Do `first`, and then what is picked on the first screen, until the players stop."""
        try:
            wish = first()
            while wish is Wish.MENU:
                wish = self.play_from_menu()
        except Stopped:
            self.console.say(pgettext("farewell", "Goodbye."))

    def play_from_menu(self) -> Wish:
        """Do what is picked on the first screen, say refusals, and return the next wish.

        Raises Stopped.
        """
        self.ends_to = Wish.MENU
        waiting = None
        with suppress(InUse, NotKept, UnknownRecord):
            waiting = Store().waiting(game_of, MOST_GAMES_CHECKED)
        which, reading = waiting or (None, None)
        picked = first_screen(self.console, "" if reading is None else _waiting_game(reading))
        try:
            with blaming():
                if picked.item is MenuItem.RESUME and which is not None:
                    return self.resume(which)
                return self.do_picked(picked)
        except ShutboxError as error:
            self.console.refuse(error)
        except GoesBack:
            pass
        return Wish.MENU

    def do_picked(self, picked: Picked) -> Wish:
        """Do what is picked, except RESUME, and return the next wish.

        Raises Stopped, GoesBack and refusals.
        """
        console = self.console
        match picked.item:
            case MenuItem.MORE:
                return self.play(Terms(game=pick_game(console)))
            case MenuItem.DICE:
                return self.play_real_box()
            case MenuItem.COMPUTER | MenuItem.FRIENDS:
                return self.play_match(picked)
            case MenuItem.TODAY:
                return self.play_today()
            case MenuItem.SETTINGS if picked.setting:
                self.settings.change(console, picked.setting)
            case MenuItem.SETTINGS:
                self.settings.ask(console)
            case MenuItem.MY_GAMES:
                from shutbox.cli.own_games import pick_own  # the first screen appears sooner so

                return self.resume(pick_own(console))
            case MenuItem.BROWSER:
                _serve()
            case MenuItem.PRACTICE:
                name = picked.game or ask_game(console)
                on = (f"--{key}" for key in ("plain", "speak") if getattr(self.settings, key))
                main.run_command(["practice", name, *on])
            case _:
                return self.play(Terms(game=picked.game))
        return Wish.MENU

    def play_real_box(self) -> Wish:
        """Play on from the position of a real box, with advice. Return and raise as `do_picked`."""
        from shutbox.term.real_box import ask_box

        terms, position = ask_box(self.console)
        advises, self.settings.advise = self.settings.advise, True  # it comes unasked
        try:
            return self.play_new(terms, position)
        finally:
            self.settings.advise = advises

    def play_match(self, picked: Picked) -> Wish:
        """Play with computers or friends; ask for the players and terms that a pick lacks.

        Return and raise as `do_picked` does.
        """
        from shutbox.term.seating import ask_name, ask_players, ask_rivals, ask_terms

        terms = picked.terms or Terms()
        if picked.item is MenuItem.COMPUTER:
            terms = picked.terms or ask_rivals(self.console)
            if any(seat.name == UNNAMED for seat in terms.seats):
                terms = ask_name(self.console, terms)
        elif not terms.seats:
            usual = FRIENDS if picked.terms is None else PLAYERS
            terms = ask_players(self.console, terms, usual)
        # By ear the first words of a match say its usual terms, so they are not asked.
        if self.console.voice is None or terms.atoms or picked.item is not MenuItem.COMPUTER:
            terms = ask_terms(self.console, terms)
        return self.play_new(terms)

    def play(self, terms: Terms, *, in_words: bool = False) -> Wish:
        """Ask who plays if a match has no players, and play. Return and raise as `do_picked` does.

        Terms `in_words` are read back first, and can be changed at a terminal.
        """
        console = self.console
        if not terms.seats and (terms.atoms or is_match(terms.name)):
            from shutbox.term.seating import ask_players  # a solo game starts faster without it

            is_for_four = len(getattr(find_any(terms.name), "players", ())) > 3
            usual = PLAYERS + MORE_PLAYERS if is_for_four else PLAYERS
            terms = ask_players(console, terms, usual)
            in_words = in_words or terms.seats != read_players(usual)
        terms = terms if terms.seats else replace(terms, seats=ALONE)
        if in_words:
            from shutbox.term.seating import ask_terms, terms_sentences

            if console.interactive:
                terms = ask_terms(console, terms)
            else:
                console.say(*terms_sentences(terms))
        return self.play_new(terms)

    def play_new(self, terms: Terms, position: str = "") -> Wish:
        """Play a new game, from `position` unless it is empty. Return and raise as `do_picked`."""
        dice = Source("hand") if terms.by_hand else self.dice
        sitting = Sitting.begin(
            terms.find_game(), terms.seats, dice, position=position, **header_stamp()
        )
        if sitting.header.dice == Source():
            sitting = sitting.with_envelope()
        return self._play_series(Saving.begin(self.console, sitting, sitting.table()))

    def play_today(self) -> Wish:
        """Play the box of the day, or say the result of its try. Return and raise as `resume`."""
        from shutbox.table.today import KNOWN, box_number, day_by_date
        from shutbox.term.daily_try import say_try, tries  # a game starts faster without these

        box = day_by_date(header_stamp()["begun"].partition(" ")[0])
        game = find_any(box.game)
        facts = {"number": box_number(box.day), "title": game.card().title}
        one_try = gettext("Today #{number}: {title}. One try, without hints.", **facts)
        self.console.say(one_try, gettext(KNOWN))
        which, reading = tries().get(box.day, (0, None))
        if reading is None:
            sitting = Sitting.begin(game, ALONE, Source("date", day=box.day), **header_stamp())
            return self._play_series(Saving.begin(self.console, sitting, sitting.table()))
        if reading.over is None:
            return self.resume(which)
        self.console.say(gettext("You have played it. The next box comes at midnight UTC."))
        say_try(self.console, reading.header, game, reading.play.log)
        return self.ends_to

    def resume(self, which: Which) -> Wish:
        """Continue a recorded game, and return what the players want next.

        Raises UnknownRecord, also if it is over, BadRecord, InUse, NotKept and what
        `check_playable` raises.
        """
        reading, journal = Store().resume(which, game_of)
        header, record = reading.header, record_words(which)
        with journal:
            envelope = find_envelope(Store().path(which).parent, header)
            if reading.over is not None or reading.opening is not None:
                if envelope is not None and reading.opening is None:  # the program was killed
                    journal.open_envelope(envelope)
                raise UnknownRecord(
                    "{record} is over; {command} tells how it went",
                    record=record,
                    command=command(f"show {which}"),
                )
            check_playable(reading.game, header.players)
            if header.dice.seal is not None and reading.last_sealed is None and envelope is None:
                journal.unseal()
            envelope = None if reading.last_sealed is not None else envelope
            sitting = Sitting(reading.game, header, envelope)
            try:
                table = sitting.table(reading.play.log)
            except BadRecord as error:
                raise BadRecord("{record}: {reason}", record=record, reason=error) from None
            facts = {"record": record_words_first(which), "begun": local_time(header.begun)}
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
        show = quietly if console.interactive else lambda line: None  # a pipe just waits
        progress = ProgressLine(pgettext("progress", "Thinking"), show, counts=False)
        set_progress(table.bots, progress)
        console.say(*simpler_play(table.bots, table.game, saving.sitting.header.names))
        while (wish := self._play_once(saving, progress)) is Wish.AGAIN:
            bots, position = saving.table.bots, saving.table.position
            sitting = saving.sitting.next_game(position, **header_stamp())
            saving = Saving.begin(console, sitting, sitting.table(bots=bots))
        return wish

    def _play_once(self, saving: Saving, progress: ProgressLine) -> Wish:
        """Play a game to its end, or until a player leaves, and close its record."""
        console, table, sitting = self.console, saving.table, saving.sitting
        saving.brief = self.settings.length == "brief"
        # By ear the question of the first screen has named the key for help.
        knows_help = console.voice is not None and self.ends_to is Wish.MENU
        is_todays = sitting.header.dice.kind == "date"
        session = Session(
            table,
            console,
            save=saving.save,
            players=sitting.header.names,
            progress=progress,
            newcomer=not (knows_help or saving.has_records()),
            seal=None if sitting.header.dice.seal is None else saving,
            wins=sitting.games_won,
            lines_after_game=partial(_compare_scores, saving),
            extra_commands=self.settings.commands(),
            once=is_todays,
            ends_to=self.ends_to,
            **self.settings.session_fields(console, sitting.game),
        )
        try:
            console.keep_in_place(True)
            return session.run()
        finally:
            console.keep_in_place(False)
            is_over = False
            with suppress(Exception):  # a game that has raised an error can raise it here again
                is_over = isinstance(table.awaits, Over)
            if is_over:
                saving.open_envelope()
            saving.close(over=is_over)
            if is_over and is_todays:
                from shutbox.term.daily_try import say_try

                say_try(console, sitting.header, sitting.game, table.log)


def header_stamp() -> dict[str, str]:
    """Return the fields `program` and `begun` (now) of a record's header."""
    begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime())
    return {"program": f"shutbox {__version__}", "begun": begun}


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


def _compare_scores(saving: Saving) -> Iterable[str]:
    """Return sentences on games won this evening, or a solo score beside earlier ones; or none."""
    table, header = saving.table, saving.sitting.header
    over, seats = table.awaits, header.players
    if len(seats) > 1 and saving.sitting.wins:
        return (wins_sentence(header.names, saving.sitting.games_won(table.position)),)
    if not isinstance(over, Over) or len(seats) > 1 or table.start != table.game.start():
        return ()
    # A game starts faster without it.
    from shutbox.output.stats import compare_with_earlier

    own_id = None if saving.journal is None else saving.journal.id
    return compare_with_earlier(table.game, over.scores[0], seats[0].name, read_earlier(own_id))


def _waiting_game(reading: AnyReading) -> str:
    """Return a sentence for the first screen about the game that waits."""
    title, names = reading.game.card().title, reading.header.names
    if len(names) < 2:
        return gettext("Your game of {title} waits.", title=title)
    return gettext("A game of {title} waits: {names}.", title=title, names=listed(names))
