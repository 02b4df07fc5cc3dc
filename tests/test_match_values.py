"""The exact solver on matches: the expected share of the win for a seat of two.

The value is seat 0's share of the win: 1, a half if both have won, or 0. Seat 0 maximises it and
seat 1 minimises it. The values are compared with an enumeration that does not use the engine, with
published values, and with some found by hand.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import shutbox
from coin import Coin
from nightly import one_in
from shutbox import Choose
from shutbox.analysis.equity.last_round import Answers
from shutbox.match import Format, Match
from shutbox.solver import WIN, ExactSolver

PLAYERS = ("Ann", "Bob")


@cache
def solver(game: str, format: str) -> ExactSolver[Any, Any]:
    return ExactSolver(Match(shutbox.find(game), Format.parse(format), PLAYERS), WIN)


# The enumeration


@dataclass(frozen=True)
class Duel:
    """A match of two, in nothing but numbers: tiles up are a set, and every cover is tried."""

    tiles: frozenset[int]
    dice: int
    sides: int
    fewer: str = "never"
    high: bool = False
    """Whether the tiles covered are the score, and high is good; else it is those up."""
    rounds: int = 1
    wins: bool = False
    """Whether a shut box wins its round at once."""
    order: str = "seats"
    until_shut: bool = False
    target: int | None = None
    limit: int | None = None
    stop: bool = False

    @cache  # noqa: B019
    def value(self, round: int = 1, first: int = 0, totals: tuple[int, int] = (0, 0)) -> Fraction:
        """What seat 0 may hope for before a round."""
        return self.turn(round, first, totals, None, self.tiles)

    @cache  # noqa: B019
    def turn(
        self,
        round: int,
        first: int,
        totals: tuple[int, int],
        scored: tuple[int, bool] | None,
        up: frozenset[int],
    ) -> Fraction:
        """The same before a throw. `scored`: the other's score, and whether it is a shut box."""
        seat = first if scored is None else 1 - first
        pick = highest if seat == 0 else lowest

        def done(left: frozenset[int]) -> Fraction:
            score = sum(self.tiles - left) if self.high else sum(left)
            return self.turn_over(round, first, totals, scored, (score, not left))

        def covered(total: int) -> Fraction:
            rest = [up - cover for cover in subsets(up) if cover and sum(cover) == total]
            if not rest:
                return done(up)
            after = (self.turn(round, first, totals, scored, left) for left in rest if left)
            return pick([*after, *(done(left) for left in rest if not left)])

        def thrown(dice: int) -> Fraction:
            ways = Counter(map(sum, product(range(1, self.sides + 1), repeat=dice)))
            return (
                sum((many * covered(total) for total, many in ways.items()), Fraction(0))
                / ways.total()
            )

        return pick(map(thrown, self.numbers(up)))

    def numbers(self, up: frozenset[int]) -> range:
        """How many dice may be thrown."""
        if self.fewer == "must-sum" and sum(up) <= 6:
            return range(1, 2)
        needed = -(-max(up) // self.sides)
        return range(needed if self.fewer == "may-top" else self.dice, self.dice + 1)

    def turn_over(
        self,
        round: int,
        first: int,
        totals: tuple[int, int],
        other: tuple[int, bool] | None,
        mine: tuple[int, bool],
    ) -> Fraction:
        seat = first if other is None else 1 - first
        total = totals[seat] + mine[0]
        worst = 0 if self.high else sum(self.tiles)
        shut = {seat} if mine[1] else set()
        shut |= {first} if other is not None and other[1] else set()
        if mine[1] and self.wins:
            others = worst if other is None else other[0]
            return self.round_over(round, first, totals, seat, (mine[0], others), seat, shut)
        if self.stop and self.target is not None and total >= self.target:
            others = 0 if other is None else other[0]
            return self.round_over(round, first, totals, seat, (mine[0], others), seat, shut)
        if self.stop and self.limit is not None and total >= self.limit:
            return Fraction(seat == 1)
        if other is None:
            return self.turn(round, first, totals, mine, self.tiles)
        better = (mine[0] > other[0]) == self.high and mine[0] != other[0]
        won = seat if better else first  # of those tied the first
        return self.round_over(round, first, totals, seat, (mine[0], other[0]), won, shut)

    def round_over(
        self,
        round: int,
        first: int,
        totals: tuple[int, int],
        seat: int,
        scores: tuple[int, int],
        won: int,
        shut: set[int],
    ) -> Fraction:
        """`scores`: of `seat`, and of the other."""
        mine, others = totals[seat] + scores[0], totals[1 - seat] + scores[1]
        a, b = (mine, others) if seat == 0 else (others, mine)
        if self.until_shut and shut:
            return Fraction(0 in shut, len(shut))
        out = self.limit is not None and max(a, b) >= self.limit
        there = self.target is not None and max(a, b) >= self.target
        if round == self.rounds or out or there:
            return Fraction(1, 2) if a == b else Fraction((a > b) == self.high)
        starts = {"seats": first, "rotate": 1 - first, "winner": won}[self.order]
        return self.value(round + 1, starts, (a, b))


def highest(values: Iterable[Fraction]) -> Fraction:
    return max(values)


def lowest(values: Iterable[Fraction]) -> Fraction:
    return min(values)


def subsets(up: frozenset[int]) -> Iterator[frozenset[int]]:
    tiles = sorted(up)
    for taken in product((False, True), repeat=len(tiles)):
        yield frozenset(tile for tile, is_in in zip(tiles, taken, strict=True) if is_in)


def tiles(*numbers: int) -> frozenset[int]:
    return frozenset(numbers)


THREE, FOUR, FIVE = tiles(1, 2, 3), tiles(1, 2, 3, 4), tiles(1, 2, 3, 4, 5)

DUELS = [
    ("two-dice(tiles=1-3,dice=1d4)", "rounds=1", Duel(THREE, 1, 4)),
    ("two-dice(tiles=1-3,dice=1d4)", "shut=wins", Duel(THREE, 1, 4, wins=True)),
    ("two-dice(tiles=1-5,dice=2d3)", "rounds=1", Duel(FIVE, 2, 3)),
    ("two-dice(tiles=1-5)", "shut=wins", Duel(FIVE, 2, 6, wins=True)),
    ("continental(tiles=1-5)", "rounds=1", Duel(FIVE, 2, 6, "must-sum")),
    ("continental(tiles=1-5)", "shut=wins", Duel(FIVE, 2, 6, "must-sum", wins=True)),
    ("classic(tiles=1-5,dice=2d4)", "rounds=1", Duel(FIVE, 2, 4, "may-top")),
    (
        "classic(tiles=1.3.6,dice=2d4)",
        "shut=wins",
        Duel(tiles(1, 3, 6), 2, 4, "may-top", wins=True),
    ),
    ("covered(tiles=1-4,dice=2d3,fewer=never)", "rounds=1", Duel(FOUR, 2, 3, high=True)),
    (
        "covered(tiles=1-4,dice=2d3)",
        "shut=wins",
        Duel(FOUR, 2, 3, "may-top", high=True, wins=True),
    ),
    *(
        (
            "two-dice(tiles=1-3,dice=1d4)",
            f"rounds=2,shut={shut},order={order}",
            Duel(THREE, 1, 4, rounds=2, wins=shut == "wins", order=order),
        )
        for shut in ("scores", "wins")
        for order in ("seats", "rotate", "winner")
    ),
    *(
        (
            "two-dice(tiles=1-3,dice=1d4)",
            f"rounds=2,limit=5,end={end},order=rotate",
            Duel(THREE, 1, 4, rounds=2, limit=5, stop=end == "stop", order="rotate"),
        )
        for end in ("stop", "complete")
    ),
    *(
        (
            "covered(tiles=1-3,dice=1d4,fewer=never)",
            f"rounds=2,target=5,end={end},order=winner",
            Duel(THREE, 1, 4, high=True, rounds=2, target=5, stop=end == "stop", order="winner"),
        )
        for end in ("stop", "complete")
    ),
    *(
        (
            "two-dice(tiles=1-3,dice=1d3)",
            f"rounds=2,until=shut,shut={shut}",
            Duel(THREE, 1, 3, rounds=2, until_shut=True, wins=shut == "wins"),
        )
        for shut in ("scores", "wins")
    ),
    *(
        (
            "two-dice(tiles=1-3,dice=1d4)",
            f"rounds=2,shut={shut},order={order},begins=2",
            Duel(THREE, 1, 4, rounds=2, wins=shut == "wins", order=order),
        )
        for shut in ("scores", "wins")
        for order in ("seats", "rotate", "winner")
    ),
]


@pytest.mark.parametrize(
    ("game", "format", "duel"), one_in(4, DUELS), ids=lambda part: str(part)[:60]
)
def test_the_value_of_a_match_is_that_of_the_enumeration(
    game: str, format: str, duel: Duel
) -> None:
    solved = solver(game, format)
    first = 1 if "begins=2" in format else 0
    assert solved.value() == duel.value(first=first)
    # The other one throws first.
    other = solved.game.position_at(f"1;{1 - first};0;0,0;open")
    assert solved.value(other) == duel.value(first=1 - first) == 1 - duel.value(first=first)


@pytest.mark.parametrize("score", range(11))
def test_facing_a_score_agrees_with_the_enumeration(score: int) -> None:
    duel = Duel(FOUR, 1, 6, "must-sum")
    solved = solver("continental(tiles=1-4,dice=1d6)", "rounds=1")
    position = solved.game.position_at(f"1;0;0;0={score},0;t1;1-4")
    assert solved.value(position) == duel.turn(1, 0, (0, 0), (score, False), FOUR)


# Published values

PUBLISHED: dict[str, dict[str, Any]] = {
    entry["match"]: entry
    for entry in json.loads(
        (Path(__file__).parent / "data" / "published.json").read_text(encoding="utf-8"),
        parse_float=Decimal,
    )["values"]
    if "match" in entry
}

CONTINENTAL = "two players, continental, tie = half, first player shutting wins at once"
FACING_8 = "second player of that match facing a score of 8"
FACING_45 = "second player, two-dice, facing a score of 45"


def agrees(value: Fraction, published: Decimal) -> bool:
    """Whether the value is the decimal, to its last digit."""
    exponent = published.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(value - Fraction(published)) < Fraction(10) ** exponent


def facing(game: str, score: int) -> Fraction:
    """What seat 1 may hope for once seat 0 has scored."""
    solved = solver(game, "shut=wins")
    position = solved.game.position_at(f"1;0;0;0={score},0;t1;1-9")
    return 1 - solved.value(position)


def test_facing_a_score_of_8() -> None:
    assert agrees(facing("continental", 8), PUBLISHED[FACING_8]["value"])


def test_facing_a_score_of_45() -> None:
    assert facing("two-dice", 45) == Fraction(PUBLISHED[FACING_45]["value"]) == 1


def test_the_first_player_of_a_continental_match() -> None:
    # The exact solver agrees, and takes half a minute for its half a million positions.
    match = Match(shutbox.find("continental"), Format.parse("shut=wins"), PLAYERS)
    value = Answers(match).outlook().shares[0]
    assert agrees(value, PUBLISHED[CONTINENTAL]["first_player"]), float(value)


def test_every_published_match_is_solved() -> None:
    assert list(PUBLISHED) == [CONTINENTAL, FACING_8, FACING_45]


# Found by hand


def test_lucky_seven_by_hand() -> None:
    # Each shuts it one time in six. Who begins wins with 1/6 at once; if both miss they share.
    miss = Fraction(5, 6)
    wins = Fraction(1, 6) + miss * (miss * Fraction(1, 2))
    assert solver("lucky-seven", "shut=wins").value() == wins
    # If the second one may answer, nobody has the better of it.
    assert solver("lucky-seven", "shut=scores").value() == Fraction(1, 2)


def test_lucky_seven_begun_by_the_other_by_hand() -> None:
    # Whoever throws first shuts it with 1/6, and the other then with 5/6 * 1/6; else it is a tie.
    tied = Fraction(5, 6) ** 2 / 2
    assert solver("lucky-seven", "shut=wins").value() == Fraction(1, 6) + tied
    assert solver("lucky-seven", "shut=wins,begins=2").value() == Fraction(5, 36) + tied


def test_lucky_seven_until_somebody_shuts_it_by_hand() -> None:
    # 1/6 for the first throw of 36ths, 5/36 for the second: six to five. Twenty rounds are played,
    # and after them both share.
    rounds, miss = 20, Fraction(5, 6)
    first = sum(miss ** (2 * round) / 6 for round in range(rounds))
    value = solver("lucky-seven", f"until=shut,shut=wins,rounds={rounds}").value()
    assert value == first + miss ** (2 * rounds) / 2
    assert abs(value - Fraction(6, 11)) < Fraction(1, 1000)


def test_the_coin_by_hand() -> None:
    # Who begins keeps a 2, and throws a 1 again: 3/4 for a 2. The other one then needs a 2 to
    # share, with 3/4; facing a 1, a 2 to win, and shares with a 1.
    solved = ExactSolver(Match(Coin(), Format(), PLAYERS), WIN)
    facing_2 = Fraction(1, 4) + Fraction(3, 4) / 2
    facing_1 = Fraction(1, 4) / 2
    assert solved.value() == Fraction(3, 4) * facing_2 + Fraction(1, 4) * facing_1 == Fraction(1, 2)
    assert solved.value(solved.game.position_at("1;0;0;0=2*,0;t1;0.0")) == facing_2
    assert solved.value(solved.game.position_at("1;0;0;0=1,0;t1;0.0")) == facing_1
    # With a shut box that wins, the first 2 has won.
    wins = ExactSolver(Match(Coin(), Format.parse("shut=wins"), PLAYERS), WIN)
    assert wins.value() == Fraction(3, 4) + Fraction(1, 4) * facing_1


def test_a_contest_is_even_but_for_the_last_tie_by_hand() -> None:
    # Two coins: tied half of the time, and after a hundred ties more the first of them is taken.
    solved = ExactSolver(Match(Coin(), Format.parse("ties=throw-off"), PLAYERS), WIN)
    last = Fraction(1, 2) ** 101
    tied = solved.game.position_at("1;0;0;0=2*,0=2*;round;0.1;0;")
    assert solved.value(tied) == (1 - last) / 2 + last


def test_the_best_choice_facing_a_shut_box_by_hand() -> None:
    # Only a shut box is a tie. A 3 lies there: 3 leaves 1 and 2, which go down with a 3, or with
    # a 1 and a 2 in either order, 3/8 in all; 1 and 2 leave 3, which goes down with 1/4.
    solved = solver("two-dice(tiles=1-3,dice=1d4)", "rounds=1")
    match = solved.game
    position = match.position_at("1;0;0;0=0*,0;t1;1.2.3/3")
    awaited = match.awaits(position)
    assert isinstance(awaited, Choose)
    values = {
        match.choice_text(choice): solved.value(match.chosen(position, choice))
        for choice in awaited.choices
    }
    assert values == {"3": 1 - Fraction(3, 8) / 2, "1 2": 1 - Fraction(1, 4) / 2}
    assert match.choice_text(solved.best(position)) == "3"


def test_a_preliminary_throw_is_worth_both_orders_alike() -> None:
    duel = Duel(THREE, 1, 4, wins=True)
    solved = solver("two-dice(tiles=1-3,dice=1d4)", "shut=wins,begins=high-roll")
    # One time in four both are tied, and after a hundred ties more seat 0 begins.
    last = Fraction(1, 4) ** 101
    begins = (1 - last) / 2 + last
    assert solved.value() == begins * duel.value() + (1 - begins) * duel.value(first=1)
