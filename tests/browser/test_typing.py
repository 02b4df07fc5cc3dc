"""Play by typing, and repeated speech."""

from browser.visitors import ANN, Visitor

MACHINE = {"who": "computer:fewest"}


def typed(ann: Visitor, words: str) -> None:
    ann.page.keyboard.type(words)
    ann.page.keyboard.press("Enter")


def by_typing(ann: Visitor) -> None:
    """The first button of the page, as a screen reader finds it."""
    ann.says("The first button lets you type.")
    first = ann.page.locator("button:visible").first
    assert first.inner_text() == "Play by typing"
    first.focus()
    ann.page.keyboard.press("Enter")
    assert ann.focus() == "typed"


def test_one_field_takes_everything_and_keeps_the_focus(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    by_typing(ann)
    while ann.view()["table"]["does"] == "throw":
        number = ann.view()["number"]
        typed(ann, "")
        ann.shows(number + 1)
        assert ann.focus() == "typed"
    table = ann.view()["table"]
    typed(ann, "d")
    ann.says(table["dice"])
    typed(ann, "h")
    ann.says("Best is ")
    assert ann.focus() == "typed"
    offer = next(offer for offer in table["offers"] if len(offer["takes"]) > 1)
    number = ann.view()["number"]
    typed(ann, "".join(offer["takes"]))
    ann.shows(number + 1)
    assert ann.page.input_value("#typed") == ""
    down = {piece["key"] for piece in ann.view()["table"]["pieces"] if piece["state"] == "down"}
    assert down == set(offer["takes"])
    assert ann.focus() == "typed"


def test_a_line_that_is_refused_stays_in_the_field_and_the_next_one_replaces_it(
    ann: Visitor,
) -> None:
    ann.open(game="classic", seats=[ANN])
    by_typing(ann)
    ann.allows.append("status of 422")
    for refused in ("zzz", "99"):  # here, and by the server
        typed(ann, refused)
        ann.page.wait_for_function(
            "words => document.querySelector('#typed').value === words", arg=refused
        )
        number = ann.view()["number"]
        typed(ann, "t" if refused == "zzz" else "l")  # the line is selected
        if refused == "zzz":
            ann.shows(number + 1)
    ann.page.wait_for_function("() => document.querySelector('#typed').value === ''")
    assert ann.focus() == "typed"


def test_the_field_is_remembered_and_can_be_left(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    by_typing(ann)
    ann.page.reload()
    ann.ready()
    ann.says("Enter throws two dice.")
    assert ann.focus() == "typed"
    assert not any("Play by typing" in text for text in ann.page.evaluate("() => table.told"))
    ann.page.locator("#menu > summary").click()
    ann.page.locator(".ears > summary").click()
    ann.page.get_by_label("Play by typing").uncheck()
    ann.page.reload()
    ann.ready()
    ann.says("Enter throws.")
    assert ann.focus() == "go"


def test_what_was_said_is_said_again(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, MACHINE])
    ann.play(undoes=False, ends=True)
    ann.page.evaluate("() => table.until(() => table.isMine() || table.view.phase === 'over')")
    ann.shown()
    log = ann.log()
    mine = [line for line in log if line["seat"] == 0]
    for key, lines in ((".", log[-1:]), (",", mine[-3:])):
        before = len(ann.page.evaluate("() => table.told"))
        ann.page.keyboard.press(key)
        own = [(line["seat"] == 0 and line.get("own")) or line for line in lines]
        words = " ".join(text for line in own for text in line["says"])
        ann.page.wait_for_function(
            "([n, words]) => table.told.slice(n).some((text) => text.includes(words))",
            arg=[before, words or "Nothing has been said yet."],
        )
