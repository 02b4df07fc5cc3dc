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


class News:
    """Tells the answers of a scene when they change, each of them once.

    >>> from shutbox.scene import Answer, Scene
    >>> def scene(*answers):
    ...     return Scene((), "", "", "", "", (), answers=answers)
    >>> news, turn = News(), Answer("w", "whose turn it is", "It is the turn of Ann.")
    >>> news.of(scene(turn)), news.of(scene(turn))
    (('It is the turn of Ann.',), ())
    """

    def __init__(self) -> None:
        self._told: dict[str, str] = {}

    def of(self, scene: Scene) -> tuple[str, ...]:
        """What is new in a scene; those that are quiet are noted and not told."""
        told = self._told
        self._told = {answer.key: answer.says for answer in scene.answers}
        return tuple(
            answer.says
            for answer in scene.answers
            if not answer.quiet and told.get(answer.key) != answer.says
        )
