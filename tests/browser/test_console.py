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


def test_the_first_die_of_an_analysis_is_no_mistake(ann: Visitor) -> None:
    """Nothing is refused, nothing moves, and it stays pressed until the second one is."""
    page, written = ann.page, lines_of(ann)
    page.goto("/analysis")
    page.wait_for_selector("html.live")
    top = """() => ["setup", "position"].map(
        (id) => document.getElementById(id).getBoundingClientRect().top)"""
    before, title = page.evaluate(top), page.title()
    for die, face, then in (
        ("die0", 4, "/analysis?"),
        ("die1", 6, "/p/"),
        ("die0", 0, "/analysis?"),
    ):
        press = page.locator(f"#setup label:has([name={die}][value='{face}'])")
        with page.expect_response(lambda reply: "/analysis" in reply.url or "/p/" in reply.url):
            press.click()
        page.wait_for_url(f"**{then}**")
        assert page.locator("#fault > *").count() == 0
        assert page.evaluate(top) == before
        assert press.locator("input").is_checked()
        is_whole = then == "/p/"
        assert (page.inner_text("#sum") != "") == is_whole
        assert page.title() == (
            "Classic, 4 and 6 thrown, 1 2 3 4 5 6 7 8 9 up: shutbox" if is_whole else title
        )
    page.reload()
    assert page.locator("#setup [name=die1][value='6']").is_checked()
    assert written == []


def test_no_page_writes_into_the_console(ann: Visitor) -> None:
    written = lines_of(ann)
    for path in PAGES:
        ann.page.goto(path)
        ann.page.wait_for_load_state("networkidle")
    ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    address = ann.page.get_attribute("#review", "href") or ""
    for more in ("", "&watch=1"):
        ann.page.goto(address + more)
        ann.page.wait_for_load_state("networkidle")
        ann.page.go_back()
        ann.ready()
    assert written == []
