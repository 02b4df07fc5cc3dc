"""Ways to value the positions of a record under review: in points, or by shares of the win."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from operator import add
from typing import Any

from shutbox.engine.game import Choose, Over
from shutbox.engine.lru import LruCache
from shutbox.engine.play import Play
from shutbox.match import Match
from shutbox.match.scoreboard import sheet
from shutbox.match.standing import About, Contest, Ended, Opening, Turn
from shutbox.solving.equity.last_round import LastRound, Place
from shutbox.solving.graph import Ending
from shutbox.solving.graph_solution import GraphSolution
from shutbox.solving.options import NumberTuple, Options
from shutbox.solving.review.report import Unit
from shutbox.solving.solution import Solution
from shutbox.solving.solvers import cost_of

MOST_TURNS = 64  # solved turns of a match in the cache, if they take little memory
TURNS_MEMORY = 256 << 20  # bytes for this cache


class TurnValuation:
    """A way to value the positions of a single turn: by the expected score."""

    unit = Unit.POINTS

    def __init__(self, solution: Solution[Any, Any]) -> None:
        self.options = solution.options
        self._value = solution.value

    def value_before(self, position: Any) -> NumberTuple:
        """Return the expected score of the turn at a position, as a vector for its only seat."""
        return (self._value(position),)

    value_after = final_value = value_before


class ScoreValuation:
    """A way to value a match, turn by turn: scores so far plus the expected score of this turn."""

    unit = Unit.POINTS

    def __init__(
        self, play: Play[Any, Any], turn: Solution[Any, Any], first_other: int | None = None
    ) -> None:
        """Value a match by its solved `turn`; the aim is not the score from `first_other` on."""
        assert isinstance(play.game, Match)  # the caller values other games by the turn alone
        self._match, self._turn, self._first_other = play.game, turn, first_other
        # If rounds won count, the totals of a position do not have the scores of earlier rounds.
        self._rounds = sheet(play.game, play.steps) if play.game.format.counts_wins else ()

    def value_before(self, position: Place) -> NumberTuple:
        """Return each seat's score so far, with the expected score of a turn under way or due.

        The numbers are exact, or floats from a fast solver. With one throw each, all who are still
        in have such a turn.
        """
        return self.value_after(self._match.settled(position).position)

    def value_after(self, position: Place) -> NumberTuple:
        """Return each seat's score so far, with the expected score of a turn that is under way.

        With one throw each, all who are still in have such a turn, until the round is over.
        """
        round_number, rules, is_round_over = position.round, self._match.rules, False
        if rules.rows and isinstance(position.doing, Turn):  # a stuck player can stay in
            settled = self._match.settled(position)
            position, is_round_over = settled.position, settled.result is not None
        doing = position.doing
        # Once the match is decided or in a throw-off, the totals include the last round.
        is_contest = isinstance(doing, Contest) and doing.about is About.MATCH
        added = is_round_over or is_contest or isinstance(doing, Ended)
        values: list[Any] = [
            Fraction(rules.total_before_round(tally) + (0 if added else tally.score or 0))
            for tally in position.tallies
        ]
        for result in self._rounds:
            if result.round < round_number + added:
                scores = [tally.score or 0 for tally in result.tallies]
                values = [*map(add, values, scores)]
        if isinstance(doing, Turn) and not is_round_over:
            places = {seat: position.rows[seat] for seat in position.waiting if rules.rows}
            for seat, at in {**places, doing.seat: doing.at}.items():
                values[seat] += self._turn.value(at)
        return tuple(values)

    def final_value(self, position: Place) -> NumberTuple:
        """Return each seat's score so far, with the expected score of a turn that has begun."""
        standing = self._match.settled(position).position
        start = {self._match.game.start()}
        if isinstance(standing.doing, Turn) and {standing.doing.at, *standing.rows} == start:
            standing = replace(standing, doing=Opening())
        return self.value_after(standing)

    def options(self, position: Place) -> Options[Any] | None:
        """Return the choices of a turn with their expected scores.

        None outside a turn, and where the aim is not the score: such choices have no grade.
        """
        standing = self._match.settled(position).position
        doing, first = standing.doing, self._first_other
        if not isinstance(doing, Turn) or (first is not None and standing.round >= first):
            return None
        return self._turn.options(doing.at)


class ShareValuation:
    """A way to value a solved match: by shares of the win. It caches turns in `memory` bytes."""

    unit = Unit.SHARE

    def __init__(
        self, match: Match[Any, Any], solver: LastRound, memory: int = TURNS_MEMORY
    ) -> None:
        self._match, self._solver = match, solver
        each = max(1, cost_of(match.game, match.game.start()).memory)
        most = max(1, min(MOST_TURNS, min(TURNS_MEMORY, memory) // each))
        self._turns = LruCache[Place, _SharedTurn](most)

    def value_before(self, position: Place) -> NumberTuple:
        """Return each seat's share of the win at a position of the match."""
        standing = self._match.settled(position).position
        whole_turns, doing = self._match.rules.rows is None, standing.doing
        if whole_turns and isinstance(doing, Turn) and doing.at != self._match.game.start():
            return self._turn(standing).shares_at(doing.at)
        return self._solver.outlook(standing).shares

    value_after = final_value = value_before

    def options(self, position: Place) -> Options[Any] | None:
        """Return the choices with the share that the choosing seat has after each."""
        standing = self._match.settled(position).position
        if isinstance(standing.doing, Turn):
            return self.solution_at(position).options(standing.doing.at)
        awaited = self._match.awaits(position)
        assert isinstance(awaited, Choose)  # the caller has checked that a choice is due
        after = (self._match.chosen(position, choice) for choice in awaited.choices)
        values = tuple(self.value_after(place)[awaited.seat] for place in after)
        return Options(awaited.choices, values, max(values))

    def solution_at(self, position: Place) -> Solution[Any, Any]:
        """Return the turn under way, solved for the player who is due; there must be one."""
        standing = self._match.settled(position).position
        by_row = self._match.rules.rows is not None
        return self._solver.turn(standing) if by_row else self._turn(standing).solution

    def _turn(self, standing: Place) -> "_SharedTurn":
        """Return the turn under way, solved from its beginning. The most recent ones are cached."""
        assert isinstance(standing.doing, Turn)  # the caller has checked that a turn is under way
        start = replace(standing, doing=replace(standing.doing, at=self._match.game.start()))
        if (known := self._turns.find(start)) is None:
            solution, after = self._solver.turn(start), dict[Ending, NumberTuple]()
            for score, shut in solution.graph.ends.values():
                standing_after = self._match.rules.after_turn(start, Over((score,), shut)).position
                after[score, shut] = self._solver.outlook(standing_after).shares
            known = self._turns.put(start, _SharedTurn(solution, standing.doing.seat, after))
        return known


@dataclass
class _SharedTurn:
    """A turn of a match, solved for the seat that plays it, with its values for all seats."""

    solution: GraphSolution[Any, Any]
    _seat: int
    _after: Mapping[Ending, NumberTuple]  # the shares of all seats after each end of the turn

    def shares_at(self, at: Any) -> NumberTuple:
        """Return each seat's share of the win at a position of the turn."""
        if len(next(iter(self._after.values()))) == 2:
            mine = self.solution.value(at)
            return (mine, 1 - mine) if self._seat == 0 else (1 - mine, mine)
        position = self.solution.after_best_choices(at)
        awaited = self.solution.game.awaits(position)
        if isinstance(awaited, Over):
            return self._after[awaited.scores[0], awaited.shut]
        place = self.solution.place(position)
        assert place is not None  # a throw is due, and the graph has all such positions
        return tuple(Fraction(values[place], unit) for values, unit in self._columns)

    @cached_property
    def _columns(self) -> list[tuple[list[int], int]]:
        """A pair for each seat: its share at each node of the graph, times a scale; the scale."""
        ends, policy = self.solution.graph.ends, self.solution.policy_graph
        by_seat = zip(*(self._after[end] for end in ends.values()), strict=True)
        payoffs = (dict(zip(ends, map(Fraction, shares), strict=True)) for shares in by_seat)
        return [policy.values_and_divisor(payoff, more=True) for payoff in payoffs]


Valuation = TurnValuation | ScoreValuation | ShareValuation
