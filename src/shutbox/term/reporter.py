"""The report of a game at a terminal: each event is saved, applied, said, drawn and sounded."""

from collections.abc import Callable, Sequence
from dataclasses import InitVar, dataclass
from functools import partial
from itertools import groupby
from typing import Any, cast

from shutbox.engine.game import Over
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.narrator import Length, Narrator
from shutbox.engine.play import Applied, Prepared, Rolled
from shutbox.engine.scene import THROW_AGAIN, Piece, Scene, State
from shutbox.match.answers import ROUND, WHOSE
from shutbox.table import Table
from shutbox.term.console import Console
from shutbox.term.picture import panel

AnyPrepared = Prepared[Any, Any]


@dataclass(eq=False)
class Reporter:
    """Reports the events of one game at a console, and repeats what was said of them."""

    table: Table[Any, Any]
    console: Console
    players: Sequence[str]  # the names of the seats
    save: Callable[[AnyPrepared], None]  # stores an event to be applied
    length: InitVar[Length]
    pause: float  # seconds after events of computer players
    judge: Callable[[Any, str], None] | None = None
    """Called after each choice with the position before it, and the choice in notation."""

    def __post_init__(self, length: Length) -> None:
        players, bots = self.players, self.table.bots
        self.people = set(range(max(1, len(players)))) - set(bots)  # their seats
        self.own = self.people if len(self.people) == 1 else set[int]()  # "you", without a name
        self.narrator = Narrator(self.table.game, players, length, self.own, bots, bots)
        self.throws_again = False  # whether a choice to throw again was just made: no Enter needed
        self.shows_typed = False  # whether the picture shows what is typed, as a choice
        self._drawn: object = None
        self._told: list[tuple[AnyPrepared, Sequence[str]]] = []  # each event, and its sentences

    @property
    def computer_acted_last(self) -> bool:
        """Whether the last event was that of a computer player."""
        return bool(self._told) and self._told[-1][0].seat in self.table.bots

    def apply(self, prepared: AnyPrepared, *, whole: bool = True) -> None:
        """Save, apply, say and draw an event; unless `whole`, say only its first sentence.

        After an event of a computer player, wait for `pause`. Raises what `save` raises, before
        anything is applied.
        """
        is_persons = prepared.seat not in self.table.bots
        if is_persons:
            self.sum_up()
        self.save(prepared)
        applied = self.table.apply(prepared)
        self.throws_again = applied.offer is not None and applied.offer.kind == THROW_AGAIN
        scene, threw = self.table.scene, isinstance(applied.event, Rolled)
        if threw and scene.left:  # show the end of the turn before the next one is reported
            self.draw(scene.left)
        self._sound(applied, scene)
        self._say_event(applied, scene, whole=whole)
        if (threw and not scene.left) or self.console.screen() is not None:
            self.draw(scene.lying)
        if not is_persons:
            self.console.pause(self.pause)

    def _say_event(self, applied: Applied[Any, Any], scene: Scene, *, whole: bool) -> None:
        """Say the sentences of an event, and remember them; unless `whole`, say only the first."""
        console, is_over = self.console, isinstance(self.table.awaits, Over)
        own = applied.seat not in self.table.bots
        says: Sequence[str] = self.narrator.after(applied, scene)
        together = [" ".join(says)] if says else []
        self._told.append((applied, together if scene.each_throw else says))
        if self.judge is not None and applied.offer is not None:
            console.say(*says[:1], own=own)
            says = says[1:]
            self.judge(applied.before, applied.offer.text)
        due: Sequence[str] = ()  # the sentences that a person's turn begins, which no key silences
        if not own and scene.left and self.table.due in self.people and console.voice:
            due = [sentence for sentence in says if sentence in _says_who_is_due(scene)]
            says = [sentence for sentence in says if sentence not in due]
        if scene.left and console.draws and console.voice is None:
            says = _in_two_lines(says, scene)
        elif scene.each_throw and says and not is_over:
            says = [" ".join(says)]
        if not own and is_over:  # how a game ended is said whole
            self.sum_up()
            own = True
        console.say(*(says if whole else says[:1]), own=own)
        if due:
            self.sum_up()
            console.say(*due, own=True)

    def _sound(self, applied: Applied[Any, Any], scene: Scene) -> None:
        """Play the dice or the tiles of an event."""
        taken = applied.offer.takes if applied.offer is not None else ()
        if isinstance(applied.event, Rolled):
            dice = [piece for piece in scene.lying if piece.state is State.LYING]
            self.console.sound("dice", dice)
        elif taken:
            self.console.sound("tiles", [piece for piece in scene.lying if piece.key in taken])

    def last_runs(self) -> dict[bool, list[tuple[AnyPrepared, Sequence[str]]]]:
        """Return the latest events in a row of the player who asks (True), and of the others.

        The player who asks is the one due, or if that is a computer, any person. Each event comes
        with its sentences, in order of play. Who has done nothing yet is left out.
        """
        asks = {self.table.due} & self.people or self.people
        return {own: [*run] for own, run in groupby(self._told, lambda told: told[0].seat in asks)}

    def retell(self, *, own: bool) -> None:
        """Say again what was said of the last turn of the player who asks, or of others since."""
        says = [line for _, lines in self.last_runs().get(own, ()) for line in lines]
        self.console.say(*says or [gettext("Nothing has been said yet.")])

    def scores_of_others(self) -> list[str]:
        """Return the scores of the last turns of the others in one sentence; [] if none ended."""
        game = cast("Any", self.table.game)  # a match, if there are others
        events = [event for event, _ in self.last_runs().get(False, ())]
        turns = [turn for event in events for turn in game.settled(event.after).turns]
        facts = [{"name": self.players[turn.seat], "score": turn.score} for turn in turns]
        each = ", ".join(gettext("{name}: {score}", **fact) for fact in facts)
        return [gettext("{each}.", each=each)] if each else []

    def sum_up(self) -> None:
        """Say how many lines about the others a key has skipped, and what these came to."""
        speech = self.console.speech
        number, speech.skipped = speech.skipped, 0
        if number:
            self.console.sound("skipped")
            skipped = ngettext("Skipped {number} line.", "Skipped {number} lines.", number)
            parts = [skipped, *self.scores_of_others(), gettext("y for all.")]
            self.console.say(" ".join(parts), own=True)

    def draw(self, pieces: tuple[Piece, ...]) -> None:
        """Draw the pieces, unless they were the last ones drawn, at this same position."""
        if self.console.draws and self._drawn != (self.table.position, pieces):
            self._drawn = self.table.position, pieces
            self.console.draw(pieces, partial(self._view, pieces))

    def _view(self, pieces: Sequence[Piece], typed: str, columns: int, rows: int) -> list[str]:
        """Return the picture that stays on a screen; see `screen.View`."""
        typed = typed if self.shows_typed else ""
        return panel(self.table, pieces, typed, columns, rows, unicode=self.console.shows_unicode)


def _says_who_is_due(scene: Scene) -> set[str]:
    """Return the sentences of a scene that can say whose turn it is."""
    return {scene.again, *(answer.says for answer in scene.answers if answer.key == WHOSE)}


def _in_two_lines(says: Sequence[str], scene: Scene) -> list[str]:
    """Return the end of a turn in up to two lines: the throw and what came of it, and the rest.

    The round has just changed by this turn alone, and the next question names the player due.
    """
    known = _says_who_is_due(scene) | {a.says for a in scene.answers if a.key == ROUND}
    rest = (sentence for sentence in says[2:] if sentence not in known)
    return [line for line in (" ".join(says[:2]), " ".join(rest)) if line]
