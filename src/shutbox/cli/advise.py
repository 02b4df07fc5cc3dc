"""`shutbox advise`: the choices of a position, best first."""

import argparse
from collections.abc import Iterator

from shutbox.cli.commands import Parser, add_shared
from shutbox.cli.output import print_answer, solving_progress
from shutbox.engine.game import RuleCard
from shutbox.engine.messages import gettext
from shutbox.engine.typed_text import in_ascii
from shutbox.solving.advice.adviser import advise as advised
from shutbox.solving.advice.ranking import Advice, ranked_words
from shutbox.solving.value_text import aim_words
from shutbox.table.lookup import find_position


def advise_arguments(parser: Parser) -> None:
    """Add the arguments of `shutbox advise`."""
    text = gettext("such as classic:1-9/3+5 or classic 2 5 8 9 3+4, or one of a match")
    parser.add_argument("position", nargs="+", metavar="POSITION", help=text)
    add_shared(parser, "--aim", default=None)
    add_shared(parser, "--anyway", "--json")
    parser.set_run(advise, "classic 2 5 8 9 3+4", "classic:1-9/3+5 --aim beat:8")


def advise(arguments: argparse.Namespace) -> None:
    """Print the choices of a position, best first. Raises as `find_position` and `advised`."""
    game, position = find_position(position_of(*arguments.position))
    advice = advised(
        game,
        position,
        arguments.aim,
        anyway=arguments.anyway,
        progress=solving_progress(game),
    )
    print_answer(arguments, _ranked_lines(advice, game.card()), advice.report)


def position_of(game: str, *seen: str) -> str:
    """Return the notation of a position from tiles and roll as words; without any, `game` itself.

    >>> position_of("classic", "2", "5,8", "9", "3+4")
    'classic:2.5.8.9/3+4'
    """
    words = in_ascii(" ".join(seen)).replace(",", " ").split()
    if not words:
        return game
    is_roll = "+" in words[-1] or words[-1].startswith("/")  # the roll of one die is /3
    roll = f"/{words.pop().removeprefix('/')}" if is_roll else ""
    return f"{game}:{'.'.join(words)}{roll}"


def _ranked_lines(advice: Advice, card: RuleCard) -> Iterator[str]:
    aim = aim_words(advice.aim, card)
    yield gettext("{position}, played {aim}.", position=advice.position, aim=aim)
    if advice.aim == "win" and advice.standing is not None:
        yield gettext("{standing}.", standing=advice.standing.words())
    yield from (ranked_words(advice.aim, ranked, card) for ranked in advice.ranked)
    if advice.why:
        yield advice.why
