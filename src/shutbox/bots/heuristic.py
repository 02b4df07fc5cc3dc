"""Computer players who solve nothing: they rank offers, draw, or look at the next throw.

Some rank the offers of a scene by the pieces they take. They play any game, since they ask only
what an offer takes. What takes no pieces, such as the choice of dice, is taken as it is listed: the
first. None of them sees the cup.
"""

from fractions import Fraction
from typing import Any

from shutbox.analysis.strategy.heuristics import Rank
from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.match.game import turn_at

MOST_LOOKED = 200_000  # positions for one choice; where there are more, the first is taken
NOTHING_TO_LOSE = Fraction(-1)


class ByTiles:
    """Picks the offer that ranks highest; of equal ones the first in canonical order.

    >>> from shutbox import find
    >>> from shutbox.analysis.strategy.heuristics import fewest_tiles, highest_tile, most_tiles
    >>> game = find("classic")
    >>> position = game.position_at("1-9/3+5")
    >>> choices = game.awaits(position).choices
    >>> [game.choice_text(ByTiles(rank).pick(game, position, choices))
    ...  for rank in (most_tiles, fewest_tiles, highest_tile)]
    ['1 2 5', '8', '8']
    """

    def __init__(self, rank: Rank) -> None:
        self.rank = rank

    def __repr__(self) -> str:
        return f"ByTiles({self.rank.__name__})"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """One of the choices."""
        if len(choices) == 1:
            return choices[0]
        of, here = turn_at(game, position) or (game, position)
        ranks = [self.rank(taken) for taken in of.scene(here).numbers_taken()]
        return choices[ranks.index(max(ranks))]


class RandomChoice:
    """Picks at random, anew each time: each choice is as likely as the others.

    >>> from shutbox import find
    >>> game = find("classic")
    >>> position = game.position_at("1-9/3+5")
    >>> choices = game.awaits(position).choices
    >>> RandomChoice().pick(game, position, choices) in choices
    True

    The operating system draws; nobody can know a choice before it is made.
    """

    deterministic = False
    uniform = True

    def __repr__(self) -> str:
        return "RandomChoice()"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """One of the choices, each as likely as the others."""
        from secrets import choice  # takes a while to import, and only this one needs it

        return choice(choices)


class FixedChoice:
    r"""Picks as if at random, from a seed: at the same position always the same.

    >>> from shutbox import find
    >>> game = find("classic")
    >>> position = game.position_at("1-9/3+5")
    >>> game.choice_text(FixedChoice("pub").pick(game, position, game.awaits(position).choices))
    '1 2 5'

    The choice is the number of SHA-256 of `b"shutbox bot 1\n"`, the seed, `b"\n"` and the text
    of the position, modulo the number of choices. So a game that is resumed goes on as it would
    have, and no choice tells anything of another.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def __repr__(self) -> str:
        return f"FixedChoice({self.seed!r})"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """One of the choices."""
        from hashlib import sha256  # takes a while to import, and only this one needs it

        text = f"{self.seed}\n{game.position_id(position)}".encode("utf-8", "surrogatepass")
        number = int.from_bytes(sha256(b"shutbox bot 1\n" + text).digest(), "big")
        return choices[number % len(choices)]


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
