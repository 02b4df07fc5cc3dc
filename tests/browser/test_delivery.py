"""The requests of a first and a second visit, and the rendering of the font."""

from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import Visitor

ME = {"who": "me"}
MOST_REQUESTS = 12
"""Of one page, with its own address and its stream."""
PAGES = ("/", "/new", "/r/nowhere", "/practice", "/p/classic:1.5.9/2+2")


def asked(ann: Visitor, path: str) -> list[str]:
    """What is asked of the network when somebody goes there: nothing that comes from a cache."""
    protocol = ann.context.new_cdp_session(ann.page)
    protocol.send("Network.enable")
    sent: dict[str, str] = {}

    def begun(event: dict[str, Any]) -> None:
        sent[str(event["requestId"])] = event["request"]["url"].removeprefix(ann.url)

    def kept(event: dict[str, Any]) -> None:
        if event.get("response", {"fromDiskCache": True}).get("fromDiskCache"):
            sent.pop(event["requestId"], None)

    protocol.on("Network.requestWillBeSent", begun)
    protocol.on("Network.requestServedFromCache", kept)
    protocol.on("Network.responseReceived", kept)
    ann.page.goto(path, wait_until="networkidle")
    ann.ready()
    protocol.detach()
    return list(sent.values())


@pytest.mark.parametrize("path", [*PAGES, "table"])
def test_a_page_asks_for_few_files_and_at_a_second_visit_for_none(ann: Visitor, path: str) -> None:
    ann.allows.append("404|403")
    if is_table := path == "table":
        path = f"/r/{ann.open(game='classic', seats=[ME])}"
    first = asked(ann, path)
    assert is_table or path in first
    assert len(first) <= MOST_REQUESTS - is_table, first  # its stream is one more
    assert all("?v=" in each for each in first if each.startswith("/static/")), first
    ann.page.goto("about:blank")
    # A page that never changes is kept, too.
    assert asked(ann, path) in ([path], [path] if is_table else [])


@pytest.mark.parametrize(("path", "most"), [("/", 90_000), ("table", 150_000)])
def test_a_first_visit_brings_few_bytes(visit: Visit, path: str, most: int) -> None:
    """With the font, with the heads of all answers."""
    ann = visit()
    if path == "table":
        path = f"/r/{ann.open(game='classic', seats=[ME])}"
        [cookie] = ann.context.cookies()
        ann = visit()
        ann.context.add_cookies(
            [{"name": cookie["name"], "value": cookie["value"], "url": ann.url}]
        )
    protocol = ann.context.new_cdp_session(ann.page)
    protocol.send("Network.enable")
    sizes: list[float] = []
    protocol.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    ann.page.goto(path, wait_until="networkidle")
    ann.ready()
    assert len(sizes) > 5
    assert 20_000 < sum(sizes) <= most, sizes


@pytest.mark.parametrize("scripted", [True, False])
def test_the_pages_are_in_a_menu_on_a_phone(visit: Visit, scripted: bool) -> None:
    ann = visit(java_script_enabled=scripted, viewport={"width": 320, "height": 600})
    page = ann.page
    page.goto("/")
    ann.ready()
    pages = page.get_by_role("navigation", name="Pages")
    assert pages.count() == 0
    page.get_by_text("Menu", exact=True).click()
    pages.get_by_role("link", name="Learn").click()
    page.wait_for_url("**/learn")
    page.set_viewport_size({"width": 1000, "height": 600})
    assert pages.get_by_role("link").all_inner_texts() == ["Play", "Today", "Learn", "My games"]
    assert pages.get_by_role("link", name="Learn").get_attribute("aria-current") == "page"
    assert not page.get_by_text("Menu", exact=True).is_visible()


def test_the_menu_of_a_table_closes_and_gives_the_focus_back(visit: Visit) -> None:
    """To the main button, so that Enter plays on. A press beside it reaches nothing below it."""
    ann = visit(viewport={"width": 390, "height": 844})
    page, menu = ann.page, ann.page.locator("#menu > summary")
    ann.open(game="classic", seats=[ME])
    menu.click()
    page.mouse.click(195, 824)
    assert page.locator("#menu[open]").count() == 0
    assert ann.view()["number"] == ann.page.evaluate("() => table.view.number")
    menu.click()
    page.get_by_role("button", name="Players").click()
    assert page.locator("#menu[open]").count() == 0
    assert page.locator("#tool-seating .drawer:focus").is_visible()
    page.keyboard.press("Escape")
    assert ann.focus() == "go"
