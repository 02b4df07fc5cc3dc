"""No part of a table covers another, and Back closes what was opened on top."""

import pytest

from browser.cases import cases
from browser.conftest import Visit, throwing
from browser.visitors import ANN, BOB, LINK, Visitor
from serving import Served

SIZES = [
    *((320, 640), (390, 844), (844, 390), (568, 320), (768, 1024)),
    *((1024, 768), (1280, 800), (1440, 900), (1920, 1080)),
    *((640, 512), (320, 256)),  # 200 % and 400 % zoom of 1280x1024
]
ON_ITS_SIDE = [(844, 390), (667, 375), (568, 320), (932, 430)]
NAMES = ("Bartholomew", "Cy", "Dee", "Eve", "Fay")

# What is seen of every part; those of one kind may touch, two plates may not.
COVERED = """() => {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const podium = document.querySelector(".standings");
    const shut = document.querySelector(".lid.shut") || (podium && shown(podium));
    const bar = getComputedStyle(document.getElementById("tools"));
    // At 200 % zoom the caption is as far down as the figures.
    const below = innerWidth > innerHeight ? /figures|caption/ : /figures/;
    const kinds = {
        die: ".dice:not(.faded) > li > .die", tile: "#board .tile",
        action: "#rim :is(button, a), #lobby .rim :is(button, a)",
        plate: "#plates > .plate", card: ".score-card", turn: ".begins:not(:empty)",
        caption: "#caption > span", figures: ".sums",
        drawer: ".tools details[open] > .drawer", tool: "#tools .tool", tag: "#tag, #left",
    };
    const parts = Object.entries(kinds).flatMap(([kind, selector]) =>
        [...document.querySelectorAll(selector)]
            .filter((one) => shown(one) && (kind !== "caption" || one.textContent))
            // The bar of a phone lies over what is below the box, which can be scrolled.
            .filter(() => bar.position !== "fixed" || !below.test(kind))
            .filter((one) => !(shut && /die|tile/.test(kind))) // what lies over them
            .map((one) => {
                const { left, top, right, bottom } = one.getBoundingClientRect();
                const name = one.getAttribute("aria-label") || one.id || one.textContent.trim();
                const says = `${kind} ${name.slice(0, 20)}`;
                return { kind, one, name: says, left, top, right, bottom };
            }),
    );
    const faults = new Set();
    parts.forEach((a, i) => {
        for (const b of parts.slice(i + 1)) {
            if (a.kind === b.kind && a.kind !== "plate") continue;
            const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
            const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
            if (wide > 1 && high > 1) faults.add(`${a.name} and ${b.name}: ${wide} x ${high}`);
        }
        // Whatever else lies over it: the middle, and a quarter from each side.
        if (/caption|card|tag|turn/.test(a.kind)) return; // these are not pressed
        for (const x of [0.25, 0.5, 0.75]) for (const y of [0.25, 0.5, 0.75]) {
            const at = [a.left + x * (a.right - a.left), a.top + y * (a.bottom - a.top)];
            const found = document.elementFromPoint(...at);
            if (found && !a.one.contains(found) && !found.contains(a.one))
                faults.add(`${a.name} lies under ${found.id || found.className || found.tagName}`);
        }
    });
    return [...faults];
}"""


# Until the frame is drawn that has heard of the new size, too.
SCROLLED = """async (part) => {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await frame();
    scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight));
    await frame();
    await frame();
}"""


def covered(visitor: Visitor, sizes: list[tuple[int, int]] = SIZES) -> list[str]:
    """What lies over what, at each size and however far the page is scrolled."""
    faults = []
    for width, height in sizes:
        visitor.page.set_viewport_size({"width": width, "height": height})
        for part in (0, 0.25, 0.5, 0.75, 1):
            visitor.page.evaluate(SCROLLED, part)
            found = visitor.page.evaluate(COVERED)
            faults += [f"{width}x{height} at {part}: {fault}" for fault in found]
    return faults


dealt = throwing(",".join(["4+5"] * 6), seed="covering")
"""A server that throws 4 and 5."""


def opened(visitor: Visitor, game: str, players: int) -> None:
    """A round of so many who share this screen; a game of one's own where there is but one."""
    here = [{"who": "here", "name": name} for name in NAMES[: players - 1]]
    visitor.open(game=game, seats=[ANN, *here], format="rounds=1" if here else "")


@pytest.mark.parametrize("players", cases([1, 6], [2]))
def test_nothing_covers_anything_until_a_box_is_stuck(ann: Visitor, players: int) -> None:
    opened(ann, "classic", players)
    assert covered(ann) == []
    ann.press("#go")
    assert covered(ann) == []
    ann.page.click("#hint")
    ann.page.wait_for_selector("#advice li")
    assert covered(ann) == []
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    assert ann.page.locator(".box.caught").count() == 1
    assert covered(ann) == []


def test_nothing_covers_the_invitation(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, LINK])
    ann.page.wait_for_selector("#lobby .rim .main")
    assert covered(ann) == []


@pytest.mark.parametrize("players", cases([1, 6], [2]))
def test_nothing_covers_anything_when_a_box_is_shut(
    visit: Visit, dealt: Served, players: int
) -> None:
    ann = visit(url=dealt.url)
    opened(ann, "classic(tiles=9)", players)
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    assert ann.page.locator(".lid.shut").count() == 1
    assert covered(ann) == []


@pytest.mark.parametrize("game", ["double-shutter", "the-300", "cargo", "classic(tiles=1-12)"])
def test_a_phone_on_its_side_shows_every_box_whole(ann: Visitor, game: str) -> None:
    opened(ann, game, 2)
    assert covered(ann, ON_ITS_SIDE) == []
    ann.play(most=1, undoes=False)
    assert covered(ann, ON_ITS_SIDE) == []
    ann.play(undoes=False)
    ann.page.wait_for_selector("#stage.over:not(.ending)")
    assert covered(ann, ON_ITS_SIDE) == []


def is_open(visitor: Visitor, tool: str) -> None:
    """Until this drawer alone is open, and the history knows it; none where it has no name."""
    visitor.page.wait_for_function(
        """tool => [...document.querySelectorAll("#tools details[open]")].map(({ id }) => id).join()
            === tool && (history.state?.drawer ?? "") === tool""",
        arg=tool,
    )


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_back_closes_the_drawer_that_was_opened(visit: Visit, size: tuple[int, int]) -> None:
    """And Forward opens it again; the next Back leaves the table, however many were opened."""
    ann = visit(viewport={"width": size[0], "height": size[1]})
    page = ann.page
    page.goto("/help")
    ann.open(game="pub", seats=[ANN, BOB])
    table = page.url
    for tool in ("rules", "tool-moves", "questions"):
        page.click(f"#{tool} > summary")
        is_open(ann, tool)
    page.go_back()
    is_open(ann, "")
    page.go_forward()
    is_open(ann, "questions")
    page.reload()
    ann.ready()
    if size[0] == 1440:
        is_open(ann, "questions")
        page.go_back()
    is_open(ann, "")
    page.click("#rules > summary")
    is_open(ann, "rules")
    page.click("#rules .shuts")
    is_open(ann, "")
    page.click("#go")  # a throw shuts the hint of another one, and takes its step away
    ann.shown()
    page.click("#hint")
    is_open(ann, "tool-hint")
    ann.play(most=1, undoes=False)
    is_open(ann, "")
    assert page.url == table
    page.go_back()
    page.wait_for_url("**/help")
