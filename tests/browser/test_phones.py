"""On a small phone, lines are complete, and everything needed to play is visible."""

import pytest

from browser.conftest import MEASURES, Visit
from browser.visitors import ANN, BOB

BOXES = """(selector) => [...document.querySelectorAll(selector)].map(
    (one) => one.getBoundingClientRect().toJSON(),
)"""


stuck = pytest.mark.rolls("4+5 4+5")


@stuck
def test_who_is_stuck_and_whose_turn_it_is_fit_into_one_line(visit: Visit) -> None:
    ann = visit(viewport={"width": 320, "height": 640})
    ann.open(game="classic(tiles=7.8)", seats=[ANN, BOB])
    ann.press("#go")
    line = ann.page.inner_text("#caption").replace("\u2068", "").replace("\u2069", "")
    assert line == "Ann is stuck on 9."
    assert ann.page.inner_text(".begins > span") == "Your turn, \u2068Bob\u2069"
    assert ann.page.evaluate(f"({MEASURES}).fits()") == []


@stuck
def test_the_lid_that_is_caught_leaves_the_numbers_of_low_tiles(visit: Visit) -> None:
    ann = visit(viewport={"width": 320, "height": 640})
    ann.open(game="classic(tiles=1.3.4.7.8.10.11)", seats=[ANN])
    ann.play(undoes=False, tries=False)
    assert ann.view()["phase"] == "over"
    ann.page.wait_for_selector(".caught > .rail")
    (rail,) = ann.page.evaluate(BOXES, ".caught > .rail")
    numbers = ann.page.evaluate(BOXES, "#board [data-state='down'] .slot")
    assert min(number["top"] for number in numbers) >= rail["bottom"]


def test_twelve_plates_leave_the_dice_in_sight_on_a_low_phone(visit: Visit) -> None:
    ann = visit(viewport={"width": 320, "height": 640})
    ann.open(game="pub", seats=[{"who": "here", "name": f"Player {i}"} for i in range(12)])
    ann.press("#go")
    ann.page.evaluate("() => scrollTo(0, 0)")
    dice = ann.page.evaluate(BOXES, "#board .die")
    (rim,) = ann.page.evaluate(BOXES, "#rim")
    assert max(die["bottom"] for die in dice) <= rim["top"]
