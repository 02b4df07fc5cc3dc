"""Who knows what is best at any position of a game or a match while it is played.

In the last round of a match of rounds, and so in a match of one round, everybody plays for his
share of the win. Before that, and where a target or a limit decides, so does everybody who can be
told in time what all rounds to come are worth. Otherwise a turn is played for the expected score,
or until somebody shuts the box for that.
"""

from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from math import inf
from typing import Any

from shutbox.analysis.advice.ranking import Advice, advice
from shutbox.analysis.advice.scoreboard import scoreboard
from shutbox.analysis.equity import last_round
from shutbox.analysis.equity.last_round import Answers, rounds_of_totals, seconds_of_answers
from shutbox.analysis.solvers.select import Solutions, is_stored
from shutbox.errors import TooLarge
from shutbox.game import Game, position_text
from shutbox.match import Format, Match
from shutbox.match.atoms import Until
from shutbox.match.standing import Turn
from shutbox.messages import gettext
from shutbox.solver.graph import Progress, unheard
from shutbox.solver.objectives import MEAN, SHUT, Aim
from shutbox.solver.solution import Solution

HINT_SECONDS = 3.0  # a hint in a match is for the win if it is estimated to take no longer


def seconds_to_win(game: Game[Any, Any]) -> float:
    """The estimated seconds of working out what wins a match; infinite where nobody does that.

    Who plays alone wins in any case, and goes for the score.
    """
    return seconds_of_answers(game) if isinstance(game, Match) and game.players[1:] else inf


def is_kept(game: Game[Any, Any], *, seconds: float = HINT_SECONDS) -> bool:
    """Whether what advice needs was worked out before, and is in a book."""
    if not isinstance(game, Match):
        return is_stored(game)
    if seconds_to_win(game) <= seconds:
        return last_round.is_kept(game)
    return is_stored(game.game, _aim_of_turns(game.format))


def _aim_of_turns(format: Format) -> Aim:
    """What a turn is played for where nobody knows what the rounds to come are worth."""
    # Where some rounds end the match as well, the totals count most.
    totals = format.rounds is not None and rounds_of_totals(format)
    return SHUT if format.until is Until.SHUT and not totals else MEAN


class Adviser:
    """Advice at the positions of one game or match.

    >>> from shutbox.lookup import find_any
    >>> match = find_any("six[seats=2]")
    >>> adviser = Adviser(match)
    >>> found = adviser.advise(match.position_at("1;0;0;0=9,0;t1;1-6/3"))
    >>> found.aim, [choice.text for choice in found.ranked]
    ('win', ['3', '1 2'])

    `seconds` bounds what working out a match may take; `every_round` says whether a match may be
    worked out before its last round, where what is in a book takes no time; `whole` whether a game
    alone is solved from its start, and not only what is left of it. Raises TooLarge where a
    game cannot be solved, and ValueError where no choice is due.
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
        """What is played in a turn."""
        self._aim = aim
        self._progress = progress
        self._seconds = seconds
        self._every_round = every_round
        self._turn: tuple[object, Solution[Any, Any]] | None = None
        self._solved = partial(Solutions(progress=progress).at, self.inner, whole=whole)

    def advise(self, position: Any) -> Advice:
        """The choices of a position, ranked."""
        solution, here = self.solution(position)
        text, standing = position_text(self.game, position), scoreboard(self.game, position)
        return replace(advice(solution, here), position=text, standing=standing)

    def best(self, position: Any) -> Any:
        """The best choice of a position."""
        solution, here = self.solution(position)
        return solution.best(here)

    def solution(self, position: Any) -> tuple[Solution[Any, Any], Any]:
        """The turn that lies there, solved, and where it stands."""
        if not isinstance(self.game, Match):
            return self._solved(position, self._aim), position
        here = self.game.settled(position).position
        if not isinstance(here.doing, Turn):
            id = self.game.position_id(position)
            raise ValueError(gettext("no turn lies at {position}", position=id))
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
                answers.keep()  # it has whatever the first turn can lead to: a book is whole
        return self._turn[1], at

    @cached_property
    def _answers(self) -> Answers | None:
        """The match solved in its last round; None where it is not, or not in time."""
        if seconds_to_win(self.game) > self._seconds:
            return None
        assert isinstance(self.game, Match)  # nothing else is won
        return Answers(self.game, progress=self._progress, book=True)

    @cached_property
    def _equity(self) -> Answers | None:
        """The match solved in every round; None where it is not, or not in time."""
        if not (self._every_round and isinstance(self.game, Match)):
            return None
        # Imported here: a game alone, and a match of one round, need none of it.
        from shutbox.analysis.equity.cost import check_whole, cost_of_whole
        from shutbox.analysis.equity.match_value import Equity, are_kept

        with suppress(TooLarge):
            seconds = cost_of_whole(self.game).seconds
            if seconds > self._seconds:
                check_whole(self.game)  # beyond the limits no book is looked for
            if seconds <= self._seconds or are_kept(self.game):
                return Equity(self.game, anyway=True, progress=self._progress)
        return None
