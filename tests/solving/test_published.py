"""The solvers, compared with published values and with values found by hand.

Rules, protocol and solver must all be right to reproduce these, so this is the best test of the
rules. `data/published.json` gives the source of each value, and `data/butler.toml` the source of
the chances of every final score. A fraction must be met exactly, and a decimal to its last digit,
rounded or cut off as its author did.
"""

import json
import tomllib
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import shutbox
from shutbox.match import Format, Match
from shutbox.solving import MEAN, SHUT, WORST_SHUT, Aim, ExactSolver, beat
from shutbox.solving.equity.last_round import LastRound
from shutbox.solving.odds import odds_of
from shutbox.solving.solvers import solve
from standing_by_hand import standing_facing

DATA = Path(__file__).parents[1] / "data"

PUBLISHED: list[dict[str, Any]] = json.loads(
    (DATA / "published.json").read_text(encoding="utf-8"), parse_float=Decimal
)["values"]

SCORES: list[dict[str, Any]] = tomllib.loads(
    (DATA / "butler.toml").read_text(encoding="utf-8"), parse_float=Decimal
)["table"]

AIMS = {"mean": MEAN, "shut": SHUT, "crew": SHUT, "worst-shut": WORST_SHUT}

TOO_LARGE_HERE = {"the-300"}
"""Games whose value takes exact fractions too long."""

SLOW_HERE = {"double-shutter"}
"""Games that the exact solver takes a quarter of a minute for, and the solver of turns a second."""

SOLVED = [entry for entry in PUBLISHED if "game" in entry and entry["game"] not in TOO_LARGE_HERE]


@cache
def solver(name: str, aim: Aim) -> ExactSolver[Any, Any]:
    return ExactSolver(shutbox.find(name), aim)


def agrees(value: Fraction, published: Decimal) -> bool:
    """Whether the value is the decimal, as far as a decimal or a float of its length can say."""
    exponent = published.as_tuple().exponent
    assert isinstance(exponent, int)
    return abs(value - Fraction(published)) < Fraction(10) ** max(exponent, -14)


@pytest.mark.parametrize("entry", SOLVED, ids=lambda entry: f"{entry['game']} {entry['aim']}")
def test_a_published_value_is_reproduced(entry: dict[str, Any]) -> None:
    game, aim = shutbox.find(entry["game"]), AIMS[entry["aim"]]
    quick = solve(game, game.start(), aim, exact=True)
    found = odds_of(quick, game.start())
    if entry["game"] not in SLOW_HERE:
        assert found.value == solver(entry["game"], aim).value()
    assert found.value == Fraction(entry.get("exact", found.value))
    if "value" in entry:
        assert agrees(Fraction(found.value), entry["value"])
    assert found.value == (found.mean if aim is MEAN else found.shut)
    openings = {opening.roll: opening.value for opening in found.openings}
    for total, published in entry.get("after_first_throw", {}).items():
        assert agrees(Fraction(openings[total]), published), total
    for up, published in entry.get("best_of_45_minus_score", {}).items():
        assert 45 - quick.value(game.position_at(up.replace(" ", "."))) == Fraction(published), up


@pytest.mark.parametrize("table", SCORES, ids=lambda table: str(table["game"]))
def test_the_published_chances_of_every_final_score_are_reproduced(table: dict[str, Any]) -> None:
    # Many covers are equally good for shutting the box, and lead to other scores: it is the tie
    # rule that is tested here, besides the chances.
    game, aim = shutbox.find(table["game"]), AIMS[table["aim"]]
    found = odds_of(solve(game, game.start(), aim, exact=True), game.start()).distribution
    published = {int(score): per_cent for score, per_cent in table["per_cent"].items()}
    assert published.keys() == set(range(46))
    assert sum(published.values()) == pytest.approx(Decimal(100), abs=Decimal("0.0023"))
    for score, per_cent in published.items():
        rounded = round(Decimal(float(100 * found.get(score, Fraction(0)))), 4)
        assert rounded == per_cent, score


# Published values of matches, from what all seats answer one another.

CONTINENTAL, FACING_8, FACING_45 = (entry for entry in PUBLISHED if "match" in entry)


def answers(game: str) -> LastRound:
    match = Match(shutbox.find(game), Format.parse("shut=wins"), ["Ann", "Bob"])
    return LastRound(match)


def test_the_published_value_of_a_match_is_reproduced() -> None:
    first, second = answers("continental").outlook().shares
    assert first + second == 1
    assert agrees(first, CONTINENTAL["first_player"])


@pytest.mark.parametrize(
    ("game", "score", "entry"), [("continental", 8, FACING_8), ("two-dice", 45, FACING_45)]
)
def test_the_published_value_of_facing_a_score_is_reproduced(
    game: str, score: int, entry: dict[str, Any]
) -> None:
    found = answers(game)
    _, second = found.outlook(standing_facing(found.match, score, after=0)).shares
    assert agrees(second, entry["value"])
    # It is what beating the score alone is worth.
    alone = shutbox.find(game)
    assert alone.scoring is not None
    solution = solve(alone, alone.start(), beat(score, alone.scoring), exact=True)
    assert solution.value(alone.start()) == second


def test_the_chance_to_shut_cannot_tell_the_one_die_rules_apart_but_the_score_can() -> None:
    may_top, may_any, may_sum, must_sum = (
        f"two-dice(fewer={rule})" for rule in ("may-top", "may-any", "may-sum", "must-sum")
    )
    games = (may_top, may_any, may_sum, must_sum)
    assert len({solver(name, SHUT).value() for name in games}) == 1
    score = {name: solver(name, MEAN).value() for name in games}
    assert score[may_top] == score[may_any] < score[may_sum] == score[must_sum]


def test_the_optimum_of_ten_tiles_is_above_a_policy_in_print() -> None:
    assert agrees(solver("ten(fewer=never)", SHUT).value() * 100, Decimal("4.043803"))


# Values found by hand.


def test_a_choice_of_dice_by_hand() -> None:
    # Only the 2 is up: one d2 shows it half of the time, two of them (as 1+1) a quarter.
    game = shutbox.find("two-dice(tiles=1-2,dice=2d2,fewer=may-any)")
    best = ExactSolver(game, SHUT)
    assert best.value(game.position_at("2")) == Fraction(1, 2)
    assert game.choice_text(best.best(game.position_at("2"))) == "one die"
    assert ExactSolver(game, WORST_SHUT).value(game.position_at("2")) == Fraction(1, 4)


def test_of_equal_choices_the_first_is_best() -> None:
    # Both covers shut the box in the end or not at all: 3 leaves 1 and 2, 1 and 2 leave 3.
    game = shutbox.find("two-dice(tiles=1-3,dice=1d3,stop_on=1-2)")
    position = game.position_at("1-3/3")
    solved = ExactSolver(game, SHUT)
    assert solved.value(position) == Fraction(1, 3)
    assert game.choice_text(solved.best(position)) == "3"
