"""A game that is watched again on the page of its review, from its table and from a file."""

from browser.visitors import ANN, Visitor


def played(ann: Visitor) -> str:
    """The room of a game that was played to its end."""
    room = ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False, tries=False)
    ann.shown()
    return room


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
    """Until the box can be watched."""
    ann.ready()
    ann.page.wait_for_selector("#steps li[aria-current]", state="attached")


def stands_at(ann: Visitor, step: int, texts: list[str]) -> None:
    """The number, the slider, the line of the whole game, and what is said are those of a step."""
    ann.page.wait_for_function(
        "words => document.getElementById('at').textContent === words",
        arg=f"{step + 1} of {len(texts)}",
    )
    assert ann.page.input_value("#slider") == str(step)
    assert ann.page.locator("#steps [aria-current]").all_inner_texts() == [texts[step]]
    ann.says(texts[step])
    for button, is_off in {
        "first": step == 0,
        "back": step == 0,
        "next": step == len(texts) - 1,
        "last": step == len(texts) - 1,
    }.items():
        attribute = ann.page.get_attribute(f"#{button}", "aria-disabled")
        assert attribute == ("true" if is_off else None), button


def test_a_game_that_is_not_judged_is_stepped_through(ann: Visitor) -> None:
    texts, page = goes_on(ann), ann.page
    assert page.locator("#steps li").all_inner_texts() == texts
    assert page.locator(".head p").inner_text() == "Ann"
    last = len(texts) - 1
    stands_at(ann, 0, texts)
    page.click("#next")
    stands_at(ann, 1, texts)
    assert page.locator("#board .die[data-state=lying]").count() == 2
    page.click("#next")
    stands_at(ann, 2, texts)
    assert page.locator("#board .tile[data-state=down]").count() > 0
    page.click("#back")
    stands_at(ann, 1, texts)
    assert page.locator("#board .tile[data-state=down]").count() == 0
    page.keyboard.press("ArrowRight")
    stands_at(ann, 2, texts)
    page.keyboard.press("ArrowLeft")
    stands_at(ann, 1, texts)
    page.focus("#slider")
    page.keyboard.press("End")
    stands_at(ann, last, texts)
    page.keyboard.press("ArrowLeft")  # once, though the page has arrow keys of its own
    stands_at(ann, last - 1, texts)
    page.click("#last")
    stands_at(ann, last, texts)
    page.click("#first")
    stands_at(ann, 0, texts)


PACE = "ms => { window.tick ??= setInterval; window.setInterval = (go) => tick(go, ms); }"
LINE = "() => [...document.querySelectorAll('#steps li')].findIndex((one) => one.ariaCurrent)"


def test_a_game_is_watched_to_its_end_and_stops_at_a_press(ann: Visitor) -> None:
    room, page = played(ann), ann.page
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
