"""Many pages at once, slow and odd ones, and refusals."""

from typing import TYPE_CHECKING

from browser.visitors import ANN, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Route


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
