"""What every game is: something that waits for a throw, for a choice, or for nothing.

A program that plays, draws, records or solves a game asks it `awaits(position)` and answers with
`rolled` or `chosen`; both return the position after, and nothing happens to the one they were
given. A match is a game too, so all of that code serves a turn and a whole evening alike.

A position holds only what the rules need to go on: no random generator, no history, no names.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, Protocol, TypeAlias, TypeVar

from shutbox.dice import Dice, Roll
from shutbox.english import MOST_WORDS, capital, few, listed, number_word, shown
from shutbox.errors import IllegalChoice, IllegalRoll
from shutbox.messages import gettext, gettext_noop
from shutbox.scene import Offer, Scene

P = TypeVar("P", bound=Hashable)  # a position: frozen, hashable, comparable
C = TypeVar("C", bound=Hashable)  # a choice: frozen, hashable, comparable


@dataclass(frozen=True, slots=True)
class Throw:
    """Somebody throws these dice."""

    dice: Dice
    seat: int = 0  # who, counted from 0


@dataclass(frozen=True, slots=True)
class Choose(Generic[C]):
    """Somebody picks one of the choices."""

    choices: tuple[C, ...]  # never empty, no choice twice, in the game's canonical order
    seat: int = 0  # who, counted from 0


@dataclass(frozen=True, slots=True)
class Over:
    """The game is finished."""

    scores: tuple[int, ...]  # one exact score per seat
    shut: bool = False  # whether the turn did what it is for: shut the box, or completed the crew
    winners: tuple[int, ...] = ()  # seats, ascending; empty where nobody played against anybody


Awaited: TypeAlias = Throw | Choose[C] | Over  # what a game waits for


@dataclass(frozen=True, slots=True)
class Scoring:
    """Which scores are good, and between which the game's scores lie.

    >>> Scoring(best=0, worst=45).low_is_good
    True
    """

    best: int
    worst: int

    @property
    def low_is_good(self) -> bool:
        """Whether the lower score wins."""
        return self.best < self.worst

    def better(self, one: float, other: float) -> bool:
        """Return whether a score, or a total, beats another."""
        return one < other if self.low_is_good else one > other

    def best_of(self, scores: Iterable[int]) -> int:
        """Return the best of some scores."""
        return min(scores) if self.low_is_good else max(scores)


@dataclass(frozen=True, slots=True)
class RuleCard:
    """The rules of one game in sentences, made from the data that the engine plays by."""

    title: str
    lines: tuple[str, ...]  # complete sentences, one rule each
    typing: str  # how a choice is typed, a sentence
    options: dict[str, str] = field(hash=False)  # every option and its value, as names write them
    shuts: str = field(default_factory=partial(gettext, gettext_noop("shuts the box")))
    """What a player does who does what a turn is for: `a player who shuts the box wins`."""
    shut: str = field(default_factory=partial(gettext, gettext_noop("the box shut")))
    """The same once it is done: `0 for Ann, the box shut`."""
    example: str = ""  # the one of `lines` that is an example and no rule, if there is one
    beware: tuple[str, ...] = ()
    """Those of `lines` that somebody has to know before the first throw."""


class Game(Protocol[P, C]):
    """The protocol. `shutbox.testing.check` holds any implementation against it."""

    @property
    def name(self) -> str:
        """The game in the notation of names, such as `classic(fewer=must-top)`."""

    @property
    def longest(self) -> int | None:
        """The most events, throws and choices, of a play; None: a play need never end."""

    @property
    def scoring(self) -> Scoring | None:
        """None for a game without scores."""

    def start(self) -> P:
        """The position before anything has happened."""

    def awaits(self, position: P) -> Awaited[C]:
        """What the game waits for here; the same answer every time."""

    def rolled(self, position: P, roll: Roll) -> P:
        """The position once this roll has fallen. Raises IllegalRoll."""

    def chosen(self, position: P, choice: C) -> P:
        """The position once this choice is made. Raises IllegalChoice."""

    def position_id(self, position: P) -> str:
        """The position as text, without the game's name; no two positions share one."""

    def position_at(self, id: str) -> P:
        """The position of a text. Raises NotUnderstood and ImpossiblePosition."""

    def choice_text(self, choice: C) -> str:
        """The choice as text; no two choices of one position share one."""

    def parse_choice(self, position: P, text: str) -> C:
        """The choice people mean by this text here: a `choice_text`, or what else people type.

        Raises NotUnderstood, Ambiguous and IllegalChoice.
        """

    def scene(self, position: P) -> Scene:
        """What lies on the table and what is offered, to be drawn and spoken."""

    def card(self) -> RuleCard:
        """The rules in sentences."""


def check_roll(awaited: Awaited[C], position: P, roll: Roll) -> None:
    """Raise IllegalRoll unless a throw is awaited whose dice can show `roll`."""
    if not isinstance(roll, Roll):
        raise IllegalRoll(
            "{roll} is not a roll; a roll is written Roll((3, 5)), or read by dice.read",
            position,
            roll=shown(repr(roll)),
        )
    if not isinstance(awaited, Throw):
        raise IllegalRoll("the roll {roll} comes when no throw is due", position, roll=roll)
    try:
        awaited.dice.check(roll)
    except IllegalRoll as error:
        raise IllegalRoll(str(error), position) from None


def open_choices(awaited: Awaited[C], position: P) -> tuple[C, ...]:
    """The choices that are awaited. Raises IllegalChoice where none is."""
    match awaited:
        case Choose(choices=choices):
            return choices
        case Throw(dice=dice):
            problem = gettext("{dice} to be thrown; nothing can be chosen", dice=dice.words)
        case Over():
            problem = gettext("the game is over; nothing can be chosen")
    raise IllegalChoice(problem, position)


def not_a_choice(choice: object, position: object) -> IllegalChoice:
    """The refusal of something that is no choice of the game at all, such as its text."""
    said = shown(repr(choice))
    return IllegalChoice(
        "{choice} is not a choice; choices come from awaits or parse_choice", position, choice=said
    )


# What games say of choices in the same way: which are legal, and what to try instead of others.

MOST_TRIED = 3  # the most choices that a refusal gives
_BESIDE = 7  # words of a sentence beside the choices it gives
_SHORT = 3  # words of a name such as 1 and 7


def legal(awaited: Awaited[C], offers: tuple[Offer, ...]) -> str:
    """What one may do: all of it, in sentences that can be followed.

    >>> from shutbox.dice import Dice
    >>> legal(Throw(Dice.of(2, 6)), ())
    'Throw two dice.'
    """
    if isinstance(awaited, Over):
        return gettext("Nothing: the turn is over.")
    if isinstance(awaited, Throw):
        return gettext("Throw {dice}.", dice=awaited.dice.words)
    names = [offer.says for offer in offers]
    first, *others = _parts(names)
    if not others:
        return gettext("Legal: {offers}.", offers=first)
    number = capital(number_word(len(names)))
    says = gettext("{number} ways: {offers}.", number=number, offers=first)
    return " ".join([says, *(gettext("Also {offers}.", offers=part) for part in others)])


def _parts(names: Sequence[str]) -> Iterator[str]:
    """All the names, in lists of as many words as a sentence can have beside a few."""
    while names:
        fit = few(names, MOST_WORDS - 2)
        yield gettext("; ").join(names[:fit])
        names = names[fit:]


def illegal(why: str, position: object, choices: Sequence[str]) -> IllegalChoice:
    """The refusal of a choice, where these are open, as a voice names them."""
    error = IllegalChoice(refused(why, choices), position)
    error.why, error.choices = why, tuple(choices)
    return error


def refused(why: str, choices: Sequence[str], key: str = "") -> str:
    """Why a choice is refused, up to three to try, and how many there are.

    `key` is what is typed to have them all.

    >>> refused("6 is not 8", ["8", "1 and 7", "2 and 6", "3 and 5"], "l")
    '6 is not 8. Try 8, 1 and 7, or 2 and 6; l lists all four'
    """
    named = choices[: few(choices[:MOST_TRIED], MOST_WORDS - _BESIDE)]
    facts = {"why": why, "choices": _either(named), "number": number_word(len(choices))}
    if len(named) == len(choices):
        return gettext("{why}. Try {choices}", **facts)
    if key:
        return gettext("{why}. Try {choices}; {key} lists all {number}", key=key, **facts)
    return gettext("{why}. Try {choices}; there are {number} in all", **facts)


def _either(names: Sequence[str]) -> str:
    """Choices to pick from: `6, 4 or 2`, `8, 1 and 7, or 2 and 6`, `4 and 5; or 1, 2 and 6`."""
    if len(names) < 2 or not any(" " in name for name in names):
        return listed(names, last="or")
    *others, last = names
    if any("," in name or len(name.split()) > _SHORT for name in names):
        return gettext("{first}; or {last}", first=gettext("; ").join(others), last=last)
    return gettext("{first}, or {last}", first=gettext(", ").join(others), last=last)


def score_text(awaited: Awaited[C], score: int) -> str:
    """How one stands, a clause to follow a name.

    >>> score_text(Over((7,)), 7)
    'score 7.'
    """
    if isinstance(awaited, Over):
        return gettext("score {score}.", score=score)
    return gettext("score so far {score}.", score=score)


def offered(game: Game[P, C], position: P, choice: C) -> Offer:
    """What the scene of a position offers for one of its choices."""
    choices = open_choices(game.awaits(position), position)
    return game.scene(position).offers[choices.index(choice)]


def position_text(game: Game[P, C], position: P) -> str:
    """The full text of a position: game, colon, and the position's own text.

    >>> from shutbox import find
    >>> classic = find("classic")
    >>> position_text(classic, classic.start())
    'classic:1.2.3.4.5.6.7.8.9'
    """
    return f"{game.name}:{game.position_id(position)}"
