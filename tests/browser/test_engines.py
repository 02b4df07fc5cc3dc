"""The main paths in Firefox and WebKit: games by mouse and by keys to their end, and layout."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from browser import firefox, webkit
from browser.conftest import MEASURES
from browser.driven import ENTER, Driven, Failed
from serving import Served

ENGINES: dict[str, Any] = {
    "firefox": (firefox.missing, firefox.firefox),
    "webkit": (webkit.missing, webkit.webkit),
}
WIDTHS = (320, 390, 768, 1440)
MOST_PRESSES = 120

NEXT, SEEN = f"({MEASURES}).next()", f"({MEASURES}).seen()"


@pytest.fixture(scope="module", params=ENGINES)
def browser(request: pytest.FixtureRequest) -> Iterator[Driven]:
    """One browser of each kind for all tests here."""
    missing, run = ENGINES[request.param]
    if lacks := missing():
        pytest.skip(f"this system has no {lacks}")
    with run() as engine:
        yield engine


@pytest.fixture
def page(browser: Driven) -> Iterator[Driven]:
    browser.logged.clear()
    browser.size(1440, 900)
    yield browser
    assert not browser.logged


def begins(page: Driven, served: Served, game: str) -> None:
    """A game alone, from its card on the first page; the usual one by the first button."""
    page.goto(served.url)
    if game == "classic":
        page.press(".begin")
    else:
        card = f".gallery button[value='{game}']"
        page.evaluate(f'document.querySelector("{card}").click()')
    page.until("location.pathname.startsWith('/r/') && document.documentElement.matches('.live')")


@pytest.mark.parametrize(
    ("game", "by"),
    [("classic", "mouse"), ("classic", "keys"), ("double-shutter", "mouse"), ("cargo", "mouse")],
)
def test_a_game_is_played_to_its_end(page: Driven, served: Served, game: str, by: str) -> None:
    begins(page, served, game)
    for _ in range(MOST_PRESSES):
        selector, key = page.until(NEXT)
        if selector == "over":
            break
        before = page.evaluate(SEEN)
        if by == "mouse":
            page.press(selector)
        else:
            # A headless Firefox has no focus, and then clicks no focused button at Enter.
            page.evaluate("document.activeElement.blur()")
            page.key({"enter": ENTER}.get(key, key))
        page.until(f"{SEEN} !== {json.dumps(before)}")
    assert page.evaluate(NEXT)[0] == "over"
    page.until("document.getElementById('go').textContent.includes('Play again')")


@pytest.mark.parametrize("path", ["/", "/new", "/help", "/review", "/today", "/nowhere"])
def test_pages_fit(page: Driven, served: Served, path: str) -> None:
    page.goto(served.url + path)
    page.logged.clear()  # that there is no such page
    fits(page)


def test_a_table_fits(page: Driven, served: Served) -> None:
    begins(page, served, "classic")
    fits(page)
    page.press("#go")
    page.until("document.querySelector('#board .die:not([data-state=\"in hand\"])') !== null")
    fits(page)


def fits(page: Driven) -> None:
    """Nothing is cut off, and nothing scrolls sideways."""
    faults = {}
    for width in WIDTHS:
        page.size(width, 900)
        page.until(f"innerWidth === {width}")
        with suppress(Failed):  # the canvas of the dice follows a frame later
            page.until(f"({MEASURES}).fits().length === 0")
        if misfits := page.evaluate(f"({MEASURES}).fits()"):
            faults[width] = misfits
    assert not faults
