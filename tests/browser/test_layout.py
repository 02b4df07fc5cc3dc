"""Layout from phones to wall screens: nothing is cut off or covered, or scrolls sideways."""

from itertools import product

import pytest
from bench.pages import BOOT, shift_of

from browser.cases import cases
from browser.conftest import Visit
from browser.visitors import Visitor

WIDTHS = (320, 768, 1440)  # 320 is what 400 % zoom leaves of 1280
ME = {"who": "me", "name": "Ann"}

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


@pytest.mark.parametrize("path", ["/nowhere", "/offline", "/r/nowhere"])
@pytest.mark.parametrize("width", [320, 1440])
def test_a_page_that_says_one_thing_says_it_in_the_middle(
    ann: Visitor, path: str, width: int
) -> None:
    ann.allows.append("status of 404")
    ann.page.set_viewport_size({"width": width, "height": 800})
    ann.page.goto(path)
    card = ann.page.locator("main > .panel").bounding_box()
    assert card is not None
    assert card["width"] <= 480
    assert abs(card["x"] + card["width"] / 2 - width / 2) <= 1


@pytest.mark.parametrize(
    "game",
    [
        *("classic", "full-house", "the-300", "double-shutter", "cargo", "tray"),
        *("classic(tiles=1-30,dice=5d6)", "digital", "2012"),
    ],
)
def test_tables_fit(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ME])
    ann.play(most=2, undoes=False)
    check(ann)


def test_a_match_fits(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ME, {"who": "link"}, {"who": "link"}])
    check(ann)
    for _ in range(2):
        ann.press(ann.page.locator("button.dent", has_text="plays").first)
    ann.play(undoes=False)
    check(ann)


def test_what_belongs_together_stands_in_one_line_on_a_small_phone(ann: Visitor) -> None:
    ann.page.set_viewport_size({"width": 320, "height": 640})
    ann.page.goto("/")
    lines = ann.page.locator("#filter .pick").evaluate_all(TOPS)
    assert len(lines) == 2
    assert len(set(lines)) == 1
    ann.open(game="classic", seats=[ME])
    ann.play(most=3, undoes=False)
    ann.page.goto(f"/r/{ann.room}/review")  # not over, so watched event by event
    ann.ready()
    buttons = ann.page.locator("#watch .buttons button")
    assert buttons.count() == 5
    assert len(set(buttons.evaluate_all(MIDDLES))) == 1


@pytest.mark.parametrize("width", [390, 1200, 1440])
def test_there_is_no_empty_card_of_what_happened(visit: Visit, width: int) -> None:
    """While nothing has; then it stands beside the box, where there is a column for it."""
    ann = visit(viewport={"width": width, "height": 800})
    ann.open(game="pub", seats=[ME, {"who": "link"}])
    plain = visit(java_script_enabled=False, storage_state=ann.context.storage_state())
    plain.go_to(ann.room)
    for visitor in (ann, plain):
        assert not visitor.page.is_visible("#show-moves")
        assert not visitor.page.is_visible("#tool-moves .drawer")
    ann.press(ann.page.locator("button.dent", has_text="plays"))
    ann.page.wait_for_selector("#show-moves:visible")
    assert ann.page.is_visible("#tool-moves .drawer") == (width == 1200)
    plain.page.click("text=Refresh")
    assert plain.page.is_visible("#show-moves")


def test_while_friends_are_awaited_the_actions_are_in_one_line(ann: Visitor) -> None:
    ann.page.set_viewport_size({"width": 320, "height": 640})
    ann.open(game="pub", seats=[ME, {"who": "link"}, {"who": "link"}])
    row = ann.page.locator("#lobby .rim")
    lines = row.locator("button:visible, a:visible").evaluate_all(MIDDLES)
    assert len(lines) >= 3
    assert max(lines) - min(lines) <= 2
    assert not ann.page.is_visible("#caption")  # the heading says it


TOPS = "all => all.map((one) => one.getBoundingClientRect().top)"
MIDDLES = """all => all.map((one) => {
    const { top, bottom } = one.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
})"""

# The main button is seen with the box

GO = """() => {
    const { top, bottom } = document.getElementById("go").getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight ? "" : `from ${top} to ${bottom} of ${innerHeight}`;
}"""
SIZES = [
    *((844, 390), (667, 375), (1366, 650), (1280, 720), (390, 664)),
    *((390, 844), (1440, 900), (2560, 1440)),
]


@pytest.mark.parametrize("game", ["classic", "double-shutter", "the-300", "cargo"])
def test_the_main_button_is_in_sight(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ME])
    ann.play(most=1)
    faults = []
    for width, height in SIZES:
        ann.page.set_viewport_size({"width": width, "height": height})
        ann.page.evaluate("() => scrollTo(0, 0)")
        if fault := ann.page.evaluate(GO):
            faults.append(f"{width} by {height}: {fault}")
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("game", ["double-shutter", "the-300"])
def test_the_main_button_lies_above_the_bar_of_a_small_phone(ann: Visitor, game: str) -> None:
    ann.page.set_viewport_size({"width": 320, "height": 568})
    ann.open(game=game, seats=[ME])
    ann.play(most=1, undoes=False)
    ann.page.evaluate("() => scrollTo(0, 0)")
    go, tools = ann.page.locator("#go").bounding_box(), ann.page.locator("#tools").bounding_box()
    assert go is not None
    assert tools is not None
    assert go["y"] + go["height"] <= tools["y"]


def test_menus_are_seen_whole_on_a_small_phone(ann: Visitor) -> None:
    ann.page.set_viewport_size({"width": 320, "height": 568})
    ann.page.goto("/")
    for menu in ann.page.locator(".menu:visible").all():
        menu.locator("summary").click()
        box = menu.locator(":scope > :not(summary)").bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
        menu.locator("summary").click()


def test_settings_stand_in_groups_with_names(ann: Visitor) -> None:
    ann.page.goto("/")
    ann.page.click(".menu:not(.pages) summary")
    for group, setting in {
        "Look": "Walnut",
        "Sound and hand": "Turns of computer players",
        "Language and reading": "Play by typing",
    }.items():
        assert ann.page.get_by_role("group", name=group).get_by_label(setting).is_visible()


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
    ann.open(game="double-shutter", seats=[ME])
    ann.page.click("#go")
    ann.shown()
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
    ann.open(game=game, seats=[ME])
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
    ann.open(game=game, seats=[ME, {"who": "here", "name": "Bartholomew"}])
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


def test_no_tool_is_seen_before_all_have_come(ann: Visitor) -> None:
    ann.quick_start("classic")
    seen = "() => getComputedStyle(document.getElementById('tools')).visibility"
    assert ann.page.evaluate(seen) == "visible"
    ann.page.evaluate("document.getElementById('questions').remove()")
    assert ann.page.evaluate(seen) == "hidden"


SHIFTED = "() => new Promise((done) => setTimeout(() => done(shift), 300))"


@pytest.mark.parametrize("size", [(390, 664), (1440, 900)])
def test_only_the_tools_shift_once_a_friend_has_come(visit: Visit, size: tuple[int, int]) -> None:
    """The box has its height before it has tiles, while dice alone decide who begins."""
    viewport = {"width": size[0], "height": size[1]}
    ann, bob = visit(viewport=viewport, reduced_motion="no-preference"), visit()
    ann.context.add_init_script(f"({BOOT})()")
    seats = [ME, {"who": "link"}]
    room = ann.open(game="classic", format="begins=high-roll", seats=seats)
    key = ann.page.evaluate("() => table.you.links.seats[1]").partition("#")[2]
    before = ann.page.evaluate(SHIFTED)
    body = {"action": "comes-by-link", "key": key, "name": "Bob"}
    came = bob.context.request.post(f"{ann.url}/api/rooms/{room}/enter", data=body)
    assert came.ok, came.text()
    bob.go_to(room)
    for _ in range(20):
        view = bob.view()
        for person in (ann, bob):
            person.shows(view["number"])
        if any(piece["kind"] == "tile" for piece in view["table"]["pieces"]):
            break
        (ann, bob)[view["table"]["seat"]].play(most=1, undoes=False)
    assert ann.page.locator("#board .tile:not(.fixed)").count() == 9
    assert ann.page.evaluate(SHIFTED) - before <= 0.04


ANSWERS = """() => Object.fromEntries(
    [...document.querySelectorAll("#go:not([hidden]), #offers .main")].map((one) => {
        return [one.firstChild.textContent, Math.round(one.getBoundingClientRect().x)];
    }),
)"""


def test_of_two_answers_the_one_that_is_picked_by_its_dice_keeps_its_place(ann: Visitor) -> None:
    ann.open(game="cargo", seats=[ME])
    table = ann.view()["table"]
    while not (len(table["offers"]) == 2 and table["offers"][1]["takes"]):
        ann.play(most=1, undoes=False)
        table = ann.view()["table"]
    before = ann.page.evaluate(ANSWERS)
    assert len(before) == 2
    for key in table["offers"][1]["takes"]:
        ann.page.click(f"#board [data-key^='{key} '] button")
    assert ann.page.is_visible("#go")
    assert ann.page.evaluate(ANSWERS) == before


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
        ann.open(game="pub", seats=[ME, {"who": "here", "name": "Bob"}])
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


@pytest.mark.parametrize("size", [(390, 844), (320, 568)])
def test_on_a_phone_a_hint_leaves_tiles_dice_and_action_in_sight(
    ann: Visitor, size: tuple[int, int]
) -> None:
    ann.page.set_viewport_size({"width": size[0], "height": size[1]})
    ann.open(game="classic", seats=[ME])
    ann.page.click("#go")
    ann.shown()
    ann.page.click("#hint")
    ann.page.wait_for_selector("#advice li")
    drawer = ann.page.locator("#tool-hint .drawer").bounding_box()
    assert drawer is not None
    for part in ("#board .tile >> nth=0", "#board .die >> nth=0", "#go"):
        box = ann.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= drawer["y"] + drawer["height"]


def test_in_a_low_window_a_drawer_leaves_tiles_and_action_in_sight(ann: Visitor) -> None:
    ann.page.set_viewport_size({"width": 844, "height": 390})
    ann.open(game="classic", seats=[ME])
    ann.drawer("rules")
    drawer = ann.page.locator("#rules .drawer").bounding_box()
    assert drawer is not None
    for part in ("#board .tile >> nth=-1", "#go"):
        box = ann.page.locator(part).bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= drawer["x"]


@pytest.mark.parametrize(
    ("width", "game", "count"), [(320, "the-300", 4), (390, "classic(tiles=1-30,dice=5d6)", 5)]
)
def test_the_sum_lies_beside_many_dice_on_a_phone(
    ann: Visitor, width: int, game: str, count: int
) -> None:
    ann.page.set_viewport_size({"width": width, "height": 568})
    ann.open(game=game, seats=[ME])
    ann.play(most=1, undoes=False)
    total = ann.page.locator("#sum").bounding_box()
    assert total is not None
    dice = [die.bounding_box() for die in ann.page.locator("#board .dice > li").all()]
    assert len(dice) == count
    assert all(die["x"] + die["width"] <= total["x"] for die in dice if die)


def test_the_drawer_that_was_open_is_open_again(ann: Visitor) -> None:
    """On a wide screen; on a narrow one it would cover the box."""
    page = ann.page
    ann.open(game="classic", seats=[ME])
    ann.drawer("rules")
    page.reload()
    page.wait_for_selector("#rules[open]")
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    ann.ready()
    assert page.locator("#tools details[open]").count() == 0


@pytest.mark.parametrize("players", [3, 6])
def test_the_score_sheet_has_room(ann: Visitor, players: int) -> None:
    """That of three is seen whole; of many the rounds stay in sight while one scrolls."""
    names = ("Bartholomew", "Cy", "Dee", "Eve", "Fay")
    here = [{"who": "here", "name": name} for name in names]
    for width in (390, 1024, 1440):
        ann.page.set_viewport_size({"width": width, "height": 900})
        ann.open(game="pub", seats=[ME, *here[: players - 1]])
        ann.drawer("moves")
        sheet = ann.page.locator(".sheet")
        hidden = sheet.evaluate("one => one.scrollWidth - one.clientWidth")
        assert players > 3 or hidden <= 0, width
        first = ann.page.locator("#sheet tbody, #sheet tfoot").locator("th").first
        before = first.bounding_box()
        sheet.evaluate("one => { one.scrollLeft = 90; }")
        assert first.bounding_box() == before


def test_on_a_wall_the_page_is_filled(ann: Visitor) -> None:
    ann.page.set_viewport_size({"width": 2560, "height": 1440})
    ann.open(game="classic", seats=[ME])
    ann.page.click("#go")
    ann.shown()
    widths = """() => [".top", "main", ".foot"].map((part) => {
        return document.querySelector(part).getBoundingClientRect().width;
    })"""
    assert {round(width) for width in ann.page.evaluate(widths)} == {2560}
    die, foot = (ann.page.locator(part).first.bounding_box() for part in (".die", ".foot"))
    assert die is not None
    assert foot is not None
    assert die["width"] > 90
    assert foot["y"] + foot["height"] >= 1439


def test_an_evening_brings_its_game(ann: Visitor) -> None:
    page = ann.page
    page.goto("/new")
    ann.ready()
    page.click("[data-step=match]")
    page.get_by_text("Matches with a name").click()
    page.select_option("#preset", "cargo-night")
    page.wait_for_selector("[name=game_was][value=cargo]", state="attached")
    page.wait_for_selector("#says-match:text-is('After round 3 the highest total wins.')")
    page.click("[data-step=box]")
    assert page.is_checked("[name=game][value=cargo]")
    page.check("[name=game][value=classic]")  # another one is chosen after it
    page.wait_for_selector("[name=game_was][value=classic]", state="attached")
    assert page.input_value("#preset") == "cargo-night"
    page.wait_for_selector("#says-match:text-is('After round 3 the lowest total wins.')")
    page.click("[data-step=match]")
    page.select_option("#preset", "")
    page.wait_for_selector("[name=preset_was][value='']", state="attached")
    page.wait_for_selector("#says-match:text-is('One round.')")
    assert page.is_checked("[name=game][value=classic]")
    page.select_option("#preset", "cargo-night")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/r/*")
    view = ann.view()
    assert view["settings"]["game"] == "cargo"
    assert "rounds=3" in view["settings"]["format"]


def test_a_refused_table_shows_the_field(ann: Visitor) -> None:
    ann.allows.append("status of 422")
    page = ann.page
    page.goto("/new")
    page.click("text=Advanced: rules as code")
    page.fill("#format", "rounds=x")
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_selector("#error")
    assert page.title().startswith("Error: ")
    assert page.locator("[aria-invalid]").evaluate_all("all => all.map(({ id }) => id)") == [
        "format"
    ]
    assert page.inner_text("#error li") == "Rounds: 'x' is not a whole number."
    assert page.is_visible("#format")


def test_tables_to_go_on_with_are_told_apart(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ME])
    ann.open(game="pub", seats=[ME, {"who": "here", "name": "Bob"}])
    turn = next(seat["name"] for seat in ann.view()["seats"] if seat["due"])
    ann.page.goto("/")
    cards = ann.page.locator("section:has(#mine) .card").all_inner_texts()
    assert any("Your turn · 45 still up" in card for card in cards)
    assert any(f"{turn} to throw · 45 still up" in card for card in cards)


# High contrast as the system has it


def test_forced_colours_tell_by_shape_what_can_be_picked(visit: Visit) -> None:
    ann = visit(forced_colors="active")
    ann.open(game="classic", seats=[ME])
    ann.page.click("#go")
    ann.shown()
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


def test_keys_are_shown_only_to_those_who_have_some(visit: Visit) -> None:
    for has_touch in (True, False):
        ann = visit(has_touch=has_touch, is_mobile=has_touch)
        ann.open(game="cargo", seats=[ME])
        while ann.page.locator("#offers kbd").count() == 0:
            ann.press("#go")
        assert ann.page.locator("#offers kbd").first.is_visible() != has_touch


@pytest.mark.parametrize("players", [2, 3, 6])
def test_on_a_phone_the_caption_is_seen_above_the_bar(ann: Visitor, players: int) -> None:
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.open(game="pub", seats=[{"who": "here", "name": f"Player {i}"} for i in range(players)])
    caption, tools = ann.page.evaluate(WHERE, ["caption", "tools"])
    assert caption["bottom"] <= tools["top"] + 1


def test_real_dice_are_typed_in_sight_of_the_box(ann: Visitor) -> None:
    ann.page.set_viewport_size({"width": 390, "height": 844})
    ann.open(game="classic", seats=[ME], dice="hand")
    field, tools = ann.page.evaluate(WHERE, ["roll", "tools"])
    assert field["bottom"] <= tools["top"]


def test_an_ended_game_alone_stands_beside_the_box(visit: Visit) -> None:
    """The page is no higher than while it was played."""
    ann = visit(viewport={"width": 1440, "height": 900})
    ann.open(game="classic(tiles=9)", seats=[ME])
    while ann.view()["phase"] == "playing":
        ann.press("#go")
    ann.page.wait_for_selector("dl.sums")
    assert ann.page.evaluate("() => document.documentElement.scrollHeight") == 900
    right, left = ann.page.evaluate(
        """() => [document.getElementById("result").getBoundingClientRect().right,
            document.querySelector(".box").getBoundingClientRect().left]"""
    )
    assert right < left


@pytest.mark.parametrize("players", [2, 6])
def test_an_ended_match_has_its_chart_below_the_box(visit: Visit, players: int) -> None:
    """A line for each player. The answer in words is seen without scrolling."""
    ann = visit(viewport={"width": 1440, "height": 900})
    here = [{"who": "here", "name": f"Bartholomew {i}"} for i in range(1, players)]
    ann.open(game="classic(tiles=8-9)", format="rounds=1,stake=1,purse=5", seats=[ME, *here])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    assert ann.page.evaluate(FAULTS) == []
    assert ann.page.locator(".duel > li:not(.track)").count() == players
    parts = ("#verdict", ".should", ".box")
    chart, answer, box = (ann.page.locator(part).bounding_box() for part in parts)
    assert chart is not None
    assert answer is not None
    assert box is not None
    assert chart["width"] == box["width"]
    assert chart["y"] > box["y"] + box["height"]
    assert answer["y"] + answer["height"] <= 900


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_on_a_phone_the_podium_of_the_end_fills_the_box(
    ann: Visitor, size: tuple[int, int]
) -> None:
    ann.page.set_viewport_size({"width": size[0], "height": size[1]})
    ann.open(game="pub", seats=[{"who": "here", "name": name} for name in ("Ann", "Bob")])
    ann.play(undoes=False)
    podium, well = (ann.page.locator(part).bounding_box() for part in (".standings", "#board"))
    assert podium is not None
    assert well is not None
    if size[0] < size[1]:  # and the place of the plates above it
        frame, plates = (ann.page.locator(part).bounding_box() for part in (".box", "#plates"))
        assert frame is not None
        assert plates is not None
        up = frame["y"] - plates["y"]
        assert up > 0
        assert podium["y"] == pytest.approx(well["y"] - up, abs=0.01)
        assert podium["height"] == pytest.approx(well["height"] + up, abs=0.01)
        assert (podium["x"], podium["width"]) == (well["x"], well["width"])
    else:  # the answer stands beside it, above the main button
        ann.page.wait_for_selector(".should h3")
        answer = ann.page.locator(".should").bounding_box()
        go = ann.page.locator("#go").bounding_box()
        assert answer is not None
        assert go is not None
        assert podium["x"] + podium["width"] < min(answer["x"], go["x"])
        assert answer["y"] + answer["height"] <= go["y"]
        assert (podium["y"], podium["height"]) == (well["y"], well["height"])
    for stand in ann.page.locator(".standings li .n").all():
        assert (box := stand.bounding_box()) is not None
        assert box["y"] + box["height"] <= podium["y"] + podium["height"] + 1
        assert box["y"] > podium["y"]


@pytest.mark.parametrize("width", [390, 1280])
def test_review_and_share_do_not_touch(ann: Visitor, width: int) -> None:
    ann.page.set_viewport_size({"width": width, "height": 844})
    ann.open(game="classic(tiles=9)", seats=[ME])
    ann.play(undoes=False)
    edges = """() => ["review", "share"].map((id) => {
        const { left, right } = document.getElementById(id).getBoundingClientRect();
        const style = getComputedStyle(document.getElementById(id));
        const [start, end] = [style.borderLeftWidth, style.borderRightWidth].map(parseFloat);
        return [left + start, right - end];
    })"""
    review, share = ann.page.evaluate(edges)
    assert share[0] - review[1] >= 3


def test_two_racks_leave_the_dice_in_sight_on_a_low_phone(visit: Visit) -> None:
    ann = visit(viewport={"width": 320, "height": 568})
    ann.open(game="double-shutter", seats=[ME])
    ann.press("#go")
    ann.page.evaluate("() => scrollTo(0, 0)")
    dice, rim = ann.page.evaluate(
        """() => [Math.max(...[...document.querySelectorAll(".dice .die")].map(
            (die) => die.getBoundingClientRect().bottom,
        )), document.getElementById("rim").getBoundingClientRect().top]"""
    )
    assert dice <= rim
