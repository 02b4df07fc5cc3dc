"""Everybody has a row: on a phone, round the felt of a large screen, and in a throw for all."""

import pytest

from browser.conftest import Visit
from browser.test_listening import stop_clock
from browser.visitors import ANN, LINK, Visitor

OTHERS = [{"who": "computer:fewest", "name": name} for name in ("Odile", "Jonas", "Bea")]
IS_MINE = """() => !document.getElementById("go").classList.contains("rests")
    && document.getElementById("plates").firstElementChild.ariaCurrent === "true\""""
UP = """(n) => [...document.querySelectorAll(`.plate[data-key="${n}"] .up`)].map(
    (tile) => tile.textContent)"""
each = pytest.mark.rolls("1+1 1+1 1+1 1+1 1+1 1+1 1+1 1+1")
"""Everybody covers 2, and is out with the next throw."""
common = pytest.mark.rolls("1+1 1+1 2+2")
"""The first throw for all is 4."""
covers = pytest.mark.rolls("1+1 1+1 1+1 1+1 2+2")
"""Everybody covers 2, and then Ann throws 4 for all."""


@pytest.mark.parametrize("size", [(360, 640), (844, 390)], ids=str)
@each
def test_a_round_of_four_on_a_phone_needs_no_scrolling_and_nothing_moves(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(size=size)
    ann.open(game="family", seats=[ANN, *OTHERS])
    before = ann.boxes("#board, #go, .plate")
    for part in before:
        assert 0 <= part["x"] <= part["x"] + part["width"] <= size[0]
        assert 0 <= part["y"] <= part["y"] + part["height"] <= size[1]
    ann.press("#go")
    ann.press("#go")
    ann.page.wait_for_function(IS_MINE)
    for part, was in zip(ann.boxes("#board, #go, .plate"), before, strict=True):
        assert part == pytest.approx(was, abs=1)
    assert ann.page.evaluate("scrollY") == 0
    tiles = ["1", *(str(tile) for tile in range(3, 11))]
    for seat in range(4):
        assert ann.page.evaluate(UP, seat) == tiles
    name = f"Bea, up: {', '.join(tiles)}"
    assert ann.page.get_by_role("img", name=name, exact=True).is_visible()
    board, go = ann.box("#board"), ann.box("#go")
    ann.page.click("#go")
    ann.page.wait_for_selector(".standings")
    for part, was in ((ann.box("#board"), board), (ann.box("#go"), go)):
        assert (part["y"], part["height"]) == pytest.approx((was["y"], was["height"]), abs=1)


@pytest.mark.parametrize("size", [(1440, 900), (1024, 700)], ids=str)
@each
def test_four_sit_round_the_felt_of_a_large_screen_with_their_rows(
    visit: Visit, size: tuple[int, int]
) -> None:
    ann = visit(size=size)
    ann.open(game="family", seats=[ANN, *OTHERS])
    felt = ann.box("#board .baize")
    left, top, right = (ann.box(f".plate[data-key='{n}'] .lane") for n in (1, 2, 3))
    assert left["x"] + left["width"] <= felt["x"] + 1
    assert top["y"] + top["height"] <= felt["y"] + 1
    assert right["x"] >= felt["x"] + felt["width"] - 1
    assert left["height"] > left["width"] < right["height"]
    assert top["width"] > top["height"]
    assert ann.box("#board .racks")["y"] >= felt["y"] + felt["height"] - 1
    assert len({tile["y"] for tile in ann.boxes("#board .tile")}) == 1
    ann.press("#go")
    assert ann.run("touches", "#board .dice.laid .die, .plate > .face") == 0
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
        player.until("document.querySelectorAll('.plate .up').length === 15")
    assert bob.page.evaluate(UP, 1) == ["4", "5", "6", "7", "8", "9", "10"]
    assert marks(ann) == [None, None]


@covers
def test_who_has_covered_a_throw_for_all_is_told_of_several_together(ann: Visitor) -> None:
    ann.open(game="head-to-head", seats=[ANN, *OTHERS])
    cover(ann)
    ann.page.wait_for_function(IS_MINE)
    ann.press("#go")
    stop_clock(ann)
    ann.page.clock.run_for(20_000)
    ann.page.evaluate(
        """() => {
            for (const seat of [1, 2]) {
                const happened = { kind: "choose", seat, says: ["Some tiles go down."] };
                table.happens(happened, { table: { ...table.view.table, seat: 3 } });
            }
        }"""
    )
    ann.page.clock.run_for(1900)
    assert not any("covered" in line for line in ann.told)
    ann.page.clock.run_for(200)
    assert ann.told[-1] == "Odile and Jonas have covered."
