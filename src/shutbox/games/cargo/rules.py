"""The rules of Cargo: as a value that is checked when it is made, as text, and in sentences.

Also its choices and positions, and their texts. The texts of some positions:

    -/5              nothing aboard, five rolls left, a throw is due
    6/4/1+2+2+4+5    the ship was aboard before this roll; captain and crew come aboard with it
    6.5.4/2/1+3+6    the crew is complete, with this cargo on the table
    6.5.4/2/6/2d     the 6 is kept and the other two are about to be thrown
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from shutbox.engine.dice import Dice, Roll
from shutbox.engine.english import Word, counted, number_word, shown
from shutbox.engine.errors import BadVariant, ImpossiblePosition, NotUnderstood
from shutbox.engine.messages import gettext, gettext_noop, pgettext_noop
from shutbox.engine.typed_text import (
    Reader,
    bounded,
    notation,
    one_of,
    read_number,
    text_problems,
    typed_words,
    was_typed,
)

SIDES = 6  # Cargo is played with d6: ship, captain and crew are its three highest faces
CREW = (
    (
        6,
        pgettext_noop("piece on the table", "ship"),
        pgettext_noop("member of the crew", "the ship"),
    ),
    (
        5,
        pgettext_noop("piece on the table", "captain"),
        pgettext_noop("member of the crew", "the captain"),
    ),
    (
        4,
        pgettext_noop("piece on the table", "crew"),
        pgettext_noop("member of the crew", "the crew"),
    ),
)
"""The crew in the order of banking: face, label, and name as the subject of a sentence."""
FEWEST_DICE, MOST_DICE = 4, 10
FEWEST_ROLLS, MOST_ROLLS = 1, 10


class Hold(Word):
    """The rule for which cargo dice a player can throw again."""

    TOGETHER = "together"  # all of them
    EACH = "each"  # any of them, chosen after each roll


@dataclass(frozen=True, slots=True)
class CargoRules:
    """The rules of one game of Cargo. Raises BadVariant with every mistake at once."""

    dice: Dice = Dice.of(6, SIDES)  # all of them: three for the crew, the others for the cargo
    rolls: int = 5  # the most in a turn
    hold: Hold = Hold.TOGETHER

    def __post_init__(self) -> None:
        values = {key: getattr(self, key) for key in READERS}
        if problems := tuple(text_problems(values) or find_problems(values)):
            raise BadVariant("cargo", problems)

    @property
    def cargo(self) -> int:
        """The number of cargo dice."""
        return len(self.dice) - len(CREW)


def find_problems(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each problem with fields of CargoRules; missing ones have none."""
    dice: Dice | None = values.get("dice")
    rolls: int | None = values.get("rolls")
    if dice and set(dice.sides) != {SIDES}:
        yield gettext("dice: {dice}; Cargo is played with d6, such as 6d6", dice=dice)
    if dice and not FEWEST_DICE <= len(dice) <= MOST_DICE:
        facts = {"number": len(dice), "least": FEWEST_DICE, "most": MOST_DICE}
        yield gettext("dice: {number} is not allowed; Cargo has {least} to {most} dice", **facts)
    if rolls is not None and not FEWEST_ROLLS <= rolls <= MOST_ROLLS:
        facts = {"rolls": rolls, "least": FEWEST_ROLLS, "most": MOST_ROLLS}
        yield gettext("rolls: {rolls} is not allowed; it is {least} to {most}", **facts)


READERS: dict[str, Reader] = {"dice": Dice.parse, "rolls": read_number, "hold": one_of(Hold)}
"""The parser for the value of each rule, in the order in which names write them."""


def card_lines(rules: CargoRules) -> tuple[str, ...]:
    """Return the rules in sentences, one or two a line."""
    thrown = counted("Throw one die.", "Throw {number} dice.", len(rules.dice))
    most = counted("You have one throw.", "You have at most {number} throws.", rules.rolls)
    return (
        " ".join([thrown, most]),
        gettext(
            "A 6 is the ship, a 5 is the captain and a 4 is the crew. You bank them in this order, "
            "as many as a throw allows."
        ),
        gettext("A 5 without a 6, or a 4 without a 5, goes back into the cup."),
        counted(
            "The die left over is the cargo.",
            "The {number} dice left over are the cargo.",
            rules.cargo,
        ),
        gettext(_AGAIN[rules.hold]),
        gettext(
            "Your score is the pips of the cargo, {least} to {most}; high is good. "
            "Without a crew you score 0.",
            least=rules.cargo,
            most=SIDES * rules.cargo,
        ),
    )


_AGAIN = {
    Hold.TOGETHER: gettext_noop(
        "Once you have a crew, accept the cargo, or throw all of it again while you have a "
        "throw left."
    ),
    Hold.EACH: gettext_noop(
        "Once you have a crew, accept the cargo, or throw any of its dice again while you have a "
        "throw left."
    ),
}
TYPING = {
    Hold.TOGETHER: gettext_noop("Type accept or throw, or the beginning of the word."),
    Hold.EACH: gettext_noop("Type accept, throw 1 3, or keep 4; throw alone throws all dice."),
}
"""The sentence on how to type a choice, a template."""


ACCEPT_KEY = "f4"
"""The key that accepts on the talking console of the source. Front ends send its name."""
LONGEST_TEXT = 200  # the most characters of a position or a choice

_FORM = re.compile(
    r"(?P<aboard>-|[0-9.]{1,9})/(?P<left>[0-9]{1,4})"
    r"(?:/(?P<faces>[0-9]{1,3}(?:\+[0-9]{1,3})*))?(?:/(?P<thrown>[0-9]{1,3})d)?"
)
ABOARD = ("-", *(".".join(str(face) for face, *_ in CREW[:n]) for n in range(1, len(CREW) + 1)))
"""The crew aboard as text, by how many of CREW they are: `-`, `6`, `6.5` and `6.5.4`."""


class CargoPosition(NamedTuple):
    """A position in a turn of Cargo: the crew aboard, the rolls left, and the dice on the table."""

    aboard: int  #: how many of ship, captain and crew were aboard before the roll on the table
    left: int  #: how many rolls are left
    roll: Roll | None = None  #: the dice on the table that were not aboard before
    kept: tuple[int, ...] = ()
    """Cargo dice that stay while the others are thrown, ascending; only if each can be held."""

    @property
    def now(self) -> tuple[int, tuple[int, ...]]:
        """The number of crew aboard after the roll, and faces left over; without a roll, `kept`."""
        return (self.aboard, self.kept) if self.roll is None else bank(self.aboard, self.roll)


@dataclass(frozen=True, slots=True)
class Accept:
    """The choice to take the cargo as it is, which ends the turn."""

    def __str__(self) -> str:
        return "accept"


@dataclass(frozen=True, slots=True)
class ThrowAgain:
    """The choice to throw these cargo dice again and to keep the others."""

    pips: tuple[int, ...]
    """The faces they show, ascending; empty for all dice, if they are thrown together."""

    def __str__(self) -> str:
        return " ".join(["throw", *map(str, self.pips)])


Choice = Accept | ThrowAgain


def bank(aboard: int, roll: Roll) -> tuple[int, tuple[int, ...]]:
    """Add a roll to `aboard`: return how many of the crew are then aboard, and the faces left over.

    >>> bank(0, Roll((1, 1, 2, 4, 5, 6)))
    (3, (1, 1, 2))
    >>> bank(1, Roll((1, 2, 3, 4, 4)))
    (1, (1, 2, 3, 4, 4))

    The crew comes aboard in order, as many as the roll allows: a 4 without a 5 goes back.
    """
    faces = list(roll.pips)
    for face, *_ in CREW[aboard:]:
        if face not in faces:
            break
        faces.remove(face)
        aboard += 1
    return aboard, tuple(faces)


def read_position(rules: CargoRules, id: str) -> CargoPosition:
    """Parse a `position_id`. Raises NotUnderstood, or ImpossiblePosition with every reason."""
    match = _FORM.fullmatch(notation(id, LONGEST_TEXT))
    if match is None:
        raise NotUnderstood(
            "{id} is not a position of Cargo; write what is aboard, the rolls left "
            "and the dice, such as 6.5/3/1+2+4+4",
            id=shown(id),
        )
    words = match["faces"].split("+") if match["faces"] else []
    faces, left = tuple(sorted(map(int, words))), int(match["left"])
    thrown = int(match["thrown"]) if match["thrown"] else None
    aboard = ABOARD.index(match["aboard"]) if match["aboard"] in ABOARD else None
    reasons = []
    if aboard is None:
        facts = {"aboard": match["aboard"], "known": ", ".join(ABOARD)}
        reasons.append(gettext("{aboard} cannot be aboard; it is one of {known}", **facts))
    if left > rules.rolls:
        reasons.append(gettext("throws left: {left} of {rolls}", left=left, rolls=rules.rolls))
    for face in sorted(set(faces) - set(range(1, SIDES + 1))):
        reasons.append(gettext("a die of 6 sides shows 1 to 6, not {face}", face=face))
    # How many dice can be on the table depends on the crew aboard.
    if aboard is not None and thrown is not None:
        reasons += _kept_mistakes(rules, aboard, left, faces, thrown)
    elif aboard is not None:
        reasons += _roll_mistakes(rules, aboard, left, faces)
    if reasons or aboard is None:
        raise ImpossiblePosition(shown(id), tuple(reasons))
    if thrown is not None:
        return CargoPosition(aboard, left, kept=faces)
    return CargoPosition(aboard, left, Roll(faces) if faces else None)


def read_typed(rules: CargoRules, text: str) -> CargoPosition:
    """Return the position before a throw that words such as `ship and captain, 3` mean.

    >>> read_typed(CargoRules(), "ship and captain, 3")
    CargoPosition(aboard=2, left=3, roll=None, kept=())

    Raises NotUnderstood, and ImpossiblePosition.
    """
    faces = {label: str(face) for face, label, _ in CREW}
    *aboard, left = typed_words(text) or [""]
    crew = ".".join(faces.get(word, word) for word in aboard) or "-"
    if crew not in ABOARD or not re.fullmatch("[0-9]{1,2}", left):
        raise NotUnderstood(
            "type who is aboard and how many throws are left, such as ship and captain, 3"
        )
    return read_position(rules, f"{crew}/{left}")


def _kept_mistakes(
    rules: CargoRules, aboard: int, left: int, kept: tuple[int, ...], thrown: int
) -> Iterator[str]:
    if aboard < len(CREW):
        yield gettext("dice are kept only once the crew is complete")
    if rules.hold is not Hold.EACH:
        yield gettext("cargo dice are thrown together and none is kept")
    if not kept or thrown < 1 or len(kept) + thrown != rules.cargo:
        facts = {"number": len(kept) + thrown, "cargo": rules.cargo}
        yield gettext("kept and thrown dice make {number}, not {cargo}", **facts)
    if left < 1:
        yield gettext("no throw is left")


def _roll_mistakes(
    rules: CargoRules, aboard: int, left: int, faces: tuple[int, ...]
) -> Iterator[str]:
    free, unused = len(rules.dice) - aboard, left >= rules.rolls
    if faces and len(faces) != free:
        yield counted(
            "one die lies there, not {free}",
            "{number} dice lie there, not {free}",
            len(faces),
            free=number_word(free),
        )
    if faces and unused:
        yield gettext("dice lie there, and no throw is used")
    elif aboard and unused:
        yield gettext("something is aboard, and no throw is used")
    if not faces and left < 1:
        yield gettext("no throw is left and no dice lie there")


def read_choice(text: str, cargo: tuple[int, ...] = ()) -> Choice:
    """Parse a choice, whether it is open now or not.

    "accept" and "throw" can be shortened; bare pips are dice to throw again. "keep 4" throws again
    what else is in `cargo`; to keep everything is to accept.

    >>> read_choice("th"), read_choice("throw 3 and 1 again"), read_choice("accept the cargo")
    (ThrowAgain(pips=()), ThrowAgain(pips=(1, 3)), Accept())
    >>> read_choice("hold the four", (2, 4))
    ThrowAgain(pips=(2,))
    >>> read_choice("F4")
    Accept()

    Raises NotUnderstood.
    """
    if not bounded(text, LONGEST_TEXT).strip():
        raise NotUnderstood("type accept or throw")
    words = [word for word in typed_words(text) if word not in ("the", "cargo")]
    if words[1:] and words[-1] == "again":
        words.pop()  # "again" alone stays: it is a verb
    faces = [word for word in words if re.fullmatch("[1-6]+", word) and was_typed(word, text)]
    pips = tuple(sorted(int(face) for word in faces for face in word))
    match [word for word in words if word not in faces]:
        case [verb] if not pips and (verb == ACCEPT_KEY or "accept".startswith(verb)):
            return Accept()
        case ["keep" | "hold"] if Counter(pips) <= Counter(cargo):  # without pips: keep everything
            others = list((Counter(cargo) - Counter(pips)).elements()) if pips else ()
            return ThrowAgain(tuple(others)) if others else Accept()
        case [] | ["again"] if words:  # bare pips, or "again"
            return ThrowAgain(pips)
        case [verb] if "throw".startswith(verb) or verb == "roll":
            return ThrowAgain(pips)
    raise NotUnderstood("{text} is not understood; type accept or throw", text=shown(text))
