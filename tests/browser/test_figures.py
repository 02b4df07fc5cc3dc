"""Figures at a table: a hint in rows and on the board, and the verdict after the game."""

import re
from typing import Any

import pytest

from browser.visitors import ANN, Visitor
from shutbox.web.rooms.number_text import signed

BEST, PRESSED = "[data-best]", "[aria-pressed='true']"
NUMBER = re.compile("[+\N{MINUS SIGN}]?[0-9]+(?:\\.[0-9])?")

dealt = pytest.mark.rolls("3+5 4+5 1+2 6+6")


def numbers(text: str) -> list[float]:
    """Return the numbers of a text, as they are printed."""
    return [float(found.replace("\N{MINUS SIGN}", "-")) for found in NUMBER.findall(text)]


def hinted(visitor: Visitor) -> dict[str, Any]:
    """Return the figures of a hint, asked for where a choice is due."""
    visitor.throw_until_choice()
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
    page = ann.page
    ann.open(game="classic(tiles=1-3.8)", seats=[ANN])
    ann.press("#go")
    assert page.locator(".faded .die").count() == 0
    ann.press("#go")
    dice = "dice => dice.map((die) => die.querySelectorAll('.pip').length)"
    for _ in range(2):  # what was thrown last is seen, after a reload too
        assert page.eval_on_selector_all(".faded .die", dice) == [3, 5]
        ann.reload()
    buttons = page.locator("#offers .main")
    assert [buttons.nth(n).locator(".die").count() for n in (0, 1)] == [1, 2]
    best = hinted(ann)["choices"][0]["text"]
    assert page.get_attribute("#offers [data-best]", "data-key") == best
    page.click("#tool-hint .shuts")
    ann.press("#offers .main >> nth=1")
    assert page.locator(".faded .die, [data-best]").count() == 0


@dealt
def test_a_hint_is_a_row_for_each_choice_whose_figures_add_up(ann: Visitor) -> None:
    """A press on a row picks its tiles; the best ones glow until they are put down."""
    ann.open(game="classic", seats=[ANN])
    choices = hinted(ann)["choices"]
    rows = ann.page.locator(".hint")
    assert rows.count() == len(choices)
    values = []
    for row, choice in enumerate(choices):
        shown = rows.nth(row)
        values += numbers(shown.locator(".val").inner_text())
        assert values[row] == pytest.approx(choice["value"], abs=0.051)
        assert shown.locator("strong").inner_text() == choice["text"].replace(" ", "+")
        if row:
            [cost] = numbers(shown.locator(".cost").inner_text())
            assert round(values[0] + cost, 1) == values[row]
        shut = f"shut {round(100 * choice['shut'])}\u00a0%"
        assert shut in shown.locator(".shut").inner_text()
    lengths = [bar["width"] for bar in ann.boxes(".hint .bar i")]
    assert lengths == sorted(lengths, reverse=True)
    assert tiles(ann, BEST) == ["8"]
    rows.nth(1).click()
    assert len(tiles(ann, PRESSED)) == 2
    rows.nth(0).click()
    assert tiles(ann, PRESSED) == ["8"]
    ann.press("#go")
    assert tiles(ann, BEST) == []
    assert not ann.page.is_visible(".hint")


@pytest.mark.parametrize("game", ["two-dice(tiles=1-6,behind=6-1)", "cargo"])
def test_what_is_no_number_is_told_in_words(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ANN])
    says: str = hinted(ann)["choices"][0]["says"]
    first = ann.page.locator(".hint").nth(0)
    assert first.locator("strong").inner_text() == says[0].upper() + says[1:]
    assert (first.evaluate("row => row.tagName") == "BUTTON") == (game != "cargo")
    if game != "cargo":
        first.click()
        assert tiles(ann, PRESSED) == tiles(ann, BEST)


@dealt
def test_the_end_has_a_card_and_figures_that_add_up(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.judged()
    score = int(ann.view()["table"]["scores"][0])
    *parts, result = numbers(ann.page.inner_text("#verdict .duel .away"))
    assert round(sum(parts), 1) == result == score
    assert ann.page.inner_text(".score-card .score") == str(score)
    assert ann.page.locator(".hist .here").count() == 1
    ann.says(f"Perfect play leaves 11, so you left {score}.")  # seen as 11.0
    ann.reload()  # with the verdict there at once, the last throw is still told before it
    ann.says("You threw ")
    ann.says("Perfect play")


@dealt
def test_a_game_that_nobody_judges_ends_as_ever(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.page.route("**/verdict", lambda route: route.abort())
    ann.allows.append("ERR_FAILED")
    ann.finish()
    ann.page.wait_for_selector("#verdict", state="hidden")
    assert ann.page.is_visible("#go")


def test_the_script_rounds_as_the_server_does(ann: Visitor) -> None:
    """A half goes away from 0, whatever its sign."""
    values = [0.25, -0.25, 0.35, -0.35, 1.25, -11.25, 0.04, -0.04, 0.0, 7.0]
    ann.page.goto("/help")
    script = """async values => {
        const { signed } = await import("/static/model/figures.js");
        return values.map(signed);
    }"""
    assert ann.page.evaluate(script, values) == [signed(value) for value in values]
