"""The answers to "what is legal" and "how do I stand", which games give in the same way."""

from shutbox.game import Awaited, C, Over, Throw
from shutbox.messages import gettext
from shutbox.scene import Offer

MOST_SPOKEN = 20
"""The most choices that it reads out."""


def legal(awaited: Awaited[C], offers: tuple[Offer, ...]) -> str:
    """What one may do, in a sentence.

    >>> from shutbox.dice import Dice
    >>> legal(Throw(Dice.of(2, 6)), ())
    'Throw two dice.'
    """
    if isinstance(awaited, Over):
        return gettext("Nothing: the turn is over.")
    if isinstance(awaited, Throw):
        return gettext("Throw {dice}.", dice=awaited.dice.words)
    named, number = "; ".join(offer.says for offer in offers[:MOST_SPOKEN]), len(offers)
    if number <= MOST_SPOKEN:
        return gettext("Legal: {offers}.", offers=named)
    return gettext(
        "{number} choices, the first {most}: {offers}.",
        number=number,
        most=MOST_SPOKEN,
        offers=named,
    )


def score_text(awaited: Awaited[C], score: int) -> str:
    """How one stands, a clause to follow a name.

    >>> score_text(Over((7,)), 7)
    'score 7.'
    """
    if isinstance(awaited, Over):
        return gettext("score {score}.", score=score)
    return gettext("score so far {score}.", score=score)
