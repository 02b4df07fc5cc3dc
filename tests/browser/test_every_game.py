"""Games and presets, played to their end by clicks: some, or every one with `make nightly`."""

import pytest

from browser.cases import games, matches
from browser.visitors import Visitor

BUSY = "status of 429"  # no verdict on this game, while those on the games before are worked out


@pytest.mark.parametrize("game", games())
def test_a_game_is_played_to_its_end(ann: Visitor, game: str) -> None:
    ann.allows.append(BUSY)
    ann.quick_start(game)
    seen = ann.play(hears=True)
    assert seen["over"]
    assert seen["undone"] or not seen["choices"]
    assert ann.view()["phase"] == "over"


@pytest.mark.parametrize("preset", matches())
def test_a_preset_is_played_to_its_end(ann: Visitor, preset: str) -> None:
    ann.allows.append(BUSY)
    ann.page.goto("/")
    ann.page.evaluate("id => document.querySelector(`a[href$='preset=${id}']`).click()", preset)
    ann.page.wait_for_url("**/new?preset=*")
    with ann.page.expect_navigation(url="**/r/*"):
        ann.page.evaluate("() => document.querySelector('#opens').click()")
    ann.ready()
    # A race is rounds of the same, many more of them.
    is_race = preset.startswith("race")
    assert ann.play(most=30 if is_race else 10_000)["over"] is not is_race
    view = ann.view()
    assert view["phase"] == ("playing" if is_race else "over")
    assert is_race or view["table"]["sheet"]["rows"]
