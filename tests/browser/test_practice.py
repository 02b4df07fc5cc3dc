"""Practice in the browser: on the box of the table, by keys, by ear, with a stored tally."""

import json
from typing import Any

from browser.visitors import Visitor
from shutbox import find
from shutbox.solving.practice import practice

DECK = practice(find("classic"))


def question(ann: Visitor) -> tuple[dict[str, Any], Any]:
    """Return what the page knows of its question, and the choices ranked."""
    boot: dict[str, Any] = json.loads(ann.page.inner_text("#boot"))
    at = ann.page.locator("[name=at]").input_value()
    return boot, DECK.advise(at).ranked


def answer(ann: Visitor, text: str) -> None:
    """Answer by keys: digits pick tiles, and Enter covers them; or a digit answers."""
    for digit in text.split():
        ann.page.keyboard.press({"one die": "1", "two dice": "2"}.get(text, digit)[0])
    if ann.page.locator("#go").is_visible():
        ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector("#verd")


def hears(ann: Visitor, words: str) -> None:
    ann.until("document.getElementById('spoken').textContent.includes(value)", words)


def tile_question(ann: Visitor) -> tuple[dict[str, Any], Any]:
    """Wait for a question about tiles. It has the focus and says all its facts, which no line
    repeats.
    """
    ann.page.goto("/practice")
    while (asked := question(ann))[0]["target"] is None:
        ann.page.reload()
    facts = asked[0]["facts"]
    ann.until("document.activeElement.textContent === value", " ".join(facts))
    assert facts[-1] == "Which tiles?"
    assert facts[1] not in ann.page.inner_text("#spoken")
    return asked


def goes_on(ann: Visitor) -> str:
    """Go on to the next question by a key, and return its facts."""
    ann.page.keyboard.press("Enter")
    ann.page.wait_for_selector("#verd", state="detached")
    return " ".join(question(ann)[0]["facts"])


def test_a_wrong_answer_is_shown_on_the_box_and_told_against_the_better_one(ann: Visitor) -> None:
    boot, ranked = tile_question(ann)
    best, worst = ranked[0], ranked[-1]
    takes = {offer["text"]: {*offer["takes"]} for offer in boot["offers"]}
    answer(ann, worst.text)
    hears(ann, f"Wrong. Better: {best.says}. ")
    said = ann.page.locator("#because > p").inner_text()
    assert said.startswith(best.says[0].upper() + best.says[1:])
    assert f"Yours, {worst.says}" in said
    assert ann.page.evaluate("() => document.activeElement.id") == "go"
    keys = "all => all.map(tile => tile.parentElement.dataset.key)"
    yours = takes[worst.text] - takes[best.text]
    for mark, tiles in (("best", takes[best.text]), ("yours", yours)):
        assert {*ann.page.locator(f"#board .tile[data-{mark}]").evaluate_all(keys)} == tiles
    down = ann.page.locator("#board [data-best][data-state=down]")
    assert down.count() == len(takes[best.text])


def test_right_answers_light_matches_and_the_tally_stays(ann: Visitor) -> None:
    _, ranked = tile_question(ann)
    answer(ann, ranked[0].text)
    assert ann.page.locator("#chain").get_attribute("aria-label") == "1 in a row, of ten"
    facts = goes_on(ann)
    ann.until("document.activeElement.id === 'facts'")
    assert ann.page.inner_text("#facts") == facts
    _, ranked = tile_question(ann)  # a new visit goes on with the stored tally
    answer(ann, ranked[0].text)
    hears(ann, "Right. 2 in a row. ")
    assert ann.page.locator("#chain .lit").count() == 2


def test_enter_answers_where_the_digits_were_typed(ann: Visitor) -> None:
    """Also on something that has an Enter of its own, to which a screen reader may have led.

    An answer that a key has cut does not follow the next question.
    """
    _, ranked = tile_question(ann)
    ann.page.focus(".boxes summary")
    answer(ann, ranked[0].text)
    assert ann.page.locator(".boxes[open]").count() == 0
    hears(ann, "Right. ")
    facts = goes_on(ann)
    ann.page.keyboard.press(".")
    hears(ann, facts)
    assert ann.text("#spoken").count("Right. ") == 1
