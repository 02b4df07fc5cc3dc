"""The answer to "what is legal", which every game gives in the same way."""

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
    named = "; ".join(offer.says for offer in offers[:MOST_SPOKEN])
    if len(offers) > MOST_SPOKEN:
        return gettext(
            "{number} choices, the first {most}: {offers}.",
            number=len(offers),
            most=MOST_SPOKEN,
            offers=named,
        )
    return gettext("Legal: {offers}.", offers=named)
