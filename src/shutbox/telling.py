"""Answers that every game gives in the same words."""

from shutbox.game import Awaited, C, Over, Throw
from shutbox.scene import Offer

MOST_SPOKEN = 20
"""The most choices that the answer to "what is legal" reads out."""


def legal(awaited: Awaited[C], offers: tuple[Offer, ...]) -> str:
    """What one may do, in a sentence.

    >>> from shutbox.dice import Dice
    >>> legal(Throw(Dice.of(2, 6)), ())
    'Throw two dice.'
    """
    if isinstance(awaited, Over):
        return "Nothing: the turn is over."
    if isinstance(awaited, Throw):
        return f"Throw {awaited.dice.words}."
    named = "; ".join(offer.says for offer in offers[:MOST_SPOKEN])
    if len(offers) > MOST_SPOKEN:
        return f"{len(offers)} choices, the first {MOST_SPOKEN}: {named}."
    return f"Legal: {named}."
