"""Friends at a table: phrases, muted and cleared names, a rematch that is agreed or declined."""

import pytest

from browser.conftest import Check, Visit, throwing
from browser.visitors import ANN, LINK, Visitor
from serving import Served

TINY = "classic(tiles=8.9)"
SEATS = [ANN, LINK]


dealt = throwing("4+5", seed="")
"""Yield a server where the first throw of a game is 4 and 5."""


@pytest.fixture
def both(visit: Visit, dealt: Served) -> tuple[Visitor, Visitor]:
    return at_two(visit, dealt, TINY)


def at_two(visit: Visit, dealt: Served, game: str, name: str = "Bea") -> tuple[Visitor, Visitor]:
    """Return Ann, who opened a table, and Bea, who came by her link."""
    ann, bea = visit(dealt.url), visit(dealt.url)
    ann.open(game=game, seats=SEATS, format="rounds=1,order=seats")
    bea.enter(ann.page.url, name)
    ann.page.wait_for_selector("#go:visible")
    return ann, bea


def says_luck(visitor: Visitor) -> None:
    visitor.drawer("say")
    visitor.page.get_by_role("button", name="Good luck").click()


def test_a_phrase_is_seen_and_heard_until_it_is_turned_off(
    both: tuple[Visitor, Visitor], check: Check
) -> None:
    ann, bea = both
    says_luck(bea)
    ann.says("Bea: “Good luck”")
    assert ann.page.inner_text("#caption") == "Bea: “Good luck”"
    assert "Bea: “Good luck”" in (ann.page.text_content("#log") or "")
    ann.drawer("say")
    check(ann)
    ann.page.get_by_role("button", name="Turn phrases off").click()
    before = ann.view()["number"]
    bea.page.get_by_role("button", name="Well played").click()
    ann.shows(before + 1)
    assert "Well played" not in (ann.page.text_content("#log") or "")
    assert "Well played" not in (ann.page.text_content("#spoken") or "")
    assert not ann.page.is_visible("#say")
    ann.page.reload()
    ann.ready()
    assert "“" not in (ann.page.text_content("#log") or "")
    assert ann.page.evaluate("() => table.isMine()")


def test_a_phrase_changes_nothing_of_a_turn(visit: Visit, dealt: Served) -> None:
    ann, bea = at_two(visit, dealt, "classic")
    ann.press("#go")
    ann.page.click("#board .tile >> nth=1")
    says_luck(bea)
    ann.says("Bea: “Good luck”")
    assert ann.page.get_attribute("#board .tile >> nth=1", "aria-pressed") == "true"
    assert ann.page.inner_text("#go") == "7 more to cover"


def test_a_muted_player_has_a_number_and_says_nothing(visit: Visit, dealt: Served) -> None:
    """Whatever signs are in the name."""
    name = "Bea (1+1)"
    ann, bea = at_two(visit, dealt, TINY, name)
    ann.drawer("seating")
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name=f"{name}: hide the name").click()
    ann.ready()
    says_luck(bea)
    bea.says(f"{name}: “Good luck”")
    ann.page.click("#go")
    ann.page.wait_for_selector("#log li.drawn", state="attached")
    for place in ("#plates", "#log", "#rules-lines", "#sheet", "#seats", "#caption"):
        text = ann.page.text_content(place) or ""
        assert "Bea" not in text, place
        assert "Good luck" not in text, place
    assert ann.page.inner_text("#plates li:nth-child(2) bdi") == "Seat 2"
    ann.drawer("seating")
    with ann.page.expect_navigation():
        ann.page.get_by_role("button", name="Seat 2: show the name").click()
    ann.ready()
    assert ann.page.inner_text("#plates li:nth-child(2) bdi") == name


def test_a_host_clears_a_name_on_every_screen(both: tuple[Visitor, Visitor]) -> None:
    ann, bea = both
    ann.drawer("seating")
    ann.page.get_by_role("button", name="Bea: take the name away").click()
    for one in both:
        one.page.wait_for_selector("#plates bdi:text-is('Player 2')")
        one.page.wait_for_function(
            "() => !document.querySelector('#log').textContent.includes('Bea')"
        )
        for place in ("#plates", "#log", "#rules-lines", "#sheet"):
            assert "Bea" not in (one.page.text_content(place) or ""), place
    assert bea.page.locator("#seats button:text-is('Clear the name')").count() == 0


def over(ann: Visitor, bea: Visitor) -> None:
    """Play a game to its end."""
    while (view := ann.view())["phase"] == "playing":
        one = (ann, bea)[view["table"]["seat"]]
        one.page.wait_for_function("() => table.isMine()")
        one.press("#go")
    for one in (ann, bea):
        one.page.wait_for_selector("#stage.over")


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
    for one in both:
        one.page.wait_for_function("() => table.view.table.game === 2")
    over(ann, bea)
    wins = [seat["wins"] for seat in ann.view()["seats"]]
    assert sum(wins) >= 2
    assert ann.page.inner_text("#tag") == f"{wins[0]} : {wins[1]} tonight"
    assert bea.page.inner_text("#tag") == f"{wins[1]} : {wins[0]} tonight"
    ann.says(f"Tonight {wins[0]} : {wins[1]}")
