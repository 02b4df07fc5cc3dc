"""Layout from phones to wall screens: nothing is cut off or covered, or scrolls sideways."""

from itertools import product

import pytest
from bench.browser import shift_of

from browser.cases import cases
from browser.conftest import Check, Visit
from browser.visitors import ANN, BOB, Visitor

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
def test_the_main_button_is_in_sight(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ANN])
    ann.play(most=2, undoes=False)
    faults = []
    # Thirty tiles and five dice leave no room for it on the smallest phone.
    for width, height in SIZES[1:] if "5d6" in game else SIZES:
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate("() => scrollTo(0, 0)")
        if fault := ann.page.evaluate(GO):
            faults.append(f"{width} by {height}: {fault}")
    assert not faults, "\n".join(faults)


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
        for tool in ("seating", "moves", "rules"):
            ann.drawer(tool)
            assert page.locator("#tools details[open]").count() == 1
            assert page.locator("#tools details[open] .drawer").is_visible()
            assert page.evaluate(WHERE, ["go", "board"]) == before
        page.keyboard.press("Escape")
        assert page.locator("#tools details[open]").count() == 0
        assert ann.focus() == "go"  # where Enter goes on
        page.click("#show-rules")
        page.click("#rules .shuts")
        assert page.locator("#tools details[open]").count() == 0


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
    for tool in ("tool-moves", "rules"):
        page.click(f"#{tool} > summary")
        is_open(ann, tool)
    page.go_back()
    is_open(ann, "")
    page.go_forward()
    is_open(ann, "rules")
    page.reload()
    ann.ready()
    if size[0] == 1440:
        is_open(ann, "rules")
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


def test_twelve_players_with_long_names_of_all_scripts_have_room(
    walked: Check, ann: Visitor
) -> None:
    names = [*NAMES, *(f"{name[:22]} 2" for name in NAMES)]
    ann.open(game="pub", seats=[{"who": "here", "name": name} for name in names])
    seen = [seat["name"] for seat in ann.view()["seats"]]
    assert ann.page.locator("#plates bdi").all_inner_texts() == seen
    assert f"\u2068{seen[0]}\u2069" in ann.page.inner_text(".begins > span")
    walked(ann)
    for width in (320, 390, 768, 1440):
        ann.page.set_viewport_size({"width": width, "height": 844})
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
    assert ann.page.locator(".duel > li:not(.track)").count() == players
    chart, answer, box = (ann.box(part) for part in ("#verdict", ".should", ".box"))
    assert chart["width"] == box["width"]
    assert chart["y"] > box["y"] + box["height"]
    assert answer["y"] + answer["height"] <= 900
