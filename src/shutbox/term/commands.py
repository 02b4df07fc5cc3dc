"""The commands of a game at a terminal: what players can type at any of its questions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, cast

from shutbox.engine.cups import HandCup, SeededCup
from shutbox.engine.english import Word, listed
from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Over, legal_lines
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.narrator import Length, Narrator
from shutbox.engine.play import Applied, Prepared, Rolled
from shutbox.engine.scene import THROW_AGAIN, Piece, Scene, State
from shutbox.engine.typed_text import ENDING_WORDS, in_ascii
from shutbox.match.answers import CHIPS, EVERYBODY, GOALS, ROUND, ROWS, TO_BEAT, WHOSE
from shutbox.match.scoreboard import scoreboard
from shutbox.solving.graph import Progress, no_progress
from shutbox.table import Table
from shutbox.table.setup import answers_of_evening
from shutbox.term.at_once import meant
from shutbox.term.console import Console, Stopped
from shutbox.term.picture import panel

if TYPE_CHECKING:
    from shutbox.term.coach import SpokenCoach
    from shutbox.term.saving import Saving

AnyPrepared = Prepared[Any, Any]
_Command = tuple[str, Callable[[], object], str]
"""The text to type, the function it runs, and its help line; if empty, the help only names it."""
_WORDS = {
    "hint": "h",
    "help": "?",
    "rules": "r",
    "review": "v",
    "undo": "u",
    "score": "s",
    "m": "mute",  # as on the page
}
"""Other words for the commands."""
_NEEDS = "n"  # the command that says what every player needs; only a match answers it
_STANDING = (ROUND, EVERYBODY, CHIPS)  # what the command `s` says in a match besides the score


class Wish(Word):
    """The players' wish once a game is over; true if they want to play it again."""

    AGAIN = "again"
    MENU = "menu"
    QUIT = "quit"

    def __bool__(self) -> bool:
        """Whether to play again, so that `while session.run()` plays on."""
        return self is Wish.AGAIN


@dataclass(kw_only=True, eq=False)
class Commands:
    """The commands at one console; `ask` asks a question, and runs them in place of an answer."""

    table: Table[Any, Any] = field(kw_only=False)
    console: Console = field(kw_only=False)
    save: Callable[[AnyPrepared], None] = lambda prepared: None  # stores an event to be applied
    auto_throw: bool = True
    """Whether dice fall without Enter; the first throw of a turn can need it."""
    players: Sequence[str] = ()  # the names of the seats; they are said if there are several
    coach: bool = False  # whether to say after each choice what it cost
    advises: bool = False  # whether to give a hint before each choice, unasked
    length: Length = Length.NORMAL  # how much the narrator says
    newcomer: bool = False  # whether to say how to get help: at the first game on this device
    progress: Progress = no_progress  # called now and then during long work
    pause: float = 0.0  # seconds after events of computer players, and before dice that fall
    seal: "Saving | None" = None  # shows the envelope of the dice, if they are sealed
    afterwards: Callable[[], Iterable[str]] = tuple  # returns what to say once a game is over
    wins: Callable[[Any], Sequence[int]] = lambda position: ()
    """The function that returns the games won by each seat this evening, at a position."""
    extra_commands: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    """Further commands, which the help only lists: what to type, and the function it runs."""
    once: bool = False  # whether this is the one try at a box: no hints, and no second game
    ends_to: Wish = Wish.QUIT  # the wish that the command `end` means

    def __post_init__(self) -> None:
        self._say = self.console.say
        self._drawn: object = None
        self._advised: object = None  # the position of the last hint given unasked
        self._told: list[tuple[AnyPrepared, Sequence[str]]] = []  # each event, and its sentences
        self._sums_known = False  # whether the last answer was how the others stand
        self._called = 0  # the version of the table at the last sound of a turn that begins
        self._ended: int | None = None  # the version of the table whose end was reported
        self._chooses = False  # whether the open question is about a choice
        self._helps = ""  # how to answer the open question
        self._throws_again = False  # whether a choice to throw again was just made: no Enter needed
        self._people = set(range(max(1, len(self.players)))) - set(self.table.bots)
        self._own = self._people if len(self._people) == 1 else set[int]()  # "you", without a name
        late = self.table.bots
        self._narrator = Narrator(self.table.game, self.players, self.length, self._own, late)
        # Without scores there are no hints.
        self._hints = self.table.game.scoring is not None and not self.once
        self._coaches = self.coach and self._hints
        self._wish = Wish.QUIT  # the wish of a player who leaves the game
        self._commands = {key: (run, about) for key, run, about in self._offered()}

    def _offered(self) -> Iterator[_Command]:
        """Yield each command: what to type, the function it runs, and its line in the help."""
        table, scene = self.table, self.table.scene
        yield "d", lambda: self._say(table.scene.dice), gettext("what the dice show")
        yield "b", self._board, scene.about_board
        about = gettext("how everybody stands") if scene.answers else gettext("the score so far")
        yield "s", self._score, about
        if scene.answers:
            yield _NEEDS, self._needs, gettext("what you have to beat, and what the others need")
        if rows := [answer for answer in scene.answers if answer.key == ROWS]:
            yield "w", lambda: self._say(self._answers()[ROWS]), rows[0].about
        about = gettext("how the others stand; y again says what they did since your last turn")
        yield "y", self._others, about
        yield ",", lambda: self._retell(own=True), gettext("your last turn again")
        yield "l", self._legal, gettext("all legal choices")
        if self._hints:
            about = gettext("a hint; h again compares all choices")
            yield "h", self._hint, about
        else:
            about = gettext("there are no hints here")
            yield "h", lambda: self._say(gettext("There are no hints here.")), about
        if table.game.scoring is not None:
            yield "v", self._review, gettext("at the end, what was luck and what was skill")
        about = gettext("takes back your choice, if no dice have been thrown since")
        yield "u", lambda: self._try(table.prepare_take_back, seat=table.taker_back or 0), about
        if isinstance(table.cup, HandCup):
            about = gettext("corrects the dice you typed, before the next choice")
            yield "c", self._correct, about
        yield "r", lambda: self._say(*table.game.card().lines), gettext("the rules in play")
        if self.seal is not None:
            yield "?dice", lambda: self._envelope(""), gettext("the envelope of the dice")
        yield from ((word, partial(run, self), "") for word, run in self.extra_commands.items())
        if not self.once:
            yield "new", partial(self._leave, Wish.AGAIN), gettext("begins a new game of this kind")
        yield "menu", partial(self._leave, Wish.MENU), gettext("leads to the first screen")
        yield "?", self._help, pgettext("what a command does", "this help")
        yield ENDING_WORDS[0], partial(self._leave, self.ends_to), gettext("ends the game")

    def _run_command(self, answer: str) -> bool:
        """Run the command that an answer is, and return True; False if it is none."""
        first, _, rest = answer.partition(" ")
        key = in_ascii(first).lower()
        key, word = _WORDS.get(key, key), in_ascii(answer).lower()
        self._sums_known = self._sums_known and word == "y"
        if key in ("?dice", "?word"):
            self._envelope(rest.strip() if key == "?word" else "")
        elif word in ENDING_WORDS[1:]:
            self._leave(Wish.QUIT)
        elif not rest and key in self._commands:
            self._commands[key][0]()
        elif word == _NEEDS and self.table.game.scoring is not None:
            self._say(gettext("{key} works in a match. You play alone.", key=word))
        else:
            return False
        return True

    def _board(self) -> None:
        scene = self.table.scene
        self.console.sound("tiles", [piece for piece in scene.pieces if piece.state is State.UP])
        self._say(scene.board)

    def _hint(self) -> None:
        self.console.sound("hint")
        self._coach.hint()

    def _legal(self) -> None:
        """Say all legal choices, in a line for each number of tiles."""
        scene = self.table.scene
        lines = [*legal_lines(self.table.awaits, scene.offers)]
        self._say(*(lines if " ".join(lines) == scene.legal else [scene.legal]))

    def _envelope(self, word: str) -> None:
        """Take the player's word, if there is one, and show the envelope; or say there is none."""
        try:
            if self.seal is not None:
                self.seal.set_word(word)
            elif isinstance(self.table.cup, SeededCup):
                self._say(gettext("These dice come from a seed, so they are not sealed."))
            else:
                self._say(gettext("The dice are not sealed."))
        except ShutboxError as error:
            self.console.refuse(error)

    def ask(
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
        self._sum_up()
        begins = bool(self._told) and self._told[-1][0].seat in self.table.bots
        if begins and self._called != self.table.version:  # not again after a command
            self._called = self.table.version
            self.console.sound("mine")
        words = {*self._commands, *_WORDS, *answers}
        at_once = partial(meant, scene=scene, commands=words, throws=throws)
        self._chooses, self._helps = scene is not None, helps
        answer = self.console.ask(prompt, at_once).strip()
        if in_ascii(answer).lower() in answers or not self._run_command(answer):
            return answer
        return None

    def _try(self, prepare: Callable[..., AnyPrepared], *what: object, seat: int) -> None:
        """Call `prepare` with `what` and `seat`, and apply its event, or say why it is refused."""
        try:
            prepared = prepare(*what, seat=seat)
        except ShutboxError as error:
            self.console.refuse(error)
        else:
            self._act(prepared)

    def _act(self, prepared: AnyPrepared, *, whole: bool = True) -> None:
        """Store, apply, tell and draw an event; unless `whole`, tell only its first sentence."""
        own = prepared.seat not in self.table.bots
        if own:
            self._sum_up()
        self.save(prepared)
        applied = self.table.apply(prepared)
        self._throws_again = applied.offer is not None and applied.offer.kind == THROW_AGAIN
        scene, threw = self.table.scene, isinstance(applied.event, Rolled)
        if threw and scene.left:  # show the end of the turn before the next one is reported
            self._draw(scene.left)
        self._sound(applied, scene)
        says: Sequence[str] = self._narrator.after(applied, scene)
        told = [*filter(None, [" ".join(says)])] if scene.each_throw else says
        self._told.append((applied, told))
        if self._coaches and applied.offer is not None:
            self._say(*says[:1], own=own)
            says = says[1:]
            self._coach.judge(applied.before, applied.offer.text)
        if scene.left and self.console.draws and self.console.voice is None:
            says = [*filter(None, self._shorter(says, scene))]
        elif scene.each_throw and says and not isinstance(self.table.awaits, Over):
            says = [" ".join(says)]
        if not own and isinstance(self.table.awaits, Over):  # how a game ended is said whole
            self._sum_up()
            own = True
        self._say(*(says if whole else says[:1]), own=own)
        if (threw and not scene.left) or self.console.screen() is not None:
            self._draw(scene.lying)
        if prepared.seat in self.table.bots:
            self.console.pause(self.pause)

    def _sound(self, applied: Applied[Any, Any], scene: Scene) -> None:
        """Play the dice or the tiles of an event."""
        taken = applied.offer.takes if applied.offer is not None else ()
        if isinstance(applied.event, Rolled):
            dice = [piece for piece in scene.lying if piece.state is State.LYING]
            self.console.sound("dice", dice)
        elif taken:
            self.console.sound("tiles", [piece for piece in scene.lying if piece.key in taken])

    def _shorter(self, says: Sequence[str], scene: Scene) -> Iterator[str]:
        """Yield the end of a turn in two lines: the throw, and the rest.

        The round has just changed by this turn alone, and the next question names the player due.
        """
        known = {one.says for one in scene.answers if one.key in (ROUND, WHOSE)} | {scene.again}
        yield " ".join(says[:2])
        yield " ".join(sentence for sentence in says[2:] if sentence not in known)

    def _answers(self) -> dict[str, str]:
        """Return what can be said about a match, by the key of the question; {} without one."""
        answers = answers_of_evening(self.table, self.wins(self.table.position))
        return {answer.key: answer.says for answer in answers}

    def _score(self) -> None:
        """Say the score, and in a match how everybody stands, and who is due between turns."""
        from shutbox.table.position import at  # a game starts faster without it

        scene, answers = self.table.scene, self._answers()
        keys = _STANDING if scene.points is not None else (*_STANDING, WHOSE)
        if not any(at(self.table).scores):  # zeros are no news
            answers.pop(EVERYBODY, None)
        told = [scene.score, *(answers[key] for key in keys if key in answers)]
        self._say(*dict.fromkeys(told))  # between turns, the score is how the round stands

    def _runs(self) -> dict[bool, list[Any]]:
        """Return the events of the last turn of the player who asks (True), and of the others."""
        people = {*range(len(self.players) or 1)} - {*self.table.bots}
        seats = {self.table.due} & people or people
        return {own: [*run] for own, run in groupby(self._told, lambda one: one[0].seat in seats)}

    def _retell(self, *, own: bool) -> None:
        says = [line for _, lines in self._runs().get(own, ()) for line in lines]
        self._say(*says or [gettext("Nothing has been said yet.")])

    def _sums(self) -> list[str]:
        """Return the scores of the last turns of the others as a sentence; empty if none ended."""
        game = cast("Any", self.table.game)  # a match, if there are others
        events = [event for event, _ in self._runs().get(False, ())]
        turns = [turn for event in events for turn in game.settled(event.after).turns]
        facts = [{"name": self.players[turn.seat], "score": turn.score} for turn in turns]
        each = ", ".join(gettext("{name}: {score}", **fact) for fact in facts)
        return [gettext("{each}.", each=each)] if each else []

    def _sum_up(self) -> None:
        """Say how many lines about the others a key has skipped, and what these came to."""
        number, self.console.skipped = self.console.skipped, 0
        if number:
            self.console.sound("skipped")
            says = ngettext("Skipped {number} line.", "Skipped {number} lines.", number)
            self._say(" ".join([says, *self._sums(), gettext("y for all.")]), own=True)

    def _others(self) -> None:
        """Say how the others stand; asked again, or if no turn has ended, what they did."""
        says = self._sums()
        if not self.players[1:]:
            self._say(gettext("Nobody else plays here."))
        elif self._sums_known or not says:
            self._retell(own=False)
        else:
            self._sums_known = True
            leaders = scoreboard(cast("Any", self.table.game), self.table.position).leaders
            if names := listed(self.players[seat] for seat in leaders):
                says += [ngettext("{names} leads.", "{names} lead.", len(leaders), names=names)]
            self._say(" ".join(says))

    def _needs(self) -> None:
        """Say what the player due has to beat, and what those after need."""
        answers = self._answers()
        self._say(answers.get(GOALS) or answers[TO_BEAT])

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
            self._say(says)
            return
        ask = gettext("What does the die really show? Enter leaves it as it is:")
        if len(throw.dice) > 1:
            ask = gettext("What do the dice really show? Enter leaves them as they are:")
        helps = gettext("Type all that the dice show, or press Enter.")
        while self.table.version == version and (answer := self.ask(ask, helps)) != "":
            if answer is not None:
                self._try(self.table.prepare_correction, answer, seat=throw.seat)

    @cached_property
    def _coach(self) -> "SpokenCoach":
        from shutbox.term.coach import SpokenCoach  # a game starts faster without it

        return SpokenCoach(self.table, self.console, self._coaches, self.progress)

    def _review(self) -> None:
        """Report luck and skill once the game is over; refuse before, when it would be a hint."""
        if not isinstance(self.table.awaits, Over):
            self._say(gettext("The game is not over; v reviews it once it is."))
            return
        from shutbox.term.coach import say_review  # a game starts faster without it

        say_review(self.table, self.players, self.console, self.progress, self._people)

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
        if self.table.bots and self.pause:
            lines.append(gettext("While computers play, any key skips the pauses."))
        self._say(*lines, gettext("A full stop says the last sentence again."))

    def tune(self, **settings: object) -> None:
        """Change fields such as `auto_throw`, `coach` and `pauses` while the game goes on."""
        for name, value in settings.items():
            setattr(self, name, value)
        self._narrator.length = self.length
        self._coaches = self.coach and self._hints
        if "_coach" in vars(self):
            self._coach.speaks = self._coaches

    def _leave(self, wish: Wish) -> None:
        self._wish = wish
        raise Stopped
