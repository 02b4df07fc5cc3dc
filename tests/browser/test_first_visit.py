"""The first page: what a visit brings, the menu, the filters for boxes, and the doors."""

from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import Visitor

ME = {"who": "me"}
MOST_REQUESTS = 12
"""Of one page, with its own address and its stream."""
PAGES = ("/", "/new", "/r/nowhere", "/practice", "/p/classic:1.5.9/2+2")


def requested(ann: Visitor, path: str) -> tuple[list[str], float]:
    """Open a page. Return what it asks of the network, not of a cache, and how many bytes come."""
    protocol = ann.context.new_cdp_session(ann.page)
    protocol.send("Network.enable")
    sent: dict[str, str] = {}
    sizes: list[float] = []

    def begun(event: dict[str, Any]) -> None:
        sent[str(event["requestId"])] = event["request"]["url"].removeprefix(ann.url)

    def kept(event: dict[str, Any]) -> None:
        if event.get("response", {"fromDiskCache": True}).get("fromDiskCache"):
            sent.pop(event["requestId"], None)

    protocol.on("Network.requestWillBeSent", begun)
    protocol.on("Network.requestServedFromCache", kept)
    protocol.on("Network.responseReceived", kept)
    protocol.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    ann.page.goto(path, wait_until="networkidle")
    ann.ready()
    protocol.detach()
    return list(sent.values()), sum(sizes)


@pytest.mark.parametrize("path", [*PAGES, "table"])
def test_a_page_asks_for_few_files_and_at_a_second_visit_for_none(ann: Visitor, path: str) -> None:
    """And for few bytes, with the font and the heads of all answers."""
    ann.allows.append("404|403")
    is_table = path == "table"
    if is_table:
        path = f"/r/{ann.post('', game='classic', seats=[ME])['view']['room']}"
    first, size = requested(ann, path)
    assert path in first
    assert len(first) <= MOST_REQUESTS, first
    assert all("?v=" in each for each in first if each.startswith("/static/")), first
    assert 20_000 < size <= (90_000 if path == "/" else 151_000)
    ann.page.goto("about:blank")
    again, _ = requested(ann, path)
    # A page that never changes is kept, too.
    assert again in ([path], [path] if is_table else [])


@pytest.mark.parametrize("scripted", [True, False])
def test_the_pages_are_in_a_menu_on_a_phone(visit: Visit, scripted: bool) -> None:
    ann = visit(java_script_enabled=scripted, size=(320, 600))
    page = ann.page
    ann.goto("/")
    pages = page.get_by_role("navigation", name="Pages")
    assert pages.count() == 0
    page.get_by_text("Menu", exact=True).click()
    pages.get_by_role("link", name="Learn").click()
    page.wait_for_url("**/learn")
    ann.resize(1000, 600)
    assert pages.get_by_role("link").all_inner_texts() == ["Play", "Today", "Learn", "My games"]
    assert pages.get_by_role("link", name="Learn").get_attribute("aria-current") == "page"
    assert not page.get_by_text("Menu", exact=True).is_visible()


expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def test_boxes_are_chosen_at_once_and_the_address_keeps_it(ann: Visitor) -> None:
    page = ann.page
    ann.goto("/")
    page.evaluate("() => { window.neverLeft = true; }")
    shown = page.locator("#gallery [data-length]:not([hidden])")
    assert page.locator("#gallery li:visible").count() == 6
    page.get_by_text("All 29 boxes").click()
    number = shown.count()
    page.get_by_text("Filter", exact=True).click()
    page.get_by_label("Length").select_option("long")
    assert 0 < shown.count() < number
    page.get_by_label("Luck or skill").select_option("skill")
    titles = shown.locator("strong").all_inner_texts()
    assert "Full House" in titles
    assert "Lucky Seven" not in titles
    assert page.evaluate("() => window.neverLeft")
    ann.reload()
    assert shown.locator("strong").all_inner_texts() == titles
    page.get_by_label("Length").select_option("short")
    expect(page.get_by_text("No box is like that")).to_be_visible()


def test_each_door_is_one_press(ann: Visitor) -> None:
    page = ann.page
    doors = {"Play alone": 1, "Play the computer": 2, "Invite a friend": 2, "Play today's box": 1}
    for door, seats in doors.items():
        ann.goto("/")
        with page.expect_navigation(url="**/r/*"):
            page.get_by_role("button", name=door).click()
        assert len(ann.view()["seats"]) == seats
    page.goto("/")
    expect(page.get_by_role("button", name="Continue today's box")).to_be_visible()


def test_todays_box_is_on_the_first_screen_of_a_phone(ann: Visitor) -> None:
    for width, height in ((320, 640), (390, 844), (844, 390)):
        ann.resize(width, height)
        ann.page.goto("/")
        for box in ann.boxes(".show .well, .show .main"):
            assert box["y"] + box["height"] <= height, width
    assert ann.page.get_by_role("heading", name="Shut the Box").count() == 1  # for the ear
