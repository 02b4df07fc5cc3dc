"""Play by keyboard alone: Tab and Enter, shortcuts of one key, and the field for typing."""

import tomllib
from pathlib import Path

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, MACHINE, Visitor
from listing import assert_none

RING = "getComputedStyle(document.activeElement).outlineStyle"


def pressed(ann: Visitor, *keys: str) -> None:
    """Press keys; the focus is never lost on the way, once it has been somewhere."""
    for key in keys:
        had = ann.focus()
        ann.page.keyboard.press(key)
        assert ann.focus() or not had, f"{key} lost the focus of {had}"


def picked(ann: Visitor) -> list[str]:
    """Return the keys of the picked pieces, in order."""
    return sorted(ann.run("picked"))


def focus_tile(ann: Visitor, key: str) -> None:
    ann.page.focus(f"#board [data-key='{key}'] button")


def test_a_game_by_tab_and_enter(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    page.keyboard.press("Shift")  # the focus has no ring before a key
    while (view := ann.view())["phase"] != "over":
        ann.shows(view["number"])
        table = view["table"]
        takes = table["offers"][0]["takes"] if table["does"] == "choose" else None
        tiles = [f"tile {key}" for key in takes or ()]
        for name in [*tiles, "One die" if takes == [] else "go"]:
            for _ in range(80):
                if ann.focus() == name:
                    break
                page.keyboard.press("Tab")  # behind the last one there is the browser itself
            assert ann.focus() == name
            assert page.evaluate(RING) != "none"
            pressed(ann, "Space" if name in tiles else "Enter")
        page.evaluate("n => table.until(() => table.view.number > n, 'an answer')", view["number"])
        ann.shown()
        assert ann.focus()


def test_shortcuts(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    pressed(ann, "Enter")
    ann.chooses()
    table = ann.view()["table"]
    for key, words in (
        *((about[0], table[about]) for about in ("dice", "board", "score", "legal")),
        ("h", "Hint shows all choices."),
        ("?", "Enter goes on, u takes back. Letters ask: b board"),
        ("x", "x does nothing here. Press ? for help."),
        ("u", "There is nothing to take back."),
    ):
        pressed(ann, key)
        ann.says(words)
    pressed(ann, "r")
    page.wait_for_selector("#rules[open]")
    takes = table["offers"][-1]["takes"]
    pressed(ann, *takes)
    assert picked(ann) == sorted(takes)
    pressed(ann, "Escape")
    assert not picked(ann)
    pressed(ann, *takes, "Enter")
    ann.until("table.view.table.does === 'throw'")
    ann.shown()
    pressed(ann, "u")
    ann.chooses()
    assert ann.view()["table"]["pieces"] == table["pieces"]
    pressed(ann, "m")
    ann.says("Sound off.")


def test_nothing_that_opens_is_a_dead_end(ann: Visitor) -> None:
    """Escape leads from the menu, each drawer and the dialog to the main button."""
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    assert (ann.focus(), page.evaluate(RING)) == ("go", "none")  # the ring is for keys
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
    page.click("text=All keys")
    assert ann.focus() == "help-title"
    assert "takes back" in page.inner_text("#help-body")
    page.keyboard.press("1")
    assert not picked(ann)
    for leads_to in ("All keys", "go"):
        page.keyboard.press("Escape")
        assert ann.focus() == leads_to


def test_every_layout_of_a_keyboard_plays_by_the_places_of_its_keys(ann: Visitor) -> None:
    table = Path(__file__).parents[1] / "outside" / "keys_of_layouts.toml"
    layouts = tomllib.loads(table.read_text("utf-8"))
    keys = [
        (name, key, f"Digit{digit}", False, digit)
        for name, row in layouts["rows"].items()
        for key, digit in zip(row, "1234567890", strict=True)
    ]
    keys += [(name, *key) for name, of in layouts["keys"].items() for key in of]
    ann.page.goto("/help")
    found = ann.page.evaluate(
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


def test_numbers_of_two_digits(ann: Visitor) -> None:
    """1 may go on to 10, 11 or 12: it waits, and Space takes it as it is."""
    ann.open(game="full-house", seats=[ANN], dice="hand")
    ann.page.fill("#roll", "6 6")
    ann.page.press("#roll", "Enter")
    ann.chooses()
    pressed(ann, "1")
    ann.says("1: press Space to take it")
    for keys, tiles in (
        ([], []),
        (["2"], ["12"]),
        (["Escape", "1", "Space"], ["1"]),
        (["1", "1"], ["1", "11"]),
        (["Escape", "9", "3"], ["3", "9"]),
    ):
        pressed(ann, *keys)
        assert picked(ann) == tiles
    pressed(ann, "Enter")
    ann.says("3 and 9 go down.")


def test_shortcuts_can_be_switched_off(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    ann.chooses()
    ann.sets("One-key shortcuts", False)
    ann.page.locator("#main").focus()
    ann.says("tiles")  # what is asked has been told, after the throw
    before = len(ann.told)
    pressed(ann, *"dbslhurm?123456789")
    assert not picked(ann)
    assert not ann.page.is_visible("dialog")
    assert len(ann.told) == before


def test_enter_on_a_piece_does_what_the_main_button_says(ann: Visitor) -> None:
    """Space picks; Enter picks only while the main button has nothing to do."""
    ann.open(game="classic", seats=[ANN])
    focus_tile(ann, "1")
    pressed(ann, "Enter")
    ann.chooses()
    takes = ann.view()["table"]["offers"][0]["takes"]
    for key in takes:
        focus_tile(ann, key)
        pressed(ann, "Space" if key != takes[-1] else "Enter")
    assert picked(ann) == sorted(takes)
    ann.says("Enter: Cover")
    pressed(ann, "Space")
    assert picked(ann) == sorted(takes[:-1])
    pressed(ann, "Space", "Enter")
    ann.until("table.view.table.does === 'throw'")
    ann.shown()
    assert ann.focus() == f"tile {takes[-1]}, down"


@pytest.mark.rolls("3+5")
def test_a_digit_says_how_many_dice_and_they_are_thrown(ann: Visitor) -> None:
    """One press throws: by a digit, by a click, and by words."""
    for choose, dice in (("1", 1), ("click", 1), ("two dice", 2)):
        ann.open(game="classic(tiles=1-3.8)", seats=[ANN])
        ann.press("#go")
        ann.press("#go")
        buttons = ann.page.locator("#offers button")
        assert buttons.all_inner_texts() == ["One die1", "Two dice2"]
        assert buttons.nth(1).get_attribute("aria-keyshortcuts") == "2"
        assert ann.page.get_by_role("button", name="One die", exact=True).count() == 1
        number, before = ann.view()["number"], len(ann.told)
        if choose == "click":
            buttons.first.click()
        elif choose == "1":
            pressed(ann, "9")
            ann.says("There is no answer 9.")
            pressed(ann, choose)
        else:
            ann.drawer("questions")
            ann.page.fill("#typed", choose)
            ann.page.keyboard.press("Enter")
        ann.shows(number + 2)
        kinds = [piece["kind"] for piece in ann.view()["table"]["pieces"]]
        assert kinds.count("die") == dice
        assert "Throw" not in " ".join(ann.told[before:])


@pytest.mark.parametrize(
    ("door", "sends"), [("keys", True), ("keys", False), ("field", False), ("real", True)]
)
@pytest.mark.rolls("4+5")
def test_what_is_typed_during_a_throw_counts_when_the_dice_lie(
    visit: Visit, door: str, sends: bool
) -> None:
    """While the throw is on its way, and while its dice are in the air."""
    ann = visit(moves=True)
    page = ann.page
    if door == "field":
        page.add_init_script("localStorage.setItem('shutbox', '{\"typing\": true}')")
    ann.open(game="classic", seats=[ANN], dice="hand" if door == "real" else "system")
    ann.says("two dice" if door != "keys" else "Enter throws.")
    held = ann.holds("**/act") if sends else []
    if not sends:
        ann.run("holdDice")
    if door == "real":
        page.focus("#roll")
        page.keyboard.type("4 5")
    with page.expect_request("**/act"):
        page.keyboard.press("Enter")
    if not sends:
        ann.until("table.view.table.does === 'choose' && table.heard === table.view.number")
    pressed(ann, "9", "Enter")
    for route in held:
        route.continue_()
    page.unroute("**/act")
    ann.until("table.view.table.pieces.some(({ state }) => state === 'down')")
    down = [piece["key"] for piece in ann.view()["table"]["pieces"] if piece["state"] == "down"]
    assert down == ["9"]
    assert page.input_value("#typed") == page.input_value("#roll") == ""


def test_a_digit_typed_during_a_throw_answers_no_question(visit: Visit) -> None:
    """It was not known yet what it would answer, and an answer may throw again."""
    ann = visit(moves=True)
    ann.open(game="cargo", seats=[ANN])
    ann.run("holdDice")
    while ann.page.evaluate("() => table.view.table.does") != "choose":
        version = ann.page.evaluate("() => table.view.table.version")
        pressed(ann, "Enter")
        ann.until("table.view.table.version > value && table.heard === table.view.number", version)
        pressed(ann, "1")
        ann.shown()
    sent = ann.page.evaluate("() => table.requests.map(([, { body }]) => JSON.parse(body).do)")
    assert set(sent) == {"throw"}


def typed(ann: Visitor, words: str) -> None:
    ann.page.keyboard.type(words)
    ann.page.keyboard.press("Enter")


def test_one_field_takes_everything_and_keeps_the_focus(ann: Visitor) -> None:
    """The first button of the page opens it, as a screen reader finds it; the device keeps that.

    A line that is refused stays in the field, and the next one replaces it.
    """
    ann.open(game="classic", seats=[ANN])
    ann.says("The first button lets you type.")
    first = ann.page.locator("button:visible").first
    assert first.inner_text() == "Play by typing"
    first.press("Enter")
    assert ann.focus() == "typed"
    ann.reload()
    ann.says("Enter throws two dice.")
    assert ann.focus() == "typed"
    assert not any("Play by typing" in text for text in ann.told)
    ann.allows.append("status of 422")
    for refused, then in (("zzz", "t"), ("99", "l")):  # here, and by the server
        typed(ann, refused)
        ann.until("document.querySelector('#typed').value === value", refused)
        typed(ann, then)
    ann.chooses()
    assert ann.focus() == "typed"
    table = ann.view()["table"]
    rules = ann.text("#rules-lines p >> nth=0")
    for word, says in (("d", table["dice"]), ("h", "Best is "), ("r", rules)):
        typed(ann, word)
        ann.says(says)
    offer = next(offer for offer in table["offers"] if len(offer["takes"]) > 1)
    typed(ann, "".join(offer["takes"]))
    ann.until("table.view.table.pieces.some(({ state }) => state === 'down')")
    down = {piece["key"] for piece in ann.view()["table"]["pieces"] if piece["state"] == "down"}
    assert down == set(offer["takes"])
    assert (ann.focus(), ann.page.input_value("#typed")) == ("typed", "")
    ann.sets("Play by typing", False)
    ann.reload()
    ann.says("Enter throws.")
    assert ann.focus() == "go"


def test_what_was_said_is_said_again(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, MACHINE])
    ann.play(undoes=False, ends=True)
    ann.page.evaluate("() => table.until(() => table.isMine() || table.view.phase === 'over')")
    ann.shown()
    log = ann.log()
    mine = [line for line in log if line["seat"] == 0]
    for key, lines in ((".", log[-1:]), (",", mine[-3:])):
        before = len(ann.told)
        ann.page.keyboard.press(key)
        own = [(line["seat"] == 0 and line.get("own")) or line for line in lines]
        words = " ".join(text for line in own for text in line["says"])
        ann.until(f"table.told.slice({before}).some((text) => text.includes(value))", words)
