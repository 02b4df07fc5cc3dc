"""Analysis and review in a browser: by presses and by keys."""

import re
from pathlib import Path
from typing import Any

import shutbox
from browser.visitors import Visitor
from records import header
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.record import to_bytes


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


def test_the_first_die_of_an_analysis_is_no_mistake(ann: Visitor) -> None:
    """Nothing is refused, nothing moves, and it stays pressed until the second one is."""
    page = ann.page
    page.goto("/analysis")
    page.wait_for_selector("html.live")
    top = """() => ["setup", "position"].map(
        (id) => document.getElementById(id).getBoundingClientRect().top)"""
    before, title = page.evaluate(top), page.title()
    for die, face, then in (
        ("die0", 4, "/analysis?"),
        ("die1", 6, "/p/"),
        ("die0", 0, "/analysis?"),
    ):
        press = page.locator(f"#setup label:has([name={die}][value='{face}'])")
        with page.expect_response(lambda reply: "/analysis" in reply.url or "/p/" in reply.url):
            press.click()
        page.wait_for_url(f"**{then}**")
        assert page.locator("#fault > *").count() == 0
        assert page.evaluate(top) == before
        assert press.locator("input").is_checked()
        is_whole = then == "/p/"
        assert (page.inner_text("#sum") != "") == is_whole
        assert page.title() == (
            "Classic, 4 and 6 thrown, 1 2 3 4 5 6 7 8 9 up: shutbox" if is_whole else title
        )
    page.reload()
    assert page.locator("#setup [name=die1][value='6']").is_checked()


def mistaken() -> bytes:
    """The record of a turn at Classic with three choices that cost something."""
    box = shutbox.find("classic")
    play = Play(box)
    for said in ("4 4", "3 5", "4 4", "1 7", "6 2", "2 6"):
        rolls = isinstance(play.awaits, shutbox.Throw)
        awaited: Any = play.awaits
        play.happen(
            Rolled(awaited.dice.read(said))
            if rolls
            else Chosen(box.parse_choice(play.position, said))
        )
    return to_bytes(header("classic"), box, play.log)


MARKS = """() => [...document.querySelectorAll("#moment .tile")].map((tile) =>
    tile.matches("[data-best]") ? "best" : tile.querySelector(".yourtag") ? "yours" : "")"""


def shows(ann: Visitor, number: int) -> None:
    """Until this moment is marked in the list, and the sentence below the board is its own."""
    ann.page.wait_for_selector(f".moments [data-moment='{number}'][aria-current]")
    assert ann.page.locator(".moments [aria-current]").count() == 1
    because = ann.page.get_attribute(f"template[data-moment='{number}']", "data-because")
    assert ann.page.inner_text("#because") == because
    assert {*ann.page.evaluate(MARKS)} >= {"best", "yours"}


def test_the_moments_are_walked_through_and_tried_again(ann: Visitor, tmp_path: Path) -> None:
    page = ann.page
    page.goto("/review")
    record = tmp_path / "game.shutbox"
    record.write_bytes(mistaken())
    page.set_input_files("#record", record)
    page.click("#open button")
    page.wait_for_selector(".moments")
    ann.ready()
    shows(ann, 1)
    links = page.locator(".moments [data-moment]")
    assert links.count() == 3
    links.nth(0).focus()
    for key, number in (("ArrowDown", 2), ("ArrowRight", 3), ("ArrowRight", 1), ("ArrowUp", 3)):
        page.keyboard.press(key)
        shows(ann, number)
        assert page.evaluate("() => document.activeElement.dataset.moment") == str(number)
    page.get_by_role("button", name="Next moment").first.click()
    shows(ann, 1)
    assert ann.focus() == "Next moment"
    links.nth(0).focus()
    page.keyboard.press("Enter")  # on the chosen one: try it again
    page.get_by_text("Which tiles?").wait_for()
    assert {*page.evaluate(MARKS)} == {""}
    assert page.evaluate("() => document.activeElement.matches('#moment button.tile')")
    done = page.get_by_role("button", name="Cover the picked tiles")
    assert done.get_attribute("aria-disabled") == "true"
    page.get_by_role("button", name="tile 8").press("Enter")
    done.press("Enter")
    assert page.inner_text("#because").startswith("Right. 8 ")
    page.get_by_role("button", name="Try again").click()
    for tile in ("1", "7"):
        page.get_by_role("button", name=f"tile {tile}").click()
    done.click()
    assert page.inner_text("#because").startswith("Better: 8. 8 ")
    shows_again = page.evaluate(MARKS)
    assert "best" in shows_again


def test_who_is_refused_sees_why_and_loses_nothing(ann: Visitor) -> None:
    ann.allows += ["Failed to load", "ERR_FAILED"]
    page = ann.page
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
