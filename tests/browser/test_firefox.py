"""The main paths in Firefox: a game by mouse and by keys to its end, layout, and axe-core."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from browser.firefox import ENTER, Firefox, firefox, is_there
from browser.visitors import ANN
from serving import Served

WATCH = Path(__file__).parent / "watch.js"
WIDTHS = ((320, 640), (390, 664), (768, 900), (1440, 900))
OPEN = """fetch("/api/rooms", {{
    method: "POST",
    headers: {{ "Content-Type": "application/json" }},
    body: JSON.stringify({{ action: crypto.randomUUID(), ...{about} }}),
}}).then((reply) => reply.json()).then((opened) => opened.view.room)"""
THROWN = "table.view.table.does === 'choose' && table.faults().length === 0"


@pytest.fixture(scope="module")
def page() -> Iterator[Firefox]:
    """One browser for all tests here."""
    if not is_there():
        pytest.skip("this system has no Firefox")
    if find_spec("websockets") is None:
        pytest.skip("websockets is not installed")
    with firefox() as browser:
        browser.before_pages(WATCH.read_text(encoding="utf-8"))
        yield browser


@pytest.fixture(autouse=True)
def _without_errors(page: Firefox) -> Iterator[None]:
    page.logged.clear()
    page.size(1440, 900)
    yield
    assert not page.logged


def opens(page: Firefox, served: Served, **about: object) -> None:
    """A new table, and its page."""
    page.goto(f"{served.url}/help")
    room = page.evaluate(OPEN.format(about=json.dumps(about)))
    page.goto(f"{served.url}/r/{room}")
    page.until("document.documentElement.classList.contains('live') && table.view !== null")


def test_one_press_on_the_first_page_begins_a_game(page: Firefox, served: Served) -> None:
    page.goto(served.url)
    page.press("main form[action='/play'] button")
    page.until("location.pathname.startsWith('/r/') && Boolean(window.table?.view?.table)")


def test_the_mouse_and_the_keys_play(page: Firefox, served: Served) -> None:
    opens(page, served, game="classic", seats=[ANN])
    page.press("#go")
    page.until(THROWN)
    tile = page.evaluate("table.view.table.offers.find(({ takes }) => takes.length).takes[0]")
    page.press(f"#board [data-key='{tile}'] > *")
    assert page.until("[...document.querySelectorAll('#board [aria-pressed=true]')].length") == 1
    page.key("\ue00c")  # Escape clears
    page.until("document.querySelectorAll('#board [aria-pressed=true]').length === 0")
    for key in page.evaluate("table.view.table.offers.find(({ takes }) => takes.length).takes"):
        page.press(f"#board [data-key='{key}'] > *")
    before = page.evaluate("table.view.number")
    page.key(ENTER)
    page.until(f"table.view.number > {before}")


@pytest.mark.parametrize("game", ["classic", "cargo", "double-shutter"])
def test_a_game_is_played_to_its_end(page: Firefox, served: Served, game: str) -> None:
    """By clicks; after each one the page shows what the server tells."""
    opens(page, served, game=game, seats=[ANN, {"who": "computer:fewest"}])
    seen = page.evaluate("table.play({ undoes: false })")
    assert seen["over"]
    assert page.evaluate("table.view.phase") == "over"


@pytest.mark.parametrize("path", ["/", "/new", "/help", "/review"])
def test_pages_fit(page: Firefox, served: Served, path: str) -> None:
    page.goto(served.url + path)
    check_fits(page)


@pytest.mark.parametrize("game", ["classic", "the-300", "pub"])
def test_tables_fit(page: Firefox, served: Served, game: str) -> None:
    opens(page, served, game=game, seats=[ANN, {"who": "computer:fewest"}])
    check_fits(page)
    page.evaluate("table.play({ most: 1, undoes: false })")
    check_fits(page)


def check_fits(page: Firefox) -> None:
    """Nothing is scrolled sideways, at any width."""
    for width, height in WIDTHS:
        page.size(width, height)
        page.until(f"innerWidth === {width}")
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, f"{wide} at {width}"


def test_axe_finds_nothing(page: Firefox, served: Served) -> None:
    package = find_spec("axe_playwright_python")
    if package is None or package.origin is None:
        pytest.skip("axe-core is not installed")
    axe = Path(package.origin).with_name("axe.min.js").read_text(encoding="utf-8")
    run = (
        "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>"
        " violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`))"
    )
    page.goto(served.url)
    page.evaluate(f"(() => {{ {axe} }})() || true")
    assert page.evaluate(run) == []
    opens(page, served, game="pub", seats=[ANN, {"who": "computer:fewest"}])
    page.evaluate(f"(() => {{ {axe} }})() || true")
    assert page.evaluate(run) == []
    page.evaluate("table.play({ undoes: false })")
    assert page.evaluate(run) == []
