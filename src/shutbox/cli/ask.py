"""`shutbox games`, `shutbox rules`, `shutbox legal`: questions without playing."""

import argparse
import json

from shutbox.catalogue import catalogue, find, find_position
from shutbox.game import Choose, Over, Throw, position_text
from shutbox.words import capital, counted, listed


def games(arguments: argparse.Namespace) -> None:
    """The catalogue, a line for each game."""
    entries = catalogue()
    if arguments.json:
        _print_json([{"name": e.name, "title": e.title, "source": e.source} for e in entries])
        return
    for entry in entries:
        print(f"{entry.name}: {entry.title}, source {entry.source}.")


def rules(arguments: argparse.Namespace) -> None:
    """The rule card of a game."""
    game = find(arguments.game)
    card = game.card()
    if arguments.json:
        _print_json(
            {
                "game": game.name,
                "title": card.title,
                "rules": list(card.lines),
                "options": card.options,
            }
        )
        return
    print(f"{card.title}.", *card.lines, f"Name: {game.name}", sep="\n")


def legal(arguments: argparse.Namespace) -> None:
    """What a position waits for and all it offers."""
    game, position = find_position(arguments.position)
    awaited = game.awaits(position)
    text = position_text(game, position)
    match awaited:
        case Throw(dice=dice, seat=seat):
            answer = {"awaits": "throw", "seat": seat, "dice": str(dice)}
            says = [f"A throw of {dice.words} is due."]
        case Choose(choices=choices, seat=seat):
            offers = [game.choice_text(choice) for choice in choices]
            answer = {"awaits": "choose", "seat": seat, "choices": offers}
            open_now = counted(len(offers), "choice is", "choices are")
            says = [f"{capital(open_now)} open.", *offers]
        case Over(scores=scores):
            answer = {"awaits": "over", "seat": None, "scores": list(scores)}
            says = [f"It is over. Score: {listed(scores)}."]
    if arguments.json:
        _print_json({"position": text, **answer})
    else:
        print(text, *says, sep="\n")


def _print_json(value: object) -> None:
    print(json.dumps(value, indent=2))
