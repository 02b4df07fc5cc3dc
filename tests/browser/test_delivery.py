"""What a browser asks for at a first visit and at a second, and what it shows of the type."""

from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import Visitor

ME = {"who": "me"}
MOST_REQUESTS = 12
"""Of one page, with its own address and its stream."""
PAGES = ("/", "/new", "/replay", "/help", "/r/nowhere")


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


@pytest.mark.parametrize("path", PAGES)
def test_a_page_asks_for_few_files_and_at_a_second_visit_for_none(visit: Visit, path: str) -> None:
    ann = visit()
    ann.allows.append("404|403")
    first = asked(ann, path)
    assert path in first
    assert len(first) <= MOST_REQUESTS, first
    assert all("?v=" in each for each in first if each.startswith("/static/")), first
    ann.page.goto("about:blank")
    assert asked(ann, path) == [path]


def test_a_table_asks_for_few_files_and_at_a_second_visit_for_none(ann: Visitor) -> None:
    room = ann.open(game="classic", seats=[ME])
    table = f"/r/{room}"
    first = asked(ann, table)
    assert len(first) < MOST_REQUESTS, first  # its stream is one more
    ann.page.goto("about:blank")
    second = asked(ann, table)
    assert [each for each in second if each.startswith("/static/")] == []
    assert table in second


def test_headings_and_the_brand_stand_in_the_font_of_the_house(ann: Visitor) -> None:
    ann.page.goto("/help")
    ann.ready()
    ann.page.evaluate("() => document.fonts.ready")
    assert ann.page.evaluate("() => document.fonts.check('700 20px \"Shutbox Serif\"')")
    faces = ann.page.evaluate(
        "() => [...document.fonts].filter((f) => f.status === 'loaded').map((f) => f.family)"
    )
    assert any("Shutbox Serif" in face for face in faces), faces
    family = ann.page.evaluate("() => getComputedStyle(document.querySelector('h1')).fontFamily")
    assert family.startswith('"Shutbox Serif"')
