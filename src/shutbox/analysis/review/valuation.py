"""What the positions of a record are worth to each seat, in the unit that fits its game.

A turn alone is worth its expected score. A match is worth everybody's share of the win where that
is solved in time; where it is not, each turn is worth its expected score, one after the other.

An event is worth what it leads to (`after`) less what it began with (`before`). Between two events
more can happen: where turns are reviewed one after the other, a new turn brings its expected score
with it, and a missed one the score that the rules give for it. That belongs to no event.
"""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from shutbox.analysis.equity.cost import cost_of_whole, in_one_round
from shutbox.analysis.equity.last_round import Answers, Place, check_answers, seconds_of_answers
from shutbox.analysis.equity.match_value import are_kept, needs_whole
from shutbox.analysis.review.grades import Unit
from shutbox.analysis.solvers.select import MOST_MEMORY, cost_of, in_words, size_words
from shutbox.errors import TooLarge
from shutbox.game import Choose, Over
from shutbox.games.traits import Cost
from shutbox.lru import LruCache
from shutbox.match import Match
from shutbox.match.standing import About, Contest, Ended, Opening, Turn
from shutbox.solver.graph import Ending
from shutbox.solver.solution import GraphSolution, Options, Solution, Vector

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

    def options(self, position: Any) -> Options[Any] | None:
        """What the choices of a position are worth; None where nobody knows."""


class TurnValuation:
    """A turn alone: the expected score."""

    unit = Unit.POINTS

    def __init__(self, solution: Solution[Any, Any]) -> None:
        self.options = solution.options
        self._value = solution.value

    def before(self, position: Any) -> Vector:
        """The expected score."""
        return (self._value(position),)

    after = final = before


class ScoreValuation:
    """A match, turn by turn: the scores so far, and the expected score of the turn that lies there.

    Contests and questions about chips are worth nothing.
    """

    unit = Unit.POINTS

    def __init__(self, match: "Match[Any, Any]", turn: Solution[Any, Any]) -> None:
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

    def options(self, position: Place) -> Options[Any] | None:
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
        self._turns = LruCache[Place, _SharedTurn](most)

    def before(self, position: Place) -> Vector:
        """Each seat's share."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn) and here.doing.at != self._match.game.start():
            return self._turn(here).vector(here.doing.at)
        return self._answers.outlook(here).shares

    after = final = before

    def options(self, position: Place) -> Options[Any] | None:
        """The share of the seat that chooses, after each choice."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn):
            return self._turn(here).solution.options(here.doing.at)
        awaited = self._match.awaits(position)
        assert isinstance(awaited, Choose)  # the caller has seen that a choice is due
        after = (self._match.chosen(position, choice) for choice in awaited.choices)
        values = tuple(self.after(place)[awaited.seat] for place in after)
        return Options(awaited.choices, values, max(values))

    def _turn(self, here: Place) -> "_SharedTurn":
        """The turn that lies there, solved from its beginning; the last ones are kept."""
        assert isinstance(here.doing, Turn)  # the caller has seen that a turn lies there
        begun = replace(here, doing=replace(here.doing, at=self._match.game.start()))
        if (known := self._turns.find(begun)) is None:
            solution, ended = self._answers.turn(begun), self._match.rules.ended
            after = {
                end: self._answers.outlook(ended(begun, Over((end[0],), end[1])).position).shares
                for end in solution.graph.ends.values()
            }
            known = self._turns.keep(begun, _SharedTurn(solution, here.doing.seat, after))
        return known


class _SharedTurn:
    """A turn of a match solved for its own seat, and what it is worth to every seat.

    `after` has what every seat may hope for after each end of the turn.
    """

    def __init__(
        self, solution: GraphSolution[Any, Any], seat: int, after: Mapping[Ending, Vector]
    ) -> None:
        self.solution = solution
        self._seat = seat
        self._after = after
        self._seats = range(len(next(iter(after.values()))))

    def vector(self, at: Any) -> Vector:
        """Each seat's share at a position."""
        if len(self._seats) == 2:
            mine = self.solution.value(at)
            return (mine, 1 - mine) if self._seat == 0 else (1 - mine, mine)
        here = self.solution.played(at)
        awaited = self.solution.game.awaits(here)
        if isinstance(awaited, Over):
            return self._after[awaited.scores[0], awaited.shut]
        place = self.solution.place(here)
        assert place is not None  # dice are due, and the graph has all those positions
        return tuple(Fraction(values[place], unit) for values, unit in self._columns)

    @cached_property
    def _columns(self) -> list[tuple[list[int], int]]:
        """For each seat the values of all places, and what they are multiplied by."""
        ends, followed = self.solution.graph.ends, self.solution.followed
        worths = (
            {node: Fraction(self._after[end][seat]) for node, end in ends.items()}
            for seat in self._seats
        )
        return [followed.valued(worth, more=True) for worth in worths]


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
    two, in_rounds = len(match.players) == 2, needs_whole(match, match.start())
    if in_rounds:
        cost = cost_of_whole(match)
    elif match.format.most_rounds == 1:
        check_answers(match, anyway=True)
        cost = Cost(0, seconds_of_answers(match), 0)
    else:
        raise TooLarge(
            "{name}: a match for chips is solved for the share of the win only if it is one round",
            name=match.name,
        )
    if anyway:
        return
    # The standings of three and more are many, and one game is hardly worth the wait.
    if in_rounds and not two and not in_one_round(match):
        quick = cost.seconds <= min(ROUNDS_SECONDS, most)
        if not (quick or (cost.seconds <= most and are_kept(match))):
            raise TooLarge(
                "to solve all rounds takes about {seconds:,.0f} seconds; shutbox review --anyway "
                "does it",
                costly=True,
                seconds=cost.seconds,
            )
    # Of two, what one gains the other loses; of more, each has a pass of his own.
    passes = 1 if two else 1 + len(match.players)
    each = SOLVED_TURN * cost_of(match.game, match.game.start()).seconds
    cost = replace(cost, seconds=cost.seconds + turns * (ENDS_OF_TURN + passes * each))
    if cost.seconds > most or cost.memory > memory:
        raise TooLarge(
            "{name}: to review it for the share of the win takes {cost}; at most {most} seconds "
            "and {memory} are spent",
            costly=True,
            name=match.name,
            cost=in_words(cost),
            most=round(most),
            memory=size_words(memory),
        )
