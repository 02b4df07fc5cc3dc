"""Players, who pick choices: a person at a front end, a bot or a script.

A player sees a position and its choices, never the cup, so it cannot see future dice.
"""

from typing import Protocol

from shutbox.dice import Cup
from shutbox.errors import IllegalChoice, TooLarge
from shutbox.game import C, Choose, Game, Over, P, Throw
from shutbox.plugins import blaming


class Player(Protocol[P, C]):
    """A player, who picks one of the choices of a position.

    A player is assumed to pick the same choice at the same position every time. A player whose
    choice varies has the attribute `deterministic = False`. If it picks every choice equally often,
    it also has `uniform = True`. Both attributes are optional.
    """

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...], /) -> C:
        """Return one of `choices`."""


class FirstChoice:
    """A player that takes the first choice: in a box the fewest dice or tiles, the highest tile."""

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """Return the first choice."""
        return choices[0]


def picked(player: Player[P, C], game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
    """Return the player's choice. Raises IllegalChoice if it is not one of `choices`."""
    choice = player.pick(game, position, choices)
    if choice not in choices:
        quoted = repr(choice)
        raise IllegalChoice("{choice} is none of the choices offered", position, choice=quoted)
    return choice


def play_out(game: Game[P, C], player: Player[P, C], cup: Cup, position: P | None = None) -> Over:
    """Play from `position`, or the start, with the same player in every seat; return the end.

    >>> from shutbox import ScriptCup, find
    >>> classic = find("classic")
    >>> play_out(classic, FirstChoice(), ScriptCup(["4+5", "6+6", "2+2", "2+2"]))
    Over(scores=(20,), shut=False, winners=())

    Raises IllegalChoice if the player picks a choice that is not offered, TooLarge for a game that
    need never end, and what the cup raises.
    """
    if game.longest is None:
        raise TooLarge("{game} need never end, so it cannot be played out", game=game.name)
    position = game.start() if position is None else position
    with blaming(game):
        while True:
            match game.awaits(position):
                case Throw(dice=dice):
                    position = game.rolled(position, cup.throw(dice))
                case Choose(choices=choices):
                    position = game.chosen(position, picked(player, game, position, choices))
                case over:
                    return over
