"""The rules of Cargo in sentences."""

from shutbox.english import capital, counted, dice_words, listed
from shutbox.games.cargo.rules import CREW, SIDES, Hold, Rules


def lines(rules: Rules) -> tuple[str, ...]:
    """The rules, a complete sentence or two a line."""
    crew = listed(f"a {face} is the {name}" for face, name in CREW)
    again = "all of them" if rules.hold is Hold.TOGETHER else "any of them"
    return (
        f"Throw {rules.dice.words}, at most {counted(rules.rolls, 'time')}.",
        f"{capital(crew)}; they are banked in this order, as many as a throw allows.",
        "A 5 without a 6, or a 4 without a 5, goes back into the cup.",
        f"What is left over, {dice_words(rules.cargo)}, is the cargo.",
        f"Once the crew is complete, accept the cargo or throw {again} again while a roll is left.",
        f"The score is the pips of the cargo, {rules.cargo} to {SIDES * rules.cargo}; "
        "high is good. Without a crew it is 0.",
    )


def typing(rules: Rules) -> str:
    """How a choice is typed."""
    if rules.hold is Hold.TOGETHER:
        return "Type accept or throw, or the beginning of the word."
    return (
        "Type accept, or throw and the dice to throw again, such as throw 1 3; throw alone is all."
    )
