"""The rules of Cargo in sentences."""

from shutbox.english import capital, dice_words, listed, number_word
from shutbox.games.cargo.rules import CREW, SIDES, CargoRules, Hold
from shutbox.messages import gettext, ngettext


def lines(rules: CargoRules) -> tuple[str, ...]:
    """The rules, a complete sentence or two a line."""
    crew = listed(gettext("a {face} is the {name}", face=face, name=name) for face, name in CREW)
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
        _again(rules),
        gettext(
            "Your score is the pips of the cargo, {least} to {most}; high is good. "
            "Without a crew you score 0.",
            least=rules.cargo,
            most=SIDES * rules.cargo,
        ),
    )


def _again(rules: CargoRules) -> str:
    if rules.hold is Hold.TOGETHER:
        return gettext(
            "Once you have a crew, accept the cargo, or throw all of it again while you have a "
            "roll left."
        )
    return gettext(
        "Once you have a crew, accept the cargo, or throw any of its dice again while you have a "
        "roll left."
    )


def typing(rules: CargoRules) -> str:
    """How a choice is typed."""
    if rules.hold is Hold.TOGETHER:
        return gettext("Type accept or throw, or the beginning of the word.")
    return gettext(
        "Type accept, or throw and the dice to throw again, such as throw 1 3; throw alone is all."
    )
