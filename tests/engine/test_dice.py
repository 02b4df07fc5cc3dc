"""Dice, rolls and cups.

Outcomes are compared with enumeration, and the seeded generator with its specification.
"""

import copy
import pickle
import unicodedata
from collections import Counter
from hashlib import sha256
from itertools import product
from math import comb
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shutbox.engine.cups import HandCup, ScriptCup, SecretCup, SeededCup
from shutbox.engine.dice import MOST_OUTCOMES, Cup, Dice, Roll
from shutbox.engine.errors import IllegalRoll, NoDice, NotUnderstood, TooLarge

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
    dice.check(Roll((2, 6, 1)))
    with pytest.raises(IllegalRoll, match=r"6\+2\+1 is written 2\+6\+1"):
        dice.check(Roll((6, 2, 1)))
    assert dice.read("6 2 1") == dice.read("six two one") == Roll((2, 6, 1))
    with pytest.raises(IllegalRoll, match="6 sides shows 1 to 6, not 17"):
        dice.read("17 2 1")


def test_a_roll_has_whole_numbers_only() -> None:
    pips: Any
    for pips in ((2.5,), (None,), ([],), ("3",), (True,), [3], "3"):
        with pytest.raises(IllegalRoll, match="is not a roll"):
            Roll(pips)


@pytest.mark.parametrize("text", ["", " ", "x", "3 x", "-3 5", "3.5", "三 五", "³ 5", "9" * 500])
def test_text_that_is_no_roll(text: str) -> None:
    with pytest.raises(NotUnderstood):
        Dice.parse("2d6").read(text)


@pytest.mark.parametrize("text", ["3", "3 5 1", "0 5", "7 1", "999999 1", "333", "70", "eleven"])
def test_rolls_that_cannot_fall(text: str) -> None:
    with pytest.raises(IllegalRoll):
        Dice.parse("2d6").read(text)


def test_what_is_no_dice() -> None:
    sides: Any
    for text in ("", "d", "2d", "0d6", "21d6", "2d1", "2d101", "2d6+", "+2d6", "2x6", "20d6+1d6"):
        with pytest.raises(NotUnderstood):
            Dice.parse(text)
    for sides in ((6.0,), (6, 6.5), ("6",), (None,), (1,), (101,)):
        with pytest.raises(NotUnderstood):
            Dice(sides)


# Cups


def by_the_book(seed: str, dice: Dice, throws: int) -> list[str]:
    """The generator written a second time, from its description."""
    stream = b"".join(
        sha256(
            b"shutbox dice 1\n"
            + unicodedata.normalize("NFC", seed).encode()
            + b"\n"
            + str(block).encode()
        ).digest()
        for block in range(50)
    )
    place = 0
    rolls = []
    for _ in range(throws):
        faces = []
        for sides in dice.sides:
            while stream[place] >= 256 // sides * sides:
                place += 1
            faces.append(stream[place] % sides + 1)
            place += 1
        rolls.append(str(dice.read(faces)))
    return rolls


@pytest.mark.parametrize("seed", ["pub", "", "\N{GAME DIE}", "e\u0301", "long" * 1000])
@pytest.mark.parametrize("text", ["2d6", "1d100", "3d2+2d97"])
def test_the_description_is_enough_to_rebuild_it(seed: str, text: str) -> None:
    cup, dice = SeededCup(seed), Dice.parse(text)
    assert [str(cup.throw(dice)) for _ in range(30)] == by_the_book(seed, dice, 30)
    assert SeededCup("\ud800\udcff").throw(dice).total >= 2  # any string is a seed


def test_faces_are_taken_by_rejection(monkeypatch: pytest.MonkeyPatch) -> None:
    # 252 is the greatest multiple of 6 below 256: the bytes 252 to 255 make no face.
    taken = iter([255, 254, 253, 252, 251])
    monkeypatch.setattr("os.urandom", lambda number: bytes([next(taken)]))
    assert SecretCup().throw(Dice.parse("1d6")) == Roll((6,))


def test_a_script_ends() -> None:
    cup = ScriptCup(["5+3"])
    with pytest.raises(IllegalRoll):  # which uses up nothing
        cup.throw(Dice.parse("1d6"))
    assert cup.throw(Dice.parse("2d6")) == Roll((3, 5))
    with pytest.raises(NoDice):
        cup.throw(Dice.parse("2d6"))


def test_a_hand_shows_before_it_throws() -> None:
    cup = HandCup()
    with pytest.raises(NoDice, match="what the dice show"):
        cup.throw(Dice.parse("2d6"))
    cup.show(Roll((3, 5)))
    with pytest.raises(IllegalRoll):
        cup.throw(Dice.parse("1d6"))
    assert cup.throw(Dice.parse("2d6")) == Roll((3, 5))
    with pytest.raises(NoDice):
        cup.throw(Dice.parse("2d6"))


@pytest.mark.parametrize(
    "cup", [SeededCup("pub"), ScriptCup(["1+2", "3+4", "5+6"]), HandCup(), SecretCup()], ids=repr
)
def test_a_copy_of_a_cup_goes_on_as_the_cup_does(cup: Cup) -> None:
    dice = Dice.parse("2d6")
    cup = copy.deepcopy(cup)
    assert cup == copy.deepcopy(cup)
    if not isinstance(cup, HandCup):
        cup.throw(dice)
    else:
        cup.show(Roll((3, 5)))
    for again in (copy.copy(cup), copy.deepcopy(cup), pickle.loads(pickle.dumps(cup))):
        assert again == cup
        assert hash(again) == hash(cup)
        assert eval(repr(again)) == cup
        if not isinstance(cup, SecretCup):
            first = again.throw(dice)
            assert again != cup, "one cup has thrown, and the other has not"
            assert first == copy.deepcopy(cup).throw(dice)


def test_a_seed_goes_on_from_any_byte() -> None:
    dice = Dice.parse("2d6+1d100")
    cup = SeededCup("pub")
    for _ in range(40):
        assert SeededCup("pub", cup.used).throw(dice) == cup.throw(dice)
