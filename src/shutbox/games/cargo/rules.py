"""The rules of Cargo: as a value that is checked when it is made, as text, and in sentences."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from shutbox.dice import Dice
from shutbox.english import Word, capital, dice_words, listed, number_word, shown
from shutbox.errors import BadVariant, NotUnderstood
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.typed_text import Reader, one_of

SIDES = 6  # Cargo is played with d6: ship, captain and crew are its three highest faces
CREW = (
    (6, gettext_noop("ship"), gettext_noop("the ship")),
    (5, gettext_noop("captain"), gettext_noop("the captain")),
    (4, gettext_noop("crew"), gettext_noop("the crew")),
)
"""The crew in the order of banking: the face, its name, and its name in a sentence."""
FEWEST_DICE, MOST_DICE = 4, 10
FEWEST_ROLLS, MOST_ROLLS = 1, 10


class Hold(Word):
    """The rule for which cargo dice are thrown again."""

    TOGETHER = "together"  # all of them
    EACH = "each"  # any of them, chosen after each roll


@dataclass(frozen=True, slots=True)
class CargoRules:
    """The rules of one game of Cargo. Raises BadVariant with every mistake at once."""

    dice: Dice = Dice.of(6, SIDES)
    rolls: int = 5
    hold: Hold = Hold.TOGETHER

    def __post_init__(self) -> None:
        if problems := tuple(mistakes({key: getattr(self, key) for key in READERS})):
            raise BadVariant("cargo", problems)

    @property
    def cargo(self) -> int:
        """The number of cargo dice."""
        return len(self.dice) - len(CREW)


def mistakes(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield a sentence for each reason why these rules cannot be played; some may be missing."""
    dice: Dice | None = values.get("dice")
    rolls: int | None = values.get("rolls")
    if dice and set(dice.sides) != {SIDES}:
        yield gettext("dice: {dice}; Cargo is played with d6, such as 6d6", dice=dice)
    if dice and not FEWEST_DICE <= len(dice) <= MOST_DICE:
        facts = {"number": len(dice), "least": FEWEST_DICE, "most": MOST_DICE}
        yield gettext("dice: {number} of them; {least} to {most}", **facts)
    if rolls is not None and not FEWEST_ROLLS <= rolls <= MOST_ROLLS:
        facts = {"rolls": rolls, "least": FEWEST_ROLLS, "most": MOST_ROLLS}
        yield gettext("rolls: {rolls}; {least} to {most}", **facts)


def _rolls(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise NotUnderstood("{text} is not a number", text=shown(text))
    return int(text)


READERS: dict[str, Reader] = {"dice": Dice.parse, "rolls": _rolls, "hold": one_of(Hold)}


def card_lines(rules: CargoRules) -> tuple[str, ...]:
    """Return the rules in sentences, one or two a line."""
    crew = listed(gettext("a {face} is the {name}", face=face, name=name) for face, name, _ in CREW)
    return (
        ngettext(
            "Throw {dice}, at most {count} time.",
            "Throw {dice}, at most {count} times.",
            rules.rolls,
            dice=rules.dice.words,
            count=number_word(rules.rolls),
        ),
        gettext(
            "{crew}; you bank them in this order, as many as a throw allows.", crew=capital(crew)
        ),
        gettext("A 5 without a 6, or a 4 without a 5, goes back into the cup."),
        ngettext(
            "The {dice} left over is the cargo.",
            "The {dice} left over are the cargo.",
            rules.cargo,
            dice=dice_words(rules.cargo),
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
        "roll left."
    ),
    Hold.EACH: gettext_noop(
        "Once you have a crew, accept the cargo, or throw any of its dice again while you have a "
        "roll left."
    ),
}
TYPING = {
    Hold.TOGETHER: gettext_noop("Type accept or throw, or the beginning of the word."),
    Hold.EACH: gettext_noop(
        "Type accept, or throw and the dice to throw again, such as throw 1 3; throw alone is all."
    ),
}
"""The sentence on how to type a choice, a template."""
