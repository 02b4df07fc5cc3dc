"""Advice on the best choice at any position of a game or a match during play.

Advice in a match maximises the share of the win from `first_round_for_win` on. Before it, a turn is
played for the expected score, or for shutting the box in a match that goes on until a player does.
"""

from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import Any

from shutbox.engine.errors import NothingDue, NotUnderstood, TooLarge
from shutbox.engine.game import Game, Placed, due_choices, position_text
from shutbox.match import Match, turn_game
from shutbox.match.scoreboard import scoreboard_of_totals
from shutbox.match.standing import Turn
from shutbox.solving.advice.ranking import Advice, advice
from shutbox.solving.equity.last_round import LastRound, outlooks_are_stored
from shutbox.solving.equity.last_round_limits import aim_of_turns, seconds_of_last_round
from shutbox.solving.equity.match_value import first_round_for_win, solver_for_win
from shutbox.solving.fold import check_has_values
from shutbox.solving.objectives import MEAN, NO_AIM, WIN_SECONDS, Aim, aim_named
from shutbox.solving.progress import Progress, no_progress, progress_meant
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import MOST_SECONDS, Solutions, solve_from
from shutbox.table.lookup import find_position


def seconds_to_solve_for_win(game: Game[Any, Any]) -> float:
    """Estimate the seconds to solve the last round of a match for the win.

    `inf` where there is nothing to solve: for a format that `LastRound` does not solve, a single
    game, and a lone player, who always wins. Raises TooLarge for a game that has no estimate.
    """
    if isinstance(game, Match) and len(game.players) > 1:
        return seconds_of_last_round(game)
    return inf


def advice_is_stored(game: Game[Any, Any], *, seconds: float = WIN_SECONDS) -> bool:
    """Whether the file that an `Adviser` with these `seconds` reads exists; it is not opened."""
    if not isinstance(game, Match) or seconds_to_solve_for_win(game) > seconds:
        return False  # it is not solved, so it has no file
    return outlooks_are_stored(game)


class Adviser:
    """An adviser on the positions of one game or match, which caches its solutions.

    >>> from shutbox.table.lookup import find_any
    >>> match = find_any("six[seats=2]")
    >>> adviser = Adviser(match)
    >>> found = adviser.advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    >>> found.aim, [choice.text for choice in found.ranked]
    ('win', ['3', '1 2'])

    A single game is played for the score, and a match as the head of this file says. With one throw
    each, an unsolved match is played for the score of the player's row: the aim is called "row".

    - `seconds`: the estimated time that solving for the win may take; what is in a file takes none.
    - `every_round`: whether a match may be solved before its last round, by `Equity`.
    - `whole`: whether a turn is solved from its start if the limits allow, not only the rest of it.

    Methods take positions of the game, not texts. They raise TooLarge if it cannot be solved, and
    NothingDue if no choice is due.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        *,
        seconds: float = WIN_SECONDS,
        every_round: bool = True,
        whole: bool = True,
        progress: Progress = no_progress,
    ) -> None:
        self.game = game
        self._seconds = seconds
        self._every_round = every_round
        self._whole = whole
        self._progress = progress
        self._solutions = Solutions(progress=progress)
        self._solvers: dict[bool, LastRound | None] = {}  # of the last round, and of those before
        # The start of the turn that was solved last, and its solution.
        self._known_turn: tuple[object, Solution[Any, Any]] | None = None

    def advise(self, position: Any) -> Advice:
        """Return the ranked choices of a position."""
        solution, in_turn = self.turn_solution(position)
        text = position_text(self.game, position)
        standing = scoreboard_of_totals(self.game, position)
        of_turn = advice(solution, in_turn)
        in_rows = isinstance(self.game, Match) and self.game.rules.rows
        aim = "row" if in_rows and of_turn.aim == MEAN.name else of_turn.aim  # it has own sentences
        return replace(of_turn, position=text, standing=standing, aim=aim)

    def best(self, position: Any) -> Any:
        """Return the best choice of a position; of equally good ones the first."""
        solution, in_turn = self.turn_solution(position)
        return solution.options(in_turn).choice

    def turn_solution(self, position: Any) -> tuple[Solution[Any, Any], Any]:
        """Return the solution of the turn under way, and the position within that turn.

        Raises NothingDue if no turn of the match is under way.
        """
        match = self.game
        if not isinstance(match, Match):
            return self._solve_turn(position, MEAN), position
        standing = match.settled(position).position
        if not isinstance(standing.doing, Turn):
            # Translators: a position of a match, such as between two rounds.
            raise NothingDue("no turn lies at {position}", position=match.position_id(position))
        in_turn = standing.doing.at
        if (solver := self._solver_for_win(match, standing.round)) is None:
            return self._solve_turn(in_turn, aim_of_turns(match.format)), in_turn
        # A turn is solved once for all of its positions.
        start = replace(standing, doing=replace(standing.doing, at=match.game.start()))
        known = self._known_turn
        if known is None or known[0] != start or not known[1].holds(in_turn):
            # The first turn of a round needs all outlooks, so they are worth a file.
            solver.load(make=not standing.finished)
            known = self._known_turn = start, solver.turn(standing)
        return known[1], in_turn

    def _solve_turn(self, in_turn: Any, aim: Aim) -> Solution[Any, Any]:
        return self._solutions.at(turn_game(self.game), in_turn, aim, whole=self._whole)

    def _solver_for_win(self, match: Match[Any, Any], round: int) -> LastRound | None:
        """Return the cached solver of a round of the match; None if the aim there is no win."""
        is_last = round >= match.format.most_rounds
        if is_last not in self._solvers:
            first = first_round_for_win(match, self._seconds, every_round=self._every_round)
            self._solvers[is_last] = None
            with suppress(TooLarge):  # of a match that might never come nearer to its end
                if first is not None and first <= round:
                    solver = solver_for_win(match, round, self._seconds, self._progress)
                    self._solvers[is_last] = solver
        return self._solvers[is_last]


def advise(
    place: Game[Any, Any] | Placed | str,
    position: Any = None,
    aim: Aim | str | None = None,
    *,
    anyway: bool = False,
    progress: Progress | None = None,
) -> Advice:
    """Rank the choices of a position, and say why the best one is best.

    >>> import shutbox
    >>> shutbox.advise("classic:1-9/3+5").best.text
    '8'
    >>> shutbox.advise("classic", "1.3.4.9/1+3", "shut")
    Advice(classic:1.3.4.9/1+3, shut, 4: 0.0581; 1 3: 0.0278)

    `place` and `position` are as in `shutbox.at`. In a match all play to win, so `aim` is only
    for a single turn; a turn of one too large to solve is played for its score.

    Raises NothingDue if no choice is due, or only one about chips; NotUnderstood for an unknown
    aim, or any in a match; TooLarge for a game without scores or beyond the limits (which `anyway`
    ignores); and what `shutbox.at` raises.
    """
    game, position = find_position(place, position)
    due_choices(game, position)  # raises NothingDue
    if isinstance(game, Match):
        if aim is not None:
            raise NotUnderstood(NO_AIM)
        seconds = inf if anyway else MOST_SECONDS
        return Adviser(game, seconds=seconds, progress=progress_meant(progress)).advise(position)
    check_has_values(game)
    aim = MEAN if aim is None else aim_named(aim, game)
    solution = solve_from(game, position, aim, progress_meant(progress), anyway=anyway)
    return advice(solution, position)
