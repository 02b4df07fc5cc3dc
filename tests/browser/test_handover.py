"""Moving games with a link from one device to another."""

from browser.conftest import Check, Visit
from browser.visitors import ANN, Visitor

LINK = {"who": "link", "name": "Bob"}


def test_a_link_is_made_and_another_device_plays_on(
    check: Check, ann: Visitor, visit: Visit
) -> None:
    page, other = ann.page, visit()
    room = ann.open(game="classic", seats=[ANN, LINK], format="rounds=1,order=seats")
    page.goto("/games")
    page.get_by_text("Keep them").click()
    page.get_by_role("button", name="Use them on another device").click()
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("status").get_by_text("Link copied.").wait_for()
    link: str = page.evaluate("navigator.clipboard.readText()")
    assert link == page.get_by_label("Link to your games").input_value()
    assert link.startswith(f"{ann.url}/games/take#")
    assert page.locator("img[src^='data:image/svg']").evaluate("one => one.naturalWidth > 0")
    check(ann)

    there, key, requests = other.page, link.partition("#")[2], []
    there.on(
        "request",
        lambda request: requests.append((request.url, request.headers.get("referer", ""))),
    )
    there.goto(link)
    there.get_by_role("button", name="Add them here").wait_for()
    assert (
        there.url == f"{ann.url}/games/take"
    )  # it does not stand in the address for others to see
    assert not there.get_by_label("The link from your other device").is_visible()
    check(other)
    there.get_by_role("button", name="Add them here").click()
    there.get_by_text("1 table from your other device is here now.").wait_for()
    there.get_by_role("link", name="Classic").click()
    other.ready()
    assert other.room == room
    assert there.evaluate("() => table.you.seats") == [0]
    assert not any(key in part for request in requests for part in request)
    check(other)

    # A second device is told why nothing comes.
    late = visit()
    late.allows.append("409")
    late.page.goto(link)
    late.page.get_by_role("button", name="Add them here").click()
    late.page.get_by_role("alert").get_by_text("This link was used").wait_for()
    check(late)


def test_a_link_that_comes_to_an_open_page_is_taken_too(ann: Visitor) -> None:
    ann.page.goto("/games/take")
    assert ann.page.get_by_label("The link from your other device").is_visible()
    ann.page.locator(".skip").press("Enter")
    ann.page.wait_for_url("**#main")  # which is no key
    assert ann.page.locator("#key").input_value() == ""
    ann.page.evaluate("location.hash = 'a-key'")
    ann.page.wait_for_function("() => document.getElementById('by-hand').hidden")
    assert ann.page.locator("#key").input_value() == "a-key"
