"""`shutbox games`, `shutbox rules`, `shutbox legal`: questions without playing."""

import argparse

from shutbox.cli.output import print_json
from shutbox.english import capital, listed, number_word
from shutbox.game import Choose, Over, Throw, position_text
from shutbox.games.catalogue import catalogue
from shutbox.lookup import find_any, find_any_position
from shutbox.match import presets
from shutbox.messages import gettext, ngettext


def games(arguments: argparse.Namespace) -> None:
    """The catalogue, a line for each game, and the matches that have a name."""
    rows = [(entry.name, entry.title, entry.source) for entry in catalogue()]
    rows += [(preset.name, preset.title, preset.source) for preset in presets().values()]
    if arguments.json:
        print_json([dict(zip(("name", "title", "source"), row, strict=True)) for row in rows])
        return
    for name, title, source in rows:
        print(gettext("{name}: {title}, source {source}.", name=name, title=title, source=source))


def rules(arguments: argparse.Namespace) -> None:
    """The rule card of a game."""
    game = find_any(arguments.game)
    card = game.card()
    if arguments.json:
        print_json(
            {
                "game": game.name,
                "title": card.title,
                "rules": list(card.lines),
                "options": card.options,
            }
        )
        return
    title = gettext("{title}.", title=card.title)
    print(title, *card.lines, gettext("Name: {name}", name=game.name), sep="\n")


def legal(arguments: argparse.Namespace) -> None:
    """What a position waits for and all it offers."""
    game, position = find_any_position(arguments.position)
    awaited = game.awaits(position)
    text = position_text(game, position)
    match awaited:
        case Throw(dice=dice, seat=seat):
            answer = {"awaits": "throw", "seat": seat, "dice": str(dice)}
            says = [gettext("A throw of {dice} is due.", dice=dice.words)]
        case Choose(choices=choices, seat=seat):
            offers = [game.choice_text(choice) for choice in choices]
            answer = {"awaits": "choose", "seat": seat, "choices": offers}
            open_now = ngettext(
                "{number} choice is open.",
                "{number} choices are open.",
                len(offers),
                number=number_word(len(offers)),
            )
            says = [capital(open_now), *offers]
        case Over(scores=scores):
            answer = {"awaits": "over", "seat": None, "scores": list(scores)}
            says = [gettext("It is over. Score: {score}.", score=listed(scores))]
    if arguments.json:
        print_json({"position": text, **answer})
    else:
        print(text, *says, sep="\n")
