"""Sharing: with the device's share menu, else by copying, else by hand."""

import re

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor

_STUBBED = """([shares, copies]) => import("/static/view/share.js").then(async ({ handOn }) => {
    const done = [];
    const refusing = (name) => async () => { throw new DOMException("no", name); };
    const put = (name, value) => Object.defineProperty(navigator, name,
        { value, configurable: true });
    put("share", { yes: async ({ url }) => done.push(`shared ${url}`), no: undefined,
        left: refusing("AbortError"), broken: refusing("NotAllowedError") }[shares]);
    put("canShare", undefined);
    put("clipboard", { yes: { writeText: async (text) => done.push(`copied ${text}`) },
        broken: { writeText: refusing("NotAllowedError") }, no: undefined }[copies]);
    return [await handOn({ text: "Shut.", url: "https://box.example" }), ...done];
})"""


@pytest.mark.parametrize(
    ("shares", "copies", "came"),
    [
        ("yes", "yes", ["shared", "shared https://box.example"]),
        ("left", "yes", ["left"]),
        ("broken", "yes", ["copied", "copied Shut.\nhttps://box.example"]),
        ("no", "yes", ["copied", "copied Shut.\nhttps://box.example"]),
        ("no", "broken", ["failed"]),
        ("no", "no", ["copied"]),
    ],
)
def test_it_is_shared_or_copied_or_said_to_have_failed(
    ann: Visitor, shares: str, copies: str, came: list[str]
) -> None:
    ann.page.goto("/help")
    assert ann.page.evaluate(_STUBBED, [shares, copies]) == came


BIDI = re.compile("[\u2066-\u2069]")


PICTURE = """async () => {
    const [file] = shared.files;
    const { width, height } = await createImageBitmap(file);
    return [file.type, file.size < 200_000, width, height];
}"""


@pytest.mark.parametrize("players", [1, 2])
def test_a_result_is_handed_on_with_its_scores_and_the_link_to_the_table(
    visit: Visit, players: int
) -> None:
    """In clean text; whoever follows the link sees the game, and its review."""
    ann, bob = visit(), visit()
    ann.context.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = (what) => { globalThis.shared = what; return Promise.resolve(); };"
    )
    seats = [ANN, {"who": "here", "name": "שרה אדמון"}]
    room = ann.open(game="pub" if players > 1 else "classic", seats=seats[:players])
    ann.play(undoes=False)
    ann.page.click("#share")
    ann.page.wait_for_function("() => globalThis.shared")
    shared = ann.page.evaluate("shared")
    assert ann.page.evaluate(PICTURE) == ["image/jpeg", True, 1200, 630]
    table = ann.view()["table"]
    scores = [str(table["plates"][seat]["points"]) for seat in table["ranking"]]
    assert shared["title"] in (
        f"Classic, {scores[0]} left",
        f"Pub Game, {' : '.join(scores)}",
    )
    assert not BIDI.search(shared["text"])
    for seat, plate in zip(seats[:players], table["plates"], strict=True):
        score = plate["points"]
        assert (f"{seat['name']} {score}" if players > 1 else f"{score} in Classic.") in shared[
            "text"
        ]
    assert shared["url"].startswith(f"{ann.url}/r/{room}#")
    bob.page.goto(shared["url"])
    bob.page.wait_for_url(f"**/r/{room}")
    bob.ready()
    bob.page.click("#review")
    bob.page.wait_for_url("**/review**")
    assert "Review of" in bob.page.title()


def test_a_name_that_is_too_long_loses_its_end_whichever_way_it_runs(ann: Visitor) -> None:
    """Its first letter is seen on the plate, on the card of the end and in the figures."""
    ann.page.set_viewport_size({"width": 320, "height": 640})
    names = ["عبد الرحمن بن يوسف العلي", "W" * 24, "שרה אדמון בת משפחת כהן"]
    seats = [{"who": "here", "name": name} for name in names]
    ann.open(game="six", format="rounds=1", seats=seats)
    seen = """selector => [...document.querySelectorAll(selector)].map((name) => {
        const range = document.createRange();
        range.setStart(name.firstChild, 0);
        range.setEnd(name.firstChild, 1);
        const letter = range.getBoundingClientRect();
        // What is cut off around it, as far as the page.
        for (let one = name; one !== document.body; one = one.parentElement) {
            const { left, right } = one.getBoundingClientRect();
            const hides = getComputedStyle(one).overflowX !== "visible";
            if (hides && (letter.left < left - 1 || letter.right > right + 1)) return false;
        }
        return true;
    })"""
    assert ann.page.evaluate(seen, ".plate bdi") == [True] * 3
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    ann.drawer("moves")
    for selector in (".plate bdi", ".standings li bdi", ".sums bdi", "#sheet thead bdi"):
        assert ann.page.evaluate(seen, selector) == [True] * 3, selector
