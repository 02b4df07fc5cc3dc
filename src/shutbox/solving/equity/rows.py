"""A match of two with one throw each, solved in one round: tables of all pairs of their rows.

The tables of `row_kernel` have the shares where a throw is next; all others follow from the rules.
"""

import json
from array import array
from dataclasses import replace
from functools import lru_cache
from typing import Any

from shutbox.engine.errors import NotUnderstood
from shutbox.engine.game import Choose, Throw
from shutbox.games.traits import Cost, traits_of
from shutbox.match import Match, WhenShut, full_title
from shutbox.match.format import EachTurn, Stuck
from shutbox.match.standing import Ended, Standing, Turn
from shutbox.solving import compiled
from shutbox.solving.cache import cached
from shutbox.solving.equity.last_round import too_many
from shutbox.solving.graph import Progress
from shutbox.solving.objectives import Aim
from shutbox.solving.options import Number, apart
from shutbox.solving.solution import Solution

VERSION = 1  # of the files; raised whenever the values can change
PER_ROW, PER_PAIR, PLAIN = 4e-4, 4e-7, 200  # seconds, and the slowdown without numba
NEAR = 1e-11  # choices whose shares differ by no more are ties


def cost_of_rows(match: "Match[Any, Any]") -> Cost:
    """Estimate the cost of the tables of a match. Raises TooLarge for one that has none."""
    most = traits_of(match.game).most_positions
    if most is None or match.format.stake or len(match.players) != 2 or not match.rules.one_round:
        raise too_many(match)
    pair = PER_PAIR * (1 if compiled.installed() else PLAIN)
    return Cost(most**2, most * PER_ROW + most**2 * pair, 24 * most**2)


def name_and_key(match: "Match[Any, Any]") -> tuple[str, str]:
    """Return what `cached` needs for the tables of a match."""
    game, format = match.game, match.format
    how = [atom.value for atom in (format.turns, format.stuck, format.shut)]
    key = json.dumps(["rows", VERSION, game.name, how, game.card().options])
    return f"rows-{game.name.partition('(')[0]}", key


@lru_cache(maxsize=4)
def pairs_of(match: "Match[Any, Any]", progress: Progress) -> "Pairs":
    """Return the tables of a match; cached."""
    return Pairs(match, progress)


class Pairs:
    """The tables of a match, from their file or computed, and then kept."""

    def __init__(self, match: "Match[Any, Any]", progress: Progress) -> None:
        assert match.rules.rows is not None  # `cost_of_rows` refuses other matches
        self.match, self.rows, self._progress = match, match.rules.rows, progress
        keeps = traits_of(match.game).lasting
        made = cached(*name_and_key(match), self._made) if keeps else self._made()
        self._numbers = {match.game.position_at(id): place for place, id in enumerate(made[0])}
        self._values = memoryview(made[1]).cast("B").cast("d")

    def _made(self) -> tuple[list[str], "array[float]"]:
        """Return the texts of the rows by number, and the tables, as `row_kernel` describes."""
        game, format, numbers = self.match.game, self.match.format, dict[Any, int]()
        sign = -1 if self.match.rules.scoring.low_is_good else 1
        first, roll, cover, after = (array("q", [0]) for _ in range(4))
        chance, points, shut = array("d"), array("q"), array("b")
        after.pop()

        def number(row: Any) -> int:
            if row in numbers:
                return numbers[row]
            awaited = game.awaits(row)
            dice = awaited.choices if isinstance(awaited, Choose) else ()
            throws = [game.chosen(row, choice) for choice in dice]
            throws += [row] * isinstance(awaited, Throw)
            options = [list(falls(at)) for at in throws]  # lower rows get their numbers
            for option in options:
                for share, covers in option:
                    chance.append(share)
                    after.extend(covers)
                    cover.append(len(after))
                roll.append(len(chance))
            first.append(len(roll) - 1)
            points.append(sign * self.rows.score(row))
            shut.append(not throws)
            return numbers.setdefault(row, len(numbers))

        def falls(at: Any) -> Any:
            dice: Any = game.awaits(at).dice  # type: ignore[union-attr]
            for fell, weight in dice.outcomes():
                covering = game.awaits(there := game.rolled(at, fell))
                choices = covering.choices if isinstance(covering, Choose) else ()
                covers = [number(self.rows.rested(game.chosen(there, one))) for one in choices]
                yield weight / dice.total_weight, covers

        size = number(game.start()) + 1
        values = array("d", bytes(24 * size * size))
        arrays: Any = (first, roll, cover, after, chance, shut, points, values)
        kernel = compiled.row_kernel()
        if kernel.jit.COMPILED:
            arrays = [compiled.columns().np.frombuffer(one, one.typecode) for one in arrays]
        flags = (
            format.turns is EachTurn.COMMON,
            format.stuck is Stuck.PASSES,
            format.shut is WhenShut.WINS,
            format.shut is WhenShut.DOUBLES,
        )
        for row in range(size):
            kernel.fill(row, *flags, tuple(arrays[:-1]), arrays[-1])
            self._progress((row + 1) ** 2, size * size)
        return [game.position_id(row) for row in numbers], values

    def share(self, position: Standing[Any]) -> float:
        """Return the share of the win of seat 0. Raises NotUnderstood for what cannot occur."""
        here = self.match.settled(position).position
        match here.doing:
            case Turn(seat=seat, at=at) if self.rows.rested(at) == at:
                return abs(seat - self._table(here, seat, at))
            case Turn(seat=seat):
                match self.match.awaits(here):
                    case Choose(choices=choices):
                        after = [self.share(self.match.chosen(here, one)) for one in choices]
                        return min(after) if seat else max(after)
                    case Throw(dice=dice):  # of as many dice as were chosen
                        fell = dice.outcomes()
                        after = [w * self.share(self.match.rolled(here, r)) for r, w in fell]
                        return sum(after) / dice.total_weight
            case Ended(winners=winners):
                return (0 in winners) / len(winners)
        return 0.5  # a contest of both for a tie

    def _table(self, here: Standing[Any], seat: int, at: Any) -> float:
        """Return the share of a seat that is about to throw for its row."""
        other, size = here.tallies[1 - seat], len(self._numbers)
        mine, theirs = (self._numbers.get(row) for row in (at, here.rows[1 - seat]))
        score = self.rows.score(here.rows[1 - seat])
        if mine is None or theirs is None or other.score not in (None, score, 2 * score):
            raise NotUnderstood(
                "{position}: no match of {match} comes to this",
                position=self.match.position_id(here),
                match=full_title(self.match),
            )
        table = 0 if other.score is not None else 1 + other.passed
        return self._values[(table * size + mine) * size + theirs]


class RowTurn(Solution[Any, Any]):
    """A throw and its cover, with the share of the win of the player whose turn it is."""

    tells_chances = False

    def __init__(self, pairs: Pairs, here: Standing[Any]) -> None:
        assert isinstance(here.doing, Turn)  # the caller has checked that a turn is under way
        self._pairs, self._turn, self._here = pairs, here.doing, here
        aim = Aim("win", lambda over: 0, lambda scoring, seat: True)
        super().__init__(pairs.match.game, aim, here, here.doing.at)

    def _value(self, here: Any) -> float:
        turn = replace(self._turn, at=here)
        return abs(turn.seat - self._pairs.share(replace(self._here, doing=turn)))

    def _holds(self, position: Any) -> bool:
        rested = self._pairs.rows.rested
        return bool(rested(position) == rested(self._turn.at))

    def place(self, position: Any) -> None:
        """Return None: all values follow from the tables."""

    def shut(self, position: Any = None, place: int = 0) -> Any:
        """Return None: nobody knows how often the row is shut, nor what else a place has."""

    ends = value_at = shut_at = chances_at = ends_at = shut  # type: ignore[assignment]
    size = property(lambda self: 1)

    def as_good(self, value: Number, best: Number) -> bool:
        """Whether a value is within NEAR of the best."""
        return apart(value, best) <= NEAR
