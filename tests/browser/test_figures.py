"""Figures at a table: a hint in rows and on the board, and the verdict after the game."""

import re
from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, Visitor
from shutbox.web.rooms.number_text import signed

ROLLS = "3+5 4+5 1+2 6+6"
BEST, PRESSED = "[data-best]", "[aria-pressed='true']"
NUMBER = re.compile("[+\N{MINUS SIGN}]?[0-9]+(?:\\.[0-9])?")


dealt = pytest.mark.rolls(ROLLS)


def number(text: str) -> float:
    """The first number of a text, as it is printed."""
    digits = NUMBER.search(text)
    assert digits, text
    return float(digits[0].replace("\N{MINUS SIGN}", "-"))


def hinted(visitor: Visitor) -> dict[str, Any]:
    """The figures of a hint that is asked for where a choice is due."""
    if visitor.view()["table"]["does"] == "throw":
        visitor.press("#go")
        visitor.page.wait_for_function("() => table.view.table.does === 'choose'")
        visitor.shown()
    with visitor.page.expect_response("**/hint") as answer:
        visitor.page.click("#hint")
    visitor.page.wait_for_selector(".hint")
    figures: dict[str, Any] = answer.value.json()["figures"]
    return figures


def tiles(visitor: Visitor, mark: str) -> list[str]:
    """Return the keys of the tiles with this mark."""
    keys: list[str] = visitor.page.locator(f"#board .tiles > li:has({mark})").evaluate_all(
        "items => items.map(item => item.dataset.key)"
    )
    return keys


@dealt
def test_one_die_or_two_are_seen_and_the_best_is_marked(ann: Visitor) -> None:
    ann.open(game="classic(tiles=1-3.8)", seats=[ANN])
    ann.press("#go")
    assert ann.page.locator(".faded .die").count() == 0
    ann.press("#go")
    dice = "dice => dice.map((die) => die.querySelectorAll('.pip').length)"
    for _ in range(2):  # what was thrown last is seen, after a reload too
        assert ann.page.eval_on_selector_all(".faded .die", dice) == [3, 5]
        ann.page.reload()
        ann.ready()
    buttons = ann.page.locator("#offers .main")
    assert [buttons.nth(n).locator(".die").count() for n in (0, 1)] == [1, 2]
    figures = hinted(ann)
    assert (
        ann.page.get_attribute("#offers [data-best]", "data-key") == figures["choices"][0]["text"]
    )
    ann.page.click("#tool-hint .shuts")
    ann.press("#offers .main >> nth=1")
    assert ann.page.locator(".faded .die, [data-best]").count() == 0


@dealt
def test_a_hint_is_a_row_for_each_choice_whose_figures_add_up(ann: Visitor) -> None:
    """A press on a row picks its tiles; the best ones glow until they are put down."""
    ann.open(game="classic", seats=[ANN])
    figures = hinted(ann)
    rows = ann.page.locator(".hint")
    assert rows.count() == len(figures["choices"])
    best = number(rows.nth(0).locator(".val").inner_text())
    for row, choice in enumerate(figures["choices"]):
        shown = rows.nth(row)
        value = number(shown.locator(".val").inner_text())
        assert value == pytest.approx(choice["value"], abs=0.051)
        assert shown.locator("strong").inner_text() == choice["text"].replace(" ", "+")
        if row:
            cost = number(shown.locator(".cost").inner_text())
            assert round(best + cost, 1) == value
        percent = round(100 * choice["shut"])
        assert f"shut {percent}\u00a0%" in shown.locator(".shut").inner_text()
    lengths = ann.page.locator(".hint .bar i").evaluate_all(
        "bars => bars.map(bar => bar.getBoundingClientRect().width)"
    )
    assert lengths == sorted(lengths, reverse=True)
    assert tiles(ann, BEST) == ["8"]
    rows.nth(0).click()
    assert tiles(ann, PRESSED) == ["8"]
    rows.nth(1).click()
    assert len(tiles(ann, PRESSED)) == 2
    rows.nth(0).click()
    ann.press("#go")
    assert tiles(ann, BEST) == []
    assert not ann.page.is_visible(".hint")


@pytest.mark.parametrize("game", ["two-dice(tiles=1-6,behind=6-1)", "cargo"])
def test_what_is_no_number_is_told_in_words(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ANN])
    for _ in range(6):
        if ann.view()["table"]["does"] == "choose":
            break
        ann.press("#go")
    figures = hinted(ann)
    first = ann.page.locator(".hint").nth(0)
    says: str = figures["choices"][0]["says"]
    assert first.locator("strong").inner_text() == says[0].upper() + says[1:]
    assert (first.evaluate("row => row.tagName") == "BUTTON") == (game != "cargo")
    if game != "cargo":
        first.click()
        assert tiles(ann, PRESSED) == tiles(ann, BEST)


@dealt
def test_the_end_has_a_card_and_figures_that_add_up(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .duel")
    score = int(ann.view()["table"]["scores"][0])
    said = ann.page.locator("#verdict .duel .away").inner_text()
    *parts, result = map(number, re.findall(r"[+−]?[\d.]+", said))
    assert round(sum(parts), 1) == result == score
    assert ann.page.inner_text(".score-card .score") == str(score)
    assert ann.page.locator(".hist .here").count() == 1
    ann.says(f"Perfect play leaves 11, so you left {score}.")  # seen as 11.0


@dealt
def test_a_better_score_than_before_on_this_device_is_said(ann: Visitor) -> None:
    for known, is_best in (("44", True), ("1", False), (None, False)):
        ann.open(game="classic", seats=[ANN])
        does = "localStorage.setItem('best Classic', known)" if known else "localStorage.clear()"
        ann.page.evaluate(f"known => {does}", known)
        ann.play(undoes=False)
        ann.page.wait_for_selector(".score-card")
        said = ann.page.locator(".score-card .than").all_inner_texts()
        assert said == (["Your best in Classic on this device."] if is_best else [])
        score, stored = ann.view()["table"]["scores"][0], "localStorage.getItem('best Classic')"
        assert ann.page.evaluate(stored) == ("1" if known == "1" else score)


def test_a_match_has_a_row_for_every_seat(ann: Visitor) -> None:
    ann.open(game="six", format="rounds=1", seats=[ANN, BOB])
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .duel")
    rows = ann.page.locator("#verdict .duel > li:not(.track)")
    assert rows.locator("bdi").all_inner_texts() == ["Ann", "Bob"]
    for row in range(2):
        said = rows.nth(row).locator(".away").inner_text()
        *parts, result = map(number, re.findall(r"[+−]?[\d.]+", said))
        assert round(sum(parts), 1) == result
        # The ring lies where mistakes lead, and the arrow where luck leads from there.
        at = """one => ["circle", ".perfect", ".tip"].map((part) => one.querySelector(part)).map(
            (found) => Number.parseFloat(found.getAttribute(found.matches("circle") ? "cx" :
                found.matches(".tip") ? "x" : "x1")))"""
        play, perfect, end = rows.nth(row).evaluate(at)
        _, mistakes, luck = parts
        assert (play > perfect) is (mistakes > 0)
        assert (end > play) is (luck > 0)
        assert rows.nth(row).locator("b").inner_text() == f"{result:g}\N{NO-BREAK SPACE}%"
    assert ann.page.locator(".score-card:not(.standings)").count() == 0


@dealt
def test_a_game_that_nobody_judges_ends_as_ever(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.page.route("**/verdict", lambda route: route.abort())
    ann.allows.append("ERR_FAILED")
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict", state="hidden")
    assert ann.page.is_visible("#go")


@pytest.mark.parametrize(
    ("width", "seats"), [(1440, [ANN]), (390, [ANN, BOB, {"who": "computer:hobbs"}])]
)
def test_nothing_moves_when_the_verdict_comes(
    visit: Visit, seats: list[dict[str, str]], width: int
) -> None:
    ann = visit(viewport={"width": width, "height": 900})
    ann.open(game="six", format="rounds=1" if seats[1:] else "", seats=seats)
    held: list[Any] = []
    ann.page.route("**/verdict", lambda route: held.append(route))
    with ann.page.expect_request("**/verdict"):
        ann.play(undoes=False)
    before = ann.box("#verdict")
    held[0].continue_()
    ann.page.wait_for_selector("#verdict .sums")
    after = ann.box("#verdict")
    end = after["y"] + after["height"]
    assert end == pytest.approx(before["y"] + before["height"], abs=1)


def test_the_script_rounds_as_the_server_does(ann: Visitor) -> None:
    """A half goes away from 0, whatever its sign."""
    values = [0.25, -0.25, 0.35, -0.35, 1.25, -11.25, 0.04, -0.04, 0.0, 7.0]
    ann.page.goto("/help")
    script = """async values => {
        const { signed } = await import("/static/model/figures.js");
        return values.map(signed);
    }"""
    assert ann.page.evaluate(script, values) == [signed(value) for value in values]
