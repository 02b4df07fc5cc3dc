"""The pace of computer turns: normal, slow or skipped, as stored on the device."""

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, Visitor

SEATS = [ANN, {"who": "computer:fewest"}]
MOVING = {"reduced_motion": "no-preference"}
WATCH = """() => {
    table.hurried = 0; // how often it could be skipped
    const go = document.getElementById("go");
    const note = () => { table.hurried += Number(go.hasAttribute("data-hurry")); };
    new MutationObserver(note).observe(go, { attributes: true });
}"""
# What the computer does is held until the page has heard of all of it.
HOLD = """() => {
    const held = [];
    table.isHeld = () => held.some(({ view }) => view.table.seat !== 1);
    const hold = (event) => {
        const message = JSON.parse(event.data);
        if (message.happened?.seat !== 1) return;
        event.stopImmediatePropagation();
        held.push(message);
    };
    table.socket.addEventListener("message", hold, { capture: true });
    table.release = () => {
        table.socket.removeEventListener("message", hold, { capture: true });
        for (const message of held) {
            const data = JSON.stringify(message);
            table.socket.dispatchEvent(new MessageEvent("message", { data }));
        }
        return held.length;
    };
    table.heard = () => document.querySelectorAll("#log .says").length;
}"""
# Nothing of this takes any time: what is not shown at once is not shown at the end of it.
RELEASE = """(presses) => {
    const go = document.getElementById("go");
    const before = table.heard();
    const counts = {};
    if (presses === "before") go.click();
    counts.came = table.release();
    counts.shown = table.heard() - before;
    if (presses === "after") go.click();
    counts.end = table.heard() - before;
    counts.hurries = go.hasAttribute("data-hurry");
    return counts;
}"""


pytestmark = pytest.mark.rolls("1+1 4+5 4+4 1+1 4+5")


def hand_over(visit: Visit, pace: str, **options: str) -> Visitor:
    ann = visit(**options)
    ann.page.goto("/")
    ann.page.evaluate("pace => localStorage.setItem('shutbox', JSON.stringify({ pace }))", pace)
    ann.open(game="classic(tiles=8-9)", format="rounds=2", seats=SEATS)
    ann.page.evaluate(WATCH)
    return ann


def computer_held(visit: Visit) -> Visitor:
    """Ann has been stuck, and waits for the computer, whose turn the page has not heard of."""
    ann = hand_over(visit, "normal", **MOVING)
    ann.page.evaluate(HOLD)
    ann.page.click("#go")
    ann.page.locator("#go", has_text="Skip to my turn").wait_for()
    ann.page.wait_for_function("() => table.isHeld()")
    return ann


def test_a_press_skips_to_ones_own_turn(visit: Visit) -> None:
    ann = computer_held(visit)
    name = ann.page.get_by_role("button", name="Skip to my turn")
    assert name.count() == 1  # it is told, too
    place = ann.page.locator("#go").bounding_box()
    counts = ann.page.evaluate(RELEASE, "after")
    assert counts["shown"] <= 1  # the rest of the turn waits until this one has been looked at
    assert counts["end"] == counts["came"] > 2
    assert not counts["hurries"]
    assert ann.page.locator("#go").bounding_box() == place


def test_what_comes_after_the_press_is_skipped_too(visit: Visit) -> None:
    ann = computer_held(visit)
    counts = ann.page.evaluate(RELEASE, "before")
    assert counts["shown"] == counts["came"] > 2
    assert not counts["hurries"]


def test_the_device_keeps_that_computers_are_skipped(visit: Visit) -> None:
    ann = hand_over(visit, "skip", **MOVING)
    ann.press("#go")
    ann.page.wait_for_selector("#go:has-text('Throw two dice')")
    assert ann.page.evaluate("() => table.hurried") == 0
    ann.page.click("#menu > summary")
    assert ann.page.input_value("#set-pace") == "skip"


def test_computers_can_be_slowed(check: Check, visit: Visit) -> None:
    """Without motion, too."""
    ann = hand_over(visit, "slow")
    ann.page.click("#go")
    ann.page.wait_for_selector("#go[data-hurry]")
    check(ann)
    ann.page.evaluate("() => table.shown()")
