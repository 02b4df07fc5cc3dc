"""What a player is worth, worked out exactly: whole fractions, nothing tried."""

from typing import Any

from shutbox.analysis.named import aim_named, turn_named
from shutbox.analysis.solvers.select import check_cost, turns_of
from shutbox.analysis.strategy.following import AnyPlayer, check_player, followed, is_named, name_of
from shutbox.analysis.strategy.strength import Strength, strength
from shutbox.game import Game
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import MEAN, Aim
from shutbox.solver.solution import GraphSolution

ASKING = 50
"""To ask a player at each of his positions takes so many times as long as to solve the game."""


def evaluate(
    game: Game[Any, Any] | str,
    player: AnyPlayer,
    aim: Aim | str = MEAN,
    *,
    anyway: bool = False,
    progress: Progress = unheard,
) -> Strength:
    """What comes of a player in one turn, and what that loses against best play for an aim.

    `player` is anything with a method `pick`, a function of the game, the position and the choices,
    or a name: `perfect`, `fewest`, `most`, `highest`, `first`, `careful`, `sheet`, `random`.

    >>> import shutbox
    >>> def last(game, position, choices):
    ...     return choices[-1]
    >>> found = shutbox.evaluate("classic", last)
    >>> round(float(found.value), 4), round(float(found.per_decision), 4)
    (24.2282, 8.632)
    >>> shutbox.evaluate("six", "perfect", "shut").value
    Fraction(145, 1944)

    A player is asked twice at each position that his choices lead to, and must say the same. One
    who takes each choice as often as the others, as `random` does, says so by an attribute
    `uniform = True`, and is not asked.

    `anyway`: whatever it costs; a large box such as The 300 takes hours, and `shutbox.simulate`
    tries a player there, with a standard error. Raises NotDeterministic for a player who does not
    always choose the same, IllegalChoice for one who takes what is not offered, TooLarge where it
    is beyond the limits of whole fractions, and NotUnderstood for a match, and for what is no
    player.
    """
    game = turn_named(game)
    aim = aim_named(aim, game)
    check_player(player)
    times = 2 if is_named(player) else ASKING
    if not anyway:
        check_cost(game, game.start(), times=times)
    solution = GraphSolution(game, aim, turns_of(game, game.start(), progress))
    return strength(name_of(player), followed(player, solution), solution)
