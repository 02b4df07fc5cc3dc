"""`shutbox compare`: ways to play and players against best play, exactly."""

import argparse
from collections.abc import Iterator

from shutbox.analysis.strategy.compare import Comparison
from shutbox.analysis.strategy.compare import compare as compared
from shutbox.analysis.strategy.strength import Strength
from shutbox.analysis.wording import aim_words, cost_only, cost_words, worth_words
from shutbox.cli.options import add_aim, add_anyway, add_game, add_json, add_switch
from shutbox.cli.output import Told, answer
from shutbox.cli.own_player import players_named
from shutbox.cli.parser import Parser
from shutbox.english import percent
from shutbox.game import RuleCard
from shutbox.lookup import find_any
from shutbox.messages import gettext


def add_compare(parser: Parser) -> None:
    """Add the arguments of `shutbox compare`."""
    add_game(parser)
    add_aim(parser)
    about = gettext(
        "compare this player instead of all fixed ways to play; may be given several times. It is "
        "one of perfect, fewest, most, highest, first, careful, sheet, random and fixed, or your "
        "own class or function, such as mine:BothDice"
    )
    parser.add_argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    add_switch(parser, "--sheet", gettext("also a strategy that fits on one sheet of paper"))
    add_anyway(parser)
    add_json(parser)
    parser.runs(compare, "compare classic", "compare full-house --player most --sheet")


def compare(arguments: argparse.Namespace) -> None:
    """What each way to play is worth, best first; and the sheet, if it is asked for."""
    game = find_any(arguments.game)
    players = players_named(arguments.player) if arguments.player else None
    told = Told(gettext("Comparing ways to play {game}", game=game.name))
    found = compared(
        game,
        arguments.aim,
        players=players,
        sheet=arguments.sheet,
        anyway=arguments.anyway,
        progress=told,
    )
    answer(arguments, _lines(found, game.card(), sheet=arguments.sheet), found.report)


def _lines(found: Comparison, card: RuleCard, *, sheet: bool) -> Iterator[str]:
    yield gettext("{title}, played {aim}.", title=card.title, aim=aim_words(found.aim, card))
    worth = gettext("; ").join(_worth(found.best, found.aim, card))
    yield gettext("best: {worth}.", worth=worth)
    yield from (_line(way, found.aim, card) for way in found.ways)
    if found.sheet is not None:
        yield gettext("The sheet:")
        yield from found.sheet.lines
        if loss := found.way("sheet").loss:
            costs = cost_words(found.aim, loss, card)
            yield gettext("It costs {costs}, exactly {exact}.", costs=costs, exact=loss)
        else:
            yield gettext("It costs nothing.")
    elif sheet:
        yield gettext("There is no sheet for this game; boxes and Cargo have one.")


def _line(way: Strength, aim: str, card: RuleCard) -> str:
    worth, *more = _worth(way, aim, card)
    if not way.loss:
        worth = gettext("{worth}, as good as best play", worth=worth)
    else:
        loss = cost_only(aim, way.loss)
        worth = gettext("{worth}, {loss} worse than best play", worth=worth, loss=loss)
        more.append(gettext("loses {loss} per decision", loss=cost_only(aim, way.per_decision)))
    return gettext("{way}: {worth}.", way=way.way, worth=gettext("; ").join([worth, *more]))


def _worth(way: Strength, aim: str, card: RuleCard) -> list[str]:
    worth = worth_words(aim, way.value, card)
    if aim in ("shut", "worst-shut"):
        return [worth]
    return [worth, gettext("{shuts} {chance}", shuts=card.shuts, chance=percent(way.shut))]
