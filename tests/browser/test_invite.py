"""Invitations: sharing a link by the share menu, by copying or as a QR code, and following it."""

from typing import TYPE_CHECKING

from browser.conftest import Visit
from browser.visitors import ANN, LINK, Visitor
from listing import assert_none
from outside.test_links import KEY, LINKS
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Route

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
SEATS = [ANN, {"who": "link", "name": "Bob"}]
ASKED = "status of (403|422)"
"""Before somebody is let in."""
CLIPBOARD = ["clipboard-read", "clipboard-write"]
COPIED = "() => navigator.clipboard.readText()"
STATES = "table.view.seats.map(({ state }) => state).join()"


def invites(host: Visitor) -> None:
    """Press the door for a friend on the first page."""
    host.page.goto("/")
    with host.page.expect_navigation(url="**/r/*"):
        host.page.get_by_role("button", name="Invite a friend").click()
    host.ready()


def is_asked(guest: Visitor) -> None:
    """Wait until the field for the name has the focus."""
    guest.until("document.activeElement.id === 'name'")


def shows_address(visitor: Visitor, address: str) -> None:
    visitor.until("location.href === value", address)


def test_a_code_is_shown_to_scan_where_another_device_reaches_the_address(
    served: Served, visit: Visit
) -> None:
    ann, eve = visit(served.url.replace("127.0.0.1", "box.local")), visit()
    ann.allows.append("Cross-Origin-Opener-Policy")  # needs https
    for visitor in (ann, eve):
        invites(visitor)
        visitor.page.fill("#own-name", "Ann")
        visitor.page.get_by_role("button", name="Continue").click()
        visitor.page.wait_for_selector("#naming", state="hidden")
    assert "for other devices, run shutbox serve" in eve.page.inner_text("#lobby")
    eve.drawer("seating")
    assert eve.page.locator(".qrcard, .qr").count() == 0
    code = f"#lobby .qrcard img[src='/r/{ann.room}/qr?seat=free'][alt*='to scan with a phone']"
    ann.until("document.querySelector(value).naturalWidth > 0", code)
    assert ann.box(code)["width"] >= 160


def test_a_friend_is_invited_by_two_presses_and_plays_after_two(visit: Visit) -> None:
    """The first press opens the table, the second sends; the friend opens the link and plays."""
    ann, bea = visit(), visit()
    ann.stub("shares")
    invites(ann)
    ann.page.fill("#own-name", "Ann")
    ann.page.get_by_role("button", name="Send to a friend").click()
    ann.until("globalThis.shared?.text === 'Ann invites you to Shut the Box.'")
    ann.page.wait_for_selector("#naming", state="hidden")
    bea.page.goto(ann.page.evaluate("() => shared.url"))
    bea.page.wait_for_selector("h1:has-text('Ann invites you to Shut the Box')")
    is_asked(bea)
    bea.page.keyboard.type("Bea")
    bea.page.get_by_role("button", name="Play", exact=True).click()
    for player in (ann, bea):
        player.page.wait_for_selector("#go:visible")
    assert [seat["name"] for seat in ann.view()["seats"]] == ["Ann", "Bea"]


def test_a_friend_is_greeted_while_the_box_opens(visit: Visit) -> None:
    """Nothing is lit meanwhile. The greeting of the host ends by itself, the other by a press."""
    ann, bea = visit(), visit()
    ann.open(game="classic", seats=SEATS, format="rounds=1,begins=high-roll")
    ann.page.evaluate("() => { table.greets = true; }")
    bea.context.add_init_script("table.greets = true;")
    bea.enter(ann.page.url, "Bea")
    ann.says("The box opens.")
    for player, friend in ((ann, "Bea"), (bea, "Ann")):
        assert player.text(".welcome > span:last-child") == f"{friend} is here"
        assert player.page.inner_text("#go[aria-disabled=true]") == "Opening the box"
        assert not player.page.locator("#plates [aria-current], #tools:visible").count()
    bea.says("Ann is here. The box opens.")
    bea.page.keyboard.press("Enter")
    bea.says("Ann throws to see who begins.")
    ann.page.evaluate("() => table.opens()")
    ann.says("Ann throws to see who begins. Highest goes first. Enter throws two dice.")
    assert (ann.focus(), ann.page.inner_text(".begins span")) == ("go", "Who begins?")
    assert ann.page.locator(".welcome").count() == 0


def test_a_browser_without_a_share_menu_copies_and_writes_an_email(visit: Visit) -> None:
    ann = visit(permissions=CLIPBOARD)
    ann.open(game="classic", seats=SEATS)
    page = ann.page
    assert not page.is_visible("#copy-link")
    page.get_by_role("button", name="Copy link").click()
    ann.says("Link copied.")
    assert page.evaluate(COPIED) == page.locator("#lobby .link").input_value()
    mail = page.get_attribute("#mail-link", "href") or ""
    assert mail.startswith("mailto:?subject=Ann%20invites%20you")
    ann.drawer("seating")
    page.get_by_role("button", name="Copy: Link to watch").click()
    ann.says("Link copied.")
    assert page.evaluate(COPIED) == page.evaluate("() => table.you.links.watch")


# The address of the page is the invitation


def test_the_address_of_the_page_invites_while_a_seat_is_free(visit: Visit) -> None:
    """Also after a reload, which takes no second chair; not once the last chair is taken."""
    ann, bob, cid = visit(), visit(), visit()
    bare = f"{ann.url}/r/{ann.open(game='classic', seats=[ANN, LINK, LINK])}"
    address = ann.page.url
    assert address == ann.page.evaluate("() => table.you.links.join")
    ann.reload()
    ann.until(f"{STATES} === 'taken,free,free'")
    assert ann.page.url == address
    assert not ann.page.is_visible("#entering")
    bob.enter(address, "Bob")
    assert bob.page.url == bare
    bob.page.goto("/")
    bob.page.goto(address)  # who has a chair comes back to it by the same link
    shows_address(bob, bare)
    ann.until(f"{STATES} === 'taken,taken,free'")
    shows_address(ann, address)
    cid.enter(address, "Cid")
    for person in (ann, bob, cid):
        person.page.wait_for_selector("#go:visible")
        shows_address(person, bare)


def test_a_key_is_found_wherever_a_link_was_changed(ann: Visitor, visit: Visit) -> None:
    room = ann.open(game="classic", seats=SEATS)
    key = ann.page.url.partition("#")[2]
    wanted = {"whole": KEY, "short": KEY[:10], "none": ""}
    links = [(link, right) for kind, right in wanted.items() for link in LINKS[kind]]
    script = """async (links) => {
        const { keyIn } = await import("/static/model/links.js");
        return links.map(([link]) => keyIn(link));
    }"""
    found = ann.page.evaluate(script, links)
    assert_none((*link, key) for link, key in zip(links, found, strict=True) if link[1] != key)
    eve = visit()
    eve.page.goto(f"/r/{room}%23{key[:9]}")
    eve.page.wait_for_selector("h1:text('This link lost its end')")
    visit().enter(f"/r/{room}%23{key}%3E", "Bob")


def test_a_link_without_its_end_says_so_and_takes_the_whole_one(ann: Visitor, visit: Visit) -> None:
    ann.open(game="classic", seats=SEATS)
    whole = ann.page.url
    link = whole.partition("#")[0]
    bob = visit()
    page, paste = bob.page, bob.page.get_by_role("button", name="Paste the link")
    page.goto(link)
    page.wait_for_selector("h1:text('This link lost its end')")
    bob.says("The last part is missing. Copy the whole message and paste it here.")
    assert bob.focus() == "title"
    paste.click()
    page.wait_for_selector("#key:focus")  # this browser does not let the page read what is copied
    page.keyboard.type(link)
    page.keyboard.press("Enter")
    page.wait_for_selector("#key", state="hidden")
    bob.context.grant_permissions(CLIPBOARD)
    message = f"Play Shut the Box with me.\n{whole}\n"
    page.evaluate("text => navigator.clipboard.writeText(text)", message)
    paste.click()
    is_asked(bob)
    page.keyboard.press("Enter")  # the host has called this guest Bob
    page.wait_for_selector("#go:visible")
    assert bob.view()["seats"][1]["name"] == "Bob"


def test_a_name_that_is_refused_says_so_at_its_field_and_is_forgotten(ann: Visitor) -> None:
    ann.allows.append("status of 422")
    page, field = ann.page, "#own-name"
    invites(ann)
    page.focus(field)
    page.keyboard.type(FAMILY + "x" * 30)
    assert page.input_value(field) == FAMILY + "x" * 23  # typing stops
    for pasted, says in (
        ("x" * 26, "At most 24 letters. This has 26."),
        ("\N{GREEK CAPITAL LETTER ALPHA}nn", "A name is of one alphabet"),
    ):
        page.fill(field, pasted)
        page.get_by_role("button", name="Continue").click()
        page.wait_for_selector(f"{field}-told:has-text('{says}')")
        assert page.get_attribute(field, "aria-invalid") == "true"
        assert page.evaluate("() => localStorage.getItem('shutbox.name')") is None
    page.fill(field, "Ann")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_selector(field, state="hidden")


def test_a_guest_keeps_link_and_name_until_a_seat_is_taken(ann: Visitor, visit: Visit) -> None:
    """Also in a browser that keeps no cookies, though it says that it does."""
    ann.open(game="classic", seats=SEATS)
    address = ann.page.url
    eve = visit()
    page = eve.page
    eve.allows.append(ASKED)

    def without_cookies(route: "Route") -> None:
        eve.context.clear_cookies()
        route.continue_()

    page.route("**/api/**", without_cookies)
    page.goto(address)
    is_asked(eve)
    page.fill("#name", "Eve")
    page.keyboard.press("Enter")
    eve.says("This browser keeps no cookies. Allow them for this site, then press again")
    assert ann.view()["seats"][1]["state"] == "free"
    assert (page.input_value("#name"), page.url) == ("Eve", address)
    page.unroute("**/api/**")
    page.reload()
    is_asked(eve)
    page.fill("#name", "Eve")
    page.keyboard.press("Enter")
    page.wait_for_selector("#go:visible")
    assert eve.view()["seats"][1]["name"] == "Eve"


def test_a_link_of_another_page_leads_there(ann: Visitor, visit: Visit) -> None:
    ann.open(game="classic", seats=SEATS)
    other, key = ann.page.url, "x" * 24
    room = ann.open(game="classic", seats=SEATS)
    eve = visit()
    for link in (other, f"{ann.url}/games/take#{key}"):
        eve.page.goto(f"/r/{room}")
        eve.page.get_by_role("button", name="Paste the link").click()
        eve.page.fill("#key", f"Join #ShutTheBoxWithAllMyFriends {link}")
        eve.page.keyboard.press("Enter")
        eve.page.wait_for_url(link.partition("#")[0] + "*")
    assert eve.page.input_value("#key") == key


def test_whoever_comes_too_late_for_the_last_chair_is_told(ann: Visitor, visit: Visit) -> None:
    room = ann.open(game="classic", seats=SEATS)
    address = ann.page.url
    bob, eve = visit(), visit()
    eve.allows.append(ASKED)
    eve.page.goto(address)
    is_asked(eve)
    bob.enter(address, "Bob")
    eve.page.keyboard.type("Eve")
    eve.page.keyboard.press("Enter")
    eve.page.wait_for_selector("h1:text('Somebody took the last chair')")
    eve.says("You can still watch the game.")
    assert eve.page.url == f"{ann.url}/r/{room}"
    eve.page.get_by_role("button", name="Just watch").click()
    eve.page.wait_for_selector("#go")
    assert eve.page.evaluate("() => table.you.watcher")
