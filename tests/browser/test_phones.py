"""On a phone, lines are complete, and everything needed to play is visible."""

from math import hypot

import pytest

from browser.conftest import Visit, throwing
from browser.visitors import ANN, BOB, Visitor
from serving import Served

SIZES = {320: 640, 390: 844}

IS_CUT = """() => {
    const line = document.querySelector("#caption span");
    return line.scrollWidth > line.clientWidth;
}"""
BOXES = """(selector) => [...document.querySelectorAll(selector)].map(
    (one) => one.getBoundingClientRect().toJSON(),
)"""


stuck = throwing("4+5,4+5", seed="stuck")
"""A server whose first two throws are nine."""


def phone(visit: Visit, width: int, url: str | None = None) -> Visitor:
    size = {"width": width, "height": SIZES[width]}
    return visit(url, viewport=size) if url else visit(viewport=size)


@pytest.mark.parametrize("width", SIZES)
def test_the_dice_of_a_cargo_lie_apart_and_its_question_is_read_to_its_end(
    visit: Visit, width: int
) -> None:
    ann = phone(visit, width)
    ann.open(game="cargo", seats=[ANN])
    while ann.page.locator("#offers .main:not([hidden])").count() < 2:
        ann.press("#go")
    assert ann.page.inner_text("#caption").endswith("?")
    assert not ann.page.evaluate(IS_CUT)
    boxes = ann.page.evaluate(BOXES, "#board .dice > li > .die, #board .dice .name:not(:empty)")
    (felt,) = ann.page.evaluate(BOXES, ".baize")
    assert len(boxes) >= 6
    for n, box in enumerate(boxes):
        assert felt["top"] <= box["top"]
        assert box["bottom"] <= felt["bottom"]
        for other in boxes[:n]:
            across = min(box["right"], other["right"]) - max(box["left"], other["left"])
            down = min(box["bottom"], other["bottom"]) - max(box["top"], other["top"])
            assert across < 1 or down < 1, (box, other)


@pytest.mark.parametrize("game", ["the-300", "classic(tiles=1-30,dice=5d6)"])
def test_several_dice_lie_apart_beside_the_sum(visit: Visit, game: str) -> None:
    ann = phone(visit, 320)
    ann.open(game=game, seats=[ANN])
    ann.press("#go")
    dice = ann.page.evaluate(BOXES, "#board .dice.laid .die")
    (total,) = ann.page.evaluate(BOXES, ".sum")
    assert len(dice) == (4 if game == "the-300" else 5)
    for n, die in enumerate(dice):
        assert die["right"] <= total["left"] + 1
        for other in dice[:n]:
            assert hypot(die["x"] - other["x"], die["y"] - other["y"]) >= 1.2 * die["width"]


def test_who_is_stuck_and_whose_turn_it_is_fit_into_one_line(visit: Visit, stuck: Served) -> None:
    ann = phone(visit, 320, stuck.url)
    ann.open(game="classic(tiles=7.8)", seats=[ANN, BOB])
    ann.press("#go")
    line = ann.page.inner_text("#caption").replace("\u2068", "").replace("\u2069", "")
    assert line == "Ann is stuck on 9."
    assert ann.page.inner_text(".begins > span") == "Your turn, \u2068Bob\u2069"
    assert not ann.page.evaluate(IS_CUT)


def test_the_lid_that_is_caught_leaves_the_numbers_of_low_tiles(
    visit: Visit, stuck: Served
) -> None:
    ann = phone(visit, 320, stuck.url)
    ann.open(game="classic(tiles=1.3.4.7.8.10.11)", seats=[ANN])
    ann.play(undoes=False, tries=False)
    assert ann.view()["phase"] == "over"
    ann.page.wait_for_selector(".caught > .rail")
    (rail,) = ann.page.evaluate(BOXES, ".caught > .rail")
    numbers = ann.page.evaluate(BOXES, "#board [data-state='down'] .slot")
    assert min(number["top"] for number in numbers) >= rail["bottom"]


def test_twelve_plates_leave_the_dice_in_sight_on_a_low_phone(visit: Visit) -> None:
    ann = phone(visit, 320)
    ann.open(game="pub", seats=[{"who": "here", "name": f"Player {i}"} for i in range(12)])
    ann.press("#go")
    ann.page.evaluate("() => scrollTo(0, 0)")
    dice = ann.page.evaluate(BOXES, "#board .die")
    (rim,) = ann.page.evaluate(BOXES, "#rim")
    assert max(die["bottom"] for die in dice) <= rim["top"]
