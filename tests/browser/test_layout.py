"""Layout from phones to wall screens: nothing is cut off or covered, or scrolls sideways."""

import pytest
from bench.browser import shift_of

from browser.conftest import Check, Visit
from browser.visitors import ANN, BOB, TWELVE_NAMES, Visitor
from listing import assert_none

# The main button is seen with the box

SIZES = [(320, 568), (844, 390), (667, 375), (1366, 650), (390, 664), (1440, 900), (2560, 1440)]


@pytest.mark.parametrize(
    "game",
    ["the-300", "double-shutter", "cargo", "tray", "2012", "classic(tiles=1-30,dice=5d6)"],
)
def test_the_main_button_is_in_sight(ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ANN])
    ann.play(most=2, undoes=False)
    faults = []
    # Thirty tiles and five dice leave no room for it on the smallest phone.
    for width, height in SIZES[1:] if "5d6" in game else SIZES:
        ann.resize(width, height)
        ann.page.evaluate("() => scrollTo(0, 0)")
        if fault := ann.run("outOfSight"):
            faults.append(f"{width} by {height}: {fault}")
    assert_none(faults)


PLACE = """() => {
    const { x, y, width, height } = document.getElementById("rim").getBoundingClientRect();
    return [x + width / 2, y + scrollY + height / 2];
}"""


@pytest.mark.parametrize(("width", "game"), [(390, "markers-five"), (1440, "cargo-night")])
def test_the_main_action_never_moves(ann: Visitor, game: str, width: int) -> None:
    """Through a whole match, whatever is asked, thrown, hinted or over."""
    ann.resize(width, 900)
    ann.open(game=game, seats=[ANN, {"who": "here", "name": "Bartholomew"}])
    places = [ann.page.evaluate(PLACE)]
    while ann.view()["phase"] == "playing" and len(places) < 40:
        ann.play(most=1, undoes=False)
        places.append(ann.page.evaluate(PLACE))
        if len(places) % 5 == 0:
            ann.page.keyboard.press("h")
            places.append(ann.page.evaluate(PLACE))
    for axis in (0, 1):
        seen = [place[axis] for place in places]
        assert max(seen) - min(seen) <= 8, seen


@pytest.mark.parametrize("size", [(390, 664), (1440, 900)])
@pytest.mark.parametrize(
    ("game", "format"),
    [("markers-five", "rounds=1"), ("cargo-night", "rounds=1"), ("classic", "begins=high-roll")],
)
def test_nothing_shifts_through_a_match(
    visit: Visit, size: tuple[int, int], game: str, format: str
) -> None:
    """From the first paint to the verdict, with all that moves while one plays."""
    ann = visit(size=size, moves=True)
    assert shift_of(ann, game=game, format=format) <= 0.02


# What stands where


def is_open(visitor: Visitor, tool: str) -> None:
    """Wait until this drawer alone is open, and the history knows it. Without a name, until none
    is.
    """
    visitor.until(
        """[...document.querySelectorAll("#tools details[open]")].map(({ id }) => id).join()
            === value && (history.state?.drawer ?? "") === value""",
        tool,
    )


@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1440, 900)])
def test_back_closes_the_drawer_that_was_opened(visit: Visit, size: tuple[int, int]) -> None:
    """And Forward opens it again; the next Back leaves the table, however many were opened.

    The next tool, Escape and its cross close it, too. Nothing else moves if there is room.
    """
    ann = visit(size=size)
    page = ann.page
    page.goto("/help")
    ann.open(game="pub", seats=[ANN, BOB])
    table = page.url
    before = ann.boxes("#go, #board")
    for tool in ("tool-moves", "rules"):
        page.click(f"#{tool} > summary")
        is_open(ann, tool)
        if size != (844, 390):  # where it lies beside the box
            assert ann.boxes("#go, #board") == before
    page.keyboard.press("Escape")
    is_open(ann, "")
    page.click("#rules > summary")
    is_open(ann, "rules")
    page.click("#rules .shuts")
    is_open(ann, "")
    page.click("#rules > summary")
    is_open(ann, "rules")
    page.go_back()
    is_open(ann, "")
    page.go_forward()
    is_open(ann, "rules")
    ann.reload()
    if size[0] == 1440:
        is_open(ann, "rules")
        page.go_back()
    is_open(ann, "")
    ann.press("#go")  # the next throw shuts the hint of this one, and takes its step away
    page.click("#hint")
    is_open(ann, "tool-hint")
    ann.play(most=1, undoes=False)
    is_open(ann, "")
    assert page.url == table
    page.go_back()
    page.wait_for_url("**/help")


# Names


def test_twelve_players_with_long_names_of_all_scripts_have_room(
    walked: Check, ann: Visitor
) -> None:
    ann.open(game="pub", seats=[{"who": "here", "name": name} for name in TWELVE_NAMES])
    seen = [seat["name"] for seat in ann.view()["seats"]]
    assert ann.page.locator("#plates bdi").all_inner_texts() == seen
    assert f"\u2068{seen[0]}\u2069" in ann.page.inner_text(".begins > span")
    walked(ann)
    ann.resize(320, 640)
    ann.press("#go")
    ann.page.evaluate("() => scrollTo(0, 0)")
    assert max(die["y"] + die["height"] for die in ann.boxes("#board .die")) <= ann.box("#rim")["y"]
