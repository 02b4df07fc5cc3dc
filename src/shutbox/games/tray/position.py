"""The positions of the tray and the changes to it, as text: written, spoken, typed and refused.

d6.d6/2d             two dice that are about to be thrown
d6-3.d6-5h.d20-17    a 3, a held 5, and a 17 on a d20
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from shutbox.engine.dice import MOST_DICE, MOST_SIDES
from shutbox.engine.english import Word, listed, shown
from shutbox.engine.errors import Ambiguous, IllegalChoice, ImpossiblePosition, NotUnderstood
from shutbox.engine.game import refusal_of_non_choice
from shutbox.engine.messages import gettext, ngettext
from shutbox.engine.typed_text import normalized, typed_words

_DIE = re.compile(r"d([0-9]{1,4})(?:-([0-9]{1,4})(h?))?")
LONGEST_LINE = 100  # the most characters of a typed line
_WORDS = {"roll": "throw", "again": "throw", "keep": "hold", "release": "free"}
_TYPED = re.compile(r"([a-z]*)\s*(?:d([0-9]{1,4}))?\s*-?\s*([0-9]{1,4})?")


class Die(NamedTuple):
    """One die in the tray."""

    sides: int  #: the number of its sides
    face: int = 0  #: the number it shows; 0: not thrown yet
    held: bool = False  #: whether it stays when the others are thrown

    def __str__(self) -> str:
        return f"d{self.sides}" + (f"-{self.face}{'h' * self.held}" if self.face else "")


class TrayPosition(NamedTuple):
    """The dice in their places, and whether they are about to be thrown.

    A held die keeps its place. After a throw, the free dice of each kind show its faces in
    ascending order. A die that is added comes last.
    """

    dice: tuple[Die, ...]  #: in the order of their places
    throwing: bool = False  #: whether the dice that are not held are about to be thrown

    @property
    def free(self) -> tuple[Die, ...]:
        """The dice that are not held: those of the next throw."""
        return tuple(die for die in self.dice if not die.held)

    @property
    def held(self) -> tuple[Die, ...]:
        """The dice that are held and so stay in the next throw."""
        return tuple(die for die in self.dice if die.held)

    @property
    def total(self) -> int:
        """The total of all faces, held or free; a die not thrown yet counts 0."""
        return sum(die.face for die in self.dice)

    def __str__(self) -> str:
        dice = ".".join(map(str, self.dice))
        return f"{dice}/{len(self.free)}d" if self.throwing else dice


class Verb(Word):
    """The kinds of changes that a player can make to the tray."""

    THROW = "throw"
    HOLD = "hold"
    FREE = "free"
    REMOVE = "remove"
    ADD = "add"


class Change(NamedTuple):
    """A choice at the tray: throw the free dice, or hold, free, add or remove one die."""

    verb: Verb  #: what is done
    die: Die | None = None  #: the die that changes, not marked as held; None for a throw

    def __str__(self) -> str:
        return self.verb.value if self.die is None else f"{self.verb.value} {self.die}"


def read_position(id: str) -> TrayPosition:
    """Parse a `position_id`. Raises NotUnderstood, or ImpossiblePosition with every reason."""
    dice_text, slash, due = normalized(id, 400).partition("/")
    words = dice_text.split(".")
    matches = [match for match in map(_DIE.fullmatch, words) if match]
    if len(matches) < len(words) or (slash and not re.fullmatch("[0-9]{1,3}d", due)):
        raise NotUnderstood(
            "{id} is not a position of the tray; write its dice such as d6-3.d6-5h.d20",
            id=shown(id),
        )
    # In the order of their places. A die that is about to be thrown loses the face it showed.
    dice = (
        Die(int(match[1]), int(match[2] or 0) if match[3] or not slash else 0, bool(match[3]))
        for match in matches
    )
    position = TrayPosition(tuple(dice), bool(slash))
    if reasons := dict.fromkeys(_mistakes(matches, position, int(due[:-1] or 0))):
        raise ImpossiblePosition(shown(id, 400), tuple(reasons))
    return position


def _mistakes(matches: list[re.Match[str]], position: TrayPosition, due: int) -> Iterator[str]:
    for match in matches:
        sides, face = int(match[1]), int(match[2] or 1)
        if not 2 <= sides <= MOST_SIDES:
            facts = {"sides": sides, "most": MOST_SIDES}
            yield gettext("a d{sides} is no die; dice have 2 to {most} sides", **facts)
        elif not 1 <= face <= sides:
            facts = {"sides": sides, "face": face}
            yield gettext("a die of {sides} sides shows 1 to {sides}, not {face}", **facts)
    number, free = len(position.dice), len(position.free)
    if number > MOST_DICE:
        yield gettext("{number} dice; the tray holds 1 to {most}", number=number, most=MOST_DICE)
    if position.throwing and due != free:
        yield gettext("the number of dice to throw is {free}, not {due}", free=free, due=due)
    if position.throwing and not free:
        yield gettext("every die is held and none can be thrown")


def in_own_words(text: str) -> str:
    """Return a typed line in the tray's own words: `keep 4` holds, `2d6` adds; "" if too long."""
    words = typed_words(text) if len(text) <= LONGEST_LINE else []
    words = [word for word in words if word != "the"]  # hold the four
    if words[-1:] == ["again"] and words[1:]:  # throw again
        words.pop()
    if words and all(re.fullmatch("[0-9]{0,2}d[0-9]{1,4}", word) for word in words):
        words.insert(0, "add")  # kinds of dice alone
    return " ".join(_WORDS.get(word, word) for word in words)


def read_choice(text: str, choices: Sequence[Change]) -> Change:
    """Parse a change: one of the open `choices` if one fits, otherwise one that is not open.

    >>> str(read_choice("h 5", [Change(Verb.HOLD, Die(6, 5))]))
    'hold d6-5'

    A number alone holds a die that shows it. Raises NotUnderstood; Ambiguous if several kinds fit.
    """
    if not text.strip():
        raise NotUnderstood("type hold 5, free 5, add d20 or remove 5")
    match = _TYPED.fullmatch(in_own_words(text))
    if match and any(match.groups()):
        sides, face = int(match[2] or 0), int(match[3] or 0)
        match next((verb for verb in Verb if verb.value.startswith(match[1] or "hold")), None):
            case Verb.THROW if not sides and not face:
                return Change(Verb.THROW)
            case Verb.ADD if not sides or not face:
                return Change(Verb.ADD, Die(sides or face or 6))
            case Verb.HOLD | Verb.FREE | Verb.REMOVE as verb:
                return _meant(verb, sides, face, text, choices)
    raise NotUnderstood(
        "{text} is not understood; type throw, hold 5, free 5, add d20 or remove 5",
        text=shown(text),
    )


def _meant(verb: Verb, sides: int, face: int, text: str, choices: Sequence[Change]) -> Change:
    """Return the open change that fits (0: any) or one not open. Raises Ambiguous if several do."""
    fitting = [
        change
        for change in choices
        if change.verb is verb and (die := change.die)
        if sides in (0, die.sides) and face in (0, die.face)
    ]
    exact = [change for change in fitting if change.die == Die(sides, face)]
    if len(exact or fitting) > 1:
        readings = tuple(map(str, fitting))
        says = listed((f"{verb.value} {spoken_die(c.die)}" for c in fitting if c.die), "or")
        raise Ambiguous("{text} can mean {says}; say which", readings, text=shown(text), says=says)
    return (exact or fitting or [Change(verb, Die(sides or 6, face))])[0]


def spoken_dice(dice: Sequence[Die]) -> str:
    """Return a list of dice as a voice names them; those not thrown yet come last.

    >>> spoken_dice([Die(6, 3), Die(20), Die(20, 17)])
    '3, 17 on a d20 and d20'
    """
    return listed(map(spoken_die, sorted(dice, key=lambda die: not die.face)))


def spoken_die(die: Die) -> str:
    """Return a die as a voice names it: by its face, with its kind unless it is a d6.

    >>> spoken_die(Die(6, 3)), spoken_die(Die(20, 17)), spoken_die(Die(20))
    ('3', '17 on a d20', 'd20')
    """
    if not die.face:
        return f"d{die.sides}"
    if die.sides == 6:
        return str(die.face)
    return gettext("{face} on a d{sides}", face=die.face, sides=die.sides)


def refusal(position: TrayPosition, choice: object) -> IllegalChoice:
    """Return the error that says why `choice` is refused: it is no change, or one not open."""
    if not isinstance(choice, Change):
        return refusal_of_non_choice(choice, position)
    return IllegalChoice(_why_not(position, choice), position)


def _why_not(position: TrayPosition, choice: Change) -> str:
    facts = {"choice": repr(str(choice)), "most": MOST_SIDES, "dice": spoken_dice(position.dice)}
    facts["face"] = spoken_die(choice.die) if choice.die else "?"
    facts["free"] = spoken_dice(position.free)
    match choice.verb:
        case Verb.ADD if len(position.dice) >= MOST_DICE:
            return gettext("the tray is full; it holds at most {most} dice", most=MOST_DICE)
        case Verb.ADD:
            return gettext("{choice} is refused: dice have 2 to {most} sides", **facts)
        case Verb.THROW:
            return gettext("every die is held; free one before you throw")
        case Verb.REMOVE if len(position.dice) == 1:
            return gettext("the last die stays in the tray")
        case Verb.FREE if len(position.free) == len(position.dice):
            return gettext("no die is held")
        case Verb.HOLD if choice.die is None or not position.free:
            return gettext("every die is held already")
        case Verb.HOLD if choice.die in position.free:
            return gettext("{face} is not thrown yet", **facts)
        case Verb.HOLD:
            return ngettext(
                "no free die shows {face}; the free die is {free}",
                "no free die shows {face}; the free dice are {free}",
                len(position.free),
                **facts,
            )
        case Verb.FREE:
            return gettext("no held die shows {face}; the dice are {dice}", **facts)
    return gettext("no die shows {face}; the dice are {dice}", **facts)
