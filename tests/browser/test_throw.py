"""The throw: what is told waits for the dice, which come to rest in ever different places."""

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, Visitor

MOVING = {"reduced_motion": "no-preference"}
HELD = "() => { window.requestAnimationFrame = () => 0; }"
"""Dice that are thrown from now on stay in the air until they are told to land."""
# Plans of throws, as the page makes them: the least distance on the way and at rest, and faults.
PLANS = """async ([count, wide, high, throws]) => {
    const { planThrow, seedOf, usualStrength } = await import("/static/model/throw.js");
    const { sideOf } = await import("/static/model/resting.js");
    const side = sideOf(count, wide, high);
    const [width, depth] = [wide / side, high / side / Math.sin((65 * Math.PI) / 180)];
    const up = { 1: [2, 1], 6: [2, -1], 2: [1, 1], 5: [1, -1], 3: [0, 1], 4: [0, -1] };
    const found = { wrong: 0, outside: 0, way: 9, rest: 9, spots: new Set() };
    for (let n = 1; n <= throws; n += 1) {
        const faces = Array.from({ length: count }, (_, i) => String(1 + ((n * 5 + i * n) % 6)));
        const dice = faces.map((face) => ({ sides: 6, face }));
        const seed = seedOf(n, dice);
        const strength = usualStrength(seed);
        const { flights, length, room } = planThrow({ dice, seed, width, depth, strength });
        found.way = Math.min(found.way, room);
        const rest = flights.map(({ pose }) => pose(length + 100));
        found.spots.add(rest.map(({ x, y }) => [Math.round(x), Math.round(y)]).join());
        rest.forEach(({ x, y, z, rotation }, i) => {
            const [axis, sign] = up[dice[i].face];
            found.wrong += Number(sign * rotation[axis][2] < 0.999 || Math.abs(z - 0.5) > 0.001);
            found.outside += Number(Math.min(x, y, width - x, depth - y) < 0.6);
            for (const other of rest.slice(0, i)) {
                found.rest = Math.min(found.rest, Math.hypot(other.x - x, other.y - y));
            }
        });
    }
    return { ...found, spots: found.spots.size };
}"""


dealt = pytest.mark.rolls("4+5 1+1")


@pytest.mark.parametrize(
    ("count", "wide", "high"), [(1, 362, 192), (2, 362, 192), (2, 880, 225), (6, 362, 192)]
)
def test_the_planned_throw_shows_the_faces_that_were_given(
    ann: Visitor, count: int, wide: int, high: int
) -> None:
    """On the felt, apart from each other, and all the way there as well."""
    ann.page.goto("/help")
    plans = ann.page.evaluate(PLANS, [count, wide, high, 150])
    assert (plans["wrong"], plans["outside"]) == (0, 0)
    assert plans["rest"] >= 1.49
    assert plans["way"] >= 0.85
    assert plans["spots"] >= 8  # ever different places


PLACES = """() => [...document.querySelectorAll(".dice.laid > li")]
    .map((one) => one.style.translate).filter(Boolean)"""


@dealt
def test_every_screen_and_a_replay_show_the_same_throw(visit: Visit) -> None:
    ann = visit(**MOVING)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.press("#go")
    thrown = ann.page.evaluate(PLACES)
    assert len(thrown) == 2
    still = visit()
    still.page.goto(ann.page.evaluate("() => table.you.links.watch"))
    still.page.wait_for_function(f"want => ({PLACES})().join() === want", arg=",".join(thrown))
    ann.page.reload()
    ann.ready()
    ann.page.wait_for_function(f"want => ({PLACES})().join() === want", arg=",".join(thrown))


def held(ann: Visitor) -> tuple[float, float]:
    """Press the main button, and hold it. Return where."""
    box = ann.box("#go")
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.wait_for_selector(".box.aloft")
    return x, y


@dealt
def test_a_press_that_is_held_shakes_and_throws_when_it_ends(visit: Visit) -> None:
    ann = visit(**MOVING)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    held(ann)
    ann.page.wait_for_timeout(400)
    assert ann.page.evaluate("() => table.requests.length") == 0
    ann.page.keyboard.press("Escape")  # the dice are put down again
    ann.page.wait_for_selector(".box:not(.aloft, .waiting)")
    ann.page.mouse.up()
    assert ann.page.evaluate("() => table.requests.length") == 0
    held(ann)
    ann.page.mouse.up()
    ann.page.wait_for_function("() => table.replies === 1")
    ann.shown()
    assert ann.page.evaluate("() => table.requests.length") == 1
    assert ann.page.inner_text("#go") == "Cover 9"


@pytest.mark.parametrize("begins", ["#go", ".baize"])
@dealt
def test_a_flick_throws(visit: Visit, begins: str) -> None:
    ann = visit(**MOVING)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    box = ann.box(begins)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    ann.page.mouse.move(x, y)
    ann.page.mouse.down()
    ann.page.mouse.move(x + 150, y - 60, steps=4)
    ann.page.mouse.up()
    ann.page.wait_for_function("() => table.replies === 1")
    ann.shown()
    assert ann.page.evaluate("() => table.requests.length") == 1
    assert ann.page.inner_text("#go") == "Cover 9"


@dealt
def test_a_click_in_the_air_does_nothing_else(visit: Visit) -> None:
    """On a tile it does not pick it, and on the main button it does not press it."""
    ann = visit(**MOVING)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.page.evaluate(HELD)
    ann.page.evaluate("() => document.getElementById('go').click()")
    ann.page.evaluate("() => table.until(() => table.replies === 1, 'a reply')")  # without a frame
    ann.page.click("#board [data-key='9'] button", force=True)
    ann.shown()
    assert ann.page.inner_text("#go") == "Cover 9"
    assert ann.page.evaluate("() => table.requests.length") == 1
    ann.page.click("#board [data-key='9'] button")
    ann.page.evaluate("() => table.until(() => table.requests.length === 2, 'a cover')")


@dealt
def test_dice_are_thrown_by_themselves_for_those_who_want_that(ann: Visitor) -> None:
    ann.page.goto("/")
    ann.page.evaluate("() => localStorage.setItem('shutbox', JSON.stringify({ throws: true }))")
    ann.open(game="classic(tiles=5.7-9)", seats=[ANN])
    ann.page.wait_for_function("() => table.replies === 1")  # without a press
    ann.shown()
    assert ann.page.inner_text("#sum").startswith("9")
    ann.page.wait_for_timeout(1200)
    assert ann.page.evaluate("() => table.requests.length") == 1  # a choice is never made
    ann.page.click("#board [data-key='9'] button")  # after that, dice are thrown again
    ann.page.wait_for_function("() => table.view.phase === 'over'")
    ann.page.wait_for_timeout(1500)
    assert ann.view()["table"]["game"] == 1  # nor is another game begun


@pytest.mark.parametrize("look", [{"contrast": "more"}, {"forced_colors": "active"}])
@dealt
def test_dice_are_flat_without_canvas(visit: Visit, look: dict[str, str]) -> None:
    ann = visit(**MOVING, **look)
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.press("#go")
    assert not ann.page.is_visible(".dice-canvas")
    assert ann.page.locator(".box.aloft").count() == 0
    colours = ann.page.eval_on_selector_all(
        ".dice.laid .pip", "pips => pips.map((pip) => getComputedStyle(pip).fill)"
    )
    assert len(colours) == 9
    assert "rgba(0, 0, 0, 0)" not in colours


@dealt
def test_no_sound_is_fetched_before_the_first_press(visit: Visit) -> None:
    ann = visit(**MOVING)
    addresses: list[str] = []
    ann.page.on("request", lambda request: addresses.append(request.url))
    ann.open(game="classic(tiles=7-9)", seats=[ANN])
    ann.page.wait_for_timeout(300)
    assert not [url for url in addresses if "/sounds/" in url]
    with ann.page.expect_response("**/sounds/shutbox.webm*") as answer:
        ann.page.keyboard.press("Shift")
    assert len(answer.value.body()) <= 64_000
    ann.page.reload()
    ann.ready()
    ann.page.evaluate("() => localStorage.setItem('shutbox', JSON.stringify({ volume: 0 }))")
    ann.page.reload()
    ann.ready()
    addresses.clear()
    ann.press("#go")
    assert not [url for url in addresses if "/sounds/" in url]
