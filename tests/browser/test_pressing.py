"""What a press on a tile or a button does, by mouse and by touch."""

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, Dialog, Route

lucky = pytest.mark.rolls("4+5 1+1")


def tile(number: int | str) -> str:
    """Return the selector of a tile's button."""
    return f"#board [data-key='{number}'] button"


@lucky
def test_only_one_cover_glows_and_one_press_plays_it(ann: Visitor) -> None:
    """On the main button, or on any of its tiles."""
    for game, glow, button in (
        ("classic(tiles=9)", 1, "#go"),
        ("two-dice(tiles=4.5)", 2, tile(5)),
    ):
        ann.open(game=game, seats=[ANN])
        ann.press("#go")
        assert ann.page.locator("#board [data-only]").count() == glow
        ann.press(button)
        assert ann.view()["table"]["shut"]


@lucky
def test_the_tile_of_the_total_is_covered_by_one_press_where_that_is_wanted(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    ann.page.click(tile(9))  # picks, as any other
    assert ann.page.inner_text("#go") == "Cover 9"
    ann.menu()
    ann.page.check("#set-total")
    ann.page.keyboard.press("Escape")
    ann.page.press(tile(9), " ")  # put back, not a double press
    ann.page.click(tile(5))  # no total
    assert ann.page.get_attribute(tile(5), "aria-pressed") == "true"
    ann.page.click(tile(5))
    ann.press(tile(9))
    assert ann.view()["table"]["does"] == "throw"
    ann.page.reload()
    assert ann.page.is_checked("#set-total")  # this device keeps it


@lucky
def test_a_double_press_makes_the_cover_that_its_first_press_completes(ann: Visitor) -> None:
    for before, last in ((4, 5), (None, 9)):
        ann.open(game="classic", seats=[ANN])
        ann.press("#go")
        if before:
            ann.page.dblclick(tile(before))  # picked and put back
            ann.page.click(tile(before))
        ann.page.dblclick(tile(last))
        ann.until("table.view.table.does === 'throw'")


def test_a_double_click_on_a_slow_line_does_one_thing(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    held = ann.holds("**/act")
    before = ann.view()["table"]["version"]
    with ann.page.expect_request("**/act"):
        ann.page.dblclick("#go")
    assert ann.page.evaluate("() => table.requests.length") == 1
    while not held:
        ann.page.wait_for_timeout(10)
    for route in held:
        route.continue_()
    ann.until("table.replies === 1")
    ann.shown()
    assert len(held) == 1
    assert ann.view()["table"]["version"] == before + 1


def test_what_gives_a_seat_or_a_link_away_is_asked_back(ann: Visitor) -> None:
    """Whoever says no keeps it."""
    ann.open(game="pub", seats=[ANN, BOB])
    ann.drawer("seating")
    questions: list[str] = []

    def refuse(dialog: "Dialog") -> None:
        questions.append(dialog.message)
        dialog.dismiss()

    ann.page.on("dialog", refuse)
    for button in ("Bob: leave this seat", "New watch link"):
        ann.page.get_by_role("button", name=button).click()
    assert len(questions) == 2
    assert ann.page.evaluate("() => table.requests.length") == 0


def test_a_game_by_touch(visit: Visit) -> None:
    ann = visit(has_touch=True, is_mobile=True, size=(360, 700))
    page = ann.page
    ann.open(game="classic")
    while (view := ann.view())["phase"] == "playing":
        ann.shows(view["number"])
        table = view["table"]
        takes = table["offers"][0]["takes"] if table["does"] == "choose" else []
        # A press on the only cover plays it.
        for key in takes if len(table["offers"]) > 1 else ():
            page.locator(tile(key)).tap()
        if table["does"] == "choose" and not takes:
            page.locator("#offers button").first.tap()
        else:
            # On one side and then on the other: that is no double tap.
            page.locator("#go").tap(position={"x": 30 + 200 * (view["number"] % 2), "y": 20})
        version = table["version"]
        ann.until("table.view.table.version > value && table.underWay === 0", version)
    ann.shown()
    assert page.is_visible("#result")


def test_a_press_on_what_the_stream_has_shown_is_not_lost(ann: Visitor) -> None:
    """The reply is on its way yet; what is shown is ahead of it, and is played on with."""
    ann.open(game="classic", seats=[ANN])
    held: list[tuple[Route, APIResponse]] = []

    def hold(route: "Route") -> None:
        if held:
            route.continue_()
        else:
            held.append((route, route.fetch()))

    ann.page.route("**/act", hold)
    ann.page.click("#go")
    ann.chooses()
    takes = ann.view()["table"]["offers"][0]["takes"]
    for key in takes:
        ann.page.click(tile(key))
    ann.page.evaluate("takes => table.shown(takes)", takes)
    ann.page.click("#go")
    assert ann.page.evaluate("() => table.replies") == 0
    [(route, response)] = held
    route.fulfill(response=response)
    ann.until("table.view.table.does === 'throw'")
    ann.shown()


def test_that_an_answer_is_late_is_shown_until_it_comes(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    held: list[tuple[Route, APIResponse]] = []
    ann.page.route("**/act", lambda route: held.append((route, route.fetch())))
    ann.page.click("#go")
    ann.says("The server has not answered yet.")
    ann.page.wait_for_selector("#caption.note")
    [(route, response)] = held
    route.fulfill(response=response)
    ann.page.wait_for_selector("#caption:not(.note)")
