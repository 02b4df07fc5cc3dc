"""Friends at a table: phrases, muted names, a rematch, and a seat that is left."""

import re

import pytest

from browser.conftest import Check, Visit
from browser.test_together import Evening
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
    says(ann, "Cheers")
    for player in (ann, bea):
        player.page.wait_for_selector(".lies >> nth=1")
    labels = [player.get_attribute("aria-label") for player in ann.page.locator(".lies").all()]
    assert labels == ["You: Cheers", "Bea: Bravo"]
    walked(ann)
    ann.page.click("#board .tile >> nth=6")
    ann.press("#go")
    ann.press("#go")
    for player in (ann, bea):
        player.page.wait_for_selector(".lies", state="detached")
    ann.page.evaluate("() => localStorage.setItem('shutbox', '{\"phrases\": false}')")
    ann.reload()
    before = ann.view()["number"]
    says(bea, "Oh no")
    ann.shows(before + 1)
    assert ann.page.locator(".lies").count() == 0
    assert "Oh no" not in ann.text("#spoken")


def test_a_muted_player_has_a_number_and_says_nothing(visit: Visit) -> None:
    """Whatever signs are in the name. A host clears it on every screen."""
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
        assert not re.search("Bea|Bravo", ann.text(place)), place
    assert ann.page.inner_text("#plates li:nth-child(2) bdi") == "Seat 2"
    ann.drawer("seating")
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name="Seat 2: unmute, which shows").click()
    ann.ready()
    ann.drawer("seating")
    ann.page.get_by_role("button", name=f"{name}: clear the name").click()
    for player in (ann, bea):
        player.page.wait_for_selector("#plates bdi:text-is('Player 2')")
        player.until("!document.querySelector('#log').textContent.includes('Bea')")
        for place in ("#plates", "#rules-lines", "#sheet"):
            assert "Bea" not in player.text(place), place


def over(ann: Visitor, bea: Visitor) -> None:
    """Play a game to its end."""
    while (view := ann.view())["phase"] == "playing":
        player = (ann, bea)[view["table"]["seat"]]
        player.until("table.isMine()")
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
        player.until("table.view.table.game === 2")
    over(ann, bea)
    wins = [seat["wins"] for seat in ann.view()["seats"]]
    assert sum(wins) >= 2
    assert ann.page.inner_text("#tag") == f"{wins[0]} : {wins[1]} tonight"
    assert bea.page.inner_text("#tag") == f"{wins[1]} : {wins[0]} tonight"
    ann.says(f"Tonight {wins[0]} : {wins[1]}")


MAY = "You can wait, let a computer player take over, or end the game."


def leaves(ann: Visitor) -> None:
    """Give up the first seat."""
    ann.drawer("seating")
    ann.agrees()
    ann.page.get_by_role("button", name="Ann: leave this seat").click()


def test_a_seat_that_was_left_is_not_ones_own_any_more(visit: Visit) -> None:
    """The others hear what they may do, and have buttons for it."""
    evening = Evening(visit, "markers-five")
    ann, bob, carol = evening.everybody
    buttons = "#offers button:visible"
    leaves(ann)  # who is due
    for person in evening.everybody:
        person.page.wait_for_selector("#seats :text('has left')", state="attached")
    ann.says("You can come back.")
    assert ann.focus() == "Ann: come back"
    assert ann.page.inner_text("#go") == "Come back"
    assert not ann.page.is_visible("#hint")
    bob.says(MAY)
    bob.reload()  # a player who comes late hears it as well
    bob.says(MAY)
    bob.page.wait_for_selector(buttons)
    offered = bob.page.locator(buttons).all_inner_texts()
    assert offered == ["Let a computer player take over", "End the game"]
    assert carol.page.locator(buttons).count() == 0
    bob.page.get_by_role("button", name=offered[0], exact=True).click()
    bob.until("table.isMine()")
    evening.all_show()
    assert bob.focus() == "go"
    assert ann.page.inner_text("#go") == "Bob to throw"
    evening.play(1)
    ann.page.wait_for_timeout(300)  # nothing is to be said again
    assert sum("come back" in text.lower() for text in ann.told) == 1
    ann.drawer("seating")
    ann.page.get_by_role("button", name="Ann: come back").click()
    ann.page.wait_for_selector("#seats button[aria-label='Ann: leave this seat']")
    assert ann.focus() == "go"
    while evening.due() is bob:
        evening.play(1)
    leaves(ann)
    bob.agrees()
    bob.page.click("#offers button:text-is('End the game')")
    for person in evening.everybody:
        person.page.wait_for_selector("#result:not([hidden])", state="attached")
    assert bob.page.locator(buttons).count() == 0
    assert bob.page.inner_text("#outcome").startswith("The game was ended.")


def test_the_focus_goes_to_the_main_button_once_a_computer_player_sits_there(ann: Visitor) -> None:
    """The lobby says who is still waited for."""
    ann.open(game="pub", seats=[ANN, LINK, LINK])
    ann.says("Still to join: Player 2 and Player 3.")
    assert ann.page.locator("#lobby").get_by_label("Link for your friends").count() == 1
    for waits in (True, False):
        ann.page.get_by_role("button", name="Nell plays").focus()
        ann.page.keyboard.press("Enter")
        ann.until(
            "(table.view.phase === 'waiting') === value && table.underWay === 0"
            " && table.view.seats.some(({ computer }) => computer)",
            waits,
        )
        if waits:
            ann.says("Still to join: Player 3.")
            assert ann.page.evaluate("() => document.activeElement.closest('#fill') !== null")
    ann.until("document.activeElement.id === 'go'")
