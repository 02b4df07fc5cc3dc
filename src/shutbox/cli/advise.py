"""`shutbox advise`: the choices of a position, ranked, and why the best one is best."""

import argparse
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import replace
from math import inf
from typing import Any

from shutbox.analysis.advice.adviser import Adviser
from shutbox.analysis.advice.ranking import Advice, advice, ranked_words
from shutbox.analysis.equity.cost import check_whole
from shutbox.analysis.equity.last_round import check_answers, facing, seconds_of_answers
from shutbox.analysis.equity.match_value import needs_whole
from shutbox.analysis.solvers.select import solve_once
from shutbox.analysis.wording import aim_words
from shutbox.cli.output import ProgressLine, answer
from shutbox.cli.parser import Parser, add_shared
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Game, Over, RuleCard, Throw, position_text
from shutbox.lookup import find_any_position, match_of
from shutbox.match import Match, Order
from shutbox.match.standing import Turn
from shutbox.messages import gettext
from shutbox.seats import MOST_SEATS, unnamed
from shutbox.solver.objectives import find_aim


def add_advise(parser: Parser) -> None:
    """Add the arguments of `shutbox advise`."""
    about = gettext("such as classic:1-9/3+5, or one of a match")
    parser.add_argument("position", metavar="POSITION", help=about)
    add_shared(parser, "--aim", default=None)
    about = gettext("the best score so far")
    parser.add_argument("--to-beat", type=int, metavar="SCORE", help=about)
    about = gettext("how many players are still to come")
    parser.add_argument("--after", type=int, metavar="N", help=about)
    add_shared(parser, "--format", "--anyway", "--json")
    parser.runs(advise, "advise classic:1-9/3+5", "advise classic:1-9/3+5 --to-beat 8 --after 2")


def advise(arguments: argparse.Namespace) -> None:
    """Print every choice of a position, best first, and a sentence that says why.

    With `--to-beat`, `--after` or `--format`, the position is one turn of a match.
    """
    game, position = find_any_position(arguments.position)
    _check_choice(game, position)
    if (arguments.to_beat, arguments.after, arguments.format) != (None, None, None):
        if isinstance(game, Match):
            raise NotUnderstood(
                "--to-beat, --after and --format: the position of a match has all of that in it"
            )
        game, position = _among_others(arguments, game, position)
    if isinstance(game, Match):
        found = _in_match(arguments, game, position)
    else:
        found = _alone(arguments, game, position)
    answer(arguments, _lines(found, game.card()), found.report)


def _check_choice(game: Game[Any, Any], position: Any) -> None:
    here = position_text(game, position)
    match game.awaits(position):
        case Over():
            raise NotUnderstood(
                "{position}: it is over, and there is nothing to choose", position=here
            )
        case Throw(dice=dice):
            raise NotUnderstood(
                "{position}: {dice} to throw first, with nothing to choose; write the roll into "
                "the position",
                position=here,
                dice=dice.words,
            )


def _among_others(
    arguments: argparse.Namespace, game: Game[Any, Any], position: Any
) -> "tuple[Match[Any, Any], Any]":
    """Place the turn in a match of one round; return the match and the position in it.

    A player before it has scored `--to-beat`, and `--after` players are still to come.
    """
    after, to_beat = arguments.after or 0, arguments.to_beat
    till_here = 1 if to_beat is None else 2
    if not 0 <= after <= (most := MOST_SEATS - till_here):
        facts = {"number": after, "most": most}
        raise NotUnderstood("--after: {number} players cannot come; 0 to {most} can", **facts)
    match = match_of(game.name, unnamed(till_here + after), arguments.format or "")
    if match.format.most_rounds > 1:
        raise NotUnderstood("--format: advice among others is about one round; write rounds=1")
    # The options fix which players come before and after, so the seats play in order.
    match = Match(match.game, replace(match.format, order=Order.SEATS, begins=1), match.players)
    here = facing(match, to_beat, after)
    assert isinstance(here.doing, Turn)  # `facing` begins a turn
    here = replace(here, doing=replace(here.doing, at=position))
    # Parse the position from its own text, so that an impossible score is refused.
    return match, match.position_at(match.position_id(here))


def _in_match(arguments: argparse.Namespace, match: "Match[Any, Any]", position: Any) -> Advice:
    if arguments.aim is not None:
        raise NotUnderstood("--aim: among other players everybody plays to win")
    every_round = False
    if needs_whole(match, position):
        # Before its last round, a match too large to solve can be advised by the turn's score.
        for_score = seconds_of_answers(match) < inf
        with suppress(TooLarge) if for_score else nullcontext():
            check_whole(match, anyway=arguments.anyway)
            every_round = True
    if not every_round:
        check_answers(match, anyway=arguments.anyway)
    told = ProgressLine(gettext("Solving {game}", game=match.name))
    return Adviser(match, seconds=inf, every_round=every_round, progress=told).advise(position)


def _alone(arguments: argparse.Namespace, game: Game[Any, Any], position: Any) -> Advice:
    if game.scoring is None:
        raise TooLarge(
            "{game} has no score and need never end, so no choice is best", game=game.name
        )
    aim = find_aim(arguments.aim or "mean", game.scoring)
    told = ProgressLine(gettext("Solving {game} for {aim}", game=game.name, aim=aim.name))
    solution = solve_once(game, aim, told, position, anyway=arguments.anyway)
    return advice(solution, position)


def _lines(found: Advice, card: RuleCard) -> Iterator[str]:
    aim = aim_words(found.aim, card)
    yield gettext("{position}, played {aim}.", position=found.position, aim=aim)
    if found.aim == "win" and found.standing is not None:
        yield gettext("{standing}.", standing=found.standing.words())
    yield from (ranked_words(found.aim, ranked, card) for ranked in found.ranked)
    if found.why:
        yield found.why
