"""Pages write nothing to the browser's console while all goes well."""

from typing import TYPE_CHECKING

from browser.conftest import Visit
from browser.visitors import ANN, LINK, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage

PAGES = ["/", "/new", "/today", "/analysis", "/practice", "/games", "/review", "/help", "/settings"]


def lines_of(visitor: Visitor) -> list[str]:
    """What the pages of this visitor write from now on."""
    lines: list[str] = []

    def note(line: "ConsoleMessage") -> None:
        if "blocked by Playwright" not in line.text:  # the worker, which these visitors do without
            lines.append(f"{line.type}: {line.text}")

    visitor.page.on("console", note)
    return lines


def test_an_invitation_opens_without_a_word(visit: Visit) -> None:
    """Where a name is asked for, where somebody comes back, and where somebody watches."""
    ann, bob, cid = visit(), visit(), visit()
    room = ann.open(game="classic", seats=[ANN, LINK])
    links = ann.page.evaluate("() => [table.you.links.seats[1], table.you.links.watch]")
    written = [lines_of(visitor) for visitor in (ann, bob, cid)]
    bob.page.goto(links[0])
    bob.page.wait_for_selector("#name-table")
    bob.page.fill("#name", "Bob")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_url(f"**/r/{room}")
    bob.ready()
    again = bob.page.evaluate("() => table.you.links.seats[1]")
    bob.page.goto("/help")
    bob.page.goto(again)
    bob.ready()
    cid.page.goto(links[1])
    cid.page.wait_for_url(f"**/r/{room}")
    cid.ready()
    ann.page.wait_for_selector("#table:not([hidden])")
    assert written == [[], [], []]


def test_no_page_writes_into_the_console(ann: Visitor) -> None:
    written = lines_of(ann)
    for path in PAGES:
        ann.page.goto(path)
        ann.page.wait_for_load_state("networkidle")
    ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    for link in ("#review", "#steps"):
        address = ann.page.get_attribute(link, "href")
        assert address
        ann.page.goto(address)
        ann.page.wait_for_load_state("networkidle")
        ann.page.go_back()
        ann.ready()
    assert written == []
