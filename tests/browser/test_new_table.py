"""Rules set by hand: pressed, drawn at once, and played."""

import re
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Route

expect = pytest.importorskip("playwright.sync_api", reason="playwright is not installed").expect


def test_a_box_is_set_up_by_pressing_and_played(ann: Visitor) -> None:
    page = ann.page
    page.goto("/new")
    ann.ready()
    page.get_by_label("Tile 10", exact=True).check()
    expect(page.locator("#sofar")).to_contain_text("ten tiles")
    expect(page.locator("#overrides")).to_have_value("tiles=1-10")
    expect(page.locator("#figures")).to_contain_text("1 in 19")
    assert page.evaluate("() => document.activeElement.value") == "10"
    page.get_by_text("One die more").click()
    expect(page.locator("#overrides")).to_have_value("tiles=1-10,dice=3d6")
    page.get_by_text("One die less").click()
    page.get_by_text("One tile only").click()
    expect(page.locator("#overrides")).to_have_value("tiles=1-10,cover=one")
    page.get_by_text("Down from the start", exact=True).click()
    assert not page.get_by_label("11 is down from the start").is_visible()
    page.get_by_label("2 is down from the start", exact=True).check()
    expect(page.locator("#sofar .new")).to_contain_text(["ten tiles", "Tile 2 is down", "one tile"])
    page.get_by_role("button", name="Hobbs").click()
    assert page.locator("select[name=who]").nth(1).input_value() == "computer:hobbs"
    page.get_by_role("button", name="Open the table").click()
    page.wait_for_url("**/r/*")
    assert ann.view()["settings"]["game"] == "classic(tiles=1-10,down=2,cover=one)"


def test_what_is_typed_is_shown_by_the_controls(ann: Visitor) -> None:
    page = ann.page
    page.goto("/new")
    ann.ready()
    page.get_by_text("Rules as code (advanced)").click()
    page.fill("#overrides", "tiles=1.3,score=count")
    expect(page.get_by_label("Count the tiles left")).to_be_checked()
    expect(page.get_by_label("Tile 2", exact=True)).not_to_be_checked()
    page.fill("#overrides", "tiles=0")
    expect(page.locator("#faults")).to_contain_text("0 is not allowed")
    assert page.input_value("#overrides") == "tiles=0"


def test_an_older_answer_never_takes_the_place_of_a_newer_one(ann: Visitor) -> None:
    page = ann.page
    page.goto("/new")
    ann.ready()
    held: list[Route] = []

    def hold(route: "Route") -> None:
        if held:
            route.continue_()
        held.append(route)

    page.route(re.compile(r"/new\?"), hold)
    with page.expect_request(re.compile(r"/new\?.*own_tile=10")):
        page.get_by_label("Tile 10", exact=True).check()
    page.get_by_label("Tile 11", exact=True).check()
    expect(page.locator("#overrides")).to_have_value("tiles=1-11")
    held[0].continue_()
    page.get_by_label("Tile 12", exact=True).check()
    expect(page.locator("#overrides")).to_have_value("tiles=1-12")


def test_an_evening_that_is_cleared_gives_the_game_back(ann: Visitor) -> None:
    page = ann.page
    page.goto("/new?game=ten")
    ann.ready()
    page.select_option("#preset", "cargo-night")
    expect(page.locator("#game")).to_have_value("cargo")
    expect(page.locator("#hand input")).to_have_count(0)
    page.select_option("#preset", "race-200")
    expect(page.locator("#game")).to_have_value("covered")
    page.select_option("#preset", "")
    expect(page.locator("#game")).to_have_value("ten")
    expect(page.get_by_label("Tile 10", exact=True)).to_be_checked()


def test_an_evening_asks_before_it_changes_rules_set_by_hand(ann: Visitor) -> None:
    """Nothing changes, and no table is opened, until the host agrees; what can stay stays."""
    page = ann.page
    page.goto("/new")
    ann.ready()
    page.get_by_label("Tile 10", exact=True).check()
    page.get_by_text("Always, once 6 or less is up").click()
    rules, game = page.locator("#overrides"), page.locator("#game")
    by_hand = "tiles=1-10,fewer=must-sum"
    expect(rules).to_have_value(by_hand)
    question, opens = page.locator("#question"), page.locator("#opens")
    format = page.locator("#format")
    for answer in ("Keep my rules", "Change it"):
        page.select_option("#preset", "race-200")
        expect(question.locator("h2")).to_have_text("Race to 200 changes your rules")
        expect(question.locator("del").first).to_contain_text("low is good")
        expect(question.locator("ins").last).to_have_text("The first to reach a total of 200 wins.")
        expect(question).to_contain_text("Stays as it isThe box has ten tiles: 1 to 10.")
        expect(opens).to_be_disabled()
        expect(opens).to_have_text("Choose above")
        assert (rules.input_value(), game.input_value()) == (by_hand, "classic")
        expect(format).not_to_be_editable()  # what is typed now would be about either match
        page.get_by_role("button", name=answer).click()
        expect(question).to_have_count(0)
        expect(format).to_be_editable()
        expect(opens).to_be_enabled()
        assert ann.focus() == "preset"
        if answer == "Keep my rules":
            assert page.input_value("#preset") == ""
            assert (rules.input_value(), game.input_value()) == (by_hand, "classic")
    assert (rules.input_value(), game.input_value()) == (by_hand, "covered")
    expect(page.locator("#preset-help")).to_have_text("The first to reach a total of 200 wins.")
    page.get_by_text("Rules as code (advanced)").click()
    page.fill("#format", "target=100")
    expect(page.locator("#preset-help")).to_have_text("The first to reach a total of 100 wins.")
    page.select_option("select[name=who] >> nth=0", "me")
    page.get_by_role("button", name="Hobbs").click()
    opens.click()
    page.wait_for_url("**/r/*")
    settings = ann.view()["settings"]
    assert settings["game"] == f"covered({by_hand})"
    assert settings["format"] == "target=100,begins=high-roll,end=stop"


def test_another_game_asks_before_it_drops_rules_set_by_hand(ann: Visitor) -> None:
    page = ann.page
    page.goto("/new")
    ann.ready()
    page.get_by_label("Tile 10", exact=True).check()
    expect(page.locator("#overrides")).to_have_value("tiles=1-10")
    page.select_option("#game", "six")
    expect(page.locator("#question h2")).to_have_text("Six changes your rules")
    page.get_by_role("button", name="Keep my rules").click()
    expect(page.locator("#game")).to_have_value("classic")
    assert page.input_value("#overrides") == "tiles=1-10"
    page.select_option("#game", "thai-style")  # it says nothing of the tiles
    expect(page.locator("#sofar")).to_contain_text("one tile")
    assert page.input_value("#overrides") == "tiles=1-10"


def test_a_box_is_set_up_without_script(visit: Visit) -> None:
    plain = visit(java_script_enabled=False)
    page = plain.page
    page.goto("/new")
    page.get_by_label("Tile 9", exact=True).uncheck()
    page.get_by_text("Show this game").click()
    assert "eight tiles" in page.inner_text("#sofar")
    page.get_by_label("One tile only").check()
    page.fill(".player:nth-child(1) input", "Ann")
    page.click("text=Open the table")
    assert plain.view()["settings"]["game"] == "classic(tiles=1-8,cover=one)"


@pytest.mark.parametrize("address", ["/new", "/practice", "/analysis"])
def test_what_a_phone_is_scrolled_to_is_not_covered(ann: Visitor, address: str) -> None:
    """No button that sticks to the window lies over the question that is asked."""
    page = ann.page
    page.set_viewport_size({"width": 390, "height": 664})
    page.goto(address)
    ann.ready()
    covered = page.evaluate(
        """() => {
            const found = [];
            const all = "main :is(input, select, button, summary, a[href]):not([type=hidden])";
            for (const one of document.querySelectorAll(all)) {
                if (!one.checkVisibility()) continue;
                const label = one.closest("label") ?? one;
                const shown = label.checkVisibility() ? label : one;
                shown.scrollIntoView({ block: "end", behavior: "instant" });
                const { x, y, width, height } = shown.getBoundingClientRect();
                const isSeen = (at) => {
                    const there = document.elementFromPoint(x + width / 2, at);
                    return shown.contains(there) || there?.contains(shown);
                };
                if (![y + height / 2, y + height - 2].every(isSeen)) {
                    found.push(one.id || one.name || one.textContent);
                }
            }
            return found;
        }"""
    )
    assert covered == []
