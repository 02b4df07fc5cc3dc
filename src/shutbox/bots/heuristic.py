"""Computer players that solve nothing: they rank offers, draw, or look one throw ahead.

Some rank the offers of a scene by the pieces they take, so they can play any game. Among offers
without pieces, such as the choice of dice, they take the first. None of them sees the cup.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from shutbox.analysis.strategy.heuristics import Rank
from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.match.game import turn_at

MOST_LOOKED = 200_000  # positions for one choice; if there are more, it takes the first
NOTHING_TO_LOSE = Fraction(-1)


class ByTiles:
    """A player that picks the offer with the highest `rank`, the first of equal ones."""

    def __init__(self, rank: Rank) -> None:
        self.rank = rank

    def __repr__(self) -> str:
        return f"ByTiles({self.rank.__name__})"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice with the highest rank, the first of equal ones."""
        if len(choices) == 1:
            return choices[0]
        of, here = turn_at(game, position) or (game, position)
        ranks = [self.rank(taken) for taken in of.scene(here).numbers_taken()]
        return choices[ranks.index(max(ranks))]


@dataclass(eq=False)
class RandomChoice:
    """A player that draws each time: every choice is equally likely.

    The operating system draws, so that choices cannot be predicted.
    """

    deterministic = False
    uniform = True

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return one of the choices, each equally likely."""
        from secrets import choice  # slow to import, and only this player needs it

        return choice(choices)


class FixedChoice:
    r"""A player that picks pseudo-randomly from a seed, always the same at the same position.

    The index of the choice is the SHA-256 of `b"shutbox bot 1\n"`, the seed, `b"\n"` and the text
    of the position, modulo the number of choices. So a resumed game continues as it would have,
    and no choice reveals anything about another.
    """

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def __repr__(self) -> str:
        return f"FixedChoice({self.seed!r})"

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice that the seed and the position give."""
        from hashlib import sha256  # slow to import, and only this player needs it

        text = f"{self.seed}\n{game.position_id(position)}".encode("utf-8", "surrogatepass")
        number = int.from_bytes(sha256(b"shutbox bot 1\n" + text).digest(), "big")
        return choices[number % len(choices)]


def turn_with_a_choice(
    game: Game[Any, Any], position: Any, choices: Sequence[Any]
) -> tuple[Game[Any, Any], Any] | None:
    """Return the game and the position of a turn with a choice to weigh, as `turn_at` does.

    None if there is only one choice, if it is about chips, or if the game need never end.
    """
    if len(choices) == 1 or game.longest is None:
        return None
    return turn_at(game, position)


@dataclass(eq=False)
class Careful:
    """A player that picks the choice after which the next throw loses the turn least often.

    A choice that shuts the box is best. Of equally good ones it picks the first in canonical order.
    """

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the choice of least risk, or the first choice if risks do not decide.

        They do not if the choice is about chips, if the game need never end (no turn can be lost),
        or if they would take too long to work out.
        """
        turn = turn_with_a_choice(game, position, choices)
        if turn is None:
            return choices[0]
        inner, here = turn
        after = [inner.chosen(here, choice) for choice in choices]
        if sum(looks(inner, place) for place in after) > MOST_LOOKED:
            return choices[0]
        risks = [risk(inner, place) for place in after]
        return choices[risks.index(min(risks))]


def risk(game: Game[Any, Any], position: Any) -> Fraction:
    """Return the chance that the next throw loses the turn, after the best choices before it.

    It is 1 for a turn that is over and lost, and NOTHING_TO_LOSE for one that is won.
    """
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
    """Return a lower bound for the number of positions that `risk` looks at."""
    match game.awaits(position):
        case Choose(choices=choices):
            return sum(looks(game, game.chosen(position, choice)) for choice in choices)
        case Throw(dice=dice):
            return dice.different
    return 1
