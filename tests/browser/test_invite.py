"""A link is handed on: shared, copied, or scanned."""

from browser.conftest import Visit
from browser.visitors import Visitor

SEATS = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]


def test_a_code_is_shown_to_scan(ann: Visitor) -> None:
    page = ann.page
    room = ann.open(game="classic", seats=SEATS)
    lobby = page.locator("#lobby")
    assert lobby.locator("img").count() == 0  # asked for when it is wanted
    lobby.locator(".qr summary").first.click()
    picture = lobby.locator(".qr img")
    assert picture.get_attribute("src") == f"/r/{room}/qr?seat=1"
    assert "Bob" in (picture.get_attribute("alt") or "")
    page.wait_for_function("() => document.querySelector('#lobby .qr img').naturalWidth > 0")
    box = picture.bounding_box()
    assert box is not None
    assert box["width"] >= 160


def test_a_link_is_shared_by_what_the_device_has_for_it(visit: Visit) -> None:
    ann = visit()
    page = ann.page
    page.add_init_script(
        "navigator.share = (what) => { globalThis.shared = what; return Promise.resolve(); };"
    )
    room = ann.open(game="classic", seats=SEATS)
    link = page.locator("#lobby [data-kind='link'] input").first.input_value()
    page.locator("#lobby").get_by_role("button", name="Share: Link for Bob").click()
    assert page.evaluate("() => shared.url") == link
    assert link.startswith(f"{ann.url}/r/{room}#")
    assert page.evaluate("() => shared.text") == "Play Shut the Box with me."


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
