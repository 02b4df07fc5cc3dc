"""Many pages at once, slow and odd ones, and refusals."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route


def test_eight_pages_of_one_browser_are_all_live(ann: Visitor) -> None:
    room = ann.open(game="classic", seats=[ANN])
    pages: list[Page] = [ann.page]
    for _ in range(7):
        pages.append(ann.tab())
        ann.go_to(room)
    for page in pages:
        ann.page = page
        before = ann.view()
        if before["phase"] != "playing":
            break
        ann.play(most=1, undoes=False)
        number = ann.view()["number"]
        assert number > before["number"]
        for other in pages:
            ann.page = other
            ann.shows(number)


ODD = {
    "markup": "<img src><b>Ann</b>",
    "emoji": "🎲🚀🇫🇷 Zoë",
    "long": "W" * 24,
    "right to left": "שרה אדמון",
    "template": "{{ 7*7 }}</script>",
}


@pytest.mark.parametrize("name", ODD.values(), ids=ODD)
def test_any_name_is_text(ann: Visitor, name: str) -> None:
    other = "Bob & <i>'`"
    ann.open(game="pub", seats=[{"who": "me", "name": name}, {"who": "here", "name": other}])
    names = [seat["name"] for seat in ann.view()["seats"]]
    assert ann.page.locator("#seats .who").all_text_contents() == names
    assert ann.page.locator("#plates bdi").all_inner_texts() == names
    assert names == [" ".join(name.replace("=", " ").split()), other]
    ann.play(most=2, undoes=False)
    assert ann.page.locator("main img, main b, main i").count() == 0
    for width in (320, 1280):
        ann.page.set_viewport_size({"width": width, "height": 800})
        assert not ann.page.evaluate(
            "() => document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )


def test_a_double_click_on_a_slow_line_does_one_thing(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    held: list[Route] = []
    ann.page.route("**/act", lambda route: held.append(route))
    before = ann.view()["table"]["version"]
    ann.page.dblclick("#go")
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_function("() => table.requests.length > 0")
    assert ann.page.evaluate("() => table.requests.length") == 1
    while not held:
        ann.page.wait_for_timeout(10)
    for route in held:
        route.continue_()
    ann.page.wait_for_function("() => table.replies === 1")
    ann.shown()
    assert len(held) == 1
    assert ann.view()["table"]["version"] == before + 1


def test_two_pages_that_do_the_same_do_it_once(ann: Visitor) -> None:
    """The second one is out of date; it says so, and shows how things stand."""
    ann.allows.append("status of 409")
    room = ann.open(game="classic", seats=[ANN])
    first = ann.page
    ann.tab()
    ann.go_to(room)
    second = ann.page
    # The second page does not hear that the first has thrown.
    second.evaluate(
        """() => {
            window.WebSocket = class extends EventTarget { readyState = 3; };
            table.socket.close();
        }"""
    )
    ann.page = first
    first.click("#go")
    first.wait_for_function("() => table.replies === 1")
    ann.page = second
    number = ann.view()["number"]
    second.click("#go")
    second.wait_for_function("() => table.told.length > 0")
    ann.shows(number)
    assert ann.view()["number"] == number


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("limited")
    with Served(folder, deals=("limited", ""), limited=True) as served:
        yield served


def test_too_often_is_a_sentence(visit: Visit, limited: Served) -> None:
    ann = visit(limited.url)
    ann.allows.append("status of 429")
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    ann.page.evaluate(
        "room => Promise.all(Array.from({ length: 61 }, () => fetch(`/api/rooms/${room}/hint`)))",
        ann.room,
    )
    ann.page.click("#hint")
    ann.says("come back in")
    assert ann.play(undoes=False)["over"]
