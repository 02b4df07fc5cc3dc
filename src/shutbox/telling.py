"""What every game hears in the same way, and what of it is new."""

from shutbox.game import C, Game, P, open_choices
from shutbox.scene import Offer, Scene


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
