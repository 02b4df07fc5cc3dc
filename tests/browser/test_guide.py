"""The guide for newcomers: what it says and marks, and when it ends for good."""

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, BOB, LINK, Visitor

CLASSIC = {"game": "classic", "seats": [ANN]}

lucky = pytest.mark.rolls("3+5 1+1 4+5 1+5")


def line(visitor: Visitor) -> str:
    """Return what the guide says. Empty if it is not there."""
    there = visitor.page.locator("#guide p:visible")
    return there.inner_text() if there.count() else ""


def shows(visitor: Visitor, words: str, at: str | None, *tiles: str) -> None:
    """Wait until the guide says this: advice comes a moment after the dice. Check its marks."""
    if words:
        visitor.page.locator("#guide p:visible", has_text=words).wait_for()
    assert line(visitor) == words
    assert visitor.page.get_attribute("#stage", "data-guide") == at
    marked = "tiles => tiles.map(({ dataset }) => dataset.key)"
    assert visitor.page.eval_on_selector_all("#board [data-guided]", marked) == [*tiles]


def picks(visitor: Visitor, tile: str) -> None:
    visitor.page.click(f"#board [data-key='{tile}'] button")


@lucky
def test_three_throws_are_guided_and_never_again(walked: Check, visit: Visit) -> None:
    """Each step is for everybody."""
    ann = visit(is_new=True)
    ann.open(**CLASSIC)
    shows(ann, "Press here to throw.", "main")
    walked(ann)
    ann.press("#go")
    shows(ann, says := "Cover 8: press 8.", "tiles", "8")
    ann.says(says)
    walked(ann)
    picks(ann, "3")
    shows(ann, "Now press 5.", "tiles", "5")
    picks(ann, "5")
    shows(ann, "Press here to cover.", "main")
    ann.press("#go")
    ann.press("#go")
    for _ in range(2):  # what was learnt is kept
        assert line(ann) == "Only 2 works."
        ann.reload()
    ann.press("#go")
    ann.press("#go")
    picks(ann, "9")
    shows(ann, "Press here to cover.", "main")
    ann.press("#go")
    shows(ann, "", None)
    assert not any("Press here" in text for text in ann.told)  # that is said with the question
    ann.open(**CLASSIC)
    assert line(ann) == ""


@pytest.mark.rolls("4+6")
def test_the_best_cover_is_advised_where_hints_may_be_asked(visit: Visit) -> None:
    """After a tile that the best cover leaves up, the best of what goes with it is next."""
    ann = visit(is_new=True)
    for hints, says, tiles, picked, then in (
        ("explained", "Cover 10: press 1 and 9.", "19", "2", "8"),
        ("legal", "Press tiles that add up to 10.", "123456789", "9", "1"),
    ):
        ann.open(**CLASSIC, hints=hints)
        ann.press("#go")
        shows(ann, says, "tiles", *tiles)
        picks(ann, picked)
        shows(ann, f"Now press {then}.", "tiles", then)


@lucky
def test_skip_is_reached_by_keys_and_ends_it(visit: Visit) -> None:
    ann = visit(is_new=True)
    ann.open(**CLASSIC)
    ann.page.focus("#seal-link")
    ann.page.keyboard.press("Tab")
    assert ann.focus() == "guide-skip"
    ann.page.keyboard.press("Enter")
    shows(ann, "", None)
    assert ann.focus() == "go"
    ann.reload()
    assert line(ann) == ""


@lucky
def test_only_who_plays_alone_or_against_computers_is_guided(visit: Visit) -> None:
    """Neither somebody who looks on nor somebody who plays against a person."""
    ann, cid = visit(is_new=True), visit(is_new=True)
    for other, is_guided in (({"who": "computer:highest"}, True), (BOB, False), (LINK, False)):
        ann.open(game="classic", format="rounds=1", seats=[ANN, other])
        cid.goto(ann.page.evaluate("() => table.you.links.watch"))
        cid.page.wait_for_selector("#stage", state="attached")  # of the table, not of the door
        assert line(cid) == ""
        if other is LINK:
            dan = visit(is_new=True)
            dan.enter(ann.page.evaluate("() => table.you.links.seats[1]"), "Dan")
            assert line(dan) == ""
            ann.page.wait_for_selector("#table:visible")
            ann.shown()
        assert (line(ann) != "") is is_guided
