"""The positions and choices of Cargo, and their texts.

-/5              nothing aboard, five rolls left, a throw is due
6/4/1+2+2+4+5    the ship was aboard before this roll; captain and crew come aboard with it
6.5.4/2/1+3+6    the crew is complete, with this cargo on the table
6.5.4/2/6/2d     the 6 is kept and the other two are about to be thrown
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from shutbox.engine.dice import Roll
from shutbox.engine.english import counted, number_word, shown
from shutbox.engine.errors import ImpossiblePosition, NotUnderstood
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import bounded, normalized, typed_words, was_typed
from shutbox.games.cargo.rules import CREW, SIDES, CargoRules, Hold

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
        """The crew aboard after the roll, and the faces left over, ascending; else `kept`."""
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
    match = _FORM.fullmatch(normalized(id, LONGEST_TEXT))
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
