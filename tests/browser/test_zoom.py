"""Pages at 400 % zoom of a window of 1280x1024, which leaves them 320x256 (WCAG 1.4.10)."""

from collections.abc import Callable

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, LINK, Visitor

SIZE = {"width": 320, "height": 256}

WIDE = "() => document.documentElement.scrollWidth"

# What can be pressed or typed into, and does not come to light when it gets the focus. A table may
# scroll in its own frame.
HIDDEN = """async () => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const every = "a[href], button, summary, input:not([type=hidden]), select, textarea";
    const faults = [];
    for (const one of document.querySelectorAll(every)) {
        // A label stands for its box, and a skip link is seen only while it has the focus.
        const seen = one.matches("input") ? one.closest("label") ?? one : one;
        if (!shown(seen) || one.disabled || one.closest("svg, .skip, .away, [inert]")) continue;
        one.focus();
        if (document.activeElement !== one) continue;
        await new Promise(requestAnimationFrame);
        const { left, right, top, bottom } = seen.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
        const found = document.elementFromPoint(x, y);
        const name = one.id || one.getAttribute("aria-label") || one.textContent.trim() || one.name;
        if (!found || !(seen.contains(found) || found.contains(seen)))
            faults.push(`${name.slice(0, 30)} under ${found?.id || found?.className || found}`);
    }
    return faults;
}"""

# Nothing stays where it is while the page scrolls: at this size it would cover half of it.
STAYS = """() => [...document.querySelectorAll("body *")]
    .filter((one) => one.checkVisibility() && !one.closest(".skip, dialog, .drawer"))
    .filter((one) => /fixed|sticky/.test(getComputedStyle(one).position))
    .map((one) => one.id || one.className || one.tagName)"""


def faults(ann: Visitor) -> list[str]:
    ann.page.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
    found: list[str] = ann.page.evaluate(HIDDEN)
    if (wide := ann.page.evaluate(WIDE)) > SIZE["width"]:
        found.append(f"the page is {wide} wide")
    return [*found, *(f"{name} stays" for name in ann.page.evaluate(STAYS))]


PAGES = (
    *("/", "/new", "/new?preset=pub", "/today", "/analysis", "/p/classic:1.5.9/2+2", "/practice"),
    *(
        "/games",
        "/games/delete",
        "/review",
        "/help",
        "/settings",
        "/dice",
        "/challenge",
        "/nowhere",
    ),
)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_needs_no_second_direction_and_hides_nothing(ann: Visitor, path: str) -> None:
    ann.allows.append("status of 4..")
    ann.page.goto(path)
    ann.ready()
    assert faults(ann) == []


def begun(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])


def chooses(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN, BOB])
    ann.press("#go")


def hinted(ann: Visitor) -> None:
    begun(ann)
    ann.press("#go")
    ann.page.click("#hint")
    ann.page.wait_for_selector("#advice li")


def moves(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, BOB])
    ann.play(most=8, undoes=False)
    ann.drawer("moves")


def ended(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, BOB])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")


def stuck(ann: Visitor) -> None:
    begun(ann)
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")


def invites(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, LINK])
    ann.page.wait_for_selector("#lobby .rim .main")


def reviewed(ann: Visitor) -> None:
    room = ann.open(game="pub", seats=[ANN, BOB])
    ann.play(undoes=False)
    ann.page.goto(f"/r/{room}/review")
    ann.page.wait_for_selector("#steps li", state="attached")


@pytest.mark.parametrize(
    "state",
    [begun, chooses, hinted, moves, ended, stuck, invites, reviewed],
    ids=lambda state: state.__name__,
)
def test_a_table_needs_no_second_direction_and_hides_nothing(
    ann: Visitor, state: Callable[[Visitor], None]
) -> None:
    ann.page.set_viewport_size({"width": SIZE["width"], "height": SIZE["height"]})
    state(ann)
    assert faults(ann) == []


def test_a_guest_enters(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.open(game="pub", seats=[ANN, LINK])
    bob.page.goto(ann.page.evaluate("() => table.you.links.seats[1]"))
    bob.page.wait_for_function("() => document.activeElement.id === 'name'")
    assert faults(bob) == []
