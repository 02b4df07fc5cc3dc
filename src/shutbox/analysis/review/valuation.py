"""What the positions of a record are worth to each seat, in the unit that fits its game.

A turn alone is worth its expected score. A match is worth everybody's share of the win where that
is solved in time; where it is not, each turn is worth its expected score, one after the other.

An event is worth what it leads to (`after`) less what it began with (`before`). Between two events
more can happen: where turns are reviewed one after the other, a new turn brings its expected score
with it, and a missed one the score that the rules give for it. That belongs to no event.
"""

from dataclasses import replace
from fractions import Fraction
from typing import Any, Protocol

from shutbox.analysis.equity.cost import cost_of_whole, in_one_round
from shutbox.analysis.equity.last_round import Answers, Place, check_answers, seconds_of_answers
from shutbox.analysis.equity.match_value import are_kept, needs_whole
from shutbox.analysis.review.grades import Unit
from shutbox.analysis.review.turns import SharedTurn, SolvedTurn
from shutbox.analysis.solvers.select import MOST_MEMORY, cost_of, in_words, size_words
from shutbox.errors import TooLarge
from shutbox.game import Choose, Over
from shutbox.games.traits import Cost
from shutbox.lru import LruCache
from shutbox.match import Match
from shutbox.match.standing import About, Contest, Ended, Opening, Turn
from shutbox.solver.options import Options, Vector, options_of

REVIEW_SECONDS = 60.0  # what is estimated to take longer is reviewed in a plainer way, if at all
ROUNDS_SECONDS = 3.0  # the same for several rounds of three and more that are in no book
SOLVED_TURN = 0.3  # of the seconds for a turn: to solve it once more, its graph being there
ENDS_OF_TURN = 0.01  # seconds to look up what follows from the ends of a turn
MOST_TURNS = 64  # solved turns of a match that are kept, if they take little memory
TURNS_MEMORY = 256 << 20  # bytes that all of them may take


class Valuation(Protocol):
    """What the positions of one game or match are worth."""

    unit: Unit

    def before(self, position: Any) -> Vector:
        """What a position is worth to each seat where an event is due."""

    def after(self, position: Any) -> Vector:
        """What it is worth once an event has led there."""

    def final(self, position: Any) -> Vector:
        """What it is worth where a record ends."""

    def options(self, position: Any) -> Options | None:
        """What the choices of a position are worth; None where nobody knows."""


class TurnValuation:
    """A turn alone: the expected score."""

    unit = Unit.POINTS

    def __init__(self, turn: SolvedTurn) -> None:
        self._turn = turn

    def before(self, position: Any) -> Vector:
        """The expected score."""
        return (self._turn.value(position),)

    after = final = before

    def options(self, position: Any) -> Options | None:
        """The expected score after each choice."""
        return self._turn.options(position)


class ScoreValuation:
    """A match, turn by turn: the scores so far, and the expected score of the turn that lies there.

    Contests and questions about chips are worth nothing.
    """

    unit = Unit.POINTS

    def __init__(self, match: "Match[Any, Any]", turn: SolvedTurn) -> None:
        self._match = match
        self._turn = turn

    def before(self, position: Place) -> Vector:
        """With the expected score of the turn that is due."""
        return self.after(self._match.settled(position).position)

    def after(self, position: Place) -> Vector:
        """With the score of the turn that is over, or the expected one of a turn that is not."""
        doing = position.doing
        # Once the match is won, or thrown off, the scores of the last round are in the totals.
        added = isinstance(doing, Ended) or (
            isinstance(doing, Contest) and doing.about is About.MATCH
        )
        found: list[Any] = [
            Fraction(tally.total + (0 if added else tally.score or 0)) for tally in position.tallies
        ]
        if isinstance(doing, Turn):
            found[doing.seat] += self._turn.value(doing.at)
        return tuple(found)

    def final(self, position: Place) -> Vector:
        """Without a turn that nobody has begun."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn) and here.doing.at == self._match.game.start():
            here = replace(here, doing=Opening())
        return self.after(here)

    def options(self, position: Place) -> Options | None:
        """Those of the turn that lies there."""
        doing = self._match.settled(position).position.doing
        return self._turn.options(doing.at) if isinstance(doing, Turn) else None


class ShareValuation:
    """A match that is solved: everybody's share of the win."""

    unit = Unit.SHARE

    def __init__(
        self, match: "Match[Any, Any]", answers: Answers, *, memory: int = TURNS_MEMORY
    ) -> None:
        self._match = match
        self._answers = answers
        each = max(1, cost_of(match.game, match.game.start()).memory)
        most = max(1, min(MOST_TURNS, min(TURNS_MEMORY, memory) // each))
        self._turns = LruCache[Place, SharedTurn](most)

    def before(self, position: Place) -> Vector:
        """Each seat's share."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn) and here.doing.at != self._match.game.start():
            return self._turn(here).vector(here.doing.at)
        return self._answers.outlook(here).shares

    after = final = before

    def options(self, position: Place) -> Options | None:
        """The share of the seat that chooses, after each choice."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn):
            return self._turn(here).options(here.doing.at)
        awaited = self._match.awaits(position)
        assert isinstance(awaited, Choose)  # the caller has seen that a choice is due
        after = (self._match.chosen(position, choice) for choice in awaited.choices)
        return options_of([self.after(place)[awaited.seat] for place in after])

    def _turn(self, here: Place) -> SharedTurn:
        """The turn that lies there, solved from its beginning; the last ones are kept."""
        assert isinstance(here.doing, Turn)  # the caller has seen that a turn lies there
        begun = replace(here, doing=replace(here.doing, at=self._match.game.start()))
        if (known := self._turns.find(begun)) is None:
            known = self._turns.keep(begun, self._solved(begun, here.doing.seat))
        return known

    def _solved(self, begun: Place, seat: int) -> SharedTurn:
        solution = self._answers.turn(begun)
        ended = self._match.rules.ended
        after = {
            (score, shut): self._answers.outlook(ended(begun, Over((score,), shut)).position).shares
            for score, shut in solution.graph.ends.values()
        }
        return SharedTurn(solution, seat, after)


def check_shares(
    match: "Match[Any, Any]",
    turns: int,
    *,
    most: float = REVIEW_SECONDS,
    memory: int = MOST_MEMORY,
    anyway: bool = False,
) -> None:
    """Raise TooLarge where so many turns of a match are not reviewed for the share of the win.

    The match is solved once, and then each of the turns: that is estimated before anything is
    done, and bounded by `most` seconds and bytes of `memory` unless `anyway`.
    """
    start = match.start()
    if needs_whole(match, start):
        cost = cost_of_whole(match)
        positions, seconds, takes = cost.positions, cost.seconds, cost.memory
    elif match.format.most_rounds == 1:
        check_answers(match, anyway=True)
        positions, seconds, takes = 0, seconds_of_answers(match), 0
    else:
        raise TooLarge(
            "{name}: a match for chips is solved for the share of the win only if it is one round",
            name=match.name,
        )
    if not anyway:
        _check_rounds(match, seconds, most)
    # Of two, what one gains the other loses; of more, each has a pass of his own.
    passes = 1 if len(match.players) == 2 else 1 + len(match.players)
    turn = cost_of(match.game, match.game.start())
    seconds += turns * (ENDS_OF_TURN + passes * SOLVED_TURN * turn.seconds)
    if not anyway and (seconds > most or takes > memory):
        raise TooLarge(
            "{name}: to review it for the share of the win takes {cost}; at most {most} seconds "
            "and {memory} are spent",
            costly=True,
            name=match.name,
            cost=in_words(Cost(positions, seconds, takes)),
            most=round(most),
            memory=size_words(memory),
        )


def _check_rounds(match: "Match[Any, Any]", seconds: float, most: float) -> None:
    """Raise TooLarge where several rounds of three and more take long, and are in no book.

    Their standings are many, and one game is hardly worth the wait.
    """
    if len(match.players) == 2 or not needs_whole(match, match.start()) or in_one_round(match):
        return
    if seconds <= min(ROUNDS_SECONDS, most) or (seconds <= most and are_kept(match)):
        return
    raise TooLarge(
        "to solve all rounds takes about {seconds:,.0f} seconds; shutbox review --anyway does it",
        costly=True,
        seconds=seconds,
    )
