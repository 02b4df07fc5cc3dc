"""The sources of dice: a seed, real dice, or Enter; and which events can be taken back."""

import pytest

from shutbox import Dice, SeededCup
from terminal.driver import Terminal
from terminal.pipe import piped

BY_HAND = "Throw two dice and type what you see:"


def test_a_seed_gives_the_dice_that_the_library_gives() -> None:
    low, high = SeededCup("gr\u00fcn").throw(Dice.parse("2d6")).pips
    typed = ("play", "tray", "--plain", "--seed", "gr\u00fcn")
    with Terminal(*typed, changes={"PYTHONHASHSEED": "7"}) as terminal:
        assert terminal.spoken[-1] == f"In the tray: {low} and {high}, {low + high} in all."


def test_without_a_seed_the_dice_differ() -> None:
    whole = {"PYTHONHASHSEED": "0"}  # a whole program: a fork's dice fall as its test says
    first, second = (piped("play", "tray(dice=20d100)", changes=whole).lines for _ in range(2))
    assert first[:-1] != second[:-1]


def test_a_choice_is_taken_back_until_the_next_throw_and_not_past_it() -> None:
    with Terminal("play", "classic", "--throw", "ask", "--seed", "pub", "--plain") as terminal:
        never = ["There is nothing to take back since the last throw."]
        assert terminal.type("u") == never
        terminal.type("")
        assert terminal.type("u") == never
        terminal.type("1 5")
        assert terminal.prompt == "Enter throws two dice:"
        assert terminal.type("u") == ["The choice is taken back.", "Threw 2 and 4, 6 in all."]
        assert terminal.type("b") == ["1 to 9 are up."]
        assert terminal.type("u") == never


BAD = ("", "7 1", "0 3", "1", "3 5 1", "-3 5", "three seven", "drei", "35 3", "9" * 300, "\uff17 5")


def test_the_dice_of_a_hand_are_typed_in_any_order_and_those_that_cannot_fall_refused() -> None:
    with Terminal("play", "two-dice", "--dice", "hand", "--plain") as terminal:
        for line in BAD:
            assert [said[-1] for said in terminal.type(line)] == ["."], line
            assert terminal.prompt == BY_HAND
            assert terminal.type("d") == ["Two dice to throw."]
        terminal.type("1 1")
        for line in ("5 3", "53", "five and three"):
            terminal.type("c")
            assert terminal.type(line)[-1] == "Threw 3 and 5, 8 in all.", line


def test_only_typed_dice_can_be_corrected() -> None:
    with Terminal("play", "classic", "--seed", "pub", "--plain") as terminal:
        assert "corrects" not in " ".join(terminal.type("?"))
        assert len(terminal.type("c")) == 1
        assert terminal.type("d") == ["The dice show 2 and 4, 6 in all."]


@pytest.mark.parametrize("dice", [["--dice", "hand"], ["--dice", "cup"], ["--dice"]])
def test_a_seed_for_the_dice_of_a_hand_is_wrong_usage(dice: list[str]) -> None:
    ended = piped("play", "classic", "--seed", "pub", *dice)
    assert (ended.code, ended.out) == (2, b"")
    assert "--dice" in ended.refusal
