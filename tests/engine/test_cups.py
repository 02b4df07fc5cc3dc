"""Cups: the seeded generator compared with its specification, fairness, scripts and real dice."""

import copy
import pickle
import unicodedata
from hashlib import sha256

import pytest

from shutbox import Dice, Roll
from shutbox.engine.cups import HandCup, ScriptCup, SecretCup, SeededCup
from shutbox.engine.dice import Cup
from shutbox.engine.errors import IllegalRoll, NoDice


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


def test_one_seed_however_it_is_composed() -> None:
    composed, decomposed = SeededCup("caf\u00e9"), SeededCup("cafe\u0301")
    dice = Dice.parse("5d6")
    assert composed.throw(dice) == decomposed.throw(dice)


def test_any_string_is_a_seed() -> None:
    assert SeededCup("\ud800\udcff").throw(Dice.parse("2d6")).total >= 2


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


CUPS = [SeededCup("pub"), ScriptCup(["1+2", "3+4", "5+6", "6+6"]), HandCup(), SecretCup()]


@pytest.mark.parametrize("cup", CUPS, ids=repr)
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
