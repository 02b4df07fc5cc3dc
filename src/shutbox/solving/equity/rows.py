"""A match of two with one throw each, solved in one round: tables of all pairs of their rows.

The tables of `row_kernel` have the shares where a throw is next; all others follow from the rules.
"""

import json
from array import array
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from shutbox.engine.game import Choose, Throw
from shutbox.games.traits import Cost, traits_of
from shutbox.match import Match, WhenShut
from shutbox.match.format import Stuck, TurnLength
from shutbox.match.standing import Ended, Standing, Turn
from shutbox.solving import compiled
from shutbox.solving.cache import read_or_make
from shutbox.solving.equity.last_round import never_comes
from shutbox.solving.equity.last_round_limits import unsolved_format
from shutbox.solving.objectives import Aim
from shutbox.solving.options import Number, apart
from shutbox.solving.progress import Progress
from shutbox.solving.solution import Solution

VERSION = 2  # of the files; raised whenever the values can change
PER_ROW, PER_PAIR = 4e-4, 4e-7  # seconds
PLAIN = 200  # the slowdown without numba
NEAR = 1e-11  # choices whose shares differ by no more are ties


def cost_of_rows(match: Match[Any, Any]) -> Cost:
    """Estimate the cost of the tables of a match. Raises TooLarge for one that has none."""
    most = traits_of(match.game).most_positions
    if most is None or match.format.stake or len(match.players) != 2 or not match.rules.one_round:
        raise unsolved_format(match)
    pair = PER_PAIR * (1 if compiled.installed() else PLAIN)
    return Cost(most**2, most * PER_ROW + most**2 * pair, 24 * most**2)


def file_of_rows(match: Match[Any, Any]) -> tuple[str, str]:
    """Return what `read_or_make` needs for the tables of a match."""
    game, format = match.game, match.format
    how = [atom.value for atom in (format.turns, format.stuck, format.shut)]
    key = json.dumps(["rows", VERSION, game.name, how, game.card().options])
    return f"rows-{game.name.partition('(')[0]}", key


@lru_cache(maxsize=4)
def pairs_of(match: Match[Any, Any], progress: Progress) -> "Pairs":
    """Return the tables of a match; cached."""
    return Pairs(match, progress)


class Pairs:
    """The tables of a match, from their file or computed, and then kept."""

    def __init__(self, match: Match[Any, Any], progress: Progress) -> None:
        assert match.rules.rows is not None  # `cost_of_rows` refuses other matches
        self.match, self.rows, self._progress = match, match.rules.rows, progress
        keeps = traits_of(match.game).lasting
        texts, values = read_or_make(*file_of_rows(match), self.solve) if keeps else self.solve()
        self._numbers = {match.game.position_at(text): number for number, text in enumerate(texts)}
        self._alone, *self._waits = _tables(values, len(texts))

    def solve(self) -> tuple[list[str], "array[float]"]:
        """Return the texts of the rows by number, and the tables, as `row_kernel` describes."""
        kernel, format = compiled.row_kernel(), self.match.format
        numbers, arrays = self._number_rows()
        size = len(numbers)
        values = array("d", bytes(24 * size * size))
        tables = _tables(values, size)
        if kernel.jit.COMPILED:
            np = compiled.import_columns().np
            arrays = [*map(np.asarray, arrays)]
            tables = np.frombuffer(values).reshape(3, size, size)
        rows = kernel.RowArrays(*arrays)
        rules = kernel.RoundRules(
            common=format.turns is TurnLength.COMMON,
            passes=format.stuck is Stuck.PASSES,
            wins=format.shut is WhenShut.WINS,
            doubles=format.shut is WhenShut.DOUBLES,
        )
        for row in range(size):
            kernel.fill(row, rules, rows, *tables)
            self._progress((row + 1) ** 2, size * size)
        return [self.match.game.position_id(row) for row in numbers], values

    def _number_rows(self) -> tuple[dict[Any, int], list[Any]]:
        """Return all rows with their numbers, and the arrays of `row_kernel.RowArrays`."""
        game, numbers = self.match.game, dict[Any, int]()
        sign = -1 if self.match.rules.scoring.low_is_good else 1
        first, rolls, cover = (array("q", [0]) for _ in range(3))
        after, points, chance, shut = array("q"), array("q"), array("d"), array("b")

        def number_of(row: Any) -> int:
            """Return the number of a row, given to it now after all rows that it leads to."""
            if row in numbers:
                return numbers[row]
            awaited = game.awaits(row)
            dice = awaited.choices if isinstance(awaited, Choose) else ()
            throws = [game.chosen(row, choice) for choice in dice] or [row]
            options = [list(rolls_of(thrown)) for thrown in throws]
            for option in filter(None, options):
                for share, covers in option:
                    chance.append(share)
                    after.extend(covers)
                    cover.append(len(after))
                rolls.append(len(chance))
            first.append(len(rolls) - 1)
            points.append(sign * self.rows.score(row))
            shut.append(not any(options))
            return numbers.setdefault(row, len(numbers))

        def rolls_of(thrown: Any) -> Iterator[tuple[float, list[int]]]:
            """Yield the chance of each roll, and the numbers of the rows after its covers."""
            if not isinstance(throw := game.awaits(thrown), Throw):
                return  # the row is shut
            for roll, weight in throw.dice.outcomes():
                covering = game.awaits(rolled := game.rolled(thrown, roll))
                choices = covering.choices if isinstance(covering, Choose) else ()
                rows = (self.rows.rested(game.chosen(rolled, choice)) for choice in choices)
                yield weight / throw.dice.total_weight, [*map(number_of, rows)]

        number_of(game.start())
        return numbers, [first, rolls, chance, cover, after, points, shut]

    def share(self, position: Standing[Any]) -> float:
        """Return the share of the win of seat 0. Raises NotUnderstood for what cannot occur."""
        standing = self.match.settled(position).position
        match standing.doing:
            case Turn(seat=seat, at=at) if self.rows.rested(at) == at:
                return abs(seat - self._share_of_thrower(standing, seat, at))
            case Turn(seat=seat):
                return self._share_in_turn(standing, seat)
            case Ended(winners=winners):
                return (0 in winners) / len(winners)
        return 0.5  # a contest of both for a tie

    def _share_in_turn(self, standing: Standing[Any], seat: int) -> float:
        """Return the share of seat 0 once a seat has chosen its dice, or has thrown them."""
        awaited = self.match.awaits(standing)
        if isinstance(awaited, Choose):
            after = [self.share(self.match.chosen(standing, c)) for c in awaited.choices]
            return min(after) if seat else max(after)
        assert isinstance(awaited, Throw)  # the match is not over
        outcomes = awaited.dice.outcomes()
        weighed = (weight * self.share(self.match.rolled(standing, r)) for r, weight in outcomes)
        return sum(weighed) / awaited.dice.total_weight

    def _share_of_thrower(self, standing: Standing[Any], seat: int, at: Any) -> float:
        """Return the share of a seat that is about to throw for its row."""
        other, row = standing.tallies[1 - seat], standing.rows[1 - seat]
        mine, theirs = self._numbers.get(at), self._numbers.get(row)
        score = self.rows.score(row)
        if mine is None or theirs is None or other.score not in (None, score, 2 * score):
            raise never_comes(self.match, standing)
        if other.score is not None:
            return float(self._alone[theirs][mine])
        return 1 - float(self._waits[other.passed][mine][theirs])


def _tables(values: Any, size: int) -> list[Any]:
    """Return the tables `alone`, `waits` and `passed` of `row_kernel` in a buffer of all three."""
    numbers = memoryview(values).cast("B").cast("d")
    rows = [numbers[first : first + size] for first in range(0, 3 * size * size, size)]
    return [rows[:size], rows[size : 2 * size], rows[2 * size :]]


class RowTurn(Solution[Any, Any]):
    """A throw and its cover, with the share of the win of the player whose turn it is."""

    tells_chances = False

    def __init__(self, pairs: Pairs, standing: Standing[Any]) -> None:
        assert isinstance(standing.doing, Turn)  # the caller has checked that a turn is under way
        self._pairs, self._turn, self._standing = pairs, standing.doing, standing
        aim = Aim("win", lambda over: 0, lambda scoring, seat: True)
        super().__init__(pairs.match.game, aim, standing, standing.doing.at)

    def _value(self, position: Any) -> float:
        turn = replace(self._turn, at=position)
        return abs(turn.seat - self._pairs.share(replace(self._standing, doing=turn)))

    def _holds(self, position: Any) -> bool:
        rested = self._pairs.rows.rested
        return bool(rested(position) == rested(self._turn.at))

    def place(self, position: Any) -> None:
        """Return None: all values follow from the tables."""

    def shut(self, position: Any = None, place: int = 0) -> Any:
        """Return None: nobody knows how often the row is shut, nor what else a place has."""

    ends = value_at = shut_at = turn_ends_at = ending_chance = shut  # type: ignore[assignment]
    size = property(lambda self: 1)

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value is within NEAR of the best."""
        return apart(value, best) <= NEAR
