"""All functions without script, with forms alone."""

from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor


@pytest.fixture
def plain(visit: Visit) -> Visitor:
    plain = visit(java_script_enabled=False)
    plain.allows.append("status of (403|409|422)")  # pages that say what was refused
    return plain


def move(plain: Visitor, table: dict[str, Any], number: int) -> None:
    """Throw, or take the offer of this number, by whatever form there is for it."""
    page = plain.page
    if table["does"] == "throw":
        page.click(f".plain.controls button.main:text-is('Throw {table['throws']}')")
        return
    offer = table["offers"][number % len(table["offers"])]
    boxes = [f"input[name=tile][value='{key}']" for key in offer["takes"]]
    if boxes and page.locator(boxes[0]).count():
        for box in boxes:
            page.check(box)
        page.click("text=Cover the picked tiles")
    elif page.locator("#plain-choice").count():
        page.select_option("#plain-choice", offer["text"])
        page.click(".plain form:has(#plain-choice) button")
    else:
        page.click(f"button[name=choice][value='{offer['text']}']")


def play_on(plain: Visitor) -> None:
    """To the end."""
    for number in range(300):
        view = plain.view()
        is_mine = view["phase"] == "playing" and view["table"]["seat"] == 0
        if is_mine and plain.page.locator("form[action$='/act']:has([name=do])").count():
            move(plain, view["table"], number)
        elif plain.page.is_visible("#result"):
            return
        else:
            plain.page.click("text=Refresh")
    raise AssertionError("it does not end")


def test_a_game_by_forms(plain: Visitor) -> None:
    page = plain.page
    page.goto("/")
    page.click(".begin")
    assert "/r/" in page.url
    assert plain.view()["table"]["version"] == 0
    page.click(".plain button:has-text('Throw two dice')")
    before = plain.view()
    assert page.inner_text("#status").startswith(before["table"]["says"][0])

    page.click("text=Cover the picked tiles")
    assert "That was refused" in page.inner_text("#error")
    page.click("#show-questions")
    page.fill("#plain-typed", "12345")
    page.click("form:has(#plain-typed) button")
    assert "12345" in page.inner_text("#error")
    assert plain.view()["number"] == before["number"]

    page.click("a:has-text('Hint')")
    hint = page.locator("#advice li").all_inner_texts()
    assert any(before["table"]["offers"][0]["says"] in line for line in hint)

    move(plain, before["table"], 0)
    assert plain.view()["table"]["pieces"] != before["table"]["pieces"]
    page.click(".plain button:has-text('Undo')")
    assert plain.view()["table"]["pieces"] == before["table"]["pieces"]
    page.click("#show-questions")
    page.fill("#plain-typed", before["table"]["offers"][0]["says"])
    page.click("form:has(#plain-typed) button")
    assert plain.view()["table"]["version"] > before["table"]["version"]
    play_on(plain)
    page.click("button:text-is('Play again')")
    assert plain.view()["table"]["game"] == 2
    page.click(".plain.controls button.main")
    assert plain.view()["table"]["version"] == 1
    plain.open(game="cargo")
    play_on(plain)


def test_the_moves_are_drawn_as_the_script_draws_them(plain: Visitor, ann: Visitor) -> None:
    """A heading for each turn, dice, tiles and results; the sentence of each event once, unseen."""
    room = ann.open(game="pub", seats=[ANN, {"who": "computer:fewest"}])
    ann.play(undoes=False)
    plain.context.add_cookies(ann.context.cookies())  # type: ignore[arg-type]
    plain.page.goto(f"/r/{room}")
    told = [" ".join(line["says"]) for line in ann.log()]
    for visitor in (plain, ann):
        visitor.page.click("#show-moves")
        assert visitor.page.locator("#log .says").all_text_contents() == told
    parts = [visitor.page.locator("#log li").evaluate_all(DRAWN) for visitor in (plain, ann)]
    assert parts[0] == parts[1]
    # What is read out is the headings and the sentences, and nothing twice.
    turns = ann.page.locator("#log h3").all_text_contents()
    assert {name[1:] if name[0] == name[1] else name for name in turns} == {"Ann", "Computer"}
    covers = ann.page.locator("#log .covers")
    assert covers.first.locator(".mini-tile").count() > 0
    assert ann.box("#log .covers .says >> nth=0")["width"] <= 1
    assert ann.page.locator("#log .drawn > :not(.says):not([aria-hidden])").count() == 0


DRAWN = "all => all.map((one) => one.outerHTML.replace(/>\\s+</g, '><'))"


CARD = """() => [...document.querySelectorAll(".baize > .standings")].map((card) =>
    card.outerHTML.replace(/>\\s+</g, "><").replace(" comes", ""))"""


@pytest.mark.parametrize(("game", "others"), [("markers-five", 1), ("pub", 6)])
def test_the_card_at_the_end_is_that_of_the_script(
    plain: Visitor, ann: Visitor, game: str, others: int
) -> None:
    """Who has won, what everybody has, and the chips; the script takes over what is drawn there."""
    seats = [ANN, {"who": "here", "name": "שרה"}]
    seats += [{"who": "computer:nell"} for _ in range(others - 1)]
    room = ann.open(game=game, seats=seats)
    ann.play(undoes=False, tries=False)
    ann.page.wait_for_selector("#stage.over:not(.ending)")
    ann.page.keyboard.press("Shift")  # opens the lid, where the card may lie
    [drawn] = ann.page.evaluate(CARD)
    plain.context.add_cookies(ann.context.cookies())  # type: ignore[arg-type]
    plain.page.goto(f"/r/{room}")
    assert plain.page.evaluate(CARD) == [drawn]
    assert plain.page.is_visible(".standings .wins")
    ann.go_to(room)
    assert ann.page.evaluate(CARD) == [drawn]
    assert ann.page.locator(".comes").count() == 0  # it does not come a second time
