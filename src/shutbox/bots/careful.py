"""The computer player who keeps the turn alive."""

from fractions import Fraction
from typing import Any

from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.match.game import turn_at

MOST_LOOKED = 200_000  # positions for one choice; where there are more, the first is taken
NOTHING_TO_LOSE = Fraction(-1)


class Careful:
    """Picks the choice after which the turn is lost least often with the next throw.

    A choice that shuts the box is best. Of equally good ones it is the first in canonical order.

    >>> from shutbox import find
    >>> game = find("classic")
    >>> position = game.position_at("1.3.5.7.9/3+5")
    >>> game.choice_text(Careful().pick(game, position, game.awaits(position).choices))
    '3 5'
    """

    def __repr__(self) -> str:
        return "Careful()"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """One of the choices; about chips the first."""
        turn = turn_at(game, position)
        # In a game that need never end, no turn can be lost.
        if turn is None or game.longest is None or len(choices) == 1:
            return choices[0]
        inner, here = turn
        after = [inner.chosen(here, choice) for choice in choices]
        if sum(looks(inner, place) for place in after) > MOST_LOOKED:
            return choices[0]
        risks = [risk(inner, place) for place in after]
        return choices[risks.index(min(risks))]


def risk(game: Game[Any, Any], position: Any) -> Fraction:
    """The chance that the turn is lost with the next throw; NOTHING_TO_LOSE where it is won."""
    match game.awaits(position):
        case Over(shut=shut):
            return NOTHING_TO_LOSE if shut else Fraction(1)
        case Choose(choices=choices):
            return min(risk(game, game.chosen(position, choice)) for choice in choices)
        case Throw(dice=dice):
            fallen = ((game.awaits(game.rolled(position, roll)), n) for roll, n in dice.outcomes())
            lost = sum(n for awaited, n in fallen if isinstance(awaited, Over) and not awaited.shut)
            return Fraction(lost, dice.total_weight)


def looks(game: Game[Any, Any], position: Any) -> int:
    """How many positions `risk` looks at, at least."""
    match game.awaits(position):
        case Choose(choices=choices):
            return sum(looks(game, game.chosen(position, choice)) for choice in choices)
        case Throw(dice=dice):
            return dice.different
    return 1
