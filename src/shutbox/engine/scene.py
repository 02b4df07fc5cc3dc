"""Scenes: the table and the offers at a position, written by the game for every front end.

A front end draws pieces, speaks sentences and returns an offer. It knows no rules. The sentences
come first, because blind people play this game. The picture is drawn from the same pieces.

A game knows no names. A field that ends in `_by` has a clause that can follow the name of the
acting player: `threw 2 and 4.` The sentence without a name has a capital: `Threw 2 and 4.` If more
than one seat plays, a match or a narrator puts the name first: `Ann: threw 2 and 4.`
"""

from dataclasses import dataclass
from enum import StrEnum

from shutbox.engine.english import Word
from shutbox.engine.messages import gettext


def by(name: str, sentence: str, clause: str) -> str:
    """Return a text such as `Ann: threw 6.`, or `sentence` if the name or the clause is empty."""
    # Translators: {clause} is such as "throws two dice." or a question; it also stands alone.
    return gettext("{name}: {clause}", name=name, clause=clause) if name and clause else sentence


class Kind(Word, StrEnum):
    """The kinds of pieces."""

    TILE = "tile"
    DIE = "die"


class State(Word, StrEnum):
    """The states of a piece."""

    UP = "up"  # a tile still to be covered
    DOWN = "down"  # a tile that is covered
    HIDDEN = "hidden"  # a tile that cannot be seen, behind another that is still up
    LYING = "lying"  # a die that shows its face
    HELD = "held"  # a die that stays when the others are thrown
    IN_HAND = "in hand"  # a die that is about to be thrown


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile or a die on the table."""

    key: str  # unique within the scene
    kind: Kind  # whether it is a tile or a die
    face: str  # the text on it, one to three characters; empty for a die that shows nothing
    state: State  # how it lies
    label: str  # the spoken name: `tile 7`, `tile 3 behind`, `die`
    row: int = 0  # the row of the box, counted from the player, from 0
    sides: int = 0  # the sides of a die; 0 for a tile
    number: int | None = None  # of a tile, or the pips of a die; None if it shows none


def die_piece(key: str, label: str, sides: int, face: int = 0, *, held: bool = False) -> Piece:
    """Return a die; with `face` 0 it shows nothing and, unless `held`, is about to be thrown."""
    state = State.HELD if held else State.LYING if face else State.IN_HAND
    return Piece(key, Kind.DIE, str(face or ""), state, label, sides=sides, number=face or None)


THROW_AGAIN = "throw-again"  # the `kind` of an offer to throw again, whose throw needs no prompt
THROWS = frozenset({"dice", "throw", THROW_AGAIN})  # kinds of offers that the next throw tells


@dataclass(frozen=True, slots=True)
class Offer:
    """An open choice in the words of the game, as a front end shows and speaks it."""

    text: str  # the choice in notation, which a front end returns
    says: str  # as spoken, unique in the scene: `1 and 7`; a player can answer with these words
    done: str  # the sentence once it is taken: `1 and 7 go down.`
    takes: tuple[str, ...] = ()  # keys of its pieces: a front end can pick it piece by piece
    kind: str = ""  # a fixed word of the game: `cover`, `dice`, `accept`, `buy`
    count: int | None = None  # of the dice it throws, or tiles it covers; None if about neither
    done_by: str = ""  # `done` as a clause after the player's name; empty if `done` has the name


@dataclass(frozen=True, slots=True)
class AskableFact:
    """A question that a player can ask at any time, and its answer."""

    key: str  # the letter to type, unique in the scene
    about: str  # the subject, such as `whose turn it is`
    says: str  # the answer, one sentence
    quiet: bool = False  # whether it is given only on request; others are announced on a change
    seats: tuple[int, ...] = ()  # the seats on turn, or the winners, if it is about them
    number: int | None = None  # the number it is about: the score to beat, the points to go
    brief: bool = False  # whether a change is announced in the shortest narration, even if `quiet`
    tag: str = ""
    """The label of the number where it is shown alone to the player on turn: `to beat`, `to go`;
    empty if it is not shown."""


@dataclass(frozen=True, slots=True, repr=False)
class Scene:
    """All that a front end shows and says of a game at one position."""

    says: tuple[str, ...]  # what has happened, in complete sentences
    dice: str  # the answer to: what do the dice show?
    board: str  # the answer to: what is up, aboard, or held?
    score: str  # the answer to: how do I stand?
    legal: str  # the answer to: what may I do?
    pieces: tuple[Piece, ...]
    offers: tuple[Offer, ...] = ()  # one for each choice, in their order; empty where none is due
    ask: str = ""  # the question, where a choice is due
    default: str | None = None  # the text of the offer that plain Enter takes, if there is one
    enter: str = ""  # what Enter does, if there is a default, as spoken: `Press Enter to cover it`
    answers: tuple[AskableFact, ...] = ()  # in order of narration; a game always has the same
    says_by: str = ""
    """The first of `says` as a clause after the thrower's name; empty if it is not about a throw,
    or has the name."""
    own: tuple[str, ...] = ()  # `says` to the player who threw: `You threw 2 and 4.`; or empty
    ask_by: str = ""  # `ask` as a clause after the player's name; empty if `ask` has the name
    ask_alone: str = ""  # `ask` without the name, to follow a sentence that has it; or empty
    score_by: str = ""  # `score` as a clause after the player's name; empty if `score` has it
    points: int | None = None  # the score if the turn ended now; None if no turn is played
    sums: bool = True  # whether the total of a roll matters
    ends: str = ""  # the one of `says` that tells a single player the end and the score; or empty
    again: str = ""
    """`board` where a new turn finds all as at the start: `All open again: 1 to 9.`; with one throw
    each, that of the row of the player due, once it has changed."""
    each_throw: bool = False
    """Whether a turn is one throw in a row of one's own, which others hear in one sentence."""
    rolls_left: int | None = None  # the rolls left in the turn, if the rules count them
    left: tuple[Piece, ...] = ()
    """At the start of a turn in a match: the pieces that the turn before left, with its dice."""

    def __repr__(self) -> str:
        return f"Scene({' '.join((*self.says, self.board))[:200]})"

    @property
    def lying(self) -> tuple[Piece, ...]:
        """The pieces as the last event left them; at the start of a turn, the last turn's."""
        return self.left or self.pieces

    @property
    def draws_dice(self) -> bool:
        """Whether there is a die; if not, a narrator tells what fell, and choices to throw."""
        return any(piece.kind is Kind.DIE for piece in self.lying)

    @property
    def about_board(self) -> str:
        """The question that `board` answers, as the help of a front end names it."""
        if any(piece.kind is Kind.TILE for piece in self.pieces):
            return gettext("which tiles are up")
        return gettext("what is on the table")

    @property
    def target(self) -> int | None:
        """The sum of lying dice if offers exist and the tiles of each add up to it, else None."""
        dice = [p.number for p in self.pieces if p.kind is Kind.DIE and p.state is State.LYING]
        if not dice or None in dice:
            return None
        target = sum(number or 0 for number in dice)
        return target if {*map(sum, self.numbers_taken())} == {target} else None

    def numbers_taken(self) -> list[tuple[int, ...]]:
        """Return for each offer, in order, the numbers of the tiles it takes; 0 for a die."""
        numbers = {p.key: p.number or 0 for p in self.pieces if p.kind is Kind.TILE}
        return [tuple(numbers.get(key, 0) for key in offer.takes) for offer in self.offers]
