"""What lies on the table and what is offered: written once by the game, for every front end.

A front end draws pieces, speaks sentences and hands back an offer. It knows no rules. The
sentences come first: this is a game that blind people play, and the picture is made from the
same pieces for those who can see it.

A game knows no names. What it says of who acts is a clause that can stand after a name, in the
field that ends in `_by`: `threw 2 and 4.` Said alone it has a capital: `Threw 2 and 4.` A match and
a narrator put the name before it, `Ann: threw 2 and 4.`, where more than one seat plays.
"""

from dataclasses import dataclass
from enum import StrEnum

from shutbox.english import Word
from shutbox.messages import gettext


def by(name: str, sentence: str, clause: str) -> str:
    """A sentence about what somebody does: his name and the clause, or as it is without either.

    >>> by("Ann", "Threw 6.", "threw 6."), by("", "Threw 6.", "threw 6.")
    ('Ann: threw 6.', 'Threw 6.')
    >>> by("Ann", "Ann buys 20 chips.", "")
    'Ann buys 20 chips.'
    """
    return gettext("{name}: {clause}", name=name, clause=clause) if name and clause else sentence


class Kind(Word, StrEnum):
    """What sort of thing a piece is."""

    TILE = "tile"
    DIE = "die"


class State(Word, StrEnum):
    """How a piece lies there."""

    UP = "up"  # a tile still to be covered
    DOWN = "down"  # a tile that is covered
    HIDDEN = "hidden"  # a tile behind another that is still up: it cannot be seen
    LYING = "lying"  # a die that shows its face
    HELD = "held"  # a die that stays when the others are thrown
    IN_HAND = "in hand"  # a die that is about to be thrown


@dataclass(frozen=True, slots=True)
class Piece:
    """One thing on the table."""

    key: str  # unique within the scene
    kind: Kind
    face: str  # what is written on it, one to three characters; empty for a die that shows nothing
    state: State
    label: str  # what a voice calls it: `tile 7`, `tile 3 behind`, `die`
    row: int = 0  # the row of the box it stands in, counted from the player
    sides: int = 0  # the sides of a die; 0 for a tile
    number: int | None = None  # of a tile, or the pips of a die; None for one that shows nothing


def die_piece(key: str, label: str, sides: int, face: int = 0, *, held: bool = False) -> Piece:
    """A die; one that shows nothing, whose face is 0, is about to be thrown.

    >>> die_piece("die 1", "die", 6).state, die_piece("die 1", "die", 6, 5, held=True).state
    (State.IN_HAND, State.HELD)
    """
    state = State.HELD if held else State.LYING if face else State.IN_HAND
    return Piece(key, Kind.DIE, str(face or ""), state, label, sides=sides, number=face or None)


THROW_AGAIN = "throw-again"
"""The `kind` of an offer to throw dice that lie there, which is all that its player has to say."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One choice that is open."""

    text: str  # the choice in notation: what to hand back
    says: str
    """What a voice says when it is offered, unlike any other offer of the scene: `1 and 7`.
    Who answers with these words means this offer."""
    done: str  # what a voice says once it is taken, a whole sentence: `1 and 7 go down.`
    takes: tuple[str, ...] = ()  # keys of its pieces: a front end can pick it piece by piece
    kind: str = ""  # its sort, in a fixed word of the game: `cover`, `dice`, `accept`, `buy`
    count: int | None = None
    """How many dice it throws, or how many tiles it covers; None where it is about neither."""
    done_by: str = ""  # `done` as a clause after the name of who took it; empty where it names him


@dataclass(frozen=True, slots=True)
class Answer:
    """One more question that can be asked at any time, and its answer."""

    key: str  # what is typed to ask it: one letter, unlike any other of the scene
    about: str  # what it tells, such as `whose turn it is`
    says: str  # the answer, one sentence
    quiet: bool = False  # whether it is told only when asked; others are told when they change, too
    seats: tuple[int, ...] = ()  # the seats that it is about: who is due, whom to beat, who has won
    number: int | None = None  # the number that it is about: the score to beat, what is still to go
    brief: bool = False  # whether its change is told even to those who want to hear least
    tag: str = ""
    """What stands beside the number where that is shown alone, for who is due: `to beat`, `to go`;
    empty where it is not."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at one position."""

    says: tuple[str, ...]  # what has come about, a complete sentence each
    dice: str  # the answer to: what do the dice show?
    board: str  # the answer to: what is up, aboard, or held?
    score: str  # the answer to: how do I stand?
    legal: str  # the answer to: what may I do?
    pieces: tuple[Piece, ...]
    offers: tuple[Offer, ...] = ()  # one for each choice, in their order; empty where none is due
    ask: str = ""  # the question, where a choice is due
    default: str | None = None  # the text of the offer that plain Enter takes, if there is one
    enter: str = ""  # what a voice says that Enter does, where there is a default: `Enter takes it`
    answers: tuple[Answer, ...] = ()
    """What else can be asked, in the order in which it is told; the same questions in every
    scene of a game."""
    says_by: str = ""
    """The first of `says` as a clause after the name of who threw; empty where it tells of no
    throw, or names him."""
    ask_by: str = ""  # `ask` as a clause after the name of who is due; empty where `ask` names him
    ask_alone: str = ""  # `ask` without the name, for who was just named; empty where it has none
    score_by: str = ""
    """`score` as a clause after the name of whose score it is; empty where it names him."""
    points: int | None = None  # what the turn is worth as it stands; None where no turn is played
    sums: bool = True  # whether the total of what was thrown means anything
    ends: str = ""
    """The one of `says` that tells who plays alone that the turn is over, and with how much."""
    rolls_left: int | None = None  # rolls that the turn still has, where the rules count them
    left: tuple[Piece, ...] = ()
    """Where a turn of a match begins: what was left on the table before it, with the last dice."""

    @property
    def lying(self) -> tuple[Piece, ...]:
        """The pieces as the last event left them, which the end of a turn is seen by."""
        return self.left or self.pieces

    def numbers_taken(self) -> list[tuple[int, ...]]:
        """For each offer the numbers of the tiles that it takes; 0 for a piece that has none."""
        tiles = (p for p in self.pieces if p.kind is Kind.TILE and p.face.isdecimal())
        numbers = {tile.key: int(tile.face) for tile in tiles}
        return [tuple(numbers.get(key, 0) for key in offer.takes) for offer in self.offers]
