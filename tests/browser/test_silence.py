"""A network that fails silently: the page notices, says so, and reconnects by itself."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor
from browser.wire import Wire
from people import Person
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Route

PATIENCE = (
    ("SILENT_MS=40_000", "SILENT_MS=1_500"),
    ("HANGING_MS=12_000", "HANGING_MS=2_500"),
)
"""What the page waits, and what it waits here."""


@pytest.fixture
def wire(served: Served) -> Iterator[Wire]:
    wire = Wire(served.port)
    yield wire
    wire.close()


@pytest.fixture
def bob(visit: Visit, wire: Wire) -> Visitor:
    """Somebody behind the wire, whose page has less patience."""

    def hurried(route: "Route") -> None:
        response = route.fetch()
        text = response.text()
        for before, after in PATIENCE:
            text = text.replace(before, after)
        route.fulfill(response=response, body=text)

    bob = visit(wire.url)
    bob.allows += ["WebSocket connection to", "ERR_"]
    bob.context.route(re.compile(r"\.js(\?|$)"), hurried)
    return bob


def test_a_page_that_hears_nothing_any_more_comes_back(
    bob: Visitor, wire: Wire, served: Served
) -> None:
    bob.open(game="classic", seats=[{"who": "me", "name": "Bob"}])
    bob.page.evaluate("() => { window.neverLeft = true; }")
    key = bob.page.locator("#seats input").first.input_value().partition("#")[2]
    wire.cut()
    with served.client(headers={"Authorization": f"Bearer {key}"}) as client:
        other = Person(client)
        other.step(bob.room, other.table(bob.room))
        number = other.get(f"/api/rooms/{bob.room}").json()["view"]["number"]
    bob.says("Connection lost. Reconnecting…")
    assert bob.page.evaluate("() => table.view.number") < number
    wire.mend()
    bob.says("The connection is back.")
    bob.shows(number)
    assert bob.page.evaluate("() => window.neverLeft")


def test_what_was_sent_into_the_void_is_sent_again_and_done_once(bob: Visitor, wire: Wire) -> None:
    bob.open(game="classic")
    before = bob.view()["table"]["version"]
    wire.cut()
    bob.page.click("#go")
    bob.says("The server has not answered yet. Still trying…")
    wire.mend()
    # At the worst six connections hang before one is new.
    bob.page.wait_for_function("() => table.replies === 1", timeout=60_000)
    bob.shown()
    assert bob.page.evaluate("() => table.view.table.version") == before + 1


def test_a_page_that_nobody_sees_seldom_tries_to_connect(ann: Visitor) -> None:
    """So pages left in other tabs while the server is away keep no page that is seen waiting.

    Firefox connects one socket to an address at a time, and lets one that has failed often wait
    for up to a minute, and all others behind it.
    """
    ann.page.clock.install()
    ann.stub("withoutConnection")
    ann.open(game="classic", seats=[ANN])

    def tries_in(milliseconds: int) -> int:
        before: int = ann.page.evaluate("() => tries")
        ann.page.clock.run_for(milliseconds)
        after: int = ann.page.evaluate("() => tries")
        return after - before

    assert tries_in(60_000) > 20, "who looks at it is connected soon"
    ann.page.evaluate("() => { window.isLeft = true; }")
    tries_in(300_000)
    most = 70  # fewer than one a minute, after the first ones
    assert tries_in(3_600_000) < most
    tries: int = ann.page.evaluate(
        """() => {
            window.isLeft = false;
            document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
            return window.tries;
        }"""
    )
    ann.page.clock.run_for(100)
    assert ann.page.evaluate("() => tries") == tries + 1, "and at once when it is looked at again"
