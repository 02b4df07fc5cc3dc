"""A game by mouse with all motion: dice fly, tiles fall, and the lid closes on a shut box."""

from typing import TYPE_CHECKING

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, Visitor

if TYPE_CHECKING:
    from playwright.sync_api import Route

dealt = pytest.mark.rolls("4+5 1+1")


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


HOLD = """() => {
    table.texts = [];
    const frames = [];
    window.requestAnimationFrame = (frame) => frames.push(frame);
    table.falling = () => [...document.querySelectorAll(".box.aloft")];
    table.land = () => frames.splice(0).forEach((frame) => frame(performance.now() + 9999));
    const ids = ["caption", "rim", "guide", "plates", "score"];
    const places = ["title", ...ids.map((id) => `#${id}`)].join();
    new MutationObserver((changes) => {
        for (const { target } of changes) {
            const isTold = (target.parentElement ?? target).closest?.(places);
            if (isTold && table.falling().length) table.texts.push(target.textContent);
        }
    }).observe(document, { characterData: true, childList: true, subtree: true });
}"""
"""Dice that are thrown from now on stay in the air, and what is told meanwhile is kept."""


def thrown(visitor: Visitor) -> None:
    """Throw, until the server has answered and the dice are in the air."""
    visitor.page.evaluate(
        """async () => {
            const { replies } = table;
            document.getElementById("go").click();
            await table.answered(replies, "the throw");
            await table.until(() => table.falling().length, "dice in the air");
        }"""
    )


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
@dealt
def test_the_lid_slams_when_the_box_is_shut(visit: Visit, motion: str) -> None:
    ann = visit(reduced_motion=motion)
    ann.open(game="two-dice(tiles=4.5)", seats=[ANN])
    ann.page.evaluate(WATCH)
    ann.press("#go")
    ann.press("#go")
    ann.says("shut")
    ann.page.wait_for_selector(".lid", state="visible")
    assert ann.page.inner_text("#go") == "Play again"
    assert ann.page.text_content("#result h2") == "The box is shut"
    # It stays closed until something is pressed.
    ann.page.wait_for_timeout(1000)
    assert ann.page.is_visible(".lid")
    ann.page.keyboard.press("Shift")
    ann.page.wait_for_selector(".lid", state="hidden")
    seen = set(ann.page.evaluate("() => [...table.seen]"))
    # A die shows one face only, and the canvas tumbles.
    moves = {"fall", "slam", "open", "pops", "transform"}
    assert moves <= seen if motion == "no-preference" else seen <= {"comes"}
    assert ann.page.evaluate("() => [...table.faces]") == []


@dealt
def test_the_lid_opens_for_the_next_game(ann: Visitor) -> None:
    """Also where nobody here has pressed anything: the other page of the same player has."""
    room = ann.open(game="classic(tiles=9)", seats=[ANN])
    ann.press("#go")
    first = ann.page
    ann.press("#go")
    ann.page.wait_for_selector(".lid", state="visible")
    ann.tab()
    ann.go_to(room)
    ann.press("#go")
    first.wait_for_selector(".lid", state="hidden")


TEXTS = """() => [
    document.title,
    ...["caption", "go", "offers", "guide", "plates", "score", "beat", "tag", "left", "sum",
        "outcome", "log", "status"]
        .map((id) => document.getElementById(id).textContent.trim()),
]"""


@pytest.mark.parametrize("others", [[], [BOB]], ids=["alone", "two"])
@dealt
def test_nothing_tells_a_throw_before_its_dice_rest(
    visit: Visit, others: list[dict[str, str]]
) -> None:
    """Neither what it allows nor that it ends a turn or the game: the dice are held in the air."""
    ann = visit(is_new=not others, reduced_motion="no-preference")
    ann.open(game="classic(tiles=7-9)", seats=[ANN, *others])
    ann.page.evaluate(HOLD)
    does = "Throw two dice" if others else "Play again"
    for says, shows in (("4 and 5", "Cover 9"), ("1 and 1", does)):
        before = ann.page.evaluate(TEXTS)
        ann.page.evaluate("() => void (table.texts = [])")
        thrown(ann)
        assert says in " ".join(ann.page.evaluate("() => table.said"))
        assert says not in " ".join(ann.page.evaluate("() => table.told"))
        assert ann.page.evaluate(TEXTS) == before
        assert ann.page.evaluate("() => table.texts") == []
        ann.page.evaluate("() => table.land()")
        ann.shown()
        ann.says(says)
        assert ann.page.inner_text("#go") == shows
        assert ann.page.text_content("#caption") != before[1]
        assert (ann.page.title() != before[0]) == (shows == "Play again")
        if shows == "Cover 9":
            ann.press("#go")


def test_a_press_answers_to_the_eye_before_the_server_does(visit: Visit) -> None:
    """The dice shake until there is an answer, and lie still where it is a refusal."""
    ann = visit(reduced_motion="no-preference")
    ann.allows.append("status of 422")
    ann.open(game="classic", seats=[ANN])
    held: list[Route] = []
    ann.page.route("**/act", lambda route: held.append(route))
    ann.page.evaluate("() => document.getElementById('go').click()")
    assert ann.page.locator(".box.waiting.aloft").count() == 1
    while not held:
        ann.page.wait_for_timeout(10)
    held[0].fulfill(status=422, json={"error": {"code": "illegal", "message": "Not now."}})
    ann.page.wait_for_selector(".box:not(.waiting, .aloft)")
    ann.page.wait_for_selector("#caption.note span:text('Not now.')")
