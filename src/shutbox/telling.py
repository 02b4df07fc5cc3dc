"""What every game says, and hears, in the same way."""

from shutbox.game import Awaited, C, Game, Over, P, Throw, open_choices
from shutbox.scene import Offer, Scene

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


def meant(game: Game[P, C], position: P, scene: Scene, text: str) -> tuple[C, Offer]:
    """The choice that a person means, and its offer: the words of an offer, or what a game reads.

    >>> from shutbox import find
    >>> two_rows = find("double-shutter")
    >>> here = two_rows.position_at("1-9.b1-9/4+5")
    >>> choice, offer = meant(two_rows, here, two_rows.scene(here), "9 in front")
    >>> two_rows.choice_text(choice), offer.done
    ('9', '9 in front goes down.')

    Raises NotUnderstood, Ambiguous and IllegalChoice.
    """
    choices = open_choices(game.awaits(position), position)
    offers = scene.offers
    said = " ".join(text.casefold().split())
    for choice, offer in zip(choices, offers, strict=True):
        if offer.says.casefold() == said:
            return choice, offer
    choice = game.parse_choice(position, text)
    return choice, offers[choices.index(choice)]
