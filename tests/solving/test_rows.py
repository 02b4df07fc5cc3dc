"""One throw each: compared with a brute force that knows nothing of the engine."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from typing import Any

import pytest

import shutbox
from shutbox.engine.cups import SeededCup
from shutbox.engine.errors import NotUnderstood, TooLarge
from shutbox.engine.game import Choose, Over, Throw, due
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.match import Match
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.coach import Coach
from shutbox.solving.equity.match_value import Equity
from shutbox.solving.fold import Fold
from shutbox.table.bots import bot, simpler_play
from shutbox.table.lookup import find_any

Row = frozenset[int]
Shares = tuple[Fraction, ...]
RULES = (
    "turns=throw",
    "turns=throw,stuck=passes",
    "turns=common",
    "turns=throw,shut=doubles",
)


def mixed(parts: list[tuple[Fraction, Shares]]) -> Shares:
    weighed = [[chance * share for share in shares] for chance, shares in parts]
    return tuple(sum(column, start=Fraction(0)) for column in zip(*weighed, strict=True))


class BruteForce:
    """The shares of the win in one round on a box of tiles 1 to `most`, with all playing to win.

    Of equally good covers the one with the fewest tiles is made, and of these the one with the
    highest tile, as with three players that changes what the others get.
    """

    def __init__(self, most: int, dice: int, sides: int, seats: int, rules: str) -> None:
        self.seats, self.shut = seats, "scores"
        self.turns, self.stuck = "throw", "out"
        for part in rules.split(","):
            key, _, value = part.partition("=")
            setattr(self, key, value)
        self.begin: Row = frozenset(range(1, most + 1))
        falls = list(product(range(1, sides + 1), repeat=dice))
        totals = sorted(map(sum, falls))
        self.totals = [(t, Fraction(totals.count(t), len(falls))) for t in dict.fromkeys(totals)]

    def covers(self, row: Row, total: int) -> list[Row]:
        found = [
            (len(down), [-tile for tile in sorted(down, reverse=True)], row - {*down})
            for number in range(1, len(row) + 1)
            for down in combinations(row, number)
            if sum(down) == total
        ]
        return [rest for _, _, rest in sorted(found, key=lambda one: one[:2])]

    def shares(self) -> Shares:
        return self.due(0, (self.begin,) * self.seats, (True,) * self.seats, 0)

    def result(self, rows: tuple[Row, ...], winner: int | None = None) -> Shares:
        left = [sum(row) for row in rows]
        best = [s for s in range(self.seats) if left[s] == min(left)]
        best = best if winner is None else [winner]
        return tuple(Fraction(seat in best, len(best)) for seat in range(self.seats))

    @cache  # noqa: B019 (it lives as long as its test)
    def due(self, seat: int, rows: tuple[Row, ...], still: tuple[bool, ...], passed: int) -> Shares:
        """The shares when the next of those `still` in, from `seat` on, throws."""
        if not any(still) or passed == sum(still):
            return self.result(rows)
        while not still[seat]:
            seat = (seat + 1) % self.seats
        own_first = any(still[s] and rows[s] == self.begin for s in range(self.seats))
        covering = [seat]
        if self.turns == "common" and not own_first:
            round_the_table = [(seat + step) % self.seats for step in range(self.seats)]
            covering = [s for s in round_the_table if still[s]]
        parts = [
            (chance, self.covered(tuple(covering), seat, total, rows, still, passed))
            for total, chance in self.totals
        ]
        return mixed(parts)

    def covered(
        self,
        covering: tuple[int, ...],
        thrower: int,
        total: int,
        rows: tuple[Row, ...],
        still: tuple[bool, ...],
        passed: int,
    ) -> Shares:
        """The shares when these seats have yet to cover a total, one after another."""
        if not covering:
            return self.due((thrower + 1) % self.seats, rows, still, passed)
        seat, *later = covering
        outside = tuple(s != seat and one for s, one in enumerate(still))
        found = []
        for rest in self.covers(rows[seat], total):
            after = (*rows[:seat], rest, *rows[seat + 1 :])
            if not rest and self.shut == "wins":
                found.append(self.result(after, seat))
                continue
            staying = still if rest else outside
            found.append(self.covered(tuple(later), thrower, total, after, staying, 0))
        if found:
            return max(found, key=lambda shares: shares[seat])
        if self.stuck == "passes":
            return self.covered(tuple(later), thrower, total, rows, still, passed + 1)
        return self.covered(tuple(later), thrower, total, rows, outside, passed)


def by_protocol(match: Match[Any, Any]) -> Fold[Any, Any, Shares]:
    """The shares at every position by the protocol of the match."""
    seats = range(len(match.players))

    def choose(position: Any, choose: Choose[Any], after: Any) -> Shares:
        found: Shares = max(map(after, choose.choices), key=lambda shares: shares[choose.seat])
        return found

    def throw(position: Any, throw: Any, after: Any) -> Shares:
        total = throw.dice.total_weight
        parts = [(Fraction(weight, total), after(roll)) for roll, weight in throw.dice.outcomes()]
        return mixed(parts)

    def over(position: Any, over: Over) -> Shares:
        return tuple(Fraction(s in over.winners, len(over.winners)) for s in seats)

    return Fold(
        match,
        over=over,
        choose=choose,
        throw=throw,
        canonical=lambda position: match.settled(position).position,
    )


def matches() -> Iterator[tuple[int, int, int, int, str]]:
    """Tiles, dice, sides, seats and rules."""
    ways = [f"{rules},shut={shut}" for rules in RULES[:3] for shut in ("scores", "wins")]
    for rules in [*ways, RULES[3], "turns=common,shut=doubles"]:
        yield 5, 1, 3, 2, rules
        yield 4, 2, 3, 2, rules
        yield 6, 1, 4, 2, rules
        yield 5, 1, 3, 3, rules
        yield 3, 1, 4, 3, rules


@pytest.mark.parametrize(("most", "dice", "sides", "seats", "rules"), list(matches()))
def test_it_is_worth_what_the_brute_force_says(
    most: int, dice: int, sides: int, seats: int, rules: str
) -> None:
    told = BruteForce(most, dice, sides, seats, rules).shares()
    match = find_any(f"two-dice(tiles=1-{most},dice={dice}d{sides})[seats={seats},{rules}]")
    assert isinstance(match, Match)
    fold = by_protocol(match)
    start = match.settled(match.start()).position
    assert fold(start) == told
    if seats == 2:
        equity = Equity(match)
        for number, (here, shares) in enumerate(fold.results.items()):
            if number % 7 == 0 or here == start:
                assert equity.share(here) == pytest.approx(float(shares[0]), abs=1e-12), here


SMALL = "two-dice(tiles=1-5,dice=1d3)"


def match_of(rest: str) -> Match[Any, Any]:
    match = find_any(f"{SMALL}[{rest}]")
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("rules", ["turns=throw", "turns=throw,stuck=passes", "turns=common"])
def test_hints_and_the_perfect_player_of_two_go_for_the_win(rules: str) -> None:
    match = match_of(f"seats=2,{rules},shut=wins")
    equity, perfect = Equity(match), bot("perfect")
    for here in with_a_choice(match):
        awaited = due(match, here)
        choices = awaited.choices
        after = [equity.share(match.chosen(here, one), awaited.seat) for one in choices]
        best = choices[after.index(max(after))]
        found = Adviser(match).advise(here)
        assert (found.aim, found.best.text) == ("win", match.choice_text(best))
        assert float(found.best.value) == pytest.approx(max(after))
        assert found.best.shut is None
        assert equity.best(here).choice == perfect.pick(match, here, choices) == best


def with_a_choice(match: Match[Any, Any]) -> list[Any]:
    """All positions with two choices or more."""
    fold = by_protocol(match)
    fold(match.settled(match.start()).position)
    return [
        here
        for here in fold.results
        if isinstance(choose := match.awaits(here), Choose) and len(choose.choices) > 1
    ]


@pytest.mark.parametrize("rest", ["seats=3,turns=throw", "seats=2,turns=common,rounds=2"])
def test_other_hints_are_by_the_own_row_and_say_so(rest: str) -> None:
    match = match_of(rest)
    here = match.rolled(match.start(), shutbox.Roll((3,)))
    coach = Coach(match)
    lead, first, *_ = coach.hint(here, "ranked")
    assert lead == "For the best expected score in this row alone, the best choice first."
    alone = shutbox.solve(SMALL).best("1-5/3")
    assert f"expected score {float(alone.value):.1f}" in first
    assert shutbox.advise(match, here).aim == "row"
    assert match.choice_text(bot("perfect").pick(match, here, due(match, here).choices)) == "3"
    [says] = simpler_play({0: bot("perfect")}, match, match.players)
    assert "plays only for a good score" in says


@pytest.mark.parametrize("stuck", ["passes", "out"])
def test_a_hint_by_the_own_row_says_how_often_no_tile_fits(stuck: str) -> None:
    match = match_of(f"seats=3,turns=throw,stuck={stuck}")
    here = match.position_at("1;0;0;0[1.3],0[1-5],0[1-5];t0;1.3/3")  # after 3, only 1 is up
    [says] = Coach(match).hint(here, "ranked")
    assert "; no tile fits the next throw 66.7 % of the time." in says


@pytest.mark.parametrize(
    "rest",
    [
        *("seats=3,turns=throw", "seats=2,turns=common,rounds=2", "seats=1,turns=throw"),
        *("seats=2,turns=throw,stake=2", "seats=2,shut=doubles,rounds=2"),
        "seats=2,turns=throw,limit=9",
    ],
)
def test_what_is_not_worked_out_is_refused(rest: str) -> None:
    match = match_of(rest)
    for ask in (shutbox.equity, shutbox.odds):
        with pytest.raises(TooLarge, match="one throw each if two play one round without chips"):
            ask(match)


def test_a_score_to_beat_is_about_whole_turns() -> None:
    with pytest.raises(NotUnderstood, match="whole turns"):
        shutbox.advise(SMALL, "1-5/3", to_beat=4, format="turns=throw")
    with pytest.raises(NotUnderstood, match="no match of"):
        shutbox.equity(match_of("seats=2,turns=throw")).share("1;0;0;0[1-5],0=3[1];t0;1-5")


def test_who_begins_wins_as_often_as_the_equity_says() -> None:
    [found] = shutbox.fair(SMALL, 2, "turns=throw")
    shares = Equity(match_of("seats=2,turns=throw")).shares
    assert tuple(map(float, found.shares)) == shares
    assert found.payouts == ()


def test_a_review_by_the_own_row_leaves_a_player_who_passes_in() -> None:
    match = find_any("two-dice(tiles=1-3,dice=1d3)[seats=3,turns=throw,stuck=passes,shut=wins]")
    play = Play(match, start=match.position_at("1;0;0;0[1.2],0[3],0[1.3];t1;3"))
    for said in ("1", "1", "1", "3", "1 2"):  # seat 1 passes, 2 covers, 0 shuts the row and wins
        rolls = isinstance(play.awaits, Throw)
        roll = Rolled(shutbox.Roll((int(said[0]),)))
        play.happen(roll if rolls else Chosen(match.parse_choice(play.position, said)))
    found = shutbox.review(play)
    assert found.events[0].delta == (0, 0, 0)
    assert [seat.start for seat in found.seats] == [Fraction(2, 3), 2, Fraction(20, 9)]
    assert found.events[-1].delta == (0, 1, 1)  # the others' rows stay as they are
    assert [seat.result for seat in found.seats] == [0, 3, 3]


@pytest.mark.parametrize("rules", ["turns=throw", "turns=throw,stuck=passes", "turns=common"])
@pytest.mark.parametrize("seats", [2, 3])
def test_a_review_adds_up(rules: str, seats: int) -> None:
    play = Play(match_of(f"seats={seats},{rules}"))
    cup, first = SeededCup("rows"), bot("first")
    while not isinstance(awaited := play.awaits, Over):
        if isinstance(awaited, Throw):
            play.happen(Rolled(cup.throw(awaited.dice)))
        else:
            play.happen(Chosen(first.pick(play.game, play.position, awaited.choices)))
    found = shutbox.review(play)
    for seat in found.seats:
        sign = 1 if seats == 2 else -1
        lucky = sum(one.delta[found.seats.index(seat)] for one in found.events)
        assert float(seat.start + lucky) == pytest.approx(float(seat.result))
        assert sign * seat.cost * sign >= 0
    assert bool(found.why_points) == (seats == 3)
