"""The rules of Cargo: as a value that is checked when it is made, as text, and in sentences."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shutbox.engine.dice import Dice
from shutbox.engine.english import Word, counted
from shutbox.engine.errors import BadVariant
from shutbox.engine.messages import gettext, gettext_noop, pgettext_noop
from shutbox.engine.typed_text import (
    Reader,
    one_of,
    read_number,
    text_problems,
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
