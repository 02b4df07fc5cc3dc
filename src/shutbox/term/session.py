"""One game at a terminal: it says what happened, asks, and passes the answer to the table."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from shutbox.engine.cups import HandCup, SeededCup
from shutbox.engine.dice import Dice
from shutbox.engine.english import Word, capital, listed, number_word, shown
from shutbox.engine.errors import IllegalRoll, NotUnderstood, ShutboxError
from shutbox.engine.game import Choose, Over, Throw
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.narrator import Length, Narrator
from shutbox.engine.play import Prepared, Rolled
from shutbox.engine.scene import THROW_AGAIN, Kind, Piece, Scene, by
from shutbox.engine.typed_text import ENDING_WORDS, in_ascii
from shutbox.games.traits import traits_of
from shutbox.match.answers import EVERYBODY, GOALS, ROUND, TO_BEAT, WHOSE
from shutbox.match.game import begins_turn, turn_at
from shutbox.solving.graph import Progress, unheard
from shutbox.table import Table
from shutbox.table.table import answers_of_evening
from shutbox.term.at_once import meant
from shutbox.term.console import Console, Stopped
from shutbox.term.keys import Pauses
from shutbox.term.picture import panel

if TYPE_CHECKING:
    from shutbox.term.coach import SpokenCoach
    from shutbox.term.saving import Saving

_Prepared = Prepared[Any, Any]
_Command = tuple[str, Callable[[], None], str]
"""The text to type, the function it runs, and its help line; if empty, the help only names it."""


class Wish(Word):
    """The players' wish once a game is over; true if they want to play it again."""

    AGAIN = "again"
    MENU = "menu"
    QUIT = "quit"

    def __bool__(self) -> bool:
        """Whether to play again, so that `while session.run()` plays on."""
        return self is Wish.AGAIN


_AFTER = {
    **dict.fromkeys(("", "y", "yes", "again"), Wish.AGAIN),
    **dict.fromkeys(("m", "menu"), Wish.MENU),
    **dict.fromkeys(("n", "no", *ENDING_WORDS), Wish.QUIT),
}
_WORDS = {"hint": "h", "hints": "h", "help": "?", "rules": "r", "review": "v", "undo": "u"}
"""Other words for the commands."""
_OF_MATCHES = (ROUND, EVERYBODY, TO_BEAT, GOALS, WHOSE)  # questions that only a match answers
_THROW = "throw"  # this word or its beginning throws where Enter does


@dataclass(kw_only=True, eq=False)
class Session:
    """One game played at one console by all the people who sit round it; `run` plays it."""

    table: Table[Any, Any] = field(kw_only=False)
    console: Console = field(kw_only=False)
    save: Callable[[_Prepared], None] = lambda prepared: None  # stores an event to be applied
    auto_throw: bool = True
    """Whether dice fall without Enter; the first throw of a turn can need it."""
    players: Sequence[str] = ()  # the names of the seats; they are said if there are several
    hints: str = "explained"  # how much a hint says, one of `solving.advice.adviser.LEVELS`
    coach: bool = False  # whether to say after each choice what it cost
    advises: bool = False  # whether to give a hint before each choice, unasked
    length: Length = Length.NORMAL  # how much the narrator says
    progress: Progress = unheard  # called now and then during long work
    pauses: Pauses = field(default_factory=lambda: Pauses(0))  # after events of computer players
    seal: "Saving | None" = None  # shows the envelope of the dice, if they are sealed
    afterwards: Callable[[], Iterable[str]] = tuple  # returns what to say once a game is over
    wins: Callable[[Any], Sequence[int]] = lambda position: ()
    """The function that returns the games won by each seat this evening, at a position."""
    extra_commands: "Mapping[str, Callable[[Session], None]]" = field(default_factory=dict)
    """Further commands, which the help only lists: what to type, and the function it runs."""
    ends_to: Wish = Wish.QUIT  # the wish that the command `end` means

    def __post_init__(self) -> None:
        self._drawn: object = None
        self._advised: object = None  # the position of the last hint given unasked
        self._ended: int | None = None  # the version of the table whose end was reported
        self._chooses = False  # whether the open question is about a choice
        self._helps = ""  # how to answer the open question
        self._throws_again = False  # whether a choice to throw again was just made: no Enter needed
        self._narrator = Narrator(self.table.game, self.players, self.length)
        self._coaches = self.coach and self.table.game.scoring is not None
        self._wish = Wish.QUIT  # the wish of a player who leaves the game
        self._commands = {key: (run, about) for key, run, about in self._offered()}

    def _offered(self) -> Iterator[_Command]:
        """Yield each command: what to type, the function it runs, and its line in the help."""
        table, say = self.table, self.console.say
        yield "d", lambda: say(table.scene.dice), gettext("what the dice show")
        about = gettext("which tiles are up")
        if all(piece.kind is not Kind.TILE for piece in table.scene.pieces):
            about = gettext("what is on the table")
        yield "b", lambda: say(table.scene.board), about
        yield "s", lambda: say(table.scene.score), gettext("the score so far")
        yield "l", lambda: say(table.scene.legal), gettext("all legal choices")
        for answer in table.scene.answers:
            yield answer.key, partial(self._answer, answer.key), answer.about
        if table.game.scoring is not None:  # no scores, no hints; in the tray, h means hold
            about = gettext(
                "a hint; h again for all; h off, h legal, h ranked or h explained say how much"
            )
            yield "h", lambda: self._coach.hint(), about
            yield "v", self._review, gettext("at the end, what was luck and what was skill")
        about = gettext("takes back your choice, if no dice have been thrown since")
        yield "u", lambda: self._try(table.prepare_take_back, seat=table.taker_back or 0), about
        if isinstance(table.cup, HandCup):
            about = gettext("corrects the dice you typed, before the next choice")
            yield "c", self._correct, about
        yield "r", lambda: say(*table.game.card().lines), gettext("the rules in play")
        if self.seal is not None:
            yield "?dice", self.seal.show_envelope, gettext("the envelope of the dice")
        yield "who", self._who, gettext("who plays, and whose turn it is")
        yield from ((word, partial(run, self), "") for word, run in self.extra_commands.items())
        yield "new", partial(self._leave, Wish.AGAIN), gettext("begins a new game of this kind")
        yield "menu", partial(self._leave, Wish.MENU), gettext("leads to the first screen")
        yield "?", self._help, pgettext("what a command does", "this help")
        yield ENDING_WORDS[0], partial(self._leave, self.ends_to), gettext("ends the game")

    def run(self) -> Wish:
        """Play until the end, or until a player stops, and return what the players want next."""
        self.console.say(gettext("{title}. Type ? for help.", title=self.table.game.card().title))
        if self.seal is not None and self.length is not Length.BRIEF:
            self.seal.announce()
        if self.table.version:
            self.console.say(*self._narrator.resume(self.table.position))
        else:
            _, *begun = self._narrator.begin(self.table.start)
            self.console.say(*self.table.game.card().beware, *begun)
        try:
            while True:
                match self.table.awaits:
                    case _ if self.table.bot_due:
                        if not self._takes_back():
                            self._act(self._thought())
                    case Throw(dice=dice, seat=seat):
                        self._throw(dice, seat)
                    case Choose():
                        self._choose()
                    case Over():
                        if (after := self._after()) is not None:
                            return after
        except (Stopped, KeyboardInterrupt):
            if not isinstance(self.table.awaits, Over):
                scene = self.table.scene
                if scene.score_by:
                    self.console.say(gettext("You leave with {score}", score=scene.score_by))
                else:
                    self.console.say(gettext("You leave the game."), scene.score)
            return self._wish

    def _thought(self) -> _Prepared:
        """Prepare the event of the computer player due. Ctrl-C ends its thinking, not the game."""
        try:
            return self.table.prepare_bot()
        except KeyboardInterrupt:
            from shutbox.table.bots import bot  # only after Ctrl-C

            bots, due = self.table.bots, self.table.due
            hasty = [seat for seat, one in bots.items() if type(one) is type(bots[due or 0])]
            bots.update(dict.fromkeys(hasty, bot("careful")))
            names = listed(self.players[seat] for seat in hasty)
            says = ngettext(
                "{names} stops thinking, and looks one throw ahead from now on.",
                "{names} stop thinking, and look one throw ahead from now on.",
                len(hasty),
                names=names,
            )
            self.console.say(says)
            return self.table.prepare_bot()

    def _throw(self, dice: Dice, seat: int) -> None:
        cup, game, at = self.table.cup, self.table.game, self.table.position
        # At a terminal with pictures the first throw of a turn, or outside turns, waits for Enter.
        begins = self.console.interactive and self.console.draws
        begins = begins and (turn_at(game, at) is None or begins_turn(self.table, at))
        if begins:  # on a screen, the end of the turn before stays visible until the throw
            scene = self.table.scene
            self._draw(scene.lying if self.console.screen() is not None else scene.pieces)
        number, words = len(dice), number_word(len(dice))
        name = self.players[seat] if self.players[1:] else ""
        if isinstance(cup, HandCup):
            ask = gettext("throw {dice} and type what you see:", dice=dice)
            if dice.are_plain:
                ask = ngettext(
                    "throw one die and type what you see:",
                    "throw {number} dice and type what you see:",
                    number,
                    number=words,
                )
            example = " ".join(str(min(sides, 3)) for sides in dice.sides)
            helps = gettext("Type what the dice show, such as {example}.", example=example)
            if (answer := self._ask(by(name, capital(ask), ask), helps)) is not None:
                self._try(self._throw_by_hand, cup, dice, answer, seat=seat)
        elif self._throws_again or (self.auto_throw and not begins):
            if not self._takes_back():
                self._act(self.table.prepare_throw(seat=seat))
        else:
            ask = ngettext(
                "Enter throws one die:", "Enter throws {number} dice:", number, number=words
            )
            helps = ngettext(
                "Press Enter to throw one die.",
                "Press Enter to throw {number} dice.",
                number,
                number=words,
            )
            answer = self._ask(by(name, ask, ask), helps, throws=True)
            if answer is None:
                return
            several, word = traits_of(game).several, in_ascii(answer).lower()
            if _THROW.startswith(word) or word == "roll":
                self._try(self.table.prepare_throw, seat=seat)
                return
            try:
                if several and several(at, answer):  # in the tray, which no throw can spoil
                    self._try(self.table.prepare_throw, seat=seat)
                    self._make(answer)
                else:
                    self._not_understood(answer, helps)
            except ShutboxError as error:
                self.console.refuse(error)

    def _throw_by_hand(self, cup: HandCup, dice: Dice, text: str, seat: int) -> _Prepared:
        """Prepare a throw of the typed roll; a total is enough if all its rolls offer the same."""
        game, at = self.table.game, self.table.position
        try:
            roll = dice.read(text)
        except (NotUnderstood, IllegalRoll):
            rolls = [
                roll for roll, _ in dice.outcomes() if str(roll.total) == in_ascii(text).strip()
            ]
            if len({game.scene(game.rolled(at, roll)).offers for roll in rolls}) != 1:
                raise
            roll = rolls[0]
        cup.show(roll)
        return self.table.prepare_throw(seat=seat)

    def _takes_back(self) -> bool:
        """Wait a moment before a throw without Enter; at `u`, take back, and return True."""
        seat = self.table.taker_back
        falls = isinstance(self.table.awaits, Throw) and not self._throws_again
        if seat is None or not falls or not self.pauses.seconds:
            return False
        if (screen := self.console.screen()) is not None:
            screen.write(gettext("u takes the choice back"))
        typed = self.pauses.hold("u")
        if typed.casefold().startswith("u"):
            self._try(self.table.prepare_take_back, seat=seat)
            return True
        self.console.type_ahead(typed)
        return False

    def _choose(self) -> None:
        scene = self.table.scene
        self._draw(scene.pieces)
        if self.advises and self._advised != self.table.position and len(scene.offers) > 1:
            self._advised = self.table.position
            self._coach.hint()
        if self._coaches:
            self._coach.watch()
        ask = scene.ask
        if scene.enter:
            ask = gettext("{question} {enter}:", question=ask, enter=scene.enter)
        helps = self.table.game.card().typing
        if not any(offer.takes for offer in scene.offers):
            offers = listed((offer.says for offer in scene.offers), last="or")
            helps = gettext("Type {offers}.", offers=offers)
        if (answer := self._ask(ask, helps, scene=scene)) is None:
            return
        self._make(answer or scene.default or "")

    def _make(self, text: str) -> None:
        """Make the choices of a typed line; if one is refused, make none, and say why."""
        try:
            rolls = isinstance(self.table.cup, HandCup)
            *before, last = self.table.prepare_line(text, seat=self.table.due or 0, rolls=rolls)
        except ShutboxError as error:
            self.console.refuse(error)
            return
        for prepared in before:
            self._act(prepared, whole=False)
        self._act(last)

    def _after(self) -> Wish | None:
        """Ask what the players want next, and return it; at a pipe, return QUIT without asking.

        None means: ask again, after a command or an answer that is not understood. A command can
        reopen the game: take back the last choice or, even at a pipe, correct typed dice.
        """
        self._draw(self.table.scene.pieces)
        self._say_end()
        if not self.console.interactive and self.table.correctable is None:
            return Wish.QUIT
        ask = gettext("Play again? Enter is yes; v review, m menu, q quit:")
        helps = gettext("Press Enter to play again, or type v, m or q.")
        if self.table.correctable is not None:
            ask = gettext("Play again? Enter is yes; v review, c correct dice, m menu, q quit:")
            helps = gettext("Press Enter to play again, or type v, c, m or q.")
        elif self.table.taker_back is not None:
            ask = gettext("Play again? Enter is yes; v review, u take back, m menu, q quit:")
            helps = gettext("Press Enter to play again, or type v, u, m or q.")
        if (answer := self._ask(ask, helps, _AFTER)) is None:
            return None
        if (word := in_ascii(answer).lower()) not in _AFTER:
            self._not_understood(answer, helps)
            return None
        return self.ends_to if word == ENDING_WORDS[0] else _AFTER[word]

    def _ask(
        self,
        prompt: str,
        helps: str,
        answers: Collection[str] = (),
        scene: Scene | None = None,
        throws: bool = False,
    ) -> str | None:
        """Ask, and return the player's answer, or None after a command, which has been run.

        `helps` says how to answer; the help begins with it. A word in `answers` is an answer here,
        even if it is also a command. `scene` is the scene of a choice; with `throws`, Enter throws
        the dice. Raises Stopped if the player leaves.
        """
        self.pauses.over()
        single = {*self._commands, *(one for one in answers if len(one) == 1)}
        at_once = partial(meant, scene=scene, commands=single, throws=throws)
        self._chooses, self._helps = scene is not None, helps
        answer = self.console.ask(prompt, at_once).strip()
        word = in_ascii(answer).lower()
        if word in answers:
            return answer
        asked, _, level = word.partition(" ")
        if level and _WORDS.get(asked, asked) == "h" and "h" in self._commands:
            self._coach.set_level(level.strip())
            return None
        if asked in ("?dice", "?word") and self.seal is None:
            says = gettext("The dice are not sealed.")
            if isinstance(self.table.cup, SeededCup):
                says = gettext("These dice come from a seed, so they are not sealed.")
            self.console.say(says)
            return None
        if asked == "?word" and self.seal is not None:
            try:
                self.seal.set_word(answer[len(asked) :].strip())
            except ShutboxError as error:
                self.console.refuse(error)
            return None
        if word in ENDING_WORDS[1:]:
            self._leave(Wish.QUIT)
        if (command := self._commands.get(_WORDS.get(word, word))) is None:
            if word in _OF_MATCHES and self.table.game.scoring is not None:
                says = gettext_noop("{key} works in a match of several rounds.")
                if not self.table.scene.answers:
                    says = gettext_noop("{key} works in a match. You play alone.")
                self.console.say(gettext(says, key=word))
                return None
            return answer
        command[0]()
        return None

    def _not_understood(self, answer: str, helps: str) -> None:
        text = shown(answer)
        self.console.say(gettext("{text} is not understood. {helps}", text=text, helps=helps))

    def _try(self, prepare: Callable[..., _Prepared], *what: object, seat: int) -> None:
        """Call `prepare` with `what` and `seat`, and apply its event, or say why it is refused."""
        try:
            prepared = prepare(*what, seat=seat)
        except ShutboxError as error:
            self.console.refuse(error)
        else:
            self._act(prepared)

    def _act(self, prepared: _Prepared, *, whole: bool = True) -> None:
        """Store, apply, tell and draw an event; unless `whole`, tell only its first sentence."""
        self.save(prepared)
        applied = self.table.apply(prepared)
        self._throws_again = applied.offer is not None and applied.offer.kind == THROW_AGAIN
        scene, threw = self.table.scene, isinstance(applied.event, Rolled)
        if threw and scene.left:  # show the end of the turn before the next one is reported
            self._draw(scene.left)
        says = self._narrator.after(applied, scene)
        if self._coaches and applied.offer is not None:
            self.console.say(*says[:1])
            says = says[1:]
            self._coach.judge(applied.before, applied.offer.text)
        self.console.say(*(says if whole else says[:1]))
        if (threw and not scene.left) or self.console.screen() is not None:
            self._draw(scene.lying)
        if applied.seat in self.table.bots and self.pauses.wait():
            self.console.hush()

    def _answer(self, key: str) -> None:
        answers = answers_of_evening(self.table, self.wins(self.table.position))
        self.console.say(*(answer.says for answer in answers if answer.key == key))

    def _draw(self, pieces: tuple[Piece, ...]) -> None:
        """Draw the pieces, unless they were the last ones drawn, at this same position."""
        if self.console.draws and self._drawn != (self.table.position, pieces):
            self._drawn = self.table.position, pieces
            self.console.draw(pieces, partial(self._view, pieces))

    def _view(self, pieces: Sequence[Piece], typed: str, *size: int) -> list[str]:
        typed = typed if self._chooses else ""
        return panel(self.table, pieces, typed, size, self.console.shows_unicode)

    def _correct(self) -> None:
        """Correct typed dice, if possible: ask until the answer is understood. Enter keeps them."""
        throw, version = self.table.correctable, self.table.version
        if throw is None:
            says = gettext("There are no dice to correct: none were typed since the last choice.")
            self.console.say(says)
            return
        ask = gettext("What does the die really show? Enter leaves it as it is:")
        if len(throw.dice) > 1:
            ask = gettext("What do the dice really show? Enter leaves them as they are:")
        helps = gettext("Type all that the dice show, or press Enter.")
        while self.table.version == version and (answer := self._ask(ask, helps)) != "":
            if answer is not None:
                self._try(self.table.prepare_correction, answer, seat=throw.seat)

    @cached_property
    def _coach(self) -> "SpokenCoach":
        from shutbox.term.coach import SpokenCoach  # a game starts faster without it

        return SpokenCoach(self.table, self.console, self.hints, self._coaches, self.progress)

    def _review(self) -> None:
        """Report luck and skill once the game is over; refuse before, when it would be a hint."""
        if not isinstance(self.table.awaits, Over):
            self.console.say(gettext("The game is not over; v reviews it once it is."))
            return
        from shutbox.term.coach import say_review  # a game starts faster without it

        say_review(self.table, self.players, self.console, self.progress)

    def _say_end(self) -> None:
        """Report how a scored game went, once for each time it ends, and only at a terminal."""
        table = self.table
        unscored = table.game.scoring is None
        if unscored or not self.console.interactive or self._ended == table.version:
            return
        self._ended = table.version
        self.console.say(*self.afterwards())
        from shutbox.term.coach import say_verdict  # a game starts faster without it

        people = set(range(max(1, len(self.players)))) - set(table.bots)
        say_verdict(table, self.players, self.console, people)

    def _help(self) -> None:
        lines, width = [self._helps], min(80, self.console.columns) - 1
        for key, (_, about) in self._commands.items():
            if about:
                line = gettext("{key}: {about}.", key=key, about=about)
                if self.console.draws and len(lines[-1]) + len(line) < width:
                    line = f"{lines.pop()} {line}"  # so that the help fits on a screen
                lines.append(line)
        if switches := [key for key, (_, about) in self._commands.items() if not about]:
            template = gettext_noop("Type one of these words to switch it on or off: {words}.")
            lines.append(gettext(template, words=listed(switches)))
        if self.table.bots and self.pauses.seconds:
            lines.append(gettext("While computers play, any key skips the pauses."))
        self.console.say(*lines, gettext("A full stop says the last sentence again."))

    def tune(self, **settings: object) -> None:
        """Change fields such as `auto_throw`, `coach` and `pauses` while the game goes on."""
        for name, value in settings.items():
            setattr(self, name, value)
        self._narrator.length = self.length
        self._coaches = self.coach and self.table.game.scoring is not None
        if "_coach" in vars(self):
            self._coach.speaks = self._coaches

    def _who(self) -> None:
        names = self.players
        says = ngettext("{names} plays.", "{names} play.", len(names), names=listed(names))
        if not (names[1:] or self.table.bots):
            says = gettext("You play alone.")
        whose = (answer.says for answer in self.table.scene.answers if answer.key == WHOSE)
        self.console.say(says, *whose)

    def _leave(self, wish: Wish) -> None:
        self._wish = wish
        raise Stopped
