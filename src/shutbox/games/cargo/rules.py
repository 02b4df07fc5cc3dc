"""The rules of Cargo as a value, checked when it is made; as text, and in sentences."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from shutbox.dice import Dice
from shutbox.english import Word, capital, dice_words, listed, number_word, shown
from shutbox.errors import BadVariant, NotUnderstood
from shutbox.messages import gettext, gettext_noop, ngettext
from shutbox.typed_text import Reader, one_of, read

SIDES = 6  # Cargo is played with d6: ship, captain and crew are its three highest faces
CREW = (
    (6, gettext_noop("ship"), gettext_noop("the ship")),
    (5, gettext_noop("captain"), gettext_noop("the captain")),
    (4, gettext_noop("crew"), gettext_noop("the crew")),
)
"""What is banked, in this order: the face, its name, and what is said of it."""
FEWEST_DICE, MOST_DICE = 4, 10
FEWEST_ROLLS, MOST_ROLLS = 1, 10


class Hold(Word):
    """Which cargo dice are thrown again."""

    TOGETHER = "together"  # all of them
    EACH = "each"  # any of them, chosen anew each roll


@dataclass(frozen=True, slots=True)
class CargoRules:
    """The rules of one game of Cargo. Raises BadVariant with every mistake at once."""

    dice: Dice = Dice.of(6, SIDES)
    rolls: int = 5
    hold: Hold = Hold.TOGETHER

    def __post_init__(self) -> None:
        if problems := tuple(self._mistakes()):
            raise BadVariant("cargo", problems)

    def _mistakes(self) -> Iterator[str]:
        if set(self.dice.sides) != {SIDES}:
            yield gettext("dice: {dice}; Cargo is played with d6, such as 6d6", dice=self.dice)
        if not FEWEST_DICE <= len(self.dice) <= MOST_DICE:
            facts = {"number": len(self.dice), "least": FEWEST_DICE, "most": MOST_DICE}
            yield gettext("dice: {number} of them; {least} to {most}", **facts)
        if not FEWEST_ROLLS <= self.rolls <= MOST_ROLLS:
            facts = {"rolls": self.rolls, "least": FEWEST_ROLLS, "most": MOST_ROLLS}
            yield gettext("rolls: {rolls}; {least} to {most}", **facts)

    @property
    def cargo(self) -> int:
        """The number of cargo dice."""
        return len(self.dice) - len(CREW)

    @property
    def options(self) -> dict[str, str]:
        """Every rule as text, in the order in which they are written."""
        return {"dice": str(self.dice), "rolls": str(self.rolls), "hold": self.hold.value}


def _rolls(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,3}", text):
        raise NotUnderstood("{text} is not a number", text=shown(text))
    return int(text)


_READERS: dict[str, Reader] = {"dice": Dice.parse, "rolls": _rolls, "hold": one_of(Hold)}


def overridden(base: CargoRules, options: Mapping[str, str], where: str) -> CargoRules:
    """`base` with some rules replaced. Raises BadVariant with every mistake at once."""
    unknown = gettext_noop("{key} is not a rule of Cargo; the rules are {keys}")
    values, problems = read(options, _READERS, unknown)
    try:
        rules = replace(base, **values)
    except BadVariant as error:
        problems += error.problems
    if problems:
        raise BadVariant(where, tuple(problems))
    return rules


def card_lines(rules: CargoRules) -> tuple[str, ...]:
    """The rules in sentences, one or two a line."""
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
"""How a choice is typed, a template."""
