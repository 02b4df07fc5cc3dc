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
    ann.page.goto("/new")
    ann.ready()
    return ann.page


def step(visitor: Visitor, name: str) -> None:
    """Press the tab of a step."""
    visitor.page.locator(".steps").get_by_role("button", name=name).click()


def test_a_match_by_house_rules_is_opened_in_eight_presses_without_typing(ann: Visitor) -> None:
    """From the first page; each step shows its answer, and the sentence tells the table."""
    page = ann.page
    page.goto("/")
    ann.ready()
    presses = 0

    def press(name: str, role: str = "button") -> None:
        nonlocal presses
        presses += 1
        if role == "link":
            page.get_by_role("link", name=name, exact=True).first.click()
        elif role == "tab":
            step(ann, name)
        elif role == "radio":
            page.get_by_role("radio", name=name, exact=name[0] == "W").check()
        else:
            page.get_by_role("button", name=name).click()

    press("Play", "link")
    page.wait_for_url("**/new")
    ann.ready()
    page.locator(".chip", has=page.get_by_label("Tile 10", exact=True)).click()
    presses += 1
    press("When 6 or less remain", "radio")
    press("People", "tab")
    press("Nell")
    press("Evening", "tab")
    press("First to 100", "radio")
    expect(page.locator("#answer-match")).to_have_text("First to 100")
    expect(page.locator("#answer-people")).to_have_text("3 players")
    expect(page.locator("#answer-box")).to_have_text("Classic with ten tiles and house rules")
    expect(page.locator("#says")).to_contain_text("You, Hobbs and Nell play.")
    expect(page.locator("#says")).to_contain_text("The first to reach a total of 100 wins.")
    expect(page.locator("#average")).to_have_text("covered on average")
    press("Open the table")
    page.wait_for_url("**/r/*")
    assert presses <= 8
    settings = ann.view()["settings"]
    by_hand = "classic(tiles=1-10,fewer=may-sum,score=covered)"
    assert find(settings["game"]).name == find(by_hand).name
    assert settings["format"] == "target=100"
    page.goto("/new")  # the next one begins with the last
    ann.ready()
    expect(page.locator("#answer-match")).to_have_text("First to 100")
    expect(page.locator("#answer-people")).to_have_text("3 players")
    expect(page.get_by_label("Tile 10", exact=True)).to_be_checked()
    assert not page.get_by_role("button", name="Undo").is_visible()
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/r/*")
    ann.ready()
    assert ann.view()["settings"] == settings


def test_a_box_is_set_up_by_pressing_and_played(ann: Visitor, page: "Page") -> None:
    page.get_by_label("Tile 10", exact=True).check()
    expect(page.locator(".saying .new").first).to_contain_text("ten tiles")
    expect(page.locator("#overrides")).to_have_value("tiles=1-10")
    expect(page.locator("#figures")).to_contain_text("1 in 19")
    assert page.evaluate("() => document.activeElement.value") == "10"
    page.get_by_text("More rules: dice, covers, result").click()
    page.get_by_role("button", name="More: How many dice").click()
    expect(page.locator("#overrides")).to_have_value("tiles=1-10,dice=3d6")
    page.get_by_role("button", name="Less: How many dice").click()
    page.get_by_text("One tile only").click()
    expect(page.locator("#overrides")).to_have_value("tiles=1-10,cover=one")
    assert not page.get_by_label("11 is down from the start").is_visible()
    page.get_by_label("2 is down from the start", exact=True).check()
    news = page.locator(".saying .new")
    expect(news).to_contain_text(["ten tiles", "Tile 2 is down", "one tile"])
    expect(page.locator("#says-box")).to_have_text(
        "Classic with ten tiles, 2 down and house rules."
    )
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/r/*")
    assert ann.view()["settings"]["game"] == "classic(tiles=1-10,down=2,cover=one)"
    assert [seat["computer"] for seat in ann.view()["seats"]] == ["", "careful"]


def test_seats_are_added_renamed_and_removed_in_place(ann: Visitor, page: "Page") -> None:
    step(ann, "People")
    page.get_by_role("button", name="A friend gets a link").click()
    page.get_by_role("button", name="Name (You)").click()
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    assert page.url.endswith("/new"), "Enter ends the name, and opens no table"
    assert ann.focus() != "body"
    expect(page.locator("#says-people")).to_have_text("Ann, Hobbs and a friend by link play.")
    page.get_by_role("button", name="Remove (Hobbs)").click()
    expect(page.locator("#says-people")).to_have_text("Ann plays a friend by link.")
    page.get_by_role("button", name="Remove (Ann)").click()
    expect(page.locator("#answer-people")).to_have_text("A friend by link")
    assert (
        page.get_by_role("button", name="Remove (A free chair)").count() == 0
    )  # the last one stays
    page.get_by_role("button", name="At this screen").click()  # whoever comes back is the host
    assert page.locator("select[name=who]").nth(0).input_value() == "me"
    for _ in range(10):
        page.get_by_role("button", name="Pip Novice").click()
    expect(page.get_by_role("button", name="Pip Novice")).to_be_disabled()
    expect(page.locator("#answer-people")).to_have_text("12 players")


def test_undo_brings_the_last_setup_back_but_not_the_people(ann: Visitor, page: "Page") -> None:
    undo, code = page.get_by_role("button", name="Undo"), page.locator("#overrides")
    assert not undo.is_visible()
    page.get_by_label("Tile 10", exact=True).check()
    expect(code).to_have_value("tiles=1-10")
    step(ann, "People")
    page.get_by_role("button", name="Nell").click()
    step(ann, "Box")
    page.get_by_role("radio", name="Even Stevens").check()
    expect(page.locator("#answer-box")).to_have_text("Even Stevens")
    expect(code).to_have_value("")
    undo.click()
    expect(code).to_have_value("tiles=1-10")
    expect(page.get_by_role("radio", name="Classic")).to_be_checked()
    expect(page.locator("#answer-people")).to_have_text("3 players")
    assert ann.focus() == "undo"
    undo.click()
    expect(page.locator("#answer-box")).to_have_text("Even Stevens")


def test_the_sentence_is_told_once_the_last_change_is_over(ann: Visitor, page: "Page") -> None:
    page.evaluate(
        """() => {
            window.heard = [];
            const says = document.getElementById("says");
            const heard = () => window.heard.push(says.innerText);
            const all = { subtree: true, childList: true, characterData: true };
            new MutationObserver(heard).observe(says, all);
        }"""
    )
    page.evaluate(
        """() => {
            for (const tile of document.querySelectorAll("[name=own_tile]")) {
                if (["10", "11", "12"].includes(tile.value)) tile.click();
            }
        }"""
    )
    expect(page.locator("#says-box")).to_have_text("Classic with twelve tiles.")
    heard = page.evaluate("() => window.heard")
    assert not [line for line in heard if "ten tiles" in line or "eleven tiles" in line]
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


def test_what_is_typed_is_shown_by_the_controls(ann: Visitor, page: "Page") -> None:
    page.get_by_text("Advanced: rules as code").click()
    page.fill("#overrides", "tiles=1.3.30,score=count,dice=2d7")
    expect(page.locator("[name=own_score][value=count]")).to_be_checked()
    expect(page.get_by_label("Tile 2", exact=True)).not_to_be_checked()
    expect(page.locator("[name=own_tile][value='30']")).to_be_checked()
    page.get_by_label("Tile 2", exact=True).check()
    expect(page.locator("#overrides")).to_have_value("tiles=1-3.30,dice=2d7,score=count")
    page.fill("#overrides", "tiles=0")
    expect(page.locator("#faults")).to_contain_text("0 is not allowed")
    assert page.input_value("#overrides") == "tiles=0"
    page.fill("#overrides", "")
    page.fill("#format", "target=100")
    expect(page.locator("#faults")).to_contain_text("in this game low is good")


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
