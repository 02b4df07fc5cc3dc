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
        again = True
        while again:
            session = Session(Table(game, cup), console, throws=arguments.throw == "auto")
            again = session.run() and console.interactive
            again = again and not console.ask("Enter plays again, anything else stops:").strip()
    except Stopped:
        console.say("Goodbye.")


def _cup(arguments: argparse.Namespace) -> Cup:
    if arguments.dice == "hand":
        return HandCup()
    return SecretCup() if arguments.seed is None else SeededCup(arguments.seed)
