"""Advice for one position of a game or a match, which need not be under way."""

from contextlib import nullcontext, suppress
from dataclasses import replace
from math import inf
from typing import Any

from shutbox.analysis.advice.adviser import Adviser
from shutbox.analysis.advice.ranking import Advice, advice
from shutbox.analysis.equity.cost import check_whole
from shutbox.analysis.equity.last_round import check_answers, facing, seconds_of_answers
from shutbox.analysis.equity.match_value import needs_whole
from shutbox.analysis.named import aim_named
from shutbox.analysis.solvers.select import solve_once
from shutbox.errors import NotUnderstood, TooLarge
from shutbox.game import Game
from shutbox.lookup import match_of, place_meant
from shutbox.match import Match, Order
from shutbox.match.standing import Turn
from shutbox.seats import MOST_SEATS, unnamed
from shutbox.solver.graph import Progress, heard
from shutbox.solver.meant import Placed, due
from shutbox.solver.objectives import MEAN, Aim


def advise(
    place: Game[Any, Any] | Placed | str,
    position: Any = None,
    aim: Aim | str | None = None,
    *,
    to_beat: int | None = None,
    after: int = 0,
    format: str | None = None,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Advice:
    """Rank the choices of a position, and say why the best one is best.

    >>> import shutbox
    >>> shutbox.advise("classic:1-9/3+5").best.text
    '8'
    >>> shutbox.advise("classic", "1.3.4.9/1+3", "shut")
    Advice(classic:1.3.4.9/1+3, shut, 4: 0.0581; 1 3: 0.0278)

    `place` and `position` are as in `shutbox.view`. In a match everybody plays to win, so `aim` is
    for a single turn. `to_beat`, the best score so far, `after`, how many players are still to
    come, and `format` make a match of one round.

    Raises NothingDue if no choice is due, or only one about chips; NotUnderstood for arguments that
    do not go together; TooLarge for a game without scores or beyond the limits (which `anyway`
    ignores); and what `shutbox.view` and, for `format`, `match_of` raise.
    """
    game, here = place_meant(place, position)
    due(game, here)
    if (to_beat, after, format) != (None, 0, None):
        if isinstance(game, Match):
            raise NotUnderstood(
                "a score to beat, players after and a format: the position of a match has all of "
                "that in it"
            )
        game, here = _among_others(game, here, to_beat, after, format or "")
    if isinstance(game, Match):
        if aim is not None:
            raise NotUnderstood("among other players everybody plays to win: give no aim")
        return _in_match(game, here, anyway, heard(progress))
    if game.scoring is None:
        raise TooLarge(
            "{game} has no score and need never end, so no choice is best", game=game.name
        )
    aim = MEAN if aim is None else aim_named(aim, game)
    return advice(solve_once(game, aim, heard(progress), here, anyway=anyway), here)


def _among_others(
    game: Game[Any, Any], position: Any, to_beat: int | None, after: int, format: str
) -> "tuple[Match[Any, Any], Any]":
    """Place the turn in a match of one round; return the match and the position in it.

    A player before it has scored `to_beat`, and `after` players are still to come. Raises
    NotUnderstood for too many players, several rounds, or a score that is impossible.
    """
    till_here = 1 if to_beat is None else 2
    if not 0 <= after <= (most := MOST_SEATS - till_here):
        facts = {"number": after, "most": most}
        raise NotUnderstood("{number} players cannot come after; 0 to {most} can", **facts)
    match = match_of(game, unnamed(till_here + after), format)
    if match.format.most_rounds > 1:
        raise NotUnderstood("advice among others is about one round; write rounds=1")
    # The arguments fix which players come before and after, so the seats play in order.
    match = Match(match.game, replace(match.format, order=Order.SEATS, begins=1), match.players)
    here = facing(match, to_beat, after)
    assert isinstance(here.doing, Turn)  # `facing` begins a turn
    here = replace(here, doing=replace(here.doing, at=position))
    # Parse the position from its own text, so that an impossible score is refused.
    return match, match.position_at(match.position_id(here))


def _in_match(match: "Match[Any, Any]", position: Any, anyway: bool, progress: Progress) -> Advice:
    """Return advice in a match, for the win if possible. Raises TooLarge, as `advise` does."""
    every_round = False
    if needs_whole(match, position):
        # Before its last round, a match too large to solve can be advised by the turn's score.
        for_score = seconds_of_answers(match) < inf
        with suppress(TooLarge) if for_score else nullcontext():
            check_whole(match, anyway=anyway)
            every_round = True
    if not every_round:
        check_answers(match, anyway=anyway)
    adviser = Adviser(match, seconds=inf, every_round=every_round, progress=progress)
    return adviser.advise(position)
