"""`shutbox play`."""

import argparse

from shutbox.catalogue import find
from shutbox.cups import HandCup, SecretCup, SeededCup
from shutbox.dice import Cup
from shutbox.table import Table
from shutbox.term import Console, Session, Stopped, pick_game


def play(arguments: argparse.Namespace) -> None:
    """Play until the player has had enough."""
    game = find(arguments.game) if arguments.game is not None else None
    console = Console(plain=arguments.plain)
    try:
        if game is None:
            game = pick_game(console)
        cup = _cup(arguments)
        throws = arguments.throw == "auto"
        while Session(Table(game, cup), console, throws=throws).run():
            pass
    except Stopped:
        console.say("Goodbye.")


def _cup(arguments: argparse.Namespace) -> Cup:
    if arguments.dice == "hand":
        return HandCup()
    return SecretCup() if arguments.seed is None else SeededCup(arguments.seed)
