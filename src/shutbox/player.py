"""Whoever picks a choice: a person at a front end, a bot, a script.

A player sees a position and its choices, never the cup: dice that nobody has thrown yet exist
nowhere that a player can look.
"""

from typing import Protocol

from shutbox.dice import Cup
from shutbox.errors import IllegalChoice, TooLarge
from shutbox.game import C, Choose, Game, Over, P, Throw


class Player(Protocol[P, C]):
    """Picks one of the choices of a position.

    A player is taken to pick the same at the same position each time. One that does not says so
    by an attribute `deterministic = False`; one that takes each choice as often as the others by
    `uniform = True` too. Neither attribute has to be there.
    """

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """One of `choices`."""


class FirstChoice:
    """Takes the first choice in canonical order: fewest tiles, highest tile first."""

    def pick(self, game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
        """The first."""
        return choices[0]


def picked(player: Player[P, C], game: Game[P, C], position: P, choices: tuple[C, ...]) -> C:
    """What a player picks, one of `choices`. Raises IllegalChoice for what is not offered."""
    choice = player.pick(game, position, choices)
    if choice not in choices:
        said = repr(choice)
        raise IllegalChoice("{choice} is none of the choices offered", position, choice=said)
    return choice


def play_out(game: Game[P, C], player: Player[P, C], cup: Cup, position: P | None = None) -> Over:
    """Play from `position`, or from the start, to the end, one player in every seat.

    >>> from shutbox import ScriptCup, find
    >>> classic = find("classic")
    >>> play_out(classic, FirstChoice(), ScriptCup(["4+5", "6+6", "2+2", "2+2"]))
    Over(scores=(20,), shut=False, winners=())

    Raises IllegalChoice if the player picks what is not offered, and TooLarge for a game that
    need never end.
    """
    if game.longest is None:
        raise TooLarge("{game} need never end, so it cannot be played out", game=game.name)
    position = game.start() if position is None else position
    while True:
        match game.awaits(position):
            case Throw(dice=dice):
                position = game.rolled(position, cup.throw(dice))
            case Choose(choices=choices):
                position = game.chosen(position, picked(player, game, position, choices))
            case over:
                return over
