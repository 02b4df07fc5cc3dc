"""Exact play with known dice, and the throws they can reach, compared with brute force."""

from collections.abc import Iterator
from typing import Any

import pytest

from shutbox import Choose, Dice, Over, Throw, find
from shutbox.engine.cups import NumberedCup, SeededCup
from shutbox.engine.dice import Roll
from shutbox.engine.errors import TooLarge
from shutbox.engine.game import Game
from shutbox.solving import MEAN, ExactSolver
from shutbox.solving.known_dice import Rolls, SoloResult, check_known, exact_play, most_throws
from shutbox.table.lookup import match_of


def rolls_of(seed: str) -> Rolls:
    return lambda number, dice: NumberedCup(seed, number - 1).throw(dice)


def every_end(game: Game[Any, Any], rolls: Rolls, position: Any, number: int = 0) -> Iterator[int]:
    """The number of throws of all ways to play, one by one."""
    match game.awaits(position):
        case Throw(dice=dice):
            here = game.rolled(position, rolls(number + 1, dice))
            yield from every_end(game, rolls, here, number + 1)
        case Choose(choices=choices):
            for choice in choices:
                yield from every_end(game, rolls, game.chosen(position, choice), number)
        case Over():
            yield number


@pytest.mark.parametrize(
    "name",
    [
        "six",
        "classic(tiles=1-6,dice=2d4)",
        "against-all-odds",
        "covered(tiles=1-5)",
        "ship-captain-crew",
    ],
)
def test_the_most_throws_are_those_of_the_longest_way_to_play(name: str) -> None:
    game = find(name)
    for seed in range(4):
        rolls = rolls_of(f"{name} {seed}")
        assert most_throws(game, rolls) == max(every_end(game, rolls, game.start()))


@pytest.mark.parametrize("name", ["six", "classic(tiles=1-4)", "covered(tiles=1-4)"])
def test_exact_play_takes_the_first_of_the_best_choices_and_knows_no_dice(name: str) -> None:
    game = find(name)
    assert game.scoring is not None
    best, exact = min if game.scoring.low_is_good else max, ExactSolver(game, MEAN)
    for seed in range(4):
        rolls, position, number = rolls_of(f"{name} {seed}"), game.start(), 0
        while not isinstance(awaited := game.awaits(position), Over):
            if isinstance(awaited, Throw):
                number += 1
                position = game.rolled(position, rolls(number, awaited.dice))
            else:
                after = [game.chosen(position, choice) for choice in awaited.choices]
                worth = list(map(exact.value, after))
                position = after[worth.index(best(worth))]
        assert exact_play(game, rolls) == SoloResult(awaited.scores[0], awaited.shut)


def test_what_is_large_or_has_no_score_is_refused_before_any_work() -> None:
    def nothing(number: int, dice: Dice) -> Roll:
        raise AssertionError("it was begun")

    for name in ("the-300", "double-shutter", "tray"):
        for search in (most_throws, exact_play):
            with pytest.raises(TooLarge):
                search(find(name), nothing)
    with pytest.raises(TooLarge):
        check_known(match_of("pub", ["Ann", "Bob"]))


def test_a_numbered_throw_is_the_same_whatever_was_thrown_before() -> None:
    two, one = Dice.parse("2d6"), Dice.parse("1d6")
    for thrown in ([two] * 9, [one] * 9, [two, one] * 4 + [two]):
        cup = NumberedCup("day")
        for dice in thrown:
            cup.throw(dice)
        assert cup.throw(two) == SeededCup("day 10").throw(two)


def test_one_die_is_the_first_of_two_as_they_fell() -> None:
    firsts = set()
    for number in range(200):
        both = NumberedCup("day", number).throw(Dice.parse("2d6"))
        alone = NumberedCup("day", number).throw(Dice.parse("1d6"))
        assert alone.pips[0] in both.pips
        firsts.add(alone.pips[0] == min(both.pips))
    assert firsts == {True, False}  # not the lower of them, nor the higher
