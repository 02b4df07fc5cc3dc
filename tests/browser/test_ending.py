"""The end of a game: the last tile goes down before the lid falls, and a result is shared."""

import re

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, LINK, MACHINE, Visitor

lucky = pytest.mark.rolls("4+5 1+1")
NINE = "classic(tiles=9)"
"""One throw shuts this box."""
CAPTION = """words => document.getElementById("caption").textContent
    .replace(/[\u2068\u2069]/g, "") === words"""


@lucky
def test_the_lid_waits_for_the_last_tile(visit: Visit) -> None:
    ann = visit(moves=True)
    ann.open(game="two-dice(tiles=4.5)", seats=[ANN])
    ann.run("watchLid")
    ann.press("#go")
    ann.page.click("#board [data-key='4'] button")
    early = ann.page.wait_for_function(
        """() => document.querySelector("#stage.ending") &&
            [document.getElementById("review").checkVisibility({ visibilityProperty: true })]"""
    )
    assert early.json_value() == [False]
    ann.page.wait_for_selector("#stage.over:not(.ending)")
    assert ann.page.evaluate("() => table.order") == ["fall", "fall", "slam"]
    falls = ann.page.evaluate("() => table.falls")
    two_tiles_ms = 110 + 240  # --stagger and --tile in base.css
    assert falls["lid"] - falls["tiles"] > two_tiles_ms
    today = "() => new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'long' })"
    plate = ["SHUT", "Ann · 1 throw", ann.page.evaluate(today)]
    assert ann.page.locator(".plaque > *").all_inner_texts() == plate
    assert ann.page.is_visible("#review")
    assert "won" in str(ann.page.get_attribute("#plates li", "class")).split()
    ann.page.wait_for_timeout(500)
    assert ann.page.is_visible(".lid")  # until something is pressed
    ann.page.keyboard.press("Shift")
    ann.page.wait_for_selector(".lid", state="hidden")


@lucky
def test_a_press_skips_to_the_end(visit: Visit) -> None:
    ann = visit(moves=True)
    ann.open(game=NINE, seats=[ANN])
    ann.press("#go")
    ann.page.click("#board [data-key='9'] button")
    ann.page.wait_for_selector("#stage.ending")
    ann.page.keyboard.press("Enter")
    assert ann.page.locator("#stage.ending").count() == 0
    assert ann.view()["table"]["game"] == 1  # the next press plays again


@pytest.mark.parametrize("moves", [True, False])
def test_tiles_that_stand_catch_the_lid(visit: Visit, moves: bool) -> None:
    ann = visit(moves=moves)
    ann.open(game="classic", seats=[ANN])
    ann.run("watchLid")
    ann.finish()
    points = ann.view()["table"]["plates"][0]["points"]
    assert points > 0
    assert ann.page.inner_text("#left").split() == [str(points), "left"]
    assert "caught" in ann.page.evaluate("() => table.order") or not moves
    ann.reload()
    assert ann.page.is_visible("#left")
    ann.press("#go")
    assert ann.page.locator(".caught").count() == 0
    assert not ann.page.is_visible("#left")


@lucky
def test_the_first_shut_box_of_a_device_and_the_best_result_tonight_are_named(ann: Visitor) -> None:
    """Below the box, and when its page is opened again; the best if it beats all others."""
    store = """([title, scores]) => {
        const tonight = { at: Date.now() - 3_600_000, scores: { ...scores } };
        localStorage.setItem(`tonight ${title}`, JSON.stringify(tonight));
    }"""
    for others, line in (
        ([], "Your first shut box on this device."),
        ([5, 7], "Your best result tonight, Ann."),
        ([5, 0], "You shut the box."),
    ):
        ann.open(game=NINE, seats=[ANN])
        ann.page.evaluate(store, [ann.view()["title"], others])
        ann.finish()
        if not others:
            ann.says(line)
        for _ in range(2):
            ann.page.wait_for_selector("#verdict:not(:empty)")
            ann.page.wait_for_function(CAPTION, arg=line)
            ann.page.reload()


@lucky
def test_where_the_box_is_shut_the_card_lies_on_the_lid(visit: Visit) -> None:
    """And on the baize, once the lid is open again. Only the one who shut it reads that it is."""
    ann, carol = visit(), visit()
    ann.open(game=NINE, format="rounds=1,shut=wins", seats=[ANN, LINK])
    carol.enter(ann.page.url, "Carol")
    people = [ann, carol]
    first = people.pop(ann.view()["table"]["seat"])
    first.play(undoes=False, most=2)
    for person, title in ((first, "The box is shut"), (people[0], "The game is over")):
        person.page.wait_for_selector("#result:not([hidden])")
        assert person.page.text_content("#result-title") == title
    first.page.wait_for_selector(".lid.shut > .standings")
    card = first.page.locator(".standings li .n").all_text_contents()
    assert card == ["0", "–"]
    first.page.keyboard.press("Shift")
    first.page.wait_for_selector(".baize > .standings")


def test_the_caption_tells_what_computer_players_do(visit: Visit) -> None:
    """Of two as of one, though little of it is said."""
    ann = visit(moves=True)
    ann.open(game="two-dice", format="order=seats", seats=[MACHINE, MACHINE, ANN])
    ann.run("watchCaptions")
    ann.page.evaluate("() => table.until(() => table.isMine(), 'her turn')")
    ann.shown()
    told = "\n".join(ann.page.evaluate("() => [...table.captions]"))
    assert told.count(" threw ") + told.count(" stuck ") >= 2
    assert " covered " in told


@pytest.mark.rolls("4+5 4+5")
def test_the_last_dice_keep_their_size_beside_the_result(visit: Visit) -> None:
    """44 pixels, away from the walls and from the card. The lid leaves low numbers in sight."""
    ann = visit(size=(320, 640))
    ann.open(game="classic(tiles=1.3.4.7.8.10.11)", seats=[ANN])
    ann.finish()
    ann.page.wait_for_selector(".score-card")
    ann.until("!document.getAnimations().length")
    felt, card = ann.box("#board .baize"), ann.box(".score-card")
    for die in ann.boxes(".dice > li > .die"):
        assert round(die["width"]) >= 44
        assert die["x"] - felt["x"] >= 0.25 * die["width"]  # 0.78 from its centre
        assert die["x"] + die["width"] <= card["x"]
    rail = ann.box(".caught > .rail")
    for number in ann.boxes("#board [data-state='down'] .slot"):
        assert number["y"] >= rail["y"] + rail["height"]


def test_it_is_shared_or_copied_or_said_to_have_failed(ann: Visitor) -> None:
    text = "copied Shut.\nhttps://box.example"
    ann.page.goto("/help")
    for shares, copies, *came in (
        ("yes", "yes", "shared", "shared https://box.example"),
        ("left", "yes", "left"),
        ("broken", "yes", "copied", text),
        ("no", "yes", "copied", text),
        ("no", "broken", "failed"),
        ("no", "no", "copied"),
    ):
        assert ann.run("sharing", shares, copies) == came, (shares, copies)


@pytest.mark.parametrize("players", [1, 2])
def test_a_result_is_handed_on_with_its_scores_and_the_link_to_the_table(
    visit: Visit, players: int
) -> None:
    """In clean text; whoever follows the link sees the game, and its review."""
    ann, bob = visit(), visit()
    ann.stub("shares")
    seats = [ANN, {"who": "here", "name": "שרה אדמון"}]
    room = ann.open(game="pub" if players > 1 else "classic", seats=seats[:players])
    ann.finish()
    ann.page.click("#share")
    ann.until("globalThis.shared")
    shared = ann.page.evaluate("shared")
    assert ann.run("sharedPicture") == ["image/jpeg", True, 1200, 630]
    table = ann.view()["table"]
    scores = [str(table["plates"][seat]["points"]) for seat in table["ranking"]]
    ended = f"Pub Game, {' : '.join(scores)}" if players > 1 else f"Classic, {scores[0]} left"
    assert shared["title"] == ended
    assert not re.search("[\u2066-\u2069]", shared["text"])
    for seat, plate in zip(seats[:players], table["plates"], strict=True):
        says = f"{seat['name']} {plate['points']}" if players > 1 else f"{scores[0]} in Classic."
        assert says in shared["text"]
    assert shared["url"].startswith(f"{ann.url}/r/{room}#")
    bob.page.goto(shared["url"])
    bob.page.wait_for_url(f"**/r/{room}")
    bob.ready()
    bob.page.click("#review")
    bob.page.wait_for_url("**/review**")
    assert "Review of" in bob.page.title()
