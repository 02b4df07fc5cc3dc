"""The sources of dice: a seed, real dice, or Enter; and which events can be taken back."""

import pytest

from shutbox import Dice
from shutbox.engine.cups import SeededCup
from terminal.driver import Terminal
from terminal.pipe import piped


def test_a_seed_gives_the_dice_that_the_library_gives() -> None:
    low, high = SeededCup("gr\u00fcn").throw(Dice.parse("2d6")).pips
    typed = ("play", "tray", "--plain", "--seed", "gr\u00fcn")
    with Terminal(*typed, changes={"PYTHONHASHSEED": "7"}) as terminal:
        assert terminal.spoken[-1] == f"You threw {low} and {high}, {low + high}."


def test_without_a_seed_the_dice_differ() -> None:
    whole = {"PYTHONHASHSEED": "0"}  # a whole program: a fork's dice fall as its test says
    first, second = (piped("play", "tray(dice=20d100)", changes=whole).lines for _ in range(2))
    assert first[:-1] != second[:-1]


@pytest.mark.parametrize("dice", [["--dice", "hand"], ["--dice", "cup"], ["--dice"]])
def test_a_seed_for_the_dice_of_a_hand_is_wrong_usage(dice: list[str]) -> None:
    ended = piped("play", "classic", "--seed", "pub", *dice)
    assert (ended.code, ended.out) == (2, b"")
    assert "--dice" in ended.refusal


def test_the_longest_seed_counts_on() -> None:
    with Terminal("play", "lucky-seven", "--plain", "--seed", "x" * 1000) as terminal:
        while "Play again?" not in terminal.prompt:
            terminal.type("")
        terminal.type("")
        assert terminal.code is None, terminal.text
