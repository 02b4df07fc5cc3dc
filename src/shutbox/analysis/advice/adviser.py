"""Advice on the best choice at any position of a game or a match during play.

In the last round of a match of rounds, and so in a match of one round, advice maximizes the share
of the win if that can be computed in time. Before the last round, and in a match with a target or a
limit, it does so if all rounds to come can be solved in time. Otherwise a turn is played for the
expected score, or for shutting the box in a match that goes on until a player does so. Solutions
that take long are stored in books, files in the user's cache.
"""

from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Any

from shutbox.analysis.advice.ranking import Advice, advice
from shutbox.analysis.equity import last_round
from shutbox.analysis.equity.last_round import (
    Answers,
    check_answers,
    facing,
    rounds_of_totals,
    seconds_of_answers,
)
from shutbox.analysis.named import aim_named
from shutbox.analysis.solvers.select import Solutions, is_stored, solve_once
from shutbox.errors import NothingDue, NotUnderstood, TooLarge
from shutbox.game import Game, position_text
from shutbox.lookup import match_of, place_meant
from shutbox.match import Format, Match, Order
from shutbox.match.atoms import Until
from shutbox.match.scoreboard import scoreboard_of_totals
from shutbox.match.standing import Turn
from shutbox.seats import MOST_SEATS, unnamed
from shutbox.solver.graph import Progress, heard, unheard
from shutbox.solver.meant import Placed, due
from shutbox.solver.objectives import MEAN, SHUT, Aim
from shutbox.solver.solution import Solution

HINT_SECONDS = 3.0  # a hint in a match is for the win only if it takes no longer (estimated)


def seconds_to_win(game: Game[Any, Any]) -> float:
    """Estimate the seconds to solve the last round of a match for the win.

    Infinite if that is impossible, for a game that is not a match, and for a lone player, who wins
    in any case, so that only the score counts.
    """
    return seconds_of_answers(game) if isinstance(game, Match) and game.players[1:] else inf


def advice_is_stored(game: Game[Any, Any], *, seconds: float = HINT_SECONDS) -> bool:
    """Whether there is a book for advice: of the game, the match's last round, or its turn."""
    if not isinstance(game, Match):
        return is_stored(game)
    if seconds_to_win(game) <= seconds:
        return last_round.is_stored(game)
    return is_stored(game.game, _aim_of_turns(game.format))


def _aim_of_turns(format: Format) -> Aim:
    """Return the aim of a single turn of a match, if the rounds to come are not solved."""
    # If a number of rounds also ends the match, the totals count most.
    totals = format.rounds is not None and rounds_of_totals(format)
    return SHUT if format.until is Until.SHUT and not totals else MEAN


class Adviser:
    """An adviser on the positions of one game or match, which caches its solutions.

    >>> from shutbox.lookup import find_any
    >>> match = find_any("six[seats=2]")
    >>> adviser = Adviser(match)
    >>> found = adviser.advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    >>> found.aim, [choice.text for choice in found.ranked]
    ('win', ['3', '1 2'])

    `aim` is for a single game. A match is played for the win if it can be solved in an estimated
    time of `seconds`, otherwise turn by turn for the score, or to shut the box if that ends it.
    `every_round` allows a match to be solved before its last round, and a stored book counts as no
    time. `whole` solves a single turn from its start, not only the rest of it. Methods raise
    TooLarge if a game cannot be solved, and NothingDue if no choice is due.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        aim: Aim = MEAN,
        *,
        seconds: float = HINT_SECONDS,
        every_round: bool = False,
        whole: bool = True,
        progress: Progress = unheard,
    ) -> None:
        self.game = game
        self.inner: Game[Any, Any] = game.game if isinstance(game, Match) else game
        """The game of a single turn."""
        self._aim = aim
        self._progress = progress
        self._seconds = seconds
        self._every_round = every_round
        self._turn: tuple[object, Solution[Any, Any]] | None = None
        self._solved = partial(Solutions(progress=progress).at, self.inner, whole=whole)

    def advise(self, position: Any) -> Advice:
        """Return the ranked choices of a position."""
        solution, here = self.solution(position)
        text = position_text(self.game, position)
        standing = scoreboard_of_totals(self.game, position)
        return replace(advice(solution, here), position=text, standing=standing)

    def best(self, position: Any) -> Any:
        """Return the best choice of a position."""
        solution, here = self.solution(position)
        return solution.options(here).choice

    def solution(self, position: Any) -> tuple[Solution[Any, Any], Any]:
        """Return the solution of the turn under way, and the position within that turn.

        In a match, the first turn of a round also writes the book (a file) of the match. Raises
        NothingDue if no turn is under way.
        """
        if not isinstance(self.game, Match):
            return self._solved(position, self._aim), position
        here = self.game.settled(position).position
        if not isinstance(here.doing, Turn):
            id = self.game.position_id(position)
            raise NothingDue("no turn lies at {position}", position=id)
        at = here.doing.at
        if self._answers is None or here.round < self.game.format.most_rounds:
            if self._equity is None:
                return self._solved(at, _aim_of_turns(self.game.format)), at
            answers = self._equity
        else:
            answers = self._answers
        turn = replace(here, doing=replace(here.doing, at=self.inner.start()))
        if self._turn is None or self._turn[0] != turn or not self._turn[1].holds(at):
            self._turn = turn, answers.turn(here)
            if not self.game.rules.thrown(here):
                answers.store()  # the first turn leads to every outlook, so the book is complete
        return self._turn[1], at

    @cached_property
    def _answers(self) -> Answers | None:
        """The match solved in its last round; None if it cannot be solved in time."""
        if seconds_to_win(self.game) > self._seconds:
            return None
        assert isinstance(self.game, Match)  # only matches are won
        return Answers(self.game, progress=self._progress, book=True)

    @cached_property
    def _equity(self) -> Answers | None:
        """The match solved in every round; None if it cannot be solved in time."""
        if not (self._every_round and isinstance(self.game, Match)):
            return None
        from shutbox.analysis.equity.cost import check_whole, cost_of_whole
        from shutbox.analysis.equity.match_value import Equity, are_stored

        with suppress(TooLarge):
            seconds = cost_of_whole(self.game).seconds
            if seconds > self._seconds:
                check_whole(self.game)  # beyond the limits, do not look for a book
            if seconds <= self._seconds or are_stored(self.game):
                return Equity(self.game, anyway=True, progress=self._progress)
        return None


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
    # Imported here and above, since a single game and a match of one round do not need it.
    from shutbox.analysis.equity.cost import check_whole
    from shutbox.analysis.equity.match_value import needs_whole

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
