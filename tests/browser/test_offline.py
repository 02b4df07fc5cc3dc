"""Without a network or on a slow one, a page says so, and the game continues as it was left."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.test_site import ACTIVE, READY, site_folder
from browser.visitors import CUT_OFF, Visitor
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Route

ME = {"who": "me"}
SAYS = "You are offline"


@pytest.fixture
def ann(visit: Visit) -> Iterator[Visitor]:
    """Somebody whose worker is there."""
    ann = visit(service_workers="allow")
    ann.allows.append(CUT_OFF)
    ann.goto("/help")
    ann.until(ACTIVE)  # the worker that has taken over has kept all it needs
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
    page.evaluate("() => document.fonts.ready")
    assert page.evaluate("() => document.fonts.check('700 20px \"Shutbox Serif\"')")
    ann.context.set_offline(False)  # the page hears of it
    page.wait_for_selector("#board")
    ann.ready()
    assert ann.view()["table"] == before


def test_a_form_that_meets_no_network_is_not_sent_again(ann: Visitor) -> None:
    page = ann.page
    ann.goto("/")
    ann.context.set_offline(True)
    with page.expect_navigation(url="**/offline"):
        page.locator(".begin").first.click()
    assert page.inner_text("h1") == SAYS
    ann.context.set_offline(False)
    page.wait_for_url(ann.url + "/")


def test_nothing_is_kept_but_static_files_of_this_release(visit: Visit) -> None:
    ann = visit(service_workers="allow")
    ann.page.goto("/health")
    site = f"shutbox-{ann.url}/device/-1"  # by the site without a server
    for name in ("shutbox-older", site):
        ann.page.evaluate("name => caches.open(name)", name)
    ann.goto("/help")
    ann.until(ACTIVE)
    ann.open(game="classic", seats=[ME])
    ann.press("#go")
    ann.goto("/new")
    kept = ann.run("kept")
    assert kept.pop(site) == []
    [(name, paths)] = kept.items()
    assert name != "shutbox-older"
    assert [path for path in paths if not path.startswith("/static/")] == ["/offline"]
    assert any(path.startswith("/static/pages/table.js?v=") for path in paths)


def go_wrong(route: "Route") -> None:
    route.abort("internetdisconnected")


def test_the_choice_that_was_due_waits_for_the_network(ann: Visitor) -> None:
    ann.hurries()
    ann.open(game="classic", seats=[ME])
    ann.press("#go")
    ann.page.route("**/act", go_wrong)
    before = ann.view()["table"]
    ann.page.evaluate("() => void table.play({ most: 1, undoes: false }).catch(() => {})")
    ann.says("Your last choice waits here")
    assert ann.view()["table"] == before
    ann.page.reload()  # the network is not back yet
    ann.until("table.requests.length === 7 && !table.underWay")
    ann.page.unroute("**/act")
    ann.reload()
    ann.until("table.view.table.version === value", before["version"] + 1)
    assert ann.page.evaluate("localStorage.getItem(`shutbox.waiting/${table.view.room}`)") == ""


def test_dice_in_the_hand_without_a_network_lie_down_beside_a_way_on(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ME])
    page = ann.page
    assert page.is_hidden("#offline")
    ann.context.set_offline(True)
    page.click("#go")
    page.wait_for_selector("#offline:not([hidden])")
    assert page.inner_text("#offline h2") == SAYS
    ann.says(f"{SAYS}.")
    assert page.inner_text("#go") == "Waiting for the network"
    page.click("#board .baize")  # throws nothing
    page.click("#again")
    assert page.is_visible("#offline")
    ann.context.set_offline(False)
    ann.chooses()
    page.wait_for_selector("#offline", state="hidden")
    assert page.evaluate("() => document.activeElement.id") == "go"


def test_a_choice_that_waited_too_long_is_dropped(ann: Visitor) -> None:
    ann.allows.append("409")
    ann.open(game="classic", seats=[ME])
    ann.page.route("**/act", go_wrong)
    ann.page.click("#go")
    ann.says("Your last choice waits here")
    table = ann.view()["table"]
    position = {name: table[name] for name in ("game", "version", "seat")}
    ann.post(f"/{ann.room}/act", do="throw", **position)
    moved = ann.view()["table"]
    ann.page.unroute("**/act")
    ann.reload()
    ann.says("The choice that waited here was dropped.")
    assert ann.view()["table"] == moved


def test_a_throw_that_could_not_be_saved_is_sent_again_until_it_is(ann: Visitor) -> None:
    ann.allows.append("503")
    ann.open(game="classic", seats=[ME])
    sent: list[str] = []
    says = "It could not be saved.\nTry again: it will be done only once."
    refusal = {"error": {"code": "not-kept", "message": says}}

    def full(route: "Route") -> None:
        sent.append((route.request.post_data_json or {})["action"])
        route.fulfill(status=503, json=refusal)

    again = ann.page.get_by_role("button", name="Try again")
    ann.page.route("**/act", full)
    ann.page.click("#go")
    again.wait_for()
    ann.says("Try again: it will be done only once.")
    assert len(sent) == 4  # at once, and after 1, 2 and 4 seconds
    assert len({*sent}) == 1
    ann.page.unroute("**/act")
    again.click()
    ann.chooses()
    assert not again.is_visible()
    assert "saved" not in ann.text("#caption") + ann.text("#status")


def test_after_the_third_game_the_page_offers_to_be_installed(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="six", seats=[ME])
    assert ann.run("install")
    for game in (1, 2, 3):
        assert page.is_hidden("#install")
        ann.finish()
        if game < 3:
            ann.press("#go")
    page.wait_for_selector("#install:not([hidden])")
    page.click("#install-yes")
    assert page.evaluate("() => window.prompted")
    ann.reload()
    ann.run("install")
    assert page.is_hidden("#install")


@pytest.fixture(scope="module")
def keeping(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that has the site without a server, too."""
    site = site_folder(tmp_path_factory)
    with Served(tmp_path_factory.mktemp("keeping"), "--offline", str(site)) as served:
        yield served


def test_the_game_kept_on_a_device_is_played_without_a_network(
    keeping: Served, visit: Visit
) -> None:
    ann = visit(keeping.url, service_workers="allow")
    ann.allows.append(CUT_OFF)
    page = ann.page
    ann.goto("/help")
    ann.until(ACTIVE)
    ann.menu()
    page.click("#site-keep")
    page.wait_for_selector("#site-link")
    ann.open(game="six", seats=[ME])
    ann.context.set_offline(True)
    page.click("#go")
    page.wait_for_selector("#alone:visible")
    page.goto("/")
    page.click("#alone")
    page.wait_for_selector(READY)
    page.click(".begin")
    page.wait_for_url("**/device/table.html?room=*")
    ann.ready()
    assert ann.play()["over"]
    page.click("#review")
    page.wait_for_selector("main .account")
    page.goto("/device/practice.html")
    page.wait_for_selector("#chain")
    ann.context.set_offline(False)
    page.click("#to-server")
    page.wait_for_selector(".hero")
