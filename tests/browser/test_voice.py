"""Everything the page says: status line, advice, log and result."""

import re

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, MACHINE, Visitor

ISOLATES = re.compile("[\u2066-\u2069]")
SPOKEN = """() => [
    ...[...document.querySelectorAll("[aria-label]")].map((one) => one.getAttribute("aria-label")),
    ...[...document.querySelectorAll("#spoken p, #status, #outcome")].map((one) => one.textContent),
]"""
SENT = re.compile(r'aria-label="([^"]*)"|id="(?:status|outcome)"[^>]*>([^<]*)<')
lucky = pytest.mark.rolls("1+2")


def test_whoever_comes_hears_where_things_stand(ann: Visitor) -> None:
    ann.quick_start("classic")
    ann.says("Enter throws.")
    assert ann.focus() == "go"
    ann.press("#go")
    ann.reload()
    ann.until("table.told.length")
    ann.says(ann.page.inner_text("#log li:last-child .says").replace("Threw", "You threw"))
    ann.says("tiles")
    assert ann.focus() == ""  # tiles must be picked first, so the main button does nothing yet


def test_what_was_asked_is_answered_for_the_eye_as_well(ann: Visitor) -> None:
    """However long; what comes next takes its place, and nothing moves."""
    ann.open(game="classic(tiles=1-30,dice=5d6)", seats=[ANN])
    ann.resize(390, 844)
    before = ann.box("#tools")
    ann.page.keyboard.press("b")
    ann.page.wait_for_selector("#caption.note")
    assert ann.page.inner_text("#caption") == ann.view()["table"]["board"]
    span = ann.page.locator("#caption span")
    assert span.evaluate("one => one.scrollWidth <= one.clientWidth && one.tabIndex < 0")
    assert ann.box("#tools") == before
    ann.press("#go")
    assert ann.page.locator("#caption.note").count() == 0
    target = ann.view()["table"]["target"]
    assert ann.page.inner_text("#caption").startswith("You threw ")
    assert ann.page.inner_text("#go") == f"Cover {target}"


@lucky
def test_whoever_was_just_named_is_not_named_again(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, BOB])
    table = ann.throw_until_choice()
    assert table["ask"].startswith("Ann: ")
    question = table["ask"].removeprefix("Ann: ")
    ann.says("Ann: threw 1 and 2, 3. " + question[0].upper() + question[1:])


def test_the_end_is_heard_before_a_key_begins_anew(ann: Visitor) -> None:
    """Enter out of habit says what it would do; a second one does it, a click at once."""
    ann.open(game="cargo", seats=[ANN])
    ann.play(undoes=False)
    ann.says("Enter twice plays again, v reviews it.")
    game = ann.view()["table"]["game"]
    ann.page.focus("#go")
    ann.page.keyboard.press("Enter")
    ann.says("Enter once more: Play again.")
    assert ann.view()["table"]["game"] == game
    ann.page.keyboard.press("Enter")
    ann.until("table.view.table.game > value", game)
    ann.play(undoes=False)
    ann.press("#go")
    assert ann.view()["table"]["game"] == game + 2


def test_what_two_events_have_in_common_is_said_of_both(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws.")
    for says in (["Threw 2.", "Stuck."], ["Threw 3.", "Stuck."]):
        ann.page.evaluate("says => table.happens({ kind: 'throw', seat: 0, says })", says)
    ann.says("Threw 2. Stuck.")
    ann.says("Threw 3. Stuck.")


def test_a_hint_is_short_by_ear_and_whole_to_read(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.says(ann.throw_until_choice()["ask"])
    lines = ann.page.locator("#log .says").count()
    top = ann.box("#go")
    with ann.page.expect_response("**/hint") as answer:
        ann.page.keyboard.press("h")
    says: list[str] = answer.value.json()["says"]
    ann.says("Hint shows all choices.")
    assert ann.page.locator("#hint").inner_text().strip() == "Hint"
    best = says[1].partition(";")[0].removesuffix(".")
    best = best[0].lower() + best[1:]
    assert ann.told[-1] == f"Best is {best}. Hint shows all choices."
    assert ann.page.locator("#advice li").count() == len(answer.value.json()["figures"]["choices"])
    assert ann.page.inner_text("#advice .why") == says[-1]
    assert ann.page.locator("#log .says").count() == lines
    assert ann.box("#go") == top


@pytest.mark.parametrize("game", ["classic", "cargo"])
def test_the_coach_says_what_a_choice_has_cost(ann: Visitor, game: str) -> None:
    """In Cargo the dice are thrown at once, and the words stay."""
    ann.open(game=game, seats=[ANN], coach=True)
    table = ann.throw_until_choice()
    choice = table["offers"][-1]["text"]
    ann.drawer("questions")
    ann.page.fill("#typed", choice)
    with ann.page.expect_response("**/act") as answer:
        ann.page.keyboard.press("Enter")
    coach: list[str] = answer.value.json()["coach"]
    assert coach
    ann.until("table.underWay === 0")
    ann.page.locator("#caption.note", has_text=" ".join(coach)).wait_for()
    ann.says(coach[0])


@pytest.mark.parametrize("language", ["en", "de"])
def test_spoken_text_has_no_marks_around_names(visit: Visit, language: str) -> None:
    """Some voices read them aloud. What is only seen needs them."""
    ann = visit(locale=language)
    ann.open(game="classic", seats=[ANN, MACHINE])
    ann.finish()
    sent = [label or line for label, line in SENT.findall(ann.get(f"/r/{ann.room}").text())]
    for heard in (sent, ann.told + ann.page.evaluate(SPOKEN)):
        assert any("Ann" in line for line in heard)
        assert [line for line in heard if ISOLATES.search(line)] == []
    assert ISOLATES.search(ann.page.inner_text(".wins"))
