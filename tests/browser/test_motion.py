"""A game by the mouse with all motion: dice roll, tiles fall, and the lid slams on a shut box."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import DEALING
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Route

ROLLS = "4+5,3+5,3+4,1+5,2+3,1+3,1+2,1+2"
PICKS = ("9", "8", "7", "6", "5", "4", "3", "12")


@pytest.fixture(scope="module")
def lucky(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("lucky")
    with Served(folder, program=(DEALING, "lucky", ROLLS)) as served:
        yield served


WATCH = """() => {
    table.seen = new Set();
    document.addEventListener("animationstart", ({ animationName }) => {
        if (animationName !== "turn") table.seen.add(animationName); // the ring of a plate
    });
    document.addEventListener("transitionrun", ({ target, propertyName }) => {
        if (target.matches(".flap")) table.seen.add(propertyName);
    });
    table.faces = new Set();
    new MutationObserver(() => {
        const dice = [...document.querySelectorAll(".die")];
        const drawn = (die) => String(die.querySelectorAll(".pip").length);
        if (dice.some((die) => die.dataset.face && drawn(die) !== die.dataset.face)) {
            table.faces.add("other");
        }
    }).observe(document.getElementById("board"), { childList: true, subtree: true });
}"""


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_lid_slams_when_the_box_is_shut(visit: Visit, lucky: Served, motion: str) -> None:
    ann = visit(lucky.url, reduced_motion=motion)
    moves = motion == "no-preference"
    ann.page.goto("/")
    ann.page.click(".begin button")
    ann.page.wait_for_url("**/r/*")
    ann.ready()
    ann.page.evaluate(WATCH)
    for number, picks in enumerate(PICKS):
        ann.shown()
        if number in (1, 2):
            ann.press("#go")
        elif number:
            ann.press("#offers button:has-text('Two dice')")  # and throws them
            ann.page.wait_for_function("() => table.view.table.target !== null")
            ann.shown()
        if len(ann.view()["table"]["offers"]) > 1:  # a press on the only cover plays it
            for key in picks:
                ann.page.click(f"#board [data-key='{key}'] button")
        ann.press("#go")
        for key in picks:
            ann.page.wait_for_selector(f"#board [data-key='{key}'] [data-state='down']")
    ann.says("shut")
    assert ann.view()["phase"] == "over"
    ann.page.wait_for_selector(".lid", state="visible")
    assert ann.page.inner_text("#go") == "Play again"
    assert ann.page.text_content("#result h2") == "The box is shut!"
    # It stays closed until something is pressed.
    ann.page.wait_for_timeout(1000)
    assert ann.page.is_visible(".lid")
    ann.page.keyboard.press("Shift")
    ann.page.wait_for_selector(".lid", state="hidden")
    seen = set(ann.page.evaluate("() => [...table.seen]"))
    # Dice shake until there is an answer, which may be at once; the card of the verdict comes when
    # it is worked out.
    assert seen - ({"shake", "comes"} if moves else set()) == (
        {"--bottom", "--top", "appear", "filter", "land", "open", "slam", "transform", "tumble"}
        if moves
        else set()
    )
    assert ann.page.evaluate("() => [...table.faces]") == (["other"] if moves else [])


def test_the_lid_opens_for_the_next_game(visit: Visit, lucky: Served) -> None:
    """Also where nobody here has pressed anything: the other page of the same player has."""
    ann = visit(lucky.url)
    room = ann.open(game="classic(tiles=9)", seats=[{"who": "me", "name": "Ann"}])
    ann.press("#go")
    first = ann.page
    ann.press("#go")
    ann.page.wait_for_selector(".lid", state="visible")
    ann.tab()
    ann.go_to(room)
    ann.press("#go")
    first.wait_for_selector(".lid", state="hidden")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_dice_that_lie_there_show_what_was_thrown(visit: Visit, motion: str) -> None:
    """They are never seen from the edge, and what the throw allows is seen once they lie there."""
    ann = visit(reduced_motion=motion)
    ann.open(game="classic", seats=[{"who": "me", "name": "Ann"}])
    ann.page.evaluate(
        """() => {
            table.flat = true;
            table.early = 1;
            const look = () => {
                for (const die of document.querySelectorAll(".die.rolls")) {
                    table.flat &&= new DOMMatrix(getComputedStyle(die).transform).is2D;
                }
                const isRolling = document.querySelector(".die.rolls");
                const shown = getComputedStyle(document.getElementById("sum")).opacity;
                if (isRolling) table.early = Math.min(table.early, Number(shown));
                requestAnimationFrame(look);
            };
            look();
        }"""
    )
    for _ in range(2):
        ann.play(most=1, undoes=False)
    ann.page.wait_for_function(
        """() => [...document.querySelectorAll(".die")].every((die) =>
            String(die.querySelectorAll(".pip").length) === die.dataset.face
            || !die.dataset.face)"""
    )
    ann.page.wait_for_selector("#board:not(.rolling)")
    assert ann.page.evaluate("() => table.flat")
    assert (ann.page.evaluate("() => table.early") < 0.5) == (motion == "no-preference")


def test_without_motion_nothing_waits(visit: Visit) -> None:
    """Each event of a computer player is on the page within a moment of its message."""
    ann = visit()
    ann.open(game="two-dice", seats=[{"who": "me", "name": "Ann"}, {"who": "computer:fewest"}])
    ann.page.evaluate(
        """() => {
            table.waits = [];
            table.socket.addEventListener("message", ({ data }) => {
                const { type, view } = JSON.parse(data);
                if (type !== "event") return;
                const begun = performance.now();
                const look = () => {
                    const shown = [...document.querySelectorAll("#board ul > [data-key]")];
                    const states = shown.map((item) => item.firstElementChild.dataset.state);
                    const due = view.table.pieces.map(({ state }) => state);
                    if (states.sort().join() === due.sort().join()) {
                        table.waits.push(performance.now() - begun);
                    } else if (performance.now() - begun < 5000) setTimeout(look, 1);
                    else table.waits.push(Infinity);
                };
                look();
            });
        }"""
    )
    ann.play(ends=True, undoes=False)
    ann.page.evaluate("() => table.until(() => ['over'].includes(table.view.phase), 'the end')")
    ann.shown()
    waits = ann.page.evaluate("() => table.waits")
    assert len(waits) > 3
    assert sorted(waits)[len(waits) // 2] < 300, waits  # some machine is slow now and then


def test_a_computer_player_can_be_followed_or_hurried(visit: Visit, lucky: Served) -> None:
    """What it does is shown one thing after the other; whoever presses a key sees it all."""
    ann = visit(lucky.url, reduced_motion="no-preference")
    ann.open(game="two-dice", seats=[{"who": "computer:fewest"}, {"who": "me", "name": "Ann"}])
    # The server has told all of it, and the page has shown only the beginning.
    shown = ann.page.evaluate(
        """() => table.until(() => table.isMine() && table.view.number > 4, "the end of its turn")
            .then(() => document.getElementById("go").textContent)"""
    )
    assert shown == "Waiting for Computer"
    ann.page.keyboard.press("Enter")
    ann.shown()
    assert ann.page.inner_text("#go") == "Throw two dice"
    ann.page.get_by_text("Settings", exact=True).click()
    ann.page.get_by_label("Motion").uncheck()
    assert ann.play()["over"]


def test_a_press_answers_to_the_eye_before_the_server_does(visit: Visit) -> None:
    """The dice shake until there is an answer, and lie still where it is a refusal."""
    ann = visit(reduced_motion="no-preference")
    ann.allows.append("status of 422")
    ann.open(game="classic", seats=[{"who": "me", "name": "Ann"}])
    held: list[Route] = []
    ann.page.route("**/act", lambda route: held.append(route))
    ann.page.evaluate("() => document.getElementById('go').click()")
    assert ann.page.locator(".dice.asked").count() == 1
    while not held:
        ann.page.wait_for_timeout(10)
    held[0].fulfill(status=422, json={"error": {"code": "illegal", "message": "Not now."}})
    ann.page.wait_for_selector(".dice:not(.asked)")
    ann.page.wait_for_selector("#caption.note span:text('Not now.')")
