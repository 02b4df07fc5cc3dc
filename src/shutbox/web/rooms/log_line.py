"""The log of a room: its entries, which listeners get as events, and the moves in figures."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from shutbox.engine.game import Over, Throw
from shutbox.engine.messages import language
from shutbox.engine.narrator import Length, Narrator
from shutbox.engine.play import Applied, Chosen, Corrected, Rolled
from shutbox.engine.scene import Kind, Scene
from shutbox.match import Match
from shutbox.match.game import begins_turn
from shutbox.table import Table


@dataclass
class ThrownView:
    """One die of a throw: its number of sides, and the face that it showed."""

    sides: int  # the number of its sides
    face: str  # the face as text
    pips: int  # the face as a number


@dataclass
class MoveView:
    """A throw, a choice, a take-back or a correction, in figures."""

    thrown: tuple[ThrownView, ...] = ()  # the dice as they fell, or as they were corrected
    covered: tuple[str, ...] = ()  # the faces of the tiles that a choice took
    score: int | None = None  # the score of the turn that ended with it; None if the turn goes on
    shut: bool = False  # whether that turn reached its goal, such as shutting the box
    throws: int | None = None  # in that turn; None if it goes on, or with one throw each


@dataclass
class OwnWords:
    """The sentences of an event as the player who acted hears them: "You threw 2 and 4, 6."."""

    says: tuple[str, ...]  # what happened, in sentences
    brief: tuple[str, ...]  # the same for brief narration


@dataclass
class LogLine:
    """One event of a room, as its log shows it and its listeners get it."""

    number: int  # the number of the event
    kind: str  # the kind of event
    seat: int | None  # the seat that acted, if any
    says: tuple[str, ...]
    """What happened, in sentences. Empty for a throw that the others hear with its cover."""
    move: MoveView | None = None  # the move in figures; None for events outside the game
    brief: tuple[str, ...] | None = None  # `says` for brief narration; None if they are the same
    own: OwnWords | None = None  # the same for the player who acted; None if nothing differs


Sentences = dict[str, Any]  # the fields `says`, `brief` and `own` of an entry, those that it has
MakeSentences = Callable[[], Sentences]  # a function that makes them in the current language


class RoomLog:
    """The log of a room, whose sentences are made again for each language of a viewer."""

    def __init__(self) -> None:
        self.lines: list[LogLine] = []  # by event number, each in the language it was added in
        self._make_sentences: list[MakeSentences] = []  # for each of the lines
        self._translated: dict[tuple[str, int], LogLine] = {}  # by language and event number

    def add(self, line: LogLine, make_sentences: MakeSentences) -> None:
        """Add the entry of the next event, and the function that makes its sentences again."""
        self.lines.append(line)
        self._make_sentences.append(make_sentences)
        self._translated[language(), line.number] = line

    def line(self, number: int) -> LogLine:
        """Return the entry of event `number`, counted from 1, in the current language."""
        if (key := (language(), number)) not in self._translated:
            sentences = self._make_sentences[number - 1]()
            self._translated[key] = replace(self.lines[number - 1], **sentences)
        return self._translated[key]

    def forget_sentences(self) -> None:
        """Make `line` make each sentence again, since the name of a player in it has changed."""
        self._translated.clear()


def move_sentences(
    narrator: Narrator[Any, Any], applied: Applied[Any, Any], scene: Scene | None = None
) -> Sentences:
    """Return the sentences of a move in the current language.

    `scene` is the one after it, if it is at hand and in this language.
    """
    scene = scene or narrator.game.scene(applied.after)
    ears = [(length, own) for own in (False, True) for length in (Length.NORMAL, Length.BRIEF)]
    says, brief, *own = narrator.after_at(applied, scene, ears)
    return {
        "says": says,
        "brief": brief if brief != says else None,
        "own": OwnWords(*own) if own != [says, brief] else None,
    }


def move_view(table: Table[Any, Any], applied: Applied[Any, Any], before: Scene) -> MoveView:
    """Return the figures of a move just applied at a table; `before` is the scene before it.

    >>> from shutbox import Table, find
    >>> from shutbox.engine.cups import ScriptCup
    >>> table = Table(find("classic(tiles=7-9)"), ScriptCup(["4+5", "1+1"]))
    >>> move_view(table, table.apply(table.prepare_throw()), table.scene).thrown
    (ThrownView(sides=6, face='4', pips=4), ThrownView(sides=6, face='5', pips=5))
    >>> before, applied = table.scene, table.apply(table.prepare_choice("9"))
    >>> move_view(table, applied, before).covered
    ('9',)
    >>> before, applied = table.scene, table.apply(table.prepare_throw())
    >>> found = move_view(table, applied, before)
    >>> found.score, found.shut, found.throws
    (15, False, 2)
    """
    move, over = MoveView(), table.awaits
    match applied.event:
        case Rolled(roll=roll) | Corrected(roll=roll):
            awaited = table.awaits_at(table.steps[-1].before)
            sides = awaited.dice.sides if isinstance(awaited, Throw) else ()
            move.thrown = tuple(map(lambda s, n: ThrownView(s, str(n), n), sides, roll.pips))
        case Chosen() if applied.offer is not None:
            tiles = {p.key: p.face for p in before.pieces if p.kind is Kind.TILE}
            move.covered = tuple(tiles[key] for key in applied.offer.takes if key in tiles)
    if isinstance(table.game, Match):
        for turn in table.game.settled(table.position).turns:
            if turn.seat == applied.seat:
                move.score, move.shut = turn.score, turn.shut
    elif isinstance(over, Over):
        move.score, move.shut = over.scores[0], over.shut
    if move.score is not None and not getattr(table.position, "rows", ()):
        move.throws = _throws(table)
    return move


def _throws(table: Table[Any, Any]) -> int:
    """Return the number of throws of the turn that the last step ended."""
    count = 0
    for step in reversed(table.steps):
        count += isinstance(step.event, Rolled)
        if begins_turn(table, step.before):
            break
    return count
