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


def test_playing_on_another_device_is_offered_where_there_is_a_seat_to_take_along(
    visit: Visit,
) -> None:
    """To who sits there, by name where several do; to nobody who waits, watches or is let in."""
    ann, bob, carol = visit(), visit(), visit()
    offered = "details > summary:text('on another device')"

    def words(visitor: Visitor) -> list[str]:
        return visitor.page.locator(offered).all_text_contents()

    ann.open(game="classic", seats=[SEATS[0]])
    assert words(ann) == ["Play on another device"]
    ann.open(game="classic", seats=[SEATS[0], {"who": "here", "name": "Bob"}])
    assert words(ann) == ["Play Ann on another device", "Play Bob on another device"]
    ann.open(game="classic", seats=[SEATS[0], {"who": "computer:fewest", "name": "Robo"}])
    assert words(ann) == ["Play on another device"]

    room = ann.open(game="classic", seats=SEATS)
    assert ann.page.locator(f"#lobby {offered}").count() == 0  # there the links are for others
    keys = ann.page.evaluate("() => [table.you.links.seats[1], table.you.links.watch]")
    for guest, link in zip((bob, carol), keys, strict=True):
        guest.allows.append("status of (403|422)")
        body = {"action": f"comes-by-{guest is bob}", "key": link.partition("#")[2], "name": "Bob"}
        came = guest.context.request.post(f"{ann.url}/api/rooms/{room}/enter", data=body)
        assert came.ok, came.text()
        guest.go_to(room)
    assert words(bob) == ["Play on another device"]
    assert words(carol) == []


def test_each_drawer_begins_with_what_it_is_for(ann: Visitor) -> None:
    """The link before the players, the field before the questions."""
    ann.open(game="pub", seats=[{"who": "me", "name": "Ann"}, {"who": "computer:fewest"}])
    first = """tool => {
        const drawer = document.querySelector(`#${tool} .drawer`);
        const shown = [...drawer.querySelectorAll("input, .who, .ask button")];
        const [part] = shown.filter((part) => part.checkVisibility());
        return [drawer.getAttribute("aria-label"), part.tagName];
    }"""
    ann.drawer("seating")
    assert ann.page.evaluate(first, "tool-seating") == ["Invite", "INPUT"]
    ann.drawer("questions")
    assert ann.page.evaluate(first, "questions") == ["Type & ask", "INPUT"]
