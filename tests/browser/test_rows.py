"""Everybody has a row: on a phone, round the felt of a large screen, and in a throw for all."""

import pytest

from browser.conftest import Visit, throwing
from browser.visitors import ANN, LINK, TOUCHES, Visitor
from serving import Served

OTHERS = [{"who": "computer:fewest", "name": name} for name in ("Odile", "Jonas", "Bea")]
PLACES = """() => ["#board", "#go", ".plate"].flatMap((parts) =>
    [...document.querySelectorAll(parts)].map((part) => {
        const { x, y, right, bottom } = part.getBoundingClientRect();
        return [x, y, right, bottom].map(Math.round);
    }))"""
IS_MINE = """() => !document.getElementById("go").classList.contains("rests")
    && document.getElementById("plates").firstElementChild.ariaCurrent === "true\""""
UP = """(n) => [...document.querySelectorAll(`.plate[data-key="${n}"] .up`)].map(
    (tile) => tile.textContent)"""


each = throwing("1+1,1+1,1+1,1+1,3+4", seed="rows")
"""A server whose first four throws are two: everybody covers it, and then Ann throws seven."""
common = throwing("1+1,1+1,2+2", seed="common")
"""A server whose first throw for all is four."""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)], ids=str)
def test_a_round_of_four_on_a_phone_needs_no_scrolling_and_nothing_moves(
    visit: Visit, each: Served, size: tuple[int, int]
) -> None:
    ann = visit(each.url, viewport={"width": size[0], "height": size[1]})
    ann.open(game="family", seats=[ANN, *OTHERS])
    at = ann.page.evaluate(PLACES)
    assert all(0 <= x <= right <= size[0] and y >= 0 for x, y, right, _ in at)
    assert all(bottom <= size[1] for *_, bottom in at)
    ann.press("#go")
    ann.press("#go")
    ann.page.wait_for_function(IS_MINE)
    assert ann.page.evaluate(PLACES) == at
    assert ann.page.evaluate("scrollY") == 0
    for seat in range(4):
        assert ann.page.evaluate(UP, seat) == ["1", "3", "4", "5", "6", "7", "8", "9", "10"]
    tiles = "1, 3, 4, 5, 6, 7, 8, 9, 10"
    assert ann.page.get_by_role("img", name=f"Bea, up: {tiles}", exact=True).is_visible()


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)], ids=str)
def test_four_sit_round_the_felt_of_a_large_screen_with_their_rows(
    visit: Visit, each: Served, size: tuple[int, int]
) -> None:
    ann = visit(each.url, viewport={"width": size[0], "height": size[1]})
    ann.open(game="family", seats=[ANN, *OTHERS])
    felt = ann.box("#board .baize")
    left, top, right = (ann.box(f".plate[data-key='{n}'] .lane") for n in (1, 2, 3))
    assert left["x"] + left["width"] <= felt["x"] + 1
    assert top["y"] + top["height"] <= felt["y"] + 1
    assert right["x"] >= felt["x"] + felt["width"] - 1
    assert left["height"] > left["width"] < right["height"]
    assert top["width"] > top["height"]
    assert ann.box("#board .racks")["y"] >= felt["y"] + felt["height"] - 1
    tiles = [tile.bounding_box() for tile in ann.page.locator("#board .tile").all()]
    assert len({tile["y"] for tile in tiles if tile}) == 1
    ann.press("#go")
    assert ann.page.evaluate(TOUCHES, "#board .dice.laid .die, .plate > .face") == 0


def cover(player: Visitor) -> None:
    """Throw, and cover the only tile that fits."""
    player.page.click("#go")
    player.page.get_by_role("button", name="Cover 2").click()


def test_a_cover_of_a_throw_for_all_chosen_early_is_sent_when_its_seat_is_due(
    visit: Visit, common: Served
) -> None:
    ann, bob = visit(common.url), visit(common.url)
    ann.open(game="head-to-head", seats=[ANN, LINK])
    link = ann.page.input_value("#link-join")
    bob.enter(link, "Bob")
    ann.page.wait_for_function(IS_MINE)
    cover(ann)
    ann.page.wait_for_selector(".plate[data-key='1'][aria-current]")
    assert ann.page.locator("#board .tile[data-state='up']").count() == 9  # and not Bob's ten
    bob.page.wait_for_selector("#go:not(.rests):not([aria-disabled])")
    cover(bob)
    ann.page.wait_for_function(IS_MINE)
    ann.page.click("#go")
    bob.page.wait_for_selector("#board .tile[data-state=up]:not([aria-disabled])")
    bob.page.keyboard.press("1")
    bob.page.keyboard.press("3")
    assert bob.page.inner_text("#go") == "Cover 1 + 3"
    bob.page.click("#go")
    assert bob.page.inner_text("#go") == "Ann to choose"
    assert "1" in bob.page.evaluate(UP, 1)
    ann.page.keyboard.press("4")
    ann.page.click("#go")
    for player in (ann, bob):
        player.page.wait_for_function("() => document.querySelectorAll('.plate .up').length === 15")
    assert bob.page.evaluate(UP, 1) == ["4", "5", "6", "7", "8", "9", "10"]
