"""The main paths in WebKit: a game by mouse and keys to its end, and layout."""

import json
from collections.abc import Iterator
from contextlib import suppress

import pytest

from browser.test_layout import FAULTS
from browser.webkit import ENTER, Failed, WebKit, missing, webkit
from serving import Served

WIDTHS = (320, 390, 768, 1440)
MOST_PRESSES = 120

# What a player would press next: a tile, the main action, one of two, or nothing any more.
NEXT = """(() => {
    const open = (selector) => [...document.querySelectorAll(selector)].find((one) =>
        one.getClientRects().length && one.getAttribute("aria-disabled") !== "true");
    if (document.querySelector("#stage.over")) return ["over", ""];
    const main = open("#go");
    const tile = !main && open("#board .tile[data-state=up][aria-pressed=false]");
    const key = tile && tile.closest("li").dataset.key;
    if (tile) return [`[data-key="${key}"] .tile`, tile.textContent.trim()[0]];
    return main ? ["#go", "enter"] : open("#offers .main") ? ["#offers .main", "1"] : null;
})()"""
# All that a press can change.
SEEN = """(() => {
    const all = [...document.querySelectorAll("#board button, #go, #caption, #log, #offers")];
    return JSON.stringify(all.map(({ textContent, dataset, ariaPressed, ariaDisabled }) =>
        [textContent, dataset.state, ariaPressed, ariaDisabled]));
})()"""


@pytest.fixture(scope="module")
def page() -> Iterator[WebKit]:
    """One browser for all tests here."""
    if lacks := missing():
        pytest.skip(f"this system has no {lacks}")
    with webkit() as browser:
        yield browser


def begins(page: WebKit, served: Served) -> None:
    """A game alone, by the first button of the first page."""
    page.size(1440, 900)
    page.goto(served.url)
    page.press(".begin button")
    page.until("location.pathname.startsWith('/r/') && document.documentElement.matches('.live')")


@pytest.mark.parametrize("by", ["mouse", "keys"])
def test_a_game_is_played_to_its_end(page: WebKit, served: Served, by: str) -> None:
    begins(page, served)
    for _ in range(MOST_PRESSES):
        selector, key = page.until(NEXT)
        if selector == "over":
            break
        before = page.evaluate(SEEN)
        if by == "mouse":
            page.press(selector)
        else:
            page.key({"enter": ENTER}.get(key, key))
        page.until(f"{SEEN} !== {json.dumps(before)}")
    assert page.evaluate(NEXT)[0] == "over"
    page.until("document.getElementById('go').textContent.includes('Play again')")


@pytest.mark.parametrize("path", ["/", "/new", "/help", "/review", "/today", "/nowhere"])
def test_pages_fit(page: WebKit, served: Served, path: str) -> None:
    page.goto(served.url + path)
    fits(page)


def test_a_table_fits(page: WebKit, served: Served) -> None:
    begins(page, served)
    fits(page)
    page.press("#go")
    page.until("document.querySelector('#board .die:not([data-state=\"in hand\"])') !== null")
    fits(page)


def fits(page: WebKit) -> None:
    """Nothing is cut off, and nothing scrolls sideways."""
    faults = {}
    for width in WIDTHS:
        page.size(width, 900)
        page.until(f"innerWidth === {width}")
        with suppress(Failed):  # the canvas of the dice follows a frame later
            page.until(f"({FAULTS})().length === 0")
        if found := page.evaluate(f"({FAULTS})()"):
            faults[width] = found
    assert not faults
