"""The answers to "what is legal" and "how do I stand", which games give in the same way."""

from shutbox.english import MOST_WORDS, few
from shutbox.game import Awaited, C, Over, Throw
from shutbox.messages import gettext
from shutbox.scene import Offer


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
    names = [offer.says for offer in offers]
    if few(names, MOST_WORDS - 1) == len(names):
        return gettext("Legal: {offers}.", offers="; ".join(names))
    first = "; ".join(names[: few(names, MOST_WORDS - 4)])
    return gettext("{number} ways; the first: {offers}.", number=len(names), offers=first)


def score_text(awaited: Awaited[C], score: int) -> str:
    """How one stands, a clause to follow a name.

    >>> score_text(Over((7,)), 7)
    'score 7.'
    """
    if isinstance(awaited, Over):
        return gettext("score {score}.", score=score)
    return gettext("score so far {score}.", score=score)
