"""Leaving a seat: what the player still sees, what others may do, and where the focus goes."""

from browser.conftest import Visit
from browser.test_together import Evening
from browser.visitors import ANN, LINK, Visitor

MAY = "You can wait, let a computer player take over, or end the game."


def offered(visitor: Visitor) -> list[str]:
    texts: list[str] = visitor.page.locator("#offers button:visible").all_inner_texts()
    return texts


def left(visit: Visit) -> Evening:
    """Ann is due, and leaves; everybody knows."""
    evening = Evening(visit, "markers-five")
    evening.ann.drawer("seating")
    evening.ann.agrees()
    evening.ann.page.get_by_role("button", name="Ann: leave this seat").click()
    for person in evening.everybody:
        person.page.wait_for_selector("#seats :text('has left')", state="attached")
    return evening


def test_a_seat_that_was_left_is_not_ones_own_any_more(visit: Visit) -> None:
    evening = left(visit)
    ann, bob = evening.ann, evening.bob
    ann.says("You can come back.")
    assert ann.focus() == "Ann: come back"
    assert ann.page.inner_text("#go") == "Come back"
    assert ann.page.title().startswith("Ann to play")
    assert not ann.page.is_visible("#hint")
    bob.page.wait_for_selector("#offers button")
    bob.page.get_by_role("button", name="Let a computer player take over", exact=True).click()
    bob.page.wait_for_function("() => table.isMine()")
    evening.all_show()
    assert bob.focus() == "go"
    assert ann.page.inner_text("#go") == "Bob to throw"
    evening.play(1)
    ann.page.wait_for_timeout(300)  # nothing is to be said again
    told: list[str] = ann.page.evaluate("() => table.told")
    assert sum("come back" in text.lower() for text in told) == 1
    ann.drawer("seating")
    ann.page.get_by_role("button", name="Ann: come back").click()
    ann.page.wait_for_selector("#seats button[aria-label='Ann: leave this seat']")
    assert ann.focus() == "go"
    assert evening.play(3)


def test_the_others_hear_what_they_may_do_and_have_buttons_for_it(visit: Visit) -> None:
    evening = left(visit)
    bob, carol = evening.bob, evening.carol
    bob.says(MAY)
    bob.page.reload()  # whoever comes late hears it as well
    bob.ready()
    bob.says(MAY)
    bob.page.wait_for_selector("#offers button")
    assert offered(bob) == ["Let a computer player take over", "End the game"]
    assert not offered(carol)
    bob.page.once("dialog", lambda dialog: dialog.dismiss())
    bob.page.click("#offers button:text-is('End the game')")
    assert bob.view()["phase"] == "playing"
    bob.page.once("dialog", lambda dialog: dialog.accept())
    bob.page.click("#offers button:text-is('End the game')")
    for person in evening.everybody:
        person.page.wait_for_selector("#result:not([hidden])", state="attached")
    assert not offered(bob)
    assert bob.page.inner_text("#outcome").startswith("The game was ended.")


def test_a_rule_that_lets_nobody_but_wait(ann: Visitor, visit: Visit) -> None:
    ann.open(game="pub", seats=[ANN, LINK], leaver="wait")
    bob = visit()
    bob.enter(ann.page.evaluate("() => table.you.links.seats[1]"), "Bob")
    ann.drawer("seating")
    ann.agrees()
    ann.page.get_by_role("button", name="Ann: leave this seat").click()
    bob.says("Ann has left the table.")
    bob.shows(ann.view()["number"])
    assert not offered(bob)


def test_the_focus_goes_to_the_main_button_once_a_computer_player_sits_there(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, LINK, LINK])
    for waits in (True, False):
        ann.page.get_by_role("button", name="Nell plays").focus()
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_function(
            "waits => (table.view.phase === 'waiting') === waits && table.underWay === 0"
            " && table.view.seats.some(({ computer }) => computer)",
            arg=waits,
        )
        if waits:
            assert ann.page.evaluate("() => document.activeElement.closest('#fill') !== null")
    ann.page.wait_for_function("() => document.activeElement.id === 'go'")
