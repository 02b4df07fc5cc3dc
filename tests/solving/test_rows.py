"""One throw each: compared with the match itself, played out in every way."""

from fractions import Fraction
from typing import Any

import pytest

import shutbox
from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Choose, Throw, due_choices
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.match import Match
from shutbox.solving.advice.adviser import Adviser
from shutbox.solving.advice.coach import Coach
from shutbox.solving.equity.match_value import Equity
from shutbox.table.bots import bot, simpler_play
from shutbox.table.lookup import find_any
from truth import Everybody

ROUNDS = [
    f"two-dice(tiles=1-{most},dice={dice})[seats={seats},{rules},shut={shut}]"
    for rules in ("turns=throw", "turns=throw,stuck=passes", "turns=common")
    for shut in ("scores", "wins", "doubles")
    for most, dice, seats in ((5, "1d3", 2), (3, "2d2", 2))
    if (shut, rules[6:]) != ("doubles", "throw,stuck=passes")
]
SMALL = "two-dice(tiles=1-5,dice=1d3)"


@pytest.mark.parametrize("name", ROUNDS)
def test_it_is_worth_what_playing_it_out_says(name: str) -> None:
    match: Any = find_any(name)
    everybody, equity = Everybody(match), Equity(match)
    everybody.hopes()
    for here, (shares, _) in [*everybody.known.items()][::7]:
        assert equity.share(here) == pytest.approx(float(shares[0]), abs=1e-12), here


def match_of(rest: str) -> Match[Any, Any]:
    match = find_any(f"{SMALL}[{rest}]")
    assert isinstance(match, Match)
    return match


@pytest.mark.parametrize("rules", ["turns=throw", "turns=throw,stuck=passes", "turns=common"])
def test_hints_and_the_perfect_player_of_two_go_for_the_win(rules: str) -> None:
    match = match_of(f"seats=2,{rules},shut=wins")
    equity, perfect = Equity(match), bot("perfect")
    for here in with_a_choice(match):
        awaited = due_choices(match, here)
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
    everybody = Everybody(match)
    everybody.hopes()
    return [
        here
        for here in everybody.known
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
    assert (
        match.choice_text(bot("perfect").pick(match, here, due_choices(match, here).choices)) == "3"
    )
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
