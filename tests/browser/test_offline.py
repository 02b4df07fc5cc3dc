"""Without a network, a page says so. With it again, the game continues as it was left."""

from collections.abc import Iterator

import pytest

from browser.conftest import Visit
from browser.visitors import Visitor

ME = {"who": "me"}
SAYS = "You are offline"


@pytest.fixture
def ann(visit: Visit) -> Iterator[Visitor]:
    """Somebody whose worker is there."""
    ann = visit(service_workers="allow")
    ann.allows.append("ERR_INTERNET_DISCONNECTED")
    ann.page.goto("/help")
    ann.ready()
    # The worker that has taken over has kept all it needs.
    ann.page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    yield ann
    ann.context.set_offline(False)


def test_a_page_says_that_there_is_no_network_and_comes_back_with_it(ann: Visitor) -> None:
    page = ann.page
    room = ann.open(game="classic", seats=[ME])
    ann.press("#go")
    before = ann.view()["table"]
    ann.context.set_offline(True)
    page.goto(f"/r/{room}")
    assert page.inner_text("h1") == SAYS
    assert page.locator("#board").count() == 0  # nothing of a table, however old
    family = page.evaluate("() => getComputedStyle(document.querySelector('h1')).fontFamily")
    assert family.startswith('"Shutbox Serif"')
    page.evaluate("() => document.fonts.ready")
    assert page.evaluate("() => document.fonts.check('700 20px \"Shutbox Serif\"')")
    ann.context.set_offline(False)  # the page hears of it
    page.wait_for_selector("#board")
    ann.ready()
    assert ann.view()["table"] == before


def test_a_form_that_meets_no_network_is_not_sent_again(ann: Visitor) -> None:
    page = ann.page
    page.goto("/")
    ann.ready()
    ann.context.set_offline(True)
    with page.expect_navigation(url="**/offline"):
        page.locator(".begin button").first.click()
    assert page.inner_text("h1") == SAYS
    ann.context.set_offline(False)
    page.wait_for_url(ann.url + "/")


def test_nothing_is_kept_but_static_files(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ME])
    ann.press("#go")
    page.goto("/new")
    ann.ready()
    kept = page.evaluate(
        """async () => {
            const found = [];
            for (const name of await caches.keys()) {
                for (const { url } of await (await caches.open(name)).keys()) found.push(url);
            }
            return found.map((url) => url.replace(location.origin, ""));
        }"""
    )
    others = [path for path in kept if not path.startswith("/static/")]
    assert others == ["/offline"]
    assert any(path.startswith("/static/pages/table.js?v=") for path in kept)


def test_what_an_older_release_kept_is_forgotten(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    page = ann.page
    page.goto("/health")
    page.evaluate("() => caches.open('shutbox-older')")
    page.goto("/help")
    page.wait_for_function("() => navigator.serviceWorker.controller?.state === 'activated'")
    names = page.evaluate("() => caches.keys()")
    assert "shutbox-older" not in names
    assert len(names) == 1
