"""Layout from phones to wall screens: nothing is cut off or covered, or scrolls sideways."""

from itertools import product

import pytest
from bench.pages import shift_of

from browser.cases import cases
from browser.conftest import Visit
from browser.visitors import ANN, BOB, LINK, Visitor

WIDTHS = (320, 768, 1440)  # 320 is what 400 % zoom leaves of 1280

FAULTS = """() => {
    const faults = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) {
        faults.push(`the page is ${page.scrollWidth} wide, not ${page.clientWidth}`);
    }
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // The status is for the ear alone; a long title and a long name end in an ellipsis, and so do
    // the answers of a new table, whose sentence is complete.
    const scrolls = (one) => one.closest(".sheet, .log, .away, .menu, .skip, svg, .lid")
        || one.matches("#status, #spoken, .rail h1, .plate .name, .plate bdi, .duel bdi")
        || one.matches(".steps small, #foot-box");
    for (const one of document.querySelectorAll("main *, header *, footer *")) {
        if (!shown(one) || scrolls(one)) continue;
        const { left, right } = one.getBoundingClientRect();
        if (left < -1 || right > page.clientWidth + 1) {
            faults.push(`${one.tagName} ${one.className} reaches from ${left} to ${right}`);
        }
        const isText = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
        const hides = getComputedStyle(one).overflowX !== "visible" && one.tagName !== "INPUT";
        if (isText && hides && one.scrollWidth > one.clientWidth + 1) {
            faults.push(`cut off: ${one.textContent.slice(0, 40)}`);
        }
    }
    for (const one of document.querySelectorAll("button, a, input, select, summary")) {
        const target = one.closest("label") || one;
        const inText = one.matches("a:not(.button)") && one.closest("p, dd, footer");
        if (!shown(one) || inText || one.closest(".skip")) continue;
        const { width, height } = target.getBoundingClientRect();
        if (width < 24 || height < 24) {
            faults.push(`${one.tagName} ${one.textContent.slice(0, 30)}: ${width} by ${height}`);
        }
        if (one.matches(".tile, button.die") && (width < 44 || height < 44)) {
            faults.push(`${one.getAttribute("aria-label")}: ${width} by ${height}`);
        }
    }
    return faults;
}"""


DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Waits for a frame, in which the dice find their places again."""


def check(visitor: Visitor) -> None:
    faults = {}
    for width in WIDTHS:
        visitor.page.set_viewport_size({"width": width, "height": 800})
        visitor.page.evaluate(DRAWN)
        if found := visitor.page.evaluate(FAULTS):
            faults[width] = found
    assert not faults, "\n".join(f"{w}: {fault}" for w, all in faults.items() for fault in all)


@pytest.mark.parametrize(
    "path",
    ["/", "/new?preset=pub", "/help", "/settings", "/review", "/nowhere", "/offline"],
)
def test_pages_fit(ann: Visitor, path: str) -> None:
    ann.allows.append("status of 404")
    ann.page.goto(path)
    check(ann)


# The main button is seen with the box

GO = """() => {
    const { top, bottom } = document.getElementById("go").getBoundingClientRect();
    const bar = document.getElementById("tools"); // on a phone it lies over the page
    const isOver = getComputedStyle(bar).position === "fixed";
    const end = isOver ? bar.getBoundingClientRect().top : innerHeight;
    return top >= 0 && bottom <= end ? "" : `from ${top} to ${bottom} of ${end}`;
}"""
SIZES = [
    *((320, 568), (844, 390), (667, 375), (1366, 650), (1280, 720), (390, 664)),
    *((390, 844), (1440, 900), (2560, 1440)),
]


@pytest.mark.parametrize(
    "game",
    [
        *("classic", "full-house", "the-300", "double-shutter", "cargo", "tray"),
        *("classic(tiles=1-30,dice=5d6)", "digital", "2012"),
    ],
)
def test_tables_fit_and_the_main_button_is_in_sight(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ANN])
    ann.play(most=2, undoes=False)
    check(ann)
    faults = []
    # Thirty tiles and five dice leave no room for it on the smallest phone.
    for width, height in SIZES[1:] if "5d6" in game else SIZES:
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate("() => scrollTo(0, 0)")
        if fault := ann.page.evaluate(GO):
            faults.append(f"{width} by {height}: {fault}")
    assert not faults, "\n".join(faults)


def test_a_match_fits(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, LINK, LINK])
    check(ann)
    for _ in range(2):
        ann.press(ann.page.locator("button.dent", has_text="plays").first)
    ann.play(undoes=False)
    check(ann)


COVERED = """() => {
    const at = document.activeElement;
    if (at === document.body) return ["", true]; // after the last one, before the first
    const { left, right, top, bottom } = at.getBoundingClientRect();
    const name = `${at.id || at.getAttribute("aria-label") || at.textContent}`.trim();
    const middle = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const found = document.elementFromPoint((left + right) / 2, middle);
    return [name, Boolean(found) && (at.contains(found) || found.contains(at))];
}"""


@pytest.mark.parametrize("size", [(320, 256), (844, 390), (1280, 650)])
def test_what_has_the_focus_is_never_covered(ann: Visitor, size: tuple[int, int]) -> None:
    ann.page.set_viewport_size({"width": size[0], "height": size[1]})
    ann.open(game="double-shutter", seats=[ANN])
    ann.press("#go")
    ann.page.evaluate("() => { document.activeElement.blur(); scrollTo(0, 0); }")
    names: list[str] = []
    for key in ("Tab", "Shift+Tab"):
        for _ in range(30):
            ann.page.keyboard.press(key)
            name, is_seen = ann.page.evaluate(COVERED)
            assert is_seen, f"{name} after {names[-3:]}"
            names.append(name)
    assert {"go", "hint", "show-moves"} <= set(names)
    assert any(name.startswith("tile ") for name in names)
    # A tile below the window is scrolled into it.
    ann.page.evaluate(
        """() => {
            document.activeElement.blur();
            const tile = document.querySelector(".tile:not([aria-disabled])");
            scrollTo(0, scrollY + tile.getBoundingClientRect().bottom - innerHeight);
            tile.focus();
        }"""
    )
    assert ann.page.evaluate(COVERED)[1]


# What can be pressed lies on top

UNDER = """() => {
    const faults = [];
    const open = document.querySelectorAll("#board button:not([aria-disabled]), #go, #hint");
    for (const one of open) {
        if (!one.checkVisibility()) continue;
        one.scrollIntoView({ block: "center" });
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        if (!one.contains(found)) {
            const name = one.getAttribute("aria-label") || one.id;
            faults.push(`${name} lies under ${found && (found.id || found.className)}`);
        }
    }
    return faults;
}"""


@pytest.mark.parametrize(
    ("width", "game"),
    cases(
        [(320, "double-shutter"), (320, "tray"), (1440, "the-300"), (1440, "cargo")],
        product((320, 1440), ("classic", "double-shutter", "the-300", "cargo", "tray")),
    ),
)
def test_a_game_is_played_by_the_mouse(ann: Visitor, game: str, width: int) -> None:
    ann.page.set_viewport_size({"width": width, "height": 800})
    ann.open(game=game, seats=[ANN])
    for _ in range(3):
        table = ann.view()["table"]
        if table["does"] == "over":
            break
        assert ann.page.evaluate(UNDER) == []
        tiles = [piece["key"] for piece in table["pieces"] if piece["kind"] == "tile"]
        takes = [offer["takes"] for offer in table["offers"] if set(offer["takes"]) & set(tiles)]
        for key in takes[0] if len(takes) > 1 else ():
            ann.page.click(f"#board [data-key='{key}'] button")
        ann.press("#go")
        assert ann.view()["table"]["version"] > table["version"]


PLACE = """() => {
    const { x, y, width, height } = document.getElementById("rim").getBoundingClientRect();
    return [x + width / 2, y + scrollY + height / 2];
}"""


@pytest.mark.parametrize(
    ("width", "game"),
    cases(
        [(390, "markers-five"), (1440, "cargo-night")],
        product((390, 1440), ("markers-five", "cargo-night", "double-shutter")),
    ),
)
def test_the_main_action_never_moves(ann: Visitor, game: str, width: int) -> None:
    """Through a whole match, whatever is asked, thrown, hinted or over."""
    ann.page.set_viewport_size({"width": width, "height": 900})
    ann.open(game=game, seats=[ANN, {"who": "here", "name": "Bartholomew"}])
    places = [ann.page.evaluate(PLACE)]
    while ann.view()["phase"] == "playing" and len(places) < 40:
        ann.play(most=1, undoes=False)
        places.append(ann.page.evaluate(PLACE))
        if len(places) % 5 == 0:
            ann.page.keyboard.press("h")
            places.append(ann.page.evaluate(PLACE))
    for axis in (0, 1):
        seen = [place[axis] for place in places]
        assert max(seen) - min(seen) <= 8, seen


@pytest.mark.parametrize(
    ("size", "game", "format"),
    cases(
        [
            ((390, 664), "markers-five", "rounds=1"),
            ((390, 664), "cargo-night", "rounds=1"),
            ((1440, 900), "classic", "begins=high-roll"),
        ],
        (
            (size, *match)
            for size in ((390, 664), (1440, 900))
            for match in (
                *(("markers-five", "rounds=2"), ("pub", ""), ("cargo-night", "")),
                ("classic", "begins=high-roll"),
            )
        ),
    ),
)
def test_nothing_shifts_through_a_match(
    visit: Visit, size: tuple[int, int], game: str, format: str
) -> None:
    """From the first paint to the verdict, with all that moves while one plays."""
    viewport = {"width": size[0], "height": size[1]}
    ann = visit(viewport=viewport, reduced_motion="no-preference")
    assert shift_of(ann, game=game, format=format) <= 0.02


# What stands where

WHERE = """(ids) => ids.map((id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return { left, top: top + scrollY, right, bottom: bottom + scrollY };
})"""


def test_each_tool_opens_one_drawer_and_moves_nothing(ann: Visitor) -> None:
    """Its cross, Escape, or the same press closes it; the next one takes its place."""
    page = ann.page
    for width, height in ((390, 844), (1024, 768), (1440, 900)):
        page.set_viewport_size({"width": width, "height": height})
        ann.open(game="pub", seats=[ANN, BOB])
        before = page.evaluate(WHERE, ["go", "board"])
        for tool in ("moves", "rules", "seating", "questions"):
            ann.drawer(tool)
            assert page.locator("#tools details[open]").count() == 1
            assert page.locator("#tools details[open] .drawer").is_visible()
            assert page.evaluate(WHERE, ["go", "board"]) == before
        page.keyboard.press("Escape")
        assert page.locator("#tools details[open]").count() == 0
        assert ann.focus() == "show-questions"
        page.click("#show-rules")
        page.click("#rules .shuts")
        assert page.locator("#tools details[open]").count() == 0


# High contrast as the system has it


def test_forced_colours_tell_by_shape_what_can_be_picked(visit: Visit) -> None:
    ann = visit(forced_colors="active")
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    ann.page.locator(".tile:not([aria-disabled])").last.click()
    ann.page.wait_for_selector(".tile[aria-disabled]")
    styles = ann.page.evaluate(
        """() => ["[aria-disabled]", ":not([aria-disabled])"].map((which) => {
            const flap = document.querySelector(`.tile${which}[data-state=up] .flap`);
            return getComputedStyle(flap).borderTopStyle;
        })"""
    )
    assert styles == ["dashed", "solid"]


NAMES = (
    "عبد الرحمن بن يوسف العلي",
    "हरिश्चन्द्र महाराज",
    "🎲🚀🇫🇷🎲🚀🇫🇷🎲🚀",
    "W" * 24,
    "שרה אדמון",
    "Li",
)


def test_twelve_players_with_long_names_of_all_scripts_have_room(ann: Visitor) -> None:
    names = [*NAMES, *(f"{name[:22]} 2" for name in NAMES)]
    ann.open(game="pub", seats=[{"who": "here", "name": name} for name in names])
    seen = [seat["name"] for seat in ann.view()["seats"]]
    assert ann.page.locator("#plates bdi").all_inner_texts() == seen
    assert f"\u2068{seen[0]}\u2069" in ann.page.inner_text(".begins > span")
    for width in (320, 390, 768, 1440):
        ann.page.set_viewport_size({"width": width, "height": 844})
        assert ann.page.evaluate(FAULTS) == []
        figures = ann.page.locator(".plate .now .n")
        for figure in figures.all():
            assert figure.evaluate(
                """one => {
                    const { left, right } = one.getBoundingClientRect();
                    const plate = one.closest(".plate").getBoundingClientRect();
                    return left >= plate.left && right <= plate.right;
                }"""
            )


@pytest.mark.parametrize("players", [2, 6])
def test_an_ended_match_has_its_chart_below_the_box(visit: Visit, players: int) -> None:
    """A line for each player. The answer in words is seen without scrolling."""
    ann = visit(viewport={"width": 1440, "height": 900})
    here = [{"who": "here", "name": f"Bartholomew {i}"} for i in range(1, players)]
    ann.open(game="classic(tiles=8-9)", format="rounds=1,stake=1,purse=5", seats=[ANN, *here])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    assert ann.page.evaluate(FAULTS) == []
    assert ann.page.locator(".duel > li:not(.track)").count() == players
    chart, answer, box = (ann.box(part) for part in ("#verdict", ".should", ".box"))
    assert chart["width"] == box["width"]
    assert chart["y"] > box["y"] + box["height"]
    assert answer["y"] + answer["height"] <= 900
