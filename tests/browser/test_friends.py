"""Friends at a table: phrases, muted and cleared names, a rematch that is agreed or declined."""

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, LINK, Visitor

TINY = "classic(tiles=8.9)"
SEATS = [ANN, LINK]


pytestmark = pytest.mark.rolls("4+5")


@pytest.fixture
def both(visit: Visit) -> tuple[Visitor, Visitor]:
    return at_two(visit, TINY)


def at_two(visit: Visit, game: str, name: str = "Bea") -> tuple[Visitor, Visitor]:
    """Return Ann, who opened a table, and Bea, who came by her link."""
    ann, bea = visit(), visit()
    ann.open(game=game, seats=SEATS, format="rounds=1,order=seats")
    bea.enter(ann.page.url, name)
    ann.page.wait_for_selector("#go:visible")
    return ann, bea


def says(visitor: Visitor, phrase: str) -> None:
    visitor.page.click(".bubble:visible")
    visitor.page.get_by_role("button", name=phrase).click()


def test_a_phrase_lies_on_the_felt_until_the_next_throw(visit: Visit, walked: Check) -> None:
    """Beside dice and figures; one for each throw; a player can turn those of others off."""
    ann, bea = at_two(visit, "classic")
    ann.press("#go")
    ann.page.click("#board .tile >> nth=1")
    says(bea, "Bravo")
    ann.says("Bea: Bravo.")
    assert ann.page.inner_text("#caption") == "Bea: Bravo."
    assert ann.page.get_attribute("#board .tile >> nth=1", "aria-pressed") == "true"
    assert "Bea: Bravo." in (ann.page.text_content("#log") or "")
    says(ann, "Cheers")
    for player in (ann, bea):
        player.page.wait_for_selector(".lies >> nth=1")
    labels = [player.get_attribute("aria-label") for player in ann.page.locator(".lies").all()]
    assert labels == ["You: Cheers", "Bea: Bravo"]
    assert ann.page.get_attribute(".bubble:visible", "aria-disabled") == "true"
    walked(ann)
    ann.page.click("#board .tile >> nth=6")
    ann.press("#go")
    ann.press("#go")
    for player in (ann, bea):
        player.page.wait_for_selector(".lies", state="detached")
    ann.page.evaluate("() => localStorage.setItem('shutbox', '{\"phrases\": false}')")
    ann.page.reload()
    ann.ready()
    before = ann.view()["number"]
    says(bea, "Oh no")
    ann.shows(before + 1)
    assert ann.page.locator(".lies").count() == 0
    assert "Oh no" not in (ann.page.text_content("#spoken") or "")


def test_the_tray_is_used_by_keys(both: tuple[Visitor, Visitor], check: Check) -> None:
    page = both[1].page
    page.focus(".bubble:visible")
    page.keyboard.press("Space")
    keys = {"ArrowRight": "cheers", "ArrowDown": "bravo", "ArrowLeft": "cheers"}
    for key, phrase in keys.items():
        page.keyboard.press(key)
        assert page.evaluate("() => document.activeElement.value") == phrase
    check(both[1])
    page.keyboard.press("Escape")
    assert not page.is_visible("#say")
    assert both[1].focus() == "Say something"
    page.keyboard.press("Enter")
    page.wait_for_selector("#say:visible")


def test_a_muted_player_has_a_number_and_says_nothing(visit: Visit) -> None:
    """Whatever signs are in the name."""
    name = "Bea (1+1)"
    ann, bea = at_two(visit, TINY, name)
    ann.drawer("seating")
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name=f"{name}: mute, which hides").click()
    ann.ready()
    says(bea, "Bravo")
    bea.says(f"{name}: Bravo.")
    ann.page.click("#go")
    ann.page.wait_for_selector("#log li.drawn", state="attached")
    for place in ("#plates", "#log", "#rules-lines", "#sheet", "#seats", "#caption"):
        text = ann.page.text_content(place) or ""
        assert "Bea" not in text, place
        assert "Bravo" not in text, place
    assert ann.page.inner_text("#plates li:nth-child(2) bdi") == "Seat 2"
    ann.drawer("seating")
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name="Seat 2: unmute, which shows").click()
    ann.ready()
    assert ann.page.inner_text("#plates li:nth-child(2) bdi") == name


def test_a_host_clears_a_name_on_every_screen(both: tuple[Visitor, Visitor]) -> None:
    ann, bea = both
    ann.drawer("seating")
    ann.page.get_by_role("button", name="Bea: clear the name").click()
    for player in both:
        player.page.wait_for_selector("#plates bdi:text-is('Player 2')")
        player.page.wait_for_function(
            "() => !document.querySelector('#log').textContent.includes('Bea')"
        )
        for place in ("#plates", "#log", "#rules-lines", "#sheet"):
            assert "Bea" not in (player.page.text_content(place) or ""), place
    assert bea.page.locator("#seats button:text-is('Clear the name')").count() == 0


def over(ann: Visitor, bea: Visitor) -> None:
    """Play a game to its end."""
    while (view := ann.view())["phase"] == "playing":
        player = (ann, bea)[view["table"]["seat"]]
        player.page.wait_for_function("() => table.isMine()")
        player.press("#go")
    for player in (ann, bea):
        player.page.wait_for_selector("#stage.over")


def test_a_rematch_is_asked_for_declined_and_agreed(both: tuple[Visitor, Visitor]) -> None:
    ann, bea = both
    over(ann, bea)
    ann.page.click("#go")
    bea.says("Ann wants another.")
    ann.page.wait_for_selector("#go:has-text('Bea to answer')")
    assert bea.page.inner_text("#go") == "Play again"
    bea.page.get_by_role("button", name="No more games").click()
    ann.says("Bea does not want another game.")
    ann.page.wait_for_selector("#go:has-text('New table')")
    bea.page.click("#go")
    ann.says("Bea wants another.")
    ann.page.wait_for_selector("#go:has-text('Play again')")
    ann.page.click("#go")
    for player in both:
        player.page.wait_for_function("() => table.view.table.game === 2")
    over(ann, bea)
    wins = [seat["wins"] for seat in ann.view()["seats"]]
    assert sum(wins) >= 2
    assert ann.page.inner_text("#tag") == f"{wins[0]} : {wins[1]} tonight"
    assert bea.page.inner_text("#tag") == f"{wins[1]} : {wins[0]} tonight"
    ann.says(f"Tonight {wins[0]} : {wins[1]}")
