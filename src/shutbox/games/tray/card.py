"""What the tray does, in sentences."""

from shutbox.dice import MOST_DICE, MOST_SIDES, Dice

TYPING = "Type throw, hold 5, free 5, add d20 or remove 5; Enter throws."


def lines(dice: Dice) -> tuple[str, ...]:
    """What the tray does, a complete sentence a line."""
    return (
        f"The tray begins with {dice.words}.",
        "Hold any dice by their faces and throw the rest; free them again; the total is told.",
        f"Add dice of 2 to {MOST_SIDES} sides, up to {MOST_DICE} dice, or remove any but the last.",
        "There is no score and no end.",
    )
