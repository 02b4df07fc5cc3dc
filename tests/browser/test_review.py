"""Analysis and review in a browser: by presses and by keys."""

import re
from typing import Any

from browser.visitors import ANN, Visitor


def finished(ann: Visitor, **about: Any) -> str:
    """A table whose game was played to its end."""
    room = ann.open(**{"game": "classic", "seats": [ANN], **about})
    ann.play(undoes=False, tries=False)
    ann.shown()
    return room


SMALL = """() => [...document.querySelectorAll("main :is(a, button, select, .leaf, .face)")]
    .filter(e => e.checkVisibility() && !e.closest("svg"))
    .filter(e => { const r = e.getBoundingClientRect(); return r.height < 43.5; })
    .map(e => e.outerHTML.slice(0, 90))"""


def test_what_is_pressed_is_large_enough(ann: Visitor) -> None:
    for path in ("/p/classic", f"/r/{finished(ann)}/review"):
        ann.page.goto(path)
        for width in (320, 390, 768, 1440):
            ann.page.set_viewport_size({"width": width, "height": 800})
            assert ann.page.evaluate(SMALL) == []


def test_a_box_is_set_up_by_presses(ann: Visitor) -> None:
    page = ann.page
    page.goto("/analysis")
    ann.ready()
    page.get_by_label("tile 9 up").click()
    page.wait_for_url("**/p/classic:1.2.3.4.5.6.7.8")
    assert page.evaluate("() => document.activeElement.value") == "9"
    page.get_by_role("group", name="Die 1").get_by_label("4").click()
    page.get_by_role("group", name="Die 2").get_by_label("6").click()
    page.wait_for_url("**/p/classic:1.2.3.4.5.6.7.8/4+6")
    page.get_by_role("heading", name="Cover 10").wait_for()
    best = page.locator(".rank .good .what").first.inner_text()
    lit = page.locator(".leaf[data-best] .flap").all_inner_texts()
    assert "+".join(lit) == best
    page.wait_for_function(
        "best => document.getElementById('told').textContent.includes(best)", arg=best
    )
    page.locator(".rank a").first.click()
    left = ".".join(str(n) for n in range(1, 9) if str(n) not in lit)
    page.wait_for_url(f"**/p/classic:{left}")
    page.get_by_role("button", name="Throw").click()
    page.wait_for_url(re.compile(rf"/p/classic:{left}/\d"))
    page.get_by_role("link", name="All up").click()
    page.wait_for_url("**/p/classic:1.2.3.4.5.6.7.8.9")
    page.get_by_label("Most shuts").check()
    page.wait_for_url("**/p/classic:1.2.3.4.5.6.7.8.9?aim=shut")
    page.get_by_label("Game").select_option("six")
    page.wait_for_url("**/p/six:1.2.3.4.5.6?aim=shut")
    assert page.locator(".leaf").count() == 6


def at(ann: Visitor, step: int) -> None:
    """Until this step is looked at, everywhere."""
    ann.page.wait_for_selector(f"#review[data-now='{step}']")
    now = "all => all.map(one => Number(one.dataset.step))"
    for part in (".chart.wide-only", ".moves"):
        assert ann.page.eval_on_selector_all(f"{part} [aria-current]", now) == [step]


def test_a_review_is_stepped_through(ann: Visitor) -> None:
    room, page = finished(ann), ann.page
    page.goto(f"/r/{room}/review?step=1")
    ann.ready()
    at(ann, 1)
    last = page.locator(".moves tbody tr").count()
    assert last > 2
    page.keyboard.press("ArrowRight")
    at(ann, 2)
    page.wait_for_url("**/review?step=2")
    page.wait_for_function(
        "() => document.getElementById('status').textContent.startsWith('Throw 2')"
    )
    page.keyboard.press("ArrowLeft")
    at(ann, 1)
    page.keyboard.press("End")
    at(ann, last)
    assert page.get_attribute("#next", "aria-disabled") == "true"
    page.keyboard.press("ArrowRight")
    at(ann, last)
    wrong = page.eval_on_selector_all(
        ".moves tr:has(.mark.bad) [data-step]", "all => all.map(one => Number(one.dataset.step))"
    )
    assert wrong, "no mistake for the key to go to"
    for number in wrong:
        page.keyboard.press("n")
        at(ann, number)
    page.locator(".moves [data-step='2']").click()
    at(ann, 2)
    assert page.evaluate("() => document.activeElement.dataset.step") == "2"
    page.focus("#next")
    page.keyboard.press("Enter")
    at(ann, 3)
    assert ann.focus() == "next"


def test_who_is_refused_sees_why_and_loses_nothing(ann: Visitor) -> None:
    ann.allows += ["Failed to load", "ERR_FAILED"]
    room, page = finished(ann), ann.page
    page.goto("/p/classic")
    ann.ready()
    ann.context.route(re.compile("/(p|analysis|r)[/?]"), lambda route: route.abort())
    page.get_by_label("tile 9 up").click()
    page.get_by_text("The server does not answer.").wait_for()
    assert not page.get_by_label("tile 9 up").is_checked()
    ann.context.unroute_all()
    page.get_by_label("tile 8 up").click()
    page.wait_for_url("**/p/classic:1.2.3.4.5.6.7")
    assert page.inner_text("#fault") == ""
    page.goto(f"/r/{room}/review?step=1")
    ann.ready()
    last = page.locator(".moves tbody tr").count()
    page.wait_for_load_state("networkidle")  # the next step has come already
    ann.context.route(re.compile("/review"), lambda route: route.abort())
    page.locator(f".moves [data-step='{last}']").click()
    page.get_by_text("The server does not answer.").wait_for()
    at(ann, 1)
