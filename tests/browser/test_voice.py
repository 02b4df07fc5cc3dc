"""Everything the page says: status line, advice, log and result."""

from typing import Any

import pytest

from browser.visitors import ANN, BOB, LINK, Visitor

MACHINE = {"who": "computer:fewest"}
lucky = pytest.mark.rolls("1+2")


def told(visitor: Visitor) -> list[str]:
    texts: list[str] = visitor.page.evaluate("() => table.told")
    return texts


def until_choice(visitor: Visitor) -> dict[str, Any]:
    """Throw until something is to be chosen; what."""
    visitor.page.evaluate(
        """async () => {
            while (table.view.table.does === "throw") {
                const replies = table.replies;
                document.getElementById("go").click();
                await table.answered(replies, "the throw");
                await table.shown();
            }
        }"""
    )
    table: dict[str, Any] = visitor.view()["table"]
    return table


# Whoever comes


def test_whoever_comes_hears_where_things_stand(ann: Visitor) -> None:
    ann.quick_start("classic")
    ann.says("Enter throws.")
    assert ann.focus() == "go"
    ann.press("#go")
    ann.page.reload()
    ann.ready()
    ann.page.wait_for_function("() => table.told.length > 0")
    ann.says(ann.page.inner_text("#log li:last-child .says").replace("Threw", "You threw"))
    ann.says("tiles")
    assert ann.focus() == ""  # tiles must be picked first, so the main button does nothing yet


def test_the_lobby_says_who_is_waited_for_and_has_their_links(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, LINK, LINK])
    ann.says("Still to join: Player 2 and Player 3.")
    page = ann.page
    assert page.locator("#lobby").get_by_label("Link for your friends").count() == 1
    page.get_by_role("button", name="Nell plays").click()
    ann.says("Still to join: Player 3.")


def test_what_was_asked_is_answered_for_the_eye_as_well(ann: Visitor) -> None:
    """However long; what comes next takes its place, and nothing moves."""
    ann.open(game="classic(tiles=1-30,dice=5d6)", seats=[ANN])
    ann.page.set_viewport_size({"width": 390, "height": 844})
    before = ann.page.locator("#tools").bounding_box()
    ann.page.keyboard.press("b")
    ann.page.wait_for_selector("#caption.note")
    assert ann.page.inner_text("#caption") == ann.view()["table"]["board"]
    span = ann.page.locator("#caption span")
    assert span.evaluate("one => one.scrollWidth <= one.clientWidth && one.tabIndex < 0")
    assert ann.page.locator("#tools").bounding_box() == before
    ann.press("#go")
    assert ann.page.locator("#caption.note").count() == 0
    target = ann.view()["table"]["target"]
    assert ann.page.inner_text("#caption").startswith("You threw ")
    assert ann.page.inner_text("#go") == f"Cover {target}"


# While somebody plays


def test_what_is_picked_gives_way_to_what_is_asked_for(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    table = until_choice(ann)
    ann.says(table["ask"])
    before = len(told(ann))
    ann.page.evaluate(
        """() => {
            document.querySelector("#board button:not([aria-disabled])").click();
            document.querySelector("#ask button").click();
        }"""
    )
    ann.page.wait_for_function("before => table.told.length > before", arg=before)
    assert told(ann)[before:] == [table["dice"]]


@lucky
def test_whoever_was_just_named_is_not_named_again(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, BOB])
    table = until_choice(ann)
    assert table["ask"].startswith("Ann: ")
    question = table["ask"].removeprefix("Ann: ")
    ann.says("Ann: threw 1 and 2, 3. " + question[0].upper() + question[1:])


@pytest.mark.rolls("4+4 3+4 1+5 2+3")
def test_old_lines_go(ann: Visitor) -> None:
    """For people who read the page from the top."""
    ann.open(game="classic", seats=[ANN])
    ann.play(most=8, undoes=False)
    ann.page.wait_for_function("() => table.told.length > 8")
    lines = [line for line in ann.page.locator("#spoken p").all_inner_texts() if line.strip()]
    assert 0 < len(lines) <= 8


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
    ann.page.wait_for_function("game => table.view.table.game > game", arg=game)
    ann.play(undoes=False)
    ann.press("#go")
    assert ann.view()["table"]["game"] == game + 2


def test_what_two_events_have_in_common_is_said_of_both(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.says("Enter throws.")
    ann.page.evaluate(
        """() => {
            const { view, socket } = table;
            for (const [more, says] of [[1, ["Threw 2.", "Stuck."]], [2, ["Threw 3.", "Stuck."]]]) {
                const number = view.number + more;
                const happened = { kind: "throw", seat: 0, says };
                const message = { type: "event", number, happened, view: { ...view, number } };
                const data = JSON.stringify(message);
                socket.dispatchEvent(new MessageEvent("message", { data }));
            }
        }"""
    )
    ann.says("Threw 2. Stuck.")
    ann.says("Threw 3. Stuck.")


def test_the_result_says_who_has_won_and_what_everybody_has(ann: Visitor) -> None:
    ann.open(game="pub", seats=[ANN, MACHINE])
    ann.play(undoes=False)
    table = ann.view()["table"]
    margin, first, second = (table["margin"], *ann.page.locator(".standings .n").all_inner_texts())
    says = ann.page.inner_text("#outcome")
    assert says == f"Computer wins by {margin}. Computer: {first} left, You: {second} left."
    ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False)
    assert ann.page.inner_text("#outcome").endswith(ann.view()["table"]["score"])


def test_a_hint_is_short_by_ear_and_whole_to_read(ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN])
    ann.says(until_choice(ann)["ask"])
    lines = ann.page.locator("#log .says").count()
    top = ann.page.locator("#go").bounding_box()
    with ann.page.expect_response("**/hint") as answer:
        ann.page.keyboard.press("h")
    says: list[str] = answer.value.json()["says"]
    ann.says("Hint shows all choices.")
    assert ann.page.locator("#hint").inner_text().strip() == "Hint"
    best = says[1].partition(";")[0].removesuffix(".")
    best = best[0].lower() + best[1:]
    assert told(ann)[-1] == f"Best is {best}. Hint shows all choices."
    assert ann.page.locator("#advice li").count() == len(answer.value.json()["figures"]["choices"])
    assert ann.page.inner_text("#advice .why") == says[-1]
    assert ann.page.locator("#log .says").count() == lines
    assert ann.page.locator("#go").bounding_box() == top


@pytest.mark.parametrize("game", ["classic", "cargo"])
def test_the_coach_says_what_a_choice_has_cost(ann: Visitor, game: str) -> None:
    """In Cargo the dice are thrown at once, and the words stay."""
    ann.open(game=game, seats=[ANN], coach=True)
    table = until_choice(ann)
    choice = table["offers"][-1]["text"]
    ann.drawer("questions")
    ann.page.fill("#typed", choice)
    with ann.page.expect_response("**/act") as answer:
        ann.page.keyboard.press("Enter")
    coach: list[str] = answer.value.json()["coach"]
    assert coach
    ann.page.wait_for_function("() => table.underWay === 0")
    ann.page.locator("#caption.note", has_text=" ".join(coach)).wait_for()
    ann.says(coach[0])
