"""The protocol of every game: a position awaits a throw, a choice, or nothing more.

A program that plays, draws, records or solves a game calls `awaits(position)`, then `rolled` or
`chosen`, which return the next position and change nothing. A position holds only what the rules
need to go on: no random generator, no history, no names. A match is a game too.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import (
    in_html,
    safe_text,
    shown,
)
from shutbox.engine.errors import IllegalChoice, IllegalRoll, NothingDue, NotUnderstood, TooLarge
from shutbox.engine.messages import gettext, pgettext
from shutbox.engine.scene import Offer, Scene
from shutbox.engine.typed_text import check_type

PROTOCOL = 1  # the version, which changes only if games written before no longer work

P = TypeVar("P", bound=Hashable)  # a position: frozen, hashable, comparable
C = TypeVar("C", bound=Hashable)  # a choice: frozen, hashable, comparable
G = TypeVar("G")  # a class of games
R = TypeVar("R")  # the result of a method


@dataclass(frozen=True, slots=True)
class Throw:
    """The answer of `Game.awaits` if a throw is due: the dice, and the seat that throws them."""

    dice: Dice
    seat: int = 0  # the seat that throws, from 0


@dataclass(frozen=True, slots=True)
class Choose(Generic[C]):
    """The answer of `Game.awaits` if a choice is due: the choices, and the seat that picks one."""

    choices: tuple[C, ...]  # never empty, without duplicates, in the game's canonical order
    seat: int = 0  # the seat that chooses, from 0


@dataclass(frozen=True, slots=True)
class Over:
    """The answer of `Game.awaits` at the end of a game: its result."""

    scores: tuple[int, ...]  # one exact score per seat; empty in a game without scores
    shut: bool = False  # whether the turn reached its goal: shut the box, or completed the crew
    winners: tuple[int, ...] = ()  # the seats that won a match, ascending; empty in a single turn


Awaited: TypeAlias = Throw | Choose[C] | Over  # what a game waits for


@dataclass(frozen=True, slots=True)
class Scoring:
    """The best and the worst possible score of a game; they show whether low or high is good.

    >>> Scoring(best=0, worst=45).low_is_good
    True

    Raises NotUnderstood for a score that is no whole number.
    """

    best: int
    worst: int

    def __post_init__(self) -> None:
        for score in (self.best, self.worst):
            check_type(score, int)

    @property
    def low_is_good(self) -> bool:
        """Whether the lower score wins."""
        return self.best < self.worst

    def better(self, score: float, other: float) -> bool:
        """Return whether the score or total `score` beats `other`; if equal, it does not."""
        return score < other if self.low_is_good else score > other

    def best_of(self, scores: Iterable[int]) -> int:
        """Return the best of one or more scores."""
        return min(scores) if self.low_is_good else max(scores)


class Rows(NamedTuple):
    """What a game says of itself so that players can throw once each, in rows of their own.

    Its position ids then have none of `,`, `;`, `[` and `]`, between which a match writes them.
    """

    rested: Callable[[Any], Any]  #: the position without its roll, or number of dice to throw
    score: Callable[[Any], int]  #: the score if the turn ended at a position
    up: Callable[[Any], str]  #: what is still to be covered at a position, as `1 to 4 and 9`
    same_dice: bool  #: whether all throws are of the same dice


def rows_of(game: "Game[Any, Any]") -> Rows | None:
    """Return a game's `rows`, for matches with one throw each; None if it has only whole turns."""
    return cast(Rows | None, getattr(game, "rows", None))


@dataclass(frozen=True, slots=True, repr=False)
class RuleCard:
    """The rules of one game in sentences, generated from the data that the engine plays by."""

    title: str  # the title of the game
    lines: tuple[str, ...]  # complete sentences, one rule each
    typing: str  # a sentence on how to type a choice
    options: dict[str, str] = field(hash=False)
    """Every option of the game and its value, as written in names. For a match, also its seats, and
    those atoms of its format that are not at their defaults."""
    # Translators: {shuts} in other sentences, such as "a player who {shuts} wins the round".
    # Translate these together: in "{best} {shuts} {value} in 100." it follows tiles.
    shuts: str = field(default_factory=lambda: gettext("shuts the box"))
    """The verb phrase for reaching the goal of a turn: `a player who shuts the box wins`."""
    # Translators: {shuts_it} in "Yours, {other}, {shuts_it} {value}."; it is the box.
    shuts_it: str = field(default_factory=lambda: pgettext("goal", "shuts it"))
    """The same where the goal has just been named: `Yours, 2 and 3, shuts it 3 times`."""
    # Translators: {shut} in "{names} leads, {shut}." and "With {shut}, {names} pays ...".
    shut: str = field(default_factory=lambda: gettext("the box shut"))
    """The phrase for a goal that was reached: `0 for Ann, the box shut`."""
    example: str = ""  # the one of `lines` that is an example, not a rule; empty if there is none
    beware: tuple[str, ...] = ()  # special rules to know before the first throw

    def __repr__(self) -> str:
        return f"RuleCard({self.title}: {len(self.lines)} rules)"

    def _repr_html_(self) -> str:
        return in_html(self.title, (*self.lines, self.typing))


class Game(Protocol[P, C]):
    """The protocol of a game. `shutbox.testing.check` tests any implementation against it.

    The games of this package, and matches, also take the text of a position.
    """

    @property
    def name(self) -> str:
        """The name of the game in notation, such as `classic(fewer=must-top)`."""

    @property
    def longest(self) -> int | None:
        """The most events (throws and choices) of a play; None if a play can go on without end."""

    @property
    def scoring(self) -> Scoring | None:
        """The range of the scores; None for a game without scores."""

    def start(self) -> P:
        """Return the position before anything has happened."""

    def awaits(self, position: P, /) -> Awaited[C]:
        """Return what the game awaits at a position; always the same for an equal position."""

    def rolled(self, position: P, roll: Roll, /) -> P:
        """Return the position after a roll. Raises IllegalRoll unless a throw due can show it."""

    def chosen(self, position: P, choice: C, /) -> P:
        """Return the position after a choice. Raises IllegalChoice if it is not among those due."""

    def position_id(self, position: P, /) -> str:
        """Return the position as text without the game's name; no two positions share one."""

    def position_at(self, id: str, /) -> P:
        """Return the position of a `position_id`. Raises NotUnderstood and ImpossiblePosition."""

    def choice_text(self, choice: C, /) -> str:
        """Return the choice as text; no two choices of one position share one."""

    def parse_choice(self, position: P, text: str, /) -> C:
        """Return the choice that a text means here: a `choice_text`, or another typed form.

        Raises NotUnderstood, Ambiguous and IllegalChoice.
        """

    def scene(self, position: P, /) -> Scene:
        """Return what to draw and say at a position: the table, and an offer for each choice."""

    def card(self) -> RuleCard:
        """Return the rules in sentences."""


def check_roll(awaited: Awaited[C], position: P, roll: Roll) -> None:
    """Raise IllegalRoll unless a throw is awaited whose dice can show `roll`."""
    if not isinstance(awaited, Throw):
        raise IllegalRoll("the roll {roll} comes when no throw is due", position, roll=roll)
    awaited.dice.check(roll, position)


def open_choices(awaited: Awaited[C], position: P) -> tuple[C, ...]:
    """Return the awaited choices. Raises IllegalChoice if no choice is due."""
    if isinstance(awaited, Choose):
        return awaited.choices
    if isinstance(awaited, Throw):
        raise IllegalChoice("the dice come first; throw them, then choose", position)
    raise IllegalChoice("the game is over; there is nothing to choose", position)


def refusal_of_non_choice(choice: object, position: object) -> IllegalChoice:
    """Return the refusal of an object that is no choice of the game at all, such as a text."""
    given = shown(safe_text(choice))
    return IllegalChoice(
        "{choice} is not a choice; choices come from awaits or parse_choice", position, choice=given
    )


def successors(game: Game[P, C], position: P) -> Iterator[P]:
    """Yield the position after each roll that can fall, or after each choice; none at the end."""
    match game.awaits(position):
        case Throw(dice=dice):
            yield from (game.rolled(position, roll) for roll, _ in dice.outcomes())
        case Choose(choices=choices):
            yield from (game.chosen(position, choice) for choice in choices)


def offer_of(game: Game[P, C], position: P, choice: C) -> Offer:
    """Return the offer of an open choice.

    Raises IllegalChoice if no choice is due, ValueError if this one is not open.
    """
    choices = open_choices(game.awaits(position), position)
    return game.scene(position).offers[choices.index(choice)]


def position_text(game: Game[P, C], position: P) -> str:
    """Return the full text of a position: game, colon, and the position's own text."""
    return f"{game.name}:{game.position_id(position)}"


def circle_refusal(game: Game[P, C], position: P) -> TooLarge:
    """Return the refusal of a game with an end in which a play can meet the same position twice."""
    return TooLarge(
        "{game}: position {position} can come back; longest must be None",
        game=game.name,
        position=game.position_id(position),
    )


# Games and positions as callers of the library pass them: as objects or as text


def check_game(game: object) -> None:
    """Raise NotUnderstood unless an object is a game, such as for its name."""
    if isinstance(game, type) or not hasattr(game, "position_id"):
        raise NotUnderstood(
            "{game} is not a game; shutbox.find returns the game with a name",
            game=shown(safe_text(game)),
        )


@runtime_checkable
class Placed(Protocol):
    """A position together with its game, such as a table or a `shutbox.Position`."""

    @property
    def game(self) -> Game[Any, Any]:
        """The game of the position."""

    @property
    def position(self) -> Any:
        """The position itself."""


def position_meant(game: Game[Any, Any], given: Any, start: Any = None) -> Any:
    """Return the position that `given` means; None means `start`, by default the game's start.

    >>> from shutbox.games.catalogue import find
    >>> six = find("six")
    >>> six.position_id(position_meant(six, "six:1.2"))
    '1.2'

    Raises NotUnderstood for a text or a `Position` of another game, for anything that is no
    position, and any error of `Game.position_at`. A bare position carries no game, so one of
    another game is accepted if it has the same form.
    """
    start = game.start() if start is None else start
    if given is None:
        return start
    if isinstance(given, type(start)):
        return given
    if isinstance(given, str):
        return _read(game, given)
    if isinstance(given, Placed):
        if given.game.name != game.name:
            return _read(game, position_text(given.game, given.position))  # which refuses it
        return given.position
    with suppress(AttributeError, TypeError):
        game.position_id(given)
        return given
    raise NotUnderstood("{what} is not a position of {game}", what=safe_text(given), game=game.name)


_WITH_POSITIONS = ("awaits", "rolled", "chosen", "position_id", "parse_choice", "scene")


def reads_positions(*others: str) -> Callable[[type[G]], type[G]]:
    """Return a decorator of a game's class: its methods, and `others`, also take a position's text.

    They raise NotUnderstood and ImpossiblePosition for a text that is no position of the game.
    """

    def decorated(kind: type[G]) -> type[G]:
        for name in (*_WITH_POSITIONS, *others):
            setattr(kind, name, _reading(getattr(kind, name)))
        return kind

    return decorated


def _reading(method: Callable[..., R]) -> Callable[..., R]:
    """Return a method that also takes a position's text. Solvers call it often: it costs little."""

    @wraps(method)
    def reading(game: Any, position: Any, *others: Any) -> R:
        return method(game, _read(game, position) if type(position) is str else position, *others)

    return reading


def due_choices(game: Game[P, C], position: P) -> Choose[C]:
    """Return the choices that are due at a position. Raises NothingDue, which says why none is."""
    awaited = game.awaits(position)
    if isinstance(awaited, Choose):
        return awaited
    id = game.position_id(position)
    if not isinstance(awaited, Throw):
        raise NothingDue("no choice is due at {position}: it is over", position=id)
    roll = Roll(tuple(min(3, sides) for sides in awaited.dice.sides))
    raise NothingDue(
        "no choice is due at {position}: the dice come first; write the roll into it, such as "
        "{after}",
        position=id,
        after=game.position_id(game.rolled(position, roll)),
    )


def _read(game: Game[Any, Any], text: str) -> Any:
    id = text.removeprefix(f"{game.name}:")
    try:
        return game.position_at(id)
    except NotUnderstood:
        name, colon, _ = id.rpartition(":")
        if not colon:
            raise
    raise NotUnderstood(
        "{what} is a position of {other}, and this is about {game}; "
        "leave the name out if you mean {game}",
        what=shown(text),
        other=name,
        game=game.name,
    )
