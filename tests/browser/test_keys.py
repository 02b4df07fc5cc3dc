"""Play by keyboard alone: Tab and Enter, shortcuts of one key, and typed moves."""

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, Visitor
from listing import assert_none

if TYPE_CHECKING:
    from playwright.sync_api import Route

ROLLS = "1+2 4+5 3+5 3+4"
PICKS = ("3", "9", "8", "7")


lucky = pytest.mark.rolls(ROLLS)
nine = pytest.mark.rolls("4+5")
STAYS = "() => { window.requestAnimationFrame = () => 0; }"
"""Dice that are thrown from now on stay in the air until a key lets them lie."""


def pressed(ann: Visitor, *keys: str) -> None:
    """Press keys; the focus is never lost on the way, once it has been somewhere."""
    for key in keys:
        had = ann.focus()
        ann.page.keyboard.press(key)
        assert ann.focus() or not had, f"{key} lost the focus of {had}"


def picked(ann: Visitor) -> list[str]:
    found: list[str] = ann.page.eval_on_selector_all(
        "#board [aria-pressed=true]", "all => all.map((one) => one.parentElement.dataset.key)"
    )
    return found


def test_the_first_button_of_the_first_page_plays_at_once(ann: Visitor) -> None:
    """A player who hears the page from its top need not hear all of it."""
    page = ann.page
    page.goto("/")
    read = "() => document.body.innerText.indexOf(document.querySelector('button').innerText)"
    assert 0 <= page.evaluate(read) < 60
    pressed(ann, "Tab", "Tab")
    assert ann.focus() == "Play at once"
    box = ann.box("button.skip")
    assert box["y"] >= 0
    assert box["height"] >= 44
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/*")


def test_a_game_by_tab_and_enter(ann: Visitor) -> None:
    page = ann.page
    page.goto("/")
    for _ in range(40):
        pressed(ann, "Tab")
        if "Play alone" in ann.focus():
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/*")
    ann.ready()
    for _ in range(60):
        view = ann.view()
        if view["phase"] == "over":
            break
        ann.shows(view["number"])
        table = view["table"]
        if table["does"] == "throw":
            wanted = ["go"]
        else:
            takes = table["offers"][0]["takes"]
            wanted = [f"tile {key}" for key in takes] + ["go"] if takes else ["One die"]
        for name in wanted:
            _tab_to(ann, name)
            assert page.evaluate(
                "() => getComputedStyle(document.activeElement).outlineStyle !== 'none'"
            )
            pressed(ann, "Space" if name.startswith("tile") else "Enter")
        page.evaluate("n => table.until(() => table.view.number > n, 'an answer')", view["number"])
        ann.shown()
        assert ann.focus()
    assert ann.view()["phase"] == "over"


def _tab_to(ann: Visitor, name: str) -> None:
    for _ in range(80):
        if ann.focus() == name:
            return
        ann.page.keyboard.press("Tab")  # behind the last one there is the browser itself
    raise AssertionError(f"Tab does not come to {name}")


def test_shortcuts(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    pressed(ann, "Enter")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    table = ann.view()["table"]
    for key, about in (("d", "dice"), ("b", "board"), ("s", "score"), ("l", "legal")):
        pressed(ann, key)
        ann.says(table[about])
    pressed(ann, "h")
    page.wait_for_selector("#advice li")
    pressed(ann, "r")
    page.wait_for_selector("#rules[open]")
    pressed(ann, "?")
    ann.says("Enter goes on, u takes back. Letters ask: b board")
    pressed(ann, "x")
    ann.says("x does nothing here. Press ? for help.")
    pressed(ann, "u")
    ann.says("There is nothing to take back.")
    takes = table["offers"][-1]["takes"]
    pressed(ann, *takes)
    assert sorted(picked(ann)) == sorted(takes)
    pressed(ann, "Escape")
    assert not picked(ann)
    pressed(ann, *takes, "Enter")
    page.wait_for_function("() => table.view.table.does === 'throw'")
    ann.shown()
    pressed(ann, "u")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    assert ann.view()["table"]["pieces"] == table["pieces"]
    pressed(ann, "m")
    ann.says("Sound off.")


def test_nothing_that_opens_is_a_dead_end(ann: Visitor) -> None:
    """Escape leads from the menu, each drawer and the dialog to the main button."""
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    page.click("#hint")
    for tool, part in (("hint", "#advice button"), ("moves", "#log"), ("rules", "#rules .shuts")):
        if tool != "hint":
            ann.drawer(tool)
        page.locator(part).first.focus()
        pressed(ann, "Escape")
        assert ann.focus() == "go", tool
    page.focus("#menu > summary")
    pressed(ann, "Enter", "Tab", "Escape")
    assert (ann.focus(), page.locator("#menu[open]").count()) == ("go", 0)
    ann.drawer("questions")
    page.focus("#typed")
    rules = page.locator("#rules-lines p").first.text_content() or ""
    for word, says in (("h", "Best is"), ("r", rules), ("?", "Letters ask")):
        page.keyboard.type(word)
        page.keyboard.press("Enter")
        ann.says(says)
        assert ann.focus() == "typed"
    page.click("text=All keys")
    assert ann.focus() == "help-title"
    assert "takes back" in page.inner_text("#help-body")
    page.keyboard.press("1")
    assert not picked(ann)
    page.keyboard.press("Escape")
    assert ann.focus() == "All keys"
    pressed(ann, "Escape")
    assert ann.focus() == "go"


def test_every_layout_of_a_keyboard_plays_by_the_places_of_its_keys(ann: Visitor) -> None:
    table = Path(__file__).parents[1] / "outside" / "keys_of_layouts.toml"
    layouts = tomllib.loads(table.read_text("utf-8"))
    keys = [
        (name, key, f"Digit{digit}", False, digit)
        for name, row in layouts["rows"].items()
        for key, digit in zip(row, "1234567890", strict=True)
    ]
    keys += [(name, *key) for name, of in layouts["keys"].items() for key in of]
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    found = page.evaluate(
        """async (keys) => {
        const { meantKey } = await import("/static/input/shortcuts.js");
        return keys.map(([, key, code, shiftKey]) => meantKey({ key, code, shiftKey }));
        }""",
        keys,
    )
    assert_none(
        (name, key, f"{got} for {wanted}")
        for (name, key, _, _, wanted), got in zip(keys, found, strict=True)
        if got != wanted
    )
    page.click("#go")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    takes = ann.view()["table"]["offers"][-1]["takes"]
    for digit in takes:
        event = {"key": layouts["rows"]["French"][int(digit) - 1], "code": f"Digit{digit}"}
        page.dispatch_event("#main", "keydown", {**event, "bubbles": True})
    assert sorted(picked(ann)) == sorted(takes)


def test_numbers_of_two_digits(ann: Visitor) -> None:
    """1 may go on to 10, 11 or 12: it waits, and Space takes it as it is."""
    ann.open(game="full-house", seats=[ANN], dice="hand")
    page = ann.page
    page.focus("#roll")
    page.keyboard.type("6 6")
    page.keyboard.press("Enter")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    pressed(ann, "1")
    assert picked(ann) == []
    ann.says("1: press Space to take it")
    pressed(ann, "2")
    assert picked(ann) == ["12"]
    pressed(ann, "Escape", "1", "Space")
    assert picked(ann) == ["1"]
    pressed(ann, "1", "1")
    assert sorted(picked(ann)) == ["1", "11"]
    pressed(ann, "Escape", "9", "3")
    assert sorted(picked(ann)) == ["3", "9"]
    pressed(ann, "Enter")
    ann.says("3 and 9 go down.")
    assert ann.focus()


def test_shortcuts_can_be_switched_off(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    page.click("#go")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    page.locator("#menu > summary").click()
    page.locator(".ears > summary").click()
    page.get_by_label("One-key shortcuts").uncheck()
    page.locator("#menu > summary").click()
    page.locator("#main").focus()
    ann.says("tiles")  # what is asked has been told, after the throw
    before = page.evaluate("() => table.told.length")
    pressed(ann, *"dbslhurm?123456789")
    assert picked(ann) == []
    assert not page.is_visible("dialog")
    assert page.evaluate("() => table.told.length") == before
    page.reload()
    ann.ready()
    pressed(ann, *"123456789")
    assert picked(ann) == []


def test_enter_on_a_piece_does_what_the_main_button_says(ann: Visitor) -> None:
    """Space picks; Enter picks only while the main button has nothing to do."""
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    piece = page.locator("#board .tile")
    piece.first.focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    takes = ann.view()["table"]["offers"][0]["takes"]
    for key in takes[:-1]:
        _focus_tile(ann, key)
        pressed(ann, "Space")
    _focus_tile(ann, takes[-1])
    pressed(ann, "Enter")
    assert sorted(picked(ann)) == sorted(takes)
    ann.says("Enter: Cover")
    pressed(ann, "Space")
    assert sorted(picked(ann)) == sorted(takes[:-1])
    pressed(ann, "Space", "Enter")
    page.wait_for_function("() => table.view.table.does === 'throw'")
    ann.shown()
    assert ann.focus() == f"tile {takes[-1]}, down"


def _focus_tile(ann: Visitor, key: str) -> None:
    ann.page.focus(f"#board [data-key='{key}'] button")


def _to_the_question(ann: Visitor) -> None:
    """To "One die or two dice?", which the first four rolls lead to."""
    for tiles in PICKS:
        pressed(ann, "Enter")
        ann.page.wait_for_function("() => table.view.table.does === 'choose'")
        ann.shown()
        pressed(ann, *tiles, "Enter")
        ann.page.wait_for_function("tile => table.said[0].includes(tile)", arg=tiles[0])
        ann.shown()
    assert ann.view()["table"]["ask"] == "One die or two dice?"


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Tile 9 is too high: you threw 3."),
        ("fr", "Le clapet 9, c’est trop\u00a0: tu as obtenu 3."),
    ],
)
@lucky
def test_a_tile_that_cannot_be_picked_says_why(visit: Visit, language: str, words: str) -> None:
    ann = visit(locale=language)
    ann.open(game="classic", seats=[ANN])
    pressed(ann, "Enter")
    ann.page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    pressed(ann, "9")
    ann.says(words)


@lucky
def test_a_digit_says_how_many_dice_and_they_are_thrown(visit: Visit) -> None:
    """One press throws: by a digit, by a click, and by words."""
    for choose, dice in (("1", 1), ("2", 2), ("click", 1), ("two dice", 2), ("2 Enter", 2)):
        ann = visit()
        ann.open(game="classic", seats=[ANN])
        _to_the_question(ann)
        buttons = ann.page.locator("#offers button")
        assert buttons.all_inner_texts() == ["One die1", "Two dice2"]
        assert buttons.nth(1).get_attribute("aria-keyshortcuts") == "2"
        assert ann.page.get_by_role("button", name="One die", exact=True).count() == 1
        number = ann.view()["number"]
        before = ann.page.evaluate("() => table.told.length")
        if choose == "click":
            buttons.first.click()
        elif len(choose) == 1:
            pressed(ann, "9")
            ann.says("There is no answer 9.")
            pressed(ann, choose)
        else:
            ann.drawer("questions")
            ann.page.fill("#typed", choose.removesuffix(" Enter"))
            ann.page.keyboard.press("Enter")
        ann.shows(number + 2)
        thrown = [piece for piece in ann.view()["table"]["pieces"] if piece["kind"] == "die"]
        assert len(thrown) == dice
        told = " ".join(ann.page.evaluate("before => table.told.slice(before)", before))
        assert "Throw" not in told


@pytest.mark.parametrize("sends", [True, False], ids=["on its way", "in the air"])
@pytest.mark.parametrize("door", ["keys", "field", "real"])
@nine
def test_what_is_typed_during_a_throw_counts_when_the_dice_lie(
    visit: Visit, door: str, sends: bool
) -> None:
    ann = visit(reduced_motion="no-preference")
    page = ann.page
    if door == "field":
        page.add_init_script("localStorage.setItem('shutbox', '{\"typing\": true}')")
    ann.open(game="classic", seats=[ANN], dice="hand" if door == "real" else "system")
    ann.says("two dice" if door != "keys" else "Enter throws.")
    held: list[Route] = []
    if sends:
        page.route("**/act", lambda route: held.append(route))
    else:
        page.evaluate(STAYS)
    if door == "real":
        page.focus("#roll")
        page.keyboard.type("4 5")
    with page.expect_request("**/act"):
        page.keyboard.press("Enter")
    if not sends:
        page.wait_for_function("() => table.view.table.does === 'choose'")
    pressed(ann, "9", "Enter")
    for route in held:
        route.continue_()
    page.unroute("**/act")
    page.wait_for_function("() => table.view.table.pieces.some(({ state }) => state === 'down')")
    down = [piece["key"] for piece in ann.view()["table"]["pieces"] if piece["state"] == "down"]
    assert down == ["9"]
    assert page.input_value("#typed") == page.input_value("#roll") == ""


def test_a_digit_typed_during_a_throw_answers_no_question(visit: Visit) -> None:
    """It was not known yet what it would answer, and an answer may throw again."""
    ann = visit(reduced_motion="no-preference")
    ann.open(game="cargo", seats=[ANN])
    ann.page.evaluate(STAYS)
    while ann.page.evaluate("() => table.view.table.does") != "choose":
        version = ann.page.evaluate("() => table.view.table.version")
        pressed(ann, "Enter")
        ann.page.wait_for_function("old => table.view.table.version > old", arg=version)
        pressed(ann, "1")
        ann.shown()
    sent = ann.page.evaluate("() => table.requests.map(([, { body }]) => JSON.parse(body).do)")
    assert set(sent) == {"throw"}


def test_questions_of_cargo_are_numbered(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="cargo", seats=[ANN])
    ann.press("#go")
    while ann.view()["table"]["does"] == "throw":
        ann.press("#go")
    assert page.locator("#offers kbd").all_inner_texts() == ["1", "2"]
    page.locator("#menu > summary").click()
    page.locator(".ears > summary").click()
    page.get_by_label("One-key shortcuts").uncheck()
    assert page.locator("#offers kbd").count() == 0
    assert page.locator("#offers [aria-keyshortcuts]").count() == 0
    page.get_by_label("One-key shortcuts").check()
    page.locator("#menu > summary").click()
    page.focus("#go")
    pressed(ann, "1")
    page.wait_for_function("() => table.view.phase === 'over'")


def test_every_question_of_a_match_has_its_key(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, BOB], format="rounds=3")
    answers = ann.view()["table"]["answers"]
    assert {"o", "e", "p", "n", "w"} == {answer["key"] for answer in answers}
    for answer in answers:
        pressed(ann, answer["key"])
        ann.says(answer["says"])


def test_the_focus_has_a_ring_after_keys_and_none_after_a_press(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    ann.press("#go")
    assert (ann.focus(), ann.page.evaluate(ring)) == ("go", "none")
    ann.page.keyboard.press("Tab")
    assert ann.page.evaluate(ring) == "solid"
