"""A new table in three steps: pressed, drawn at once, undone, and played."""

import re
from typing import TYPE_CHECKING

import pytest

from browser.visitors import Visitor
from shutbox import find

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


@pytest.fixture
def page(ann: Visitor) -> "Page":
    """Return the page of a new table."""
    ann.goto("/new")
    return ann.page


def step(visitor: Visitor, name: str) -> None:
    """Press the tab of a step."""
    visitor.page.locator(".steps").get_by_role("button", name=name).click()


def test_a_match_by_house_rules_is_opened_in_eight_presses_without_typing(ann: Visitor) -> None:
    """From the first page; each step shows its answer, and the sentence tells the table."""
    page = ann.page
    ann.goto("/")
    page.get_by_role("link", name="Play", exact=True).first.click()
    page.wait_for_url("**/new")
    ann.ready()
    page.locator(".chip", has=page.get_by_label("Tile 10", exact=True)).click()
    page.get_by_role("radio", name="When 6 or less remain").check()
    step(ann, "People")
    page.get_by_role("button", name="Nell").click()
    step(ann, "Evening")
    page.get_by_role("radio", name="First to 100").check()
    answers = {"match": "First to 100", "people": "3 players"}
    for answer, says in (*answers.items(), ("box", "Classic with ten tiles and house rules")):
        expect(page.locator(f"#answer-{answer}")).to_have_text(says)
    expect(page.locator("#says")).to_contain_text("You, Hobbs and Nell play.")
    expect(page.locator("#says")).to_contain_text("The first to reach a total of 100 wins.")
    expect(page.locator("#average")).to_have_text("covered on average")
    page.get_by_role("button", name="Open the table").click()  # the eighth press
    page.wait_for_url("**/r/*")
    settings = ann.view()["settings"]
    by_hand = "classic(tiles=1-10,fewer=may-sum,score=covered)"
    assert find(settings["game"]).name == find(by_hand).name
    assert settings["format"] == "target=100"
    ann.goto("/new")  # the next one begins with the last
    for answer, says in answers.items():
        expect(page.locator(f"#answer-{answer}")).to_have_text(says)
    expect(page.get_by_label("Tile 10", exact=True)).to_be_checked()
    assert not page.get_by_role("button", name="Undo").is_visible()


def test_seats_are_added_renamed_and_removed_in_place(ann: Visitor, page: "Page") -> None:
    def press(name: str) -> None:
        page.get_by_role("button", name=name).click()

    people = page.locator("#says-people")
    step(ann, "People")
    press("A friend gets a link")
    press("Name (You)")
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    assert page.url.endswith("/new"), "Enter ends the name, and opens no table"
    assert ann.focus() != "body"
    expect(people).to_have_text("Ann, Hobbs and a friend by link play.")
    press("Remove (Hobbs)")
    expect(people).to_have_text("Ann plays a friend by link.")
    press("Remove (Ann)")
    expect(page.locator("#answer-people")).to_have_text("A friend by link")
    last = page.get_by_role("button", name="Remove (A free chair)")
    assert last.count() == 0  # the last one stays
    press("At this screen")  # whoever comes back is the host
    assert page.locator("select[name=who]").nth(0).input_value() == "me"
    for _ in range(10):
        press("Pip Novice")
    expect(page.get_by_role("button", name="Pip Novice")).to_be_disabled()
    expect(page.locator("#answer-people")).to_have_text("12 players")


def test_the_sentence_is_told_once_the_last_change_is_over(ann: Visitor, page: "Page") -> None:
    ann.run("watchSentence")
    ann.run("pressTiles", ["10", "11", "12"])
    expect(page.locator("#says-box")).to_have_text("Classic with twelve tiles.")
    heard = "\n".join(page.evaluate("() => window.heard"))
    assert "ten tiles" not in heard
    assert "eleven tiles" not in heard
    assert page.get_by_role("status").filter(has_text="twelve tiles").count() == 1


def test_the_steps_are_walked_by_keys_alone(ann: Visitor, page: "Page") -> None:
    current = page.locator(".steps [aria-current=step]")
    page.locator(".steps button").nth(2).focus()
    page.keyboard.press("Enter")
    expect(current).to_contain_text("Evening")
    assert not page.locator("#step-box").is_visible()
    step(ann, "Box")
    page.get_by_role("button", name="Next: people").focus()
    page.keyboard.press("Space")
    expect(current).to_contain_text("People")
    assert ann.focus() == "people-head"
    page.keyboard.press("Tab")
    assert "Name (You)" in page.evaluate("() => document.activeElement.textContent")


def test_an_older_answer_never_takes_the_place_of_a_newer_one(ann: Visitor, page: "Page") -> None:
    held: list[Route] = []

    def hold(route: "Route") -> None:
        if held:
            route.continue_()
        held.append(route)

    page.route(re.compile(r"/new/changed\?"), hold)
    with page.expect_request(re.compile(r"/new/changed\?.*own_tile=10")):
        page.get_by_label("Tile 10", exact=True).check()
    page.get_by_label("Tile 11", exact=True).check()
    expect(page.locator("#overrides")).to_have_value("tiles=1-11")
    held[0].continue_()
    page.get_by_label("Tile 12", exact=True).check()
    expect(page.locator("#overrides")).to_have_value("tiles=1-12")
