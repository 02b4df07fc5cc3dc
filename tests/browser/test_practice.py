"""Practice in the browser: by keys, with a stored tally."""

import re

from browser.visitors import Visitor


def test_an_answer_is_judged_and_the_tally_stays(ann: Visitor) -> None:
    page = ann.page
    page.goto("/practice")
    page.wait_for_function("() => document.activeElement.id === 'ask'")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.activeElement.id === 'next'")
    page.get_by_text(re.compile("^[01] of 1$")).wait_for()
    page.goto("/practice")
    page.locator(".answers button").first.click()
    page.get_by_text("of 2").wait_for()
    page.keyboard.press("Enter")
    page.wait_for_selector(".answers")
