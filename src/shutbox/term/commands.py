"""The commands of a game at a terminal: what players can type at any of its questions."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from shutbox.engine.cups import HandCup, SeededCup
from shutbox.engine.english import Word, listed
from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Over
from shutbox.engine.game_text import legal_lines
from shutbox.engine.messages import gettext, gettext_noop, ngettext, pgettext
from shutbox.engine.narrator import Length
from shutbox.engine.scene import Scene, State
from shutbox.engine.typed_text import ENDING_WORDS, own_word, typed_line
from shutbox.match.answers import CHIPS, EVERYBODY, GOALS, ROUND, ROWS, TO_BEAT, WHOSE
from shutbox.match.scoreboard import scoreboard
from shutbox.solving.progress import Progress, no_progress
from shutbox.table import Table
from shutbox.table.setup import answers_with_wins
from shutbox.term.at_once import find_meaning
from shutbox.term.console import Console, Stopped
from shutbox.term.reporter import AnyPrepared, Reporter

if TYPE_CHECKING:
    from shutbox.term.coach import SpokenCoach
    from shutbox.term.saving import Saving

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
_FIRST = ("b", "h", ENDING_WORDS[0])  # the commands that the help by ear names first
_STANDING = (ROUND, EVERYBODY, CHIPS)  # what the command `s` says in a match besides the score


class _Command(NamedTuple):
    run: Callable[[], object]
    about: str  # its line in the help; empty for a switch, which the help only names


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
    lines_after_game: Callable[[], Iterable[str]] = tuple  # returns what to say once a game is over
    wins: Callable[[Any], Sequence[int]] = lambda position: ()
    """The function that returns the games won by each seat this evening, at a position."""
    extra_commands: Mapping[str, Callable[[Any], None]] = field(default_factory=dict)
    """Further commands, which the help only lists: what to type, and the function it runs."""
    once: bool = False  # whether this is the one try at a box: no hints, and no second game
    ends_to: Wish = Wish.QUIT  # the wish that the command `end` means

    def __post_init__(self) -> None:
        self._say = self.console.say
        self.reporter = Reporter(
            self.table, self.console, self.players, self.save, self.length, self.pause
        )
        self._last_command = ""
        self._is_again = False  # whether the last command was typed twice, one after the other
        self._sounded_at = 0  # the version of the table when a turn last began with a sound
        self._helps = ""  # how to answer the open question
        # Without scores there are no hints.
        self.gives_hints = self.table.game.scoring is not None and not self.once
        self._set_judge()
        self.wish = Wish.QUIT  # the wish of a player who leaves the game
        self._commands = {key: _Command(run, about) for key, run, about in self._offer_commands()}

    @property
    def several(self) -> bool:
        """Whether several seats play."""
        return len(self.players) > 1

    def _offer_commands(self) -> Iterator[tuple[str, Callable[[], object], str]]:
        """Yield what to type for each command, and its `run` and `about`, in order of the help."""
        table, scene = self.table, self.table.scene
        yield "d", lambda: self._say(table.dice_text), gettext("what the dice show")
        yield "b", self._board, scene.about_board
        help_line = (
            gettext("how everybody stands") if scene.answers else gettext("the score so far")
        )
        yield "s", self._score, help_line
        if scene.answers:
            yield _NEEDS, self._needs, gettext("what you have to beat, and what the others need")
        if rows := [answer for answer in scene.answers if answer.key == ROWS]:
            yield "w", lambda: self._say(self._answers()[ROWS]), rows[0].about
        help_line = gettext("how the others stand; y again says what they did since your last turn")
        yield "y", self._others, help_line
        yield ",", partial(self.reporter.retell, own=True), gettext("your last turn again")
        yield "l", self._legal, gettext("all legal choices")
        if self.gives_hints:
            # Translators: what typing h does; a hint names the best choice.
            help_line = gettext("a hint; h again compares all choices")
            yield "h", self._hint, help_line
        else:
            help_line = gettext("there are no hints here")
            yield "h", lambda: self._say(gettext("There are no hints here.")), help_line
        if table.game.scoring is not None:
            yield "v", self._review, gettext("at the end, what was luck and what was skill")
        help_line = gettext("takes back your choice, if no dice have been thrown since")
        yield "u", self._take_back, help_line
        if isinstance(table.cup, HandCup):
            help_line = gettext("corrects the dice you typed, before the next choice")
            yield "c", self._correct, help_line
        yield "r", lambda: self._say(*table.game.card().lines), gettext("the rules in play")
        if self.seal is not None:
            yield "?dice", self._envelope, gettext("the envelope of the dice")
        yield from ((word, partial(run, self), "") for word, run in self.extra_commands.items())
        if not self.once:
            yield "new", partial(self._leave, Wish.AGAIN), gettext("begins a new game of this kind")
        yield "menu", partial(self._leave, Wish.MENU), gettext("leads to the first screen")
        yield "?", self._help, pgettext("what a command does", "this help")
        yield ENDING_WORDS[0], partial(self._leave, self.ends_to), gettext("ends the game")

    def _run_command(self, answer: str) -> bool:
        """Run the command that an answer is, and return True; False if it is none."""
        first, _, rest = answer.partition(" ")
        key = typed_line(first)
        key, word = _WORDS.get(key, key), typed_line(answer)
        self._is_again, self._last_command = key == self._last_command, key
        if key in ("?dice", "?word"):
            self._envelope(rest.strip() if key == "?word" else "")
        elif word in ENDING_WORDS[1:]:
            self._leave(Wish.QUIT)
        elif not rest and key in self._commands:
            self._commands[key].run()
        elif word == _NEEDS and self.table.game.scoring is not None:
            # Translators: it works only in a match of several; this game has one player.
            self._say(gettext("{key} works in a match. You play alone.", key=word))
        else:
            return False
        return True

    def _take_back(self) -> None:
        """Take back the last choice; if it is too late, say so, and what is possible."""
        is_late = self.table.taker_back is None and self.auto_throw and bool(self.pause)
        self.attempt(self.table.prepare_take_back, seat=self.table.taker_back or 0)
        if is_late and "ask" in self.extra_commands and not isinstance(self.table.awaits, Over):
            # Translators: u is a key, which takes a choice back; ask is typed.
            self._say(gettext("Type ask: then every throw waits for Enter, and u is in time."))

    def _board(self) -> None:
        scene = self.table.scene
        self.console.sound("tiles", [piece for piece in scene.pieces if piece.state is State.UP])
        self._say(scene.board)

    def _hint(self) -> None:
        self.console.sound("hint")
        self.spoken_coach.hint()

    def _legal(self) -> None:
        """Say all legal choices, in a line for each number of tiles."""
        scene = self.table.scene
        lines = [*legal_lines(self.table.awaits, scene.offers)]
        self._say(*(lines if " ".join(lines) == scene.legal else [scene.legal]))

    def _envelope(self, word: str = "") -> None:
        """Take the player's `word` unless it is empty, and show the envelope; or say why not."""
        try:
            if self.seal is not None and word:
                self.seal.set_word(word)
            elif self.seal is not None:
                self.seal.show_envelope()
            elif isinstance(self.table.cup, SeededCup):
                # Translators: seed: a text from which the same dice come each time.
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
        *,
        scene: Scene | None = None,
        throws: bool = False,
        anew: bool = False,
    ) -> str | None:
        """Ask, and return the player's answer, or None after a command, which has been run.

        `helps` says how to answer; the help begins with it. A word in `answers` is an answer here,
        even if it is also a command. `scene` is the scene of a choice; with `throws`, Enter throws
        the dice. With `answers` or `anew`, drop what was typed before. Raises Stopped if the player
        leaves.
        """
        self.reporter.sum_up()
        is_new = self._sounded_at != self.table.version  # it is not after a command
        if self.reporter.computer_acted_last and is_new:
            self._sounded_at = self.table.version
            self.console.sound("mine")
        words = {*self._commands, *_WORDS, *answers}
        at_once = partial(find_meaning, scene=scene, commands=words, throws=throws)
        self.reporter.shows_typed, self._helps = scene is not None, helps
        answer = self.console.ask(prompt, at_once, anew=anew or bool(answers)).strip()
        if typed_line(answer) in answers or not self._run_command(answer):
            return answer
        return None

    def attempt(self, prepare: Callable[..., AnyPrepared], *what: object, seat: int) -> None:
        """Call `prepare` with `what` and `seat`, and apply its event, or say why it is refused.

        Raises Stopped if the event cannot be saved and the player stops.
        """
        try:
            prepared = prepare(*what, seat=seat)
        except ShutboxError as error:
            self.console.refuse(error)
        else:
            self.reporter.apply(prepared)

    def _answers(self) -> dict[str, str]:
        """Return what can be said about a match, by the key of the question; {} without one."""
        answers = answers_with_wins(self.table, self.wins(self.table.position))
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

    def _others(self) -> None:
        """Say how the others stand; asked again, or if no turn has ended, what they did."""
        says = self.reporter.scores_of_others()
        if not self.several:
            self._say(gettext("Nobody else plays here."))
        elif not says and False not in self.reporter.last_runs():
            self._say(self._answers()[ROUND])
        elif self._is_again or not says:
            self.reporter.retell(own=False)
        else:
            leaders = scoreboard(cast("Any", self.table.game), self.table.position).leaders
            if names := listed(self.players[seat] for seat in leaders):
                says += [ngettext("{names} leads.", "{names} lead.", len(leaders), names=names)]
            self._say(" ".join(says))

    def _needs(self) -> None:
        """Say what the player due has to beat, and what those after need."""
        answers = self._answers()
        self._say(answers.get(GOALS) or answers[TO_BEAT])

    def _correct(self) -> None:
        """Correct typed dice, if possible: ask until the answer is understood. Enter keeps them."""
        throw, version = self.table.correctable, self.table.version
        if throw is None:
            self._say(
                gettext("There are no dice to correct: none were typed since the last choice.")
            )
            return
        if len(throw.dice) > 1:
            ask = gettext("What do the dice really show? Enter leaves them as they are:")
        else:
            ask = gettext("What does the die really show? Enter leaves it as it is:")
        helps = gettext("Type all that the dice show, or press Enter.")
        while self.table.version == version and (answer := self.ask(ask, helps)) != "":
            if answer is not None:
                self.attempt(self.table.prepare_correction, answer, seat=throw.seat)

    @cached_property
    def spoken_coach(self) -> "SpokenCoach":
        """The coach of this game, who is called in when a hint or a judgement is wanted."""
        from shutbox.term.coach import SpokenCoach  # a game starts faster without it

        return SpokenCoach(self.table, self.console, self.judges, self.progress)

    def _set_judge(self) -> None:
        """Let the coach judge each choice from now on if `coach`, or no more."""
        self.judges = self.coach and self.gives_hints
        self.reporter.judge = self._judge if self.judges else None
        if "spoken_coach" in vars(self):
            self.spoken_coach.speaks = self.judges

    def _judge(self, position: object, choice: str) -> None:
        self.spoken_coach.judge(position, choice)

    def _review(self) -> None:
        """Report luck and skill once the game is over; refuse before, when it would be a hint."""
        if not isinstance(self.table.awaits, Over):
            self._say(gettext("The game is not over; v reviews it once it is."))
            return
        from shutbox.term.coach import say_review  # a game starts faster without it

        say_review(self.table, self.players, self.console, self.progress, self.reporter.people)

    def _help(self) -> None:
        """Say how to answer, and list all commands; by ear a few, and all when asked again."""
        lines, width = [self._helps], min(80, self.console.columns) - 1
        abouts = {
            key: gettext("{key}: {about}.", key=own_word(key), about=command.about)
            for key, command in self._commands.items()
            if command.about
        }
        if self.console.voice and not self._is_again:
            first = [abouts[key] for key in _FIRST]
            self._say(" ".join([*lines, *first, gettext("? again: all commands.")]))
            return
        for line in abouts.values():
            if self.console.draws and len(lines[-1]) + len(line) < width:
                line = f"{lines.pop()} {line}"  # so that the help fits on a screen
            lines.append(line)
        if switches := [own_word(key) for key in self._commands if key not in abouts]:
            template = gettext_noop("Type one of these words to switch it on or off: {words}.")
            lines.append(gettext(template, words=listed(switches)))
        if self.table.bots and self.pause:
            lines.append(gettext("While computers play, any key skips the pauses."))
        self._say(*lines, gettext("A full stop says the last sentence again."))

    def tune(
        self, *, auto_throw: bool, coach: bool, advises: bool, length: Length, pause: float
    ) -> None:
        """Set the fields of these names while the game goes on, also for what reports it."""
        self.auto_throw, self.coach, self.advises = auto_throw, coach, advises
        self.length, self.pause = length, pause
        self.reporter.narrator.length, self.reporter.pause = length, pause
        self._set_judge()

    def _leave(self, wish: Wish) -> None:
        self.wish = wish
        raise Stopped
