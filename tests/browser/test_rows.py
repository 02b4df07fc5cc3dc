"""Everybody has a row: on a phone, round the felt of a large screen, and in a throw for all."""

import pytest

from browser.conftest import Visit
from browser.test_listening import stop_clock, told
from browser.visitors import ANN, LINK, TOUCHES, Visitor

OTHERS = [{"who": "computer:fewest", "name": name} for name in ("Odile", "Jonas", "Bea")]
PLACES = """() => ["#board", "#go", ".plate"].flatMap((parts) =>
    [...document.querySelectorAll(parts)].map((part) => {
        const { x, y, right, bottom } = part.getBoundingClientRect();
        return [x, y, right, bottom];
    }))"""
IS_MINE = """() => !document.getElementById("go").classList.contains("rests")
    && document.getElementById("plates").firstElementChild.ariaCurrent === "true\""""
STOOD = """() => {
    window.stood = [];
    const note = ({ target: { dataset: { key, stands } } }) => stood.push(`${key} ${stands}`);
    new MutationObserver((changes) => changes.forEach(note)).observe(
        document.getElementById("plates"), { subtree: true, attributeFilter: ["data-stands"] });
}"""
"""Note each seat whose row begins or ceases to stand out, and how."""
UP = """(n) => [...document.querySelectorAll(`.plate[data-key="${n}"] .up`)].map(
    (tile) => tile.textContent)"""
COVER = """seats => {
    for (const seat of seats) {
        const { view, socket } = table;
        const number = view.number + 1;
        const happened = { kind: "choose", seat, says: ["Some tiles go down."] };
        const next = { ...view, number, table: { ...view.table, seat: 3 } };
        const data = JSON.stringify({ type: "event", number, happened, view: next });
        socket.dispatchEvent(new MessageEvent("message", { data }));
    }
}"""
"""Let players cover a throw for all, as from the server, while Bea is due."""


each = pytest.mark.rolls("1+1 1+1 1+1 1+1 1+1 1+1 1+1 1+1")
"""Everybody covers 2, and is out with the next throw."""
common = pytest.mark.rolls("1+1 1+1 2+2")
"""The first throw for all is 4."""
covers = pytest.mark.rolls("1+1 1+1 1+1 1+1 2+2")
"""Everybody covers 2, and then Ann throws 4 for all."""
ends = pytest.mark.rolls("6+6 1+1 6+6 1+1 6+6 6+6 1+6")
"""Bob is stuck in the second round of throws, and Ann shuts her row in the fifth."""
COVERS = ("2, 10", "3, 9", "4, 8", "5, 7", "1, 6")
"""What Ann covers."""


@pytest.mark.parametrize("size", [(390, 844), (360, 640), (844, 390)], ids=str)
@each
def test_a_round_of_four_on_a_phone_needs_no_scrolling_and_nothing_moves(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(viewport={"width": size[0], "height": size[1]})
    ann.open(game="family", seats=[ANN, *OTHERS])
    at = ann.page.evaluate(PLACES)
    assert all(0 <= x <= right <= size[0] and y >= 0 for x, y, right, _ in at)
    assert all(bottom <= size[1] for *_, bottom in at)
    ann.press("#go")
    ann.press("#go")
    ann.page.wait_for_function(IS_MINE)
    for part, was in zip(ann.page.evaluate(PLACES), at, strict=True):
        assert part == pytest.approx(was, abs=1)
    assert ann.page.evaluate("scrollY") == 0
    for seat in range(4):
        assert ann.page.evaluate(UP, seat) == ["1", "3", "4", "5", "6", "7", "8", "9", "10"]
    tiles = "1, 3, 4, 5, 6, 7, 8, 9, 10"
    assert ann.page.get_by_role("img", name=f"Bea, up: {tiles}", exact=True).is_visible()
    ann.page.click("#go")
    ann.page.wait_for_selector(".standings")
    for (_, y, _, bottom), was in zip(ann.page.evaluate(PLACES)[:2], at[:2], strict=True):
        assert (y, bottom) == pytest.approx((was[1], was[3]), abs=1)


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)], ids=str)
@each
def test_four_sit_round_the_felt_of_a_large_screen_with_their_rows(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(viewport={"width": size[0], "height": size[1]})
    ann.open(game="family", seats=[ANN, *OTHERS])
    felt = ann.box("#board .baize")
    left, top, right = (ann.box(f".plate[data-key='{n}'] .lane") for n in (1, 2, 3))
    assert left["x"] + left["width"] <= felt["x"] + 1
    assert top["y"] + top["height"] <= felt["y"] + 1
    assert right["x"] >= felt["x"] + felt["width"] - 1
    assert left["height"] > left["width"] < right["height"]
    assert top["width"] > top["height"]
    assert ann.box("#board .racks")["y"] >= felt["y"] + felt["height"] - 1
    tiles = [tile.bounding_box() for tile in ann.page.locator("#board .tile").all()]
    assert len({tile["y"] for tile in tiles if tile}) == 1
    ann.press("#go")
    assert ann.page.evaluate(TOUCHES, "#board .dice.laid .die, .plate > .face") == 0
    ann.page.keyboard.press("w")
    rows = "".join(f" {name}: 1 to 10." for name in ("Odile", "Jonas", "Bea"))
    ann.page.wait_for_selector(f"#status:has-text('Ann: 1 to 10.{rows}')", state="attached")


def marks(player: Visitor) -> list[str | None]:
    found: list[str | None] = player.page.eval_on_selector_all(
        ".plate", "plates => plates.map((plate) => plate.dataset.mark ?? null)"
    )
    return found


def cover(player: Visitor) -> None:
    """Throw, and cover the only tile that fits."""
    player.page.click("#go")
    player.page.get_by_role("button", name="Cover 2").click()


@common
def test_a_cover_of_a_throw_for_all_chosen_early_is_sent_when_its_seat_is_due(visit: Visit) -> None:
    ann, bob = visit(), visit()
    ann.open(game="head-to-head", seats=[ANN, LINK])
    link = ann.page.input_value("#link-join")
    bob.enter(link, "Bob")
    ann.page.wait_for_function(IS_MINE)
    cover(ann)
    ann.page.wait_for_selector(".plate[data-key='1'][aria-current]")
    assert ann.page.locator("#board .tile[data-state='up']").count() == 9  # and not Bob's ten
    bob.page.wait_for_selector("#go:not(.rests):not([aria-disabled])")
    cover(bob)
    ann.page.wait_for_function(IS_MINE)
    ann.page.click("#go")
    bob.page.wait_for_selector("#board .tile[data-state=up]:not([aria-disabled])")
    bob.page.keyboard.press("1")
    bob.page.keyboard.press("3")
    assert bob.page.inner_text("#go") == "Cover 1 + 3"
    bob.page.click("#go")
    assert bob.page.inner_text("#go") == "Ann to choose"
    assert bob.page.inner_text("#sum small") == "for all"
    assert marks(bob) == ["dots", "tick"]
    assert marks(ann) == ["dots", "dots"]
    assert "1" in bob.page.evaluate(UP, 1)
    ann.page.keyboard.press("4")
    ann.page.click("#go")
    for player in (ann, bob):
        player.page.wait_for_function("() => document.querySelectorAll('.plate .up').length === 15")
    assert bob.page.evaluate(UP, 1) == ["4", "5", "6", "7", "8", "9", "10"]
    assert marks(ann) == [None, None]


@covers
def test_who_has_covered_a_throw_for_all_is_told_of_several_together(visit: Visit) -> None:
    ann = visit()
    ann.open(game="head-to-head", seats=[ANN, *OTHERS])
    cover(ann)
    ann.page.wait_for_function(IS_MINE)
    ann.press("#go")
    stop_clock(ann)
    ann.page.clock.run_for(20_000)
    ann.page.evaluate(COVER, [1, 2])
    ann.page.clock.run_for(1900)
    assert not any("covered" in line for line in told(ann))
    ann.page.clock.run_for(200)
    assert told(ann)[-1] == "Odile and Jonas have covered."


@ends
def test_who_is_out_and_a_row_that_is_shut_stand_out_until_the_next_round(visit: Visit) -> None:
    """The bar stands on the box, too, since the row is the viewer's own."""
    ann = visit()
    bob = {"who": "computer:fewest", "name": "Bob"}
    ann.open(game="family", seats=[ANN, bob], format="rounds=2,shut=wins")
    ann.page.evaluate(STOOD)
    for keys in ("20", "39", "48", "57", ""):
        ann.page.wait_for_function(IS_MINE)
        ann.page.keyboard.press("Enter")
        ann.page.wait_for_selector("#go:has-text('Cover')")
        for key in (*keys, "Enter"):  # 0 is the 10
            ann.page.keyboard.press(key)
        ann.page.wait_for_selector("#go:not(:has-text('Cover'))")
        if keys == "39":
            ann.page.wait_for_selector("#caption:has-text(' threw 1 + 1. Out with 53.')")
    ann.page.wait_for_selector("#caption:has-text('You shut your row.')")
    ann.page.wait_for_function("() => stood.length === 4")
    assert ann.page.evaluate("() => stood") == ["1 out", "0 shut", "0 undefined", "1 undefined"]
    assert ann.page.inner_text("#round") == "Round 2 of 2"
