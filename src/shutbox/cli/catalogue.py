"""`shutbox games`, `shutbox rules`, `shutbox legal`: questions without playing."""

import argparse

from shutbox.cli.output import answer
from shutbox.english import capital, listed, number_word
from shutbox.game import Choose, Over, Throw, position_text
from shutbox.games.catalogue import catalogue, on_the_console
from shutbox.lookup import find_any, find_any_position
from shutbox.match import presets
from shutbox.messages import gettext, ngettext


def games(arguments: argparse.Namespace) -> None:
    """The catalogue, a line for each game, and the matches that have a name."""
    rows = [{"name": e.name, "title": e.title, "source": e.source} for e in catalogue()]
    rows += [{"name": p.name, "title": p.title, "source": p.source} for p in presets().values()]
    lines = (gettext("{name}: {title}, source {source}.", **row) for row in rows)
    answer(arguments, lines, lambda: rows)


def rules(arguments: argparse.Namespace) -> None:
    """The rule card of a game."""
    game = find_any(arguments.game)
    card = game.card()
    title = gettext("{title}.", title=card.title)
    console = filter(None, [on_the_console(game.name)])
    lines = (title, *card.lines, *console, gettext("Name: {name}", name=game.name))
    value = {"game": game.name, "title": card.title, "rules": card.lines, "options": card.options}
    answer(arguments, lines, lambda: value)


def legal(arguments: argparse.Namespace) -> None:
    """What a position waits for and all it offers."""
    game, position = find_any_position(arguments.position)
    text = position_text(game, position)
    match game.awaits(position):
        case Throw(dice=dice, seat=seat):
            value = {"awaits": "throw", "seat": seat, "dice": str(dice)}
            says = [gettext("A throw of {dice} is due.", dice=dice.words)]
        case Choose(choices=choices, seat=seat):
            offers = [game.choice_text(choice) for choice in choices]
            value = {"awaits": "choose", "seat": seat, "choices": offers}
            open_now = ngettext(
                "{number} choice is open.",
                "{number} choices are open.",
                len(offers),
                number=number_word(len(offers)),
            )
            says = [capital(open_now), *offers]
        case Over(scores=scores):
            value = {"awaits": "over", "seat": None, "scores": scores}
            says = [gettext("It is over. Score: {score}.", score=listed(scores))]
    answer(arguments, [text, *says], lambda: {"position": text, **value})
