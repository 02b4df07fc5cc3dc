"""A player's own data: games moved to another device, the name, giving up alone, and deletion."""

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

    there, key, sent = other.page, link.partition("#")[2], list[str]()
    there.on("request", lambda request: sent.append(f"{request.url} {request.headers}"))
    there.goto(link)
    there.get_by_role("button", name="Add them here").wait_for()
    assert there.url == f"{ann.url}/games/take"  # the key is not left there for others to see
    assert not there.get_by_label("The link from your other device").is_visible()
    check(other)
    there.get_by_role("button", name="Add them here").click()
    there.get_by_text("1 table from your other device is here now.").wait_for()
    there.get_by_role("link", name="Classic").click()
    other.ready()
    assert other.room == room
    assert there.evaluate("() => table.you.seats") == [0]
    assert not [request for request in sent if key in request]

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
    assert ann.page.input_value("#key") == ""
    ann.page.evaluate("location.hash = 'a-key'")
    ann.until("document.getElementById('by-hand').hidden")
    assert ann.page.input_value("#key") == "a-key"


def test_a_name_changes_and_a_game_alone_is_given_up(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    ann.drawer("seating")
    page.get_by_text("Ann: another name").click()
    ann.allows.append("status of 422")
    for name, kept in (("!!!", ""), ("Zoe", "Zoe")):
        page.evaluate("localStorage.setItem('shutbox.name', '!!!')")  # typed in the settings
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Change").click()
        ann.until("localStorage.getItem('shutbox.name') === value", kept)
    page.get_by_text("Zoe: another name").wait_for()
    ann.agrees()
    ann.menu()
    page.get_by_role("button", name="Give up this game").click()
    page.get_by_role("button", name="Play again").first.wait_for()
    assert page.evaluate("table.view.phase") == "ended"


def test_after_deletion_the_browser_has_the_settings_only(check: Check, ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    page.goto("/games")
    page.evaluate("localStorage.setItem('shutbox.name', 'Ann')")
    page.evaluate("localStorage.setItem('shutbox', JSON.stringify({ look: 'dark' }))")
    page.get_by_text("Keep them").click()
    page.get_by_role("link", name="Delete my data").click()
    page.get_by_role("button", name="Delete my data").click()
    page.get_by_role("heading", name="Your data is deleted").wait_for()
    check(ann)
    ann.until("Object.keys(localStorage).join() === 'shutbox'")
    assert page.evaluate("JSON.parse(localStorage.shutbox).look") == "dark"
    assert not [cookie for cookie in ann.context.cookies() if cookie["name"] == "device"]
    page.goto("/games")
    page.get_by_text("No games yet on this device.").wait_for()
