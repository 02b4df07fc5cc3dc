"""Sharing a link: with the share menu, by copying, or as a QR code."""

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


def test_a_code_is_shown_to_scan_where_another_device_reaches_the_address(
    served: Served, visit: Visit
) -> None:
    ann, eve = visit(served.url.replace("127.0.0.1", "box.local")), visit()
    ann.allows.append("Cross-Origin-Opener-Policy")  # needs https
    for visitor in (ann, eve):
        visitor.page.goto("/")
        with visitor.page.expect_navigation(url="**/r/*"):
            visitor.page.get_by_role("button", name="Invite a friend").click()
        visitor.ready()
        visitor.page.fill("#own-name", "Ann")
        visitor.page.get_by_role("button", name="Continue").click()
        visitor.page.wait_for_selector("#naming", state="hidden")
    assert "for other devices, run shutbox serve" in eve.page.inner_text("#lobby")
    eve.drawer("seating")
    assert eve.page.locator(".qrcard, .qr").count() == 0
    page = ann.page
    picture = page.locator("#lobby .qrcard img")
    assert picture.get_attribute("src") == f"/r/{ann.room}/qr?seat=free"
    assert picture.get_attribute("alt") == "A code to scan with a phone."
    page.wait_for_function("() => document.querySelector('#lobby .qrcard img').naturalWidth > 0")
    assert ann.box("#lobby .qrcard img")["width"] >= 160


def test_a_friend_is_invited_by_two_presses_and_plays_after_two(visit: Visit) -> None:
    """The first press opens the table, the second sends; the friend opens the link and plays."""
    ann, bea = visit(), visit()
    ann.page.add_init_script(
        "navigator.share = (what) => { globalThis.shared = what; return Promise.resolve(); };"
    )
    ann.page.goto("/")
    with ann.page.expect_navigation(url="**/r/*"):
        ann.page.get_by_role("button", name="Invite a friend").click()
    ann.ready()
    ann.page.fill("#own-name", "Ann")
    ann.page.get_by_role("button", name="Send to a friend").click()
    ann.page.wait_for_function("() => globalThis.shared")
    assert ann.page.evaluate("() => shared.text") == "Ann invites you to Shut the Box."
    assert not ann.page.is_visible("#naming")
    bea.page.goto(ann.page.evaluate("() => shared.url"))
    bea.page.wait_for_selector("h1:has-text('Ann invites you to Shut the Box')")
    bea.page.wait_for_function("() => document.activeElement.id === 'name'")
    bea.page.keyboard.type("Bea")
    bea.page.get_by_role("button", name="Play", exact=True).click()
    bea.page.wait_for_selector("#go:visible")
    ann.page.wait_for_selector("#go:visible")
    assert [seat["name"] for seat in ann.view()["seats"]] == ["Ann", "Bea"]


def test_a_name_is_asked_for_once_and_can_be_changed(ann: Visitor) -> None:
    seats = [{"who": "me"}, LINK]
    ann.open(game="classic", seats=seats)
    page = ann.page
    assert page.inner_text("#naming h2") == "Who is inviting?"
    page.fill("#own-name", "Ann")
    page.keyboard.press("Enter")
    page.wait_for_selector("#naming", state="hidden")
    assert page.evaluate("() => document.activeElement.id") == "send-link"
    assert "Ann you" in page.locator("#plates").aria_snapshot()  # without its middle dot
    page.get_by_role("button", name="Change your name").click()
    assert page.input_value("#own-name") == "Ann"
    page.fill("#own-name", "Anna")
    page.keyboard.press("Enter")
    page.wait_for_function("() => localStorage.getItem('shutbox.name') === 'Anna'")
    ann.open(game="classic", seats=seats)  # this device remembers it
    page.wait_for_function("() => table.view.seats[0].name === 'Anna'")
    assert not page.is_visible("#naming")


def test_a_friend_is_greeted_while_the_box_opens(visit: Visit) -> None:
    """Nothing is lit meanwhile. The greeting of the host ends by itself, the other by a press."""
    ann, bea = visit(), visit()
    ann.open(game="classic", seats=SEATS, format="rounds=1,begins=high-roll")
    ann.page.evaluate("() => { table.greets = true; }")
    bea.context.add_init_script("table.greets = true;")
    bea.enter(ann.page.url, "Bea")
    ann.says("The box opens.")
    for player, friend in ((ann, "Bea"), (bea, "Ann")):
        assert (
            player.page.inner_text(".welcome > span:last-child") == f"\u2068{friend}\u2069 is here"
        )
        assert player.page.inner_text("#go") == "Opening the box"
        assert player.page.get_attribute("#go", "aria-disabled") == "true"
        assert player.page.locator("#plates [aria-current]").count() == 0
        assert not player.page.is_visible("#tools")
    bea.says("Ann is here. The box opens.")
    bea.page.keyboard.press("Enter")
    bea.says("Ann throws to see who begins.")
    ann.page.evaluate("() => table.opens()")
    ann.says("Ann throws to see who begins. Highest goes first. Enter throws two dice.")
    assert (ann.focus(), ann.page.locator(".welcome").count()) == ("go", 0)
    assert ann.page.inner_text(".begins span") == "Who begins?"
    assert ann.page.get_attribute("#plates li:first-child", "aria-current") == "true"


def test_the_lid_stays_as_wide_as_the_box(visit: Visit) -> None:
    """In its widest frame, when it shuts and when it opens."""
    ann = visit(reduced_motion="no-preference", viewport={"width": 2200, "height": 1400})
    ann.open(game="classic", seats=[ANN])
    widest = ann.page.evaluate(
        """() => ["shut", "calm opens"].map((how) => {
            const lid = document.querySelector("#table .lid");
            lid.className = `lid ${how}`;
            const [moves] = lid.getAnimations();
            moves.pause();
            const { delay, duration } = moves.effect.getComputedTiming();
            const wide = Array.from({ length: 50 }, (_, n) => {
                moves.currentTime = delay + (duration * n) / 50;
                return lid.getBoundingClientRect().width;
            });
            return Math.max(...wide) / lid.parentElement.clientWidth;
        })"""
    )
    assert all(1 < wide <= 1.08 for wide in widest), widest


def test_a_browser_without_a_share_menu_copies_and_writes_an_email(visit: Visit) -> None:
    ann = visit(permissions=["clipboard-read", "clipboard-write"])
    ann.open(game="classic", seats=SEATS)
    page = ann.page
    assert not page.is_visible("#copy-link")
    page.get_by_role("button", name="Copy link").click()
    ann.says("Link copied.")
    link = page.locator("#lobby .link").input_value()
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    mail = page.get_attribute("#mail-link", "href") or ""
    assert mail.startswith("mailto:?subject=Ann%20invites%20you")
    ann.drawer("seating")
    page.get_by_role("button", name="Copy: Link to watch").click()
    ann.says("Link copied.")
    watch = page.evaluate("() => table.you.links.watch")
    assert page.evaluate("() => navigator.clipboard.readText()") == watch


# The address of the page is the invitation

MANY = [SEATS[0], LINK, LINK]
ASKED = "status of (403|422)"  # before somebody is let in


def shows_address(visitor: Visitor, address: str) -> None:
    visitor.page.wait_for_function("address => location.href === address", arg=address)


def states(visitor: Visitor) -> list[str]:
    return [seat["state"] for seat in visitor.view()["seats"]]


def test_the_address_of_the_page_invites_while_a_seat_is_free(visit: Visit) -> None:
    """Also after a reload, which takes no second chair; not once the last chair is taken."""
    ann, bob, cid = visit(), visit(), visit()
    room = ann.open(game="classic", seats=MANY)
    address = ann.page.url
    assert address == ann.page.evaluate("() => table.you.links.join")
    ann.page.reload()
    ann.ready()
    assert (ann.page.url, states(ann)) == (address, ["taken", "free", "free"])
    assert not ann.page.is_visible("#entering")
    bob.enter(address, "Bob")
    assert bob.page.url == f"{ann.url}/r/{room}"
    ann.page.wait_for_function("() => table.view.seats[1].state === 'taken'")
    shows_address(ann, address)
    bob.page.goto("/")
    bob.page.goto(address)  # who has a chair comes back to it by the same link
    bob.page.wait_for_selector("#lobby:visible")
    shows_address(bob, f"{ann.url}/r/{room}")
    assert not bob.page.is_visible("#entering")
    assert states(ann) == ["taken", "taken", "free"]
    cid.enter(address, "Cid")
    for person in (ann, bob, cid):
        person.page.wait_for_selector("#go:visible")
        shows_address(person, f"{ann.url}/r/{room}")
    assert [seat["name"] for seat in ann.view()["seats"]] == ["Ann", "Bob", "Cid"]


def test_the_invitation_stays_in_the_address_until_a_computer_player_has_the_last_chair(
    ann: Visitor,
) -> None:
    """Whatever link is followed meanwhile."""
    room = ann.open(game="classic", seats=SEATS)
    address = ann.page.url
    assert "#" in address
    ann.allows.append(ASKED)
    watch = ann.page.evaluate("() => table.you.links.watch").partition("#")[2]
    for key in ("main", watch, "other"):
        ann.page.evaluate("key => { location.hash = key; }", key)
        shows_address(ann, address)
    ann.page.locator("#lobby").get_by_role("button", name="Nell plays").click()
    ann.page.wait_for_selector("#go:visible")
    shows_address(ann, f"{ann.url}/r/{room}")


def test_a_key_is_found_wherever_a_link_was_changed(ann: Visitor, visit: Visit) -> None:
    room = ann.open(game="classic", seats=SEATS)
    key = ann.page.url.partition("#")[2]
    wanted = {"whole": KEY, "short": KEY[:10], "none": ""}
    links = [link for kind in wanted for link in LINKS[kind]]
    keys = ann.page.evaluate(
        """async (links) => {
        const { keyIn } = await import("/static/model/links.js");
        return links.map((link) => keyIn(link));
        }""",
        links,
    )
    right = [key for kind, key in wanted.items() for _ in LINKS[kind]]
    assert_none(row for row in zip(links, keys, right, strict=True) if row[1] != row[2])
    eve = visit()
    eve.page.goto(f"/r/{room}%23{key[:9]}")
    eve.page.wait_for_selector("h1:text('This link lost its end')")
    visit().enter(f"/r/{room}%23{key}%3E", "Bob")


def test_a_link_without_its_end_says_so_and_takes_the_whole_one(ann: Visitor, visit: Visit) -> None:
    ann.open(game="classic", seats=SEATS)
    whole = ann.page.url
    link = whole.partition("#")[0]
    bob = visit()
    page = bob.page
    page.goto(link)
    page.wait_for_selector("h1:text('This link lost its end')")
    bob.says("The last part is missing. Copy the whole message and paste it here.")
    assert bob.focus() == "title"
    assert "Key" not in page.inner_text("main")
    page.get_by_role("button", name="Paste the link").click()
    page.wait_for_selector("#key:focus")  # this browser does not let the page read what is copied
    page.keyboard.type(link)
    page.keyboard.press("Enter")
    page.wait_for_selector("#key", state="hidden")
    assert page.inner_text("h1") == "This link lost its end"
    bob.context.grant_permissions(["clipboard-read", "clipboard-write"])
    message = f"Play Shut the Box with me.\n{whole}\n"
    page.evaluate("text => navigator.clipboard.writeText(text)", message)
    page.get_by_role("button", name="Paste the link").click()
    page.wait_for_function("() => document.activeElement.id === 'name'")
    page.keyboard.press("Enter")  # the host has called this guest Bob
    page.wait_for_selector("#go:visible")
    assert bob.view()["seats"][1]["name"] == "Bob"


def test_a_name_that_is_refused_says_so_at_its_field_and_is_forgotten(ann: Visitor) -> None:
    ann.allows.append("status of 422")
    page, field, told = ann.page, "#own-name", "#own-name-told"
    page.goto("/")
    page.get_by_role("button", name="Invite a friend").click()
    page.wait_for_url("**/r/*")
    ann.ready()
    page.focus(field)
    page.keyboard.type(FAMILY + "x" * 30)
    assert page.input_value(field) == FAMILY + "x" * 23  # typing stops
    for pasted, says in (
        ("x" * 26, "At most 24 letters. This has 26."),
        ("\N{GREEK CAPITAL LETTER ALPHA}nn", "A name is of one alphabet"),
    ):
        page.fill(field, pasted)
        page.get_by_role("button", name="Continue").click()
        page.wait_for_function(
            "says => document.querySelector('#own-name-told').innerText.startsWith(says)", arg=says
        )
        assert page.locator(told).is_visible()
        assert page.get_attribute(field, "aria-invalid") == "true"
        assert page.evaluate("() => localStorage.getItem('shutbox.name')") is None
    page.fill(field, "Ann")
    page.get_by_role("button", name="Continue").click()
    page.wait_for_selector(field, state="hidden")


def test_a_guest_keeps_link_and_name_until_a_seat_is_taken(ann: Visitor, visit: Visit) -> None:
    """Also in a browser that keeps no cookies, though it says that it does."""
    ann.open(game="classic", seats=SEATS)
    address, key = ann.page.url, ann.page.url.partition("#")[2]
    eve = visit()
    page = eve.page
    eve.allows += [ASKED, "status of (429|503)"]

    def without_cookies(route: "Route") -> None:
        eve.context.clear_cookies()
        route.continue_()

    page.route("**/api/**", without_cookies)
    page.goto(address)
    page.wait_for_function("() => document.activeElement.id === 'name'")
    page.fill("#name", "Eve")
    page.keyboard.press("Enter")
    eve.says("This browser keeps no cookies. Allow them for this site, then press again")
    assert ann.view()["seats"][1]["state"] == "free"
    page.unroute("**/api/**")
    unsaved = {"error": {"code": "not-kept", "message": "It could not be saved.\nTry again."}}
    page.route("**/enter", lambda route: route.fulfill(status=503, json=unsaved))
    page.get_by_role("button", name="Try again").click()
    eve.says("The server has not answered yet. Still trying…")
    eve.says("It could not be saved. Try again.")
    assert (page.input_value("#name"), page.url) == ("Eve", address)
    page.unroute("**/enter")
    busy = {"error": {"code": "full", "message": "Too many calculations are running."}}
    page.route("**/invitation", lambda route: route.fulfill(status=429, json=busy))
    page.reload()
    eve.says("Too many calculations are running.")
    assert (page.input_value("#key"), page.url) == (key, address)
    page.unroute("**/invitation")
    page.get_by_role("button", name="Try again").click()
    page.wait_for_function("() => document.activeElement.id === 'name'")
    page.fill("#name", "Eve")
    page.get_by_role("button", name="Play", exact=True).click()
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
    eve.page.wait_for_function("() => document.activeElement.id === 'name'")
    bob.enter(address, "Bob")
    eve.page.keyboard.type("Eve")
    eve.page.keyboard.press("Enter")
    eve.page.wait_for_selector("h1:text('Somebody took the last chair')")
    eve.says("You can still watch the game.")
    assert eve.page.url == f"{ann.url}/r/{room}"
    assert not eve.page.is_visible("#name")
    eve.page.get_by_role("button", name="Just watch").click()
    eve.page.wait_for_selector("#go")
    eve.ready()
    assert eve.page.evaluate("() => table.you.watcher")


def test_whoever_looks_elsewhere_is_called(ann: Visitor) -> None:
    """When a friend comes, and when one's turn comes after a friend's; no computer calls."""
    ann.open(game="classic", seats=SEATS)
    called = ann.page.evaluate(
        """async () => {
            const { isCalled } = await import("/static/model/moves.js");
            const you = { seats: [0], may: { throw_for: [], types_dice: true } };
            const view = (seat, computer = "") => ({
                phase: "playing",
                settings: { dice: "system" },
                seats: [{ state: "taken", computer: "" }, { state: "taken", computer }],
                table: { seat, does: "throw" },
            });
            return [
                isCalled(view(1), view(0), you, ["choose"]),
                isCalled(view(0), view(0), you, ["choose"]),
                isCalled(view(0), view(1), you, ["choose"]),
                isCalled(view(1, "perfect"), view(0, "perfect"), you, ["choose"]),
                isCalled(view(1), view(1), you, ["enter"]),
            ];
        }"""
    )
    assert called == [True, False, False, False, True]
