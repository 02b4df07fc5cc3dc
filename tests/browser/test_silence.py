"""A network that fails silently: the page notices, says so, and reconnects by itself."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import Visitor
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
