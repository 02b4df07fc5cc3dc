"""Analysis and review in a browser, by presses and by keys, and a game that is watched again."""

import re
from pathlib import Path
from typing import Any

import shutbox
from browser.visitors import ANN, Visitor
from records import header
from shutbox.engine.play import Chosen, Play, Rolled
from shutbox.record import to_bytes


def test_a_box_is_set_up_by_presses(ann: Visitor) -> None:
    page = ann.page
    ann.goto("/analysis")
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
    ann.until("document.getElementById('told').textContent.includes(value)", best)
    page.locator(".rank a").first.click()
    left = ".".join(str(n) for n in range(1, 9) if str(n) not in lit)
    page.wait_for_url(f"**/p/classic:{left}")
    page.get_by_role("button", name="Throw").click()
    page.wait_for_url(re.compile(rf"/p/classic:{left}/\d"))
    page.get_by_label("Most shuts").check()
    page.wait_for_url("**?aim=shut")
    page.get_by_label("Game").select_option("six")
    page.wait_for_url("**/p/six:1.2.3.4.5.6?aim=shut")


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
    assert "best" in page.evaluate(MARKS)


def test_who_is_refused_sees_why_and_loses_nothing(ann: Visitor) -> None:
    ann.allows += ["Failed to load", "ERR_FAILED"]
    page = ann.page
    ann.goto("/p/classic")
    ann.context.route(re.compile("/(p|analysis|r)[/?]"), lambda route: route.abort())
    page.get_by_label("tile 9 up").click()
    page.get_by_text("The server does not answer.").wait_for()
    assert not page.get_by_label("tile 9 up").is_checked()
    ann.context.unroute_all()
    page.get_by_label("tile 8 up").click()
    page.wait_for_url("**/p/classic:1.2.3.4.5.6.7")
    assert page.inner_text("#fault") == ""


def goes_on(ann: Visitor) -> list[str]:
    """Watch a game that is not over, which nobody judges. Return what was told at its table."""
    room = ann.open(game="classic", seats=[ANN])
    ann.play(most=4, undoes=False, tries=False)
    ann.shown()
    assert ann.view()["phase"] == "playing"
    told: list[str] = ann.page.locator("#log .says").all_text_contents()
    ann.page.goto(f"/r/{room}/review")
    loaded(ann)
    return told


def loaded(ann: Visitor) -> None:
    """Wait until the box can be watched."""
    ann.ready()
    ann.page.wait_for_selector("#steps li[aria-current]", state="attached")


def stands_at(ann: Visitor, step: int, texts: list[str]) -> None:
    """The number, the slider, the line of the whole game, and what is said are those of a step."""
    ann.page.wait_for_selector(f"#at:text-is('{step + 1} of {len(texts)}')")
    assert ann.page.input_value("#slider") == str(step)
    assert ann.page.locator("#steps [aria-current]").all_inner_texts() == [texts[step]]
    ann.says(texts[step])
    ends = {"first": 0, "back": 0, "next": len(texts) - 1, "last": len(texts) - 1}
    for button, end in ends.items():
        is_off = ann.page.get_attribute(f"#{button}", "aria-disabled")
        assert is_off == ("true" if step == end else None), button


def test_a_game_that_is_not_judged_is_stepped_through(ann: Visitor) -> None:
    """By buttons, by arrow keys, and by the slider."""
    texts, page = goes_on(ann), ann.page
    assert page.locator("#steps li").all_inner_texts() == texts
    last = len(texts) - 1
    down, lying = "#board .tile[data-state=down]", "#board .die[data-state=lying]"
    for press, step, selector, number in (
        ("", 0, down, 0),
        ("#next", 1, lying, 2),
        ("#next", 2, down, len(texts[2].split(" and "))),
        ("#back", 1, down, 0),
        ("ArrowRight", 2, lying, 0),
        ("ArrowLeft", 1, lying, 2),
        ("#last", last, "#steps [aria-current]", 1),
        ("#first", 0, down, 0),
    ):
        if press.startswith("#"):
            page.click(press)
        elif press:
            page.keyboard.press(press)
        stands_at(ann, step, texts)
        assert page.locator(selector).count() == number
    page.focus("#slider")
    page.keyboard.press("End")
    stands_at(ann, last, texts)
    page.keyboard.press("ArrowLeft")  # once, though the page has arrow keys of its own
    stands_at(ann, last - 1, texts)


PACE = "ms => { window.tick ??= setInterval; window.setInterval = (go) => tick(go, ms); }"
LINE = "() => [...document.querySelectorAll('#steps li')].findIndex((one) => one.ariaCurrent)"


def test_a_game_is_watched_to_its_end_and_stops_at_a_press(ann: Visitor) -> None:
    page, room = ann.page, ann.open(game="classic", seats=[ANN])
    ann.finish()
    page.goto(f"/r/{room}/review")
    page.get_by_role("link", name="Watch again").click()
    loaded(ann)
    page.evaluate(PACE, 20)
    last = page.locator("#steps li").count() - 1
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"last => ({LINE})() === last", arg=last)
    page.evaluate(PACE, 1000)
    page.get_by_role("button", name="Play").click()  # again, from the beginning
    page.get_by_role("button", name="Pause").wait_for()
    assert page.evaluate(LINE) == 0
    page.get_by_role("button", name="Last", exact=True).click()
    page.get_by_role("button", name="Play").wait_for()
    page.wait_for_timeout(1500)
    assert page.evaluate(LINE) == last
