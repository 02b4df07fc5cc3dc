"""The throw, and what moves: all waits for the dice, and the pace of computers is kept."""

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB, MACHINE, Visitor

dealt = pytest.mark.rolls("4+5 1+1")


@pytest.mark.parametrize(
    ("count", "wide", "high"), [(1, 362, 192), (2, 362, 192), (2, 880, 225), (6, 362, 192)]
)
def test_the_planned_throw_shows_the_faces_that_were_given(
    ann: Visitor, count: int, wide: int, high: int
) -> None:
    """On the felt, apart from each other, and all the way there as well."""
    ann.page.goto("/help")
    plans = ann.run("plans", count, wide, high, 150)
    assert (plans["wrong"], plans["outside"]) == (0, 0)
    assert plans["rest"] >= 1.49
    assert plans["way"] >= 0.85
    assert plans["spots"] >= 8  # ever different places


PLACES = """() => [...document.querySelectorAll(".dice.laid > li")]
    .map((one) => one.style.translate).filter(Boolean)"""


@dealt
def test_every_screen_and_a_replay_show_the_same_throw(visit: Visit) -> None:
    ann = visit(moves=True)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.press("#go")
    thrown = ann.page.evaluate(PLACES)
    assert len(thrown) == 2
    still = visit()
    still.page.goto(ann.page.evaluate("() => table.you.links.watch"))
    still.page.wait_for_function(f"want => ({PLACES})().join() === want", arg=",".join(thrown))
    ann.reload()
    ann.page.wait_for_function(f"want => ({PLACES})().join() === want", arg=",".join(thrown))


def presses_down(ann: Visitor, selector: str) -> tuple[float, float]:
    """Press the mouse in the middle of something, and return where that is."""
    box = ann.box(selector)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    return x, y


def has_thrown(ann: Visitor) -> None:
    """Wait until one throw is shown, and nothing else has been sent."""
    ann.until("table.replies === 1")
    ann.shown()
    assert ann.page.evaluate("() => table.requests.length") == 1
    assert ann.page.inner_text("#go") == "Cover 9"


@dealt
def test_a_press_that_is_held_shakes_and_throws_when_it_ends(visit: Visit) -> None:
    ann = visit(moves=True)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    presses_down(ann, "#go")
    ann.page.wait_for_selector(".box.aloft")
    ann.page.wait_for_timeout(400)
    ann.page.keyboard.press("Escape")  # the dice are put down again
    ann.page.wait_for_selector(".box:not(.aloft, .waiting)")
    ann.page.mouse.up()
    assert ann.page.evaluate("() => table.requests.length") == 0
    presses_down(ann, "#go")
    ann.page.wait_for_selector(".box.aloft")
    ann.page.mouse.up()
    has_thrown(ann)


@pytest.mark.parametrize("begins", ["#go", ".baize"])
@dealt
def test_a_flick_throws(visit: Visit, begins: str) -> None:
    ann = visit(moves=True)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    x, y = presses_down(ann, begins)
    ann.page.mouse.move(x + 150, y - 60, steps=4)
    ann.page.mouse.up()
    has_thrown(ann)


@dealt
def test_a_click_in_the_air_does_nothing_else(visit: Visit) -> None:
    """On a tile it does not pick it, and on the main button it does not press it."""
    ann = visit(moves=True)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.run("holdDice")
    ann.page.evaluate("() => document.getElementById('go').click()")
    thrown = "table.replies === 1 && table.heard === table.view.number"
    ann.page.evaluate(f"() => table.until(() => {thrown}, 'a throw')")  # without a frame
    ann.page.click("#board [data-key='9'] button", force=True)
    has_thrown(ann)
    ann.page.click("#board [data-key='9'] button")
    ann.page.evaluate("() => table.until(() => table.requests.length === 2, 'a cover')")


@dealt
def test_dice_are_thrown_by_themselves_for_those_who_want_that(ann: Visitor) -> None:
    ann.page.goto("/")
    ann.page.evaluate("() => localStorage.setItem('shutbox', JSON.stringify({ throws: true }))")
    ann.open(game="classic(tiles=5.7-9)", seats=[ANN])
    ann.until("table.replies === 1")  # without a press
    ann.shown()
    assert ann.page.inner_text("#sum").startswith("9")
    ann.page.wait_for_timeout(1200)
    assert ann.page.evaluate("() => table.requests.length") == 1  # a choice is never made
    ann.page.click("#board [data-key='9'] button")  # after that, dice are thrown again
    ann.until("table.view.phase === 'over'")
    ann.page.wait_for_timeout(1500)
    assert ann.view()["table"]["game"] == 1  # nor is another game begun


@dealt
def test_no_sound_is_fetched_before_the_first_press(visit: Visit) -> None:
    """Nor at all where the volume is 0."""
    ann = visit(moves=True)
    addresses: list[str] = []
    ann.page.on("request", lambda request: addresses.append(request.url))
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.page.wait_for_timeout(300)
    assert "/sounds/" not in " ".join(addresses)
    with ann.page.expect_response("**/sounds/shutbox.webm*") as answer:
        ann.page.keyboard.press("Shift")
    assert len(answer.value.body()) <= 64_000
    ann.page.evaluate("() => localStorage.setItem('shutbox', JSON.stringify({ volume: 0 }))")
    ann.reload()
    addresses.clear()
    ann.press("#go")
    assert "/sounds/" not in " ".join(addresses)


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


@pytest.mark.parametrize("others", [[], [BOB]], ids=["alone", "two"])
@dealt
def test_nothing_tells_a_throw_before_its_dice_rest(
    visit: Visit, others: list[dict[str, str]]
) -> None:
    """Neither what it allows nor that it ends a turn or the game: the dice are held in the air."""
    ann = visit(is_new=not others, moves=True)
    ann.open(game="classic(tiles=7-9)", seats=[ANN, *others])
    ann.run("holdFrames")
    does = "Throw two dice" if others else "Play again"
    assert ann.text(".begins > span") == ("Your turn, Ann" if others else "Your turn")
    for says, shows in (("4 and 5", "Cover 9"), ("1 and 1", does)):
        before = ann.run("texts")
        ann.run("throwHeld")
        assert says in " ".join(ann.page.evaluate("() => table.said"))
        assert says not in " ".join(ann.told)
        assert ann.run("texts") == before
        assert ann.page.evaluate("() => table.texts") == []
        ann.page.evaluate("() => table.land()")
        ann.shown()
        ann.says(says)
        assert ann.page.inner_text("#go") == shows
        assert ann.page.text_content("#caption") != before[1]
        assert (ann.page.title() != before[0]) == (shows == "Play again")
        if shows == "Cover 9":
            ann.press("#go")
    assert ann.text("#caption") == ("Ann is stuck on 2." if others else "No way to make 2.")


def test_a_press_answers_to_the_eye_before_the_server_does(visit: Visit) -> None:
    """The dice shake until there is an answer, and lie still where it is a refusal."""
    ann = visit(moves=True)
    ann.allows.append("status of 422")
    ann.open(game="classic", seats=[ANN])
    held = ann.holds("**/act")
    with ann.page.expect_request("**/act"):
        ann.page.evaluate("() => document.getElementById('go').click()")
    assert ann.page.locator(".box.waiting.aloft").count() == 1
    while not held:
        ann.page.wait_for_timeout(10)
    held[0].fulfill(status=422, json={"error": {"code": "illegal", "message": "Not now."}})
    ann.page.wait_for_selector(".box:not(.waiting, .aloft)")
    ann.page.wait_for_selector("#caption.note span:text('Not now.')")


# The pace of computers

hands_over = pytest.mark.rolls("1+1 4+5 4+4 1+1 4+5")


def hand_over(visit: Visit, pace: str, *, moves: bool = True) -> Visitor:
    ann = visit(moves=moves)
    ann.page.goto("/")
    ann.page.evaluate("pace => localStorage.setItem('shutbox', JSON.stringify({ pace }))", pace)
    ann.open(game="classic(tiles=8-9)", format="rounds=2", seats=[ANN, MACHINE])
    return ann


@pytest.mark.parametrize("presses", ["after", "before"])
@hands_over
def test_a_press_skips_to_ones_own_turn(visit: Visit, presses: str) -> None:
    """Of what the page has heard of, and of what comes after the press."""
    ann = hand_over(visit, "normal")
    ann.run("holdComputer")
    ann.page.click("#go")
    skip = ann.page.get_by_role("button", name="Skip to my turn")  # it is told, too
    skip.wait_for()
    ann.until("table.isHeld()")
    place = ann.box("#go")
    counts = ann.run("releaseComputer", presses)
    # Before the press, the rest of the turn waits until this event has been looked at.
    assert counts["shown"] <= 1 if presses == "after" else counts["shown"] == counts["came"]
    assert counts["end"] == counts["came"] > 2
    assert not counts["hurries"]
    assert ann.box("#go") == place


@hands_over
def test_the_device_keeps_that_computers_are_skipped(visit: Visit) -> None:
    ann = hand_over(visit, "skip")
    ann.run("holdComputer")
    ann.press("#go")
    ann.page.wait_for_selector("#go:has-text('Throw two dice')")
    assert ann.page.evaluate("() => table.hurried") == 0
    ann.menu()
    assert ann.page.input_value("#set-pace") == "skip"


def test_computers_pause_unless_they_are_skipped(ann: Visitor) -> None:
    ann.page.goto("/help")
    script = """async (paces) => {
        const { pauseAfter } = await import("/static/model/pace.js");
        const view = { seats: [{ computer: "fewest" }], table: { plates: [], pieces: [] } };
        const event = { kind: "throw", seat: 0, view };
        return paces.map((pace) => pauseAfter(event, { motion: true, pace }));
    }"""
    assert ann.page.evaluate(script, ["skip", "normal", "slow"]) == [0, 300, 2100]
