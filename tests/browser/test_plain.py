"""All functions without script, with forms alone."""

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, MACHINE, Visitor
from nightly import one_in


@pytest.fixture
def plain(visit: Visit) -> Visitor:
    return visit(java_script_enabled=False)


def test_a_game_by_forms(check: Check, visit: Visit) -> None:
    """With a refusal, a hint, undo, words that are typed, and a list of choices.

    The scripts of the pages do not come; axe-core itself needs some.
    """
    plain = visit()
    plain.scripted = False
    plain.allows += ["status of 422", "ERR_FAILED"]
    plain.context.route("**/static/**/*.js*", lambda route: route.abort())
    page = plain.page

    def press(button: str) -> None:
        with page.expect_navigation():
            page.click(button)

    page.goto("/")
    check(plain)
    press(".begin")
    press(".plain button:has-text('Throw two dice')")
    before = plain.view()
    check(plain)
    press("text=Cover the picked tiles")
    assert "That was refused" in page.inner_text("#error")
    assert plain.view()["number"] == before["number"]
    check(plain)
    press("a:has-text('Hint')")
    offer = before["table"]["offers"][0]
    assert any(offer["says"] in line for line in page.locator("#advice li").all_inner_texts())
    for key in offer["takes"]:
        page.check(f"input[name=tile][value='{key}']")
    press("text=Cover the picked tiles")
    assert plain.view()["table"]["pieces"] != before["table"]["pieces"]
    press(".plain button:has-text('Undo')")
    assert plain.view()["table"]["pieces"] == before["table"]["pieces"]
    page.click("#show-questions")
    page.fill("#plain-typed", offer["says"])
    press("form:has(#plain-typed) button")
    assert plain.view()["table"]["does"] == "throw"
    plain.open(game="tray")
    press(".plain button:has-text('Throw')")
    page.select_option("#plain-choice", plain.view()["table"]["offers"][-1]["text"])
    press(".plain form:has(#plain-choice) button")
    assert plain.view()["table"]["version"] == 2


def at_table_of(plain: Visitor, ann: Visitor, page: str = "") -> None:
    """Open a page of Ann's table without script, as Ann."""
    plain.context.add_cookies(ann.context.cookies())  # type: ignore[arg-type]
    plain.page.goto(f"/r/{ann.room}{page}")


def drawn(visitor: Visitor, selector: str) -> list[str]:
    """Return how elements are drawn, without the spaces between their parts."""
    script = """all => all.map((one) =>
        one.outerHTML.replace(/>\\s+</g, "><").replace(" comes", ""))"""
    parts: list[str] = visitor.page.locator(selector).evaluate_all(script)
    assert parts, selector
    return parts


def test_the_moves_are_drawn_as_the_script_draws_them(plain: Visitor, ann: Visitor) -> None:
    """A heading for each turn, dice, tiles and results; the sentence of each event once, unseen."""
    ann.open(game="pub", seats=[ANN, MACHINE])
    ann.finish()
    at_table_of(plain, ann)
    assert drawn(plain, "#log li") == drawn(ann, "#log li")
    ann.page.click("#show-moves")
    told = [" ".join(line["says"]) for line in ann.log()]
    assert ann.page.locator("#log .says").all_text_contents() == told
    # What is read out is the headings and the sentences, and nothing twice.
    turns = ann.page.locator("#log h3").all_text_contents()
    assert {name[1:] if name[0] == name[1] else name for name in turns} == {"Ann", "Computer"}
    assert ann.page.locator("#log .covers").first.locator(".mini-tile").count() > 0
    assert ann.box("#log .covers .says >> nth=0")["width"] <= 1
    assert ann.page.locator("#log .drawn > :not(.says):not([aria-hidden])").count() == 0


@pytest.mark.parametrize(
    ("game", "format", "others"),
    one_in(3, [("six", "rounds=1", 1), ("markers-five", "", 1), ("pub", "", 6)]),
)
def test_the_end_is_drawn_as_the_script_draws_it(
    plain: Visitor, ann: Visitor, game: str, format: str, others: int
) -> None:
    """The card: who has won, what everybody has, the chips. And the account of luck and skill."""
    seats = [ANN, {"who": "here", "name": "שרה"}]
    seats += [{"who": "computer:nell"} for _ in range(others - 1)]
    ann.open(game=game, format=format, seats=seats)
    ann.judged()
    ann.page.keyboard.press("Shift")  # opens the lid, where the card may lie
    card, account = ".baize > .standings", "#verdict .duel"
    by_script = [drawn(ann, part) for part in (card, account)]
    at_table_of(plain, ann)
    assert plain.page.is_visible(".standings .wins")
    assert drawn(plain, card) == by_script[0]
    at_table_of(plain, ann, "/verdict")
    assert drawn(plain, account) == by_script[1]
    ann.go_to(ann.room)  # the script takes over what is drawn there
    assert drawn(ann, card) == by_script[0]
    assert ann.page.locator(".comes").count() == 0  # it does not come a second time
