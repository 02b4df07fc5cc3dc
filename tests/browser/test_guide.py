"""The guide for newcomers: what it says and marks, and when it ends for good."""

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, BOB, LINK, Visitor

BOT = {"who": "computer:highest"}


lucky = pytest.mark.rolls("3+5 1+1 4+5 1+5")


def line(visitor: Visitor) -> str:
    """What the guide says; empty where it is not there."""
    there = visitor.page.locator("#guide p:visible")
    return there.inner_text() if there.count() else ""


def advises(visitor: Visitor, words: str) -> None:
    """Wait until the guide says this: advice comes a moment after the dice."""
    visitor.page.locator("#guide p:visible", has_text=words).wait_for()
    assert line(visitor) == words


def marked(visitor: Visitor) -> list[str]:
    keys: list[str] = visitor.page.eval_on_selector_all(
        "#board [data-guided]", "tiles => tiles.map(({ dataset }) => dataset.key)"
    )
    return keys


def points_at(visitor: Visitor) -> str | None:
    return visitor.page.get_attribute("#stage", "data-guide")


PLACES = """() => ["go", "board", "show-moves"].map((id) => {
    const { x, y, width, height } = document.getElementById(id).getBoundingClientRect();
    return [x, y, width, height];
})"""


@lucky
def test_three_throws_are_guided_and_never_again(walked: Check, visit: Visit) -> None:
    """Each step is for everybody."""
    ann = visit(is_new=True)
    ann.open(game="classic", seats=[ANN])
    assert (line(ann), points_at(ann)) == ("Press here to throw.", "main")
    walked(ann)
    ann.press("#go")
    advises(ann, "Cover 8: press 8.")
    assert (points_at(ann), marked(ann)) == ("tiles", ["8"])
    walked(ann)
    ann.page.click("#board [data-key='3'] button")
    assert (line(ann), marked(ann)) == ("Now press 5.", ["5"])
    ann.page.click("#board [data-key='5'] button")
    assert (line(ann), points_at(ann), marked(ann)) == ("Press here to cover.", "main", [])
    ann.press("#go")
    ann.press("#go")
    assert line(ann) == "Only 2 works."
    ann.page.reload()  # what was learnt is kept
    ann.ready()
    assert line(ann) == "Only 2 works."
    ann.press("#go")
    ann.press("#go")
    ann.page.click("#board [data-key='9'] button")
    assert line(ann) == "Press here to cover."
    ann.press("#go")
    assert (line(ann), points_at(ann)) == ("", None)
    ann.open(game="classic", seats=[ANN])
    assert line(ann) == ""


@lucky
def test_each_step_is_said_once_and_moves_nothing(visit: Visit) -> None:
    ann, bob = visit(is_new=True), visit()
    for player in (ann, bob):
        player.open(game="classic", seats=[ANN])
        player.press("#go")
    assert ann.page.evaluate(PLACES) == bob.page.evaluate(PLACES)
    says = "Cover 8: press 8."
    ann.says(says)
    ann.page.click("#board [data-key='8'] button")
    ann.press("#go")
    ann.press("#undo")
    ann.says("Taken back: 8.")
    advises(ann, says)
    told = "words => table.told.filter((text) => text.includes(words)).length"
    assert ann.page.evaluate(told, says) == 1
    # How to throw is said with the question, and not by the guide once more.
    assert ann.page.evaluate(told, "Press here to throw.") == 0
    # A refusal is read where the line was.
    ann.page.click("#board [data-key='9'] button", force=True)
    ann.page.wait_for_selector("#caption.note")
    assert line(ann) == ""


six_and_four = pytest.mark.rolls("4+6")


@six_and_four
def test_the_best_cover_is_advised(visit: Visit) -> None:
    ann = visit(is_new=True)
    ann.open(game="classic", seats=[ANN])
    ann.press("#go")
    advises(ann, "Cover 10: press 1 and 9.")
    assert marked(ann) == ["1", "9"]
    ann.says("Cover 10: press 1 and 9.")
    # Of what goes with a tile that the best leaves up, the best is next.
    ann.page.click("#board [data-key='2'] button")
    assert (line(ann), marked(ann)) == ("Now press 8.", ["8"])


@six_and_four
def test_where_hints_may_not_be_asked_the_guide_names_no_cover(visit: Visit) -> None:
    ann = visit(is_new=True)
    ann.open(game="classic", hints="legal", seats=[ANN])
    ann.press("#go")
    advises(ann, "Press tiles that add up to 10.")
    assert marked(ann) == [str(tile) for tile in range(1, 10)]
    ann.page.click("#board [data-key='9'] button")
    assert (line(ann), marked(ann)) == ("Now press 1.", ["1"])


@lucky
def test_skip_is_reached_by_keys_and_ends_it(visit: Visit) -> None:
    ann = visit(is_new=True)
    ann.open(game="classic", seats=[ANN])
    ann.page.focus("#seal-link")
    ann.page.keyboard.press("Tab")
    assert ann.focus() == "guide-skip"
    box = ann.box("#guide-skip")
    assert min(box["width"], box["height"]) >= 44
    ann.page.keyboard.press("Enter")
    assert (line(ann), points_at(ann), ann.focus()) == ("", None, "go")
    ann.page.reload()
    ann.ready()
    assert line(ann) == ""


@lucky
def test_only_who_plays_alone_or_against_computers_is_guided(visit: Visit) -> None:
    ann, cid = visit(is_new=True), visit(is_new=True)
    ann.open(game="classic", format="rounds=1", seats=[ANN, BOT])
    assert line(ann) != ""
    # Who looks on is not told what to do.
    cid.page.goto(ann.page.evaluate("() => table.you.links.watch"))
    cid.ready()
    assert line(cid) == ""
    # Nor is who plays against somebody.
    ann.open(game="classic", format="rounds=1", seats=[ANN, BOB])
    assert line(ann) == ""
    ann.open(game="classic", format="rounds=1", seats=[ANN, LINK])
    cid.page.goto(ann.page.evaluate("() => table.you.links.seats[1]"))
    cid.page.fill("[name=name]:visible", "Cid")
    cid.page.keyboard.press("Enter")
    ann.page.wait_for_selector("#table:visible")
    ann.shown()
    assert ann.page.inner_text("#go") == "Throw two dice"
    assert line(ann) == ""
