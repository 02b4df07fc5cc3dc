"""The exact solver on matches: the expected share of the win for a seat of two.

The value is seat 0's share of the win: 1, a half if both have won, or 0. Seat 0 maximises it and
seat 1 minimises it. The values are compared with an enumeration that does not use the engine, with
published values, and with some found by hand.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import shutbox
from nightly import one_in
from shutbox import Choose
from shutbox.match import Format, Match
from shutbox.solving import WIN, ExactSolver
from shutbox.solving.equity.last_round import Answers

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
        pick: Callable[[Iterable[Fraction]], Fraction] = max if seat == 0 else min

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


def subsets(up: frozenset[int]) -> Iterator[frozenset[int]]:
    tiles = sorted(up)
    for taken in product((False, True), repeat=len(tiles)):
        yield frozenset(tile for tile, is_in in zip(tiles, taken, strict=True) if is_in)


THREE, FOUR, FIVE = frozenset({1, 2, 3}), frozenset({1, 2, 3, 4}), frozenset({1, 2, 3, 4, 5})

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
        Duel(frozenset({1, 3, 6}), 2, 4, "may-top", wins=True),
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
]


@pytest.mark.parametrize(
    ("game", "format", "duel"), one_in(4, DUELS), ids=lambda part: str(part)[:60]
)
def test_the_value_of_a_match_is_that_of_the_enumeration(
    game: str, format: str, duel: Duel
) -> None:
    solved = solver(game, format)
    assert solved.value() == duel.value()
    # The other one throws first.
    other = solved.game.position_at("1;1;0;0,0;open")
    assert solved.value(other) == duel.value(first=1) == 1 - duel.value()


# Published values

PUBLISHED: dict[str, dict[str, Any]] = {
    entry["match"]: entry
    for entry in json.loads(
        (Path(__file__).parents[1] / "data" / "published.json").read_text(encoding="utf-8"),
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


def test_facing_a_score() -> None:
    assert agrees(facing("continental", 8), PUBLISHED[FACING_8]["value"])
    assert facing("two-dice", 45) == Fraction(PUBLISHED[FACING_45]["value"]) == 1


def test_the_first_player_of_a_continental_match() -> None:
    # The exact solver agrees, and takes half a minute for its half a million positions.
    match = Match(shutbox.find("continental"), Format.parse("shut=wins"), PLAYERS)
    value = Answers(match).outlook().shares[0]
    assert agrees(value, PUBLISHED[CONTINENTAL]["first_player"]), float(value)


def test_every_published_match_is_solved() -> None:
    assert list(PUBLISHED) == [CONTINENTAL, FACING_8, FACING_45]


# Found by hand


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
