"""Advice as numbers: which choice is better, how many are shown, and that no figure is invented."""

import pytest

from shutbox.solving.advice.coach import Coach
from shutbox.solving.advice.ranking import AdviceFigures
from shutbox.table.lookup import find_position

FOUR = "six(tiles=1-4)[seats=2,{end}]:1;0;0;0,0;t0;1-4/4"


def figures_of(text: str, most: int = 40) -> AdviceFigures:
    game, here = find_position(text)
    found = Coach(game).figures(here, "ranked", most)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("text", "aim", "chance", "low"),
    [
        ("classic:1-9/3+5", "mean", False, True),
        (FOUR.format(end="until=shut"), "shut", True, False),
        (FOUR.format(end="rounds=1"), "win", True, False),
        ("cargo:6.5.4/2/1+3+6", "mean", False, False),
    ],
)
def test_costs_are_how_much_worse_than_the_best(
    text: str, aim: str, chance: bool, low: bool
) -> None:
    found = figures_of(text)
    assert (found.chance, found.low_is_good, found.aim) == (chance, low, aim)
    best = found.choices[0].value
    worst = found.choices[-1].value
    assert worst > best if low else worst < best
    for choice in found.choices:
        assert choice.cost == pytest.approx(abs(choice.value - best))
        assert choice.best == (choice.cost == 0)
        assert choice.shut is not None
        assert 0 <= choice.shut <= 1


def test_of_many_choices_the_best_are_told_and_the_rest_counted() -> None:
    whole, some = figures_of("classic:1-9/3+5"), figures_of("classic:1-9/3+5", most=2)
    assert some.choices == whole.choices[:2]
    assert (whole.more, some.more) == (0, len(whole.choices) - 2)


@pytest.mark.parametrize("text", ["classic:1-9", "tray:d6-3.d6-5h.d20-17"])
def test_where_nothing_is_ranked_there_are_no_numbers(text: str) -> None:
    game, here = find_position(text)
    assert Coach(game).figures(here, "ranked", 40) is None


@pytest.mark.parametrize("level", ["legal", "ranked", "explained"])
def test_the_level_says_how_much_is_told(level: str) -> None:
    game, here = find_position("classic:1.3.4.9/1+3")
    coach = Coach(game)
    found = coach.figures(here, level, 40)
    assert (found is None) == (level == "legal")
    if found is not None:
        best, *_ = found.choices
        assert best.why == (coach.hint(here, level)[-1] if level == "explained" else "")
