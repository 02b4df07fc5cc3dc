"""What the tray does, in sentences."""

from shutbox.dice import MOST_DICE, MOST_SIDES, Dice
from shutbox.messages import gettext, gettext_noop

TYPING = gettext_noop("Type throw, hold 5, free 5, add d20 or remove 5; Enter throws.")


def lines(dice: Dice) -> tuple[str, ...]:
    """What the tray does, a complete sentence a line."""
    return (
        gettext("The tray begins with {dice}.", dice=dice.words),
        gettext(
            "Hold any dice by their faces and throw the rest; free them again; the total is told."
        ),
        gettext(
            "Add dice of 2 to {sides} sides, up to {most} dice, or remove any but the last.",
            sides=MOST_SIDES,
            most=MOST_DICE,
        ),
        gettext("There is no score and no end."),
    )
