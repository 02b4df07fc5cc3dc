"""Dice and rolls: reading, writing, outcomes and their weights, compared with enumeration."""

from collections import Counter
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutbox.engine.dice import MOST_OUTCOMES, Dice, Roll
from shutbox.engine.errors import IllegalRoll, NotUnderstood, TooLarge

ALL_DICE = st.lists(st.integers(2, 100), min_size=1, max_size=20).map(lambda s: Dice(tuple(s)))


@given(ALL_DICE)
def test_text_reads_back(dice: Dice) -> None:
    assert Dice.parse(str(dice)) == dice
    assert eval(repr(dice)) == dice


@pytest.mark.parametrize("text", ["1d6", "2d6", "3d2", "2d6+1d8", "1d4+2d3", "1d2+1d3+1d4"])
def test_outcomes_are_every_way_the_dice_fall(text: str) -> None:
    dice = Dice.parse(text)
    counted = Counter(dice.read(faces) for faces in product(*(range(1, s + 1) for s in dice.sides)))
    assert dict(dice.outcomes()) == counted
    assert sum(counted.values()) == dice.total_weight
    rolls = [roll for roll, _ in dice.outcomes()]
    assert rolls == sorted(rolls, key=lambda roll: roll.pips)


def test_too_many_outcomes_are_refused_with_the_number() -> None:
    with pytest.raises(TooLarge, match=f"{comb(111, 12):,}.*{MOST_OUTCOMES:,}"):
        Dice.parse("12d100").outcomes()


@given(ALL_DICE, st.randoms(use_true_random=False))
def test_a_roll_is_read_in_any_order_of_its_kind(dice: Dice, chance: object) -> None:
    roll = dice.read([1 + (7 * index) % sides for index, sides in enumerate(dice.sides)])
    dice.check(roll)
    assert dice.read(str(roll)) == roll
    assert eval(repr(roll)) == roll


def test_mixed_dice_keep_their_kinds() -> None:
    dice = Dice.parse("1d20+2d6")
    assert dice.sides == (6, 6, 20)
    assert dice.read("6 2 1") == Roll((2, 6, 1))
    with pytest.raises(IllegalRoll, match="6 sides shows 1 to 6, not 17"):
        dice.read("17 2 1")


@pytest.mark.parametrize("text", ["", " ", "x", "3 x", "-3 5", "3.5", "三 五", "³ 5", "9" * 500])
def test_text_that_is_no_roll(text: str) -> None:
    with pytest.raises(NotUnderstood):
        Dice.parse("2d6").read(text)


@pytest.mark.parametrize("text", ["3", "3 5 1", "0 5", "7 1", "999999 1", "333", "70"])
def test_rolls_that_cannot_fall(text: str) -> None:
    with pytest.raises(IllegalRoll):
        Dice.parse("2d6").read(text)


def test_check_wants_the_written_order() -> None:
    Dice.parse("2d6").check(Roll((3, 5)))
    with pytest.raises(IllegalRoll, match=r"5\+3 is written 3\+5"):
        Dice.parse("2d6").check(Roll((5, 3)))


@pytest.mark.parametrize(
    "text",
    ["", "d", "2d", "0d6", "21d6", "2d1", "2d101", "2d6+", "+2d6", "2x6", "20d6+1d6", "-2d6"],
)
def test_text_that_is_no_dice(text: str) -> None:
    with pytest.raises(NotUnderstood):
        Dice.parse(text)


@pytest.mark.parametrize("sides", [(6.0,), (6, 6.5), ("6",), (None,), (1,), (101,)])
def test_sides_that_no_die_has(sides: Any) -> None:
    with pytest.raises(NotUnderstood):
        Dice(sides)


def test_a_total_in_words_is_not_two_dice() -> None:
    assert Dice.parse("2d6").read("three five") == Roll((3, 5))
    with pytest.raises(IllegalRoll):
        Dice.parse("2d6").read("eleven")
