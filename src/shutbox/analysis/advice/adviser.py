"""Who knows what is best at any position of a game or a match while it is played.

In the last round of a match of rounds, and so in a match of one round, everybody plays for his
share of the win. Before that nobody has solved what the rounds to come are worth: there a turn is
played for the expected score, or until somebody shuts the box for that.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from shutbox.analysis.advice.ranking import Advice, advice
from shutbox.analysis.equity.last_round import Answers, rounds_of_totals, seconds_of_answers
from shutbox.analysis.solvers.select import solve
from shutbox.errors import TooLarge
from shutbox.game import Game, position_text
from shutbox.match import Match
from shutbox.match.atoms import Until
from shutbox.match.standing import Turn
from shutbox.messages import gettext
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import MEAN, SHUT, Aim
from shutbox.solver.solution import Solution

HINT_SECONDS = 3.0  # a hint in a match is for the win if it is estimated to take no longer


class Adviser:
    """Advice at the positions of one game or match.

    >>> from shutbox.lookup import find_any
    >>> match = find_any("six[seats=2]")
    >>> adviser = Adviser(match)
    >>> found = adviser.advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    >>> found.aim, [choice.text for choice in found.ranked]
    ('win', ['3', '1 2'])

    `seconds` bounds what working out a match may take. Raises TooLarge where a game cannot be
    solved, and ValueError where no choice is due.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        aim: Aim = MEAN,
        *,
        seconds: float = HINT_SECONDS,
        progress: Progress = unheard,
    ) -> None:
        self.game = game
        self.inner: Game[Any, Any] = game.game if isinstance(game, Match) else game
        """What is played in a turn."""
        self._aim = aim
        self._progress = progress
        self._answers: Answers | None = None
        # Who plays alone wins in any case, and goes for the score.
        if isinstance(game, Match) and game.players[1:] and seconds_of_answers(game) <= seconds:
            self._answers = Answers(game, progress=progress)
        self._turn: tuple[object, Solution[Any, Any]] | None = None
        self._alone: dict[Aim, Solution[Any, Any]] = {}

    def advise(self, position: Any) -> Advice:
        """The choices of a position, ranked."""
        solution, here = self.solution(position)
        return replace(advice(solution, here), position=position_text(self.game, position))

    def best(self, position: Any) -> Any:
        """The best choice of a position."""
        solution, here = self.solution(position)
        return solution.best(here)

    def solution(self, position: Any) -> tuple[Solution[Any, Any], Any]:
        """The turn that lies there, solved, and where it stands."""
        if not isinstance(self.game, Match):
            return self._solved(self._aim, position), position
        here = self.game.settled(position).position
        if not isinstance(here.doing, Turn):
            id = self.game.position_id(position)
            raise ValueError(gettext("no turn lies at {position}", position=id))
        at = here.doing.at
        if self._answers is None or here.round < self.game.format.most_rounds:
            format = self.game.format
            # Where some rounds end the match as well, the totals count most.
            totals = format.rounds is not None and rounds_of_totals(format)
            aim = SHUT if format.until is Until.SHUT and not totals else MEAN
            return self._solved(aim, at), at
        turn = replace(here, doing=replace(here.doing, at=self.inner.start()))
        if self._turn is None or self._turn[0] != turn or not self._turn[1].holds(at):
            self._turn = turn, self._answers.turn(here)
        return self._turn[1], at

    def _solved(self, aim: Aim, at: Any) -> Solution[Any, Any]:
        """The game solved for an aim, from its start if the position comes up from there."""
        known = self._alone.get(aim)
        if known is None or not known.holds(at):
            known = self._alone[aim] = self._solve(aim, at)
        return known

    def _solve(self, aim: Aim, at: Any) -> Solution[Any, Any]:
        # Where the whole is too large, what is left of it here may not be.
        with suppress(TooLarge):
            whole = solve(self.inner, self.inner.start(), aim, progress=self._progress)
            if whole.holds(at):
                return whole
        return solve(self.inner, at, aim, progress=self._progress)
