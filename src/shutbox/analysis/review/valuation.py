"""The values of the positions of a record for each seat, in the unit that fits its game.

The value of a single turn is its expected score. The value of a match is each seat's share of the
win if it can be solved in time. Otherwise the match is valued turn by turn, by expected scores. A
book is a file with the values of a solved match.

The effect of an event is the value after it (`after`) minus the value before it (`before`). Values
can also change between two events: if a match is valued turn by turn, a new turn adds its expected
score, and a missed turn the score that the rules assign. No event accounts for these changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

from shutbox.analysis.equity.cost import cost_of_whole, in_one_round
from shutbox.analysis.equity.last_round import Answers, Place, check_answers, seconds_of_answers
from shutbox.analysis.equity.match_value import are_stored, needs_whole
from shutbox.analysis.review.grades import Unit
from shutbox.analysis.solvers.select import MOST_MEMORY, cost_of, in_words, size_words
from shutbox.errors import TooLarge
from shutbox.game import Choose, Over
from shutbox.games.traits import Cost
from shutbox.lru import LruCache
from shutbox.match import Match
from shutbox.match.standing import About, Contest, Ended, Opening, Turn
from shutbox.solver.graph import Ending
from shutbox.solver.options import Options, Vector
from shutbox.solver.solution import GraphSolution, Solution

REVIEW_SECONDS = 60.0  # a match that is estimated to take longer is reviewed turn by turn
ROUNDS_SECONDS = 3.0  # this limit for 3 or more players in several rounds without a book
SOLVED_TURN = 0.3  # of the seconds for a turn: the share for solving it again on an existing graph
ENDS_OF_TURN = 0.01  # seconds to look up the successors of a turn
MOST_TURNS = 64  # solved turns of a match in the cache, if they take little memory
TURNS_MEMORY = 256 << 20  # bytes for this cache


class Valuation(Protocol):
    """The values of the positions of one game or match, a vector with a number for each seat."""

    unit: Unit

    def before(self, position: Any) -> Vector:
        """Return the value of a position for each seat, before the event that is due."""

    def after(self, position: Any) -> Vector:
        """Return the value of a position for each seat, just after an event led to it."""

    def final(self, position: Any) -> Vector:
        """Return the value for each seat of the position at which a record ends."""

    def options(self, position: Any) -> Options[Any] | None:
        """Return the choices of a position with their values; None if they are not known."""


class TurnValuation:
    """The valuation of a single turn: the expected score."""

    unit = Unit.POINTS

    def __init__(self, solution: Solution[Any, Any]) -> None:
        self.options = solution.options
        self._value = solution.value

    def before(self, position: Any) -> Vector:
        """Return the expected score of the turn at a position, as a vector for its only seat."""
        return (self._value(position),)

    after = final = before


class ScoreValuation:
    """The valuation of a match turn by turn: scores so far plus the expected score of this turn.

    Contests and questions about chips do not change the value.
    """

    unit = Unit.POINTS

    def __init__(self, match: "Match[Any, Any]", turn: Solution[Any, Any]) -> None:
        self._match = match
        self._turn = turn

    def before(self, position: Place) -> Vector:
        """Return the scores so far, with the expected score of a turn that is under way or due."""
        return self.after(self._match.settled(position).position)

    def after(self, position: Place) -> Vector:
        """Return the scores so far, with the expected score of a turn that is under way."""
        doing = position.doing
        # Once the match is decided or in a throw-off, the totals include the last round.
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
        """Return the scores so far, without the expected score of a turn that has not begun."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn) and here.doing.at == self._match.game.start():
            here = replace(here, doing=Opening())
        return self.after(here)

    def options(self, position: Place) -> Options[Any] | None:
        """Return the choices of a turn with their expected scores; None outside a turn."""
        doing = self._match.settled(position).position.doing
        return self._turn.options(doing.at) if isinstance(doing, Turn) else None


class ShareValuation:
    """The valuation of a solved match: each seat's share of the win."""

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
        """Return each seat's share of the win at a position of the match."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn) and here.doing.at != self._match.game.start():
            return self._turn(here).vector(here.doing.at)
        return self._answers.outlook(here).shares

    after = final = before

    def options(self, position: Place) -> Options[Any] | None:
        """Return the choices with the share that the choosing seat has after each."""
        here = self._match.settled(position).position
        if isinstance(here.doing, Turn):
            return self._turn(here).solution.options(here.doing.at)
        awaited = self._match.awaits(position)
        assert isinstance(awaited, Choose)  # the caller has checked that a choice is due
        after = (self._match.chosen(position, choice) for choice in awaited.choices)
        values = tuple(self.after(place)[awaited.seat] for place in after)
        return Options(awaited.choices, values, max(values))

    def _turn(self, here: Place) -> "_SharedTurn":
        """Return the turn under way, solved from its beginning. The most recent ones are cached."""
        assert isinstance(here.doing, Turn)  # the caller has checked that a turn is under way
        begun = replace(here, doing=replace(here.doing, at=self._match.game.start()))
        if (known := self._turns.find(begun)) is None:
            solution, ended = self._answers.turn(begun), self._match.rules.ended
            after = {
                end: self._answers.outlook(ended(begun, Over((end[0],), end[1])).position).shares
                for end in solution.graph.ends.values()
            }
            known = self._turns.put(begun, _SharedTurn(solution, here.doing.seat, after))
        return known


@dataclass
class _SharedTurn:
    """A turn of a match, solved for the seat that plays it, with its values for all seats."""

    solution: GraphSolution[Any, Any]
    _seat: int
    _after: Mapping[Ending, Vector]  # the shares of all seats after each end of the turn

    def vector(self, at: Any) -> Vector:
        """Return each seat's share of the win at a position of the turn."""
        if len(next(iter(self._after.values()))) == 2:
            mine = self.solution.value(at)
            return (mine, 1 - mine) if self._seat == 0 else (1 - mine, mine)
        here = self.solution.played(at)
        awaited = self.solution.game.awaits(here)
        if isinstance(awaited, Over):
            return self._after[awaited.scores[0], awaited.shut]
        place = self.solution.place(here)
        assert place is not None  # a throw is due, and the graph has all such positions
        return tuple(Fraction(values[place], unit) for values, unit in self._columns)

    @cached_property
    def _columns(self) -> list[tuple[list[int], int]]:
        """A pair for each seat: its share at each node of the graph, times a scale; the scale."""
        ends, policy = self.solution.graph.ends, self.solution.policy_graph
        by_seat = zip(*(self._after[end] for end in ends.values()), strict=True)
        payoffs = (dict(zip(ends, map(Fraction, shares), strict=True)) for shares in by_seat)
        return [policy.valued(payoff, more=True) for payoff in payoffs]


def check_shares(
    match: "Match[Any, Any]",
    turns: int,
    *,
    most: float = REVIEW_SECONDS,
    memory: int = MOST_MEMORY,
    anyway: bool = False,
) -> None:
    """Raise TooLarge if `turns` turns of a match cannot be reviewed for the share of the win.

    The review solves the match once, and then each of the turns. Only the cost is estimated here;
    the limits are `most` seconds and `memory` bytes unless `anyway`. With three or more players in
    several rounds, ROUNDS_SECONDS is the limit for the match if there is no book of it.
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
    # With three or more players the standings are many: too long a wait for one review.
    if in_rounds and not two and not in_one_round(match):
        quick = cost.seconds <= min(ROUNDS_SECONDS, most)
        if not (quick or (cost.seconds <= most and are_stored(match))):
            raise TooLarge(
                "to solve all rounds takes about {seconds:,.0f} seconds; shutbox review --anyway "
                "does it",
                costly=True,
                seconds=cost.seconds,
            )
    # With two players one gains what the other loses; with more, each seat needs its own pass.
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
